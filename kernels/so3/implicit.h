/* implicit.h - the implicit equations that several methods share, each with its exact Jacobian.
 *
 * The first guess comes from passes of the equation itself, each of which adds an order in h: three of them are
 * cheaper than the Newton iteration that they save. */
#ifndef SD_IMPLICIT_H
#define SD_IMPLICIT_H

#include "body.h"

/* W = known + t J^-1 (J W x W) */
typedef struct {
  vec3 known, rate; /* rate = t J^-1 J_gap */
} gyroscopic_equation;
FN linearised gyroscopic_linearised(vec3 W, const void *data) {
  const gyroscopic_equation *e = (const gyroscopic_equation *)data;
  vec3 r = e->rate;
  real one = real_splat(1);
  linearised at = {vec3_sub(W, vec3_times_add(r, pairs_of(W), e->known)),
                   mat3_rows(vec3_make(one, -r.x * W.z, -r.x * W.y), vec3_make(-r.y * W.z, one, -r.y * W.x),
                             vec3_make(-r.z * W.y, -r.z * W.x, one))};
  return at;
}
FN vec3 solve_gyroscopic(const constants *c, real t, vec3 known, step_log *log) {
  gyroscopic_equation e = {known, vec3_scale(t, c->J_gap_over_J)};
  vec3 guess = known;
  for (int pass = 0; pass < 3; pass++) guess = vec3_times_add(e.rate, pairs_of(guess), known);
  return newton_solve(gyroscopic_linearised, &e, guess, known, log);
}

/* J W = exp(-t W) P.  With y = exp(-t W) P:  dy = t hat(y) T(t W) dW, T the tangent of exp. */
typedef struct {
  const constants *c;
  vec3 P;
  real t;
} rotated_equation;

FN linearised rotated_linearised(vec3 W, const void *data) {
  const rotated_equation *e = (const rotated_equation *)data;
  vec3 x = vec3_scale(e->t, W);
  rotation_series f = real_rotation_series(vec3_norm2(x));
  vec3 y = hat_polynomial_apply(-f.sinc, f.cosc, x, e->P);
  mat3 tangent = hat_polynomial(-f.cosc, f.sinc3, x);
  mat3 slope = mat3_multiply(mat3_hat(vec3_scale(-e->t, y)), tangent);
  linearised at = {vec3_sub(momentum_of(e->c, W), y), mat3_add_diagonal(slope, e->c->J)};
  return at;
}
FN vec3 solve_rotated(const constants *c, real t, vec3 P, step_log *log) {
  rotated_equation e = {c, P, t};
  vec3 W = velocity_about(c, P), guess = velocity_about(c, vec3_cross_add(P, vec3_scale(t, W), P));
  vec3 x = vec3_scale(t, guess), turned = vec3_cross(P, x);
  guess = velocity_about(c, vec3_add(P, vec3_cross_add(turned, vec3_scale(real_splat(0.5), x), turned)));
  return newton_solve(rotated_linearised, &e, guess, velocity_about(c, P), log);
}

/* J W = exp(-t W) P + t torque(Q exp(t W)) */
typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 P;
  real t;
} rotated_forced_equation;

FN linearised rotated_forced_linearised(vec3 W, const void *data) {
  const rotated_forced_equation *e = (const rotated_forced_equation *)data;
  vec3 x = vec3_scale(e->t, W);
  rotation_series f = real_rotation_series(vec3_norm2(x));
  vec3 y = hat_polynomial_apply(-f.sinc, f.cosc, x, e->P);
  mat3 tangent = hat_polynomial(-f.cosc, f.sinc3, x);
  attitude Q = turn_exp(e->Q, x);
  vec3 torque = e->p->torque(Q, e->c);
  mat3 stiffness = mat3_axpy(e->t, e->p->torque_derivative(Q, e->c), mat3_hat(y));
  mat3 slope = mat3_scale(-e->t, mat3_multiply(stiffness, tangent));
  linearised at = {vec3_sub(vec3_sub(momentum_of(e->c, W), y), vec3_scale(e->t, torque)),
                   mat3_add_diagonal(slope, e->c->J)};
  return at;
}
FN vec3 solve_rotated_forced(const problem *p, const constants *c, real t, attitude Q, vec3 P, vec3 guess,
                             step_log *log) {
  rotated_forced_equation e = {p, c, Q, P, t};
  return newton_solve(rotated_forced_linearised, &e, guess, velocity_about(c, P), log);
}

#endif
