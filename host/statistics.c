#include "statistics.h"

#include "larger.h"
#include "parallel.h"
#include "reduce.h"
#include "verdict.h"

#include <math.h>
#include <stdlib.h>

/* ---- terms: what the accounts of one member say ---- */

typedef struct {
  const sd_ensemble *e;
  const sd_schedule *s;
} accounts;

static double account(const accounts *a, int slot, size_t i) {
  return sd_account_slot(a->e, slot)[i];
}

static double half_slope(const accounts *a, int half, size_t i) {
  return account(a, SD_MOMENT + 2 * half, i) / a->s->half[half].spread;
}

static double initial_energy(const accounts *a, size_t i) {
  return account(a, SD_ENERGY0, i);
}
/* Sum of (t - mean)(E - E0) over all samples, from the sums about the halves' own means. */
static double moment(const accounts *a, size_t i) {
  double sum = 0;
  for (int half = 0; half < 2; half++)
    sum += account(a, SD_MOMENT + 2 * half, i) +
           (a->s->half[half].mean - a->s->all.mean) * account(a, SD_SUM + 2 * half, i);
  return sum;
}
static double slope(const accounts *a, size_t i) {
  return moment(a, i) / a->s->all.spread;
}
static double tapered_slope(const accounts *a, size_t i) {
  return account(a, SD_TAPERED, i) / a->s->tapered.spread / a->s->length;
}
static double rising(const accounts *a, size_t i) {
  return tapered_slope(a, i) > 0;
}
static double falling(const accounts *a, size_t i) {
  return tapered_slope(a, i) < 0;
}
/* Variance about the member's own line. */
static double residual(const accounts *a, size_t i) {
  double n = a->s->all.count, sum = account(a, SD_SUM, i) + account(a, SD_SUM + 2, i);
  double squares = account(a, SD_SQUARES, i) - sum * (sum / n) - moment(a, i) * slope(a, i);
  return squares < 0 ? 0 : squares / n;
}
/* From the mean of one half to that of the other, squared; and the slopes in the halves, mean of squares. */
static double half_change(const accounts *a, size_t i) {
  double change = account(a, SD_SUM + 2, i) / a->s->half[1].count - account(a, SD_SUM, i) / a->s->half[0].count;
  return change * change;
}
static double half_slopes(const accounts *a, size_t i) {
  double first = half_slope(a, 0, i), second = half_slope(a, 1, i);
  return (first * first + second * second) / 2;
}
static double scale(const accounts *a, size_t i) {
  return account(a, SD_SCALE, i);
}
static double first_slope(const accounts *a, size_t i) {
  return half_slope(a, 0, i);
}
static double second_slope(const accounts *a, size_t i) {
  return half_slope(a, 1, i);
}
static double energy_error(const accounts *a, size_t i) {
  return larger(-account(a, SD_LOWEST, i), account(a, SD_HIGHEST, i));
}
static double lowest_error(const accounts *a, size_t i) {
  return account(a, SD_LOWEST, i);
}
static double highest_error(const accounts *a, size_t i) {
  return account(a, SD_HIGHEST, i);
}
static double squared_error(const accounts *a, size_t i) {
  return account(a, SD_SQUARES, i) / a->s->all.count;
}
static double defect(const accounts *a, size_t i) {
  return account(a, SD_DEFECT, i);
}
static double momentum_error(const accounts *a, size_t i) {
  return account(a, SD_MOMENTUM_ERROR, i);
}
static double iterations(const accounts *a, size_t i) {
  return account(a, SD_ITERATIONS, i);
}
static double most_iterations(const accounts *a, size_t i) {
  return account(a, SD_MOST_ITERATIONS, i);
}

/* ---- how the terms are reduced ---- */

typedef double (*term)(const accounts *, size_t);

static const struct {
  enum { IS_DERIVED, IS_MEAN, IS_ROOT_MEAN, IS_MEAN_PER_STEP, IS_LARGEST } kind;
  term of;
} reductions[SD_STATISTICS] = {
#define MEAN(term) \
  { IS_MEAN, term }
#define ROOT_MEAN(term) \
  { IS_ROOT_MEAN, term }
#define MEAN_PER_STEP(term) \
  { IS_MEAN_PER_STEP, term }
#define LARGEST(term) \
  { IS_LARGEST, term }
#define DERIVED \
  { IS_DERIVED, NULL }
#define STATISTIC(member, place, units, description, reduction) reduction,
#include "spindrift_statistics.def"
};

sd_over_points sd_statistic_over_points(int statistic) {
  switch (reductions[statistic].kind) {
  case IS_DERIVED: return SD_OVER_POINTS_NOTHING;
  case IS_LARGEST: return SD_OVER_POINTS_LARGEST;
  default: return SD_OVER_POINTS_MEAN;
  }
}

