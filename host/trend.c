#include "trend.h"

#include "larger.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- what samples weigh ---- */

enum {
  BEGINNINGS = 32, /* of windows, at equal distances */
  HALVES = BEGINNINGS - BEGINNINGS / 2 + 1,
  QUARTERS = BEGINNINGS - BEGINNINGS / 4 + 1,
  LANES = 8 /* ensembles side by side */
};

/* A slope is the sum of values times factors, over the spread. */
typedef struct {
  size_t first, count; /* samples in it */
  double *factor, spread;
} window;

struct sd_windows {
  size_t samples, most; /* most: ensembles at work at a time */
  int64_t interval;
  double *time, *witness_time;
  window half[HALVES], quarter[QUARTERS], witness, witness_quarter[QUARTERS];
  double *factors;
  double *lanes; /* a quantity of the ensembles at work: [ensemble / LANES][sample][LANES], or [sample] */
};

static double place_in(double t, double begin, double length) {
  return (t - begin) / length;
}

/* Which samples are in it; those before `from` are not. */
static void find_samples(window *w, const double *times, size_t samples, size_t from, double begin, double length) {
  while (from < samples && !(place_in(times[from], begin, length) > 0)) from++;
  w->first = from;
  for (size_t end = samples; from < end;) {
    size_t middle = from + (end - from) / 2;
    if (place_in(times[middle], begin, length) < 1) from = middle + 1;
    else end = middle;
  }
  w->count = from - w->first;
}

static void weigh(window *w, const double *times, double begin, double length) {
  const double *t = times + w->first;
  double weights = 0, sum = 0, spread = 0, *factor = w->factor;
  for (size_t i = 0; i < w->count; i++) {
    double x = place_in(t[i], begin, length), root = x * (1 - x);
    factor[i] = root * root;
  }
  for (size_t i = 0; i < w->count; i++) {
    weights += factor[i];
    sum += factor[i] * t[i];
  }
  double mean = sum / weights;
  for (size_t i = 0; i < w->count; i++) {
    factor[i] = factor[i] * (t[i] - mean);
    spread += factor[i] * (t[i] - mean);
  }
  w->spread = spread;
}

/* Windows of one `part`-th of the run each; one of the whole. */
typedef struct {
  window *window;
  int count, part;
  const double *times;
} row_of_windows;

static double begin_of(int j, double run) {
  return j * run / BEGINNINGS;
}

static sd_status weigh_all(sd_windows *w, sd_error *error) {
  double run = w->time[w->samples - 1];
  const row_of_windows rows[] = {{w->half, HALVES, 2, w->time},
                                 {w->quarter, QUARTERS, 4, w->time},
                                 {&w->witness, 1, 1, w->witness_time},
                                 {w->witness_quarter, QUARTERS, 4, w->witness_time}};
  size_t kinds = w->interval ? 4 : 2, numbers = 0;
  for (const row_of_windows *r = rows; r < rows + kinds; r++)
    for (int j = 0; j < r->count; j++) {
      find_samples(&r->window[j], r->times, w->samples, j ? r->window[j - 1].first : 0, begin_of(j, run),
                   run / r->part);
      numbers += r->window[j].count;
    }
  double *next = w->factors = malloc((numbers + 1) * sizeof *next);
  if (!next) return sd_fail(error, SD_NO_MEMORY, "windows of %zu samples: out of memory", w->samples);
  for (const row_of_windows *r = rows; r < rows + kinds; r++)
    for (int j = 0; j < r->count; j++) {
      r->window[j].factor = next;
      next += r->window[j].count;
      weigh(&r->window[j], r->times, begin_of(j, run), run / r->part);
    }
  return SD_OK;
}

static double *numbers_of(sd_curves c, size_t count) {
  double *numbers = malloc((count + 1) * sizeof *numbers);
  for (size_t i = 0; i < count && numbers && c.at; i++) numbers[i] = c.at[i * c.stride];
  return numbers;
}

/* As many of them as are not too much for a cache, in whole lanes; or one alone. */
static size_t fitting(size_t samples, size_t ensembles) {
  enum { BYTES = 1 << 21 };
  size_t most = BYTES / sizeof(double) / (samples + 1), all = ensembles < SD_TRENDS_MOST ? ensembles : SD_TRENDS_MOST;
  most = most > all ? all : most ? most : 1;
  if (ensembles == 1) return 1;
  return (most + LANES - 1) / LANES * LANES;
}

sd_status sd_windows_create(sd_windows **made, size_t samples, int64_t interval, sd_curves times,
                            sd_curves witness_times, size_t most, sd_error *error) {
  sd_windows *w = *made = calloc(1, sizeof *w);
  if (!w) return sd_fail(error, SD_NO_MEMORY, "windows: out of memory");
  *w = (sd_windows){.samples = samples, .most = fitting(samples, most), .interval = interval};
  if (samples < SD_SAMPLES_LEAST) return SD_OK;
  w->time = numbers_of(times, samples);
  w->witness_time = numbers_of(witness_times, samples);
  w->lanes = malloc(w->most * samples * sizeof *w->lanes);
  sd_status status = w->time && w->witness_time && w->lanes
                         ? weigh_all(w, error)
                         : sd_fail(error, SD_NO_MEMORY, "windows of %zu samples: out of memory", samples);
  if (status) sd_windows_destroy(w), *made = NULL;
  return status;
}

