/* lewis-simo - Lewis and Simo, reconstructed.  Order 2, symmetric; symplectic for the free body; keeps the energy and
 * the vertical momentum of any heavy top to round-off.
 *
 *   s = h (1 + |f|^2)/2,  g = h [J W + s/2 (torque(Q) + torque(Q1))],  Q1 = Q cay(2 f)
 *   2 J f - g - g x f - (g.f) f = 0                                                               [solve]
 *   W1 = 2 f/s - W
 *
 * The authors' own scalar s could not be had; what is known of the method leaves one.  Turned by the angle p about
 * w = (W + W1)/2, the free body keeps energy and momentum whatever p is, and the step is symplectic if and only if
 * sin p/|w| is a function of (n.J n) sin^2(p/2), n = w/|w|.  Of the angles that depend on |w| alone, as those of sw-c1
 * (p = h |w|) and akw (tan p/2 = h |w|/2) do, that is sin p = h |w|: rattle's, which is this s.  The torque is akw's.
 *
 * D. Lewis, J. C. Simo, J. Nonlinear Sci. 4 (1994) 253-299, doi:10.1007/BF02430634. */
#include "../body.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 P, torque; /* J W, torque(Q) */
  real h;
} lewis_simo_equation;

/* The residual's derivative is 2 J - hat(g) - f g^T - (g.f) I - (I - hat(f) + f f^T) G, where
 * G = dg/df = h^2/2 [(torque + torque1) f^T + K (I - hat(f))] and K is the derivative of torque1. */
FN linearised lewis_simo_increment(vec3 f, const void *data) {
  const lewis_simo_equation *e = (const lewis_simo_equation *)data;
  attitude Q1 = turn_cay_of_twice(e->Q, f);
  vec3 torques = vec3_add(e->torque, e->p->torque(Q1, e->c)), back = vec3_negate(f);
  vec3 ones = vec3_make(real_splat(1), real_splat(1), real_splat(1));
  real half_square = 0.5 * (e->h * e->h),
       weight = half_square * real_fma(real_splat(0.5), vec3_norm2(f), real_splat(0.5));
  vec3 g = vec3_axpy(weight, torques, vec3_scale(e->h, e->P)), twice_J = vec3_add(e->c->J, e->c->J);
  real along = vec3_dot(g, f);
  mat3 not_turned = mat3_add_diagonal(mat3_hat(back), ones); /* I - hat(f) */
  mat3 G = mat3_outer_add(torques, f, mat3_multiply(e->p->torque_derivative(Q1, e->c), not_turned));
  mat3 forced = mat3_scale(-half_square, mat3_multiply(mat3_outer_add(f, f, not_turned), G));
  mat3 slope = mat3_add(mat3_outer_add(back, g, mat3_hat(vec3_negate(g))), forced);
  linearised at = {vec3_sub(vec3_times(twice_J, f), vec3_axpy(along, f, vec3_cross_add(g, f, g))),
                   mat3_add_diagonal(slope, vec3_sub(twice_J, vec3_make(along, along, along)))};
  return at;
}

FN state lewis_simo_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  lewis_simo_equation e = {p, c, s.Q, momentum_of(c, s.W), s.torque, h};
  vec3 first = vec3_scale(half, s.W), guess = vec3_axpy(half * half, acceleration(c, s.W, s.torque), first);
  vec3 f = newton_solve(lewis_simo_increment, &e, guess, first, log);
  real rate = 4.0 / (h * (1.0 + vec3_norm2(f))); /* 2/s */
  s.Q = turn_cay_of_twice(s.Q, f);
  s.torque = p->torque(s.Q, c);
  s.W = vec3_sub(vec3_scale(rate, f), s.W);
  return s;
}
