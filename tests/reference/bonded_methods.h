/* SPDX-License-Identifier: BSD-3-Clause
 * bonded_methods.h - one step of a system of bodies, by each method.
 *
 * A step: turn and move every body, evaluate all forces, finish every body. In the halves below tau is the moment in
 * the body frame, P a body momentum, and b->half what finish() needs of turn(). Positions go by velocity Verlet,
 * with the first-order rrp-euler by symplectic Euler. */
#ifndef REFERENCE_BONDED_METHODS_H
#define REFERENCE_BONDED_METHODS_H

static vec tau(const body *b) {
  return mv(tr(b->Q), b->moment);
}
static vec momentum_of(const body *b, vec W) {
  return scaled(b->J, W);
}
static vec velocity_of(const body *b, vec P) {
  return V(P.v[0] / b->J.v[0], P.v[1] / b->J.v[1], P.v[2] / b->J.v[2]);
}

/* ---------------------------------------------------------------- equations in three unknowns */

/* what must vanish at x; given: what does not change while x is looked for */
typedef vec equation(const body *b, vec given, real h, vec x);

static int newton_failures;

/* Newton with a centrally differenced Jacobian, until the residual stops falling */
static vec solve(equation *f, const body *b, vec given, real h, vec x) {
  const real d = 1e-6L;
  vec best = x, col[3];
  real least = INFINITY;
  for (int it = 0; it < 60; ++it) {
    vec r = f(b, given, h, x);
    if (!(norm(r) < least)) break;
    least = norm(r), best = x;
    for (int i = 0; i < 3; ++i) {
      vec up = x, down = x;
      up.v[i] += d, down.v[i] -= d;
      col[i] = mul(1 / (up.v[i] - down.v[i]), sub(f(b, given, h, up), f(b, given, h, down)));
    }
    x = sub(x, solve3(col, r));
  }
  if (!(least < 50 * LDBL_EPSILON * (1 + norm(given)))) ++newton_failures;
  return best;
}

/* ---------------------------------------------------------------- spherical bodies, space frame */

/* both are exact rotations up to rounding, which this removes */
static void turn_in_space(body *b, vec increment) {
  b->Q = orthonormal(mm(cay(increment), b->Q));
}
static void turn_in_body(body *b, mat by) {
  b->Q = orthonormal(mm(b->Q, by));
}

static vec kicked_in_space(const body *b, real h) { /* G = W_s + h/J m */
  return add(mv(b->Q, b->W), mul(h / b->J.v[0], b->moment));
}

static void rrp_turn(body *b, real h) {
  vec G = b->half = kicked_in_space(b, h / 2);
  turn_in_space(b, mul(2 * h / (1 + sqrtl(1 - h * h * dot(G, G))), G));
}
static void rrp_newmark_turn(body *b, real h) {
  vec G = b->half = kicked_in_space(b, h / 2);
  turn_in_space(b, mul(h, G));
}
static void rrp_finish(body *b, real h) {
  b->W = mv(tr(b->Q), add(b->half, mul(h / 2 / b->J.v[0], b->moment)));
}
static void rrp_euler_turn(body *b, real h) {
  vec W_space = kicked_in_space(b, h);
  turn_in_space(b, mul(h, W_space));
  b->W = mv(tr(b->Q), W_space);
}
static void nothing_left(body *b, real h) {
  (void)b, (void)h;
}

/* ---------------------------------------------------------------- bodies of any inertia, body frame */

static vec half_kicked(const body *b, real h) { /* P = JW + h/2 tau */
  return add(momentum_of(b, b->W), mul(h / 2, tau(b)));
}
static void half_kick(body *b, real h) {
  b->W = velocity_of(b, half_kicked(b, h));
}

/* g + g x f + (g.f) f - 2 J f = 0, g = h P */
static vec rattle_equation(const body *b, vec P, real h, vec f) {
  vec g = mul(h, P);
  return sub(add(add(g, cross(g, f)), mul(dot(g, f), f)), mul(2, momentum_of(b, f)));
}
static void rattle_turn(body *b, real h) {
  vec P = half_kicked(b, h), f = solve(rattle_equation, b, P, h, mul(h / 2, b->W));
  mat F = cay(mul(2, f));
  turn_in_body(b, F);
  b->half = mv(tr(F), P);
}
static void momentum_finish(body *b, real h) {
  b->W = velocity_of(b, add(b->half, mul(h / 2, tau(b))));
}

