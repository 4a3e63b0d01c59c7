/* test_text.c - texts that grow, and a plan as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/plan_text.h"
#include "../host/run.h"
#include "../host/text.h"
#include "failing_calls.h"

static void test_plan_text(void **state) {
  (void)state;
  sd_error error = {0};
  sd_plan *plan, *again;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  assert_int_equal(sd_plan_set(plan, "method", "rk45,vlv@6"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "step", "0.10000000000000002"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "steps", "12345"), SD_OK);
  assert_int_equal(sd_plan_resolve(plan), SD_OK);
  char *text = sd_specification_text(sd_plan_specification(plan), 2), *second;
  assert_int_equal(sd_plan_from_text("file", text, &again, &error), SD_OK);
  assert_int_equal(sd_plan_resolve(again), SD_OK);
  second = sd_specification_text(sd_plan_specification(again), 2);
  assert_string_equal(text, second);
  assert_non_null(strstr(text, "\nmethod rk45,vlv@6\n"));
  assert_non_null(strstr(text, "\nstep 0.10000000000000002\n"));
  free(text);
  free(second);
  sd_plan_destroy(plan);
  sd_plan_destroy(again);
  static const char *const bad[] = {"bodies", "bodies 4", "bodies\n", "\n", "bodies x\n", "colour blue\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    error = (sd_error){0};
    assert_int_equal(sd_plan_from_text("file", bad[i], &again, &error), SD_BAD_INPUT);
    assert_clear(&error, "its plan");
    assert_null(again);
  }
}

/* A text is whole or not there at all, wherever memory fails while it grows. */
static void test_text(void **state) {
  (void)state;
  int failures = 0, whole = 0;
  for (int skip = 0; !whole; skip++) {
    sd_text text = {0};
    fault.call = "realloc", fault.skip = skip, fault.times = 1, fault.reason = ENOMEM;
    for (int i = 0; i < 3000; i++) sd_text_add(&text, "%05d ", i);
    int struck = fault.struck;
    no_fault();
    char *made = sd_text_take(&text);
    assert_int_equal(made == NULL, struck);
    failures += struck;
    whole = made != NULL;
    if (made) assert_int_equal(strlen(made), 18000);
    for (int i = 0; made && i < 3000; i++) assert_int_equal(atoi(made + 6 * i), i);
    free(made);
  }
  assert_true(failures > 5);
  sd_text none = {0};
  char *empty = sd_text_take(&none);
  assert_string_equal(empty, "");
  free(empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_plan_text),
      TEST(test_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
