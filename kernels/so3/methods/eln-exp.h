/* eln-exp - explicit Lie-Newmark as first proposed, with exp in place of cay; see eln.
 *
 *   W_half = W + h/2 J^-1 (J W x W + torque(Q))
 *   Q1     = Q exp(h W_half)
 *   W1     = W_half + h/2 J^-1 (J W1 x W1 + torque(Q1))                                           [solve]
 *
 * J. C. Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Engrg 66 (1988) 125-161, doi:10.1016/0045-7825(88)90073-4. */
#include "../implicit.h"

FN state eln_exp_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 half_velocity = vec3_axpy(half, acceleration(c, s.W, s.torque), s.W);
  s.Q = turn_exp(s.Q, vec3_scale(h, half_velocity));
  s.torque = p->torque(s.Q, c);
  s.W = solve_gyroscopic(c, half, kicked(c, half, s.torque, half_velocity), log);
  return s;
}
