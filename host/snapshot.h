/* snapshot.h - a run in the middle, as a checkpoint holds it: its plan, what its finished methods gave, and of the method
 * at work the bodies, the time series and the trajectories so far.  A run that goes on from one reaches the same digest as
 * one that never stopped, on any backend. */
#ifndef SD_SNAPSHOT_H
#define SD_SNAPSHOT_H

#include "checkpoint.h"
#include "ensemble.h"
#include "run.h"

typedef struct {
  int64_t method; /* at work; those before it are done */
  int64_t step;   /* of it that are done */
  double seconds; /* spent on it */
} sd_position;

typedef struct {
  sd_checkpoint *file; /* NULL: there was none */
  sd_position at;
} sd_snapshot;

/* Replaces the plan's checkpoint.  Without an ensemble, no step of the method at work has been done. */
sd_status sd_snapshot_save(const sd_plan *plan, const sd_result *result, sd_position at, const sd_ensemble *ensemble,
                           sd_error *error);

/* If the plan has a checkpoint and there is one, fills the result from it; a checkpoint of another plan is an error that
 * names the first difference.  What needs saying about it is put into result->note. */
sd_status sd_snapshot_load(const sd_plan *plan, sd_result *result, sd_snapshot *snapshot, sd_error *error);
/* The bodies of the method at work; SD_OK and nothing done if it has not begun. */
sd_status sd_snapshot_restore(const sd_snapshot *snapshot, sd_ensemble *ensemble, sd_error *error);
void sd_snapshot_close(sd_snapshot *snapshot);

/* The plans of all the runs that the checkpoint's run was one of, each as plan_text.h has it; to be freed with free. */
sd_status sd_snapshot_plans(const char *path, char ***texts, size_t *count, char note[512], sd_error *error);
/* A summary for people. */
sd_status sd_snapshot_info(const char *path, FILE *to, sd_error *error);

#endif
