/* bce8 - twenty kicks and nineteen drifts in turn, by Blanes, Casas and Escorihuela-Tomas.  Order 8, symmetric,
 * explicit; symplectic where there are no forces.  With forces that depend on the velocity the order is 2.
 *
 *   p <- p + b_i h (f(q, t) + F(q, v)),   (q, t) <- (q + a_i h p/m, t + a_i h),   f = -dV/dq
 *
 * b and a are in nystrom.h, a kick in kick.h.
 *
 * S. Blanes, F. Casas, A. Escorihuela-Tomas, Runge-Kutta-Nystroem symplectic splitting methods of order 8,
 * doi:10.48550/arXiv.2202.01541. */
#include "../kicks_and_drifts.h"

FN state bce8_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double kick[] = BCE8_KICKS, time[] = BCE8_TIMES;
  (void)log;
  return kicks_and_drifts(s, p, c, h, kick, time, BCE8_MOTIONS);
}
