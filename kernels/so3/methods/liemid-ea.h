/* liemid-ea - explicit Lie midpoint, alternating: half a step of liemid-e2, half a step of its adjoint liemid-e1.
 * Order 2, symmetric, momentum-preserving for the free body; its energy drifts.
 *
 *   P      = J W + h/2 torque(Q)
 *   Theta  = h/2 J^-1 exp(-Theta/2) P                                                             [solve]
 *   Q_half = Q exp(Theta),  P_half = exp(-Theta) P
 *   Theta' = h/2 J^-1 exp(-Theta'/2) P_half                                                       [solve]
 *   Q1     = Q_half exp(Theta'),  J W1 = exp(-Theta') P_half + h/2 torque(Q1)
 *
 * P. Krysl, Int. J. Numer. Meth. Engng 63 (2005) 2171-2193, doi:10.1002/nme.1361; eqs. (7) of doi:10.1002/nme.3333. */
#include "../lie_midpoint.h"
#include "../two_halves.h"

typedef struct {
  vec3 turned; /* exp(-Theta') P_half */
} liemid_ea_between;

FN liemid_ea_between liemid_ea_turn(state *s, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vec3 P = vec3_axpy(half, s->torque, momentum_of(c, s->W));
  rotated first = lie_midpoint_rotation(s->Q, P, c, half, log);
  rotated second = lie_midpoint_rotation(first.Q, first.P, c, half, log);
  liemid_ea_between between = {second.P};
  s->Q = second.Q;
  return between;
}
FN void liemid_ea_finish(state *s, liemid_ea_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.turned));
}
TWO_HALVES(liemid_ea)
