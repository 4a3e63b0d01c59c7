/* rk45 - Dormand-Prince 5(4), adaptive per body, on unit quaternions, which are not projected.  Order 5; not
 * geometric.  The formulas and the control of the step are in dormand_prince.h. */
#define SD_MEMORY 1
#include "../runge_kutta.h"
#include "../../dormand_prince.h"

#define SD_BEGIN adaptive_begin

FN state rk45_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  return dormand_prince_step(s, p, c, h, log);
}