void sd_windows_destroy(sd_windows *w) {
  if (!w) return;
  free(w->time);
  free(w->witness_time);
  free(w->factors);
  free(w->lanes);
  free(w);
}

/* ---- ensembles side by side ---- */

/* Ensembles are `width` side by side: LANES, or a single one, alone with its times.  Each is compiled for itself. */
#define SIDE_BY_SIDE static inline __attribute__((always_inline))

/* Lanes without an ensemble repeat the last one.  Samples of many ensembles lie far apart: those of the next rows are
 * on their way while these are copied. */
SIDE_BY_SIDE void pack(sd_windows *w, const sd_curves *from, const size_t *ensembles, size_t count, size_t width) {
  enum { AHEAD = 8 };
  size_t column[SD_TRENDS_MOST];
  for (size_t p = 0; p < SD_TRENDS_MOST; p++) column[p] = ensembles[p < count ? p : count - 1];
  for (size_t i = 0; i < w->samples; i++) {
    const double *row = from->at + i * from->stride, *ahead = row + (i + AHEAD < w->samples ? AHEAD * from->stride : 0);
    for (size_t p = 0; p < count; p += width) {
      double *to = w->lanes + p * w->samples + i * width;
      __builtin_prefetch(ahead + column[p]);
      for (size_t k = 0; k < width; k++) to[k] = row[column[p + k]];
    }
  }
}

/* Slopes of the ensembles whose lanes these are. */
SIDE_BY_SIDE void slopes_in(const window *w, const double *lanes, double slope[LANES], size_t width) {
  double sum[LANES] = {0};
  const double *y = lanes + w->first * width;
  for (size_t i = 0; i < w->count; i++, y += width)
    for (size_t k = 0; k < width; k++) sum[k] += w->factor[i] * y[k];
  for (size_t k = 0; k < width; k++) slope[k] = sum[k] / w->spread;
}

/* One without a slope leaves NaN. */
SIDE_BY_SIDE void slopes_in_windows(const window *windows, int count, const double *lanes, sd_slopes found[LANES],
                                    size_t width) {
  double slope[LANES];
  for (size_t k = 0; k < width; k++) found[k] = (sd_slopes){INFINITY, -INFINITY};
  for (int j = 0; j < count; j++) {
    slopes_in(&windows[j], lanes, slope, width);
    for (size_t k = 0; k < width; k++) {
      found[k].lowest = smaller(found[k].lowest, slope[k]);
      found[k].highest = larger(found[k].highest, slope[k]);
    }
  }
}

SIDE_BY_SIDE void variances_about_lines(const sd_windows *w, const double *lanes, double variance[LANES],
                                        size_t width) {
  double n = (double)w->samples, time = 0, spread = 0, mean[LANES] = {0}, moment[LANES] = {0}, rise[LANES];
  const double *y = lanes;
  for (size_t k = 0; k < width; k++) variance[k] = 0;
  for (size_t i = 0; i < w->samples; i++, y += width) {
    time += w->time[i] / n;
    for (size_t k = 0; k < width; k++) mean[k] += y[k] / n;
  }
  y = lanes;
  for (size_t i = 0; i < w->samples; i++, y += width) {
    double t = w->time[i] - time;
    spread += t * t;
    for (size_t k = 0; k < width; k++) moment[k] += t * (y[k] - mean[k]);
  }
  y = lanes;
  for (size_t k = 0; k < width; k++) rise[k] = moment[k] / spread;
  for (size_t i = 0; i < w->samples; i++, y += width) {
    double t = w->time[i] - time;
    for (size_t k = 0; k < width; k++) {
      double gap = y[k] - mean[k] - rise[k] * t;
      variance[k] += gap * gap / n;
    }
  }
}

/* How far up it goes, or down by the sign, between the ends of the run, in all of it, in its second half.  The ends, an
 * eighth of the run each, have next to no weight in the slopes, but all of it in the rms: an energy that explodes there
 * would seem to stand still. */
typedef struct {
  double between[LANES], all[LANES], second[LANES];
} heights;

SIDE_BY_SIDE void lift(const double *lanes, double sign, size_t from, size_t to, double height[LANES], size_t width) {
  for (size_t i = from; i < to; i++)
    for (size_t k = 0; k < width; k++) height[k] = larger(height[k], sign * lanes[i * width + k]);
}

SIDE_BY_SIDE void find_heights(const sd_windows *w, const double *lanes, double sign, heights *h, size_t width) {
  size_t end = w->samples / 8, middle = w->samples / 2;
  double late[LANES];
  for (size_t k = 0; k < width; k++) h->between[k] = late[k] = h->second[k] = -INFINITY;
  lift(lanes, sign, end, middle, h->between, width);
  lift(lanes, sign, middle, w->samples - end, late, width);
  for (size_t k = 0; k < width; k++) h->all[k] = h->between[k] = larger(h->between[k], late[k]);
  lift(lanes, sign, 0, end, h->all, width);
  lift(lanes, sign, w->samples - end, w->samples, late, width);
  for (size_t k = 0; k < width; k++) h->all[k] = larger(h->all[k], h->second[k] = late[k]);
}

