/* rk4 - the classical Runge-Kutta method on unit quaternions, which are not projected.  Order 4; neither symmetric nor
 * geometric.
 *
 *   k1 = f(y),  k2 = f(y + h/2 k1),  k3 = f(y + h/2 k2),  k4 = f(y + h k3),  y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4) */
#include "../runge_kutta.h"

FN state rk4_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real time = real_splat(0);
  phase y = phase_of(s), k = change_at(p, c, y, time, h), sum = phase_axpy(real_splat(1.0 / 6), k, y);
  k = change_at(p, c, phase_axpy(real_splat(0.5), k, y), time, h);
  sum = phase_axpy(real_splat(1.0 / 3), k, sum);
  k = change_at(p, c, phase_axpy(real_splat(0.5), k, y), time, h);
  sum = phase_axpy(real_splat(1.0 / 3), k, sum);
  k = change_at(p, c, phase_axpy(real_splat(1), k, y), time, h);
  return state_of(phase_axpy(real_splat(1.0 / 6), k, sum), s);
}
