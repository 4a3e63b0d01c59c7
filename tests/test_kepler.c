/* test_kepler.c - the exact two-body solution on orbits of every kind, slow and fast, short and long, against universal
 * variables solved by bisection in so many bits that nothing cancels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define SD_LANES 1
#include "../kernels/orbit/kepler.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>

enum {
  BITS = 800,
  SHIFT = 260,
  INPUTS = 8,
  WORK = 6
}; /* a derivative is a difference over 2^-SHIFT of the input's size */

/* q, v, mu, t */
typedef struct {
  mpfr_t in[INPUTS];
} orbit;
/* The conic of an orbit; a time less whole periods times sqrt(mu); the anomaly; U_k of it; q and v then. */
typedef struct {
  mpfr_t axis, root_axis, root_mu, reach, inflow, time, goal, x, U[4], side, slope, q[3], v[3], work[WORK];
} solution;

static void orbit_init(orbit *o) {
  for (int i = 0; i < INPUTS; i++) mpfr_init2(o->in[i], BITS);
}
static void orbit_clear(orbit *o) {
  for (int i = 0; i < INPUTS; i++) mpfr_clear(o->in[i]);
}
static void each_number(solution *s, int clear) {
  mpfr_t *all = &s->axis;
  for (size_t i = 0; i < sizeof *s / sizeof *all; i++)
    if (clear) mpfr_clear(all[i]);
    else mpfr_init2(all[i], BITS);
}

static void dot(mpfr_t to, mpfr_t a[3], mpfr_t b[3], mpfr_t work) {
  mpfr_set_zero(to, 1);
  for (int i = 0; i < 3; i++) {
    mpfr_mul(work, a[i], b[i], MPFR_RNDN);
    mpfr_add(to, to, work, MPFR_RNDN);
  }
}

static void set_conic(solution *s, orbit *o) {
  mpfr_t *q = o->in, *v = o->in + 3, *mu = &o->in[6], *w = s->work;
  dot(w[0], q, q, w[3]);
  dot(w[1], v, v, w[3]);
  dot(w[2], q, v, w[3]);
  mpfr_sqrt(s->root_mu, *mu, MPFR_RNDN);
  mpfr_sqrt(s->reach, w[0], MPFR_RNDN);
  mpfr_div(s->inflow, w[2], s->root_mu, MPFR_RNDN);
  mpfr_ui_div(w[0], 2, s->reach, MPFR_RNDN);
  mpfr_div(w[1], w[1], *mu, MPFR_RNDN);
  mpfr_sub(s->axis, w[0], w[1], MPFR_RNDN);
  mpfr_abs(s->root_axis, s->axis, MPFR_RNDN);
  mpfr_sqrt(s->root_axis, s->root_axis, MPFR_RNDN);
  mpfr_set(s->time, o->in[7], MPFR_RNDN);
  if (mpfr_sgn(s->axis) > 0) { /* the period is 2 pi/(a sqrt(a mu)) */
    mpfr_const_pi(w[0], MPFR_RNDN);
    mpfr_mul_ui(w[0], w[0], 2, MPFR_RNDN);
    mpfr_div(w[0], w[0], s->axis, MPFR_RNDN);
    mpfr_div(w[0], w[0], s->root_axis, MPFR_RNDN);
    mpfr_div(w[0], w[0], s->root_mu, MPFR_RNDN);
    mpfr_remainder(s->time, s->time, w[0], MPFR_RNDN);
  }
  mpfr_mul(s->goal, s->root_mu, s->time, MPFR_RNDN);
}

/* U0 = cos(sqrt(a) x), U1 = sin(sqrt(a) x)/sqrt(a), U2 = (1 - U0)/a, U3 = (x - U1)/a; then the two sides' difference
 * of Kepler's equation and its slope, which is the distance. */
static void evaluate(solution *s) {
  mpfr_mul(s->work[0], s->root_axis, s->x, MPFR_RNDN);
  if (mpfr_zero_p(s->axis)) {
    mpfr_set_ui(s->U[0], 1, MPFR_RNDN);
    mpfr_set(s->U[1], s->x, MPFR_RNDN);
    mpfr_sqr(s->U[2], s->x, MPFR_RNDN);
    mpfr_mul(s->U[3], s->U[2], s->x, MPFR_RNDN);
    mpfr_div_ui(s->U[2], s->U[2], 2, MPFR_RNDN);
    mpfr_div_ui(s->U[3], s->U[3], 6, MPFR_RNDN);
  } else {
    if (mpfr_sgn(s->axis) > 0) mpfr_sin_cos(s->U[1], s->U[0], s->work[0], MPFR_RNDN);
    else mpfr_sinh_cosh(s->U[1], s->U[0], s->work[0], MPFR_RNDN);
    mpfr_div(s->U[1], s->U[1], s->root_axis, MPFR_RNDN);
    mpfr_ui_sub(s->U[2], 1, s->U[0], MPFR_RNDN);
    mpfr_div(s->U[2], s->U[2], s->axis, MPFR_RNDN);
    mpfr_sub(s->U[3], s->x, s->U[1], MPFR_RNDN);
    mpfr_div(s->U[3], s->U[3], s->axis, MPFR_RNDN);
  }
  mpfr_sub(s->side, s->U[3], s->goal, MPFR_RNDN);
  mpfr_fma(s->side, s->reach, s->U[1], s->side, MPFR_RNDN);
  mpfr_fma(s->side, s->inflow, s->U[2], s->side, MPFR_RNDN);
  mpfr_fma(s->slope, s->inflow, s->U[1], s->U[2], MPFR_RNDN);
  mpfr_fma(s->slope, s->reach, s->U[0], s->slope, MPFR_RNDN);
}

