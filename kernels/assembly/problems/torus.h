/* torus - a ring of n bonded spheres in the x-y plane, of diameter Dt, that meets the wall x = 0 with the velocity
 * (-speed, 0, 0).  Neighbours touch.  Body 0 touches the wall at the start.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623.  At that paper's step, 0.01, the axial mode is beyond the stability limit of any explicit map of
 * second order. */
#include "../build.h"

static const sd_parameter torus_parameters[] = {
    BODY_PARAMETERS(1, 1, 0),
    MATERIAL_PARAMETERS,
    {"n", 1, {80}, 3, 1e6, "bodies"},
    {"Dt", 1, {3}, 1e-9, 1e9, "diameter of the ring; D = 0: neighbours touch"},
    {"speed", 1, {1}, -1e9, 1e9, "at which it comes"},
    {0}};

static inline void torus_measure(const double *p, sd_topology_sizes *sizes) {
  uint32_t n = (uint32_t)p[PARAM_OWN];
  *sizes = (sd_topology_sizes){.bodies = n, .species = 1, .bonds = n, .kinds = n};
}
static inline void torus_fill(const double *p, sd_topology *t) {
  uint32_t n = t->size.bodies;
  double ring = p[PARAM_OWN + 1], sine, cosine;
  const double v[3] = {-p[PARAM_OWN + 2], 0, 0};
  real_sincos(3.141592653589793 / n, &sine, &cosine);
  double diameter = p[PARAM_DIAMETER] > 0 ? p[PARAM_DIAMETER] : ring * sine;
  set_species(t, 0, p[PARAM_MASS], diameter, p + PARAM_J);
  for (uint32_t b = 0; b < n; b++) {
    real_sincos(6.283185307179586 * b / n, &sine, &cosine);
    const double x[3] = {0.5 * diameter + 0.5 * ring * (1 - cosine), -0.5 * ring * sine, 0};
    set_body(t, b, 0, x, v);
  }
  for (uint32_t b = 0; b < n; b++) {
    uint32_t next = (b + 1) % n, low = b < next ? b : next, high = b < next ? next : b;
    const double *x = t->start + (size_t)low * SD_START_NUMBERS, *y = t->start + (size_t)high * SD_START_NUMBERS;
    const double r0[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    set_kind(t, b, r0, stiffness_of(p));
    set_bond(t, b, low, high, b);
  }
}
static inline void torus_surroundings(const double *p, double *c) {
  set_material(p, c);
  set_wall(c, 1, 0, 0, 0);
}
