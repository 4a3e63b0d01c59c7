/* snapshot.h - a run in the middle, as a checkpoint holds it: its plan, what its finished methods gave, and of the
 * method at work the bodies, the time series and the trajectories so far.  A run that goes on from one reaches the same
 * digest as one that never stopped, on any backend.
 *
 * The blocks (checkpoint.h), of words and reals as snapshot_layout.h has them:
 *   plan         the settings, see plan_text.h
 *   study        the settings of all the runs that this one is one of, with form feeds in between
 *   place        which of them this one is, from 1 on (word)
 *   output       the name of the result file that the run was begun with; for people alone
 *   until        whether the run is to be made longer (word), up to which time (real), how often it was, ...
 *   starts       of single bodies
 *   position     how far the run is
 *   summaries    of the methods that are done
 *   series M     the samples of method M, if it is done or at work
 *   states M     its final states if it is done, then its trajectories
 *   share M      of a run that is to be merged: what was kept of method M for that
 *   point        of a sweep: the first one of the batch at work (word)
 *   points M     what came of those that are done
 *   seen         of the batch at work, at its samples (points.h)
 *   bodies       of the method at work, if a step of it was done: slot after slot, as ensemble.h has them (reals)
 *
 * Whoever reads a file may not have written it: every number is held against the plan before it is used, and a plan
 * from a file says what to integrate and nothing else. */
#ifndef SD_SNAPSHOT_H
#define SD_SNAPSHOT_H

#include "checkpoint.h"
#include "ensemble.h"
#include "points.h"
#include "run.h"
#include "until.h"

typedef struct {
  int64_t method; /* at work; those before it are done */
  int64_t step;   /* of it that are done */
  double seconds; /* spent on it */
  size_t point;   /* of a sweep: the first of the batch at work; those before it are done */
} sd_position;

typedef struct {
  sd_checkpoint *file; /* NULL: there was none */
  const char *name;    /* of it, for messages */
  sd_position at;
} sd_snapshot;

/* What a checkpoint says besides, for whoever resumes the run. */
typedef struct {
  const char *study;  /* the plans of all the runs that it is one of; NULL: it is alone */
  size_t number;      /* of this one among them, from 1 on */
  const char *output; /* the result file that it was begun with, or "" */
  sd_until until;     /* whether it is to be made longer */
} sd_provenance;

/* Replaces a checkpoint.  Without an ensemble, no step of the method at work has been done. */
sd_status sd_snapshot_save(const char *path, const sd_provenance *provenance, const sd_result *result, sd_position at,
                           const sd_ensemble *ensemble, const sd_point_rows *seen, sd_error *error);

/* If there is a checkpoint at the path, which may be "", fills the result from it; one of another plan is an error that
 * names the first difference.  What needs saying about it is put into result->note. */
sd_status sd_snapshot_load(const char *path, sd_result *result, sd_snapshot *snapshot, sd_error *error);
/* The same from a file that has been read: snapshot->file and ->name are there, and the file stays the caller's. */
sd_status sd_snapshot_take(sd_result *result, sd_snapshot *snapshot, sd_error *error);
/* The series and trajectories of the method at work once more, as they were in the file. */
sd_status sd_snapshot_rewind(sd_result *result, const sd_snapshot *snapshot, sd_error *error);
/* The bodies of the method at work, and of a sweep what was seen of its points; SD_OK and nothing done if it has not
 * begun. */
sd_status sd_snapshot_restore(const sd_snapshot *snapshot, sd_ensemble *ensemble, sd_point_rows *seen, sd_error *error);
void sd_snapshot_close(sd_snapshot *snapshot);

/* ---- a checkpoint alone, without a plan (snapshot_study.c) ---- */

/* The runs that a checkpoint's run was one of. */
typedef struct {
  sd_plan **plans; /* to be resolved; its own has the starts of its bodies */
  size_t count;
  size_t place; /* its own, from 1 on */
  sd_until until;
  char *output; /* the result file that it was begun with, or "": to be shown, never to be written */
} sd_stored_study;

sd_status sd_stored_study_read(const char *path, sd_stored_study *study, sd_error *error);
/* The same from a file that has been read. */
sd_status sd_stored_study_take(const char *name, const sd_checkpoint *file, sd_stored_study *study, sd_error *error);
void sd_stored_study_destroy(sd_stored_study *study);

/* A summary for people: which run, how far it is, how to go on; `verbose`: the whole plan and the blocks, too, as far
 * as they can be shown.  What is odd about it is then the error. */
sd_status sd_snapshot_info(const char *path, int verbose, FILE *to, sd_error *error);
sd_status sd_snapshot_describe(const char *name, const sd_checkpoint *file, int verbose, FILE *to, sd_error *error);

/* ---- shared by the two ---- */

/* A block of lines of plain ASCII as a text, to be freed. */
sd_status sd_snapshot_text(const char *name, const sd_checkpoint *file, const char *tag, char **text, sd_error *error);
/* SD_BAD_INPUT: the block does not fit the plan. */
sd_status sd_snapshot_nonsense(const char *name, const char *tag, sd_error *error);

#endif
