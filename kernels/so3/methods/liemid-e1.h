/* liemid-e1 - explicit Lie midpoint with the impulse at the end of the step, the adjoint of liemid-e2.  Order 1.
 *
 *   Theta = h J^-1 exp(-Theta/2) J W                                                              [solve]
 *   Q1 = Q exp(Theta),  J W1 = exp(-Theta) J W + h torque(Q1)
 *
 * P. Krysl, Int. J. Numer. Meth. Engng 63 (2005) 2171-2193, doi:10.1002/nme.1361. */
#define SD_KICK_FIRST 0.0 /* of a system's forces: nothing of the kick comes before its bodies move */
#include "../lie_midpoint.h"
#include "../two_halves.h"

typedef struct {
  vec3 turned; /* exp(-Theta) J W */
} liemid_e1_between;

FN liemid_e1_between liemid_e1_turn(state *s, const constants *c, real h, step_log *log) {
  rotated after = lie_midpoint_rotation(s->Q, momentum_of(c, s->W), c, h, log);
  liemid_e1_between between = {after.P};
  s->Q = after.Q;
  return between;
}
FN void liemid_e1_finish(state *s, liemid_e1_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(h, s->torque, between.turned));
}
TWO_HALVES(liemid_e1)
