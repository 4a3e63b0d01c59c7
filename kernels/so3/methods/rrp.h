/* rrp - explicit variational integrator in rescaled Rodrigues parameters, spherical bodies (J = j I).  Order 2,
 * symmetric, symplectic; equals rattle for these bodies.  Needs h |G| < 1.
 *
 *   G = W + h/(2 j) torque(Q),  alpha = 2 h G / (1 + sqrt(1 - h^2 |G|^2)),  Q1 = Q cay(alpha)
 *   W1 = G + h/(2 j) torque(Q1)
 *
 * Written in the body frame: the increment turns about G itself, so G is the same before and after it.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (23). */
#include "../two_halves.h"

typedef struct {
  vec3 G;
} rrp_between;

FN rrp_between rrp_turn(state *s, const constants *c, real h, step_log *log) {
  rrp_between between = {kicked(c, 0.5 * h, s->torque, s->W)};
  real inside = real_fma(-h * h, vec3_norm2(between.G), real_splat(1));
  mask valid = real_less(real_splat(0), inside);
  log->outside = log->outside | mask_not(valid);
  real root = real_sqrt(real_select(valid, inside, real_splat(1)));
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(h / (1.0 + root), between.G));
  return between;
}
FN void rrp_finish(state *s, rrp_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = kicked(c, 0.5 * h, s->torque, between.G);
}
TWO_HALVES(rrp)
