/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reference: the rigid-body methods once more, in 80-bit arithmetic, written to be held against
 * the papers and to share nothing with the library that it tests.
 *
 * The attitude is a 3x3 matrix Q (body to space), W the body angular velocity, J = diag the inertia:
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
 * Austin, Krishnaprasad & Wang 1993 (akw); McLachlan & Scovel 1995 (rattle); Baker & Gonzalez 2021,
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

/* ---------------------------------------------------------------- problems */

enum { STRESS, FREE, TOP_SLOW, TOP_FAST, PENDULUM, COULOMB_WALL, NPROBLEMS };
static const char *const problem_name[] = {"stress", "free", "top-slow", "top-fast", "pendulum", "coulomb-wall"};

typedef struct {
  mat Q;
  vec W, A;
} state; /* A: the acceleration that sw-e keeps */
typedef struct {
  int problem;
  vec J;
  bool off;
} body; /* off: no potential */

static vec Jx(const body *b, vec w) {
  return V(b->J.v[0] * w.v[0], b->J.v[1] * w.v[1], b->J.v[2] * w.v[2]);
}

static vec Ji(const body *b, vec p) {
  return V(p.v[0] / b->J.v[0], p.v[1] / b->J.v[1], p.v[2] / b->J.v[2]);
}

static const real wall = 0; /* of coulomb-wall, in z = e3.Q e3 */

/* U as a function of z = e3.Q e3 for the problems that have such a one, and its derivative */
static real axis_potential(int problem, real z, real *dU) {
  const real k = 5, D = 1.5L, K = 50; /* coulomb-wall; rho = e3, |rho| = 1 */
  real d, c;
  switch (problem) {
  case TOP_SLOW:
  case TOP_FAST: *dU = 20; return 20 * z;
  case PENDULUM: *dU = -1; return -z;
  default:
    d = sqrtl(1 + D * D + 2 * D * z);
    c = wall > z ? wall - z : 0;
    *dU = k * D / (d * d * d) - K * c * c;
    return -k / d + K / 3 * c * c * c;
  }
}

/* stress: U = (d(Q,I)-1)^2 - a/d(Q,Qm), d(A,B) = sqrt(2 tr(I - A'B)).
 * A term f(t), t = tr(A'Q), has the torque f'(t) ax(A'Q); dd/dt = -1/d. */
static real potential(const body *b, mat Q, vec *torque) {
  const vec e3 = V(0, 0, 1);
  real U, dU;
  if (b->problem == FREE || b->off) {
    *torque = V(0, 0, 0);
    return 0;
  }
  if (b->problem == STRESS) {
    const real a = 0.3L;
    mat M = mm(tr(Exp(mul(1 / sqrtl(2), V(2.5L, 0, 2.5L)))), Q); /* Qm' Q */
    real d1 = sqrtl(2 * (3 - trace(Q))), d2 = sqrtl(2 * (3 - trace(M)));
    *torque = add(mul(-2 * (d1 - 1) / d1, ax(Q)), mul(-a / (d2 * d2 * d2), ax(M)));
    return (d1 - 1) * (d1 - 1) - a / d2;
  }
  U = axis_potential(b->problem, Q.m[2][2], &dU); /* dz/ds along Q hat(y): y.(e3 x Q'e3) */
  *torque = mul(-dU, cross(e3, mv(tr(Q), e3)));
  return U;
}

static vec tau(const body *b, mat Q) {
  vec t;
  potential(b, Q, &t);
  return t;
}

static real energy(const body *b, state s) {
  vec t;
  return dot(s.W, Jx(b, s.W)) / 2 + potential(b, s.Q, &t);
}

static vec acceleration(const body *b, mat Q, vec W) /* Euler's equation */
{
  return Ji(b, add(cross(Jx(b, W), W), tau(b, Q)));
}

