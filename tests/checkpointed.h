/* checkpointed.h - small runs that leave a checkpoint, in a directory of their own; after cmocka.h. */
#ifndef CHECKPOINTED_H
#define CHECKPOINTED_H

#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64], path[80], previous[96];

static inline int make_directory(void **state) {
  (void)state;
  strcpy(directory, "/tmp/spindrift-checkpoint-XXXXXX");
  if (!mkdtemp(directory)) return -1;
  snprintf(path, sizeof path, "%s/file", directory);
  snprintf(previous, sizeof previous, "%s.previous", path);
  return 0;
}

static inline int remove_directory(void **state) {
  (void)state;
  unlink(path);
  unlink(previous);
  return rmdir(directory);
}

static inline int is_past(void *data, const sd_report *report) {
  return report->done > *(const double *)data;
}

static inline sd_plan *make_plan(const char *methods) {
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "method", methods);
  set(plan, "bodies", "5");
  set(plan, "steps", "60");
  set(plan, "every", "7");
  set(plan, "final", "3");
  set(plan, "trajectories", "2");
  set(plan, "threads", "1");
  set(plan, "backend", "cpu");
  return plan;
}

static inline sd_status run_once(sd_plan *plan, sd_result **result) {
  sd_status status = sd_run(plan, result);
  if (status && status != SD_INTERRUPTED && status != SD_BODIES_FAILED) print_message("%s\n", sd_plan_message(plan));
  return status;
}

/* A checkpoint of a run that was stopped when so much of it was done.  Trajectories are recorded, so that there is a
 * pause at every sample. */
static inline void leave_checkpoint(sd_plan *plan, double done) {
  sd_result *result;
  set(plan, "checkpoint", path);
  sd_plan_on_progress(plan, is_past, &done);
  assert_int_equal(run_once(plan, &result), SD_INTERRUPTED);
  sd_result_destroy(result);
}

static inline void digest_of(sd_plan *plan, char digest[33]) {
  sd_result *result;
  sd_plan_on_progress(plan, NULL, NULL);
  assert_int_equal(run_once(plan, &result), SD_OK);
  strcpy(digest, sd_result_digest(result));
  sd_result_destroy(result);
}

#endif
