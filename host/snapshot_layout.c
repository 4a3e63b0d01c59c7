#include "snapshot_layout.h"

#include "verdict.h"
#include "words.h"

#include <math.h>

/* ---- starts of single bodies ---- */

void sd_put_starts(unsigned char **to, const sd_starts *s) {
  sd_put_word(to, s->count ? s->width : 0);
  for (size_t i = 0; i < s->count; i++) {
    sd_put_word(to, s->member[i]);
    sd_put_reals(to, s->number + i * s->width, s->width);
  }
}

sd_status sd_get_starts(const unsigned char *from, size_t size, sd_plan *plan) {
  const unsigned char *end = from + size;
  double number[SD_PARAMETERS_MAX];
  uint64_t width = size >= 8 ? sd_get_word(&from) : SD_PARAMETERS_MAX + 1;
  if (width > SD_PARAMETERS_MAX || (size - 8) % (8 * (1 + width))) return SD_BAD_INPUT;
  while (from < end) {
    size_t member = (size_t)sd_get_word(&from);
    sd_get_reals(&from, number, width);
    SD_TRY(sd_plan_set_starts(plan, member, 1, number, width));
  }
  return SD_OK;
}

/* ---- how far the run is ---- */

void sd_put_until(unsigned char **to, const sd_until *until) {
  sd_put_word(to, (uint64_t)until->wanted);
  sd_put_reals(to, &until->most, 1);
  sd_put_word(to, (uint64_t)until->doublings);
  sd_put_word(to, (uint64_t)until->every);
}

int sd_get_until(const unsigned char **from, sd_until *until) {
  uint64_t wanted = sd_get_word(from);
  sd_get_reals(from, &until->most, 1);
  uint64_t doublings = sd_get_word(from), every = sd_get_word(from);
  int fits = wanted <= 1 && doublings < 40 && (wanted || !doublings) && every <= SD_STEPS_MOST;
  until->wanted = fits && wanted;
  until->doublings = fits ? (int)doublings : 0;
  until->every = fits ? (int64_t)every : 0;
  return fits && until->most >= 0 && isfinite(until->most);
}

void sd_put_position(unsigned char **to, const sd_position *at) {
  sd_put_word(to, (uint64_t)at->method);
  sd_put_word(to, (uint64_t)at->step);
  sd_put_reals(to, &at->seconds, 1);
}

int sd_get_position(const unsigned char **from, const sd_specification *spec, sd_position *at) {
  uint64_t method = sd_get_word(from), step = sd_get_word(from);
  sd_get_reals(from, &at->seconds, 1);
  at->method = (int64_t)method;
  at->step = (int64_t)step;
  uint64_t methods = (uint64_t)spec->method_count, steps = (uint64_t)spec->total_steps;
  return method <= methods && step <= steps && (method < methods || !step) && at->seconds >= 0 && isfinite(at->seconds);
}

/* ---- a method that is done ---- */

void sd_put_summary(unsigned char **to, const sd_summary *s) {
  memcpy(*to, s->digest, 32);
  *to += 32;
  sd_put_word(to, s->failed);
  sd_put_word(to, (uint64_t)s->verdict);
  sd_put_word(to, (uint64_t)s->reason);
  sd_put_reals(to, &s->seconds, 1);
  sd_put_reals(to, &s->ns_per_body_step, 1);
  for (int i = 0; i < SD_STATISTICS; i++) sd_put_reals(to, &(double){sd_statistic_value(s, i)}, 1);
}

static int is_digest(const char text[33]) {
  return strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32;
}

int sd_get_summary(const unsigned char **from, const sd_specification *spec, size_t method, sd_summary *s) {
  sd_summary_begin(s, spec, method);
  memcpy(s->digest, *from, 32);
  *from += 32;
  uint64_t failed = sd_get_word(from), verdict = sd_get_word(from), reason = sd_get_word(from);
  int fits = failed <= spec->members && verdict <= SD_DRIFTS_DOWN && reason < SD_REASONS;
  s->failed = (size_t)failed;
  s->verdict = fits ? (sd_verdict)verdict : SD_UNDECIDED;
  s->reason = fits ? (sd_reason)reason : SD_NO_REASON;
  sd_get_reals(from, &s->seconds, 1);
  sd_get_reals(from, &s->ns_per_body_step, 1);
  for (int i = 0; i < SD_STATISTICS; i++) sd_get_reals(from, sd_statistic_at(s, i), 1);
  sd_explain(s);
  return is_digest(s->digest) && fits;
}

/* ---- samples of the ensemble ---- */

static void put_sample(unsigned char **to, const sd_sample *s) {
  for (const sd_sample_quantity *q = sd_sample_quantities; q < sd_sample_quantities + SD_SAMPLE_QUANTITIES; q++)
    if (q->whole) sd_put_word(to, *(const size_t *)sd_sample_at(s, q));
    else sd_put_reals(to, sd_sample_at(s, q), (size_t)q->count);
}

