/* spindrift_parts.h - an ensemble that is run in parts: by processes that share a run, and by jobs that know nothing of
 * each other.  A part of spindrift.h, which includes it. */
#ifndef SPINDRIFT_PARTS_H
#define SPINDRIFT_PARTS_H

/* The results of files whose runs are parts of one ensemble or of one sweep, each run with "mergeable": with the
 * statistics, series, states and digest of a run of all members, or points, in one.  They may come in any order;
 * together they must have every member once, and all but the last a multiple of 256 of them; or every point of the
 * sweep once.  To be destroyed as those of sd_results_read. */
sd_status sd_results_merge(const char *const *paths, size_t count, sd_result ***results, size_t *runs,
                           char message[512]);

/* Processes that share runs, such as those of MPI, and how they reach one another.  All of them have the same plans and
 * call the same functions in the same order; number 0 has the results and writes all files, and sd_run of the others
 * gives none.  Messages are whole, in order, and may wait for their receiver; a function that fails returns other
 * than 0.  The last two members begin as 0 and are the library's. */
typedef struct sd_ranks {
  size_t size;
  int count, mine;
  int local;   /* number of this one among those on the same machine, */
  int here;    /* how many these are, */
  int sharers; /* and how many of them may run on the very processors that this one may */
  int (*send)(void *data, int to, const void *bytes, size_t size);
  int (*receive)(void *data, int from, void *bytes, size_t size);
  void *data;
  uint64_t sent; /* bytes */
  int over;      /* rank 0 has left */
} sd_ranks;

/* The ranks are the caller's, and the same for all plans. */
sd_status sd_plan_on_ranks(sd_plan *plan, sd_ranks *ranks);
/* To be called once by all of them, in the end: with what has gone wrong here before a run was begun, which one that
 * waits for this process in a run is then told; or with SD_OK. */
void sd_ranks_leave(sd_ranks *ranks, sd_status status, const char *message);

#endif
