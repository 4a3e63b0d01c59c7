/* test_plan.c - the library's own view of bad input: a status, a message, and nothing printed; and what a plan keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "spindrift.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sets the pairs key, value, ..., NULL and runs; returns the status, and the message in `message`. */
static sd_status attempt(char message[512], const char *const *pairs) {
  sd_plan *plan;
  sd_result *result = NULL;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  sd_status status = strcmp(pairs[0], "time") ? sd_plan_set(plan, "steps", "4") : SD_OK;
  if (!status) status = sd_plan_set(plan, "bodies", "2");
  for (; *pairs && !status; pairs += 2) status = sd_plan_set(plan, pairs[0], pairs[1]);
  if (!status) status = sd_run(plan, &result);
  snprintf(message, 512, "%s", sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

static void test_bad_input(void **state) {
  (void)state;
  static const struct {
    const char *pairs[7];
    const char *says;
  } bad[] = {{{"method", "vvl"}, "'vlv'"},
             {{"method", "vlv@5"}, "order 4, 6 or 8"},
             {{"method", "rk4@4"}, "symmetric"},
             {{"method", ","}, "empty name"},
             {{"method", ""}, "missing"},
             {{"problem", "stres"}, "'stress'"},
             {{"step", "0"}, "not positive"},
             {{"step", "-1"}, "not positive"},
             {{"step", "nan"}, "finite"},
             {{"step", "1e999"}, "finite"},
             {{"step", "0.1x"}, "not a number"},
             {{"time", "1", "step", "0.3"}, "whole number of steps"},
             {{"steps", "5", "time", "3"}, "contradict"},
             {{"bodies", "0"}, "out of range"},
             {{"bodies", "1e12"}, "out of range"},
             {{"bodies", "1.5"}, "whole"},
             {{"every", "5"}, "more than the 4 steps"},
             {{"threads", "0"}, "out of range"},
             {{"isa", "sse9"}, "scalar"},
             {{"backend", "abacus"}, "cpu"},
             {{"param", "J=1,1,3"}, "no body's inertia"},
             {{"param", "J=1,1"}, "expected 3"},
             {{"param", "J=0,0,0"}, "out of range"},
             {{"param", "alhpa=1"}, "'alpha'"},
             {{"param", "alpha"}, "NAME=VALUE"},
             {{"param", "alpha="}, "missing"},
             {{"method", "rrp"}, "spherical"},
             {{"method", "campello", "param", "J=2,2,2", "param", "phi=2"}, "out of range"},
             {{"colour", "red"}, "unknown option"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[512];
    sd_status status = attempt(message, bad[i].pairs);
    if (status != SD_BAD_INPUT || !strstr(message, bad[i].says))
      fail_msg("%s=%s: status %d, message '%s', expected '%s'", bad[i].pairs[0], bad[i].pairs[1], status, message,
               bad[i].says);
  }
}

static void test_good_input(void **state) {
  (void)state;
  static const char *const good[][7] = {{"method", "all"},
                                        {"method", "seed1,split@8"},
                                        {"param", "J=1,1,2"},
                                        {"method", "rrp", "param", "J=2,2,2"},
                                        {"seed", "0xffffffffffffffff"},
                                        {"bodies", "1e2"},
                                        {"time", "0.3", "step", "0.1"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    char message[512];
    sd_status status = attempt(message, good[i]);
    if (status) fail_msg("%s=%s: status %d, '%s'", good[i][0], good[i][1], status, message);
  }
}

static void test_too_many_bodies_for_the_machine(void **state) {
  (void)state;
  char message[512];
  static const char *const pairs[] = {"bodies", "1e9", "method", "vlv", NULL, NULL};
  assert_int_equal(attempt(message, pairs), SD_NO_MEMORY);
  assert_non_null(strstr(message, "GiB"));
}

static int stop_at_once(void *data, const sd_report *report) {
  assert_true(report->done > 0 && report->done < 1);
  ++*(int *)data;
  return 1;
}

static void test_interruption(void **state) {
  (void)state;
  sd_plan *plan;
  sd_result *result;
  int calls = 0;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  sd_plan_on_progress(plan, stop_at_once, &calls);
  assert_int_equal(sd_run(plan, &result), SD_INTERRUPTED);
  assert_non_null(result);
  assert_int_equal(sd_result_count(result), 0);
  assert_false(sd_result_complete(result));
  sd_result_destroy(result);
  assert_int_equal(calls, 1);
  sd_plan_destroy(plan);
}

/* A plan can be changed and run again. */
static void test_second_run(void **state) {
  (void)state;
  sd_plan *plan;
  sd_result *first, *second;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  assert_int_equal(sd_plan_set(plan, "method", "eln"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "time", "8"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "bodies", "3"), SD_OK);
  assert_int_equal(sd_run(plan, &first), SD_OK);
  assert_int_equal(sd_plan_set(plan, "step", "nonsense"), SD_BAD_INPUT);
  assert_int_equal(sd_plan_set(plan, "step", "0.25"), SD_OK);
  assert_int_equal(sd_run(plan, &second), SD_OK);
  assert_true(sd_result_summary(first, 0)->step == 0.125 && sd_result_summary(second, 0)->step == 0.25);
  assert_true(sd_result_summary(first, 0)->time == 8 && sd_result_summary(second, 0)->time == 8);
  assert_string_not_equal(sd_result_digest(first), sd_result_digest(second));
  sd_result_destroy(first);
  sd_result_destroy(second);
  sd_plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_input), cmocka_unit_test(test_good_input),
                                     cmocka_unit_test(test_too_many_bodies_for_the_machine),
                                     cmocka_unit_test(test_interruption), cmocka_unit_test(test_second_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
