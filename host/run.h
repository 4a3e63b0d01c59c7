/* run.h - a result: summaries, time series, final states, trajectories, digest. */
#ifndef SD_RUN_H
#define SD_RUN_H

#include "ensemble.h"
#include "series.h"
#include "share.h"
#include "specification.h"
#include "states.h"

/* Samples that a method has taken when so many of its steps are done. */
static inline int64_t sd_samples_until(const sd_specification *spec, const sd_schedule *schedule, int64_t step) {
  return step == spec->total_steps ? schedule->samples : step / spec->sample_every + 1;
}

struct sd_result {
  const sd_specification *spec; /* its own */
  sd_schedule schedule;
  char backend[16], variant[32];
  char devices[160], why[256]; /* what ran it, and why `auto` chose that */
  int threads;
  int ranks, handed_out;    /* processes, or 0; how often members were handed out to them */
  uint64_t sent;            /* bytes by the one that sent most, but for the first */
  char note[512];           /* what a user should know of how it went on */
  char trouble[512];        /* why the checkpoint could not be saved when that was last tried, or "" */
  int checkpoint_lost;      /* the one that is there is damaged or missing; its .previous is not */
  int64_t saved[2];         /* the last checkpoint that is known to be good: method at work, steps of it; or -1 */
  size_t done;              /* methods that were completed */
  sd_summary *summaries;    /* one per method */
  sd_series *series;        /* one per method */
  sd_states *finals;        /* one per method: of spec->finals members, at the end */
  struct sd_point **points; /* one list per method: of a sweep */
  size_t points_done;       /* of the method at work */
  sd_states *tables;        /* one per method: of all members, if asked for; columns in place of a state's numbers */
  sd_states *logs;          /* one per method: of all members, where there are events (event_log.h) */
  sd_states *trajectories;  /* one per method: of spec->recorded members, at every sample */
  sd_share *shares;         /* one per method: what merging needs */
  int with_series;          /* in the JSON */
  sd_neighbour_cost neighbours[SD_METHODS_MAX]; /* of each method, in this process */
  char digest[33];
};

/* With memory for all that is specified.  What there is after a failure is to be destroyed, too. */
sd_status sd_result_create(sd_result **created, const sd_specification *spec, sd_error *error);
/* The same without the states, and memory for those that are wanted of a method. */
sd_status sd_result_create_empty(sd_result **created, const sd_specification *spec, sd_error *error);
sd_status sd_result_make_room(sd_result *result, size_t method, sd_error *error);
/* What is specified of a method; all else is zero. */
void sd_summary_begin(sd_summary *summary, const sd_specification *spec, size_t method);
/* The digest of the methods that were done. */
void sd_result_join_digests(sd_result *result);
/* The same, and who did it; SD_BODIES_FAILED if some did. */
struct sd_backend;
sd_status sd_result_conclude(sd_result *result, const struct sd_backend *backend);

/* One run of a resolved plan, as long as that says; anew, whatever checkpoint there is.  sd_run is this, or several of
 * them (until.h). */
sd_status sd_run_once(sd_plan *plan, int anew, sd_result **created);

/* Has each of them all that is specified? */
static inline int sd_results_complete(const sd_result *const *results, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!sd_result_complete(results[i])) return 0;
  return 1;
}

#endif
