#include "trend.h"

#include "larger.h"

#include <math.h>
#include <stddef.h>

static double number(const sd_curves *c, size_t i) {
  return c->at[i * c->stride];
}

/* ---- slopes over windows ---- */

/* In the window from `begin` on, of every ensemble.  Weights and times are the same for all. */
static void slopes_in(const sd_many_series *s, const sd_curves *times, const sd_curves *values, double begin,
                      double length, double slope[SD_TRENDS_MOST]) {
  double weights = 0, sum = 0, spread = 0;
  for (size_t p = 0; p < s->ensembles; p++) slope[p] = 0;
  for (int pass = 0; pass < 2; pass++) {
    double mean = sum / weights;
    for (size_t i = 0; i < s->samples; i++) {
      double t = number(times, i), x = (t - begin) / length, w = x * (1 - x);
      if (x >= 1) break; /* times ascend */
      if (!(x > 0)) continue;
      w *= w;
      if (pass) {
        const double factor = w * (t - mean), *y = values->at + i * values->stride;
        for (size_t p = 0; p < s->ensembles; p++) slope[p] += factor * y[p];
        spread += w * (t - mean) * (t - mean);
      } else {
        weights += w;
        sum += w * t;
      }
    }
  }
  for (size_t p = 0; p < s->ensembles; p++) slope[p] /= spread;
}

enum { BEGINNINGS = 32 }; /* of windows, at equal distances */

/* In the windows of one `part`-th of the run.  One without a slope leaves NaN. */
static void slopes_in_windows(const sd_many_series *s, const sd_curves *times, const sd_curves *values, double length,
                              int part, sd_slopes found[SD_TRENDS_MOST]) {
  double slope[SD_TRENDS_MOST];
  for (size_t p = 0; p < s->ensembles; p++) found[p] = (sd_slopes){INFINITY, -INFINITY};
  for (int j = 0; j <= BEGINNINGS - BEGINNINGS / part; j++) {
    slopes_in(s, times, values, j * length / BEGINNINGS, length / part, slope);
    for (size_t p = 0; p < s->ensembles; p++) {
      found[p].lowest = smaller(found[p].lowest, slope[p]);
      found[p].highest = larger(found[p].highest, slope[p]);
    }
  }
}

/* ---- the rest ---- */

static void variances_about_lines(const sd_many_series *s, double variance[SD_TRENDS_MOST]) {
  double n = (double)s->samples, time = 0, spread = 0, mean[SD_TRENDS_MOST] = {0}, moment[SD_TRENDS_MOST] = {0};
  for (size_t p = 0; p < s->ensembles; p++) variance[p] = 0;
  for (size_t i = 0; i < s->samples; i++) {
    const double *y = s->mean.at + i * s->mean.stride;
    time += number(&s->time, i) / n;
    for (size_t p = 0; p < s->ensembles; p++) mean[p] += y[p] / n;
  }
  for (size_t i = 0; i < s->samples; i++) {
    const double t = number(&s->time, i) - time, *y = s->mean.at + i * s->mean.stride;
    spread += t * t;
    for (size_t p = 0; p < s->ensembles; p++) moment[p] += t * (y[p] - mean[p]);
  }
  for (size_t i = 0; i < s->samples; i++) {
    const double t = number(&s->time, i) - time, *y = s->mean.at + i * s->mean.stride;
    for (size_t p = 0; p < s->ensembles; p++) {
      double gap = y[p] - mean[p] - moment[p] / spread * t;
      variance[p] += gap * gap / n;
    }
  }
}

/* The least and the greatest that samples from .. to-1 have, of every ensemble. */
typedef struct {
  double lowest[SD_TRENDS_MOST], highest[SD_TRENDS_MOST];
} extremes;

static void widen(const sd_many_series *s, size_t from, size_t to, extremes *e) {
  for (size_t i = from; i < to; i++) {
    const double *low = s->lowest.at + i * s->lowest.stride, *high = s->highest.at + i * s->highest.stride;
    for (size_t p = 0; p < s->ensembles; p++) {
      e->lowest[p] = smaller(e->lowest[p], low[p]);
      e->highest[p] = larger(e->highest[p], high[p]);
    }
  }
}

static void begin_extremes(const sd_many_series *s, extremes *e) {
  for (size_t p = 0; p < s->ensembles; p++) e->lowest[p] = INFINITY, e->highest[p] = -INFINITY;
}

/* The ends, an eighth of the run each, have next to no weight in the slopes, but all of it in the rms: an energy that
 * explodes there would seem to stand still. */
static void find_extremes(const sd_many_series *s, sd_trend *trends) {
  extremes between, all, second;
  size_t end = s->samples / 8;
  begin_extremes(s, &between);
  widen(s, end, s->samples - end, &between);
  all = between;
  widen(s, 0, end, &all);
  widen(s, s->samples - end, s->samples, &all);
  begin_extremes(s, &second);
  widen(s, s->samples / 2, s->samples, &second);
  for (size_t p = 0; p < s->ensembles; p++) {
    double range = between.highest[p] - between.lowest[p];
    trends[p].stays = all.lowest[p] >= between.lowest[p] - range && all.highest[p] <= between.highest[p] + range;
    trends[p].lowest = second.lowest[p];
    trends[p].highest = second.highest[p];
  }
}

void sd_trends_of(const sd_many_series *s, sd_trend *trends) {
  double variance[SD_TRENDS_MOST], witness[SD_TRENDS_MOST];
  sd_slopes halves[SD_TRENDS_MOST], quarters[SD_TRENDS_MOST], witness_quarters[SD_TRENDS_MOST];
  for (size_t p = 0; p < s->ensembles; p++)
    trends[p] = (sd_trend){.samples = s->samples, .witnessed = s->interval != 0, .interval = s->interval};
  if (s->samples < SD_SAMPLES_LEAST) return;
  double length = number(&s->time, s->samples - 1);
  slopes_in_windows(s, &s->time, &s->mean, length, 2, halves);
  slopes_in_windows(s, &s->time, &s->mean, length, 4, quarters);
  variances_about_lines(s, variance);
  if (s->interval) slopes_in(s, &s->witness_time, &s->witness, 0, length, witness);
  if (s->interval) slopes_in_windows(s, &s->witness_time, &s->witness, length, 4, witness_quarters);
  for (size_t p = 0; p < s->ensembles; p++) {
    trends[p].halves = halves[p];
    trends[p].quarters = quarters[p];
    trends[p].variance = variance[p];
    trends[p].witness = s->interval ? witness[p] : NAN;
    if (s->interval) trends[p].witness_quarters = witness_quarters[p];
  }
  find_extremes(s, trends);
}

/* A quantity of the samples as they lie. */
static sd_curves curve(const sd_series *s, size_t offset) {
  _Static_assert(sizeof(sd_sample) % sizeof(double) == 0, "samples are rows of numbers");
  return (sd_curves){(const double *)((const char *)s->sample + offset), sizeof *s->sample / sizeof(double)};
}

sd_trend sd_trend_of(const sd_series *s) {
  sd_trend trend;
  sd_many_series one = {.samples = s->count, .ensembles = 1, .interval = s->witness_length};
  if (s->count) {
    one.time = curve(s, offsetof(sd_sample, time));
    one.mean = curve(s, offsetof(sd_sample, mean));
    one.lowest = curve(s, offsetof(sd_sample, lowest));
    one.highest = curve(s, offsetof(sd_sample, highest));
    one.witness_time = curve(s, offsetof(sd_sample, witness_time));
    one.witness = curve(s, offsetof(sd_sample, witness));
  }
  sd_trends_of(&one, &trend);
  return trend;
}
