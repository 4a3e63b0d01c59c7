/* dormand_prince.h - Dormand-Prince 5(4), adaptive per body, for any family.  Order 5.
 *
 * The error is the largest component of the estimate, relative to atol + rtol |y|; how the size of a substep follows
 * it is in adaptive.h, within [0.2, 5] from one to the next.
 *
 * A family gives, in its runge_kutta.h: phase, a point of the vector space; phase_of and state_of, from a state and
 * back; phase_zero, phase_axpy, phase_select; field_at, the slope at a time; begin_time of a step; phase_error, the
 * largest component of an error over its tolerance.
 *
 * J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26, doi:10.1016/0771-050X(80)90013-3. */
#ifndef SD_DORMAND_PRINCE_H
#define SD_DORMAND_PRINCE_H

#include "tableau.h"

typedef phase point;

FN point point_of(state s) {
  return phase_of(s);
}
FN state state_of_point(point y, state s) {
  return state_of(y, s);
}
FN point point_select(mask m, point a, point b) {
  return phase_select(m, a, b);
}
#include "adaptive.h"

/* The seven stages: y1 is the fifth-order solution. */
FN real dormand_prince_attempt(phase y, phase *y1, const problem *p, const constants *c, real time, real h) {
  static const double a[6][6] = {{1.0 / 5},
                                 {3.0 / 40, 9.0 / 40},
                                 {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                 {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                 {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                 {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double node[6] = {1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  static const double error[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  phase k[7];
  k[0] = field_at(p, c, y, time);
  for (int i = 0; i < 6; i++) {
    *y1 = slopes_added(y, h, k, a[i], i + 1);
    k[i + 1] = field_at(p, c, *y1, real_fma(h, real_splat(node[i]), time));
  }
  phase estimate = slopes_added(phase_zero(), h, k, error, 7);
  return phase_error(estimate, y, *y1, c->parameter[0], c->parameter[1]);
}

FN state dormand_prince_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const adaptation fifth = {-0.2, 0.2, 5};
  return adaptive_step(s, p, c, h, log, dormand_prince_attempt, &fifth);
}

#endif
