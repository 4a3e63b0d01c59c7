/* new3 - Koziara-Bicanic, semi-explicit.  Order 2, symmetric, momentum-preserving for the free body, conjugate to mcg;
 * its energy drifts.
 *
 *   Q_half = Q exp(h/2 W)
 *   exp(h/2 W1) J W1 = exp(-h/2 W) J W + h torque(Q_half)                                         [solve]
 *   Q1     = Q_half exp(h/2 W1)
 *
 * T. Koziara, N. Bicanic, Int. J. Numer. Meth. Engng 81 (2010) 1073-1092, doi:10.1002/nme.2711;
 * eqs. (11) of doi:10.1002/nme.3333. */
#include "../implicit.h"

FN state new3_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  quaternion F = exp_quaternion(vec3_scale(half, s.W));
  attitude Q_half = turn(s.Q, F);
  vec3 P = vec3_axpy(h, p->torque(Q_half, c), quaternion_rotate_back(F, momentum_of(c, s.W)));
  s.W = solve_rotated(c, half, P, log);
  s.Q = turn_exp(Q_half, vec3_scale(half, s.W));
  return s;
}
