/* rk2 - Heun's method on unit quaternions, which are not projected.  Order 2; neither symmetric nor geometric.
 *
 *   k1 = f(y),  k2 = f(y + h k1),  y1 = y + h/2 (k1 + k2) */
#include "../runge_kutta.h"

FN state rk2_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real time = real_splat(0), half = real_splat(0.5);
  phase y = phase_of(s), k1 = change_at(p, c, y, time, h),
        k2 = change_at(p, c, phase_axpy(real_splat(1), k1, y), time, h);
  return state_of(phase_axpy(half, k2, phase_axpy(half, k1, y)), s);
}
