/* runge_kutta.h - the vector field of the Runge-Kutta methods, on a unit quaternion and on W:
 *
 *   q' = q (0, W)/2,   W' = J^-1 (J W x W + torque(q))
 *
 * of which most methods take h times the slope.
 *
 * q is not projected back to unit length, which the field keeps. */
#ifndef SD_RUNGE_KUTTA_H
#define SD_RUNGE_KUTTA_H

#include "body.h"
#include "../elementary.h"

typedef struct {
  quaternion Q;
  vec3 W;
} phase; /* a point of the vector space, or a slope in it */

#define SD_CHANGE_AT
FN phase change_at(const problem *p, const constants *c, phase y, real time, real h) { /* h times the slope */
  vec3 turn = vec3_scale(0.5 * h, y.W), pairs = vec3_times(vec3_scale(h, c->J_gap_over_J), pairs_of(y.W));
  quaternion turning = {-vec3_dot(y.Q.v, turn), vec3_cross_add(y.Q.v, turn, vec3_scale(y.Q.w, turn))};
  phase change = {turning, vec3_times_add(vec3_scale(h, c->J_inverse), p->torque(y.Q, c), pairs)};
  (void)time; /* no torque depends on it */
  return change;
}
FN phase field_at(const problem *p, const constants *c, phase y, real time) {
  return change_at(p, c, y, time, real_splat(1));
}
FN phase phase_axpy(real h, phase slope, phase y) {
  phase next = {{real_fma(h, slope.Q.w, y.Q.w), vec3_axpy(h, slope.Q.v, y.Q.v)}, vec3_axpy(h, slope.W, y.W)};
  return next;
}
FN phase phase_zero(void) {
  phase y = {{real_splat(0), vec3_zero()}, vec3_zero()};
  return y;
}
FN phase phase_select(mask m, phase a, phase b) {
  phase y = {attitude_select(m, a.Q, b.Q), vec3_select(m, a.W, b.W)};
  return y;
}
FN real phase_error(phase e, phase y, phase y1, real rtol, real atol) {
  vec3 w = vec3_make(e.Q.w, e.Q.w, e.Q.w), before = vec3_make(y.Q.w, y.Q.w, y.Q.w);
  vec3 after = vec3_make(y1.Q.w, y1.Q.w, y1.Q.w); /* compilers see that the three are one */
  real Q = real_worst(vec3_relative_error(w, before, after, rtol, atol),
                      vec3_relative_error(e.Q.v, y.Q.v, y1.Q.v, rtol, atol));
  return real_worst(Q, vec3_relative_error(e.W, y.W, y1.W, rtol, atol));
}
FN real begin_time(const state *s) {
  (void)s;
  return real_splat(0);
}
FN phase phase_of(state s) {
  phase y = {s.Q, s.W};
  return y;
}
/* A quaternion so long that its matrix, or how far that is from a rotation, may be no number is made none itself, in
 * the step in which it becomes so: its length may come back, and the body would be lost or not as it is looked at then.
 */
FN state state_of(phase y, state s) {
  mask shown = real_at_most(quaternion_norm2(y.Q), real_splat(1e150));
  s.Q = y.Q;
  s.Q.w = real_select(shown, s.Q.w, real_nan());
  s.W = y.W;
  return s;
}

#endif
