/* battery_traits.c - every trait that methods.def lists holds, and every one that it does not list fails. */
#include "harness.h"

static int failures;

/* A generic start: nothing symmetric about it. */
static const harness_start generic = {{0.9, 0.2, -0.35, 0.3}, {0.4, -0.5, 0.7}};

/* A quantity that the trait makes vanish (to round-off), and what is otherwise clearly there. */
static void judge(const char *method, const char *what, int declared, double value, double vanishing, double present) {
  int holds = value <= vanishing, lost = !(value < present);
  if (declared ? holds : lost) return;
  print_error("%s: %s is %s, but the defect is %.2e\n", method, what, declared ? "declared" : "not declared", value);
  failures++;
}

static int has(const harness *t, int trait) {
  return (t->method.entry->traits & trait) != 0;
}

/* ---- symmetry: a step forward and a step back ---- */

static void check_symmetry(const char *name, int order) {
  (void)order;
  harness t = harness_make(name, "stress");
  harness_set_inertia(&t, 2, 3, 4);
  harness_end begun = harness_run(&t, &generic, 0.25, 0), there = harness_run(&t, &generic, 0.25, 1);
  harness_start turned;
  harness_quaternion(there.Q, turned.q);
  memcpy(turned.W, there.W, sizeof turned.W);
  harness_end back = harness_run(&t, &turned, -0.25, 1);
  judge(name, "symmetric", has(&t, SYMMETRIC), harness_distance(&begun, &back), 2e-14, 1e-9);
}

/* ---- symplecticity: D^T w D = w for the derivative D of a step in (rotation, momentum) coordinates ---- */

/* Coordinates of a state about a base state: the rotation vector of Q_base^T Q, and J W - J W_base. */
static void coordinates(const harness_end *base, const harness_end *end, const double J[3], double x[6]) {
  double R[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) R[3 * i + j] += base->Q[3 * k + i] * end->Q[3 * k + j];
    }
  double axis[3] = {(R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2};
  double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double scale = sine > 0 ? asin(sine) / sine : 1;
  for (int i = 0; i < 3; i++) x[i] = scale * axis[i];
  for (int i = 0; i < 3; i++) x[3 + i] = J[i] * (end->W[i] - base->W[i]);
}

/* The start moved by d along coordinate k. */
static harness_start moved(const harness_start *s, const double J[3], int k, double d) {
  harness_start m = *s;
  if (k >= 3) {
    m.W[k - 3] += d / J[k - 3];
    return m;
  }
  double c = cos(d / 2), e[3] = {0}, w = s->q[0];
  const double *v = s->q + 1;
  e[k] = sin(d / 2);
  m.q[0] = w * c - v[k] * e[k];
  for (int i = 0; i < 3; i++)
    m.q[1 + i] = c * v[i] + w * e[i] + v[(i + 1) % 3] * e[(i + 2) % 3] - v[(i + 2) % 3] * e[(i + 1) % 3];
  return m;
}

/* The canonical two-form at momentum P, body frame: w((a, p), (b, r)) = r.a - p.b + P.(a x b) */
static void two_form(const double P[3], double w[6][6]) {
  memset(w, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    w[i][3 + i] = 1;
    w[3 + i][i] = -1;
    w[j][k] = P[i];
    w[k][j] = -P[i];
  }
}

