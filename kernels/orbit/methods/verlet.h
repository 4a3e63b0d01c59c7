/* verlet - Stoermer-Verlet, with forces by the discrete Lagrange-d'Alembert principle.  Order 2, symmetric; symplectic
 * where there are no forces.
 *
 *   m v = p + h/2 (f(q, t) + F(q, v)),   q1 = q + h v,   p1 = m v + h/2 (f(q1, t1) + F(q1, v)),   f = -dV/dq
 *
 * The first equation is solved by kick.h.
 *
 * E. Hairer, C. Lubich, G. Wanner, Acta Numer. 12 (2003) 399-450, doi:10.1017/S0962492902000144; forces: C. Kane,
 * J. E. Marsden, M. Ortiz, M. West, Int. J. Numer. Meth. Engng 49 (2000) 1295-1325,
 * doi:10.1002/1097-0207(20001210)49:10<1295::AID-NME993>3.0.CO;2-W. */
#include "../kick.h"

FN state verlet_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h, end = s.time + h;
  vec3 force =
      has_others(p, c) ? p->force(s.q, s.time, c) : s.force; /* one that moves is not where the last step left it */
  vec3 middle = vec3_axpy(half, force, s.p), v = velocity_after(p, c, s.q, middle, half, s.time), q = s.q;
  s.q = vec3_axpy(h, v, q);
  s.force = p->force(s.q, end, c);
  if (is_forced(p, c)) middle = vec3_axpy(h, mean_push(c, q, s.q, v, s.time, end), middle);
  s.p = vec3_axpy(half, s.force, middle);
  if (is_driven(p, c)) s.work = real_fma(half, power_of(c, q, v, s.time) + power_of(c, s.q, v, end), s.work);
  return s;
}
