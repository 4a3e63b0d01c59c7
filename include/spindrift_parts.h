/* spindrift_parts.h - an ensemble that is run in parts, by jobs that know nothing of each other.  A part of
 * spindrift.h, which includes it. */
#ifndef SPINDRIFT_PARTS_H
#define SPINDRIFT_PARTS_H

/* The results of files whose runs are parts of one ensemble, each run with "mergeable": with the statistics, series,
 * states and digest of a run of all members in one.  They may come in any order; together they must have every member
 * once, and all but the last a multiple of 256 of them.  To be destroyed as those of sd_results_read. */
sd_status sd_results_merge(const char *const *paths, size_t count, sd_result ***results, size_t *runs,
                           char message[512]);

#endif