static void check_symplecticity(const char *name, int order) {
  (void)order;
  harness t = harness_make(name, "stress");
  harness_set_inertia(&t, 2, 3, 4);
  const double *J = t.parameters, h = 0.25, d = 2e-3;
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  harness_end begun = harness_run(&t, &generic, h, 0), end = harness_run(&t, &generic, h, 1);
  double D[6][6], before[6][6], after[6][6], P0[3], P1[3], worst = 0;
  for (int k = 0; k < 6; k++) { /* fourth-order differences */
    double x[4][6];
    const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    for (int n = 0; n < 4; n++) {
      harness_start m = moved(&generic, J, k, offset[n] * d);
      harness_end e = harness_run(&t, &m, h, 1);
      coordinates(&end, &e, J, x[n]);
    }
    for (int i = 0; i < 6; i++) {
      D[i][k] = 0;
      for (int n = 0; n < 4; n++) D[i][k] += weight[n] * x[n][i] / d;
    }
  }
  for (int i = 0; i < 3; i++) P0[i] = J[i] * begun.W[i], P1[i] = J[i] * end.W[i];
  two_form(P0, before);
  two_form(P1, after);
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      double sum = -before[a][b];
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += D[i][a] * after[i][j] * D[j][b];
      worst = fmax(worst, fabs(sum));
    }
  judge(name, "symplectic", has(&t, SYMPLECTIC), worst, 2e-9, 1e-7);
}

/* ---- invariants along a trajectory ---- */

static double energy_defect(const harness_end *e) {
  return fmax(e->account[SD_HIGHEST], -e->account[SD_LOWEST]);
}

static void check_free(const char *name, int order) {
  (void)order;
  harness t = harness_make(name, "free");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  harness_end e = harness_run(&t, NULL, 0.25, 2000);
  judge(name, "free-energy", has(&t, FREE_ENERGY), energy_defect(&e), 1e-12, 1e-7);
  judge(name, "free-momentum", has(&t, FREE_MOMENTUM), e.account[SD_MOMENTUM_ERROR], 1e-12, 1e-7);
}

static double vertical_momentum(const harness_end *e, const double J[3]) {
  return e->Q[6] * J[0] * e->W[0] + e->Q[7] * J[1] * e->W[1] + e->Q[8] * J[2] * e->W[2];
}

static void check_top(const char *name, int order) {
  (void)order;
  harness t = harness_make(name, "top-slow");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e30;
  const double *J = t.parameters;
  double momentum = 0, spin = 0;
  harness_end begun = harness_run(&t, NULL, 0.02, 0), e;
  for (int64_t steps = 250; steps <= 1000; steps += 250) {
    e = harness_run(&t, NULL, 0.02, steps);
    momentum = fmax(momentum, fabs(vertical_momentum(&e, J) - vertical_momentum(&begun, J)));
    spin = fmax(spin, J[2] * fabs(e.W[2] - begun.W[2]));
  }
  judge(name, "top-energy", has(&t, TOP_ENERGY), energy_defect(&e), 2e-11, 1e-6);
  judge(name, "top-momentum", has(&t, TOP_MOMENTUM), momentum, 2e-11, 1e-6);
  judge(name, "top-spin", has(&t, TOP_SPIN), spin, 2e-11, 1e-6);
}

/* A geometric method stays on SO(3), also over many steps; one that is not leaves it. */
static void check_geometry(const char *name, int order) {
  (void)order;
  harness t = harness_make(name, "stress");
  if (has(&t, ADAPTIVE)) t.method_parameters[0] = t.method_parameters[1] = 1e-4;
  harness_end e = harness_run(&t, NULL, 0.125, has(&t, GEOMETRIC) ? 100000 : 1000);
  judge(name, "geometric", has(&t, GEOMETRIC), e.account[SD_DEFECT], 1e-12, 1e-9);
}

static void run(void (*check)(const char *, int), int compositions) {
  failures = 0;
  for_each_method(check, compositions);
  assert_int_equal(failures, 0);
}

static void test_symmetry(void **state) {
  (void)state;
  run(check_symmetry, 1);
}
static void test_symplecticity(void **state) {
  (void)state;
  run(check_symplecticity, 0);
}
static void test_free_body(void **state) {
  (void)state;
  run(check_free, 0);
}
static void test_top(void **state) {
  (void)state;
  run(check_top, 0);
}
static void test_geometry(void **state) {
  (void)state;
  run(check_geometry, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_symmetry), cmocka_unit_test(test_symplecticity),
                                     cmocka_unit_test(test_free_body), cmocka_unit_test(test_top),
                                     cmocka_unit_test(test_geometry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
