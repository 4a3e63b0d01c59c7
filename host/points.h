/* points.h - the points of a sweep, each an ensemble of its own: what is seen of them at the samples while they are at
 * work, and what came of each.
 *
 * Points are run in batches, from the beginning to the end of the run one batch after the other: the verdict wants the
 * whole series of every point's mean, and those of a million points are no small thing to keep. */
#ifndef SD_POINTS_H
#define SD_POINTS_H

#include "digest.h"
#include "part.h"
#include "run.h"
#include "statistics_list.h"

/* What came of a point: the numbers of its summary, and the digest of all of it. */
struct sd_point {
  size_t failed, verdict, reason;
  double value[SD_STATISTICS];
  sd_digest digest;
};

/* Points of a batch, at most, and of that which begins with a point, if one does: a function of what is specified, so
 * that whoever goes on with a run has the same. */
size_t sd_batch_points(const sd_specification *spec);
size_t sd_batch_from(const sd_specification *spec, size_t point);
int sd_batch_begins(const sd_specification *spec, size_t point);
/* Members that are at work together. */
size_t sd_batch_members(const sd_specification *spec);

/* E - E0 of each point of a batch at the samples that are kept: [sample][point]. */
typedef struct {
  size_t points, each;
  size_t room;                 /* for so many points */
  size_t samples;              /* of the whole run, */
  double *step, *witness_step; /* and when: steps; NaN where there is no witness */
  size_t done;                 /* samples */
  double *mean, *witness;      /* over the members */
  double *lowest, *highest;    /* the mean's where a point has one member */
  double *row, *sums;          /* of all members; of blocks of one point's */
  int64_t interval;            /* steps between samples; 0: all are sampled */
} sd_point_rows;

/* For a batch of so many points; the memory is that of the run's batch before, if it is enough: pages that a process
 * touches for the first time cost more than what is written to them. */
sd_status sd_point_rows_begin(sd_point_rows *rows, const sd_specification *spec, const sd_series *sampling,
                              const sd_schedule *schedule, size_t points, sd_error *error);
void sd_point_rows_destroy(sd_point_rows *rows);

/* The next sample, from a row of the parts; or the witness of sample `at`. */
sd_status sd_point_rows_take(sd_point_rows *rows, const sd_parts *parts, size_t row, sd_error *error);
sd_status sd_point_rows_take_witness(sd_point_rows *rows, const sd_parts *parts, size_t row, size_t at,
                                     sd_error *error);

/* Statistics, verdict and digest of every point of the batch that begins with point `first`. */
sd_status sd_points_conclude(const sd_point_rows *rows, const sd_ensemble *ensemble, const sd_specification *spec,
                             int m, size_t first, int threads, sd_point *points, sd_error *error);

/* A point's summary, as that of a run with its parameters. */
void sd_point_summary(const sd_specification *spec, size_t m, size_t point, const sd_point *from, sd_summary *summary);
/* All of them in one: counts, means and extremes over the points, and the verdict if they agree. */
void sd_points_summarise(const sd_point *points, size_t count, sd_summary *summary);

#endif