static state start(int problem, const vec *J, body *b) {
  static const vec inertia[] = {{{2, 2, 4}}, {{1, 2, 3}}, {{5, 5, 1}}, {{5, 5, 1}}, {{1, 1, 1}}, {{1, 2, 2.5L}}};
  const real pi = acosl(-1);
  state s = {.Q = I3};
  *b = (body){.problem = problem, .J = J ? *J : inertia[problem]};
  switch (problem) {
  case STRESS: s.Q = Exp(V(0, 0.7227L, 0)), s.W = V(0, 0, 0.625L); break;
  case FREE: s.W = V(0.4L, 1, 0.6L); break;
  case TOP_SLOW: s.Q = Exp(V(0.3L, 0, 0)), s.W = V(0, 0, 5); break;
  case TOP_FAST: s.Q = Exp(V(0.3L, 0, 0)), s.W = V(0, 0, 50); break;
  case PENDULUM: /* sin(pi/4)^2 = 1/2; the velocity is given in the space frame */
    s.Q = cay(V(0, 2 * tanl(3 * pi / 8), 0));
    s.W = mv(tr(s.Q), V(0.2L, 0, 0.2L));
    break;
  default: s.Q = Exp(V(1.2L, 0, 0)), s.W = V(0.3L, 0.2L, 0.5L);
  }
  s.A = acceleration(b, s.Q, s.W);
  return s;
}

/* ---------------------------------------------------------------- the exact flow */

/* Extrapolated explicit midpoint rule (Gragg-Bulirsch-Stoer), n = 2, 4, ..., 2 GBS, on the entries
 * of Q and W; an interval whose last two columns differ, or in which the wall is entered or left, is
 * halved. b->off gives the free body. */
enum { GBS = 9 };
typedef struct {
  mat Q;
  vec W;
} phase;

static phase axpy(phase y, real a, phase d) {
  for (int i = 0; i < 9; ++i) y.Q.m[i / 3][i % 3] += a * d.Q.m[i / 3][i % 3];
  y.W = add(y.W, mul(a, d.W));
  return y;
}

static phase rhs(const body *b, phase y) {
  return (phase){mm(y.Q, hat(y.W)), acceleration(b, y.Q, y.W)};
}

static real size(phase y) {
  real s = dot(y.W, y.W);
  for (int i = 0; i < 9; ++i) s += y.Q.m[i / 3][i % 3] * y.Q.m[i / 3][i % 3];
  return sqrtl(s);
}

static phase flow(const body *b, phase y, real h, int depth) {
  phase T[GBS][GBS], z, u, t; /* all of them increments over y: less round-off */
  real error;
  for (int j = 0; j < GBS; ++j) {
    int n = 2 * (j + 1);
    z = (phase){0};
    u = axpy(z, h / n, rhs(b, y));
    for (int i = 1; i < n; ++i) t = axpy(z, 2 * h / n, rhs(b, axpy(y, 1, u))), z = u, u = t;
    T[j][0] = u;
    for (int k = 1; k <= j; ++k) {
      real q = (real)(j + 1) / (j + 1 - k);
      T[j][k] = axpy(T[j][k - 1], 1 / (q * q - 1), axpy(T[j][k - 1], -1, T[j - 1][k - 1]));
    }
  }
  z = T[GBS - 1][GBS - 1];
  error = size(axpy(z, -1, T[GBS - 1][GBS - 2]));
  t = axpy(y, 1, z);
  if (b->problem == COULOMB_WALL && !b->off && (y.Q.m[2][2] < wall) != (t.Q.m[2][2] < wall)) error = INFINITY;
  if (!(error <= 4 * LDBL_EPSILON * (1 + size(y))) && depth < 28)
    return flow(b, flow(b, y, h / 2, depth + 1), h / 2, depth + 1);
  return t;
}

static state exact(const body *b, state s, real h) {
  phase y = flow(b, (phase){s.Q, s.W}, h, 0);
  return (state){y.Q, y.W, s.A};
}

/* ---------------------------------------------------------------- the methods
 *
 * stage: the state after one step and the residual r, given the unknown x. Explicit ones leave x
 * and r alone. P is a body momentum, _h a half-step quantity, Q1 and W1 the end of the step. */
