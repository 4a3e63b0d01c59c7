/* test_elliptic.c - kernels/elliptic.h against Landen's transformation, and the free body's exact flow of
 * kernels/so3/methods/free-exact.h against a Taylor series, both in 80-bit arithmetic.  Compiled scalar. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../kernels/so3/methods/free-exact.h"

typedef long double wide;

static const double unit_roundoff = 0x1p-53;

static uint64_t random_bits(void) { /* splitmix64, the same sequence in every run */
  static uint64_t state = 7;
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
static double random_between(double low, double high) {
  return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}
static double random_power(double low, double high) { /* of ten */
  return pow(10.0, random_between(low, high));
}
static int one_in(int n) {
  return random_bits() % (uint64_t)n == 0;
}

/* ---- Jacobi's functions ---- */

/* Descending Landen transformation by the arithmetic-geometric mean; m1 = 1 - m > 0. */
static void landen(wide u, wide m, wide m1, wide out[3]) {
  wide a[32] = {1}, c[32] = {sqrtl(m)}, b = sqrtl(m1);
  int n = 0;
  while (fabsl(c[n]) > 1e-20L * a[n] && n < 31) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrtl(a[n] * b);
    n++;
  }
  wide phase = ldexpl(a[n] * u, n), before = phase;
  for (; n > 0; n--) {
    before = phase;
    phase = (phase + asinl(c[n] * sinl(phase) / a[n])) / 2;
  }
  out[0] = sinl(phase);
  out[1] = cosl(phase);
  out[2] = m == 0                               ? 1
           : fabsl(cosl(before - phase)) > 0.1L ? cosl(phase) / cosl(before - phase)
                                                : sqrtl(m1 + m * out[1] * out[1]);
}
static void exact_jacobi(double u, double m, wide out[3]) {
  if (m < 1) {
    landen(u, m, 1 - (wide)m, out);
    return;
  }
  out[0] = tanhl(u);
  out[1] = out[2] = 1 / coshl(u);
}

/* The largest error of the three, in units of 2^-53 (2 + 12 |u|), which elliptic.h promises not to exceed. */
static double jacobi_error(double u, double m) {
  real f[3];
  wide exact[3];
  jacobi(u, m, &f[0], &f[1], &f[2]);
  exact_jacobi(u, m, exact);
  wide worst = 0;
  for (int i = 0; i < 3; i++) worst = fmaxl(worst, isnan(f[i]) ? INFINITY : fabsl(f[i] - exact[i]));
  return (double)(worst / (unit_roundoff * (2 + 12 * fabs(u))));
}

static void test_jacobi(void **state) {
  (void)state;
  static const double reach[] = {1e-6, 0.158, 0.5, 2, 20, 300, 4096};
  for (size_t k = 0; k < sizeof reach / sizeof *reach; k++) {
    double worst = 0, at_u = 0, at_m = 0;
    for (int i = 0; i < 20000; i++) {
      double u = random_between(-reach[k], reach[k]), m = random_between(0, 1);
      if (one_in(4)) m = one_in(2) ? random_power(-18, 0) : 1 - random_power(-16, 0);
      if (one_in(20)) m = one_in(2) ? 0 : 1;
      double error = jacobi_error(u, m);
      if (error > worst) worst = error, at_u = u, at_m = m;
    }
    print_message("  |u| <= %-6g worst %.3f of 2^-53 (2 + 12|u|), at %a %a\n", reach[k], worst, at_u, at_m);
    assert_true(worst <= 1);
  }
}

/* u, m, sn, cn, dn from mpmath, 30 digits of working precision. */
static void test_jacobi_table(void **state) {
  (void)state;
  static const double table[][5] = {
      {0.1, 0.3, 0.09978377310410912, 0.9950091449957169, 0.9985053628236217},
      {0.5, 0.5, 0.4707504736556573, 0.8822663948904403, 0.9429724257773857},
      {1.0, 0.0, 0.8414709848078965, 0.5403023058681398, 1.0},
      {1.0, 1.0, 0.7615941559557649, 0.6480542736638853, 0.6480542736638853},
      {1.5, 0.9, 0.9203727251698283, 0.39104225700487133, 0.48746552912705265},
      {2.0, 0.99, 0.9660546248497709, 0.25833788302602556, 0.2758098569455138},
      {3.0, 0.25, 0.3610799872648925, -0.9325348480334582, 0.9835676441908794},
      {3.7, 0.999999, 0.9987784887042058, 0.049411845763365166, 0.04942193905758975},
      {10.0, 0.7, 0.9780732803575124, 0.20826103392304324, 0.5747702678248819},
      {25.0, 0.5, 0.7812927808716215, -0.6241647142845296, 0.8335411179293702},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    real f[3];
    jacobi(table[i][0], table[i][1], &f[0], &f[1], &f[2]);
    for (int k = 0; k < 3; k++) assert_true(fabs(f[k] - table[i][2 + k]) <= unit_roundoff * (2 + 12 * table[i][0]));
  }
}

