#include "statistics.h"

#include "reduce.h"

#include <math.h>
#include <stdlib.h>

/* Exact values for few degrees of freedom; then the Cornish-Fisher expansion about the normal's 97.5 % point
 * (Abramowitz and Stegun 26.7.5), good to 1e-6 from 21 on.  Only + - * /, so the same bits everywhere. */
double sd_student95(double nu) {
  static const double table[] = {0,
                                 12.706204736174698,
                                 4.302652729749464,
                                 3.182446305283708,
                                 2.776445105197793,
                                 2.570581835636314,
                                 2.446911851144969,
                                 2.364624251592785,
                                 2.306004135204166,
                                 2.262157162798205,
                                 2.228138851986275,
                                 2.20098516009164,
                                 2.178812829667229,
                                 2.160368656462793,
                                 2.144786687917804,
                                 2.131449545559776,
                                 2.119905299221255,
                                 2.109815577833317,
                                 2.100922040241038,
                                 2.09302405440831,
                                 2.085963447265865};
  if (nu <= 20) return table[(int)nu];
  const double z = 1.959963984540054, z2 = z * z, r = 1 / nu;
  double g1 = z * (z2 + 1) / 4;
  double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + r * (g1 + r * (g2 + r * (g3 + r * g4)));
}

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
  double *terms; /* one per body, 0 for a failed one */
  double alive;
} averaging;

static double mean_of(averaging *a, double (*term)(const averaging *, size_t)) {
  for (size_t i = 0; i < a->e->bodies; i++) a->terms[i] = sd_body_status(a->e, i) ? 0 : term(a, i);
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

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void extremes(const sd_ensemble *e, sd_summary *r) {
  for (size_t i = 0; i < e->bodies; i++) {
    if (sd_body_status(e, i)) continue;
    r->energy_max_abs_error = larger(r->energy_max_abs_error, -sd_account_slot(e, SD_LOWEST)[i]);
    r->energy_max_abs_error = larger(r->energy_max_abs_error, sd_account_slot(e, SD_HIGHEST)[i]);
    r->orthogonality_max = larger(r->orthogonality_max, sd_account_slot(e, SD_DEFECT)[i]);
    r->momentum_max_error = larger(r->momentum_max_error, sd_account_slot(e, SD_MOMENTUM_ERROR)[i]);
    r->newton_max = larger(r->newton_max, sd_most_iterations(e, i));
  }
}

/* The interval excludes 0 and both halves agree in sign.  One body, or bodies all alike, have no interval. */
static sd_verdict judge(const sd_summary *r) {
  if (!(r->slope_stderr > 0)) return SD_UNDECIDED;
  if (r->slope_low > 0 && r->slope_first_half > 0 && r->slope_second_half > 0) return SD_DRIFTS_UP;
  if (r->slope_high < 0 && r->slope_first_half < 0 && r->slope_second_half < 0) return SD_DRIFTS_DOWN;
  return SD_BOUNDED;
}

sd_status sd_summarise(const sd_ensemble *e, const sd_schedule *s, int64_t steps, sd_summary *r, sd_error *error) {
  averaging a = {e, s, malloc(e->bodies * sizeof(double)), 0};
  if (!a.terms) return sd_fail(error, SD_NO_MEMORY, "statistics of %zu bodies: out of memory", e->bodies);
  r->bodies = e->bodies;
  r->failed = 0;
  for (size_t i = 0; i < e->bodies; i++) r->failed += sd_body_status(e, i) != 0;
  a.alive = (double)(e->bodies - r->failed); /* 0 makes every mean NaN: there is nothing to report */
  r->energy_initial_mean = mean_of(&a, term_energy0);
  r->slope_first_half = mean_of(&a, term_first);
  r->slope_second_half = mean_of(&a, term_second);
  r->energy_rms_error = sqrt(mean_of(&a, term_square));
  r->newton_mean = mean_of(&a, term_iterations) / (double)steps;
  r->slope_mean = mean_of(&a, term_slope);
  r->slope_stderr = r->slope_low = r->slope_high = NAN;
  if (a.alive > 1) {
    for (size_t i = 0; i < e->bodies; i++) {
      double gap = sd_body_status(e, i) ? 0 : a.terms[i] - r->slope_mean;
      a.terms[i] = gap * gap;
    }
    r->slope_stderr = sqrt(sd_tree_sum(a.terms, e->bodies) / (a.alive - 1) / a.alive);
    double reach = sd_student95(a.alive - 1) * r->slope_stderr;
    r->slope_low = r->slope_mean - reach;
    r->slope_high = r->slope_mean + reach;
  }
  free(a.terms);
  extremes(e, r);
  r->verdict = judge(r);
  return SD_OK;
}
