/* rk10.h - a step of order 10 by the formula of stepanov_10.h, for any family; sums are compensated. */
#ifndef SD_RK10_H
#define SD_RK10_H

#include "compensated.h"
#include "stepanov_10.h"

FN state rk10_step_of(state s, const problem *p, const constants *c, real h) {
  static const double share[TENTH_STAGES][TENTH_STAGES] = TENTH_SHARES, node[] = TENTH_NODES, weight[] = TENTH_WEIGHTS;
  phase k[TENTH_STAGES];
  point at = point_of(s);
  take_stages(k, TENTH_STAGES, share[0], node, at.y, p, c, begin_time(&s), h);
  return state_of_point(point_moved(at, weighted_sum(phase_zero(), k, weight, TENTH_STAGES)), s);
}

#endif