typedef state stage(const body *b, state s, real h, vec x, vec *r);
#define STAGE(name) static state name(const body *b, state s, real h, vec x, vec *r)
#define UNUSED ((void)x, (void)r)

/* W + h/2 J^-1 (JW x W + tau(Q)); Q cay(h W_h); x = W1 */
static state lie_newmark(const body *b, state s, real h, vec x, vec *r, mat map(vec)) {
  vec Wh = add(s.W, mul(h / 2, acceleration(b, s.Q, s.W)));
  mat Q1 = mm(s.Q, map(mul(h, Wh)));
  *r = Jx(b, sub(sub(x, Wh), mul(h / 2, acceleration(b, Q1, x))));
  return (state){Q1, x, s.A};
}
STAGE(eln) {
  return lie_newmark(b, s, h, x, r, cay);
}
STAGE(eln_exp) {
  return lie_newmark(b, s, h, x, r, Exp);
}

/* x = W1 */
static state trapezoidal(const body *b, state s, real h, vec x, vec *r, mat map(vec)) {
  mat Q1 = mm(s.Q, map(mul(h / 2, add(s.W, x))));
  vec left = add(Jx(b, x), mul(h / 2, sub(cross(x, Jx(b, x)), tau(b, Q1))));
  vec right = add(Jx(b, s.W), mul(h / 2, sub(tau(b, s.Q), cross(s.W, Jx(b, s.W)))));
  *r = sub(left, right);
  return (state){Q1, x, s.A};
}
STAGE(tln) {
  return trapezoidal(b, s, h, x, r, cay);
}
STAGE(tln_exp) {
  return trapezoidal(b, s, h, x, r, Exp);
}

/* x = Theta */
STAGE(liemid_e1) {
  vec P = Jx(b, s.W);
  mat Q1 = mm(s.Q, Exp(x));
  *r = sub(Jx(b, x), mul(h, mv(Exp(mul(-0.5L, x)), P)));
  return (state){Q1, Ji(b, add(mv(Exp(neg(x)), P), mul(h, tau(b, Q1)))), s.A};
}

/* x = Theta */
STAGE(liemid_e2) {
  vec P = add(Jx(b, s.W), mul(h, tau(b, s.Q)));
  *r = sub(Jx(b, x), mul(h, mv(Exp(mul(-0.5L, x)), P)));
  return (state){mm(s.Q, Exp(x)), Ji(b, mv(Exp(neg(x)), P)), s.A};
}

/* x = Theta */
STAGE(liemid_i) {
  mat half = Exp(mul(-0.5L, x));
  vec t = tau(b, mm(s.Q, Exp(mul(0.5L, x)))), P = Jx(b, s.W);
  *r = sub(Jx(b, x), mul(h, add(mv(half, P), mul(h / 2, t))));
  return (state){mm(s.Q, Exp(x)), Ji(b, add(mv(Exp(neg(x)), P), mul(h, mv(half, t)))), s.A};
}

/* x = W1 */
STAGE(trapm) {
  mat Qh = mm(s.Q, Exp(mul(h / 2, s.W))), Q1 = mm(Qh, Exp(mul(h / 2, x)));
  vec Ph = mv(Exp(mul(-h / 2, s.W)), add(Jx(b, s.W), mul(h / 2, tau(b, s.Q))));
  *r = sub(Jx(b, x), add(mv(Exp(mul(-h / 2, x)), Ph), mul(h / 2, tau(b, Q1))));
  return (state){Q1, x, s.A};
}

/* x = W_h */
STAGE(prk) {
  vec gyro = cross(x, Jx(b, x));
  mat Q1 = mm(s.Q, cay(mul(h, x)));
  *r = sub(Jx(b, sub(x, s.W)), mul(h / 2, sub(tau(b, s.Q), gyro)));
  return (state){Q1, add(x, mul(h / 2, Ji(b, sub(tau(b, Q1), gyro)))), s.A};
}

