/* partials.h - rows of samples, reduced to points of the time series from what the parts of an ensemble answer: one
 * piece of code, whatever holds the samples.  Sums are joined along the tree over all members (reduce.h); quantiles are
 * selected from the values of a few slices of the range (quantiles.h).  So the points do not depend on how the ensemble
 * is cut into parts. */
#ifndef SD_PARTIALS_H
#define SD_PARTIALS_H

#include "part.h"

/* Rows are listed by number, each once; a member that failed has a NaN in them, which counts as nothing.  The points
 * keep their time and their witness. */
sd_status sd_reduce_rows(const sd_parts *parts, const uint16_t *rows, size_t count, sd_sample *points, sd_error *error);

/* The means of rows alone, and, unless that is NULL, the largest of each; NaN where no member is left. */
sd_status sd_mean_rows(const sd_parts *parts, const uint16_t *rows, size_t count, double *means, double *largest,
                       sd_error *error);

/* The moments of every block of one row, but for squares, in the order of the members. */
sd_status sd_block_moments(const sd_parts *parts, size_t row, sd_partial *blocks, sd_error *error);

#endif
