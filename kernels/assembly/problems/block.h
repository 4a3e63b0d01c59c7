/* block - a cubic lattice of nx by ny by nz bonded spheres, thrown at the wall x = 0, or, with other = 1, two of them
 * at each other with half the speed each, a diameter apart and off centre by half of one. */
#include "../build.h"

static const sd_parameter block_parameters[] = {BODY_PARAMETERS(0.1, 1, 1),
                                                MATERIAL_PARAMETERS,
                                                {"nx", 1, {4}, 1, 1e4, "bodies along x"},
                                                {"ny", 1, {4}, 1, 1e4, "bodies along y"},
                                                {"nz", 1, {4}, 1, 1e4, "bodies along z"},
                                                {"speed", 1, {1}, -1e9, 1e9, "at which they come"},
                                                {"other", 1, {0}, 0, 1, "1: a second block in place of the wall"},
                                                {"wall", 1, {1}, 0, 1, "0: nothing in its way"},
                                                {0}};
enum { BLOCK_SPEED = PARAM_OWN + 3, BLOCK_OTHER, BLOCK_WALL };

static inline lattice block_lattice(const double *p) {
  return (lattice){{(uint32_t)p[PARAM_OWN], (uint32_t)p[PARAM_OWN + 1], (uint32_t)p[PARAM_OWN + 2]}};
}
static inline void block_measure(const double *p, sd_topology_sizes *sizes) {
  lattice l = block_lattice(p);
  measure_lattice(&l, sizes);
  if (p[BLOCK_OTHER] > 0) sizes->bodies *= 2, sizes->bonds *= 2;
}
static inline void block_fill(const double *p, sd_topology *t) {
  lattice l = block_lattice(p);
  int two = p[BLOCK_OTHER] > 0;
  double d = p[PARAM_DIAMETER], speed = two ? 0.5 * p[BLOCK_SPEED] : p[BLOCK_SPEED];
  const double v[3] = {-speed, 0, 0}, back[3] = {speed, 0, 0}, corner[3] = {0.5 * d, 0, 0};
  const double other[3] = {-d * (l.n[0] + 0.5), 0.5 * d, 0.25 * d};
  set_species(t, 0, p[PARAM_MASS], d, p + PARAM_J);
  set_lattice_kinds(t, d, stiffness_of(p));
  fill_lattice(t, &l, corner, d, v, 0, 0);
  if (two) fill_lattice(t, &l, other, d, back, lattice_bodies(&l), lattice_bonds(&l));
}
static inline void block_surroundings(const double *p, double *c) {
  set_material(p, c);
  if (!(p[BLOCK_OTHER] > 0) && p[BLOCK_WALL] > 0) set_wall(c, 1, 0, 0, 0);
}
