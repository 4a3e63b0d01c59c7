/* eln - explicit Lie-Newmark (also NMB).  Order 2, symmetric, explicit in the torque; its energy drifts.
 *
 *   W_half = W + h/2 J^-1 (J W x W + torque(Q))
 *   Q1     = Q cay(h W_half)
 *   W1     = W_half + h/2 J^-1 (J W1 x W1 + torque(Q1))                                           [solve]
 *
 * J. C. Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Engrg 66 (1988) 125-161, doi:10.1016/0045-7825(88)90073-4;
 * eqs. (4) of G. Ortolan, A. Saccon, doi:10.1002/nme.3333. */
#include "../implicit.h"
#include "../two_halves.h"

typedef struct {
  vec3 half_velocity;
} eln_between;

FN vec3 eln_kicked(const constants *c, real t, vec3 torque, vec3 W) { /* t J^-1 is the same in both halves */
  return vec3_times_add(vec3_scale(t, c->J_inverse), torque, W);
}
FN eln_between eln_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  vec3 drifted = vec3_times_add(vec3_scale(half, c->J_gap_over_J), pairs_of(s->W), s->W);
  eln_between between = {eln_kicked(c, half, s->torque, drifted)};
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(half, between.half_velocity));
  return between;
}
FN void eln_finish(state *s, eln_between between, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  s->W = solve_gyroscopic(c, half, eln_kicked(c, half, s->torque, between.half_velocity), log);
}
TWO_HALVES(eln)