/* x = W_h */
STAGE(mcg) {
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q)));
  mat Q1 = mm(s.Q, Exp(mul(h, x)));
  *r = sub(Jx(b, x), mv(Exp(mul(-h / 2, x)), P));
  return (state){Q1, Ji(b, add(mv(Exp(mul(-h, x)), P), mul(h / 2, tau(b, Q1)))), s.A};
}

/* x = W1 */
STAGE(new3) {
  mat Qh = mm(s.Q, Exp(mul(h / 2, s.W)));
  vec right = add(mv(Exp(mul(-h / 2, s.W)), Jx(b, s.W)), mul(h, tau(b, Qh)));
  *r = sub(mv(Exp(mul(h / 2, x)), Jx(b, x)), right);
  return (state){mm(Qh, Exp(mul(h / 2, x))), x, s.A};
}

/* x = W_h */
STAGE(vlv) {
  vec gyro = cross(Jx(b, x), x), stretch = mul(h / 2 * dot(x, Jx(b, x)), x);
  mat Q1 = mm(s.Q, cay(mul(h, x)));
  *r = sub(Jx(b, sub(x, s.W)), mul(h / 2, add(sub(gyro, stretch), tau(b, s.Q))));
  return (state){Q1, add(x, mul(h / 2, Ji(b, add(add(gyro, stretch), tau(b, Q1))))), s.A};
}

/* x = W1 */
STAGE(akw) {
  vec P = Jx(b, s.W), P1 = Jx(b, x), Pm = mul(0.5L, add(P, P1));
  mat Q1 = mm(s.Q, cay(mul(h, Ji(b, Pm))));
  vec kick = mul(h / 2, add(tau(b, s.Q), tau(b, Q1)));
  *r = sub(P1, add(add(P, mul(h, cross(Pm, Ji(b, Pm)))), kick));
  return (state){Q1, x, s.A};
}

/* x = W1 */
STAGE(sw_c1) {
  vec T = mul(h / 2, add(s.W, x));
  vec t = tau(b, mm(s.Q, Exp(mul(0.5L, T))));
  *r = sub(Jx(b, x), add(mv(Exp(neg(T)), Jx(b, s.W)), mul(h, mv(Exp(mul(-0.5L, T)), t))));
  return (state){mm(s.Q, Exp(T)), x, s.A};
}

/* x = W1 */
STAGE(sw_1) {
  vec Wm = mul(0.5L, add(s.W, x));
  vec t = tau(b, mm(s.Q, Exp(mul(h / 2, Wm))));
  *r = sub(Jx(b, sub(x, s.W)), mul(h, add(cross(Jx(b, Wm), Wm), t)));
  return (state){mm(s.Q, Exp(mul(h, Wm))), x, s.A};
}

STAGE(sw_e) {
  vec T = mul(h, add(s.W, mul(h / 2, s.A)));
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q)));
  mat Q1 = mm(s.Q, Exp(T));
  vec W1 = Ji(b, add(mv(Exp(neg(T)), P), mul(h / 2, tau(b, Q1))));
  UNUSED;
  return (state){Q1, W1, mul(1 / h, sub(W1, s.W))};
}

/* x = f */
STAGE(rattle) {
  vec P = add(Jx(b, s.W), mul(h / 2, tau(b, s.Q))), g = mul(h, P);
  mat F = cay(mul(2, x)), Q1 = mm(s.Q, F);
  *r = sub(add(add(g, cross(g, x)), mul(dot(g, x), x)), mul(2, Jx(b, x)));
  return (state){Q1, Ji(b, add(mv(tr(F), P), mul(h / 2, tau(b, Q1)))), s.A};
}

/* The rescaled Rodrigues maps: spherical inertia j; Ws = QW and m = Q tau in the space frame. To and
 * fro between the frames, they would feel Q's drift off the group, hence orthonormal(). */
