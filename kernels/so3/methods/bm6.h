/* bm6 - twelve kicks and eleven exact flights of the free body in turn, by Blanes and Moan.  Order 6, symmetric,
 * explicit, symplectic, momentum-preserving; a free body is followed to round-off.
 *
 *   J W    <- J W + b_i h torque(Q)
 *   (Q, W) <- exact motion of the free body for a_i h
 *
 * b and a are in nystrom.h, the flight in flight.h.
 *
 * S. Blanes, P. C. Moan, J. Comput. Appl. Math. 142 (2002) 313-330, doi:10.1016/S0377-0427(01)00492-7. */
#include "../kicks_and_flights.h"

FN state bm6_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double kick[] = BM6_KICKS, time[] = BM6_TIMES;
  return kicks_and_flights(s, p, c, h, kick, time, BM6_MOTIONS, log);
}
