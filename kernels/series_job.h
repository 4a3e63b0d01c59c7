/* series_job.h - what the host hands to the kernels that reduce rows of samples, in plain C. */
#ifndef SD_SERIES_JOB_H
#define SD_SERIES_JOB_H

#include <stddef.h>
#include <stdint.h>

enum {
  SD_SLICES = 1024,      /* of the range of a row's values; a power of two */
  SD_REDUCE_BLOCK = 256, /* columns that one block sums: a node of the tree over all bodies */
  SD_ROWS_MOST = 256     /* rows in one job */
};

/* The slice of a value in a row whose values start at `lowest`; scale = (SD_SLICES - 1/2) / (highest - lowest). */
#define SD_SLICE(x, lowest, scale) ((int)(((x) - (lowest)) * (scale)))

/* Values of a block of columns in one row.  A missing value, of a failed body, is NaN. */
typedef struct {
  double sum, lowest, highest, squares; /* squares: of the distances from the row's mean */
  double count;
} sd_partial;

/* Row r of the job is samples + row[r] * stride. */
typedef struct {
  const double *samples;
  size_t stride, columns, blocks;
  sd_partial *partial;          /* [rows][blocks] */
  const double *mean;           /* per row */
  const double *lowest, *scale; /* per row, of the slices */
  uint32_t *population;         /* [rows][SD_SLICES] */
  const unsigned char *wanted;  /* [rows][SD_SLICES] */
  double *gathered;             /* values of wanted slices, */
  const uint64_t *gathered_at;  /* a row's from here on, */
  uint32_t *gathered_count;     /* as many */
  uint16_t row[SD_ROWS_MOST];
} sd_series_job;

/* Handles for cudaLaunchKernel. */
typedef struct {
  const void *moments, *squares, *slices, *gather;
} sd_series_kernels;
#ifdef __cplusplus
extern "C" const sd_series_kernels sd_series_kernels_cuda;
#else
extern const sd_series_kernels sd_series_kernels_cuda;
#endif

#endif
