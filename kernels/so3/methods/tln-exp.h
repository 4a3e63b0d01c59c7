/* tln-exp - trapezoidal Lie-Newmark as first proposed, with exp in place of cay; see tln.
 *
 *   J W1 + h/2 W1 x J W1 - h/2 torque(Q1) = J W - h/2 W x J W + h/2 torque(Q)                     [solve]
 *   Q1 = Q exp(h (W + W1)/2)
 *
 * J. C. Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Engrg 66 (1988) 125-161, doi:10.1016/0045-7825(88)90073-4. */
#include "../trapezoidal.h"

FN linearised tln_exp_velocity(vec3 W1, const void *data) {
  return trapezoidal_linearised(W1, data, turn_exp, exp_tangent);
}

FN state tln_exp_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  return trapezoidal_step(s, p, c, h, log, tln_exp_velocity, turn_exp);
}
