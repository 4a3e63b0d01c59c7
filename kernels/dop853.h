/* dop853.h - Dormand-Prince 8(5,3), adaptive per body, for any family.  Order 8.
 *
 * With the largest components e5 and e3 of the two estimates, relative to atol + rtol |y|, the error is
 * e5^2/sqrt(e5^2 + e3^2/100), which is of order 7; the size of a substep follows it (adaptive.h), within [1/3, 6] from
 * one to the next.
 *
 * E. Hairer, S. P. Norsett, G. Wanner, Solving ordinary differential equations I, Springer (1993),
 * doi:10.1007/978-3-540-78862-1, section II.10. */
#ifndef SD_DOP853_H
#define SD_DOP853_H

#include "dormand_prince_8.h"

#include "adaptive.h"

FN real dop853_attempt(point at, point *next, const problem *p, const constants *c, real time, real h) {
  static const double fifth[EIGHTH_STAGES] = {0.0131200449941948807325,
                                              0,
                                              0,
                                              0,
                                              0,
                                              -1.22515644637620444072,
                                              -0.495758949657250191521,
                                              1.66437718245498653696,
                                              -0.350328848749973681689,
                                              0.33417911871301747903,
                                              0.0819232064851157124657,
                                              -0.0223553078638862952588};
  static const double third[EIGHTH_STAGES] = {-0.189800754072407615715,
                                              0,
                                              0,
                                              0,
                                              0,
                                              4.45031289275240888144,
                                              1.89151789931450038304,
                                              -5.80120396001058478147,
                                              -0.422682321323791962932,
                                              -0.152160949662516078556,
                                              0.201365400804030348375,
                                              0.0226517921983608258118};
  phase k[EIGHTH_STAGES];
  real rtol = c->parameter[0], atol = c->parameter[1];
  eighth_stages(k, at.y, p, c, time, h);
  *next = point_moved(at, eighth_change(k));
  real e5 = phase_error(weighted_sum(phase_zero(), k, fifth, EIGHTH_STAGES), at.y, next->y, rtol, atol);
  real e3 = phase_error(weighted_sum(phase_zero(), k, third, EIGHTH_STAGES), at.y, next->y, rtol, atol);
  real both = real_fma(e5, e5, 0.01 * (e3 * e3));
  return real_select(both == 0.0, real_splat(0), e5 * e5 / real_sqrt(both));
}

FN state dop853_step_of(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const adaptation eighth = {-1.0 / 8, 1.0 / 3, 6};
  return adaptive_step(s, p, c, h, log, dop853_attempt, &eighth);
}

#endif
