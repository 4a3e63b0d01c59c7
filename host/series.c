#include "series.h"

#include "parallel.h"
#include "quantiles.h"
#include "reduce.h"

#include <math.h>
#include <stdlib.h>

sd_status sd_series_create(sd_series *s, const sd_schedule *schedule, sd_error *error) {
  *s = (sd_series){.every = (schedule->samples + SD_SERIES_MOST - 1) / SD_SERIES_MOST};
  s->room = (size_t)(schedule->samples / s->every) + 2;
  s->sample = calloc(s->room, sizeof *s->sample);
  return s->sample ? SD_OK : sd_fail(error, SD_NO_MEMORY, "time series of %zu samples: out of memory", s->room);
}

void sd_series_destroy(sd_series *s) {
  free(s->sample);
  s->sample = NULL;
}

int sd_series_keeps(const sd_series *s, const sd_schedule *schedule, int64_t sample) {
  return sample % s->every == 0 || sample == schedule->samples - 1;
}

sd_sample sd_sample_blank(size_t members) {
  sd_sample sample = {.members = members, .mean = NAN, .deviation = NAN, .lowest = NAN, .highest = NAN};
  for (int q = 0; q < SD_QUANTILES; q++) sample.quantile[q] = NAN;
  return sample;
}

/* Of the n values in x, all within [lowest, highest]. */
static void quantiles(double *x, size_t n, double lowest, double highest, double found[SD_QUANTILES]) {
  sd_ranks ranks = sd_ranks_of(n);
  double scale;
  size_t kept = n;
  sd_row_kind kind = sd_row_kind_of(lowest, highest, &scale);
  if (kind == SD_ROW_ALIKE) {
    for (int q = 0; q < SD_QUANTILES; q++) found[q] = lowest;
    return;
  }
  if (kind == SD_ROW_SLICED) {
    uint32_t population[SD_SLICES] = {0};
    unsigned char wanted[SD_SLICES];
    for (size_t i = 0; i < n; i++) population[SD_SLICE(x[i], lowest, scale)]++;
    sd_ranks_narrow(&ranks, population, wanted);
    kept = 0;
    for (size_t i = 0; i < n; i++) {
      double value = x[i];
      x[kept] = value;
      kept += wanted[SD_SLICE(value, lowest, scale)];
    }
  }
  sd_quantiles_select(&ranks, x, kept, found);
}

static sd_sample reduce_row(double *x, size_t bodies) {
  size_t n = 0;
  for (size_t i = 0; i < bodies; i++) n += x[i] == x[i];
  sd_sample sample = sd_sample_blank(n);
  if (!n) return sample;
  sample.mean = sd_tree_sum(x, bodies) / (double)n;
  if (n > 1) sample.deviation = sqrt(sd_tree_sum_of_squares(x, bodies, sample.mean) / (double)(n - 1));
  if (n < bodies) { /* order statistics are the survivors' */
    size_t to = 0;
    for (size_t i = 0; i < bodies; i++)
      if (x[i] == x[i]) x[to++] = x[i];
  }
  sample.lowest = sample.highest = x[0];
  for (size_t i = 1; i < n; i++) {
    sample.lowest = x[i] < sample.lowest ? x[i] : sample.lowest;
    sample.highest = x[i] > sample.highest ? x[i] : sample.highest;
  }
  quantiles(x, n, sample.lowest, sample.highest, sample.quantile);
  return sample;
}

typedef struct {
  sd_sample *sample;
  double *const *rows;
  size_t bodies;
} work;

static void reduce_one(void *data, size_t i) {
  const work *w = data;
  w->sample[i] = reduce_row(w->rows[i], w->bodies);
}

void sd_reduce_rows(double *const *rows, size_t count, size_t bodies, sd_sample *samples, int threads) {
  work w = {samples, rows, bodies};
  sd_parallel(bodies * count < 4096 ? 1 : threads, count, reduce_one, &w);
}
