/* vlv - variational Lie-Verlet.  Order 2, symmetric, symplectic: no energy drift.
 *
 *   W_half = W + h/2 J^-1 [J W_half x W_half - h/2 (W_half.J W_half) W_half + torque(Q)]          [solve]
 *   Q1     = Q cay(h W_half)
 *   W1     = W_half + h/2 J^-1 [J W_half x W_half + h/2 (W_half.J W_half) W_half + torque(Q1)]
 *
 * N. Bou-Rabee, J. E. Marsden, Found. Comput. Math. 9 (2009) 197-219, doi:10.1007/s10208-008-9030-4;
 * eqs. (12) of G. Ortolan, A. Saccon, doi:10.1002/nme.3333. */
#include "../two_halves.h"
#include "../../newton1.h"

/* With t = h/2, k = J W + t torque(Q) and r = 1/(1 + t^2 |w|^2) the first equation is J w = r (k + t k x w) for w =
 * W_half, as (I + hat(f) + f f^T) (I - hat(f)) = (1 + |f|^2) I.  That is linear in w, so that by Cramer's rule
 *
 *   w = r (a + r b + r^2 v k) / (d + r^2 e),
 *   a = (J2 J3, J3 J1, J1 J2) * k,  b = t J_gap * (k2 k3, k3 k1, k1 k2),  v = t^2 |k|^2,  d = J1 J2 J3,  e = t^2 k.J k,
 *
 * and its square gives r, a root near 1: k.b = 0, and
 *
 *   (1 - r) (d + r^2 e)^2 = r^3 t^2 (a.a + 2 r a.b + r^2 (b.b + 2 v a.k)) + r^7 v^3. */
typedef struct {
  real d, e, c0, c1, c2, c4; /* r^3 (c0 + c1 r + c2 r^2 + c4 r^4): the right side */
} vlv_shrinking;

FN slope1 vlv_shrunk(real r, const void *data) {
  const vlv_shrinking *q = (const vlv_shrinking *)data;
  real r2 = r * r, er = q->e * r, below = real_fma(er, r, q->d), gap = 1.0 - r;
  real even = real_fma(r2, real_fma(r2, q->c4, q->c2), q->c0), odd = r * q->c1, sum = even + odd;
  real steep = real_fma(real_splat(3), sum, real_fma(r2, real_fma(real_splat(4) * r2, q->c4, 2.0 * q->c2), odd));
  slope1 at = {real_fms(r2 * r, sum, gap * (below * below)),
               real_fma(r2, steep, below * real_fnma(4.0 * er, gap, below))};
  return at;
}
FN vec3 vlv_half_velocity(const constants *c, real t, vec3 k, step_log *log) {
  vec3 J = c->J, minors = pairs_of(J), a = vec3_times(minors, k), b = vec3_times(vec3_scale(t, c->J_gap), pairs_of(k));
  vec3 squares = vec3_times(k, k);
  real t2 = t * t, v = t2 * (squares.x + squares.y + squares.z), d = J.x * minors.x, inverse = 1.0 / d;
  real ab = vec3_dot(a, b), bb = real_fma(v + v, vec3_dot(minors, squares), vec3_dot(b, b));
  vlv_shrinking q = {d, t2 * vec3_dot(J, squares), t2 * vec3_dot(a, a), t2 * (ab + ab), t2 * bb, v * (v * v)};
  real square = inverse * inverse,
       first = square * q.c0; /* 1 - r to second order; far from 1, a start right of the root */
  real second = first * real_fma(real_splat(3), first, 2.0 * (inverse * q.e));
  real guess = 1.0 - (square * (q.c0 + (q.c1 + q.c2)) - second);
  guess = real_max(real_min(guess, real_splat(1)), real_splat(0.9));
  real r = newton_solve1(vlv_shrunk, &q, guess, real_splat(1), log);
  real r2 = r * r, scale = r / real_fma(r2, q.e, d);
  return vec3_scale(scale, vec3_axpy(r2 * v, k, vec3_axpy(r, b, a)));
}

typedef struct {
  vec3 P, half_velocity;
} vlv_between;

FN vlv_between vlv_turn(state *s, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 P = vec3_axpy(half, s->torque, momentum_of(c, s->W));
  vlv_between between = {P, vlv_half_velocity(c, half, P, log)};
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(half, between.half_velocity));
  return between;
}
/* The sum of the two equations: J W1 = J W + h/2 torque(Q) + h J W_half x W_half + h/2 torque(Q1). */
FN void vlv_finish(state *s, vlv_between between, const constants *c, real h, step_log *log) {
  (void)log;
  vec3 turned = vec3_axpy(h, gyroscopic(c, between.half_velocity), between.P);
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, turned));
}
TWO_HALVES(vlv)
