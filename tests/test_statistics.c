/* test_statistics.c - sums, sample times, intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/reduce.h"
#include "../host/schedule.h"
#include "../host/statistics.h"
#include "../host/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_tree_is_one_tree(void **state) {
  (void)state;
  double x[1000];
  for (int i = 0; i < 1000; i++) x[i] = sin(i) * pow(10, i % 7);
  /* a part that starts at a multiple of its power-of-two size is a subtree */
  double by_parts = sd_tree_sum(x, 512) + (sd_tree_sum(x + 512, 256) + sd_tree_sum(x + 768, 232));
  assert_true(by_parts == sd_tree_sum(x, 1000));
  assert_true(sd_tree_sum(x, 3) == (x[0] + x[1]) + x[2]);
  assert_true(sd_tree_sum(x, 0) == 0);
}

static void check_times(const sd_times *t, const double *time, int64_t from, int64_t to) {
  double mean = 0, spread = 0, n = (double)(to - from);
  for (int64_t i = from; i < to; i++) mean += time[i] / n;
  for (int64_t i = from; i < to; i++) spread += (time[i] - mean) * (time[i] - mean);
  assert_true(t->count == n);
  assert_true(fabs(t->mean - mean) <= 1e-13 * (1 + mean));
  assert_true(fabs(t->spread - spread) <= 1e-12 * (1e-3 + spread));
}

static void check_tapered(const sd_times *t, const double *time, int64_t count) {
  double weights = 0, mean = 0, spread = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int64_t i = 0; i < count; i++) {
      double x = time[i] / time[count - 1], w = x * (1 - x) * x * (1 - x);
      if (pass) spread += w * (x - mean / weights) * (x - mean / weights);
      else weights += w, mean += w * x;
    }
  if (t->spread != t->spread) {
    assert_true(count <= 5);
    return;
  }
  assert_true(fabs(t->count - weights) <= 1e-14);
  assert_true(fabs(t->mean - mean / weights) <= 1e-13);
  assert_true(fabs(t->spread - spread) <= 1e-12 * spread);
}

/* The closed forms against the sample times themselves. */
static void test_schedule(void **state) {
  (void)state;
  for (int64_t steps = 1; steps <= 40; steps++)
    for (int64_t every = 1; every <= steps; every++) {
      double time[64], h = 0.125;
      int64_t count = 0;
      for (int64_t n = 0; n <= steps; n++)
        if (n % every == 0 || n == steps) time[count++] = (double)n * h;
      sd_schedule s = sd_schedule_make(h, steps, every);
      assert_int_equal(s.samples, count);
      assert_int_equal(s.first_half, count / 2);
      assert_true(s.length == time[count - 1]);
      check_tapered(&s.tapered, time, count);
      check_times(&s.all, time, 0, count);
      check_times(&s.half[0], time, 0, s.first_half);
      check_times(&s.half[1], time, s.first_half, count);
    }
}

/* Against values of Student's distribution from tables. */
static void test_student(void **state) {
  (void)state;
  static const double known[][2] = {{1, 12.7062047364}, {2, 4.3026527297},   {5, 2.5705818356},  {9, 2.2621571628},
                                    {10, 2.2281388520}, {12, 2.1788128297},  {20, 2.0859634473}, {30, 2.0422724563},
                                    {60, 2.0002978221}, {120, 1.9799304051}, {1e6, 1.9599663}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_true(fabs(sd_student95(known[i][0]) - known[i][1]) < 2e-6);
}

/* Slopes of a body whose energy is a known function of time. */
static void test_summary(void **state) {
  (void)state;
  enum { BODIES = 3, STEPS = 10 };
  double slots[SD_ACCOUNT_SLOTS * BODIES] = {0};
  sd_ensemble e = {.slots = slots, .stride = BODIES, .bodies = BODIES};
  sd_schedule s = sd_schedule_make(0.5, STEPS, 1);
  const double rate[BODIES] = {1.0, 2.0, 4.0};
  for (int b = 0; b < BODIES; b++)
    for (int n = 0; n <= STEPS; n++) {
      int half = n >= s.first_half;
      double t = 0.5 * n, error = rate[b] * t;
      slots[SD_SUM * BODIES + 2 * half * BODIES + b] += error;
      slots[SD_MOMENT * BODIES + 2 * half * BODIES + b] += (t - s.half[half].mean) * error;
      slots[SD_SQUARES * BODIES + b] += error * error;
      double x = n / (double)STEPS, w = x * (1 - x);
      slots[SD_TAPERED * BODIES + b] += w * w * (x - s.tapered.mean) * error;
      slots[SD_HIGHEST * BODIES + b] = error;
    }
  slots[SD_STATUS * BODIES + 2] = SD_MEMBER_OUTSIDE_DOMAIN; /* the third body failed */
  sd_series none = {0};
  sd_summary r;
  sd_error error = {0};
  memset(&r, 0, sizeof r);
  assert_int_equal(sd_summarise(&e, &s, &none, STEPS, 1, 0.1, 1, &r, &error), SD_OK);
  assert_int_equal(r.failed, 1);
  assert_true(fabs(r.slope_mean - 1.5) < 1e-14);
  assert_true(fabs(r.slope_first_half - 1.5) < 1e-14 && fabs(r.slope_second_half - 1.5) < 1e-14);
  assert_true(fabs(r.slope_stderr - 0.5) < 1e-14);
  assert_true(fabs(r.drift_slope - 1.5) < 1e-12 && fabs(r.drift_stderr - 0.5) < 1e-12);
  assert_true(r.drift_rising == 1 && r.drift_falling == 0);
  assert_true(r.oscillation_rms < 1e-7); /* each is a line: what is left is rounding */
  assert_true(fabs(r.wander_rms - 2.75 * sqrt(2.5)) < 1e-14 && fabs(r.wander_slopes - sqrt(2.5)) < 1e-14);
  assert_true(fabs(r.slope_high - (1.5 + 12.706204736 * 0.5)) < 1e-8);
  assert_true(r.energy_max_abs_error == 10.0);
  assert_int_equal(r.verdict, SD_UNDECIDED);
  assert_int_equal(r.reason, SD_MEMBERS_FAILED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree_is_one_tree), cmocka_unit_test(test_schedule),
                                     cmocka_unit_test(test_student), cmocka_unit_test(test_summary)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
