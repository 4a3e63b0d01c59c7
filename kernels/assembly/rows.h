/* rows.h - the numbers of a body, wherever they are: number k is `step` doubles after number k - 1. */
#ifndef SD_ASSEMBLY_ROWS_H
#define SD_ASSEMBLY_ROWS_H

#include "forces.h"

typedef struct {
  double *at;
  size_t step;
} row;

FN real row_get(row r, int k) {
  return real_load(r.at + (size_t)k * r.step);
}
FN void row_put(row r, int k, real x) {
  real_store(r.at + (size_t)k * r.step, x);
}
FN vec3 row_vector(row r, int k) {
  return vec3_make(row_get(r, k), row_get(r, k + 1), row_get(r, k + 2));
}
FN void row_put_vector(row r, int k, vec3 v) {
  row_put(r, k, v.x);
  row_put(r, k + 1, v.y);
  row_put(r, k + 2, v.z);
}
FN quaternion row_attitude(row r) {
  quaternion q = {row_get(r, AT_Q), row_vector(r, AT_Q + 1)};
  return q;
}
FN placed row_placed(row r) {
  placed p = {row_vector(r, AT_X), row_attitude(r)};
  return p;
}

FN moving row_moving(row r, const sd_job *job) {
  moving m = {row_vector(r, AT_X), row_vector(r, AT_V), row_vector(r, AT_W), vec3_zero(),
              vec3_zero(),         row_attitude(r),     real_splat(0)};
  if (has_outside(job)) m.impulse = row_vector(r, AT_IMPULSE);
  if (has_outside(job)) m.turn = row_vector(r, AT_TURN);
  if (has_dashpots(job)) m.work = row_get(r, AT_WORK);
  return m;
}
/* What walls and gravity give in the time t at x, and the work of dashpots from one velocity to another, to the books.
 */
FN void row_add_books(row r, const load *l, vec3 x, vec3 before, vec3 after, real t, const sd_job *job) {
  if (has_outside(job) && mask_any((l->outside.x != 0.0) | (l->outside.y != 0.0) | (l->outside.z != 0.0))) {
    vec3 impulse = vec3_scale(t, l->outside);
    row_put_vector(r, AT_IMPULSE, vec3_add(row_vector(r, AT_IMPULSE), impulse));
    row_put_vector(r, AT_TURN, vec3_cross_add(x, impulse, row_vector(r, AT_TURN)));
  }
  if (has_dashpots(job))
    row_put(r, AT_WORK, real_fma(0.5 * t, vec3_dot(l->dashpot, vec3_add(before, after)), row_get(r, AT_WORK)));
}

/* What acts on the body now, from where the last forces were left. */
FN load row_load(row kept, row acting, const sd_job *job) {
  load l = {row_vector(acting, AT_FORCE), vec3_zero(), vec3_zero(), vec3_zero()};
  if (has_outside(job)) l.outside = row_vector(acting, AT_OUTSIDE);
  if (has_dashpots(job)) l.dashpot = row_vector(kept, AT_DASHPOT);
  return l;
}
/* With the moment in the frame of the body, as methods want it. */
FN void row_put_load(row kept, row acting, const load *l, quaternion q, const sd_job *job, int with_dashpots) {
  row_put_vector(acting, AT_FORCE, l->force);
  row_put_vector(acting, AT_TORQUE, quaternion_rotate_back(q, l->moment));
  if (has_outside(job)) row_put_vector(acting, AT_OUTSIDE, l->outside);
  if (with_dashpots) row_put_vector(kept, AT_DASHPOT, l->dashpot);
}

/* Are the numbers of a state finite, and so far from the largest one that energy and momenta are finite, too? */
FN mask row_is_finite(row r, const sd_job *job) {
  real squares = real_splat(0);
  for (int k = 0, end = has_outside(job) ? AT_DASHPOT : AT_IMPULSE; k < end; k++) {
    real x = row_get(r, k);
    squares = real_fma(x, x, squares);
  }
  return real_less(squares, real_splat(1e240));
}

/* Has it gone farther than half the skin since neighbours were looked for?  Not if it is nowhere any longer. */
FN mask has_moved(row here, row passing, real limit2) {
  real gone2 = vec3_norm2(vec3_sub(row_vector(here, AT_X), row_vector(passing, AT_REFERENCE)));
  return real_less(limit2, gone2) & real_less(gone2, real_splat(1e240));
}

#endif
