/* digest.h - one number for all the science of a run: the plan, every body's state and accumulators, the time series,
 * the statistics.
 * Timing, machine and backend do not enter, nor how many final states were asked for. */
#ifndef SD_DIGEST_H
#define SD_DIGEST_H

#include "ensemble.h"
#include "series.h"

typedef struct {
  void *state;
} sd_digest;

sd_status sd_digest_begin(sd_digest *digest, sd_error *error);
void sd_digest_method(sd_digest *digest, const sd_plan *plan, int m, const sd_ensemble *e, const sd_series *series,
                      const sd_summary *summary);
/* Of one result its own; of several, over theirs. */
void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]);
void sd_digest_end(sd_digest *digest, char text[33]);

#endif
