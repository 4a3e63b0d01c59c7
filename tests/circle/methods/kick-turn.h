/* kick-turn - half a kick, a turn, half a kick.  Order 2, symmetric, symplectic. */
#include "../pendulum.h"

FN state kick_turn_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  (void)log;
  s.w = real_fma(half, p->force(s, c), s.w);
  s = turned(s, h * s.w);
  s.w = real_fma(half, p->force(s, c), s.w);
  return s;
}
