/* runge_kutta.h - the vector field of the Runge-Kutta methods, on q, p and the work:
 *
 *   q' = p/m,   p' = -dV/dq(q, t) + F(q, v, t),   w' = F.v + dV/dt */
#ifndef SD_ORBIT_RUNGE_KUTTA_H
#define SD_ORBIT_RUNGE_KUTTA_H

#include "point.h"

typedef struct {
  vec3 q, p;
  real work;
} phase; /* a point of the vector space, or a slope in it */

FN phase field_at(const problem *p, const constants *c, phase y, real time) {
  phase slope = {velocity_of(c, y.p), p->force(y.q, time, c), real_splat(0)};
  vec3 push = is_forced(p, c) ? push_of(c, y.q, slope.q, time) : vec3_zero();
  if (is_forced(p, c)) slope.p = vec3_add(slope.p, push);
  if (is_driven(p, c)) slope.work = power_of_push(c, push, y.q, slope.q, time);
  return slope;
}
FN phase phase_axpy(real h, phase slope, phase y) {
  phase next = {vec3_axpy(h, slope.q, y.q), vec3_axpy(h, slope.p, y.p), real_fma(h, slope.work, y.work)};
  return next;
}
FN phase phase_zero(void) {
  phase y = {vec3_zero(), vec3_zero(), real_splat(0)};
  return y;
}
FN phase phase_select(mask m, phase a, phase b) {
  phase y = {vec3_select(m, a.q, b.q), vec3_select(m, a.p, b.p), real_select(m, a.work, b.work)};
  return y;
}
FN real phase_error(phase e, phase y, phase y1, real rtol, real atol) {
  return real_worst(vec3_relative_error(e.q, y.q, y1.q, rtol, atol), vec3_relative_error(e.p, y.p, y1.p, rtol, atol));
}
FN real begin_time(const state *s) {
  return s->time;
}
FN phase phase_of(state s) {
  phase y = {s.q, s.p, s.work};
  return y;
}
FN state state_of(phase y, state s) {
  s.q = y.q;
  s.p = y.p;
  s.work = y.work;
  return s;
}

#endif
