/* bm6 - twelve kicks and eleven drifts in turn, by Blanes and Moan.  Order 6, symmetric, explicit; symplectic where
 * there are no forces.  With forces that depend on the velocity the order is 2.
 *
 *   p <- p + b_i h (f(q, t) + F(q, v)),   (q, t) <- (q + a_i h p/m, t + a_i h),   f = -dV/dq
 *
 * b and a are in nystrom.h, a kick in kick.h.
 *
 * S. Blanes, P. C. Moan, J. Comput. Appl. Math. 142 (2002) 313-330, doi:10.1016/S0377-0427(01)00492-7. */
#include "../kicks_and_drifts.h"

FN state bm6_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double kick[] = BM6_KICKS, time[] = BM6_TIMES;
  (void)log;
  return kicks_and_drifts(s, p, c, h, kick, time, BM6_MOTIONS);
}