static vec moment(const body *b, mat Q) {
  return mv(Q, tau(b, Q));
}

static state rodrigues_verlet(const body *b, state s, real h, bool variational) {
  real j = b->J.v[0];
  vec Ws = mv(s.Q, s.W), m = moment(b, s.Q), G = add(Ws, mul(h / (2 * j), m));
  real factor = variational ? 2 * h / (1 + sqrtl(1 - h * h * dot(G, G))) : h;
  mat Q1 = orthonormal(mm(cay(mul(factor, G)), s.Q));
  vec Ws1 = add(Ws, mul(h / (2 * j), add(m, moment(b, Q1))));
  return (state){Q1, mv(tr(Q1), Ws1), s.A};
}
STAGE(rrp) {
  return UNUSED, rodrigues_verlet(b, s, h, true);
}
STAGE(rrp_newmark) {
  return UNUSED, rodrigues_verlet(b, s, h, false);
}

STAGE(rrp_euler) {
  vec Ws1 = add(mv(s.Q, s.W), mul(h / b->J.v[0], moment(b, s.Q)));
  mat Q1 = orthonormal(mm(cay(mul(h, Ws1)), s.Q));
  UNUSED;
  return (state){Q1, mv(tr(Q1), Ws1), s.A};
}

/* x = Q'Ws1 (the new spatial velocity seen from the old body), phi = 1/2 */
STAGE(campello) {
  const real phi = 0.5L;
  vec Ws1 = mv(s.Q, x);
  mat Q1 = orthonormal(mm(cay(mul(h, Ws1)), s.Q));
  vec m = add(mul(phi, moment(b, s.Q)), mul(1 - phi, moment(b, Q1)));
  *r = sub(Ws1, add(mv(s.Q, s.W), mul(h / b->J.v[0], m)));
  return (state){Q1, mv(tr(Q1), Ws1), s.A};
}

static state kick(const body *b, state s, real h) {
  s.W = add(s.W, mul(h, Ji(b, tau(b, s.Q))));
  return s;
}

/* exact flow of P_i^2/(2 J_i) */
static state turn(const body *b, state s, int i, real h) {
  vec a = V(0, 0, 0);
  a.v[i] = h * s.W.v[i]; /* P_i/J_i = W_i */
  return (state){mm(s.Q, Exp(a)), Ji(b, mv(Exp(neg(a)), Jx(b, s.W))), s.A};
}

STAGE(split) {
  UNUSED;
  s = kick(b, s, h / 2);
  s = turn(b, turn(b, s, 2, h / 2), 1, h / 2);
  s = turn(b, s, 0, h);
  s = turn(b, turn(b, s, 1, h / 2), 2, h / 2);
  return kick(b, s, h / 2);
}

STAGE(free_exact) {
  body unforced = *b;
  unforced.off = true;
  UNUSED;
  return kick(b, exact(&unforced, kick(b, s, h / 2), h), h / 2);
}

STAGE(rk2) {
  phase y = {s.Q, s.W}, k1 = rhs(b, y), k2 = rhs(b, axpy(y, h, k1));
  y = axpy(axpy(y, h / 2, k1), h / 2, k2);
  UNUSED;
  return (state){y.Q, y.W, s.A};
}