/* By bisection of an interval that doubling found. */
static void bisect(solution *s) {
  mpfr_t *low = &s->work[1], *high = &s->work[2];
  int backward = mpfr_sgn(s->goal) < 0;
  mpfr_set_d(*low, 0, MPFR_RNDN);
  mpfr_set_d(s->x, backward ? -0x1p-60 : 0x1p-60, MPFR_RNDN);
  for (evaluate(s); (mpfr_sgn(s->side) < 0) != backward; evaluate(s)) {
    mpfr_set(*low, s->x, MPFR_RNDN);
    mpfr_mul_ui(s->x, s->x, 2, MPFR_RNDN);
  }
  mpfr_set(*high, s->x, MPFR_RNDN);
  for (int i = 0; i < 60; i++) {
    mpfr_add(s->x, *low, *high, MPFR_RNDN);
    mpfr_div_ui(s->x, s->x, 2, MPFR_RNDN);
    evaluate(s);
    mpfr_set((mpfr_sgn(s->side) < 0) != backward ? *low : *high, s->x, MPFR_RNDN);
  }
}
/* From there on, or from the solution of an orbit next to it, by Newton's method, to nearly all the bits. */
static void polish(solution *s) {
  for (int i = 0; i < 2000; i++) {
    evaluate(s);
    if (mpfr_zero_p(s->side)) return;
    mpfr_div(s->work[1], s->side, s->slope, MPFR_RNDN);
    mpfr_sub(s->x, s->x, s->work[1], MPFR_RNDN);
    if (mpfr_get_exp(s->work[1]) < mpfr_get_exp(s->x) - (SHIFT + 160)) return;
  }
  fail_msg("the reference does not converge");
}

static void set_point(solution *s, orbit *o) {
  mpfr_t *f = &s->work[1], *g = &s->work[2], *df = &s->work[3], *dg = &s->work[4];
  evaluate(s);
  mpfr_div(*f, s->U[2], s->reach, MPFR_RNDN);
  mpfr_ui_sub(*f, 1, *f, MPFR_RNDN);
  mpfr_div(*g, s->U[3], s->root_mu, MPFR_RNDN);
  mpfr_sub(*g, s->time, *g, MPFR_RNDN);
  mpfr_mul(*df, s->root_mu, s->U[1], MPFR_RNDN);
  mpfr_div(*df, *df, s->slope, MPFR_RNDN);
  mpfr_div(*df, *df, s->reach, MPFR_RNDN);
  mpfr_neg(*df, *df, MPFR_RNDN);
  mpfr_div(*dg, s->U[2], s->slope, MPFR_RNDN);
  mpfr_ui_sub(*dg, 1, *dg, MPFR_RNDN);
  for (int i = 0; i < 3; i++) {
    mpfr_fmma(s->q[i], *f, o->in[i], *g, o->in[3 + i], MPFR_RNDN);
    mpfr_fmma(s->v[i], *df, o->in[i], *dg, o->in[3 + i], MPFR_RNDN);
  }
}

/* |a - b|, or |a| */
static double distance_of_vectors(mpfr_t a[3], mpfr_t *b, solution *s) {
  mpfr_set_zero(s->work[0], 1);
  for (int i = 0; i < 3; i++) {
    if (b) mpfr_sub(s->work[1], a[i], b[i], MPFR_RNDN);
    else mpfr_set(s->work[1], a[i], MPFR_RNDN);
    mpfr_fma(s->work[0], s->work[1], s->work[1], s->work[0], MPFR_RNDN);
  }
  mpfr_sqrt(s->work[0], s->work[0], MPFR_RNDN);
  return mpfr_get_d(s->work[0], MPFR_RNDN);
}

typedef struct {
  double q, v; /* how many times larger than one of the inputs a relative error of the result may be, at least 1 */
} condition;