/* ---- the whole ---- */

SIDE_BY_SIDE void take_mean(const sd_windows *w, const double *lanes, size_t count, sd_trend *trends, size_t width) {
  double variance[LANES];
  sd_slopes halves[LANES], quarters[LANES];
  slopes_in_windows(w->half, HALVES, lanes, halves, width);
  slopes_in_windows(w->quarter, QUARTERS, lanes, quarters, width);
  variances_about_lines(w, lanes, variance, width);
  for (size_t k = 0; k < count; k++) {
    trends[k].halves = halves[k];
    trends[k].quarters = quarters[k];
    trends[k].variance = variance[k];
  }
}

SIDE_BY_SIDE void take_witness(const sd_windows *w, const double *lanes, size_t count, sd_trend *trends, size_t width) {
  double slope[LANES];
  sd_slopes quarters[LANES];
  slopes_in(&w->witness, lanes, slope, width);
  slopes_in_windows(w->witness_quarter, QUARTERS, lanes, quarters, width);
  for (size_t k = 0; k < count; k++) {
    trends[k].witness = slope[k];
    trends[k].witness_quarters = quarters[k];
  }
}

static void take_heights(const heights *up, const heights *down, size_t count, sd_trend *trends) {
  for (size_t k = 0; k < count; k++) {
    double range = up->between[k] + down->between[k];
    trends[k].stays = down->all[k] <= down->between[k] + range && up->all[k] <= up->between[k] + range;
    trends[k].lowest = -down->second[k];
    trends[k].highest = up->second[k];
  }
}

SIDE_BY_SIDE void find_trends_by(sd_windows *w, const sd_many_series *s, const size_t *ensembles, size_t count,
                                 sd_trend *trends, size_t width) {
  heights up, down[SD_TRENDS_MOST / LANES];
  for (size_t p = 0; p < count; p++)
    trends[p] =
        (sd_trend){.samples = w->samples, .witnessed = w->interval != 0, .interval = w->interval, .witness = NAN};
  if (w->samples < SD_SAMPLES_LEAST) return;
#define EACH_BLOCK for (size_t p = 0, there; p < count && (there = count - p < width ? count - p : width); p += width)
  pack(w, &s->mean, ensembles, count, width);
  EACH_BLOCK take_mean(w, w->lanes + p * w->samples, there, trends + p, width);
  if (s->lowest.at != s->mean.at) pack(w, &s->lowest, ensembles, count, width);
  EACH_BLOCK find_heights(w, w->lanes + p * w->samples, -1, &down[p / width], width);
  if (s->highest.at != s->lowest.at) pack(w, &s->highest, ensembles, count, width);
  EACH_BLOCK {
    find_heights(w, w->lanes + p * w->samples, 1, &up, width);
    take_heights(&up, &down[p / width], there, trends + p);
  }
  if (!w->interval) return;
  pack(w, &s->witness, ensembles, count, width);
  EACH_BLOCK take_witness(w, w->lanes + p * w->samples, there, trends + p, width);
#undef EACH_BLOCK
}

static void find_trends(sd_windows *w, const sd_many_series *s, const size_t *ensembles, size_t count,
                        sd_trend *trends) {
  if (w->most == 1) find_trends_by(w, s, ensembles, count, trends, 1);
  else find_trends_by(w, s, ensembles, count, trends, LANES);
}

void sd_trends_of(sd_windows *w, const sd_many_series *s, const size_t *ensembles, size_t count, sd_trend *trends) {
  for (size_t p = 0; p < count; p += w->most)
    find_trends(w, s, ensembles + p, count - p < w->most ? count - p : w->most, trends + p);
}

/* A quantity of the samples as they lie. */
static sd_curves curve(const sd_series *s, size_t offset) {
  _Static_assert(sizeof(sd_sample) % sizeof(double) == 0, "samples are rows of numbers");
  return (sd_curves){(const double *)((const char *)s->sample + offset), sizeof *s->sample / sizeof(double)};
}

sd_status sd_trend_of(const sd_series *s, sd_trend *trend, sd_error *error) {
  sd_windows *windows;
  sd_many_series one = {.mean = {NULL, 0}};
  sd_curves times = {NULL, 0}, witness_times = {NULL, 0};
  if (s->count) {
    times = curve(s, offsetof(sd_sample, time));
    witness_times = curve(s, offsetof(sd_sample, witness_time));
    one.mean = curve(s, offsetof(sd_sample, mean));
    one.lowest = curve(s, offsetof(sd_sample, lowest));
    one.highest = curve(s, offsetof(sd_sample, highest));
    one.witness = curve(s, offsetof(sd_sample, witness));
  }
  SD_TRY(sd_windows_create(&windows, s->count, s->witness_length, times, witness_times, 1, error));
  sd_trends_of(windows, &one, &(size_t){0}, 1, trend);
  sd_windows_destroy(windows);
  return SD_OK;
}
