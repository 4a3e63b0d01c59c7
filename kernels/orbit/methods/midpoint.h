/* midpoint - the implicit midpoint rule, with forces by the discrete Lagrange-d'Alembert principle.  Order 2,
 * symmetric; symplectic, and variational, where there are no forces.
 *
 *   q1 = q + h v,   p1 = p + h (f(qm, tm) + F(qm, v)),   m v = (p + p1)/2,   qm = q + h/2 v,   f = -dV/dq
 *
 * The equation for v alone, m v = p + h/2 (f(q + h/2 v, tm) + F(qm, v)), is solved by Newton's method.
 *
 * C. Kane, J. E. Marsden, M. Ortiz, M. West, Int. J. Numer. Meth. Engng 49 (2000) 1295-1325,
 * doi:10.1002/1097-0207(20001210)49:10<1295::AID-NME993>3.0.CO;2-W. */
#include "../point.h"

typedef struct {
  const problem *p;
  const constants *c;
  vec3 position, momentum;
  real half, time; /* time: of the middle */
} midpoint_equation;

FN vec3 midpoint_force(const midpoint_equation *e, vec3 v) {
  vec3 middle = vec3_axpy(e->half, v, e->position), force = e->p->force(middle, e->time, e->c);
  return is_forced(e->p, e->c) ? vec3_add(force, push_of(e->c, middle, v, e->time)) : force;
}
FN linearised midpoint_velocity(vec3 v, const void *data) {
  const midpoint_equation *e = (const midpoint_equation *)data;
  real mass = e->c->mass, half = e->half;
  vec3 known = vec3_axpy(half, midpoint_force(e, v), e->momentum);
  vec3 middle = vec3_axpy(half, v, e->position);
  mat3 stiffness = mat3_scale(half, e->p->force_derivative(middle, e->time, e->c));
  if (is_forced(e->p, e->c)) stiffness = mat3_add(stiffness, push_derivative(e->c, middle, v, e->time));
  linearised at = {vec3_axmy(real_splat(1), known, vec3_scale(mass, v)),
                   mat3_add_diagonal(mat3_scale(-half, stiffness), vec3_make(mass, mass, mass))};
  return at;
}

FN state midpoint_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  midpoint_equation e = {p, c, s.q, s.p, half, s.time + half};
  vec3 start = velocity_of(c, s.p), guess = start; /* then passes of the equation: each adds two orders in h */
  for (int pass = 0; pass < 2; pass++) guess = velocity_of(c, vec3_axpy(half, midpoint_force(&e, guess), s.p));
  vec3 v = newton_solve(midpoint_velocity, &e, guess, start, log);
  if (is_driven(p, c)) s.work = real_fma(h, power_of(c, vec3_axpy(half, v, s.q), v, e.time), s.work);
  s.p = vec3_axpy(h, midpoint_force(&e, v), s.p);
  s.q = vec3_axpy(h, v, s.q);
  return s;
}
