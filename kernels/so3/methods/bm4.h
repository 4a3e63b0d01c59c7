/* bm4 - seven kicks and six exact flights of the free body in turn, by Blanes and Moan.  Order 4, symmetric, explicit,
 * symplectic, momentum-preserving; a free body is followed to round-off.
 *
 *   J W    <- J W + b_i h torque(Q)
 *   (Q, W) <- exact motion of the free body for a_i h
 *
 * b and a are in nystrom.h, the flight in flight.h.
 *
 * S. Blanes, P. C. Moan, J. Comput. Appl. Math. 142 (2002) 313-330, doi:10.1016/S0377-0427(01)00492-7. */
#include "../kicks_and_flights.h"

FN state bm4_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double kick[] = BM4_KICKS, time[] = BM4_TIMES;
  return kicks_and_flights(s, p, c, h, kick, time, BM4_MOTIONS, log);
}
