/* test_elementary.c - kernels/elementary.h against MPFR, and the same bits from every variant.
 *
 * Compiled scalar.  Each family of functions is evaluated at random, dense and special arguments; the worst
 * error of each is printed and must be at most 1 ulp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpfr.h>

#include "../kernels/elementary.h"

enum { PRECISION = 200, MOST_OUTPUTS = 4 };

static const double half_pi = 1.5707963267948966, ln_2 = 0.6931471805599453, sqrt_2 = 1.4142135623730951;

typedef struct {
  int outputs;
  const char *name[MOST_OUTPUTS];
  void (*compute)(const double x[2], double result[]);
  void (*exact)(const double x[2], mpfr_t result[]);
  double (*slack)(double x, int output, double exact); /* error allowed besides, in absolute terms; or NULL */
} family;

typedef struct {
  const family *family;
  mpfr_t exact[MOST_OUTPUTS], difference;
  double worst[MOST_OUTPUTS], worst_at[MOST_OUTPUTS][2];
  long points;
} measurement;

/* |result - exact|, less what is allowed besides, in ulp of the exact value; infinite for NaN. */
static double ulp_error(measurement *m, double result, mpfr_t exact, double slack) {
  if (isnan(result)) return INFINITY;
  if (mpfr_zero_p(exact)) return result == 0.0 ? 0.0 : INFINITY;
  mpfr_exp_t exponent = mpfr_get_exp(exact);
  if (exponent > 1024) return isinf(result) ? 0.0 : INFINITY;
  if (exponent < -1021) exponent = -1021;
  mpfr_sub_d(m->difference, exact, result, MPFR_RNDN);
  mpfr_abs(m->difference, m->difference, MPFR_RNDN);
  mpfr_sub_d(m->difference, m->difference, slack, MPFR_RNDN);
  mpfr_mul_2si(m->difference, m->difference, 53 - exponent, MPFR_RNDN);
  return mpfr_get_d(m->difference, MPFR_RNDN);
}

static void measure_at(measurement *m, double x, double second) {
  const double argument[2] = {x, second};
  double result[MOST_OUTPUTS];
  m->family->compute(argument, result);
  m->family->exact(argument, m->exact);
  m->points++;
  for (int i = 0; i < m->family->outputs; i++) {
    double slack = 0.0;
    if (m->family->slack) slack = m->family->slack(x, i, mpfr_get_d(m->exact[i], MPFR_RNDN));
    double error = ulp_error(m, result[i], m->exact[i], slack);
    if (error <= m->worst[i]) continue;
    m->worst[i] = error;
    m->worst_at[i][0] = x;
    m->worst_at[i][1] = second;
  }
}

static void begin(measurement *m, const family *f) {
  *m = (measurement){.family = f};
  for (int i = 0; i < MOST_OUTPUTS; i++) mpfr_init2(m->exact[i], PRECISION);
  mpfr_init2(m->difference, PRECISION);
}

static void end(measurement *m) {
  for (int i = 0; i < m->family->outputs; i++) {
    print_message("  %-16s worst %.4f ulp at %a %a, %ld points\n", m->family->name[i], m->worst[i], m->worst_at[i][0],
                  m->worst_at[i][1], m->points);
  }
  for (int i = 0; i < m->family->outputs; i++) assert_true(m->worst[i] <= 1.0);
  for (int i = 0; i < MOST_OUTPUTS; i++) mpfr_clear(m->exact[i]);
  mpfr_clear(m->difference);
  mpfr_free_cache();
}

