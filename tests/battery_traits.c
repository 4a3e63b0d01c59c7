/* battery_traits.c - every method of every family is symmetric and symplectic, in a potential and where there is none,
 * if its list says so, and is not if not. */
#include "chart.h"
#include "judge.h"

/* A harness whose method takes each step as one. */
static harness make(const chart *c, const char *name, const char *problem) {
  harness t = harness_make(name, problem);
  if (c->prepare) c->prepare(&t);
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  return t;
}

/* One step; longer where a method of high order is to show what it lacks. */
static chart one_step(const chart *c, const harness *t, int trait) {
  chart longer = *c;
  if (!has(t, trait) && t->method.entry->order > 4) longer.step *= 6;
  return longer;
}

/* A step forward and a step back. */
static void check_symmetry(const chart *given, const char *name, int order) {
  (void)order;
  harness t = make(given, name, given->problem);
  const chart one = one_step(given, &t, SYMMETRIC), *c = &one;
  harness_end begun = harness_run(&t, &c->start, c->step, 0), there = harness_run(&t, &c->start, c->step, 1);
  harness_start turned = c->start_of(&there);
  harness_end back = harness_run(&t, &turned, -c->step, 1);
  judge(name, "symmetric", has(&t, SYMMETRIC), c->distance(&begun, &back), 2e-14, 1e-9);
}

/* Column k of the derivative D of a step, by fourth-order differences. */
static void differentiate(const chart *c, const harness *t, const harness_end *end, int k, double D[][CHART_MAX]) {
  const double d = 2e-3, offset[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  for (int i = 0; i < c->dimension; i++) D[i][k] = 0;
  for (int n = 0; n < 4; n++) {
    double tangent[CHART_MAX] = {0}, x[CHART_MAX];
    tangent[k] = offset[n] * d;
    harness_start moved = c->displaced(t, &c->start, tangent);
    harness_end e = harness_run(t, &moved, c->step, 1);
    c->tangent_to(t, end, &e, x);
    for (int i = 0; i < c->dimension; i++) D[i][k] += weight[n] * x[i] / d;
  }
}

/* The largest entry of D^T w D - w. */
static double symplectic_defect(const chart *c, const harness *method) {
  harness t = *method;
  int n = c->dimension;
  harness_end begun = harness_run(&t, &c->start, c->step, 0), end = harness_run(&t, &c->start, c->step, 1);
  double D[CHART_MAX][CHART_MAX], before[CHART_MAX * CHART_MAX], after[CHART_MAX * CHART_MAX], worst = 0;
  for (int k = 0; k < n; k++) differentiate(c, &t, &end, k, D);
  c->form(&t, &begun, before);
  c->form(&t, &end, after);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sum = -before[n * a + b];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += D[i][a] * after[n * i + j] * D[j][b];
      worst = fmax(worst, fabs(sum));
    }
  return worst;
}

static void judge_symplecticity(const chart *c, const char *name, int order, const char *problem, const char *what,
                                int trait) {
  harness t = make(c, name, problem);
  if (order > t.method.entry->order && !has(&t, trait)) return; /* what a composition lacks may not show */
  const chart one = one_step(c, &t, trait);
  judge(name, what, has(&t, trait), symplectic_defect(&one, &t), 2e-9, 1e-7);
}
static void check_symplecticity(const chart *c, const char *name, int order) {
  judge_symplecticity(c, name, order, c->problem, "symplectic", SYMPLECTIC);
  if (c->free) judge_symplecticity(c, name, order, c->free, "free-symplectic", FREE_SYMPLECTIC);
}

static void run(chart_check *check, int compositions) {
  failures = 0;
  for_each_in_charts(check, compositions);
  assert_int_equal(failures, 0);
}

static void test_symmetry(void **state) {
  (void)state;
  run(check_symmetry, 1);
}
static void test_symplecticity(void **state) {
  (void)state;
  run(check_symplecticity, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_symmetry), cmocka_unit_test(test_symplecticity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