/* ---- the table of members ---- */

static const struct {
  enum { IS_AT_END, IS_ALWAYS, IS_WHOLE, IS_WHOLE_ROOT, IS_WHOLE_PER_STEP } kind;
  term of;
} columns[SD_COLUMNS] = {
#define ALWAYS(term) \
  { IS_ALWAYS, term }
#define WHOLE(term) \
  { IS_WHOLE, term }
#define WHOLE_ROOT(term) \
  { IS_WHOLE_ROOT, term }
#define WHOLE_PER_STEP(term) \
  { IS_WHOLE_PER_STEP, term }
#define AT_END \
  { IS_AT_END, NULL }
#define COLUMN(name, units, description, reduction) reduction,
#include "spindrift_statistics.def"
};

static double column_of(const accounts *a, int k, size_t i, double at_end, double steps) {
  int lost = sd_member_status(a->e, i) != 0;
  switch (columns[k].kind) {
  case IS_AT_END: return at_end;
  case IS_ALWAYS: return columns[k].of(a, i);
  case IS_WHOLE: return lost ? NAN : columns[k].of(a, i);
  case IS_WHOLE_ROOT: return lost ? NAN : sqrt(columns[k].of(a, i));
  case IS_WHOLE_PER_STEP: return lost ? NAN : columns[k].of(a, i) / steps;
  }
  return NAN;
}

void sd_fill_table(const sd_ensemble *e, const sd_schedule *schedule, int64_t steps, const double *at_end,
                   const sd_states *table, size_t first) {
  accounts a = {e, schedule};
  double all = (double)(steps * (int64_t)(e->bodies_each ? e->bodies_each : 1));
  for (size_t i = 0; i < e->bodies; i++) {
    double *row = sd_state_at(table, 0, first + i);
    for (int k = 0; k < SD_COLUMNS; k++) row[k] = column_of(&a, k, i, at_end[i], all);
    *sd_state_status(table, 0, first + i) = (unsigned char)sd_member_status(e, i);
  }
  for (int half = 0; half < 2; half++) /* one sample has no slope */
    for (size_t i = 0; i < e->bodies && !(schedule->half[half].spread > 0); i++)
      sd_state_at(table, 0, first + i)[half ? SD_COLUMN_slope_second_half : SD_COLUMN_slope_first_half] = NAN;
}

/* ---- blocks ---- */

/* Of the members from `first` on, a block or what is left; NaN for a failed one.  Returns how many. */
static size_t terms_of(const accounts *a, size_t first, term of, double terms[SD_REDUCE_BLOCK]) {
  size_t left = a->e->bodies - first, count = left < SD_REDUCE_BLOCK ? left : SD_REDUCE_BLOCK;
  for (size_t i = 0; i < count; i++) terms[i] = sd_member_status(a->e, first + i) ? NAN : of(a, first + i);
  return count;
}

/* A member that has not failed may have a NaN of its own, which is then the largest. */
static double largest_of(const accounts *a, size_t first, const double *terms, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    if (!sd_member_status(a->e, first + i)) largest = larger(largest, terms[i]);
  return largest;
}

typedef struct {
  accounts of;
  sd_block_accounts *blocks;
} work;

static void account_block(void *data, size_t index) {
  const work *w = data;
  const accounts *a = &w->of;
  sd_block_accounts *block = &w->blocks[index];
  size_t first = index * SD_REDUCE_BLOCK;
  *block = (sd_block_accounts){0};
  for (size_t i = first; i < a->e->bodies && i < first + SD_REDUCE_BLOCK; i++)
    block->failed += sd_member_status(a->e, i) != 0;
  for (int k = 0; k < SD_STATISTICS; k++) {
    if (!reductions[k].of) continue;
    double terms[SD_REDUCE_BLOCK];
    size_t count = terms_of(a, first, reductions[k].of, terms);
    block->value[k] = reductions[k].kind == IS_LARGEST ? largest_of(a, first, terms, count) : sd_tree_sum(terms, count);
  }
}

void sd_account_blocks(const sd_ensemble *part, const sd_schedule *schedule, int threads, sd_block_accounts *blocks) {
  work w = {{part, schedule}, blocks};
  sd_parallel(threads, sd_blocks_of(part->bodies), account_block, &w);
}

void sd_account_squares(const sd_ensemble *part, const sd_schedule *schedule, int statistic, double mean,
                        double *sums) {
  accounts a = {part, schedule};
  for (size_t i = 0; i < sd_blocks_of(part->bodies); i++) {
    double terms[SD_REDUCE_BLOCK];
    size_t count = terms_of(&a, i * SD_REDUCE_BLOCK, reductions[statistic].of, terms);
    sums[i] = sd_tree_sum_of_squares(terms, count, mean);
  }
}

