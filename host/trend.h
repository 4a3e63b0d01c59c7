/* trend.h - what the series of an ensemble's mean says of a drift: slopes in windows of the run, and extremes.  Of many
 * ensembles side by side, to the same bits as of one: every sum goes through the samples in their order. */
#ifndef SD_TREND_H
#define SD_TREND_H

#include "series.h"

enum { SD_SAMPLES_LEAST = 128 }; /* that a verdict needs */

/* The slopes of the windows of one length. */
typedef struct {
  double lowest, highest;
} sd_slopes;

/* What the series of the ensemble mean says. */
typedef struct {
  size_t samples;
  sd_slopes halves, quarters;
  double variance; /* about its least-squares line */
  int witnessed;   /* there are witnesses: */
  double witness;  /* their slope over the run, */
  sd_slopes witness_quarters;
  double lowest, highest; /* of all members, in the second half */
  int stays;              /* what any member does at the ends of the run is within reach of what they do in between */
  int64_t interval;       /* steps between samples */
} sd_trend;

/* A quantity of some ensembles at the samples: that of ensemble p at sample i is at[i * stride + p]. */
typedef struct {
  const double *at;
  size_t stride;
} sd_curves;

typedef struct {
  sd_curves mean, lowest, highest, witness;
} sd_many_series;

enum { SD_TRENDS_MOST = 128 }; /* ensembles at a time */

/* When samples are, which is the same for many ensembles, and what each sample weighs in each window. */
typedef struct sd_windows sd_windows;

/* interval: steps between samples; 0: all are sampled, and there is no witness.  Times ascend, those of witnesses are
 * NaN where there is none, at the ends.  `most`: ensembles that will be asked for, up to SD_TRENDS_MOST. */
sd_status sd_windows_create(sd_windows **windows, size_t samples, int64_t interval, sd_curves times,
                            sd_curves witness_times, size_t most, sd_error *error);
void sd_windows_destroy(sd_windows *windows);

/* Of the ensembles with these numbers among those of the series. */
void sd_trends_of(sd_windows *windows, const sd_many_series *series, const size_t *ensembles, size_t count,
                  sd_trend *trends);
sd_status sd_trend_of(const sd_series *series, sd_trend *trend, sd_error *error);

#endif
