#include "points.h"

#include "parallel.h"
#include "statistics.h"
#include "variety.h"
#include "verdict.h"

#include "../kernels/witness.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_BYTES = 1 << 28, BATCH_BODIES = 1 << 18 };

static size_t numbers_of_each(size_t each) { /* at a sample */
  return each > 1 ? 4 : 2;
}

static size_t kept_samples(const sd_specification *spec) {
  int64_t samples = spec->total_steps / spec->sample_every + 2;
  return (size_t)(samples < SD_SERIES_MOST ? samples : SD_SERIES_MOST + 2);
}

size_t sd_batch_points(const sd_specification *spec) {
  if (spec->apart) return 1;
  size_t most = ROWS_BYTES / sizeof(double) / numbers_of_each(spec->each) / kept_samples(spec);
  size_t crowd = BATCH_BODIES / spec->each / sd_bodies_of(spec);
  size_t points = most < crowd ? most : crowd;
  if (points > SD_GROUP_MAX) points -= points % SD_GROUP_MAX;
  if (points < 1) points = 1;
  return points < spec->points ? points : spec->points;
}

/* Are its systems of another kind than those of the point before it? */
static int is_new(const sd_specification *spec, size_t point) {
  return spec->topology && sd_is_swept(spec) && point &&
         sd_kind_of_member(spec, point * spec->each) != sd_kind_of_member(spec, (point - 1) * spec->each);
}

size_t sd_batch_from(const sd_specification *spec, size_t point) {
  size_t most = sd_batch_points(spec), end = (point / most + 1) * most, next = point + 1;
  if (end > spec->points) end = spec->points;
  while (next < end && !is_new(spec, next)) next++;
  return next - point;
}
int sd_batch_begins(const sd_specification *spec, size_t point) {
  return point % sd_batch_points(spec) == 0 || is_new(spec, point);
}
size_t sd_batch_members(const sd_specification *spec) {
  return sd_is_swept(spec) ? sd_batch_points(spec) * spec->each : spec->members;
}

/* ---- rows ---- */

/* When samples and witnesses are: as take_samples and take_witnesses of simulation.c have them. */
static void fill_steps(sd_point_rows *r, const sd_specification *spec, const sd_series *sampling,
                       const sd_schedule *schedule) {
  size_t n = 0;
  for (int64_t k = 0; k < schedule->samples; k++) {
    if (!sd_series_keeps(sampling, schedule, k)) continue;
    int64_t step = k * spec->sample_every;
    r->step[n++] = (double)(step < spec->total_steps ? step : spec->total_steps);
  }
  r->samples = n;
  for (size_t i = 0; i < n; i++) {
    int64_t step = i ? sd_witness_step(sampling->witness_length, (int64_t)i) : INT64_MAX;
    r->witness_step[i] = step <= spec->total_steps ? (double)step : NAN;
  }
}

static sd_status make_room(sd_point_rows *r, const sd_specification *spec, size_t room, size_t points,
                           sd_error *error) {
  size_t all = room * points;
  sd_point_rows_destroy(r);
  *r = (sd_point_rows){.room = points, .each = spec->each};
  r->step = calloc(room, sizeof *r->step);
  r->witness_step = calloc(room, sizeof *r->witness_step);
  r->mean = calloc(all, sizeof *r->mean);
  r->witness = calloc(all, sizeof *r->witness);
  r->lowest = spec->each > 1 ? calloc(all, sizeof *r->lowest) : r->mean;
  r->highest = spec->each > 1 ? calloc(all, sizeof *r->highest) : r->mean;
  r->row = calloc(points * spec->each, sizeof *r->row);
  r->sums = calloc(sd_blocks_of(spec->each), sizeof *r->sums);
  if (r->step && r->witness_step && r->mean && r->witness && r->lowest && r->highest && r->row && r->sums) return SD_OK;
  return sd_fail(error, SD_NO_MEMORY, "samples of %zu points: out of memory", points);
}

sd_status sd_point_rows_begin(sd_point_rows *r, const sd_specification *spec, const sd_series *sampling,
                              const sd_schedule *schedule, size_t points, sd_error *error) {
  if (points > r->room) SD_TRY(make_room(r, spec, sampling->room, points, error));
  r->points = points;
  r->interval = sampling->witness_length;
  r->done = 0;
  fill_steps(r, spec, sampling, schedule);
  for (size_t i = 0; i < sampling->room * points; i++) r->witness[i] = NAN;
  return SD_OK;
}

void sd_point_rows_destroy(sd_point_rows *r) {
  free(r->step);
  free(r->witness_step);
  if (r->lowest != r->mean) free(r->lowest);
  if (r->highest != r->mean) free(r->highest);
  free(r->mean);
  free(r->witness);
  free(r->row);
  free(r->sums);
  *r = (sd_point_rows){.points = 0};
}

/* ---- a sample ---- */

