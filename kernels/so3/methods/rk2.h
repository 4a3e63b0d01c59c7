/* rk2 - Heun's method on the embedding of SO(3) in R^9.  Order 2; neither symmetric nor geometric.
 *
 *   k1 = f(y),  k2 = f(y + h k1),  y1 = y + h/2 (k1 + k2) */
#include "../runge_kutta.h"

FN state rk2_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  phase y = phase_of(s), k1 = field(p, c, y), k2 = field(p, c, phase_axpy(h, k1, y));
  return state_of(phase_axpy(0.5 * h, k2, phase_axpy(0.5 * h, k1, y)), s);
}
