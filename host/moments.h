/* moments.h - mean and covariance of the state over members, from what the parts of an ensemble answer: in two passes,
 * sums of each joined along the tree over all members (reduce.h), so that they do not depend on how it is cut. */
#ifndef SD_MOMENTS_H
#define SD_MOMENTS_H

#include "part.h"

/* Of `samples` samples: the numbers of sample i's states are in the parts' rows from rows[i] on, and members[i] members
 * have some; `moments` are as sd_series has them.  The mean of nothing, and the covariance of one, are NaN. */
sd_status sd_find_moments(const sd_parts *parts, const sd_coordinates *coordinates, const uint16_t *rows,
                          const size_t *members, size_t samples, double *moments, sd_error *error);

/* The unit eigenvector of the largest eigenvalue of a symmetric matrix, given by rows of its lower triangle; its first
 * number that is not 0 is positive. */
void sd_largest_eigenvector(const double lower[10], double vector[4]);

#endif