/* ---- joining ---- */

static double joined_largest(const sd_block_accounts *blocks, size_t count, int k, double nothing) {
  double largest = nothing;
  for (size_t i = 0; i < count; i++) largest = larger(largest, blocks[i].value[k]);
  return largest;
}

void sd_join_accounts(const sd_block_accounts *blocks, size_t members, int64_t steps, double *sums, sd_summary *r) {
  size_t count = sd_blocks_of(members);
  r->members = members;
  r->failed = 0;
  for (size_t i = 0; i < count; i++) r->failed += blocks[i].failed;
  double alive = (double)(members - r->failed); /* 0 makes every mean NaN: there is nothing to report, */
  double nothing = alive > 0 ? 0 : NAN;         /* nor an extreme */
  for (int k = 0; k < SD_STATISTICS; k++) {
    for (size_t i = 0; i < count; i++) sums[i] = blocks[i].value[k];
    double mean = sd_tree_join(sums, count) / alive, *to = sd_statistic_at(r, k);
    switch (reductions[k].kind) {
    case IS_DERIVED: *to = NAN; break; /* until it is */
    case IS_MEAN: *to = mean; break;
    case IS_ROOT_MEAN: *to = sqrt(mean); break;
    case IS_MEAN_PER_STEP: *to = mean / (double)steps; break;
    case IS_LARGEST: *to = joined_largest(blocks, count, k, nothing); break;
    }
  }
}

/* ---- what is derived ---- */

/* Of the mean of a statistic's term; NaN without two members. */
static double standard_error(const sd_ensemble *e, const sd_schedule *s, int statistic, double *sums,
                             const sd_summary *r) {
  double alive = (double)(r->members - r->failed);
  if (!(alive > 1)) return NAN;
  sd_account_squares(e, s, statistic, sd_statistic_value(r, statistic), sums);
  return sqrt(sd_tree_join(sums, sd_blocks_of(e->bodies)) / (alive - 1) / alive);
}

static void derive_slopes(const sd_ensemble *e, const sd_schedule *s, double *sums, sd_summary *r) {
  if (!(s->half[0].spread > 0)) r->slope_first_half = NAN; /* one sample has no slope */
  if (!(s->half[1].spread > 0)) r->slope_second_half = NAN;
  r->slope_stderr = standard_error(e, s, SD_STATISTIC_slope_mean, sums, r);
  r->drift_stderr = standard_error(e, s, SD_STATISTIC_drift_slope, sums, r);
  if (r->slope_stderr != r->slope_stderr) return;
  double reach = sd_student95((double)(r->members - r->failed) - 1) * r->slope_stderr;
  r->slope_low = r->slope_mean - reach;
  r->slope_high = r->slope_mean + reach;
}

/* Statistics are of those that went on to the end; but who was to end on the way has not failed. */
static void leave_out_ended(const sd_ensemble *e, sd_summary *r) {
  for (size_t i = 0; i < e->bodies; i++) r->failed -= sd_member_status(e, i) == SD_MEMBER_ENDED;
  sd_explain(r);
}

sd_status sd_summarise(const sd_ensemble *e, const sd_schedule *s, const sd_series *series, int64_t steps, int stages,
                       double resolve, int threads, sd_summary *r, sd_error *error) {
  sd_trend trend;
  SD_TRY(sd_trend_of(series, &trend, error));
  return sd_summarise_by(e, s, &trend, steps, stages, resolve, threads, r, error);
}

sd_status sd_summarise_by(const sd_ensemble *e, const sd_schedule *s, const sd_trend *trend, int64_t steps, int stages,
                          double resolve, int threads, sd_summary *r, sd_error *error) {
  size_t count = sd_blocks_of(e->bodies);
  sd_block_accounts *blocks = malloc(count * sizeof *blocks);
  double *sums = malloc(count * sizeof *sums);
  sd_status status = SD_OK;
  if (blocks && sums) {
    sd_account_blocks(e, s, threads, blocks);
    sd_join_accounts(blocks, e->bodies, steps * (int64_t)(e->bodies_each ? e->bodies_each : 1), sums, r);
    derive_slopes(e, s, sums, r);
    sd_judge(r, trend, resolve, steps * stages);
    leave_out_ended(e, r);
  } else status = sd_fail(error, SD_NO_MEMORY, "statistics of %zu members: out of memory", e->bodies);
  free(sums);
  free(blocks);
  return status;
}
