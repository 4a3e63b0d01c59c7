/* rk8 - twelve stages of order 8 by Dormand and Prince, on unit quaternions, which are not projected, with compensated
 * sums.  Order 8; neither symmetric nor geometric.  The formulas are in dormand_prince_8.h. */
#define SD_MEMORY 7
#include "../runge_kutta.h"
#include "../../dormand_prince_8.h"

FN state rk8_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  (void)log;
  return eighth_step(s, p, c, h);
}
#define SD_BEGIN compensated_begin
