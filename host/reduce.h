/* reduce.h - sums over bodies along one binary tree over the body index, whatever computed the terms.
 *
 * The tree over n terms splits at the largest power of two below n, so that a part of a larger ensemble that starts
 * at a multiple of its own power-of-two size is a subtree: threads, devices and ranks can each sum their own.  A body
 * that failed has a NaN for its term, which counts as nothing. */
#ifndef SD_REDUCE_H
#define SD_REDUCE_H

#include <stddef.h>

#include "../kernels/series_job.h"

/* The largest power of two below a count of at least 2: the terms on the left of the tree's root. */
static inline size_t sd_tree_left(size_t count) {
  size_t left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

/* Members are reduced by blocks of SD_REDUCE_BLOCK, the last one with what is left. */
static inline size_t sd_blocks_of(size_t members) {
  return (members + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK;
}

double sd_tree_sum(const double *terms, size_t count);
double sd_tree_sum_of_squares(const double *terms, size_t count, double about); /* of (term - about)^2 */
/* The rest of the tree over the sums of equal parts, each of a power of two of terms but for the last. */
double sd_tree_join(const double *sums, size_t count);

#endif
