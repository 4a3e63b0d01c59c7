/* reduce.h - sums over bodies along one binary tree over the body index, whatever computed the terms.
 *
 * The tree over n terms splits at the largest power of two below n, so that a part of a larger ensemble that starts
 * at a multiple of its own power-of-two size is a subtree: threads, devices and ranks can each sum their own.  A body
 * that failed has a NaN for its term, which counts as nothing. */
#ifndef SD_REDUCE_H
#define SD_REDUCE_H

#include <stddef.h>

double sd_tree_sum(const double *terms, size_t count);
double sd_tree_sum_of_squares(const double *terms, size_t count, double about); /* of (term - about)^2 */
/* The rest of the tree over the sums of equal parts, each of a power of two of terms but for the last. */
double sd_tree_join(const double *sums, size_t count);

#endif
