/* lie_midpoint.h - the free rotation of the explicit Lie midpoint methods:
 *
 *   Theta = h J^-1 exp(-Theta/2) P                                                                [solve]
 *   Q1 = Q exp(Theta),   P1 = exp(-Theta) P
 *
 * solved for the midpoint velocity W_mid = Theta/h, J W_mid = exp(-h/2 W_mid) P, so P1 = exp(-h/2 W_mid) J W_mid. */
#ifndef SD_LIE_MIDPOINT_H
#define SD_LIE_MIDPOINT_H

#include "implicit.h"

typedef struct {
  attitude Q;
  vec3 P;
} rotated;

FN rotated lie_midpoint_rotation(attitude Q, vec3 P, const constants *c, real h, step_log *log) {
  vec3 mid_velocity = solve_rotated(c, 0.5 * h, P, log);
  quaternion F = exp_quaternion(vec3_scale(h, mid_velocity));
  rotated r = {turn(Q, F), quaternion_rotate_back(F, P)};
  return r;
}

#endif
