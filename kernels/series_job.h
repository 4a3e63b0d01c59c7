/* series_job.h - questions about rows of samples, and their answers, in plain C: what the host shares with whatever
 * holds the samples, be it the kernels of a device or the host itself. */
#ifndef SD_SERIES_JOB_H
#define SD_SERIES_JOB_H

#include "coordinates.h"

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

typedef enum {
  SD_ASK_MOMENTS,    /* partial, but for squares */
  SD_ASK_SQUARES,    /* from mean: squares */
  SD_ASK_POPULATION, /* from lowest and scale: population */
  SD_ASK_VALUES,     /* from these, wanted and gathered_at: gathered */
  SD_ASK_CENTRE,     /* of states, whose numbers are in rows from row[0] on: sums, of what their centre comes from; */
  SD_ASK_SPREAD,     /* from centre: sums, of displacements from it, and their products */
  SD_QUESTIONS
} sd_question;

/* Row r of the job is samples + row[r] * stride. */
typedef struct {
  const double *samples;
  size_t stride, columns, blocks;
  sd_partial *partial;      /* [rows][blocks] */
  double *mean;             /* per row */
  double *lowest, *scale;   /* per row, of the slices */
  uint32_t *population;     /* [rows][SD_SLICES] */
  unsigned char *wanted;    /* [rows][SD_SLICES] */
  double *gathered;         /* values of wanted slices in any order, */
  uint64_t *gathered_at;    /* a row's from here to where the next row's begin, */
  uint32_t *gathered_count; /* a device's own count of them */
  double *sums;             /* [sums][blocks] */
  sd_coordinates coordinates;
  const sd_charts *charts; /* for them, where a host answers */
  double centre[SD_COORDINATES_MAX];
  uint16_t row[SD_ROWS_MOST];
  size_t block; /* columns of one: SD_REDUCE_BLOCK on a device */
} sd_series_job;

/* Handles for cudaLaunchKernel. */
#ifdef __cplusplus
extern "C" const void *const sd_series_kernels_cuda[SD_QUESTIONS];
#else
extern const void *const sd_series_kernels_cuda[SD_QUESTIONS];
#endif

#endif
