/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reference: the rigid-body methods once more, in 80-bit arithmetic, written to be held against
 * the papers and to share nothing with the library that it tests.
 *
 * The attitude is a 3x3 matrix Q (body to space; rk2 and rk4 have a quaternion), W the body angular velocity, J = diag
 * the inertia:
 *
 *     Q' = Q hat(W),   J W' = JW x W + tau(Q),   tau(Q).y = -DU(Q).(Q hat(y)),   E = W.JW/2 + U(Q).
 *
 * A method is one function holding its formulas as published; an implicit one takes its unknown x
 * (3 numbers) as an argument and reports its residual, and solve() finds the x that makes it vanish.
 *
 *     reference golden                 table of final states (tests/golden/reference.txt)
 *     reference slope METHOD H T       least-squares slope of E-E0 over time, problem "stress"
 *     reference order METHOD           errors at T=5 on "stress" and the orders they show
 *     reference check                  what this program is checked by: non-zero exit if it fails
 *
 * METHOD may carry @4, @6 or @8: the symmetric composition of that order.
 *
 * Papers: Ortolan & Saccon 2012, doi:10.1002/nme.3333 (eln tln liemid-ea prk mcg new3 vlv, problem
 * stress); Krysl 2005 (liemid-*); Krysl 2008 (trapm); Simo & Wong 1991 (sw-*);
 * Austin, Krishnaprasad & Wang 1993 (akw); Bou-Rabee & Marsden 2009 (vlv-exp); Saccon 2009 (var-mid);
 * Lewis & Simo 1994, reconstructed (lewis-simo); McLachlan & Scovel 1995 (rattle); Baker & Gonzalez 2021,
 * "Explicit variational time integrator based on rescaled Rodrigues parameters" (rrp*, campello,
 * problem pendulum); Hairer, Lubich & Wanner, Geometric Numerical Integration, V.3.2 (compositions).
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "so3.h"
#include "quaternion.h"
#include "problems.h"
#include "methods.h"

/* ---------------------------------------------------------------- one step of a named method */

enum guess { NONE, AT_W, AT_HW, AT_HALF_HW }; /* explicit, or what x is near to: W, hW, hW/2 */
typedef struct {
  const char *name;
  stage *first, *second; /* second: liemid-ea is two half steps */
  enum guess guess;
  int order;
  bool symmetric, spherical;
  int finer; /* as many steps in place of one in the table */
} method;

static const method methods[] = {
    {"eln", eln, 0, AT_W, 2, true, false, 1},
    {"eln-exp", eln_exp, 0, AT_W, 2, true, false, 1},
    {"tln", tln, 0, AT_W, 2, true, false, 1},
    {"tln-exp", tln_exp, 0, AT_W, 2, true, false, 1},
    {"liemid-ea", liemid_e2, liemid_e1, AT_HW, 2, true, false, 1},
    {"liemid-e1", liemid_e1, 0, AT_HW, 1, false, false, 1},
    {"liemid-e2", liemid_e2, 0, AT_HW, 1, false, false, 1},
    {"liemid-i", liemid_i, 0, AT_HW, 2, true, false, 1},
    {"trapm", trapm, 0, AT_W, 2, true, false, 1},
    {"prk", prk, 0, AT_W, 2, true, false, 1},
    {"mcg", mcg, 0, AT_W, 2, true, false, 1},
    {"new3", new3, 0, AT_W, 2, true, false, 1},
    {"vlv", vlv, 0, AT_W, 2, true, false, 1},
    {"vlv-exp", vlv_exp, 0, AT_W, 2, true, false, 1},
    {"var-mid", var_mid, 0, AT_W, 2, true, false, 1},
    {"lewis-simo", lewis_simo, 0, AT_HALF_HW, 2, true, false, 1},
    {"akw", akw, 0, AT_W, 2, true, false, 1},
    {"sw-c1", sw_c1, 0, AT_W, 2, true, false, 1},
    {"sw-1", sw_1, 0, AT_W, 2, true, false, 1},
    {"sw-e", sw_e, 0, NONE, 2, false, false, 1},
    {"rattle", rattle, 0, AT_HALF_HW, 2, true, false, 1},
    {"rrp", rrp, 0, NONE, 2, true, true, 1},
    {"rrp-newmark", rrp_newmark, 0, NONE, 2, true, true, 1},
    {"rrp-euler", rrp_euler, 0, NONE, 1, false, true, 1},
    {"campello", campello, 0, AT_W, 1, false, true, 1},
    {"split", split, 0, NONE, 2, true, false, 1},
    {"free-exact", free_exact, 0, NONE, 2, true, false, 1},
    {"rk2", rk2, 0, NONE, 2, false, false, 1},
    {"rk4", rk4, 0, NONE, 4, false, false, 1},
    {"bm4", bm4, 0, NONE, 4, true, false, 1},
    {"bm6", bm6, 0, NONE, 6, true, false, 1},
    {"bce8", bce8, 0, NONE, 8, true, false, 1},
    {"proc6", solution, 0, NONE, 99, false, false, 8},
    {"rk45", solution, 0, NONE, 99, false, false, 1},
    {"rk8", solution, 0, NONE, 99, false, false, 8},
    {"rk10", solution, 0, NONE, 99, false, false, 8},
    {"dop853", solution, 0, NONE, 99, false, false, 1},
};
enum { NMETHODS = sizeof methods / sizeof *methods };

