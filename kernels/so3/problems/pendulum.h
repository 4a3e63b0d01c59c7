/* pendulum - the 3-D pendulum, U = -mg e3 . Q rho.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, section 3: the attitude starts 3/4 pi about e2, the spatial velocity is 0.2 (1, 0, 1). */
#include "../axial_potential.h"

static const sd_parameter pendulum_parameters[] = {
    {"J", 3, {1, 1, 1}, 1e-9, 1e9, "principal moments of inertia"},
    {"attitude", 3, {0, 2.3561944901923448, 0}, -100, 100, "rotation vector of the initial attitude"},
    {"velocity", 3, {-0.28284271247461901, 0, 0}, -1e6, 1e6, "initial angular velocity, body frame"},
    {"mg", 1, {1}, -1e9, 1e9, "weight"},
    {"rho", 3, {0, 0, 1}, -1e6, 1e6, "mass centre from the pivot, body frame"},
    {0}};

FN void pendulum_load(constants *c, const double *own) {
  for (int i = 0; i < 4; i++) c->own[i] = real_splat(own[i]);
}
FN vec3 pendulum_rho(const constants *c) {
  return vec3_make(c->own[1], c->own[2], c->own[3]);
}
FN real pendulum_potential(attitude Q, const constants *c) {
  return -c->own[0] * vec3_dot(vertical_in_body(Q), pendulum_rho(c));
}
FN vec3 pendulum_torque(attitude Q, const constants *c) {
  return axial_torque(pendulum_rho(c), vertical_in_body(Q), -c->own[0]);
}
FN mat3 pendulum_torque_derivative(attitude Q, const constants *c) {
  return axial_torque_derivative(pendulum_rho(c), vertical_in_body(Q), -c->own[0], real_splat(0));
}
FN vec3 pendulum_momentum(attitude Q, vec3 P, const constants *c) {
  (void)c;
  return vertical_momentum(Q, P);
}
