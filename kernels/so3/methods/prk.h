/* prk - partitioned Runge-Kutta Munthe-Kaas.  Order 2, symmetric, momentum-preserving for the free body; its energy
 * drifts.
 *
 *   W_half = W + h/2 J^-1 (torque(Q) - W_half x J W_half)                                         [solve]
 *   Q1     = Q cay(h W_half)
 *   W1     = W_half + h/2 J^-1 (torque(Q1) - W_half x J W_half)
 *
 * P. K. V. V. Nukala, W. Shelton, Int. J. Numer. Meth. Engng 69 (2007) 2636-2662, doi:10.1002/nme.1862;
 * eqs. (9) of doi:10.1002/nme.3333. */
#include "../implicit.h"

FN state prk_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 half_velocity = solve_gyroscopic(c, half, kicked(c, half, s.torque, s.W), log);
  s.Q = turn_cay_of_twice(s.Q, vec3_scale(half, half_velocity));
  s.torque = p->torque(s.Q, c);
  s.W = vec3_axpy(half, acceleration(c, half_velocity, s.torque), half_velocity);
  return s;
}
