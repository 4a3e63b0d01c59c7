/* lean - symplectic Euler, with parameters: more of them than two. */
#include "../pendulum.h"

FN state lean_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real before = h * (c->parameter[0] * c->parameter[2]), after = h * (c->parameter[1] * c->parameter[2]);
  (void)log;
  s.w = real_fma(before, p->force(s, c), s.w);
  s = turned(s, h * s.w);
  s.w = real_fma(after, p->force(s, c), s.w);
  return s;
}
