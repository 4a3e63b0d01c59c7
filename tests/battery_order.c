/* battery_order.c - the measured order of every method and composition equals the declared one, from both sides. */
#include "harness.h"

typedef struct {
  const char *problem;
  double time;
  int slowest, fastest; /* steps of 2^-slowest ... 2^-fastest */
} trial;

static const trial *current;
static int failures;

/* The order between the two smallest steps whose errors are still truncation, not rounding. */
static double measured_order(harness *t, const trial *run, double rounding,
                             double (*distance)(const harness_end *, const harness_end *)) {
  harness exact = harness_make("split@8", run->problem);
  memcpy(exact.parameters, t->parameters, sizeof t->parameters);
  double fine = ldexp(1, -run->fastest - 2), measured = NAN, previous = NAN;
  harness_end reference = harness_run(&exact, NULL, fine, (int64_t)(run->time / fine));
  for (int e = run->slowest; e <= run->fastest; e++) {
    double h = ldexp(1, -e);
    harness_end end = harness_run(t, NULL, h, (int64_t)(run->time / h));
    double error = distance(&end, &reference);
    if (error > rounding) measured = log2(previous / error);
    previous = error;
  }
  return measured;
}

static double velocity_distance(const harness_end *a, const harness_end *b) {
  return sqrt(pow(a->W[0] - b->W[0], 2) + pow(a->W[1] - b->W[1], 2) + pow(a->W[2] - b->W[2], 2));
}

static void check_order(const char *name, int declared) {
  harness t = harness_make(name, current->problem);
  trial run = *current;
  double measured, tolerance = 0.1;
  if (t.method.entry->traits & ADAPTIVE) { /* one substep a step; order 5 shows before rounding in twice the time */
    t.method_parameters[0] = t.method_parameters[1] = 1e30;
    run.time *= 2;
    run.fastest--;
  }
  if (declared == 8) { /* rounding shows at once: two large steps, a long time, and W, which is less hit than Q */
    run = (trial){run.problem, 120, 2, 3};
    tolerance = 0.4;
    measured = measured_order(&t, &run, 1e-12, velocity_distance);
  } else {
    measured = measured_order(&t, &run, 1e-11, harness_distance);
  }
  if (fabs(measured - declared) <= tolerance) return;
  print_error("%s on %s: measured order %.3f, declared %d\n", name, current->problem, measured, declared);
  failures++;
}

static void run_trial(const trial *t, int compositions) {
  current = t;
  failures = 0;
  for_each_method(check_order, compositions);
  assert_int_equal(failures, 0);
}

static void test_stress(void **state) {
  (void)state;
  run_trial(&(trial){"stress", 5, 2, 6}, 1);
}
static void test_pendulum(void **state) {
  (void)state;
  run_trial(&(trial){"pendulum", 4, 3, 7}, 0);
}
static void test_top(void **state) {
  (void)state;
  run_trial(&(trial){"top-slow", 1, 6, 9}, 0);
}

/* Compositions: symmetric, and the stages add up to one step. */
static void test_coefficients(void **state) {
  (void)state;
  for (int order = 2; order <= 8; order += 2) {
    int stages;
    const double *g = sd_composition(order, &stages);
    double sum = 0;
    for (int i = 0; i < stages; i++) {
      sum += g[i];
      assert_true(g[i] == g[stages - 1 - i]);
    }
    assert_true(fabs(sum - 1) < 4e-16);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stress), cmocka_unit_test(test_pendulum),
                                     cmocka_unit_test(test_top), cmocka_unit_test(test_coefficients)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
