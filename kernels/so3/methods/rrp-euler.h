/* rrp-euler - symplectic Euler in rescaled Rodrigues parameters, spherical bodies (J = j I).  Order 1.
 *
 *   W1 = W + h/j torque(Q),  Q1 = Q cay(h W1)                                            (body frame, see rrp)
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (27). */
#define SD_KICK_FIRST 1.0 /* of a system's forces: all of the kick comes before its bodies move */
#include "../two_halves.h"

EMPTY_FINISH(rrp_euler)
FN rrp_euler_between rrp_euler_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = kicked(c, h, s->torque, s->W);
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(0.5 * h, s->W));
  return nothing_between();
}
TWO_HALVES(rrp_euler)