static condition condition_of(orbit *o, solution *s, solution *near) {
  double sizes[4] = {distance_of_vectors(o->in, NULL, s), distance_of_vectors(o->in + 3, NULL, s),
                     mpfr_get_d(o->in[6], MPFR_RNDN), fabs(mpfr_get_d(o->in[7], MPFR_RNDN))};
  condition c = {1, 1};
  double q = distance_of_vectors(s->q, NULL, near), v = distance_of_vectors(s->v, NULL, near);
  mpfr_t kept;
  mpfr_init2(kept, BITS);
  for (int i = 0; i < INPUTS; i++) {
    mpfr_set(kept, o->in[i], MPFR_RNDN);
    mpfr_set_d(near->work[0], sizes[i < 6 ? i / 3 : i - 4], MPFR_RNDN);
    mpfr_div_2ui(near->work[0], near->work[0], SHIFT, MPFR_RNDN);
    mpfr_add(o->in[i], kept, near->work[0], MPFR_RNDN);
    set_conic(near, o);
    mpfr_set(near->x, s->x, MPFR_RNDN);
    polish(near);
    set_point(near, o);
    c.q += ldexp(distance_of_vectors(near->q, s->q, near), SHIFT) / q;
    c.v += ldexp(distance_of_vectors(near->v, s->v, near), SHIFT) / v;
    mpfr_set(o->in[i], kept, MPFR_RNDN);
  }
  mpfr_clear(kept);
  return c;
}

static double error_of(vec3 found, mpfr_t exact[3], solution *s) {
  mpfr_t *mine = s->work + 3;
  mpfr_set_d(mine[0], found.x, MPFR_RNDN);
  mpfr_set_d(mine[1], found.y, MPFR_RNDN);
  mpfr_set_d(mine[2], found.z, MPFR_RNDN);
  return distance_of_vectors(mine, exact, s) / distance_of_vectors(exact, NULL, s);
}

/* ---- the orbits ---- */

static const double speeds[] = {1e-12,    7e-7,     1e-3,     0.1,       0.5, 0.70710678118654752,
                                0.9,      1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1,   1 + 1e-12,
                                1 + 1e-9, 1 + 1e-6, 1.1,      2,         10,  1e3,
                                1e6}; /* of escape */
static const double times[] = {1e-6, 1e-3, 0.1, 1,   30,
                               1e3,  1e6,  1e9, 1e12}; /* of the distance over the escape velocity */
/* Angle between q and v over pi: 0 moves away, 1 falls in. */
static const double angles[] = {0, 1e-9, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1 - 1e-6, 1 - 1e-9, 1};
enum {
  SPEEDS = sizeof speeds / sizeof *speeds,
  TIMES = sizeof times / sizeof *times,
  ANGLES = sizeof angles / sizeof *angles
};

typedef struct {
  double q[3], v[3], mu, time;
} start;

/* Exactly 0 or 1 where they are: what falls, falls straight. */
static double sine_of(double part) {
  return part == 1 ? 0 : sin(3.141592653589793 * fmin(part, 1 - part));
}
static double cosine_of(double part) {
  return part == 0.5 ? 0 : part > 0.5 ? -cosine_of(1 - part) : cos(3.141592653589793 * part);
}
static start make_start(int speed, int angle, int time, int turn) {
  /* Two directions across one another, along the axes or not. */
  static const double along[2][3] = {{1, 0, 0}, {2.0 / 7, 3.0 / 7, -6.0 / 7}};
  static const double across[2][3] = {{0, 1, 0}, {6.0 / 7, 2.0 / 7, 3.0 / 7}};
  double reach = turn ? 1664.25 : 1, mu = turn ? 0.00148 : 1, escape = sqrt(2 * mu / reach);
  double up = cosine_of(angles[angle]), side = sine_of(angles[angle]);
  start s = {.mu = mu, .time = times[time] * reach / escape * (turn ? -1 : 1)};
  for (int i = 0; i < 3; i++) {
    s.q[i] = reach * along[turn][i];
    s.v[i] = speeds[speed] * escape * ((turn ? -up : up) * along[turn][i] + side * across[turn][i]);
  }
  return s;
}

/* A relative error of the result up to this many times its condition. */
static const double BOUND = 1e-14;

typedef struct {
  int judged, unknown, failures;
  double worst_q, worst_v; /* in parts of the condition */
} tally;

