/* eln-exp - explicit Lie-Newmark as first proposed, with exp in place of cay; see eln.
 *
 *   W_half = W + h/2 J^-1 (J W x W + torque(Q))
 *   Q1     = Q exp(h W_half)
 *   W1     = W_half + h/2 J^-1 (J W1 x W1 + torque(Q1))                                           [solve]
 *
 * J. C. Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Engrg 66 (1988) 125-161, doi:10.1016/0045-7825(88)90073-4. */
#include "../implicit.h"
#include "../two_halves.h"

typedef struct {
  vec3 half_velocity;
} eln_exp_between;

FN eln_exp_between eln_exp_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  eln_exp_between between = {vec3_axpy(0.5 * h, acceleration(c, s->W, s->torque), s->W)};
  s->Q = turn_exp(s->Q, vec3_scale(h, between.half_velocity));
  return between;
}
FN void eln_exp_finish(state *s, eln_exp_between between, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  s->W = solve_gyroscopic(c, half, kicked(c, half, s->torque, between.half_velocity), log);
}
TWO_HALVES(eln_exp)
