/* accounts.h - the accounts of one lane group's members: how they fare, and what was seen of them at the samples. */
#ifndef SD_ACCOUNTS_H
#define SD_ACCOUNTS_H

#include "slots.h"
#include "vec3.h"

FN real time_of(const sd_job *job, size_t group, int64_t step) {
  return (double)step * step_of(job, group);
}

/* How a body fares: its status, and the Newton iterations of all its steps and of the worst of them. */
typedef struct {
  real status, iterations, most;
} tally;

FN tally load_tally(const sd_job *job, size_t group) {
  tally t = {get_account(job, group, SD_STATUS), get_account(job, group, SD_ITERATIONS),
             get_account(job, group, SD_MOST_ITERATIONS)};
  return t;
}
FN void store_tally(const sd_job *job, size_t group, tally t) {
  put_account(job, group, SD_ITERATIONS, t.iterations);
  put_account(job, group, SD_MOST_ITERATIONS, t.most);
  put_account(job, group, SD_STATUS, t.status);
}

/* ---- observation ---- */

/* A sum and the slot after it, its running compensation (Kahan). */
FN void add_to(const sd_job *job, size_t group, int k, real x) {
  real sum = get_account(job, group, k), lost = get_account(job, group, k + 1);
  real y = x - lost, total = sum + y;
  put_account(job, group, k, total);
  put_account(job, group, k + 1, (total - sum) - y);
}
/* The larger of the slot and x, where the body is alive; NaN stays NaN. */
FN void raise_to(const sd_job *job, size_t group, int k, real x, mask alive) {
  real old = get_account(job, group, k);
  put_account(job, group, k, real_select(alive, real_one_nan(real_worst(x, old)), old));
}

/* Samples are numbered from 0 at t = 0; the last one falls on the last step whatever `every` is. */
FN int64_t sample_number(const sd_job *job, int64_t step) {
  return (step + job->every - 1) / job->every;
}

/* E - E0 to a row of the series. */
FN void put_row(const sd_job *job, size_t group, int64_t row, real error, mask alive) {
  real_store(job->series + (size_t)row * job->series_stride + group, real_select(alive, error, real_nan()));
}

/* W (x - mean) of the tapered slope at a step: it vanishes at both ends of the run, twice. */
FN double taper(const sd_job *job, int64_t step) {
  double x = (double)step / (double)job->total_steps, w = x * (1.0 - x);
  return w * w * (x - job->taper_mean);
}

FN real momentum_change(const sd_job *job, size_t group, vec3 momentum) {
  vec3 before = vec3_make(get_account(job, group, SD_MOMENTUM0), get_account(job, group, SD_MOMENTUM0 + 1),
                          get_account(job, group, SD_MOMENTUM0 + 2));
  return vec3_largest(vec3_sub(momentum, before));
}

/* What was seen at a sample: energy, largest change of a momentum, the family's own defect. */
FN void account_for(const sd_job *job, size_t group, real energy, real change, real defect, mask alive, int64_t step) {
  int half = sample_number(job, step) >= job->first_half;
  real middle = varied_number(job, group, job->half_mean[half], job->varied.half_mean[half]);
  real error = energy - get_account(job, group, SD_ENERGY0), lowest = get_account(job, group, SD_LOWEST);
  if (job->series) put_row(job, group, sample_number(job, step) - job->first_sample, error, alive);
  error = real_select(alive, error, real_splat(0)); /* a failed body's sums stay as they are */
  put_account(job, group, SD_LOWEST, real_select(alive, real_min(error, lowest), lowest));
  raise_to(job, group, SD_HIGHEST, error, alive);
  put_account(job, group, SD_SQUARES, real_fma(error, error, get_account(job, group, SD_SQUARES)));
  add_to(job, group, SD_SUM + 2 * half, error);
  add_to(job, group, SD_MOMENT + 2 * half, (time_of(job, group, step) - middle) * error);
  add_to(job, group, SD_TAPERED, real_splat(taper(job, step)) * error);
  raise_to(job, group, SD_DEFECT, defect, alive);
  raise_to(job, group, SD_MOMENTUM_ERROR, change, alive);
}

/* As they are before the first sample. */
FN void open_accounts(const sd_job *job, size_t group, real energy, real kinetic, vec3 momentum, real defect,
                      mask alive) {
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) put_account(job, group, k, real_splat(0));
  /* NaN, where the family has no defect to measure, stays NaN */
  put_account(job, group, SD_DEFECT, real_select(alive, real_one_nan(defect), real_splat(0)));
  put_account(job, group, SD_ENERGY0, energy);
  put_account(job, group, SD_SCALE, real_one_nan(real_abs(energy) + kinetic));
  put_account(job, group, SD_MOMENTUM0, momentum.x);
  put_account(job, group, SD_MOMENTUM0 + 1, momentum.y);
  put_account(job, group, SD_MOMENTUM0 + 2, momentum.z);
  tally t = {real_select(alive, real_splat(SD_MEMBER_OK), real_splat(SD_MEMBER_NOT_FINITE)), real_splat(0),
             real_splat(0)};
  store_tally(job, group, t);
}

FN mask alive_by(tally t) {
  return real_at_most(t.status, real_splat(0));
}

#endif
