/* runge_kutta.h - the vector field of the Runge-Kutta methods, on the nine entries of Q and on W:
 *
 *   Q' = Q hat(W),   W' = J^-1 (J W x W + torque(Q))
 *
 * Q is not projected back to SO(3). */
#ifndef SD_RUNGE_KUTTA_H
#define SD_RUNGE_KUTTA_H

#define SD_MATRIX_ATTITUDE
#define SD_NARROW /* twelve numbers of state, and as many again for each slope */
#include "body.h"

typedef struct {
  mat3 Q;
  vec3 W;
} phase; /* a point of the vector space, or a slope in it */

FN phase field(const problem *p, const constants *c, phase y) {
  /* a row r of Q gives r hat(W) = r x W */
  phase slope = {mat3_rows(vec3_cross(y.Q.x, y.W), vec3_cross(y.Q.y, y.W), vec3_cross(y.Q.z, y.W)),
                 acceleration(c, y.W, p->torque(y.Q, c))};
  return slope;
}
FN phase phase_axpy(real h, phase slope, phase y) {
  phase next = {mat3_axpy(h, slope.Q, y.Q), vec3_axpy(h, slope.W, y.W)};
  return next;
}
FN phase phase_zero(void) {
  phase y = {mat3_diagonal(vec3_zero()), vec3_zero()};
  return y;
}
FN phase phase_select(mask m, phase a, phase b) {
  phase y = {attitude_select(m, a.Q, b.Q), vec3_select(m, a.W, b.W)};
  return y;
}
FN real phase_error(phase e, phase y, phase y1, real rtol, real atol) {
  real Q = real_worst(real_worst(vec3_relative_error(e.Q.x, y.Q.x, y1.Q.x, rtol, atol),
                                 vec3_relative_error(e.Q.y, y.Q.y, y1.Q.y, rtol, atol)),
                      vec3_relative_error(e.Q.z, y.Q.z, y1.Q.z, rtol, atol));
  return real_worst(Q, vec3_relative_error(e.W, y.W, y1.W, rtol, atol));
}
FN phase field_at(const problem *p, const constants *c, phase y, real time) { /* no torque depends on the time */
  (void)time;
  return field(p, c, y);
}
FN real begin_time(const state *s) {
  (void)s;
  return real_splat(0);
}
FN phase phase_of(state s) {
  phase y = {s.Q, s.W};
  return y;
}
FN state state_of(phase y, state s) {
  s.Q = y.Q;
  s.W = y.W;
  return s;
}

#endif
