/* battery_order.c - the measured order of every method and composition of every family equals the declared one, from
 * both sides. */
#include "chart.h"

static int failures;

/* The largest step that leaves a whole number of them: methods of high order show no error at smaller ones. */
static double coarsest(const chart_trial *run) {
  double h = run->largest;
  while (fmod(run->time, 2 * h) == 0) h *= 2;
  return h;
}

/* The order between the two smallest steps whose errors are still truncation, not rounding. */
static double measured_order(const harness *t, const chart_trial *run, const harness_start *start, double rounding,
                             double (*distance)(const harness_end *, const harness_end *)) {
  harness exact = harness_make(t->problem->family->reference, run->problem);
  memcpy(exact.parameters, t->parameters, sizeof t->parameters);
  double fine = run->smallest / 4, measured = NAN, previous = NAN;
  harness_end reference = harness_run(&exact, start, fine, (int64_t)(run->time / fine));
  for (double h = coarsest(run); h >= run->smallest; h /= 2) {
    harness_end end = harness_run(t, start, h, (int64_t)(run->time / h));
    double error = distance(&end, &reference);
    if (error > rounding) measured = log2(previous / error);
    previous = error;
  }
  return measured;
}

static void check_trial(const chart *c, chart_trial run, const char *name, int declared) {
  double measured, tolerance = 0.1;
  harness t = harness_make(name, run.problem);
  int good = declared > 2 && t.method.entry->order == declared && t.method.entry->traits & (SYMMETRIC | SYMPLECTIC);
  int eighth = declared == 8 && !good;
  if (declared == 8) { /* rounding shows at once: two large steps, or the first trial alone */
    run = eighth ? c->eighth : c->trial[0];
    t = harness_make(name, run.problem);
  }
  const harness_start *start = c->trials_from_start && !strcmp(run.problem, c->problem) ? &c->start : NULL;
  if (start) c->prepare(&t);
  if (t.method.entry->traits & ADAPTIVE)
    t.method_parameters[0] = t.method_parameters[1] = 1e30; /* one substep a step */
  if (t.method.entry->traits & ADAPTIVE && declared < 8) {  /* order 5 shows before rounding in twice the time */
    run.time *= 2;
    run.smallest *= 2;
  }
  if (eighth) {
    tolerance = 0.8; /* from 6 and from 10 it is told */
    measured = measured_order(&t, &run, start, 1e-13, c->eighth_distance);
  } else {
    if (declared > 8 || good)
      tolerance = 0.5; /* so good a method shows its errors at large steps alone, where the next order is in them */
    measured = measured_order(&t, &run, start, 1e-11, c->distance);
  }
  if (fabs(measured - declared) <= tolerance) return;
  print_error("%s on %s: measured order %.3f, declared %d\n", name, run.problem, measured, declared);
  failures++;
}

static void check_order(const chart *c, const char *name, int declared) {
  for (int k = 0; k < 2; k++)
    if (c->exact[k] && strcspn(name, "@") == strlen(c->exact[k]) && !strncmp(name, c->exact[k], strlen(c->exact[k])))
      return;
  for (const chart_trial *run = c->trial; run->problem; run++)
    if (run->compositions || !strchr(name, '@')) check_trial(c, *run, name, declared);
}

static void test_orders(void **state) {
  (void)state;
  failures = 0;
  for_each_in_charts(check_order, 1);
  assert_int_equal(failures, 0);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders), cmocka_unit_test(test_coefficients)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