static int newton_failures;

/* Newton with a centrally differenced Jacobian, until the residual stops falling */
static state solve(const body *b, stage *f, enum guess guess, state s, real h) {
  const real d = 1e-6L;
  vec x = mul(guess == AT_W ? 1 : guess == AT_HW ? h : h / 2, s.W), best = x, r, up, dn, col[3];
  real least = INFINITY;
  if (guess == NONE) return f(b, s, h, x, &r);
  for (int it = 0; it < 60; ++it) {
    f(b, s, h, x, &r);
    if (!(norm(r) < least)) break;
    least = norm(r), best = x;
    for (int i = 0; i < 3; ++i) {
      vec xp = x, xm = x;
      xp.v[i] += d, xm.v[i] -= d;
      f(b, s, h, xp, &up), f(b, s, h, xm, &dn);
      col[i] = mul(1 / (xp.v[i] - xm.v[i]), sub(up, dn));
    }
    x = sub(x, solve3(col, r));
  }
  if (!(least < 50 * LDBL_EPSILON * (1 + norm(Jx(b, s.W))))) ++newton_failures;
  return f(b, s, h, best, &r);
}

static state base_step(const body *b, const method *m, state s, real h) {
  if (!m->second) return solve(b, m->first, m->guess, s, h);
  return solve(b, m->second, m->guess, solve(b, m->first, m->guess, s, h / 2), h / 2);
}

/* Suzuki (4), Sofroniou & Spaletta (6), Kahan & Li (8): the coefficients up to the middle one; the rest mirror them */
static state step(const body *b, const method *m, int k, state s, real h) {
  static const real ss6[] = {0.21375583945878254555518067L, 0.18329381407425713911385974L,
                             0.17692819473098943794898812L, -0.44329082681170215849622830L,
                             0.11728560432865935385403586L, 0.50405474843802736404832782L};
  static const real kl8[] = {
      0.13020248308889008087881763L, 0.56116298177510838456196441L,  -0.38947496264484728640807860L,
      0.15884190655515560089621075L, -0.39590389413323757733623154L, 0.18453964097831570709183254L,
      0.25837438768632204729397911L, 0.29501172360931029887096624L,  -0.60550853383003451169892108L};
  const real z = 1 / (4 - cbrtl(4)), suzuki[] = {z, z, 1 - 4 * z};
  const real *g = k == 4 ? suzuki : k == 6 ? ss6 : kl8;
  int mid = k == 4 ? 2 : k == 6 ? 5 : 8;
  if (k == 0) return base_step(b, m, s, h);
  for (int i = 0; i <= 2 * mid; ++i) s = base_step(b, m, s, g[i <= mid ? i : 2 * mid - i] * h);
  return s;
}

static const vec *inertia_for(const method *m, int problem) /* NULL: the problem's own */
{
  static const vec ball = {{2, 2, 2}};
  return m->spherical && problem != PENDULUM ? &ball : NULL;
}

static state run(int problem, const method *m, int k, real h, long n, body *b) {
  state s = start(problem, inertia_for(m, problem), b);
  for (long i = 0; i < n; ++i) s = step(b, m, k, s, h);
  return s;
}

/* ---------------------------------------------------------------- modes */

static void golden_line(int problem, const method *m, int k, real h, long n) {
  body b;
  state s0 = start(problem, inertia_for(m, problem), &b), s = run(problem, m, k, h, n, &b);
  h /= m->finer, n *= m->finer;
  char name[32];
  snprintf(name, sizeof name, k ? "%s@%d" : "%s", m->name, k);
  printf("%-14s %-12s %-5s %-9.8Lg %4ld", name, problem_name[problem], inertia_for(m, problem) ? "2,2,2" : "-", h, n);
  for (int i = 0; i < 9; ++i) printf(" %.20Le", s.Q.m[i / 3][i % 3]);
  for (int i = 0; i < 3; ++i) printf(" %.20Le", s.W.v[i]);
  printf(" %.20Le\n", energy(&b, s) - energy(&b, s0));
}

