/* free-exact - kick, the exact motion of the free body, kick.  Order 2, symmetric, explicit, symplectic,
 * momentum-preserving; a free body is followed to round-off.
 *
 *   P        = J W + h/2 torque(Q)
 *   (Q1, P1) = exact flow of Q' = Q hat(J^-1 P), P' = P x J^-1 P, from (Q, P), for the time h
 *   J W1     = P1 + h/2 torque(Q1)
 *
 * The flow is in flight.h.
 *
 * E. Celledoni, F. Fasso, N. Safstrom, A. Zanna, SIAM J. Sci. Comput. 30 (2008) 2084-2112, doi:10.1137/070704393. */
#include "../two_halves.h"
#include "../flight.h"

typedef struct {
  vec3 P1;
} free_exact_between;

FN free_exact_between free_exact_turn(state *s, const constants *c, real h, step_log *log) {
  free_exact_between between = {vec3_axpy(0.5 * h, s->torque, momentum_of(c, s->W))};
  fly(h, c, &s->Q, &between.P1, log);
  s->Q = quaternion_renormalise(s->Q);
  return between;
}
FN void free_exact_finish(state *s, free_exact_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.P1));
}
TWO_HALVES(free_exact)