/* h/2 [J x (cross) x -+ h/2 (x.Jx) x]: the free motion of half a step of vlv, sign -1 in the first, +1 in the second */
static vec vlv_free(const body *b, vec x, real h, int sign) {
  vec Jx = momentum_of(b, x);
  return mul(h / 2, add(cross(Jx, x), mul(sign * h / 2 * dot(x, Jx), x)));
}
static vec vlv_equation(const body *b, vec P, real h, vec x) {
  return sub(sub(momentum_of(b, x), vlv_free(b, x, h, -1)), P);
}
static void vlv_turn(body *b, real h) {
  vec W_half = solve(vlv_equation, b, half_kicked(b, h), h, b->W);
  turn_in_body(b, cay(mul(h, W_half)));
  b->half = add(momentum_of(b, W_half), vlv_free(b, W_half, h, +1));
}

static void eln_turn(body *b, real h) {
  vec gyroscopic = cross(momentum_of(b, b->W), b->W);
  vec W_half = velocity_of(b, add(half_kicked(b, h), mul(h / 2, gyroscopic)));
  turn_in_body(b, cay(mul(h, W_half)));
  b->half = momentum_of(b, W_half);
}
static vec eln_equation(const body *b, vec P, real h, vec x) { /* J x - h/2 Jx (cross) x = J W_half + h/2 tau_1 */
  vec Jx = momentum_of(b, x);
  return sub(sub(Jx, mul(h / 2, cross(Jx, x))), P);
}
static void eln_finish(body *b, real h) {
  b->W = solve(eln_equation, b, add(b->half, mul(h / 2, tau(b))), h, velocity_of(b, b->half));
}

/* exact motion with the kinetic energy P_k^2/(2 J_k) alone: body and momentum turn about axis k */
static void turn_about(body *b, int k, real time) {
  vec angle = V(0, 0, 0), P = momentum_of(b, b->W);
  angle.v[k] = time * b->W.v[k];
  turn_in_body(b, Exp(angle));
  b->W = velocity_of(b, mv(Exp(neg(angle)), P));
}
static void split_turn(body *b, real h) {
  half_kick(b, h);
  turn_about(b, 2, h / 2), turn_about(b, 1, h / 2), turn_about(b, 0, h), turn_about(b, 1, h / 2),
      turn_about(b, 2, h / 2);
}

/* ---------------------------------------------------------------- the step */

typedef struct {
  const char *name;
  void (*turn)(body *, real h), (*finish)(body *, real h);
  int order;
  bool spherical, keeps_spin; /* for equal moments alone; keeps the spatial momentum of a free body of any inertia */
} method;

static const method methods[] = {
    {"rrp", rrp_turn, rrp_finish, 2, true, true},
    {"rrp-newmark", rrp_newmark_turn, rrp_finish, 2, true, true},
    {"rrp-euler", rrp_euler_turn, nothing_left, 1, true, true},
    {"rattle", rattle_turn, momentum_finish, 2, false, true},
    {"vlv", vlv_turn, momentum_finish, 2, false, true},
    {"split", split_turn, half_kick, 2, false, true},
    {"eln", eln_turn, eln_finish, 2, false, false},
};
enum { NMETHODS = sizeof methods / sizeof *methods };

static void take_outer_impulse(assembly *a, real time) {
  for (int i = 0; i < a->bodies; ++i) {
    a->impulse = add(a->impulse, mul(time, a->b[i].outer_force));
    a->angular_impulse = add(a->angular_impulse, mul(time, cross(a->b[i].x, a->b[i].outer_force)));
  }
}
static void kick(assembly *a, real time) {
  for (int i = 0; i < a->bodies; ++i) {
    body *b = &a->b[i];
    b->v = add(b->v, mul(time / b->mass, b->force));
  }
  take_outer_impulse(a, time);
}

/* forces and moments are those of the state, before and after */
static void step(assembly *a, const method *m, real h) {
  const real first = m->order == 1 ? h : h / 2, last = h - first;
  kick(a, first);
  for (int i = 0; i < a->bodies; ++i) {
    a->b[i].x = add(a->b[i].x, mul(h, a->b[i].v));
    m->turn(&a->b[i], h);
  }
  evaluate(a);
  kick(a, last);
  for (int i = 0; i < a->bodies; ++i) m->finish(&a->b[i], h);
}

#endif
