/* battery_reference.c - final states against an independent implementation in 80-bit arithmetic
 * (tests/reference/reference.c), and the known energy slopes of single trajectories. */
#include "harness.h"

/* What double rounding may do to a run: about ten times what the reference program itself loses when it is compiled
 * in double. */
static double tolerance_of(const char *problem) {
  if (!strcmp(problem, "top-fast")) return 6e-12;
  if (!strcmp(problem, "top-slow")) return 2e-12;
  if (!strcmp(problem, "coulomb-wall")) return 2e-12;
  return 5e-13;
}

static int check_line(const char *line) {
  char method[40], problem[40], inertia[40], copy[2048];
  memcpy(copy, line, strlen(line) + 1); /* as long as the caller's buffer */
  int fields = 0;
  double number[13], h = 0;
  long steps = 0;
  for (char *field = strtok(copy, " \n"); field; field = strtok(NULL, " \n"), fields++) {
    if (fields == 0) snprintf(method, sizeof method, "%s", field);
    else if (fields == 1) snprintf(problem, sizeof problem, "%s", field);
    else if (fields == 2) snprintf(inertia, sizeof inertia, "%s", field);
    else if (fields == 3) h = strtod(field, NULL);
    else if (fields == 4) steps = strtol(field, NULL, 10);
    else if (fields < 18) number[fields - 5] = strtod(field, NULL);
  }
  assert_int_equal(fields, 18);
  harness t = harness_make(method, problem);
  if (sscanf(inertia, "%lf,%lf,%lf", &t.parameters[0], &t.parameters[1], &t.parameters[2]) != 3)
    assert_string_equal(inertia, "-");
  if (t.method.entry->traits & ADAPTIVE) t.method_parameters[0] = t.method_parameters[1] = 1e-14;
  harness_end end = harness_run(&t, NULL, h, steps);
  double worst = 0, allowed = tolerance_of(problem);
  if (t.method.entry->traits & ADAPTIVE)
    allowed *= 10; /* its own tolerance, and the wall's kink in the third derivative */
  for (int i = 0; i < 12; i++) worst = fmax(worst, fabs(end.number[i] - number[i]));
  if (worst <= allowed && fabs(end.energy_error - number[12]) <= 100 * allowed) return 0;
  print_error("%s on %s, J %s, h %g: off by %.2e, energy by %.2e\n", method, problem, inertia, h, worst,
              fabs(end.energy_error - number[12]));
  return 1;
}

static void test_golden(void **state) {
  (void)state;
  FILE *file = fopen(GOLDEN "/reference.txt", "r");
  char line[2048], seen[4096] = "";
  int failures = 0, lines = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || line[0] == '\n') continue;
    failures += check_line(line);
    lines++;
    size_t length = strcspn(line, " "), used = strlen(seen);
    line[length] = 0;
    if (!strchr(line, '@') && used + length + 3 < sizeof seen) {
      char spaced[64];
      snprintf(spaced, sizeof spaced, " %.60s ", line);
      if (!strstr(seen, spaced)) strcat(seen, spaced);
    }
  }
  fclose(file);
  assert_int_equal(failures, 0);
  assert_true(lines > 200);
  for (int i = 0; i < sd_method_count(); i++) { /* no method without a reference */
    char spaced[64];
    if (!is_of(sd_method_at(i)->family, "so3")) continue; /* orbits have the exact solution */
    snprintf(spaced, sizeof spaced, " %s ", sd_method_at(i)->id);
    if (!strstr(seen, spaced)) fail_msg("no reference for %s", sd_method_at(i)->id);
  }
}

