/* part.h - a part of an ensemble: a range of members that one thing integrates, such as the threads of a processor or a
 * device.  It has the samples of its members, and answers questions about rows of them with partial results, which
 * partials.h joins with those of the other parts. */
#ifndef SD_PART_H
#define SD_PART_H

#include "reduce.h"
#include "status.h"

#include "../kernels/series_job.h"

typedef struct sd_part sd_part;
struct sd_part {
  size_t first, count;  /* its members; first is a multiple of the blocks */
  size_t room;          /* values that a sheet has room to gather; enough for any one row */
  sd_series_job *sheet; /* what is asked and what is answered stands on sheets, each for some rows at a time */

  /* Begins to answer for rows first .. last-1 of a sheet.  Different sheets may be asked at the same time. */
  sd_status (*ask)(sd_part *self, size_t sheet, sd_question question, size_t first, size_t last, sd_error *error);
  /* What was asked has been answered. */
  sd_status (*wait)(sd_part *self, sd_error *error);
  /* The samples of one row, as they are. */
  sd_status (*copy_row)(sd_part *self, size_t row, double *samples, sd_error *error);
};

/* The parts of one ensemble, in the order of their members. */
typedef struct {
  sd_part *const *part;
  size_t count;
  size_t members;
  size_t sheets, sheet_rows; /* of every part, and rows that one has room for */
} sd_parts;

/* Puts the arrays of a sheet, whose blocks are known, at base; returns how many bytes they take. */
size_t sd_sheet_lay_out(sd_series_job *sheet, void *base, size_t rows, size_t room);

/* A part whose samples are in the host's memory: `samples` is where its first member has them, in rows of `stride`.
 * States are asked about where they have coordinates, and then there are charts for these. */
sd_status sd_host_part_create(sd_part *part, const double *samples, size_t stride, size_t first, size_t count,
                              size_t sheets, size_t sheet_rows, const sd_coordinates *coordinates,
                              const sd_charts *charts, sd_error *error);
/* The same with other blocks than of SD_REDUCE_BLOCK members, for parts that begin elsewhere: a power of two below. */
sd_status sd_host_part_create_by(size_t block, sd_part *part, const double *samples, size_t stride, size_t first,
                                 size_t count, size_t sheets, size_t sheet_rows, const sd_coordinates *coordinates,
                                 const sd_charts *charts, sd_error *error);
void sd_host_part_destroy(sd_part *part);

#endif
