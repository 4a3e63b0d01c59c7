/* liemid-i - implicit Lie midpoint (also IMIDM).  Order 2, symmetric, conjugate to trapm.
 *
 *   Theta = h J^-1 [exp(-Theta/2) J W + h/2 torque(Q exp(Theta/2))]                               [solve]
 *   Q1 = Q exp(Theta)
 *   J W1 = exp(-Theta) J W + h exp(-Theta/2) torque(Q exp(Theta/2))
 *
 * Solved for W_mid = Theta/h.  With P_mid = J W_mid, the last line is J W1 = exp(-Theta/2)(2 P_mid - exp(-Theta/2) J
 * W).
 *
 * P. Krysl, Commun. Numer. Meth. Engng 24 (2008) 141-156, doi:10.1002/cnm.963. */
#include "../implicit.h"

FN state liemid_i_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 P = momentum_of(c, s.W), guess = vec3_axpy(half, acceleration(c, s.W, s.torque), s.W);
  vec3 mid_velocity = solve_rotated_forced(p, c, half, s.Q, P, guess, log);
  quaternion F = exp_quaternion(vec3_scale(half, mid_velocity));
  attitude Q_mid = turn(s.Q, F);
  vec3 P_mid = vec3_axpy(h, p->torque(Q_mid, c), quaternion_rotate_back(F, P));
  s.W = velocity_of(c, quaternion_rotate_back(F, P_mid));
  s.Q = turn(Q_mid, F);
  s.torque = p->torque(s.Q, c); /* serves the next first guess */
  return s;
}