static void judge(const start *from, orbit *o, solution *s, solution *near, tally *n) {
  for (int i = 0; i < 3; i++)
    mpfr_set_d(o->in[i], from->q[i], MPFR_RNDN), mpfr_set_d(o->in[3 + i], from->v[i], MPFR_RNDN);
  mpfr_set_d(o->in[6], from->mu, MPFR_RNDN);
  mpfr_set_d(o->in[7], from->time, MPFR_RNDN);
  kepler_point at = kepler_after(vec3_splat(from->q), vec3_splat(from->v), from->mu, from->time);
  set_conic(s, o);
  bisect(s);
  polish(s);
  set_point(s, o);
  condition c = condition_of(o, s, near);
  double q = error_of(at.q, s->q, s), v = error_of(at.v, s->v, s);
  double of_q = q / c.q, of_v = v / c.v;
  int finite = isfinite(q) && isfinite(v), known = c.q < 1e13 && c.v < 1e13;
  n->judged += known;
  n->unknown += !known;
  if (!finite || (known && (of_q > BOUND || of_v > BOUND))) {
    vec3 at_start = vec3_splat(from->q), velocity = vec3_splat(from->v);
    double reach = sqrt(vec3_norm2(at_start)), part = sqrt(vec3_norm2(velocity) * reach / (2 * from->mu));
    if (n->failures++ < 10)
      print_error("|q| %g, v %.13g of escape, q.v %g, time %g: off by %.1e and %.1e, conditions %.1e and %.1e\n", reach,
                  part, vec3_dot(at_start, velocity), from->time, q, v, c.q, c.v);
    return;
  }
  if (!known) return;
  n->worst_q = fmax(n->worst_q, of_q);
  n->worst_v = fmax(n->worst_v, of_v);
}

static void test_every_orbit(void **state) {
  (void)state;
  orbit o;
  solution s, near;
  tally n = {0};
  orbit_init(&o);
  each_number(&s, 0);
  each_number(&near, 0);
  for (int speed = 0; speed < SPEEDS; speed++)
    for (int angle = 0; angle < ANGLES; angle++)
      for (int time = 0; time < TIMES; time++)
        for (int turn = 0; turn < 2; turn++) {
          start from = make_start(speed, angle, time, turn);
          judge(&from, &o, &s, &near, &n);
        }
  each_number(&near, 1);
  each_number(&s, 1);
  orbit_clear(&o);
  mpfr_free_cache();
  print_message("%d orbits judged, errors up to %.1e and %.1e times the condition; %d of which nothing can be known; "
                "%d failures\n",
                n.judged, n.worst_q, n.worst_v, n.unknown, n.failures);
  assert_int_equal(n.failures, 0);
  assert_true(n.judged > 3000);
}

/* ---- no orbit without a solution ---- */

static double uniform(double from, double to) {
  static uint64_t bits = 11;
  bits = bits * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * ((double)(bits >> 11) * 0x1p-53);
}
static start draw_start(int n) {
  double reach = pow(10, uniform(-6, 6)), mu = pow(10, uniform(-6, 6)), escape = sqrt(2 * mu / reach);
  double small = pow(10, uniform(-16, -1));
  double speed[3] = {pow(10, uniform(-8, 7)), n % 2 ? 1 + small : 1 - small, pow(10, uniform(0, 6))}; /* of escape */
  double across[4] = {0, pow(10, uniform(-17, 0)), sin(uniform(0, 1.6)), 1};
  double side = across[n % 4], up = sqrt(1 - fmin(side * side, 1)) * (n % 16 < 12 ? -1 : 1);
  start s = {.q = {reach}, .v = {speed[n % 3] * escape * up, speed[n % 3] * escape * side}, .mu = mu};
  s.time = pow(10, uniform(-8, 13)) * reach / escape * (n % 5 < 4 ? 1 : -1);
  return s;
}
static void test_not_one_nan(void **state) {
  (void)state;
  int failures = 0;
  for (int n = 0; n < 400000; n++) {
    start s = draw_start(n);
    kepler_point at = kepler_after(vec3_splat(s.q), vec3_splat(s.v), s.mu, s.time);
    if (isfinite(at.q.x + at.q.y + at.v.x + at.v.y)) continue;
    if (failures++ < 10)
      print_error("mu %.17g, q %.17g, v %.17g %.17g, time %.17g: q %g %g, v %g %g\n", s.mu, s.q[0], s.v[0], s.v[1],
                  s.time, at.q.x, at.q.y, at.v.x, at.v.y);
  }
  assert_int_equal(failures, 0);
}

/* But nothing is made up: after 2^51 turns the period's last bit is a turn; what is not a number stays none. */
static void test_unknown(void **state) {
  (void)state;
  const double q[3] = {1, 0, 0}, v[3] = {0, 1, 0}, turn = 6.283185307179586;
  assert_true(isfinite(kepler_after(vec3_splat(q), vec3_splat(v), 1, 0x1p50 * turn).q.x));
  assert_true(isnan(kepler_after(vec3_splat(q), vec3_splat(v), 1, 0x1p52 * turn).q.x));
  assert_true(isnan(kepler_after(vec3_splat(q), vec3_splat(v), NAN, 1).q.x));
  assert_true(isnan(kepler_after(vec3_splat(q), vec3_splat(v), 1, INFINITY).q.x));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_orbit), cmocka_unit_test(test_not_one_nan),
                                     cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