static sd_status copy_row(const sd_parts *parts, size_t row, double *to, sd_error *error) {
  for (size_t i = 0; i < parts->count; i++) {
    sd_part *part = parts->part[i];
    SD_TRY(part->copy_row(part, row, to + part->first, error));
  }
  return SD_OK;
}

/* Over the members that have not failed, along the tree over those of the point. */
static double mean_of(const sd_point_rows *r, size_t point) {
  const double *x = r->row + point * r->each;
  size_t blocks = sd_blocks_of(r->each), present = 0;
  for (size_t i = 0; i < r->each; i++) present += x[i] == x[i];
  for (size_t b = 0; b < blocks; b++) {
    size_t left = r->each - b * SD_REDUCE_BLOCK;
    r->sums[b] = sd_tree_sum(x + b * SD_REDUCE_BLOCK, left < SD_REDUCE_BLOCK ? left : SD_REDUCE_BLOCK);
  }
  return present ? sd_tree_join(r->sums, blocks) / (double)present : NAN;
}

static void find_extremes(const sd_point_rows *r, size_t point, double *lowest, double *highest) {
  const double *x = r->row + point * r->each;
  *lowest = INFINITY, *highest = -INFINITY;
  for (size_t i = 0; i < r->each; i++) {
    *lowest = x[i] < *lowest ? x[i] : *lowest;
    *highest = x[i] > *highest ? x[i] : *highest;
  }
  if (*lowest > *highest) *lowest = *highest = NAN; /* all of them have failed */
}

/* The means of a row; of one member each, the row is that. */
static sd_status take_means(const sd_point_rows *r, const sd_parts *parts, size_t row, double *means, sd_error *error) {
  SD_TRY(copy_row(parts, row, r->each > 1 ? r->row : means, error));
  for (size_t p = 0; p < r->points && r->each > 1; p++) means[p] = mean_of(r, p);
  return SD_OK;
}

sd_status sd_point_rows_take(sd_point_rows *r, const sd_parts *parts, size_t row, sd_error *error) {
  size_t at = r->done++ * r->points;
  SD_TRY(take_means(r, parts, row, r->mean + at, error));
  for (size_t p = 0; p < r->points && r->each > 1; p++) find_extremes(r, p, &r->lowest[at + p], &r->highest[at + p]);
  return SD_OK;
}

sd_status sd_point_rows_take_witness(sd_point_rows *r, const sd_parts *parts, size_t row, size_t at, sd_error *error) {
  return take_means(r, parts, row, r->witness + at * r->points, error);
}

/* ---- the end of a batch ---- */

typedef struct {
  const sd_point_rows *rows;
  const sd_ensemble *ensemble;
  const sd_specification *spec;
  int m;
  size_t first;
  const size_t *order; /* in which points are taken */
  sd_point *points;
  atomic_int failed;
} work;

/* Of points with the same step. */
static sd_status find_trends(const work *w, const size_t *order, size_t count, sd_trend *trends, sd_error *error) {
  const sd_point_rows *r = w->rows;
  sd_windows *windows;
  double h = sd_step_of_point(w->spec, w->first + order[0]), *times = malloc(2 * r->samples * sizeof *times);
  if (!times) return sd_fail(error, SD_NO_MEMORY, "times of %zu samples: out of memory", r->samples);
  for (size_t i = 0; i < r->samples; i++) {
    times[i] = r->step[i] * h;
    times[r->samples + i] = r->witness_step[i] * h;
  }
  sd_status status = sd_windows_create(&windows, r->samples, r->interval, (sd_curves){times, 1},
                                       (sd_curves){times + r->samples, 1}, count, error);
  free(times);
  SD_TRY(status);
  sd_many_series s = {.mean = {r->mean, r->points},
                      .lowest = {r->lowest, r->points},
                      .highest = {r->highest, r->points},
                      .witness = {r->witness, r->points}};
  sd_trends_of(windows, &s, order, count, trends);
  sd_windows_destroy(windows);
  return SD_OK;
}

static void begin_summary(sd_summary *r, const sd_specification *spec, size_t m, size_t point) {
  sd_summary_begin(r, spec, m);
  r->step = sd_step_of_point(spec, point);
  r->time = (double)spec->total_steps * r->step;
  r->members = spec->each;
}

/* The members of one point are an ensemble, whose columns are among others'. */
static sd_status conclude_point(const work *w, size_t p, const sd_trend *trend) {
  const sd_specification *spec = w->spec;
  sd_ensemble own = *w->ensemble;
  sd_point *to = &w->points[p];
  sd_summary r;
  sd_error error = {0};
  sd_digest members;
  own.bodies = spec->each;
  own.slots += p * spec->each;
  begin_summary(&r, spec, (size_t)w->m, w->first + p);
  sd_schedule schedule = sd_schedule_make(r.step, spec->total_steps, spec->sample_every);
  SD_TRY(sd_summarise_by(&own, &schedule, trend, spec->total_steps, sd_stages_of(&spec->methods[w->m]), spec->resolve,
                         1, &r, &error));
  SD_TRY(sd_digest_members(&own, 1, &members, &error));
  *to = (sd_point){.failed = r.failed, .verdict = (size_t)r.verdict, .reason = (size_t)r.reason};
  for (int k = 0; k < SD_STATISTICS; k++) to->value[k] = sd_statistic_value(&r, k);
  return sd_digest_point(&members, &r, &to->digest, &error);
}

