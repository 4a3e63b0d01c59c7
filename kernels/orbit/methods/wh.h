/* wh - Wisdom and Holman's method: half a kick by everything but the centre, the exact orbit about the centre, half a
 * kick.  Order 2, symmetric; symplectic where there are no forces; exact, but for rounding, where there is nothing but
 * the centre.
 *
 *   m v       = p + h/2 (f'(q, t) + F(q, v))
 *   (q1, v1)  = where (q, v) is on its two-body orbit after the time h
 *   p1        = m v1 + h/2 (f'(q1, t1) + F(q1, v1))          f' = -dV/dq without the centre's part
 *
 * The first kick is solved (kick.h), the orbit by universal variables (kepler.h).
 *
 * J. Wisdom, M. Holman, Astron. J. 102 (1991) 1528-1538, doi:10.1086/115978. */
#include "../kepler.h"
#include "../kick.h"

FN vec3 wh_force(const problem *p, const constants *c, vec3 q, real time) { /* f' */
  return p->bare ? vec3_zero() : perturbing_force(q, time, c);
}

FN state wh_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h, end = s.time + h;
  (void)log;
  vec3 kick = vec3_axpy(half, wh_force(p, c, s.q, s.time), s.p), v = velocity_after(p, c, s.q, kick, half, s.time);
  kepler_point at = kepler_after(s.q, v, c->mu, h);
  if (is_driven(p, c)) s.work = real_fma(half, power_of(c, s.q, v, s.time) + power_of(c, at.q, at.v, end), s.work);
  vec3 force = wh_force(p, c, at.q, end);
  if (is_forced(p, c)) force = vec3_add(force, push_of(c, at.q, at.v, end));
  s.q = at.q;
  s.p = vec3_axpy(half, force, vec3_scale(c->mass, at.v));
  return s;
}
