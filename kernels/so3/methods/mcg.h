/* mcg - modified Crouch-Grossman.  Order 2, symmetric, momentum-preserving for the free body, conjugate to new3; its
 * energy drifts.
 *
 *   P      = J W + h/2 torque(Q)
 *   W_half = J^-1 exp(-h/2 W_half) P                                                              [solve]
 *   Q1     = Q exp(h W_half)
 *   J W1   = exp(-h W_half) P + h/2 torque(Q1)
 *
 * P. K. V. V. Nukala, W. Shelton, Int. J. Numer. Meth. Engng 69 (2007) 2636-2662, doi:10.1002/nme.1862;
 * eqs. (10) of doi:10.1002/nme.3333. */
#include "../implicit.h"
#include "../two_halves.h"

typedef struct {
  vec3 turned; /* exp(-h W_half) P */
} mcg_between;

FN mcg_between mcg_turn(state *s, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 P = vec3_axpy(half, s->torque, momentum_of(c, s->W));
  vec3 half_velocity = solve_rotated(c, half, P, log);
  quaternion F = exp_quaternion(vec3_scale(h, half_velocity));
  mcg_between between = {quaternion_rotate_back(F, P)};
  s->Q = turn(s->Q, F);
  return between;
}
FN void mcg_finish(state *s, mcg_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.turned));
}
TWO_HALVES(mcg)