/* {1/h, steps}; h is a binary fraction, the same number in every precision; the wall is first met at
 * t = 7.65, by the spherical body at 2.9 */
static const int grid[NPROBLEMS][2] = {{8, 40}, {16, 80}, {32, 64}, {128, 128}, {16, 80}, {16, 160}};

static int golden(void) {
  printf("# Final states of the rigid-body methods in 80-bit arithmetic; written by\n"
         "# tests/reference/reference.c (mode golden). One line per run, columns separated by blanks:\n"
         "#   1 method[@order]  2 problem  3 inertia (- is the problem's own)  4 step h  5 number of steps\n"
         "#   6-14 Q, row by row  15-17 body angular velocity  18 E - E0\n"
         "# campello has phi = 0.5; rk2 and rk4 act on a unit quaternion q and are not projected, Q = I + 2 q0 hat + 2 "
         "hat^2;\n"
         "# rk45, dop853 and, at an eighth of the step, rk8, rk10 and proc6 hold the exact solution. Compositions: @4 "
         "Suzuki, @6 Sofroniou-Spaletta, @8 Kahan-Li.\n");
  for (int p = 0; p < NPROBLEMS; ++p)
    for (int i = 0; i < NMETHODS; ++i)
      if (methods[i].finer == 1 || p != COULOMB_WALL) /* whose force has a kink: no small step gives order 8 */
        golden_line(p, &methods[i], 0, 1.0L / grid[p][0], grid[p][1]);
  for (int i = 0; i < NMETHODS; ++i) golden_line(STRESS, &methods[i], 0, 0.25L, 20);
  for (int i = 0; i < NMETHODS; ++i)
    for (int k = 4; k <= 8 && methods[i].symmetric && methods[i].order == 2; k += 2)
      golden_line(STRESS, &methods[i], k, 0.125L, 40);
  return newton_failures != 0;
}

static int slope(const method *m, int k, real h, real T) {
  body b;
  state s = start(STRESS, inertia_for(m, STRESS), &b);
  long n = lroundl(T / h);
  real E0 = energy(&b, s), mean = h * n / 2, num = 0, den = 0, low = 0, high = 0;
  for (long i = 0; i <= n; ++i) {
    real t = h * i - mean, e = energy(&b, s) - E0;
    num += t * e, den += t * t;
    low = fminl(low, e), high = fmaxl(high, e);
    if (i < n) s = step(&b, m, k, s, h);
  }
  printf("slope %.9Le  E-E0 in [%.4Le, %.4Le]  last %.4Le\n", num / den, low, high, energy(&b, s) - E0);
  return newton_failures != 0;
}

static real distance(state a, state c) {
  return size(axpy((phase){a.Q, a.W}, -1, (phase){c.Q, c.W}));
}

static int order(const method *m, int k) {
  body b;
  state s = start(STRESS, inertia_for(m, STRESS), &b), ref = exact(&b, s, 5);
  real last = 0;
  for (int n = 4; n <= 64; n *= 2) {
    real e = distance(run(STRESS, m, k, 1.0L / n, 5L * n, &b), ref);
    printf("h=1/%-3d error %.4Le", n, e);
    if (n > 4) printf("  order %.3Lf", log2l(last / e));
    printf("\n");
    last = e;
  }
  return newton_failures != 0;
}

#include "check.h"

static const method *parse(const char *text, int *k) {
  size_t n = strcspn(text, "@");
  *k = text[n] == '@' ? atoi(text + n + 1) : 0;
  for (int i = 0; i < NMETHODS; ++i)
    if (strlen(methods[i].name) == n && !strncmp(methods[i].name, text, n))
      if (text[n] == 0 || ((*k == 4 || *k == 6 || *k == 8) && methods[i].symmetric)) return &methods[i];
  fprintf(stderr, "reference: no such method: %s\n", text);
  exit(2);
}

int main(int argc, char **argv) {
  int k;
  if (argc == 2 && !strcmp(argv[1], "golden")) return golden();
  if (argc == 2 && !strcmp(argv[1], "check")) return check();
  if (argc == 3 && !strcmp(argv[1], "order")) {
    const method *m = parse(argv[2], &k);
    return order(m, k);
  }
  if (argc == 5 && !strcmp(argv[1], "slope")) {
    const method *m = parse(argv[2], &k);
    return slope(m, k, strtold(argv[3], NULL), strtold(argv[4], NULL));
  }
  fprintf(stderr, "usage: reference golden | check | order METHOD | slope METHOD H T\n");
  return 2;
}
