/* rk4 - the classical Runge-Kutta method.  Order 4; it dissipates.
 *
 *   k1 = f(t, y),  k2 = f(t + h/2, y + h/2 k1),  k3 = f(t + h/2, y + h/2 k2),  k4 = f(t + h, y + h k3)
 *   y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4) */
#include "../runge_kutta.h"

FN state rk4_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real sixth = h * (1.0 / 6.0), third = h * (1.0 / 3.0), half = 0.5 * h, middle = s.time + half;
  phase y = phase_of(s), k1 = field_at(p, c, y, s.time);
  phase k2 = field_at(p, c, phase_axpy(half, k1, y), middle);
  phase k3 = field_at(p, c, phase_axpy(half, k2, y), middle);
  phase k4 = field_at(p, c, phase_axpy(h, k3, y), s.time + h);
  y = phase_axpy(sixth, k4, phase_axpy(third, k3, phase_axpy(third, k2, phase_axpy(sixth, k1, y))));
  return state_of(y, s);
}
