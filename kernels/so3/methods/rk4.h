/* rk4 - the classical Runge-Kutta method on the embedding of SO(3) in R^9.  Order 4; neither symmetric nor geometric.
 *
 *   k1 = f(y),  k2 = f(y + h/2 k1),  k3 = f(y + h/2 k2),  k4 = f(y + h k3),  y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4) */
#include "../runge_kutta.h"

FN state rk4_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real sixth = h * (1.0 / 6.0), third = h * (1.0 / 3.0), half = 0.5 * h;
  phase y = phase_of(s), sum = y, k = field(p, c, y);
  sum = phase_axpy(sixth, k, sum);
  k = field(p, c, phase_axpy(half, k, y));
  sum = phase_axpy(third, k, sum);
  k = field(p, c, phase_axpy(half, k, y));
  sum = phase_axpy(third, k, sum);
  k = field(p, c, phase_axpy(h, k, y));
  return state_of(phase_axpy(sixth, k, sum), s);
}
