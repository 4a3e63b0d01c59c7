/* tln - trapezoidal Lie-Newmark.  Order 2, symmetric; keeps the energy of the tops and the pendulum to round-off,
 * but drifts on a general potential.
 *
 *   J W1 + h/2 W1 x J W1 - h/2 torque(Q1) = J W - h/2 W x J W + h/2 torque(Q)                     [solve]
 *   Q1 = Q cay(h (W + W1)/2)
 *
 * Eqs. (6) of G. Ortolan, A. Saccon, doi:10.1002/nme.3333. */
#include "../trapezoidal.h"

FN linearised tln_velocity(vec3 W1, const void *data) {
  return trapezoidal_linearised(W1, data, turn_cay, cay_tangent);
}

FN state tln_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  return trapezoidal_step(s, p, c, h, log, tln_velocity, turn_cay);
}
