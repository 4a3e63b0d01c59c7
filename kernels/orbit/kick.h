/* kick.h - changes of the momentum where the position stays, by forces that may depend on the velocity. */
#ifndef SD_ORBIT_KICK_H
#define SD_ORBIT_KICK_H

#include "point.h"

/* In air, m v = k + h F(q, v): with w = v - wind, M = m + h drag and C at this height
 *
 *   M w + h C |w| w = g = k + h (pressure + thrust v/|v|) - M wind,   so that   |w| = 2 |g|/(M + sqrt(M^2 + 4 h C |g|))
 *
 * along g: in closed form but for thrust and burn, whose directions are taken from the pass before.  A pass that
 * changes nothing is the last, so no lane's bits depend on how many its neighbours take. */
FN_OFTEN vec3 velocity_after_in_air(const constants *c, vec3 q, vec3 k, real length, real time) {
  enum { PASSES = 12 };
  surroundings here = surroundings_at(c, q, time);
  real h = length * here.lightness;
  real inertia = real_fma(h, c->drag, c->mass);
  vec3 known = vec3_axmy(inertia, here.wind, vec3_axpy(h, here.pressure, k)), v = velocity_of(c, k);
  for (int i = 0; i < PASSES; i++) {
    vec3 g = vec3_axpy(h, burn_force(c, q, v), vec3_axpy(h * c->thrust, direction_of(v), known));
    real root = real_sqrt(real_fma(inertia, inertia, 4.0 * (h * here.drag) * real_sqrt(vec3_norm2(g))));
    vec3 next = vec3_axpy(2.0 / (inertia + root), g, here.wind);
    real change = vec3_norm2(vec3_sub(next, v));
    v = next;
    if (!mask_any(real_less(real_splat(0), change))) break;
  }
  return v;
}

/* The v of m v = k + h F(q, v), in closed form: where there is no air it has the direction of l = k + h pressure, and
 * (m + h drag) |v| = |l| + h thrust. */
FN vec3 velocity_after(const problem *p, const constants *c, vec3 q, vec3 k, real h, real time) {
  if (!is_forced(p, c)) return velocity_of(c, k);
  if (c->aired) return velocity_after_in_air(c, q, k, h, time);
  vec3 l = vec3_axpy(h, c->pressure, k);
  return vec3_scale(real_splat(1) / real_fma(h, c->drag, c->mass), vec3_axpy(h * c->thrust, direction_of(l), l));
}

/* p1 = p + h (f + F(q, v)), m v = (p + p1)/2, and the work. */
FN state kicked(state s, vec3 force, const problem *p, const constants *c, real h, real time) {
  if (is_driven(p, c)) {
    vec3 v = velocity_after(p, c, s.q, vec3_axpy(0.5 * h, force, s.p), 0.5 * h, time);
    vec3 push = c->forced ? push_of(c, s.q, v, time) : vec3_zero();
    if (c->forced) force = vec3_add(force, push);
    s.work = real_fma(h, power_of_push(c, push, s.q, v, time), s.work);
  }
  s.p = vec3_axpy(h, force, s.p);
  return s;
}

#endif
