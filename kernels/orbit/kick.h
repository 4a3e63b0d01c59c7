/* kick.h - changes of the momentum where the position stays, by forces that may depend on the velocity. */
#ifndef SD_ORBIT_KICK_H
#define SD_ORBIT_KICK_H

#include "point.h"

/* The v of m v = k + h F(v), in closed form: it has the direction of l = k + h pressure, and
 * (m + h drag) |v| = |l| + h thrust. */
FN vec3 velocity_after(const constants *c, vec3 k, real h) {
  if (!c->forced) return velocity_of(c, k);
  vec3 l = vec3_axpy(h, c->pressure, k);
  return vec3_scale(real_splat(1) / real_fma(h, c->drag, c->mass), vec3_axpy(h * c->thrust, direction_of(l), l));
}

/* p1 = p + h (f + F(v)), m v = (p + p1)/2, and the work. */
FN state kicked(state s, vec3 force, const constants *c, real h, real time) {
  if (is_driven(c)) {
    vec3 v = velocity_after(c, vec3_axpy(0.5 * h, force, s.p), 0.5 * h);
    if (c->forced) force = vec3_add(force, push_of(c, v));
    s.work = real_fma(h, power_of(c, s.q, v, time), s.work);
  }
  s.p = vec3_axpy(h, force, s.p);
  return s;
}

#endif
