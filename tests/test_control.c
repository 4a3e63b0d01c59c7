/* test_control.c - a run is asked to stop, and to save, by another thread, through the public API alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "settings.h"

#include <spindrift.h>

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  sd_control control;
  pthread_t other;
  int begun, saved;
  char path[64];
} story;

static void *ask_to_stop(void *data) {
  sd_control_stop(data);
  return NULL;
}

/* The other thread starts when the run has; the run does not end before it has asked. */
static int on_progress(void *data, const sd_report *report) {
  story *s = data;
  (void)report;
  if (!s->begun++) assert_int_equal(pthread_create(&s->other, NULL, ask_to_stop, &s->control), 0);
  return 0;
}

static sd_plan *endless(story *s) {
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "method", "vlv");
  set(plan, "threads", "3");
  set(plan, "backend", "cpu");
  set(plan, "steps", "1e9");
  sd_plan_control(plan, &s->control);
  sd_plan_on_progress(plan, on_progress, s);
  return plan;
}

static void test_stop(void **state) {
  (void)state;
  story s = {0};
  sd_result *result;
  sd_plan *plan = endless(&s);
  assert_false(sd_control_stopped(&s.control));
  assert_int_equal(sd_run(plan, &result), SD_INTERRUPTED);
  assert_int_equal(pthread_join(s.other, NULL), 0);
  assert_true(sd_control_stopped(&s.control));
  assert_false(sd_result_complete(result));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static void on_saved(void *data, const char *path) {
  story *s = data;
  s->saved++;
  snprintf(s->path, sizeof s->path, "%s", path ? path : "nowhere");
}

static sd_status run_and_save(story *s, const char *checkpoint, const char *steps) {
  sd_result *result;
  sd_plan *plan = endless(s);
  if (steps) {
    sd_plan_on_progress(plan, NULL, NULL);
    set(plan, "steps", steps);
  }
  if (checkpoint) set(plan, "checkpoint", checkpoint);
  sd_plan_on_saved(plan, on_saved, s);
  sd_control_save(&s->control);
  sd_status status = sd_run(plan, &result);
  if (!steps) assert_int_equal(pthread_join(s->other, NULL), 0);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

static void remove_checkpoints(const char *name) {
  char previous[80];
  snprintf(previous, sizeof previous, "%s.previous", name);
  unlink(previous);
  assert_int_equal(unlink(name), 0);
}

static void test_save(void **state) {
  (void)state;
  char name[64];
  story s = {0};
  snprintf(name, sizeof name, "/tmp/spindrift-control-%d", (int)getpid());
  assert_int_equal(run_and_save(&s, name, NULL), SD_INTERRUPTED);
  assert_int_equal(s.saved, 1);
  assert_string_equal(s.path, name);
  remove_checkpoints(name);
  s = (story){0};
  assert_int_equal(run_and_save(&s, name, "1"),
                   SD_OK); /* asked for so late that the end of the method is what is saved */
  assert_int_equal(s.saved, 1);
  assert_string_equal(s.path, name);
  remove_checkpoints(name);
  s = (story){0};
  assert_int_equal(run_and_save(&s, NULL, "1"), SD_OK);
  assert_int_equal(s.saved, 1);
  assert_string_equal(s.path, "nowhere");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stop), cmocka_unit_test(test_save)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