STAGE(rk4) {
  phase y = {s.Q, s.W}, k1 = rhs(b, y), k2 = rhs(b, axpy(y, h / 2, k1));
  phase k3 = rhs(b, axpy(y, h / 2, k2)), k4 = rhs(b, axpy(y, h, k3));
  y = axpy(axpy(axpy(axpy(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  UNUSED;
  return (state){y.Q, y.W, s.A};
}

STAGE(rk45) {
  return UNUSED, exact(b, s, h);
} /* what it must tend to as its tolerance does to 0 */

/* ---------------------------------------------------------------- one step of a named method */

enum guess { NONE, AT_W, AT_HW, AT_HALF_HW }; /* explicit, or what x is near to: W, hW, hW/2 */
typedef struct {
  const char *name;
  stage *first, *second; /* second: liemid-ea is two half steps */
  enum guess guess;
  int order;
  bool symmetric, spherical;
} method;

static const method methods[] = {
    {"eln", eln, 0, AT_W, 2, true, false},
    {"eln-exp", eln_exp, 0, AT_W, 2, true, false},
    {"tln", tln, 0, AT_W, 2, true, false},
    {"tln-exp", tln_exp, 0, AT_W, 2, true, false},
    {"liemid-ea", liemid_e2, liemid_e1, AT_HW, 2, true, false},
    {"liemid-e1", liemid_e1, 0, AT_HW, 1, false, false},
    {"liemid-e2", liemid_e2, 0, AT_HW, 1, false, false},
    {"liemid-i", liemid_i, 0, AT_HW, 2, true, false},
    {"trapm", trapm, 0, AT_W, 2, true, false},
    {"prk", prk, 0, AT_W, 2, true, false},
    {"mcg", mcg, 0, AT_W, 2, true, false},
    {"new3", new3, 0, AT_W, 2, true, false},
    {"vlv", vlv, 0, AT_W, 2, true, false},
    {"akw", akw, 0, AT_W, 2, true, false},
    {"sw-c1", sw_c1, 0, AT_W, 2, true, false},
    {"sw-1", sw_1, 0, AT_W, 2, true, false},
    {"sw-e", sw_e, 0, NONE, 2, false, false},
    {"rattle", rattle, 0, AT_HALF_HW, 2, true, false},
    {"rrp", rrp, 0, NONE, 2, true, true},
    {"rrp-newmark", rrp_newmark, 0, NONE, 2, true, true},
    {"rrp-euler", rrp_euler, 0, NONE, 1, false, true},
    {"campello", campello, 0, AT_W, 1, false, true},
    {"split", split, 0, NONE, 2, true, false},
    {"free-exact", free_exact, 0, NONE, 2, true, false},
    {"rk2", rk2, 0, NONE, 2, false, false},
    {"rk4", rk4, 0, NONE, 4, false, false},
    {"rk45", rk45, 0, NONE, 99, false, false},
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

/* Suzuki (4), Kahan & Li (6, 8): the coefficients up to the middle one; the rest mirror them */
static state step(const body *b, const method *m, int k, state s, real h) {
  static const real kl6[] = {0.39216144400731413927925056L, 0.33259913678935943859974864L,
                             -0.70624617255763935980996482L, 0.08221359629355080023149045L,
                             0.79854399093482996339895035L};
  static const real kl8[] = {
      0.13020248308889008087881763L, 0.56116298177510838456196441L,  -0.38947496264484728640807860L,
      0.15884190655515560089621075L, -0.39590389413323757733623154L, 0.18453964097831570709183254L,
      0.25837438768632204729397911L, 0.29501172360931029887096624L,  -0.60550853383003451169892108L};
  const real z = 1 / (4 - cbrtl(4)), suzuki[] = {z, z, 1 - 4 * z};
  const real *g = k == 4 ? suzuki : k == 6 ? kl6 : kl8;
  int mid = k == 4 ? 2 : k == 6 ? 4 : 8;
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
         "# campello has phi = 0.5; rk2 and rk4 act on the 9 entries of Q and are not projected;\n"
         "# rk45 lines hold the exact solution. Compositions: @4 Suzuki, @6 and @8 Kahan-Li.\n");
  for (int p = 0; p < NPROBLEMS; ++p)
    for (int i = 0; i < NMETHODS; ++i) golden_line(p, &methods[i], 0, 1.0L / grid[p][0], grid[p][1]);
  for (int i = 0; i < NMETHODS; ++i) golden_line(STRESS, &methods[i], 0, 0.25L, 20);
  for (int i = 0; i < NMETHODS; ++i)
    for (int k = 4; k <= 8 && methods[i].symmetric; k += 2) golden_line(STRESS, &methods[i], k, 0.125L, 40);
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
