/* free - the free rigid body, U = 0.  Energy and the momentum Q J W in space are conserved. */
#include "../body.h"

static const sd_parameter free_parameters[] = {
    {"J", 3, {1, 2, 3}, 1e-9, 1e9, "principal moments of inertia"},
    {"attitude", 3, {0, 0, 0}, -100, 100, "rotation vector of the initial attitude"},
    {"velocity", 3, {0.4, 1, 0.6}, -1e6, 1e6, "initial angular velocity, body frame"},
    {0}};

FN void free_load(constants *c, const double *own) {
  (void)c, (void)own;
}
FN real free_potential(attitude Q, const constants *c) {
  (void)Q, (void)c;
  return real_splat(0);
}
FN vec3 free_torque(attitude Q, const constants *c) {
  (void)Q, (void)c;
  return vec3_zero();
}
FN mat3 free_torque_derivative(attitude Q, const constants *c) {
  (void)Q, (void)c;
  return mat3_diagonal(vec3_zero());
}
FN vec3 free_momentum(attitude Q, vec3 P, const constants *c) {
  (void)c;
  return attitude_to_space(Q, P);
}
