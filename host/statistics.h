/* statistics.h - from the bodies' accumulators to the numbers of one method's row. */
#ifndef SD_STATISTICS_H
#define SD_STATISTICS_H

#include "ensemble.h"
#include "series.h"

/* Fills the statistics of the summary and the verdict; method, problem, step and time must be there already. */
sd_status sd_summarise(const sd_ensemble *ensemble, const sd_schedule *schedule, const sd_series *series, int64_t steps,
                       int stages, sd_summary *summary, sd_error *error);

#endif
