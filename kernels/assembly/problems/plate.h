/* plate - a square lattice of nx by ny bonded spheres in a plane parallel to z, thrown edge first at the wall x = 0. */
#include "../build.h"

static const sd_parameter plate_parameters[] = {BODY_PARAMETERS(0.1, 1, 1),
                                                MATERIAL_PARAMETERS,
                                                {"nx", 1, {6}, 1, 1e5, "bodies along x"},
                                                {"ny", 1, {6}, 1, 1e5, "bodies along y"},
                                                {"speed", 1, {1}, -1e9, 1e9, "at which it comes"},
                                                {0}};

static inline lattice plate_lattice(const double *p) {
  return (lattice){{(uint32_t)p[PARAM_OWN], (uint32_t)p[PARAM_OWN + 1], 1}};
}
static inline void plate_measure(const double *p, sd_topology_sizes *sizes) {
  lattice l = plate_lattice(p);
  measure_lattice(&l, sizes);
}
static inline void plate_fill(const double *p, sd_topology *t) {
  lattice l = plate_lattice(p);
  double d = p[PARAM_DIAMETER];
  const double v[3] = {-p[PARAM_OWN + 2], 0, 0}, corner[3] = {0.5 * d, 0, 0};
  set_species(t, 0, p[PARAM_MASS], d, p + PARAM_J);
  set_lattice_kinds(t, d, stiffness_of(p));
  fill_lattice(t, &l, corner, d, v, 0, 0);
}
static inline void plate_surroundings(const double *p, double *c) {
  set_material(p, c);
  set_wall(c, 1, 0, 0, 0);
}
