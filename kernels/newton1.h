/* newton1.h - as newton.h, for one unknown: what a system comes to that is linear but for one number. */
#ifndef SD_NEWTON1_H
#define SD_NEWTON1_H

#include "newton.h"

typedef struct {
  real value, slope;
} slope1;

typedef slope1 (*equation1)(real x, const void *data);

/* x to the last bit of `unit`, over which the slope changes by as much as itself, if not more slowly. */
FN real newton_solve1(equation1 system, const void *data, real guess, real unit, step_log *log) {
  const real tolerance = 0x1p-54 * (unit * unit);
  real x = guess;
  mask active = log->alive;
  for (int i = 0; i < NEWTON_CAP; i++) {
    slope1 at_x = system(x, data);
    real inverse = 1.0 / at_x.slope, first = inverse * at_x.value, nearer = x - first;
    real second = inverse * system(nearer, data).value;
    x = real_select(active, nearer - second, x);
    log->iterations = log->iterations + real_select(active, real_splat(1), real_splat(0));
    active = active & mask_not(real_at_most(real_abs(first * second), tolerance));
    if (!mask_any(active)) break;
  }
  log->failed = log->failed | active;
  return x;
}

#endif
