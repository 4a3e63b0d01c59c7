/* lagrange_top.h - the heavy symmetric top, U = mgl e3 . Q e3; the problems top-slow and top-fast start it. */
#ifndef SD_LAGRANGE_TOP_H
#define SD_LAGRANGE_TOP_H

#include "axial_potential.h"

FN vec3 top_axis(void) {
  return vec3_make(real_splat(0), real_splat(0), real_splat(1));
}
FN void top_load(constants *c, const double *own) {
  c->own[0] = real_splat(own[0]); /* mgl */
}
FN real top_potential(attitude Q, const constants *c) {
  return c->own[0] * vertical_in_body(Q).z;
}
FN vec3 top_torque(attitude Q, const constants *c) {
  return axial_torque(top_axis(), vertical_in_body(Q), c->own[0]);
}
FN mat3 top_torque_derivative(attitude Q, const constants *c) {
  return axial_torque_derivative(top_axis(), vertical_in_body(Q), c->own[0], real_splat(0));
}
FN vec3 top_momentum(attitude Q, vec3 P,
                     const constants *c) { /* about the vertical; about the axis of a symmetric body */
  vec3 momentum = vertical_momentum(Q, P);
  momentum.y = real_select(real_at_most(real_abs(c->J_gap.z), real_splat(0)), P.z, real_splat(0));
  return momentum;
}

#endif