static void test_jacobi_special(void **state) {
  (void)state;
  for (double m = 0; m <= 1; m += 0.25) {
    real f[3], g[3];
    jacobi(0.0, m, &f[0], &f[1], &f[2]);
    assert_true(f[0] == 0 && f[1] == 1 && f[2] == 1);
    jacobi(0x1p-40, m, &f[0], &f[1], &f[2]);
    assert_true(f[0] == 0x1p-40 && f[1] == 1 && f[2] == 1);
    for (double u = 0.01; u < 50; u *= 1.7) {
      jacobi(u, m, &f[0], &f[1], &f[2]);
      jacobi(-u, m, &g[0], &g[1], &g[2]);
      assert_true(f[0] == -g[0] && f[1] == g[1] && f[2] == g[2]);
    }
    jacobi(4097.0, m, &f[0], &f[1], &f[2]);
    assert_true(isnan(f[0]) && isnan(f[1]) && isnan(f[2]));
    jacobi(NAN, m, &f[0], &f[1], &f[2]);
    assert_true(isnan(f[0]) && isnan(f[1]) && isnan(f[2]));
  }
}

/* ---- the flow of the free body ---- */

typedef struct {
  double J[3], Q[4], P[3], h;
} trial;

enum { TERMS = 28 };

/* Coefficient n of a component of the product of two power series. */
static wide convolved(const wide *a, const wide *b, int n) {
  wide sum = 0;
  for (int k = 0; k <= n; k++) sum += a[k] * b[n - k];
  return sum;
}
static wide at(const wide *c, wide t) {
  wide sum = 0;
  for (int k = TERMS; k >= 0; k--) sum = sum * t + c[k];
  return sum;
}
static void taylor_piece(const wide J[3], wide Q[4], wide P[3], wide t) {
  wide p[3][TERMS + 1], w[3][TERMS + 1], q[4][TERMS + 1];
  for (int k = 0; k < 3; k++) p[k][0] = P[k], w[k][0] = P[k] / J[k];
  for (int k = 0; k < 4; k++) q[k][0] = Q[k];
  for (int n = 0; n < TERMS; n++) {
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      p[k][n + 1] = (convolved(p[i], w[j], n) - convolved(p[j], w[i], n)) / (n + 1);
      q[k + 1][n + 1] =
          (convolved(q[0], w[k], n) + convolved(q[i + 1], w[j], n) - convolved(q[j + 1], w[i], n)) / (2 * (n + 1));
    }
    q[0][n + 1] = 0;
    for (int k = 0; k < 3; k++) q[0][n + 1] -= convolved(q[k + 1], w[k], n) / (2 * (n + 1));
    for (int k = 0; k < 3; k++) w[k][n + 1] = p[k][n + 1] / J[k];
  }
  for (int k = 0; k < 3; k++) P[k] = at(p[k], t);
  for (int k = 0; k < 4; k++) Q[k] = at(q[k], t);
}
/* On by the time t from (Q, P). */
static void exact_flow(const double inertia[3], wide t, wide Q[4], wide P[3]) {
  wide J[3] = {inertia[0], inertia[1], inertia[2]}, rate2 = 0; /* not below |W|^2 and lambda^2 */
  for (int k = 0; k < 3; k++) {
    wide first = J[k] / J[(k + 1) % 3] - 1, second = J[k] / J[(k + 2) % 3] - 1, W = P[k] / J[k];
    rate2 += W * W * (1 + fabsl(first * second));
  }
  int pieces = 1 + (int)(6 * fabsl(t) * sqrtl(rate2));
  for (int i = 0; i < pieces; i++) taylor_piece(J, Q, P, t / pieces);
  wide length = sqrtl(Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3]);
  for (int k = 0; k < 4; k++) Q[k] /= length;
}
static void start_of(const trial *f, wide Q[4], wide P[3]) {
  for (int k = 0; k < 4; k++) Q[k] = f->Q[k];
  for (int k = 0; k < 3; k++) P[k] = f->P[k];
}

