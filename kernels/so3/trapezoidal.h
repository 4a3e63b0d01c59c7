/* trapezoidal.h - the step of tln and tln-exp, which differ in the map (cay or exp) alone. */
#ifndef SD_TRAPEZOIDAL_H
#define SD_TRAPEZOIDAL_H

#include "body.h"

typedef attitude (*turn_map)(attitude, vec3);
typedef mat3 (*tangent_map)(vec3);

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 W, right_side;
  real h;
} trapezoidal_equation;

/* J W1 - h/2 J W1 x W1 - h/2 torque(Q1) = right side,  Q1 = Q map(h (W + W1)/2) */
FN linearised trapezoidal_linearised(vec3 W1, const void *data, turn_map turn_by, tangent_map tangent) {
  const trapezoidal_equation *e = (const trapezoidal_equation *)data;
  real half = 0.5 * e->h;
  vec3 x = vec3_scale(half, vec3_add(e->W, W1));
  attitude Q1 = turn_by(e->Q, x);
  vec3 force = vec3_add(gyroscopic(e->c, W1), e->p->torque(Q1, e->c));
  mat3 turning = mat3_scale(half, mat3_multiply(e->p->torque_derivative(Q1, e->c), tangent(x)));
  mat3 slope = mat3_scale(-half, mat3_add(gyroscopic_derivative(e->c, W1), turning));
  linearised at = {vec3_sub(vec3_axmy(half, force, momentum_of(e->c, W1)), e->right_side),
                   mat3_add_diagonal(slope, e->c->J)};
  return at;
}

FN state trapezoidal_step(state s, const problem *p, const constants *c, real h, step_log *log, equation velocity,
                          turn_map turn_by) {
  vec3 change = acceleration(c, s.W, s.torque);
  vec3 right_velocity = vec3_axpy(0.5 * h, change, s.W);
  trapezoidal_equation e = {p, c, s.Q, s.W, momentum_of(c, right_velocity), h};
  vec3 W1 = newton_solve(velocity, &e, vec3_axpy(h, change, s.W), right_velocity, log);
  s.Q = turn_by(s.Q, vec3_scale(0.5 * h, vec3_add(s.W, W1)));
  s.torque = p->torque(s.Q, c);
  s.W = W1;
  return s;
}

#endif
