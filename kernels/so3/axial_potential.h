/* axial_potential.h - what problems with U = f(z), z = e3 . Q rho, share: a force along e3 at a body point rho.
 *
 *   dz = y . (rho x u),  u = Q^T e3,   du = u x y        along Q hat(y)
 *   torque = -f' rho x u,   K = -f'' (rho x u)(rho x u)^T - f' hat(rho) hat(u)
 *
 * U does not change when the body is turned about e3: the momentum e3 . Q J W is conserved.  When rho and the
 * inertia are symmetric about the third axis, so is the momentum about it. */
#ifndef SD_AXIAL_POTENTIAL_H
#define SD_AXIAL_POTENTIAL_H

#include "body.h"

FN vec3 vertical_in_body(attitude Q) { /* Q^T e3 */
  return attitude_to_body(Q, vec3_make(real_splat(0), real_splat(0), real_splat(1)));
}
FN vec3 axial_torque(vec3 rho, vec3 u, real slope) {
  return vec3_scale(-slope, vec3_cross(rho, u));
}
FN mat3 axial_torque_derivative(vec3 rho, vec3 u, real slope, real curvature) {
  vec3 lever = vec3_cross(rho, u);
  mat3 bend = mat3_outer_add(vec3_scale(-curvature, lever), lever, mat3_diagonal(vec3_zero()));
  /* hat(rho) hat(u) = u rho^T - (rho.u) I */
  real along = slope * vec3_dot(rho, u);
  return mat3_add_diagonal(mat3_outer_add(vec3_scale(-slope, u), rho, bend), vec3_make(along, along, along));
}
FN vec3 vertical_momentum(attitude Q, vec3 P) {
  return vec3_make(vec3_dot(vertical_in_body(Q), P), real_splat(0), real_splat(0));
}

#endif
