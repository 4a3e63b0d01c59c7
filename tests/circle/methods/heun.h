/* heun - y1 = y + h/2 (k1 + k2), k1 = f(y), k2 = f(y + h k1), on x, y and w: it leaves the circle. */
#include "../pendulum.h"

FN state heun_slope(state s, const problem *p, const constants *c) {
  state slope = {-s.y * s.w, s.x * s.w, p->force(s, c)};
  return slope;
}
FN state heun_axpy(real h, state slope, state s) {
  state to = {real_fma(h, slope.x, s.x), real_fma(h, slope.y, s.y), real_fma(h, slope.w, s.w)};
  return to;
}
FN state heun_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  (void)log;
  state first = heun_slope(s, p, c), second = heun_slope(heun_axpy(h, first, s), p, c);
  return heun_axpy(half, second, heun_axpy(half, first, s));
}