static void computed_flow(const trial *f, double Q[4], double P[3], mask *outside) {
  constants c = {.J = vec3_splat(f->J)};
  c.J_inverse = vec3_make(1.0 / c.J.x, 1.0 / c.J.y, 1.0 / c.J.z);
  c.J_gap = vec3_make(c.J.y - c.J.z, c.J.z - c.J.x, c.J.x - c.J.y);
  quaternion q = {f->Q[0], vec3_splat(f->Q + 1)};
  vec3 p = vec3_splat(f->P);
  step_log log = {.alive = mask_all_set()};
  fly(f->h, &c, &q, &p, &log);
  memcpy(Q, (double[4]){q.w, q.v.x, q.v.y, q.v.z}, 4 * sizeof *Q);
  memcpy(P, (double[3]){p.x, p.y, p.z}, 3 * sizeof *P);
  *outside = log.outside;
}

static void matrix_of(const wide q[4], wide R[9]) {
  wide w = q[0], x = q[1], y = q[2], z = q[3];
  const wide entries[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (z * x + w * y),
                           2 * (x * y + w * z),     1 - 2 * (z * z + x * x), 2 * (y * z - w * x),
                           2 * (z * x - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, entries, sizeof entries);
}

/* The larger of the difference of an entry of Q and of P relative to |P|. */
static double distance(const wide Q[4], const wide P[3], const wide q[4], const wide p[3]) {
  wide R[9], S[9], worst = 0, size = 0;
  matrix_of(Q, R);
  matrix_of(q, S);
  for (int k = 0; k < 3; k++) size += P[k] * P[k];
  for (int k = 0; k < 9; k++) worst = isnan(S[k]) ? (wide)INFINITY : fmaxl(worst, fabsl(R[k] - S[k]));
  for (int k = 0; k < 3; k++)
    worst = isnan(p[k]) ? (wide)INFINITY : fmaxl(worst, fabsl(P[k] - p[k]) / (size > 0 ? sqrtl(size) : 1));
  return (double)worst;
}
static double flow_error(const trial *f) {
  wide Q[4], P[3], q[4], p[3];
  double computed_Q[4], computed_P[3];
  mask outside;
  start_of(f, Q, P);
  exact_flow(f->J, f->h, Q, P);
  computed_flow(f, computed_Q, computed_P, &outside);
  for (int k = 0; k < 4; k++) q[k] = computed_Q[k];
  for (int k = 0; k < 3; k++) p[k] = computed_P[k];
  return outside ? INFINITY : distance(Q, P, q, p);
}
/* What the last bit of |P| makes, at the start or on the way: near the separatrix the motion is unstable, and a flight
 * through states in doubles cannot do better. */
static double flow_sensitivity(const trial *f) {
  enum { PARTS = 6 };
  wide Q[4], P[3], q[4], p[3];
  double worst = 0, size = sqrt(f->P[0] * f->P[0] + f->P[1] * f->P[1] + f->P[2] * f->P[2]);
  start_of(f, Q, P);
  exact_flow(f->J, f->h, Q, P);
  for (int moved = 0; moved < 3 * PARTS; moved++) {
    wide before = (wide)f->h * (moved / 3) / PARTS;
    start_of(f, q, p);
    exact_flow(f->J, before, q, p);
    p[moved % 3] += 0x1p-52 * size;
    exact_flow(f->J, f->h - before, q, p);
    worst = fmax(worst, distance(Q, P, q, p));
  }
  return worst;
}

/* Bodies that exist: the largest moment at most the sum of the others.  In any order, often with equal moments. */
static void random_body(double J[3]) {
  double scale = random_power(-3, 3), big = random_between(1, 2), small = random_between(fmax(big - 1, 1e-3), 1);
  double moments[3] = {small, 1, big};
  if (one_in(4)) moments[one_in(2) ? 0 : 2] = 1;
  if (one_in(8)) moments[0] = moments[2] = 1;
  if (one_in(8)) moments[2] = 1 + random_power(-15, -2);
  if (one_in(8)) moments[0] = 1 - random_power(-15, -2);
  uint64_t shift = random_bits() % 3, mirrored = random_bits() % 2;
  for (uint64_t k = 0; k < 3; k++) J[(mirrored ? 2 - k : k + shift) % 3] = scale * moments[k];
}
/* Any direction; on and near an axis, and on and near the separatrix (1/Ja - 1/Jb) Pa^2 = (1/Jb - 1/Jc) Pc^2. */
static void random_momentum(const double J[3], double P[3]) {
  for (int k = 0; k < 3; k++) P[k] = random_between(-1, 1);
  int axis = (int)(random_bits() % 3);
  if (one_in(5))
    for (int k = 0; k < 3; k++) P[k] = k == axis ? 1 : one_in(2) ? 0 : random_power(-20, 0) * P[k];
  int b = 0;
  for (int k = 1; k < 3; k++)
    if ((J[k] - J[(k + 1) % 3]) * (J[k] - J[(k + 2) % 3]) < 0) b = k;
  int a = (b + 2) % 3, c = (b + 1) % 3;
  double ratio = (1 / J[a] - 1 / J[b]) / (1 / J[b] - 1 / J[c]);
  double off = one_in(3) ? 0 : random_power(-17, -1);
  if (one_in(4) && ratio > 0 && isfinite(ratio)) P[c] = P[a] * sqrt(ratio) * (1 + off);
  if (P[0] == 0 && P[1] == 0 && P[2] == 0) P[b] = 1;
  double size = random_power(-3, 3) / sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]);
  for (int k = 0; k < 3; k++) P[k] *= size;
}
/* A flight in which the body turns by about the angle. */
static trial random_trial(double angle) {
  trial f;
  random_body(f.J);
  random_momentum(f.J, f.P);
  double W2 = 0, Q2 = 0;
  for (int k = 0; k < 3; k++) W2 += f.P[k] / f.J[k] * (f.P[k] / f.J[k]);
  f.h = (one_in(3) ? -angle : angle) / sqrt(W2);
  for (int k = 0; k < 4; k++) f.Q[k] = random_between(-1, 1), Q2 += f.Q[k] * f.Q[k];
  for (int k = 0; k < 4; k++) f.Q[k] /= sqrt(Q2);
  return f;
}

