/* statistics.h - from the bodies' accumulators to the numbers of one method's row. */
#ifndef SD_STATISTICS_H
#define SD_STATISTICS_H

#include "ensemble.h"
#include "schedule.h"

/* Fills everything of the summary but the timing. */
sd_status sd_summarise(const sd_ensemble *ensemble, const sd_schedule *schedule, int64_t steps, sd_summary *summary,
                       sd_error *error);

/* The two-sided 95 % point of Student's distribution. */
double sd_student95(double degrees_of_freedom);

#endif
