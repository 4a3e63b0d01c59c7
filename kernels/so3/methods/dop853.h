/* dop853 - Dormand-Prince 8(5,3), adaptive per body, on unit quaternions, which are not projected, with compensated
 * sums.  Order 8; not geometric.  The formulas are in dormand_prince_8.h, the estimate of the error in dop853.h. */
#define SD_MEMORY 8
#include "../runge_kutta.h"
#include "../../dop853.h"

#define SD_BEGIN adaptive_begin

FN state dop853_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  return dop853_step_of(s, p, c, h, log);
}