static void test_flow(void **state) {
  (void)state;
  static const struct {
    double low, high, allowed;
    int flights;
  } range[] = {{0, 0.25, 1.5e-15, 20000}, {0.25, 3, 2e-15, 4000}, {3, 100, 1e-13, 200}};
  for (size_t k = 0; k < sizeof range / sizeof *range; k++) {
    double worst = 0, total = 0;
    for (int i = 0; i < range[k].flights; i++) {
      trial f = random_trial(random_between(range[k].low, range[k].high));
      double error = flow_error(&f);
      total += fmin(error, range[k].allowed);
      if (error > range[k].allowed) error -= 16 * flow_sensitivity(&f);
      if (error > worst) worst = error;
    }
    print_message("  h|W| in %g..%-5g worst %.2e, mean %.2e\n", range[k].low, range[k].high, worst,
                  total / range[k].flights);
    assert_true(worst <= range[k].allowed);
  }
}

/* At rest, for no time, hardly moving, and for moments that no body has. */
static void test_flow_special(void **state) {
  (void)state;
  const trial still = {{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}, {0, 0, 0}, 1}, now = {{3, 1, 2}, {1, 0, 0, 0}, {1, 2, 3}, 0};
  const trial faint = {{1, 2, 3}, {1, 0, 0, 0}, {1e-200, 1e-170, -1e-300}, 1};
  const trial round = {{2, 2, 2}, {1, 0, 0, 0}, {0, 0, 0}, 1};
  const trial thin = {{1e-3, 1, 1e3}, {1, 0, 0, 0}, {1e-4, 0.2, 30}, 0.5};
  const trial needle = {{1e-3, 1, 1}, {1, 0, 0, 0}, {1e-3, 0.3, 0.4}, 1};
  assert_true(flow_error(&still) == 0);
  assert_true(flow_error(&now) == 0);
  assert_true(flow_error(&faint) < 1e-150);
  assert_true(flow_error(&round) == 0);
  assert_true(flow_error(&thin) < 1e-14);
  assert_true(flow_error(&needle) < 1e-15);
  trial endless = {{1, 2, 3}, {1, 0, 0, 0}, {1, 2, 3}, 1e4};
  double Q[4], P[3];
  mask outside;
  computed_flow(&endless, Q, P, &outside);
  assert_true(outside);
  endless.J[1] = 1; /* a symmetric body may turn as often as it likes */
  computed_flow(&endless, Q, P, &outside);
  assert_false(outside);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_jacobi), cmocka_unit_test(test_jacobi_table),
                                     cmocka_unit_test(test_jacobi_special), cmocka_unit_test(test_flow),
                                     cmocka_unit_test(test_flow_special)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
