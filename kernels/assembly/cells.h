/* cells.h - the cells that bodies are sorted into to find who is near: as wide as a pair may reach, fewer and wider
 * where bodies are few in much room. */
#ifndef SD_ASSEMBLY_CELLS_H
#define SD_ASSEMBLY_CELLS_H

#include "rows.h"

FN uint32_t cell_along(const sd_cells *c, int axis, double x) {
  double at = (x - c->origin[axis]) * c->inverse;
  return !(at > 0) ? 0 : at >= c->n[axis] ? c->n[axis] - 1 : (uint32_t)at;
}
FN double place_along(const sd_job *job, size_t place, int axis) {
  return job->field.now[(size_t)(AT_X + axis) * job->field.pitch + place];
}
FN uint32_t cell_of(const sd_job *job, const sd_cells *c, size_t place) {
  uint32_t at[3];
  for (int a = 0; a < 3; a++) at[a] = cell_along(c, a, place_along(job, place, a));
  return (at[2] * c->n[1] + at[1]) * c->n[0] + at[0];
}
FN uint32_t cell_count(const sd_cells *c) {
  return c->n[0] * c->n[1] * c->n[2];
}

/* At most 64 more of them than bodies, between two corners. */
FN void lay_cells_between(const sd_job *job, sd_cells *c, const double *low, const double *high) {
  double side = (1 + job->skin) * job->largest_diameter;
  for (double cells = 1e300; cells > job->topology.size.bodies + 64.0; side *= 1.26) {
    cells = 1;
    for (int a = 0; a < 3; a++) {
      double n = (high[a] - low[a]) / side;
      c->n[a] = 1 + (!(n > 0) ? 0 : n < 1e6 ? (uint32_t)n : 1000000);
      c->origin[a] = low[a];
      cells *= c->n[a];
    }
    c->inverse = 1 / side;
  }
}

#endif
