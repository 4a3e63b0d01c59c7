#include "series.h"

#include "parallel.h"
#include "reduce.h"

#include <math.h>
#include <stdlib.h>

sd_status sd_series_create(sd_series *s, const sd_schedule *schedule, sd_error *error) {
  *s = (sd_series){.every = (schedule->samples + SD_SERIES_MOST - 1) / SD_SERIES_MOST};
  s->room = (size_t)(schedule->samples / s->every) + 2;
  s->point = calloc(s->room, sizeof *s->point);
  return s->point ? SD_OK : sd_fail(error, SD_NO_MEMORY, "time series of %zu samples: out of memory", s->room);
}

void sd_series_destroy(sd_series *s) {
  free(s->point);
  s->point = NULL;
}

int sd_series_keeps(const sd_series *s, const sd_schedule *schedule, int64_t sample) {
  return sample % s->every == 0 || sample == schedule->samples - 1;
}

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

/* Puts the k-th smallest of x[low..high] in its place, smaller ones before it, larger ones after (Hoare). */
static void select_at(double *x, size_t low, size_t high, size_t k) {
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (x[middle] < x[low]) swap(&x[middle], &x[low]);
    if (x[high] < x[low]) swap(&x[high], &x[low]);
    if (x[high] < x[middle]) swap(&x[high], &x[middle]);
    double pivot = x[middle];
    size_t i = low, j = high;
    for (;;) {
      while (x[i] < pivot) i++;
      while (pivot < x[j]) j--;
      if (i >= j) break;
      swap(&x[i++], &x[j--]);
    }
    if (k <= j) high = j;
    else low = j + 1;
  }
}

enum { SLICES = 1024 }; /* a power of two */

/* The first slice whose values end beyond the rank. */
static int slice_of(const size_t *end, size_t rank) {
  int slice = 0;
  for (int half = SLICES / 2; half; half /= 2)
    if (end[slice + half - 1] <= rank) slice += half;
  return slice;
}

/* Keeps of x, which lies within [lowest, highest], only what may hold one of the ranks - the values in the same slices
 * of that range - and renumbers the ranks among what is left.  Two passes, where selecting among all takes many. */
static size_t narrow(double *x, size_t n, double lowest, double highest, size_t *rank, int ranks) {
  size_t population[SLICES] = {0}, end[SLICES], left_out[SLICES], kept = 0;
  int wanted[SLICES] = {0};
  double scale = (SLICES - 0.5) / (highest - lowest);
  if (!isfinite(scale)) return n;
  for (size_t i = 0; i < n; i++) population[(int)((x[i] - lowest) * scale)]++;
  for (size_t slice = 0, sum = 0; slice < SLICES; slice++) end[slice] = sum += population[slice];
  for (int r = 0; r < ranks; r++) wanted[slice_of(end, rank[r])] = 1;
  for (size_t slice = 0, sum = 0; slice < SLICES; slice++) left_out[slice] = sum += wanted[slice] ? 0 : population[slice];
  for (int r = 0; r < ranks; r++) rank[r] -= left_out[slice_of(end, rank[r])];
  for (size_t i = 0; i < n; i++) {
    double value = x[i];
    x[kept] = value;
    kept += (size_t)wanted[(int)((value - lowest) * scale)];
  }
  return kept;
}

/* Quantiles as numpy's default has them: linear between the two order statistics around (n - 1) p. */
static void quantiles(double *x, size_t n, double lowest, double highest, double found[SD_QUANTILES]) {
  static const double probability[SD_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
  size_t rank[2 * SD_QUANTILES];
  double part[SD_QUANTILES], value[2 * SD_QUANTILES];
  for (int q = 0; q < SD_QUANTILES; q++) {
    double place = (double)(n - 1) * probability[q];
    size_t k = (size_t)place;
    part[q] = place - (double)k;
    rank[q] = k;
    rank[SD_QUANTILES + q] = k + 1 < n ? k + 1 : k;
  }
  size_t left = narrow(x, n, lowest, highest, rank, 2 * SD_QUANTILES);
  for (int r = 0; r < 2 * SD_QUANTILES; r++) {
    select_at(x, 0, left - 1, rank[r]);
    value[r] = x[rank[r]];
  }
  for (int q = 0; q < SD_QUANTILES; q++) found[q] = value[q] + part[q] * (value[SD_QUANTILES + q] - value[q]);
}

static void reduce_row(sd_point *point, double *x, size_t bodies) {
  size_t n = 0;
  for (size_t i = 0; i < bodies; i++) n += x[i] == x[i];
  point->bodies = n;
  point->mean = point->deviation = point->lowest = point->highest = NAN;
  for (int q = 0; q < SD_QUANTILES; q++) point->quantile[q] = NAN;
  if (!n) return;
  double mean = sd_tree_sum(x, bodies) / (double)n;
  point->mean = mean;
  if (n > 1) point->deviation = sqrt(sd_tree_sum_of_squares(x, bodies, mean) / (double)(n - 1));
  if (n < bodies) { /* order statistics are the survivors' */
    size_t to = 0;
    for (size_t i = 0; i < bodies; i++)
      if (x[i] == x[i]) x[to++] = x[i];
  }
  point->lowest = point->highest = x[0];
  for (size_t i = 1; i < n; i++) {
    point->lowest = x[i] < point->lowest ? x[i] : point->lowest;
    point->highest = x[i] > point->highest ? x[i] : point->highest;
  }
  quantiles(x, n, point->lowest, point->highest, point->quantile);
}

typedef struct {
  sd_point *point;
  double *const *rows;
  size_t bodies;
} work;

static void reduce_one(void *data, size_t i) {
  const work *w = data;
  reduce_row(&w->point[i], w->rows[i], w->bodies);
}

void sd_series_add(sd_series *s, double *const *rows, const double *times, size_t count, size_t bodies, int threads) {
  work w = {s->point + s->count, rows, bodies};
  for (size_t i = 0; i < count; i++) s->point[s->count + i].time = times[i];
  sd_parallel(bodies * count < 4096 ? 1 : threads, count, reduce_one, &w);
  s->count += count;
}
