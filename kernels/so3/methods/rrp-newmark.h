/* rrp-newmark - rescaled Rodrigues parameters a la explicit Newmark, spherical bodies (J = j I): rrp to leading
 * orders.  Order 2, symmetric.
 *
 *   G = W + h/(2 j) torque(Q),  Q1 = Q cay(h G),  W1 = G + h/(2 j) torque(Q1)            (body frame, see rrp)
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (25). */
#include "../body.h"

FN state rrp_newmark_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  vec3 G = kicked(c, half, s.torque, s.W);
  s.Q = turn_cay_of_twice(s.Q, vec3_scale(half, G));
  s.torque = p->torque(s.Q, c);
  s.W = kicked(c, half, s.torque, G);
  return s;
}
