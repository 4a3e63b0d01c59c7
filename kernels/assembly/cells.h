/* cells.h - which cell a body is in. */
#ifndef SD_ASSEMBLY_CELLS_H
#define SD_ASSEMBLY_CELLS_H

#include "../job.h"
#include "../real.h"

FN uint32_t cell_along(const sd_cells *c, int axis, double x) {
  double at = (x - c->origin[axis]) * c->inverse;
  return !(at > 0) ? 0 : at >= c->n[axis] ? c->n[axis] - 1 : (uint32_t)at;
}

#endif
