/* rk10 - fifteen stages of order 10 by Stepanov, on q, p and the work, with compensated sums.  Order 10; not
 * symmetric.  The numbers are in stepanov_10.h. */
#define SD_MEMORY 7
#define SD_UNHELD /* fifteen slopes of seven numbers */
#include "../runge_kutta.h"
#include "../../rk10.h"

FN state rk10_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  return rk10_step_of(s, p, c, h);
}
#define SD_BEGIN compensated_begin
