/* trapm - momentum-preserving trapezoid, conjugate to liemid-i.  Order 2, symmetric.
 *
 *   Q_half = Q exp(h/2 W),  P_half = exp(-h/2 W)(J W + h/2 torque(Q))
 *   J W1 = exp(-h/2 W1) P_half + h/2 torque(Q1),  Q1 = Q_half exp(h/2 W1)                         [solve]
 *
 * P. Krysl, Commun. Numer. Meth. Engng 24 (2008) 141-156, doi:10.1002/cnm.963. */
#include "../implicit.h"

FN state trapm_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  quaternion F = exp_quaternion(vec3_scale(half, s.W));
  attitude Q_half = turn(s.Q, F);
  vec3 P_half = quaternion_rotate_back(F, vec3_axpy(half, s.torque, momentum_of(c, s.W)));
  vec3 guess = vec3_axpy(h, acceleration(c, s.W, s.torque), s.W);
  s.W = solve_rotated_forced(p, c, half, Q_half, P_half, guess, log);
  s.Q = turn_exp(Q_half, vec3_scale(half, s.W));
  s.torque = p->torque(s.Q, c);
  return s;
}
