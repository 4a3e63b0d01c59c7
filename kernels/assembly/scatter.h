/* scatter.h - how stiff the bonds of a member are: every one but member 0's has its stiffnesses multiplied by a factor
 * of its own, which depends on seed, member and the two bodies alone.  It is log-normal, and so positive, with the mean
 * 1 and the relative deviation that is asked for. */
#ifndef SD_ASSEMBLY_SCATTER_H
#define SD_ASSEMBLY_SCATTER_H

#include "../philox.h"
#include "pairs.h"

enum { STIFFNESS_SIGMA = 4 }; /* of the family's start arrays */

FN int has_scatter(const sd_job *job) {
  return job->sigma[STIFFNESS_SIGMA] > 0;
}
/* Draws come after those of the starts, of which each body has six. */
FN uint64_t draw_of_bond(const sd_job *job, uint32_t low, uint32_t high) {
  uint64_t bodies = job->topology.size.bodies;
  return 6 * bodies + low * bodies + high;
}
FN_APART void scatter_bond(const sd_job *job, const uint64_t *member, const uint64_t *draw, bond *b) {
  double normal[SD_LANES], other[SD_LANES];
  real variance = real_log(real_splat(1 + job->sigma[STIFFNESS_SIGMA] * job->sigma[STIFFNESS_SIGMA]));
  for (int i = 0; i < SD_LANES; i++) other[i] = member[i] != 0;
  philox_normal_of_each(job->seed, member, draw, normal);
  real factor = real_exp(real_fms(real_sqrt(variance), real_load(normal), 0.5 * variance));
  factor = real_select(real_load(other) != 0.0, factor, real_splat(1));
  b->bending = factor * b->bending;
  b->axial = factor * b->axial;
  b->shear = factor * b->shear;
}

#endif