static uint64_t random_bits(void) { /* splitmix64, the same sequence in every run */
  static uint64_t state = 1;
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
static double random_unit(void) {
  return (double)(random_bits() >> 11) * 0x1p-53;
}
static double random_between(double low, double high) {
  return low + (high - low) * random_unit();
}
static double random_magnitude(int low, int high) { /* in [2^low, 2^high), every binade alike */
  int exponent = low + (int)(random_bits() % (uint64_t)(high - low));
  return ldexp(1.0 + random_unit(), exponent);
}

static void measure_evenly(measurement *m, double low, double high, int count) {
  for (int i = 0; i < count; i++) measure_at(m, low + (high - low) * ((i + random_unit()) / count), 0.0);
}
static void measure_magnitudes(measurement *m, int low, int high, int count, double sign) {
  for (int i = 0; i < count; i++) measure_at(m, sign * random_magnitude(low, high), 0.0);
}
static void measure_around(measurement *m, double x, int steps) {
  double below = x, above = x;
  measure_at(m, x, 0.0);
  for (int i = 0; i < steps; i++) {
    below = nextafter(below, -INFINITY);
    above = nextafter(above, INFINITY);
    measure_at(m, below, 0.0);
    measure_at(m, above, 0.0);
  }
}

/* --- reciprocal square root --- */

static void compute_rsqrt(const double x[2], double result[]) {
  result[0] = real_rsqrt(x[0]);
}
static void exact_rsqrt(const double x[2], mpfr_t result[]) {
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_rec_sqrt(result[0], result[0], MPFR_RNDN);
}
static void test_rsqrt(void **state) {
  (void)state;
  const family f = {1, {"rsqrt"}, compute_rsqrt, exact_rsqrt, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, 1.0, 4.0, 500000);
  measure_evenly(&m, 1.0, 1.001, 100000); /* where y y may be of another binade than the result */
  measure_magnitudes(&m, -1022, 1022, 200000, 1.0);
  for (int e = -1021; e < 1022; e++) measure_around(&m, ldexp(1.0, e), 4);
  end(&m);
  assert_true(isnan(real_rsqrt(NAN)));
  assert_false(isfinite(real_rsqrt(INFINITY)));
  assert_false(isfinite(real_rsqrt(0.0)));
}

/* --- sine and cosine --- */

static void compute_sincos(const double x[2], double result[]) {
  real_sincos(x[0], &result[0], &result[1]);
}
static void exact_sincos(const double x[2], mpfr_t result[]) {
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_sin_cos(result[0], result[1], result[0], MPFR_RNDN);
}
static void test_sincos(void **state) {
  (void)state;
  const family f = {2, {"sin", "cos"}, compute_sincos, exact_sincos, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, -0.7854, 0.7854, 150000);
  measure_evenly(&m, 0.7, 0.7854, 50000);
  measure_evenly(&m, -20.0, 20.0, 50000);
  measure_evenly(&m, -0x1p20, 0x1p20, 50000);
  measure_magnitudes(&m, -1074, 30, 20000, -1.0);
  for (int i = 0; i < 3000; i++) {
    double n = floor(i < 1000 ? i : random_between(1000.0, 0x1p29));
    measure_around(&m, half_pi * n, 1);
    measure_around(&m, half_pi * (n + 0.5), 1);
  }
  end(&m);
  double sine, cosine;
  real_sincos(-0.0, &sine, &cosine);
  assert_true(sine == 0.0 && signbit(sine) && cosine == 1.0);
  for (int e = -1074; e < -26; e++) { /* x - x^3/6 rounds to x */
    real_sincos(ldexp(1.0, e), &sine, &cosine);
    assert_true(sine == ldexp(1.0, e) && cosine == 1.0);
  }
  const double refused[] = {NAN, INFINITY, -INFINITY, 0x1.0000000000001p30, 1e300};
  for (int i = 0; i < 5; i++) {
    real_sincos(refused[i], &sine, &cosine);
    assert_true(isnan(sine) && isnan(cosine));
  }
}

/* --- the rotation series --- */

static void compute_rotation(const double x[2], double result[]) {
  rotation_series r = real_rotation_series(x[0]);
  result[0] = r.sinc;
  result[1] = r.cosc;
  result[2] = r.sinc3;
  result[3] = r.cosine;
}

/* The sum of (-s)^k / (2 k + first)!, for s <= 1. */
static void exact_series(mpfr_t sum, double s, unsigned first) {
  static mpfr_t term;
  static int ready = 0;
  if (!ready) mpfr_init2(term, PRECISION);
  ready = 1;
  mpfr_set_ui(term, 1, MPFR_RNDN);
  for (unsigned n = 2; n <= first; n++) mpfr_div_ui(term, term, n, MPFR_RNDN);
  mpfr_set(sum, term, MPFR_RNDN);
  for (unsigned n = first; n < 30 && !mpfr_zero_p(term); n += 2) {
    mpfr_mul_d(term, term, -s, MPFR_RNDN);
    mpfr_div_ui(term, term, (n + 1) * (n + 2), MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
}
static void exact_rotation_near(const double x[2], mpfr_t result[]) {
  exact_series(result[0], x[0], 1);
  exact_series(result[1], x[0], 2);
  exact_series(result[2], x[0], 3);
  exact_series(result[3], x[0], 0);
}
static void exact_rotation_far(const double x[2], mpfr_t result[]) {
  mpfr_ptr sinc = result[0], cosc = result[1], sinc3 = result[2], cosine = result[3];
  mpfr_set_d(cosc, x[0], MPFR_RNDN);
  mpfr_sqrt(cosc, cosc, MPFR_RNDN); /* the angle */
  mpfr_sin_cos(sinc, cosine, cosc, MPFR_RNDN);
  mpfr_sub(sinc3, cosc, sinc, MPFR_RNDN);
  mpfr_div(sinc3, sinc3, cosc, MPFR_RNDN);
  mpfr_div_d(sinc3, sinc3, x[0], MPFR_RNDN);
  mpfr_div(sinc, sinc, cosc, MPFR_RNDN);
  mpfr_ui_sub(cosc, 1, cosine, MPFR_RNDN);
  mpfr_div_d(cosc, cosc, x[0], MPFR_RNDN);
}

/* What an angle wrong by 2^-104 of itself makes of sinc, cosc and cosine: it shows next to their zeros only. */
static double slack_rotation_far(double s, int output, double exact) {
  const double slack[4] = {0x1p-104, 0x1p-104 * sqrt(2.0 * fabs(exact)), 0.0, 0x1p-104 * sqrt(s)};
  return slack[output];
}

static void test_rotation_near(void **state) {
  (void)state;
  const family f = {4, {"sinc", "cosc", "sinc3", "cosine"}, compute_rotation, exact_rotation_near, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, 0.0, 1.0, 200000);
  measure_evenly(&m, 0.95, 1.0, 20000);
  measure_magnitudes(&m, -1074, 0, 20000, 1.0);
  measure_at(&m, 1.0, 0.0);
  end(&m);
  rotation_series r = real_rotation_series(0.0);
  assert_true(r.sinc == 1.0 && r.cosc == 0.5 && r.sinc3 == 1.0 / 6.0 && r.cosine == 1.0);
}
static void test_rotation_far(void **state) {
  (void)state;
  const family f = {4,
                    {"sinc, far", "cosc, far", "sinc3, far", "cosine, far"},
                    compute_rotation,
                    exact_rotation_far,
                    slack_rotation_far};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, nextafter(1.0, 2.0), 6.25, 100000);
  measure_evenly(&m, 6.25, 1000.0, 50000);
  measure_magnitudes(&m, 0, 60, 50000, 1.0);
  for (int i = 1; i < 6000; i++) { /* the zeros of sine and cosine */
    double t = half_pi * floor(i < 3000 ? i : random_between(1000.0, i < 4500 ? 0x1p19 : 0x1p29));
    measure_around(&m, t * t, 1);
  }
  end(&m);
  rotation_series r = real_rotation_series(NAN);
  assert_true(isnan(r.sinc) && isnan(r.cosc) && isnan(r.sinc3) && isnan(r.cosine));
  r = real_rotation_series(INFINITY);
  assert_true(isnan(r.sinc) && isnan(r.cosc) && isnan(r.sinc3) && isnan(r.cosine));
}

/* --- exponential and logarithm --- */

static void compute_exp(const double x[2], double result[]) {
  result[0] = real_exp(x[0]);
}
static void exact_exp(const double x[2], mpfr_t result[]) {
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_exp(result[0], result[0], MPFR_RNDN);
}
static void test_exp(void **state) {
  (void)state;
  const family f = {1, {"exp"}, compute_exp, exact_exp, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, -1.0, 1.0, 150000);
  measure_evenly(&m, -745.2, 709.79, 150000);
  measure_evenly(&m, -745.2, -708.0, 20000);
  measure_magnitudes(&m, -1074, 0, 10000, -1.0);
  for (int n = -2150; n < 2048; n++) measure_around(&m, 0.5 * n * ln_2, 2); /* where the reduction changes */
  end(&m);
  assert_true(real_exp(0.0) == 1.0 && real_exp(-0.0) == 1.0);
  assert_true(real_exp(INFINITY) == INFINITY && real_exp(-INFINITY) == 0.0);
  assert_true(real_exp(0x1.62e42fefa39efp9) < INFINITY && real_exp(0x1.62e42fefa39f0p9) == INFINITY);
  assert_true(real_exp(-745.13) == 0x1p-1074 && real_exp(-745.14) == 0.0 && real_exp(-1e300) == 0.0);
  assert_true(isnan(real_exp(NAN)));
}

static void compute_log(const double x[2], double result[]) {
  result[0] = real_log(x[0]);
}
static void exact_log(const double x[2], mpfr_t result[]) {
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_log(result[0], result[0], MPFR_RNDN);
}
static void test_log(void **state) {
  (void)state;
  const family f = {1, {"log"}, compute_log, exact_log, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, 0.5, 2.0, 200000);
  measure_magnitudes(&m, -1074, 1024, 100000, 1.0);
  measure_around(&m, 1.0, 2000);
  measure_around(&m, 0.5 * sqrt_2, 200);
  measure_around(&m, sqrt_2, 200);
  end(&m);
  assert_true(real_log(1.0) == 0.0 && real_log(0.0) == -INFINITY && real_log(-0.0) == -INFINITY);
  assert_true(real_log(INFINITY) == INFINITY);
  assert_true(isnan(real_log(-1.0)) && isnan(real_log(-INFINITY)) && isnan(real_log(NAN)));
}

/* --- arc tangents --- */

static void compute_atan(const double x[2], double result[]) {
  result[0] = real_atan(x[0]);
}
static void exact_atan(const double x[2], mpfr_t result[]) {
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_atan(result[0], result[0], MPFR_RNDN);
}
static void test_atan(void **state) {
  (void)state;
  const family f = {1, {"atan"}, compute_atan, exact_atan, NULL};
  measurement m;
  begin(&m, &f);
  measure_evenly(&m, -1.0, 1.0, 100000);
  measure_evenly(&m, 1.0, 5.0, 50000);
  measure_magnitudes(&m, -1074, 1024, 20000, -1.0);
  measure_magnitudes(&m, -6, 8, 20000, 1.0);
  const double joint[] = {0.41421356237309503, 1.0, 2.414213562373095};
  for (int i = 0; i < 3; i++) measure_around(&m, joint[i], 500);
  end(&m);
  assert_true(real_atan(0.0) == 0.0 && signbit(real_atan(-0.0)));
  assert_true(real_atan(INFINITY) == half_pi && real_atan(-INFINITY) == -half_pi && isnan(real_atan(NAN)));
}

static void compute_atan2(const double x[2], double result[]) {
  result[0] = real_atan2(x[0], x[1]);
}
static void exact_atan2(const double x[2], mpfr_t result[]) {
  static mpfr_t along;
  static int ready = 0;
  if (!ready) mpfr_init2(along, PRECISION);
  ready = 1;
  mpfr_set_d(along, x[1], MPFR_RNDN);
  mpfr_set_d(result[0], x[0], MPFR_RNDN);
  mpfr_atan2(result[0], result[0], along, MPFR_RNDN);
}
static void measure_direction(measurement *m, int low_y, int high_y, int low_x, int high_x) {
  double y = random_magnitude(low_y, high_y), x = random_magnitude(low_x, high_x);
  uint64_t signs = random_bits();
  measure_at(m, signs & 1 ? -y : y, signs & 2 ? -x : x);
}
static void test_atan2(void **state) {
  (void)state;
  const family f = {1, {"atan2"}, compute_atan2, exact_atan2, NULL};
  measurement m;
  begin(&m, &f);
  for (int i = 0; i < 120000; i++) measure_direction(&m, -12, 12, -12, 12);
  for (int i = 0; i < 30000; i++) measure_direction(&m, -1074, 1024, -1074, 1024);
  for (int i = 0; i < 20000; i++) measure_direction(&m, -1074, -960, -1074, -960);
  for (int i = 0; i < 20000; i++) measure_direction(&m, 960, 1024, 940, 1024);
  const double edge[] = {0.0, 0x1p-1074, 1.0, 3.0, 0x1.fffffffffffffp1023, INFINITY};
  for (int i = 0; i < 6 * 6 * 4; i++) {
    double y = edge[i % 6], x = edge[i / 6 % 6];
    if (i / 36 & 1) y = -y;
    if (i / 72) x = -x;
    measure_at(&m, y, x);
    assert_true(signbit(real_atan2(y, x)) == signbit(y));
  }
  end(&m);
  assert_true(isnan(real_atan2(NAN, 1.0)) && isnan(real_atan2(1.0, NAN)) && isnan(real_atan2(INFINITY, NAN)));
}

/* --- the same bits from every variant: tests/elementary_lanes.c, those that were linked and can run here --- */

#define VARIANT(name) uint64_t elementary_digest_##name(void) __attribute__((weak))
VARIANT(portable);    /* 1 lane, no fma instruction */
VARIANT(scalar);      /* 1 lane */
VARIANT(avx2);        /* 4 lanes */
VARIANT(avx2_wide);   /* 8 lanes */
VARIANT(avx512);      /* 8 lanes */
VARIANT(avx512_wide); /* 16 lanes */

static void test_variants_agree(void **state) {
  (void)state;
  int fma = 0, avx2 = 0, avx512 = 0;
#if defined(__x86_64__)
  fma = __builtin_cpu_supports("fma");
  avx2 = fma && __builtin_cpu_supports("avx2");
  avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  const struct {
    const char *name;
    uint64_t (*digest)(void);
    int supported;
  } variant[] = {{"portable", elementary_digest_portable, 1},  {"scalar", elementary_digest_scalar, fma},
                 {"avx2", elementary_digest_avx2, avx2},       {"avx2_wide", elementary_digest_avx2_wide, avx2},
                 {"avx512", elementary_digest_avx512, avx512}, {"avx512_wide", elementary_digest_avx512_wide, avx512}};
  uint64_t first = 0;
  int compared = 0;
  for (size_t i = 0; i < sizeof variant / sizeof *variant; i++) {
    if (!variant[i].digest || !variant[i].supported) {
      print_message("  %-12s not run: %s\n", variant[i].name, variant[i].digest ? "no such CPU" : "not linked");
      continue;
    }
    uint64_t digest = variant[i].digest();
    print_message("  %-12s %016llx\n", variant[i].name, (unsigned long long)digest);
    if (compared++ == 0) first = digest;
    assert_true(digest == first);
  }
  assert_true(compared > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rsqrt),        cmocka_unit_test(test_sincos), cmocka_unit_test(test_rotation_near),
      cmocka_unit_test(test_rotation_far), cmocka_unit_test(test_exp),    cmocka_unit_test(test_log),
      cmocka_unit_test(test_atan),         cmocka_unit_test(test_atan2),  cmocka_unit_test(test_variants_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
