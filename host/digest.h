/* digest.h - one number for all the science of a run: the plan, every body's state and accumulators, the time series,
 * the statistics.
 * Timing, machine and backend do not enter, nor how many final states were asked for. */
#ifndef SD_DIGEST_H
#define SD_DIGEST_H

#include "ensemble.h"
#include "series.h"

/* Fills summary->digest from its other members and what they come from. */
sd_status sd_digest_method(const sd_plan *plan, int m, const sd_ensemble *e, const sd_series *series,
                           sd_summary *summary, sd_error *error);
/* The digest of a list is its first one, joined with the others in their order. */
void sd_digest_join(char digest[33], const char *next);
void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]);

#endif
