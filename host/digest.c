#include "digest.h"

#include <string.h>
#include <xxhash.h>

sd_status sd_digest_begin(sd_digest *digest, sd_error *error) {
  digest->state = XXH3_createState();
  if (!digest->state || XXH3_128bits_reset(digest->state) == XXH_ERROR)
    return sd_fail(error, SD_NO_MEMORY, "digest: out of memory");
  return SD_OK;
}

static void add_text(sd_digest *digest, const char *text) {
  XXH3_128bits_update(digest->state, text, strlen(text) + 1);
}

/* Little-endian words, and one NaN for all of them: their sign and payload differ between processors. */
static void add_reals(sd_digest *digest, const double *x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, &x[i], sizeof word);
    if (x[i] != x[i]) word = UINT64_C(0x7ff8000000000000);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    XXH3_128bits_update(digest->state, &word, sizeof word);
  }
}

void sd_digest_method(sd_digest *digest, const sd_plan *plan, int m, const sd_ensemble *e, const sd_series *series,
                      const sd_summary *r) {
  const double scope[] = {(double)plan->bodies, plan->h, (double)plan->total_steps, (double)plan->sample_every,
                          (double)(plan->seed >> 32), (double)(plan->seed & 0xffffffff), plan->sigma_attitude,
                          plan->sigma_velocity};
  add_text(digest, sd_problems[plan->problem].id);
  add_text(digest, plan->methods[m].name);
  add_reals(digest, scope, sizeof scope / sizeof *scope);
  add_reals(digest, plan->parameters, SD_PARAMETERS_MAX);
  add_reals(digest, plan->method_parameters[m], SD_METHOD_MAX);
  for (int k = 0; k < e->state_slots + SD_ACCOUNT_SLOTS; k++)
    add_reals(digest, e->slots + (size_t)k * e->stride, e->bodies);
  for (size_t i = 0; i < series->count; i++) {
    const sd_point *p = &series->point[i];
    const double values[] = {p->time, (double)p->bodies, p->mean, p->deviation, p->lowest, p->highest};
    add_reals(digest, values, sizeof values / sizeof *values);
    add_reals(digest, p->quantile, SD_QUANTILES);
  }
  const double statistics[] = {(double)r->failed, r->energy_initial_mean, r->slope_mean, r->slope_stderr, r->slope_low,
                               r->slope_high, r->slope_first_half, r->slope_second_half, r->energy_max_abs_error,
                               r->energy_rms_error, r->orthogonality_max, r->momentum_max_error, r->newton_mean,
                               r->newton_max, r->trend_slope, r->trend_low, r->trend_high, r->slope_bound,
                               (double)r->verdict};
  add_reals(digest, statistics, sizeof statistics / sizeof *statistics);
}

static void in_hexadecimal(XXH128_hash_t hash, char text[33]) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", canonical.digest[i]);
}

void sd_digest_end(sd_digest *digest, char text[33]) {
  in_hexadecimal(XXH3_128bits_digest(digest->state), text);
  XXH3_freeState(digest->state);
}

void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]) {
  if (count == 1) {
    memcpy(text, sd_result_digest(results[0]), 33);
    return;
  }
  XXH128_hash_t hash = XXH3_128bits("", 0);
  for (size_t i = 0; i < count; i++) { /* a chain, so that the order counts */
    char link[66];
    in_hexadecimal(hash, link);
    memcpy(link + 32, sd_result_digest(results[i]), 33);
    hash = XXH3_128bits(link, 64);
  }
  in_hexadecimal(hash, text);
}
