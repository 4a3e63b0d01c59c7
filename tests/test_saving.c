/* test_saving.c - checkpoints that a run cannot save: it goes on, says so, and what was saved before stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/checkpoint.h"
#include "../host/run.h"
#include "failing_calls.h"

typedef struct {
  int pauses;  /* until it interrupts; 0: never */
  int trouble; /* pauses at which a failure was reported */
} onlooker;

static int look_on(void *data, const sd_report *report) {
  onlooker *o = data;
  o->trouble += report->trouble != NULL;
  return o->pauses && !--o->pauses;
}

static sd_status run_saving(onlooker *o, sd_result **result, char message[512]) {
  static const char *const pairs[] = {"method",  "vlv,eln", "bodies",           "5", "steps", "60", "every", "2",
                                      "threads", "1",       "checkpoint-every", "0"};
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i += 2)
    assert_int_equal(sd_plan_set(plan, pairs[i], pairs[i + 1]), SD_OK);
  assert_int_equal(sd_plan_set(plan, "checkpoint", path), SD_OK);
  sd_plan_on_progress(plan, look_on, o);
  sd_status status = sd_run(plan, result);
  snprintf(message, 512, "%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return status;
}

static void test_checkpoint_that_fails(void **state) {
  (void)state;
  onlooker calm = {0, 0}, worried = {0, 0}, relieved = {0, 0};
  sd_result *good, *result;
  char message[512], digest[33];
  assert_int_equal(run_saving(&calm, &good, message), SD_OK);
  strcpy(digest, sd_result_digest(good));
  assert_string_equal(sd_result_trouble(good), "");
  assert_int_equal(calm.trouble, 0);
  sd_result_destroy(good);
  empty_directory();
  fault.call = "pwrite", fault.skip = 1, fault.times = 1 << 30, fault.reason = ENOSPC; /* the first is the lock's */
  assert_int_equal(run_saving(&worried, &result, message), SD_NOT_SAVED);
  no_fault();
  assert_true(sd_result_complete(result));
  assert_string_equal(sd_result_digest(result), digest);
  assert_non_null(strstr(sd_result_trouble(result), strerror(ENOSPC)));
  assert_non_null(strstr(message, "the results are complete, but the checkpoint is not up to date"));
  assert_true(worried.trouble > 0);
  assert_false(is_there(path));
  assert_no_leftovers();
  sd_result_destroy(result);
  fault.call = "pwrite", fault.skip = 1, fault.times = 1, fault.reason = ENOSPC;
  assert_int_equal(run_saving(&relieved, &result, message), SD_OK);
  no_fault();
  assert_string_equal(sd_result_digest(result), digest);
  assert_string_equal(sd_result_trouble(result), "");
  assert_int_equal(relieved.trouble, 1);
  sd_result_destroy(result);
}

static void test_interrupted_while_saving_fails(void **state) {
  (void)state;
  static const char *const says[] = {"nothing of the run is saved", "last saved: vlv, step "};
  for (int older = 0; older < 2; older++) {
    onlooker o = {2, 0}, at_once = {1, 0};
    sd_result *result;
    char message[512];
    empty_directory();
    if (older) {
      assert_int_equal(run_saving(&at_once, &result, message), SD_INTERRUPTED);
      assert_string_equal(message, "interrupted");
      sd_result_destroy(result);
    }
    content before = {0};
    if (older) before = read_content(path);
    fault.call = "pwrite", fault.skip = 1, fault.times = 1 << 30, fault.reason = ENOSPC;
    assert_int_equal(run_saving(&o, &result, message), SD_INTERRUPTED);
    no_fault();
    if (!strstr(message, "could not be saved") || !strstr(message, says[older]) || !strstr(message, strerror(ENOSPC)))
      fail_msg("%s", message);
    if (older) assert_true(has_content(path, &before));
    free(before.byte);
    sd_result_destroy(result);
  }
}

/* The next checkpoint takes the damaged one's place, and leaves the good one where it is. */
static void test_previous_outlives_the_damaged(void **state) {
  (void)state;
  onlooker twice = {2, 0}, once = {1, 0};
  sd_result *result;
  sd_checkpoint *c;
  sd_error error = {0};
  char message[512];
  int used = 1;
  assert_int_equal(run_saving(&twice, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  content good = read_content(previous), damaged = read_content(path);
  damaged.byte[damaged.size / 2] ^= 1;
  write_content(path, damaged.byte, damaged.size);
  assert_int_equal(run_saving(&once, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  assert_true(has_content(previous, &good));
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_OK);
  assert_int_equal(used, 0);
  sd_checkpoint_destroy(c);
  free(damaged.byte);
  damaged = read_content(path); /* good by now, and the one to be kept */
  once = (onlooker){1, 0};
  assert_int_equal(run_saving(&once, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  assert_true(has_content(previous, &damaged));
  free(damaged.byte);
  free(good.byte);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_checkpoint_that_fails),
      TEST(test_interrupted_while_saving_fails),
      TEST(test_previous_outlives_the_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
