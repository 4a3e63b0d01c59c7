/* quantiles.h - quantiles of many values by slices of their range: count the values in each slice, gather those in the
 * few slices that hold the wanted order statistics, select among these.  Two passes, and whoever holds the values - a
 * thread, a device - makes both where they are. */
#ifndef SD_QUANTILES_H
#define SD_QUANTILES_H

#include "spindrift.h"

#include "../kernels/series_job.h"

typedef struct {
  size_t rank[2 * SD_QUANTILES]; /* the order statistics on both sides of each quantile */
  double part[SD_QUANTILES];     /* where it lies between them */
  int slice[2 * SD_QUANTILES];   /* the slices that hold them, each once */
  int slices;
} sd_ranking;

/* How the quantiles of a row are found: all values are one; by slices; or, where its range is beyond all bounds, by
 * selecting from the whole. */
typedef enum { SD_ROW_ALIKE, SD_ROW_SLICED, SD_ROW_WHOLE } sd_row_kind;
sd_row_kind sd_row_kind_of(double lowest, double highest, double *scale); /* scale: of SD_SLICE */

/* Of n values.  Quantiles as numpy's default has them: linear between the two order statistics around (n - 1) p. */
sd_ranking sd_ranking_of(size_t n);

/* Lists and marks the slices that hold ranks, and renumbers the ranks among the values in these. */
void sd_ranking_narrow(sd_ranking *ranks, const uint32_t population[SD_SLICES], unsigned char wanted[SD_SLICES]);

/* The quantiles, from the values of the wanted slices in any order; they are shuffled. */
void sd_quantiles_select(const sd_ranking *ranks, double *x, size_t count, double found[SD_QUANTILES]);

#endif
