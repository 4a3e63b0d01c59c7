/* rk2 - Heun's method: y1 = y + h/2 (k1 + k2), k1 = f(t, y), k2 = f(t + h, y + h k1).  Order 2. */
#include "../runge_kutta.h"

FN state rk2_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  phase y = phase_of(s), first = field_at(p, c, y, s.time),
        second = field_at(p, c, phase_axpy(h, first, y), s.time + h);
  return state_of(phase_axpy(half, second, phase_axpy(half, first, y)), s);
}
