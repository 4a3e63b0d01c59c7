#include "digest.h"

#include <string.h>
#include <xxhash.h>

static void add_text(XXH3_state_t *digest, const char *text) {
  XXH3_128bits_update(digest, text, strlen(text) + 1);
}

/* Little-endian words, and one NaN for all of them: their sign and payload differ between processors. */
static void add_reals(XXH3_state_t *digest, const double *x, size_t count) {
  enum { SOME = 512 };
  uint64_t word[SOME];
  for (size_t at = 0; at < count; at += SOME) {
    size_t some = count - at < SOME ? count - at : SOME;
    memcpy(word, x + at, some * sizeof *word);
    for (size_t i = 0; i < some; i++) {
      if (x[at + i] != x[at + i]) word[i] = UINT64_C(0x7ff8000000000000);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      word[i] = __builtin_bswap64(word[i]);
#endif
    }
    XXH3_128bits_update(digest, word, some * sizeof *word);
  }
}

/* Status and most iterations, as one number: what digests have had from the first on. */
static void add_fates(XXH3_state_t *digest, const sd_ensemble *e) {
  const double *most = sd_account_slot(e, SD_MOST_ITERATIONS), *status = sd_account_slot(e, SD_STATUS);
  for (size_t i = 0; i < e->bodies; i++) add_reals(digest, &(double){4096 * status[i] + most[i]}, 1);
}

/* A whole number as one real; where that would round it, its two halves after it. */
static void add_whole(XXH3_state_t *digest, uint64_t whole) {
  const double parts[] = {(double)whole, (double)(whole >> 32), (double)(whole & 0xffffffff)};
  add_reals(digest, parts, whole > UINT64_C(1) << 53 ? 3 : 1);
}

static void in_hexadecimal(XXH128_hash_t hash, char text[33]) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", canonical.digest[i]);
}

sd_status sd_digest_method(const sd_plan *plan, int m, const sd_ensemble *e, const sd_series *series, sd_summary *r,
                           sd_error *error) {
  XXH3_state_t *digest = XXH3_createState();
  if (!digest || XXH3_128bits_reset(digest) == XXH_ERROR) return sd_fail(error, SD_NO_MEMORY, "digest: out of memory");
  const double scope[] = {(double)plan->bodies,
                          plan->h,
                          (double)plan->total_steps,
                          (double)plan->sample_every,
                          (double)(plan->seed >> 32),
                          (double)(plan->seed & 0xffffffff),
                          plan->sigma[0],
                          plan->sigma[1]};
  add_text(digest, plan->problem->id);
  add_text(digest, plan->methods[m].name);
  add_reals(digest, scope, sizeof scope / sizeof *scope);
  add_whole(digest, plan->first_body);
  enum { LEAST = 32 }; /* parameters, also where the problem has fewer: those that are not there are 0 */
  add_reals(digest, plan->parameters, plan->parameter_values < LEAST ? LEAST : (size_t)plan->parameter_values);
  for (int k = 0; k < plan->impulses; k++) {
    const sd_impulse *i = &plan->impulse[k];
    const double numbers[] = {i->time, i->change[0], i->change[1], i->change[2], i->size_error, i->angle_error};
    add_reals(digest, numbers, sizeof numbers / sizeof *numbers);
  }
  enum { LEAST_OF_METHOD = 2 }; /* likewise of the method */
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  int own = sd_parameters_of(plan->methods[m].entry, table);
  add_reals(digest, plan->method_parameters[m], own < LEAST_OF_METHOD ? LEAST_OF_METHOD : (size_t)own);
  for (int k = 0; k < e->state_slots + SD_MOST_ITERATIONS; k++)
    add_reals(digest, e->slots + (size_t)k * e->stride, e->bodies);
  add_fates(digest, e);
  for (size_t i = 0; i < series->count; i++) {
    const sd_point *p = &series->point[i];
    const double values[] = {p->time, (double)p->bodies, p->mean, p->deviation, p->lowest, p->highest};
    add_reals(digest, values, sizeof values / sizeof *values);
    add_reals(digest, p->quantile, SD_QUANTILES);
  }
  const double statistics[] = {
      (double)r->failed,    r->energy_initial_mean, r->slope_mean,        r->slope_stderr,         r->slope_low,
      r->slope_high,        r->slope_first_half,    r->slope_second_half, r->energy_max_abs_error, r->energy_rms_error,
      r->orthogonality_max, r->momentum_max_error,  r->newton_mean,       r->newton_max,           r->trend_slope,
      r->trend_low,         r->trend_high,          r->slope_bound,       (double)r->verdict};
  add_reals(digest, statistics, sizeof statistics / sizeof *statistics);
  in_hexadecimal(XXH3_128bits_digest(digest), r->digest);
  XXH3_freeState(digest);
  return SD_OK;
}

void sd_digest_join(char digest[33], const char *next) {
  char link[65] = {0};
  snprintf(link, sizeof link, "%.32s%.32s", digest, next);
  in_hexadecimal(XXH3_128bits(link, 64), digest);
}

void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]) {
  memcpy(text, count ? sd_result_digest(results[0]) : "", count ? 33 : 1);
  for (size_t i = 1; i < count; i++) sd_digest_join(text, sd_result_digest(results[i]));
}