/* Velocities after some steps of the methods that no paper has numbers of, as found when they were derived. */
static void test_known_velocities(void **state) {
  (void)state;
  static const struct {
    const char *method, *problem;
    double h;
    int steps;
    double W[3];
  } known[] = {{"lewis-simo", "free", 0.1, 50, {-0.13623182871522738, -1.0683823701488643, 0.55933267118209566}},
               {"lewis-simo", "stress", 0.125, 40, {-0.67075462520291649, 0.31435311350710713, -0.33912474182756736}},
               {"vlv-exp", "stress", 0.125, 40, {-0.67173333938983531, 0.31415481049390623, -0.33767940884660862}},
               {"var-mid", "stress", 0.125, 40, {-0.67251637594663837, 0.31316118614026253, -0.33801209728707027}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    harness t = harness_make(known[i].method, known[i].problem);
    harness_end end = harness_run(&t, NULL, known[i].h, known[i].steps);
    for (int k = 0; k < 3; k++)
      if (fabs(end.number[9 + k] - known[i].W[k]) > 2e-14)
        fail_msg("%s on %s: W%d is %.17g", known[i].method, known[i].problem, k + 1, end.number[9 + k]);
  }
}

/* Least-squares slope of E - E0 on stress, T = 10000, a sample at every step; the body is turned a little farther. */
static double slope_beside(const char *method, double h, double farther) {
  enum { ATTITUDE = 3 };
  harness t = harness_make(method, "stress");
  int64_t steps = (int64_t)(10000 / h);
  t.parameters[ATTITUDE + 1] += farther;
  harness_end e = harness_run(&t, NULL, h, steps);
  if (e.status) return NAN;
  /* the harness leaves the halves' mean times at 0, so the moments are about t = 0 */
  double moment = e.account[SD_MOMENT] + e.account[SD_MOMENT + 2], sum = e.account[SD_SUM] + e.account[SD_SUM + 2];
  double n = (double)steps + 1, mean = 5000, spread = h * h * n * (n * n - 1) / 12;
  return (moment - mean * sum) / spread;
}

static double slope(const char *method, double h) {
  return slope_beside(method, h, 0);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
/* Of a trajectory that turns chaotic, which the last bit decides: the middle one of some that start side by side. */
static double middle_slope(const char *method, double h) {
  enum { STARTS = 9 };
  double found[STARTS];
  for (int i = 0; i < STARTS; i++) found[i] = slope_beside(method, h, i * 1e-14);
  qsort(found, STARTS, sizeof *found, ascending);
  return found[STARTS / 2];
}

static void check_slope(const char *method, double h, double expected, double within) {
  double found = slope(method, h);
  if (fabs(found - expected) > within) fail_msg("%s, h = %g: slope %.4e, expected %.4e", method, h, found, expected);
}

/* To the digits given; half a unit of the last one. */
static void test_drifting_slopes(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double at_eighth, unit_eighth, at_quarter, unit_quarter;
  } known[] = {{"eln", -1.055e-6, 1e-9, -4.04e-6, 1e-8},     {"prk", -1.697e-6, 1e-9, -6.50e-6, 1e-8},
               {"mcg", 5.69e-7, 1e-9, 2.29e-6, 1e-8},        {"new3", 5.69e-7, 1e-9, 2.29e-6, 1e-8},
               {"liemid-ea", 1.42e-7, 1e-9, 5.74e-7, 1e-9},  {"rk4", -2.65e-7, 1e-9, -6.81e-6, 1e-8},
               {"liemid-i", -7.37e-7, 1e-9, -1.28e-6, 1e-8}, {"eln-exp", -4.834e-7, 1e-10, -1.689e-6, 1e-9},
               {"trapm", -7.351e-7, 1e-10, -1.273e-6, 1e-9}, {"tln", -1.590e-6, 1e-9, NAN, 0},
               {"tln-exp", -1.061e-6, 1e-9, NAN, 0},         {"akw", -1.310e-6, 1e-9, NAN, 0},
               {"sw-c1", 3.676e-7, 1e-10, 2.213e-6, 1e-9},   {"sw-1", 3.591e-7, 1e-10, NAN, 0},
               {"lewis-simo", -1.310e-6, 1e-9, NAN, 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    check_slope(known[i].method, 0.125, known[i].at_eighth, 0.5 * known[i].unit_eighth);
    if (known[i].unit_quarter) check_slope(known[i].method, 0.25, known[i].at_quarter, 0.5 * known[i].unit_quarter);
  }
  double chaotic = middle_slope("tln", 0.25); /* sign and magnitude */
  if (!(chaotic < -2e-6 && chaotic > -5e-6)) fail_msg("tln, h = 0.25: slope %.4e", chaotic);
}

static void test_symplectic_slopes(void **state) {
  (void)state;
  for (int i = 0; i < sd_method_count(); i++) {
    int traits = sd_method_at(i)->traits;
    if (!is_of(sd_method_at(i)->family, "so3") || !(traits & SYMPLECTIC) || !(traits & SYMMETRIC)) continue;
    check_slope(sd_method_at(i)->id, 0.125, 0, 1e-9);
    check_slope(sd_method_at(i)->id, 0.25, 0, 1e-9);
  }
}

static void test_heun_is_unstable(void **state) {
  (void)state;
  assert_true(isnan(slope("rk2", 0.125)) && isnan(slope("rk2", 0.25)));
}

/* Two methods, one map: rattle solves for the increment that rrp has in closed form. */
static void test_rattle_is_rrp(void **state) {
  (void)state;
  harness a = harness_make("rattle", "stress"), b = harness_make("rrp", "stress");
  for (int i = 0; i < 3; i++) a.parameters[i] = b.parameters[i] = 2;
  harness_end x = harness_run(&a, NULL, 0.125, 100), y = harness_run(&b, NULL, 0.125, 100);
  for (int i = 0; i < 12; i++) assert_true(fabs(x.number[i] - y.number[i]) < 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden),           cmocka_unit_test(test_known_velocities),
                                     cmocka_unit_test(test_drifting_slopes),  cmocka_unit_test(test_symplectic_slopes),
                                     cmocka_unit_test(test_heun_is_unstable), cmocka_unit_test(test_rattle_is_rrp)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
