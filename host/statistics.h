/* statistics.h - from the members' accounts to the numbers of one method's row. */
#ifndef SD_STATISTICS_H
#define SD_STATISTICS_H

#include "ensemble.h"
#include "series.h"
#include "states.h"
#include "statistics_list.h"
#include "trend.h"

/* Fills the statistics of the summary and the verdict; method, problem, step and time must be there already. */
sd_status sd_summarise(const sd_ensemble *ensemble, const sd_schedule *schedule, const sd_series *series, int64_t steps,
                       int stages, double resolve, int threads, sd_summary *summary, sd_error *error);

/* The same where what the series says is known. */
sd_status sd_summarise_by(const sd_ensemble *ensemble, const sd_schedule *schedule, const sd_trend *trend,
                          int64_t steps, int stages, double resolve, int threads, sd_summary *summary, sd_error *error);

/* A row of SD_COLUMNS numbers and a status for each member of the ensemble, from row `first` of the table on.  Their
 * E - E0 at the end is `at_end`. */
void sd_fill_table(const sd_ensemble *ensemble, const sd_schedule *schedule, int64_t steps, const double *at_end,
                   const sd_states *table, size_t first);

/* What is to be said of a statistic over the points of a sweep. */
typedef enum { SD_OVER_POINTS_NOTHING, SD_OVER_POINTS_MEAN, SD_OVER_POINTS_LARGEST } sd_over_points;
sd_over_points sd_statistic_over_points(int statistic);

/* ---- the same in pieces, for an ensemble in parts ----
 *
 * A part is a range of members that begins at a block of the whole (reduce.h), as an ensemble of its own.  Each gives
 * its blocks, at their places among all of them; what comes of them does not depend on the cut. */

/* What the accounts of a block come to. */
typedef struct {
  size_t failed;
  double value[SD_STATISTICS]; /* the sum, or the largest, of the statistic's term over members that have not failed */
} sd_block_accounts;

void sd_account_blocks(const sd_ensemble *part, const sd_schedule *schedule, int threads, sd_block_accounts *blocks);
/* Means and extremes of `members` members, and how many failed.  `sums` has room for a number per block. */
void sd_join_accounts(const sd_block_accounts *blocks, size_t members, int64_t steps, double *sums,
                      sd_summary *summary);
/* Sums of the squared distances of a statistic's term from its mean, per block; to be joined by sd_tree_join. */
void sd_account_squares(const sd_ensemble *part, const sd_schedule *schedule, int statistic, double mean, double *sums);

#endif
