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

FN void pendulum_load(body *b, const double *own) {
  for (int i = 0; i < 4; i++) b->constant[i] = real_splat(own[i]);
}
FN vec3 pendulum_rho(const body *b) {
  return vec3_make(b->constant[1], b->constant[2], b->constant[3]);
}
FN real pendulum_potential(attitude Q, const body *b) {
  return -b->constant[0] * vec3_dot(vertical_in_body(Q), pendulum_rho(b));
}
FN vec3 pendulum_torque(attitude Q, const body *b) {
  return axial_torque(pendulum_rho(b), vertical_in_body(Q), -b->constant[0]);
}
FN mat3 pendulum_torque_derivative(attitude Q, const body *b) {
  return axial_torque_derivative(pendulum_rho(b), vertical_in_body(Q), -b->constant[0], real_splat(0));
}
FN vec3 pendulum_momentum(attitude Q, vec3 P, const body *b) {
  (void)b;
  return vertical_momentum(Q, P);
}
