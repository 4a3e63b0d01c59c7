/* fuzz_config.c - the reader of study files on anything at all, and the plans that come of what it accepts. */
#include "../host/config.h"
#include "../host/plan.h"
#include "fuzz_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void remove_file(void) {
  unlink(path);
}

static int write_file(const uint8_t *data, size_t size) {
  if (!*path) {
    strcpy(path, "/tmp/spindrift-fuzz-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0) return 0;
    close(fd);
    atexit(remove_file);
  }
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  int whole = fwrite(data, 1, size, file) == size;
  return !fclose(file) && whole;
}

static void try_plan(const sd_study_run *run) {
  sd_plan *plan;
  if (sd_plan_create(&plan)) return;
  sd_status status = SD_OK;
  for (size_t i = 0; i < run->count && !status; i++) {
    if (!run->setting[i].key || !run->setting[i].value) abort();
    status = sd_plan_set(plan, run->setting[i].key, run->setting[i].value);
  }
  if (!status) status = sd_plan_resolve(plan);
  if (status && !*sd_plan_message(plan)) abort();
  sd_plan_destroy(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sd_study study;
  sd_error error = {0};
  if (!write_file(data, size)) return 0;
  if (sd_study_read(&study, path, &error)) {
    if (study.run || study.count || !*error.message || strchr(error.message, '\n')) abort();
    return 0;
  }
  for (size_t i = 0; i < study.count && i < 20; i++) try_plan(&study.run[i]);
  sd_study_destroy(&study);
  return 0;
}