static int get_sample(const unsigned char **from, const sd_specification *spec, sd_sample *s) {
  int fits = 1;
  for (const sd_sample_quantity *q = sd_sample_quantities; q < sd_sample_quantities + SD_SAMPLE_QUANTITIES; q++) {
    void *to = (char *)s + q->offset;
    if (!q->whole) {
      sd_get_reals(from, to, (size_t)q->count);
      continue;
    }
    uint64_t members = sd_get_word(from);
    *(size_t *)to = (size_t)members;
    fits &= members <= spec->members;
  }
  return fits;
}

void sd_put_series(unsigned char **to, const sd_series *s) {
  for (size_t i = 0; i < s->count; i++) put_sample(to, &s->sample[i]);
  for (size_t i = 0; i < s->asked; i++) put_sample(to, &s->sample[s->room + i]);
  sd_put_reals(to, s->ledger, s->count * (size_t)s->ledgers);
  sd_put_reals(to, s->moments, s->count * sd_moment_numbers(&s->coordinates));
  sd_put_reals(to, sd_moments_of(s, s->room), s->asked * sd_moment_numbers(&s->coordinates));
  sd_put_reals(to, &s->sample[s->count].witness_time, 1);
  sd_put_reals(to, &s->sample[s->count].witness, 1);
}

int sd_get_series(const unsigned char **from, const sd_specification *spec, sd_series *s) {
  for (size_t i = 0; i < s->count; i++)
    if (!get_sample(from, spec, &s->sample[i])) return 0;
  for (size_t i = 0; i < s->asked; i++)
    if (!get_sample(from, spec, &s->sample[s->room + i])) return 0;
  sd_get_reals(from, s->ledger, s->count * (size_t)s->ledgers);
  sd_get_reals(from, s->moments, s->count * sd_moment_numbers(&s->coordinates));
  sd_get_reals(from, sd_moments_of(s, s->room), s->asked * sd_moment_numbers(&s->coordinates));
  sd_get_reals(from, &s->sample[s->count].witness_time, 1);
  sd_get_reals(from, &s->sample[s->count].witness, 1);
  return 1;
}

/* ---- points of a sweep ---- */

void sd_put_point(unsigned char **to, const sd_point *p) {
  sd_put_word(to, p->failed);
  sd_put_word(to, p->verdict);
  sd_put_word(to, p->reason);
  sd_put_reals(to, p->value, SD_STATISTICS);
  memcpy(*to, p->digest.byte, sizeof p->digest.byte);
  *to += sizeof p->digest.byte;
}

int sd_get_point(const unsigned char **from, const sd_specification *spec, sd_point *p) {
  p->failed = (size_t)sd_get_word(from);
  p->verdict = (size_t)sd_get_word(from);
  p->reason = (size_t)sd_get_word(from);
  sd_get_reals(from, p->value, SD_STATISTICS);
  memcpy(p->digest.byte, *from, sizeof p->digest.byte);
  *from += sizeof p->digest.byte;
  return p->failed <= spec->each && p->verdict <= SD_DRIFTS_DOWN && p->reason < SD_REASONS;
}

void sd_put_seen(unsigned char **to, const sd_point_rows *s) {
  size_t numbers = s->done * s->points;
  sd_put_reals(to, s->mean, numbers);
  if (s->each > 1) sd_put_reals(to, s->lowest, numbers), sd_put_reals(to, s->highest, numbers);
  sd_put_reals(to, s->witness, numbers + s->points);
}

void sd_get_seen(const unsigned char **from, const sd_point_rows *s) {
  size_t numbers = s->done * s->points;
  sd_get_reals(from, s->mean, numbers);
  if (s->each > 1) sd_get_reals(from, s->lowest, numbers), sd_get_reals(from, s->highest, numbers);
  sd_get_reals(from, s->witness, numbers + s->points);
}

/* ---- the state of a member ---- */

void sd_put_state(unsigned char **to, const sd_states *s, size_t index) {
  sd_put_word(to, s->status[index]);
  sd_put_reals(to, s->number + index * s->numbers, s->numbers);
}

int sd_get_state(const unsigned char **from, const sd_states *s, size_t index) {
  uint64_t status = sd_get_word(from);
  s->status[index] = status < SD_MEMBER_STATUSES ? (unsigned char)status : SD_MEMBER_OK;
  sd_get_reals(from, s->number + index * s->numbers, s->numbers);
  return status < SD_MEMBER_STATUSES;
}

/* ---- what merging needs ---- */

void sd_put_share(unsigned char **to, const sd_share *s, size_t samples, int done) {
  sd_share_array a;
  for (size_t i = 0; sd_share_at(s, i, &a); i++) {
    size_t count = sd_share_there(&a, samples, done);
    if (!a.whole) sd_put_reals(to, a.data, count);
    for (size_t k = 0; a.whole && k < count; k++) sd_put_word(to, ((const size_t *)a.data)[k]);
  }
}

void sd_get_share(const unsigned char **from, const sd_share *s, size_t samples, int done) {
  sd_share_array a;
  for (size_t i = 0; sd_share_at(s, i, &a); i++) {
    size_t count = sd_share_there(&a, samples, done);
    if (!a.whole) sd_get_reals(from, a.data, count);
    for (size_t k = 0; a.whole && k < count; k++) ((size_t *)a.data)[k] = (size_t)sd_get_word(from);
  }
}
