/* rod - n bonded spheres in a row along y, tilted by an angle about z, thrown at the wall x = 0, which its lowest end
 * touches at the start. */
#include "../build.h"

static const sd_parameter rod_parameters[] = {BODY_PARAMETERS(0.1, 1, 1),
                                              MATERIAL_PARAMETERS,
                                              {"n", 1, {16}, 1, 1e6, "bodies"},
                                              {"tilt", 1, {0.3}, 0, 1.5, "angle between rod and wall"},
                                              {"speed", 1, {1}, -1e9, 1e9, "at which it comes"},
                                              {0}};

static inline void rod_measure(const double *p, sd_topology_sizes *sizes) {
  uint32_t n = (uint32_t)p[PARAM_OWN];
  *sizes = (sd_topology_sizes){.bodies = n, .species = 1, .bonds = n - 1, .kinds = 1};
}
static inline void rod_fill(const double *p, sd_topology *t) {
  double sine, cosine, d = p[PARAM_DIAMETER];
  const double v[3] = {-p[PARAM_OWN + 2], 0, 0};
  real_sincos(p[PARAM_OWN + 1], &sine, &cosine);
  const double r0[3] = {-d * sine, -d * cosine, 0};
  set_species(t, 0, p[PARAM_MASS], d, p + PARAM_J);
  set_kind(t, 0, r0, stiffness_of(p));
  for (uint32_t b = 0; b < t->size.bodies; b++) {
    const double x[3] = {0.5 * d + d * sine * b, d * cosine * b, 0};
    set_body(t, b, 0, x, v);
    if (b) set_bond(t, b - 1, b - 1, b, 0);
  }
}
static inline void rod_surroundings(const double *p, double *c) {
  set_material(p, c);
  set_wall(c, 1, 0, 0, 0);
}
