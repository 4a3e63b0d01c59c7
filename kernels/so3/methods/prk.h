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
#include "../two_halves.h"

typedef struct {
  vec3 half_velocity;
} prk_between;

FN prk_between prk_turn(state *s, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  prk_between between = {solve_gyroscopic(c, half, kicked(c, half, s->torque, s->W), log)};
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(half, between.half_velocity));
  return between;
}
FN void prk_finish(state *s, prk_between between, const constants *c, real h, step_log *log) {
  (void)log;
  vec3 half_velocity = between.half_velocity;
  s->W = vec3_axpy(0.5 * h, acceleration(c, half_velocity, s->torque), half_velocity);
}
TWO_HALVES(prk)
