/* rrp-newmark - rescaled Rodrigues parameters a la explicit Newmark, spherical bodies (J = j I): rrp to leading
 * orders.  Order 2, symmetric.
 *
 *   G = W + h/(2 j) torque(Q),  Q1 = Q cay(h G),  W1 = G + h/(2 j) torque(Q1)            (body frame, see rrp)
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (25). */
#include "../two_halves.h"

typedef struct {
  vec3 G;
} rrp_newmark_between;

FN rrp_newmark_between rrp_newmark_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  rrp_newmark_between between = {kicked(c, half, s->torque, s->W)};
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(half, between.G));
  return between;
}
FN void rrp_newmark_finish(state *s, rrp_newmark_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = kicked(c, 0.5 * h, s->torque, between.G);
}
TWO_HALVES(rrp_newmark)
