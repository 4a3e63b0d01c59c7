/* rrp - explicit variational integrator in rescaled Rodrigues parameters, spherical bodies (J = j I).  Order 2,
 * symmetric, symplectic; equals rattle for these bodies.  Needs h |G| < 1.
 *
 *   G = W + h/(2 j) torque(Q),  alpha = 2 h G / (1 + sqrt(1 - h^2 |G|^2)),  Q1 = Q cay(alpha)
 *   W1 = G + h/(2 j) torque(Q1)
 *
 * Written in the body frame: the increment turns about G itself, so G is the same before and after it.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (23). */
#include "../body.h"

FN state rrp_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 G = kicked(c, half, s.torque, s.W);
  real inside = real_fma(-h * h, vec3_norm2(G), real_splat(1));
  mask valid = real_less(real_splat(0), inside);
  log->outside = log->outside | mask_not(valid);
  real root = real_sqrt(real_select(valid, inside, real_splat(1)));
  s.Q = turn_cay_of_twice(s.Q, vec3_scale(h / (1.0 + root), G));
  s.torque = p->torque(s.Q, c);
  s.W = kicked(c, half, s.torque, G);
  return s;
}
