#include "statistics.h"

#include "reduce.h"
#include "verdict.h"

#include <math.h>
#include <stdlib.h>

static double half_slope(const sd_ensemble *e, const sd_schedule *s, int half, size_t i) {
  return sd_account_slot(e, SD_MOMENT + 2 * half)[i] / s->half[half].spread;
}

/* Sum of (t - mean)(E - E0) over all samples, from the sums about the halves' own means. */
static double slope(const sd_ensemble *e, const sd_schedule *s, size_t i) {
  double moment = 0;
  for (int half = 0; half < 2; half++)
    moment += sd_account_slot(e, SD_MOMENT + 2 * half)[i] +
              (s->half[half].mean - s->all.mean) * sd_account_slot(e, SD_SUM + 2 * half)[i];
  return moment / s->all.spread;
}

typedef struct {
  const sd_ensemble *e;
  const sd_schedule *s;
  double *terms; /* one per body, NaN for a failed one */
  double alive;
} averaging;

static double mean_of(averaging *a, double (*term)(const averaging *, size_t)) {
  for (size_t i = 0; i < a->e->bodies; i++) a->terms[i] = sd_member_status(a->e, i) ? NAN : term(a, i);
  return sd_tree_sum(a->terms, a->e->bodies) / a->alive;
}

static double term_energy0(const averaging *a, size_t i) {
  return sd_account_slot(a->e, SD_ENERGY0)[i];
}
static double term_slope(const averaging *a, size_t i) {
  return slope(a->e, a->s, i);
}
static double term_first(const averaging *a, size_t i) {
  return half_slope(a->e, a->s, 0, i);
}
static double term_second(const averaging *a, size_t i) {
  return half_slope(a->e, a->s, 1, i);
}
static double term_square(const averaging *a, size_t i) {
  return sd_account_slot(a->e, SD_SQUARES)[i] / a->s->all.count;
}
static double term_iterations(const averaging *a, size_t i) {
  return sd_account_slot(a->e, SD_ITERATIONS)[i];
}

static double larger(double a, double b) { /* NaN if either is */
  return b > a || b != b ? b : a;
}

static void extremes(const sd_ensemble *e, sd_summary *r) {
  double nothing = r->failed == e->bodies ? NAN : 0; /* where no body is left there is no extreme */
  r->energy_max_abs_error = r->orthogonality_max = r->momentum_max_error = r->newton_max = nothing;
  for (size_t i = 0; i < e->bodies; i++) {
    if (sd_member_status(e, i)) continue;
    r->energy_max_abs_error = larger(r->energy_max_abs_error, -sd_account_slot(e, SD_LOWEST)[i]);
    r->energy_max_abs_error = larger(r->energy_max_abs_error, sd_account_slot(e, SD_HIGHEST)[i]);
    r->orthogonality_max = larger(r->orthogonality_max, sd_account_slot(e, SD_DEFECT)[i]);
    r->momentum_max_error = larger(r->momentum_max_error, sd_account_slot(e, SD_MOMENTUM_ERROR)[i]);
    r->newton_max = larger(r->newton_max, sd_account_slot(e, SD_MOST_ITERATIONS)[i]);
  }
}

sd_status sd_summarise(const sd_ensemble *e, const sd_schedule *s, const sd_series *series, int64_t steps, int stages,
                       sd_summary *r, sd_error *error) {
  averaging a = {e, s, malloc(e->bodies * sizeof(double)), 0};
  if (!a.terms) return sd_fail(error, SD_NO_MEMORY, "statistics of %zu bodies: out of memory", e->bodies);
  r->bodies = e->bodies;
  r->failed = 0;
  for (size_t i = 0; i < e->bodies; i++) r->failed += sd_member_status(e, i) != 0;
  a.alive = (double)(e->bodies - r->failed); /* 0 makes every mean NaN: there is nothing to report */
  r->energy_initial_mean = mean_of(&a, term_energy0);
  r->slope_first_half = mean_of(&a, term_first);
  r->slope_second_half = mean_of(&a, term_second);
  if (!(s->half[0].spread > 0)) r->slope_first_half = NAN; /* one sample has no slope */
  if (!(s->half[1].spread > 0)) r->slope_second_half = NAN;
  r->energy_rms_error = sqrt(mean_of(&a, term_square));
  r->newton_mean = mean_of(&a, term_iterations) / (double)steps;
  r->slope_mean = mean_of(&a, term_slope);
  r->slope_stderr = r->slope_low = r->slope_high = NAN;
  if (a.alive > 1) {
    r->slope_stderr = sqrt(sd_tree_sum_of_squares(a.terms, e->bodies, r->slope_mean) / (a.alive - 1) / a.alive);
    double reach = sd_student95(a.alive - 1) * r->slope_stderr;
    r->slope_low = r->slope_mean - reach;
    r->slope_high = r->slope_mean + reach;
  }
  free(a.terms);
  extremes(e, r);
  sd_trend trend = sd_trend_of(series);
  r->trend_slope = trend.slope;
  r->trend_low = trend.slope - trend.reach95;
  r->trend_high = trend.slope + trend.reach95;
  r->slope_bound = larger(-r->trend_low, r->trend_high);
  r->verdict = sd_judge(r, &trend, steps * stages);
  return SD_OK;
}