/* How many of these points, from the first on, have its step. */
static size_t alike(const work *w, const size_t *order, size_t count) {
  size_t n = 1;
  while (n < count && sd_step_of_point(w->spec, w->first + order[n]) == sd_step_of_point(w->spec, w->first + order[0]))
    n++;
  return n;
}

static sd_status conclude_all(const work *w, const size_t *order, size_t count) {
  sd_trend trends[SD_TRENDS_MOST];
  sd_error error = {0};
  while (count) {
    size_t some = alike(w, order, count);
    SD_TRY(find_trends(w, order, some, trends, &error));
    for (size_t i = 0; i < some; i++) SD_TRY(conclude_point(w, order[i], &trends[i]));
    order += some;
    count -= some;
  }
  return SD_OK;
}

static void conclude_some(void *data, size_t index) {
  work *w = data;
  size_t first = index * SD_TRENDS_MOST, left = w->rows->points - first;
  if (conclude_all(w, w->order + first, left < SD_TRENDS_MOST ? left : SD_TRENDS_MOST)) atomic_store(&w->failed, 1);
}

/* The points of the batch, those with one step after the other: what their samples weigh is found once for many. */
static void order_by_steps(const sd_specification *spec, size_t first, size_t points, size_t *order) {
  const sd_sweep *s = &spec->sweep;
  size_t steps = 1, inner = 1, n = 0; /* inner: points next to one another that have the same */
  for (int k = 0; k < s->axes; k++) {
    inner *= steps > 1 ? s->axis[k].count : 1;
    if (spec->targets.axis[k].of == SD_TARGET_STEP) steps = s->axis[k].count;
  }
  size_t period = steps * inner, end = first + points;
  for (size_t place = 0; place < steps; place++)
    for (size_t from = first / period * period + place * inner; from < end; from += period)
      for (size_t p = from > first ? from : first; p < from + inner && p < end; p++) order[n++] = p - first;
}

sd_status sd_points_conclude(const sd_point_rows *r, const sd_ensemble *ensemble, const sd_specification *spec, int m,
                             size_t first, int threads, sd_point *points, sd_error *error) {
  size_t *order = malloc(r->points * sizeof *order);
  work w = {.rows = r, .ensemble = ensemble, .spec = spec, .m = m, .first = first, .order = order, .points = points};
  if (order) {
    order_by_steps(spec, first, r->points, order);
    sd_parallel(threads, (r->points + SD_TRENDS_MOST - 1) / SD_TRENDS_MOST, conclude_some, &w);
  }
  free(order);
  return !order || atomic_load(&w.failed)
             ? sd_fail(error, SD_NO_MEMORY, "statistics of %zu points: out of memory", r->points)
             : SD_OK;
}

/* ---- what came of them ---- */

void sd_point_summary(const sd_specification *spec, size_t m, size_t point, const sd_point *from, sd_summary *r) {
  begin_summary(r, spec, m, point);
  r->failed = from->failed;
  r->verdict = (sd_verdict)from->verdict;
  r->reason = (sd_reason)from->reason;
  for (int k = 0; k < SD_STATISTICS; k++) *sd_statistic_at(r, k) = from->value[k];
  sd_explain(r);
}

/* The mean over the points that have it. */
static double mean_over(const sd_point *points, size_t count, int statistic) {
  double sum = 0, n = 0;
  for (size_t p = 0; p < count; p++) {
    double x = points[p].value[statistic];
    if (x == x) sum += x, n++;
  }
  return sum / n;
}

static double largest_over(const sd_point *points, size_t count, int statistic) {
  double largest = NAN;
  for (size_t p = 0; p < count; p++)
    if (points[p].value[statistic] > largest || largest != largest) largest = points[p].value[statistic];
  return largest;
}

void sd_points_summarise(const sd_point *points, size_t count, sd_summary *r) {
  int agree = 1;
  r->failed = 0;
  for (size_t p = 0; p < count; p++) {
    r->failed += points[p].failed;
    agree &= points[p].verdict == points[0].verdict;
  }
  for (int k = 0; k < SD_STATISTICS; k++) switch (sd_statistic_over_points(k)) {
    case SD_OVER_POINTS_MEAN: *sd_statistic_at(r, k) = mean_over(points, count, k); break;
    case SD_OVER_POINTS_LARGEST: *sd_statistic_at(r, k) = largest_over(points, count, k); break;
    case SD_OVER_POINTS_NOTHING: *sd_statistic_at(r, k) = NAN; break;
    }
  r->verdict = agree ? (sd_verdict)points[0].verdict : SD_UNDECIDED;
  r->reason = agree ? SD_POINTS_AGREE : SD_POINTS_DIFFER;
  sd_explain(r);
}
