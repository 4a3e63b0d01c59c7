/* dop853 - Dormand-Prince 8(5,3), adaptive per body, on q, p and the work, with compensated sums; the error is that of
 * q and p.  Order 8.  The formulas are in dormand_prince_8.h, the estimate of the error in dop853.h. */
#define SD_MEMORY 8
#define SD_UNHELD /* twelve slopes of seven numbers */
#include "../runge_kutta.h"
#include "../../dop853.h"

#define SD_BEGIN adaptive_begin

FN state dop853_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  return dop853_step_of(s, p, c, h, log);
}
