/* liemid-e2 - explicit Lie midpoint with the impulse at the start of the step.  Order 1.
 *
 *   P = J W + h torque(Q),  Theta = h J^-1 exp(-Theta/2) P                                        [solve]
 *   Q1 = Q exp(Theta),      J W1 = exp(-Theta) P
 *
 * P. Krysl, Int. J. Numer. Meth. Engng 63 (2005) 2171-2193, doi:10.1002/nme.1361. */
#define SD_KICK_FIRST 1.0 /* of a system's forces: all of the kick comes before its bodies move */
#include "../lie_midpoint.h"
#include "../two_halves.h"

EMPTY_FINISH(liemid_e2)
FN liemid_e2_between liemid_e2_turn(state *s, const constants *c, real h, step_log *log) {
  vec3 P = vec3_axpy(h, s->torque, momentum_of(c, s->W));
  rotated after = lie_midpoint_rotation(s->Q, P, c, h, log);
  s->Q = after.Q;
  s->W = velocity_of(c, after.P);
  return nothing_between();
}
TWO_HALVES(liemid_e2)
