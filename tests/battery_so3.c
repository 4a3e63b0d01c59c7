/* battery_so3.c - rigid bodies: what a method keeps of the free body, of the heavy top and of the rotation, as listed.
 */
#include "judge.h"

/* ---- invariants along a trajectory ---- */

/* Steps that show what a method of so high an order lacks: longer ones, and fewer. */
typedef struct {
  double step;
  int64_t count;
} pace;

static pace pace_of(const harness *t, double step, int64_t count) {
  int order = t->method.entry->order;
  int by = order == 8 && has(t, SYMMETRIC) ? 20 : order > 5 ? 16 : order > 2 ? 8 : 1;
  return (pace){step * by, count / by};
}

static double energy_defect(const harness_end *e) {
  return fmax(e->account[SD_HIGHEST], -e->account[SD_LOWEST]);
}

static void check_free(const char *name) {
  harness t = harness_make(name, "free");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  pace at = pace_of(&t, 0.25, 2000);
  harness_end e = harness_run(&t, NULL, at.step, at.count);
  judge(name, "free-energy", has(&t, FREE_ENERGY), energy_defect(&e), 1e-12, 1e-7);
  judge(name, "free-momentum", has(&t, FREE_MOMENTUM), e.account[SD_MOMENTUM_ERROR], 1e-12, 1e-7);
}

enum { Q = 0, W = 9 }; /* of the numbers of a state: matrix by rows, velocity */

static double vertical_momentum(const harness_end *e, const double J[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += e->number[Q + 6 + i] * J[i] * e->number[W + i];
  return sum;
}

static void check_top(const char *name) {
  harness t = harness_make(name, "top-slow");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  const double *J = t.parameters;
  double momentum = 0, spin = 0;
  pace at = pace_of(&t, 0.02, 1000);
  harness_end begun = harness_run(&t, NULL, at.step, 0), e;
  for (int quarter = 1; quarter <= 4; quarter++) {
    e = harness_run(&t, NULL, at.step, at.count * quarter / 4);
    momentum = fmax(momentum, fabs(vertical_momentum(&e, J) - vertical_momentum(&begun, J)));
    spin = fmax(spin, J[2] * fabs(e.number[W + 2] - begun.number[W + 2]));
  }
  judge(name, "top-energy", has(&t, TOP_ENERGY), energy_defect(&e), 2e-11, 1e-6);
  judge(name, "top-momentum", has(&t, TOP_MOMENTUM), momentum, 2e-11, 1e-6);
  judge(name, "top-spin", has(&t, TOP_SPIN), spin, 2e-11, 1e-6);
}

/* A geometric method stays on SO(3), also over many steps; one that is not leaves it. */
static void check_geometry(const char *name) {
  harness t = harness_make(name, "stress");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e-4;
  pace at = pace_of(&t, 0.125, has(&t, GEOMETRIC) ? 100000 : 1000);
  harness_end e = harness_run(&t, NULL, at.step, at.count);
  judge(name, "geometric", has(&t, GEOMETRIC), e.account[SD_DEFECT], 1e-12, 1e-9);
}

static void run(void (*check)(const char *name)) {
  failures = 0;
  for (int i = 0; i < sd_method_count(); i++)
    if (is_of(sd_method_at(i)->family, "so3")) check(sd_method_at(i)->id);
  assert_int_equal(failures, 0);
}

static void test_free_body(void **state) {
  (void)state;
  run(check_free);
}
static void test_top(void **state) {
  (void)state;
  run(check_top);
}
static void test_geometry(void **state) {
  (void)state;
  run(check_geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_free_body), cmocka_unit_test(test_top),
                                     cmocka_unit_test(test_geometry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
