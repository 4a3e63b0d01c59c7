/* gas - spheres in a box of walls, in contact alone.  They start on a cubic lattice that fills a cube, n in all, so far
 * apart that they take up the given share of the box (at most pi/6, where lattice neighbours touch), with velocities
 * that are normally distributed about 0, the same ones in every member; members differ by their own perturbations. */
#include "../build.h"

static const sd_parameter gas_parameters[] = {
    BODY_PARAMETERS(0.1, 1, 1),
    MATERIAL_PARAMETERS,
    {"n", 1, {64}, 1, 1e8, "bodies"},
    {"filling", 1, {0.2}, 1e-6, 0.52, "share of the box that the spheres take up"},
    {"speed", 1, {1}, 0, 1e9, "root mean square of a component of the velocities"},
    {0}};
enum { GAS_FILLING = PARAM_OWN + 1, GAS_SPEED };

static inline uint32_t gas_side(const double *p) { /* of the lattice */
  uint32_t side = 1;
  while ((double)side * side * side < p[PARAM_OWN]) side++;
  return side;
}
/* Bodies have a cell of the lattice each: the n-th root of the box. */
static inline double gas_cell(const double *p) {
  double wanted = 0.5235987755982988 / p[GAS_FILLING], low = 1, high = 1000; /* cube of the cell in diameters */
  for (int i = 0; i < 200; i++) {
    double middle = 0.5 * (low + high);
    if (middle * middle * middle < wanted) low = middle;
    else high = middle;
  }
  return high * p[PARAM_DIAMETER];
}
static inline void gas_measure(const double *p, sd_topology_sizes *sizes) {
  *sizes = (sd_topology_sizes){.bodies = (uint32_t)p[PARAM_OWN], .species = 1};
}
static inline void gas_fill(const double *p, sd_topology *t) {
  uint32_t side = gas_side(p);
  double cell = gas_cell(p);
  set_species(t, 0, p[PARAM_MASS], p[PARAM_DIAMETER], p + PARAM_J);
  for (uint32_t b = 0; b < t->size.bodies; b++) {
    normal_pair n = philox_normals(0, b, 0), m = philox_normals(0, b, 1);
    const double x[3] = {cell * (b % side + 0.5), cell * (b / side % side + 0.5), cell * (b / side / side + 0.5)};
    const double v[3] = {p[GAS_SPEED] * n.first, p[GAS_SPEED] * n.second, p[GAS_SPEED] * m.first};
    set_body(t, b, 0, x, v);
  }
}
static inline void gas_surroundings(const double *p, double *c) {
  double length = gas_cell(p) * gas_side(p);
  set_material(p, c);
  for (int k = 0; k < 3; k++) {
    set_wall(c, k == 0, k == 1, k == 2, 0);
    set_wall(c, -(k == 0), -(k == 1), -(k == 2), -length);
  }
}
