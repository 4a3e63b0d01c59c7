/* bce8 - twenty kicks and nineteen exact flights of the free body in turn, by Blanes, Casas and Escorihuela-Tomas.
 * Order 8, symmetric, explicit, symplectic, momentum-preserving; a free body is followed to round-off.
 *
 *   J W    <- J W + b_i h torque(Q)
 *   (Q, W) <- exact motion of the free body for a_i h
 *
 * b and a are in nystrom.h, the flight in flight.h.
 *
 * S. Blanes, F. Casas, A. Escorihuela-Tomas, Runge-Kutta-Nystroem symplectic splitting methods of order 8,
 * doi:10.48550/arXiv.2202.01541. */
#include "../kicks_and_flights.h"

FN state bce8_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double kick[] = BCE8_KICKS, time[] = BCE8_TIMES;
  return kicks_and_flights(s, p, c, h, kick, time, BCE8_MOTIONS, log);
}
