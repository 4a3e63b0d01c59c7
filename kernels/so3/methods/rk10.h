/* rk10 - fifteen stages of order 10 by Stepanov, on unit quaternions, which are not projected, with compensated
 * sums.  Order 10; neither symmetric nor geometric.  The numbers are in stepanov_10.h. */
#define SD_MEMORY 7
#include "../runge_kutta.h"
#include "../../rk10.h"

FN state rk10_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  return rk10_step_of(s, p, c, h);
}
#define SD_BEGIN compensated_begin
