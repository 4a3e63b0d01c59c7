/* test_digest.c - an ensemble in parts: digests and statistics of its blocks, made apart and joined, are those of the
 * whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/digest.h"
#include "../host/reduce.h"
#include "../host/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { STATE_SLOTS = 5, MOST = 5000, BLOCKS = (MOST + 255) / 256, STEPS = 100 };

static const size_t sizes[] = {1, 255, 256, 257, 512, 513, 1000, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static sd_ensemble make_ensemble(size_t members, size_t stride) {
  sd_ensemble e = {.stride = stride, .bodies = members, .state_slots = STATE_SLOTS};
  e.slots = calloc(1, sd_ensemble_bytes(&e));
  assert_non_null(e.slots);
  return e;
}

static double *slot(const sd_ensemble *e, size_t k) {
  return e->slots + k * e->stride;
}

/* Numbers of all sizes, some NaN; every seventh member failed, and what is behind the last one does not count. */
static sd_ensemble make_whole(size_t members) {
  sd_ensemble e = make_ensemble(members, members + 16);
  for (size_t k = 0; k < sd_slot_count(&e); k++)
    for (size_t i = 0; i < e.stride; i++) slot(&e, k)[i] = sin((double)(k * 7919 + i)) * pow(10, (double)(i % 9));
  for (size_t i = 0; i < e.stride; i++) {
    if (i % 11 == 3) slot(&e, 2)[i] = NAN;
    slot(&e, STATE_SLOTS + SD_STATUS)[i] = i % 7 == 6 ? SD_MEMBER_NOT_FINITE : SD_MEMBER_OK;
  }
  return e;
}

/* Members from..to-1 by themselves, elsewhere in memory. */
static sd_ensemble copy_part(const sd_ensemble *whole, size_t from, size_t to) {
  sd_ensemble part = make_ensemble(to - from, to - from + 3);
  for (size_t k = 0; k < sd_slot_count(whole); k++)
    memcpy(slot(&part, k), slot(whole, k) + from, (to - from) * sizeof(double));
  return part;
}

/* Where part p of `parts` begins: at a block. */
static size_t cut(size_t members, size_t parts, size_t p) {
  size_t at = sd_blocks_of(members) * p / parts * SD_REDUCE_BLOCK;
  return at < members ? at : members;
}

static sd_digest root_of(const sd_ensemble *e, int threads) {
  sd_digest root;
  sd_error error = {0};
  assert_int_equal(sd_digest_members(e, threads, &root, &error), SD_OK);
  return root;
}

#define assert_same(a, b) assert_memory_equal(&(a), &(b), sizeof(a))
#define assert_other(a, b) assert_memory_not_equal(&(a), &(b), sizeof(a))

static void test_digests_of_parts(void **state) {
  (void)state;
  for (size_t s = 0; s < SIZES; s++) {
    sd_ensemble whole = make_whole(sizes[s]);
    sd_digest root = root_of(&whole, 1);
    for (int threads = 2; threads <= 3; threads++) {
      sd_digest by_threads = root_of(&whole, threads);
      assert_same(root, by_threads);
    }
    for (size_t parts = 1; parts <= 4; parts++) {
      sd_digest blocks[BLOCKS];
      sd_error error = {0};
      for (size_t p = 0; p < parts; p++) {
        size_t from = cut(sizes[s], parts, p), to = cut(sizes[s], parts, p + 1);
        if (from == to) continue;
        sd_ensemble part = copy_part(&whole, from, to);
        assert_int_equal(sd_digest_blocks(&part, 1, blocks + from / SD_REDUCE_BLOCK, &error), SD_OK);
        sd_ensemble_destroy(&part);
      }
      sd_digest joined = sd_digest_root(blocks, sd_blocks_of(sizes[s]));
      assert_same(root, joined);
    }
    sd_ensemble_destroy(&whole);
  }
}

/* The rule of digest.h once more, in one piece. */
static XXH128_canonical_t plain_root(const sd_ensemble *e, size_t from, size_t to) {
  XXH128_canonical_t pair[2], root;
  size_t left = 256;
  if (to - from > 256) {
    while (left * 2 < to - from) left *= 2;
    pair[0] = plain_root(e, from, from + left);
    pair[1] = plain_root(e, from + left, to);
    XXH128_canonicalFromHash(&root, XXH3_128bits(pair, sizeof pair));
    return root;
  }
  size_t count = to - from;
  unsigned char *bytes = malloc(sd_slot_count(e) * count * 8), *at = bytes;
  for (size_t k = 0; k < sd_slot_count(e); k++)
    for (size_t i = from; i < to; i++) {
      uint64_t word;
      memcpy(&word, slot(e, k) + i, sizeof word);
      if (isnan(slot(e, k)[i])) word = UINT64_C(0x7ff8000000000000);
      for (int b = 0; b < 8; b++) *at++ = (unsigned char)(word >> 8 * b);
    }
  XXH128_canonicalFromHash(&root, XXH3_128bits(bytes, (size_t)(at - bytes)));
  free(bytes);
  return root;
}

static void test_digest_follows_its_rule(void **state) {
  (void)state;
  for (size_t s = 0; s < SIZES; s++) {
    sd_ensemble whole = make_whole(sizes[s]);
    sd_digest root = root_of(&whole, 2);
    XXH128_canonical_t plain = plain_root(&whole, 0, sizes[s]);
    assert_memory_equal(root.byte, plain.digest, sizeof root.byte);
    sd_ensemble_destroy(&whole);
  }
}

/* The last bit of any number of any member counts; what is not a member does not, nor which NaN it is. */
static void test_every_number_counts(void **state) {
  (void)state;
  sd_ensemble e = make_whole(257);
  sd_digest root = root_of(&e, 1), other;
  for (size_t k = 0; k < sd_slot_count(&e); k++)
    for (size_t i = 0; i < 257; i += 64) {
      double before = slot(&e, k)[i];
      slot(&e, k)[i] = isnan(before) ? 1 : nextafter(before, INFINITY);
      other = root_of(&e, 1);
      assert_other(root, other);
      slot(&e, k)[i] = before;
    }
  slot(&e, 2)[3] = -NAN;
  slot(&e, 0)[257] = 12345;
  other = root_of(&e, 1);
  assert_same(root, other);
  sd_ensemble_destroy(&e);
}

/* Two members that change places are another ensemble, also between blocks and where whole blocks do. */
static void test_order_counts(void **state) {
  (void)state;
  sd_ensemble e = make_whole(513);
  sd_digest root = root_of(&e, 1), blocks[3];
  sd_error error = {0};
  assert_int_equal(sd_digest_blocks(&e, 1, blocks, &error), SD_OK);
  sd_digest swapped[3] = {blocks[1], blocks[0], blocks[2]}, other = sd_digest_root(swapped, 3);
  assert_other(root, other);
  for (size_t k = 0; k < sd_slot_count(&e); k++) {
    double kept = slot(&e, k)[0];
    slot(&e, k)[0] = slot(&e, k)[300];
    slot(&e, k)[300] = kept;
  }
  other = root_of(&e, 1);
  assert_other(root, other);
  sd_ensemble_destroy(&e);
}

static sd_summary summary_of(const sd_ensemble *e, const sd_schedule *schedule, int threads) {
  sd_summary r;
  sd_series none = {0};
  sd_error error = {0};
  memset(&r, 0, sizeof r);
  assert_int_equal(sd_summarise(e, schedule, &none, STEPS, 1, 0.1, threads, &r, &error), SD_OK);
  return r;
}

static void test_statistics_of_parts(void **state) {
  (void)state;
  sd_schedule schedule = sd_schedule_make(0.5, STEPS, 1);
  for (size_t s = 0; s < SIZES; s++) {
    sd_ensemble whole = make_whole(sizes[s]);
    sd_summary r = summary_of(&whole, &schedule, 1), by_threads = summary_of(&whole, &schedule, 3);
    assert_same(r, by_threads);
    for (size_t parts = 1; parts <= 4; parts++) {
      sd_block_accounts blocks[BLOCKS];
      double squares[BLOCKS], sums[BLOCKS];
      sd_summary joined;
      memset(&joined, 0, sizeof joined);
      for (size_t p = 0; p < parts; p++) {
        size_t from = cut(sizes[s], parts, p), to = cut(sizes[s], parts, p + 1);
        if (from == to) continue;
        sd_ensemble part = copy_part(&whole, from, to);
        sd_account_blocks(&part, &schedule, 1, blocks + from / SD_REDUCE_BLOCK);
        sd_account_squares(&part, &schedule, SD_STATISTIC_slope_mean, r.slope_mean, squares + from / SD_REDUCE_BLOCK);
        sd_ensemble_destroy(&part);
      }
      sd_join_accounts(blocks, sizes[s], STEPS, sums, &joined);
      double alive = (double)(sizes[s] - joined.failed), error = sd_tree_join(squares, sd_blocks_of(sizes[s]));
      if (alive > 1) assert_true(sqrt(error / (alive - 1) / alive) == r.slope_stderr);
      joined.slope_stderr = r.slope_stderr; /* what is derived comes later */
      joined.slope_low = r.slope_low;
      joined.slope_high = r.slope_high;
      joined.drift_stderr = r.drift_stderr;
      joined.energy_rounding = r.energy_rounding;
      joined.verdict = r.verdict;
      for (int k = 0; k < SD_STATISTICS; k++) {
        double mine = sd_statistic_value(&joined, k), theirs = sd_statistic_value(&r, k);
        if (mine != theirs && !(isnan(mine) && isnan(theirs)))
          fail_msg("%s of %zu members in %zu parts: %a, not %a", sd_statistics[k].name, sizes[s], parts, mine, theirs);
      }
      assert_int_equal(joined.failed, r.failed);
    }
    sd_ensemble_destroy(&whole);
  }
}

/* A mean is that of the plain tree over all members. */
static void test_means_follow_the_tree(void **state) {
  (void)state;
  sd_schedule schedule = sd_schedule_make(0.5, STEPS, 1);
  for (size_t s = 0; s < SIZES; s++) {
    sd_ensemble e = make_whole(sizes[s]);
    sd_summary r = summary_of(&e, &schedule, 2);
    double *terms = malloc(sizes[s] * sizeof *terms), largest = 0, alive = (double)(sizes[s] - r.failed);
    for (size_t i = 0; i < sizes[s]; i++) {
      terms[i] = sd_member_status(&e, i) ? NAN : sd_account_slot(&e, SD_ENERGY0)[i];
      if (!sd_member_status(&e, i)) largest = fmax(largest, sd_account_slot(&e, SD_MOMENTUM_ERROR)[i]);
    }
    assert_int_equal(r.failed, sizes[s] / 7);
    assert_true(r.energy_initial_mean == sd_tree_sum(terms, sizes[s]) / alive);
    assert_true(r.momentum_max_error == largest);
    free(terms);
    sd_ensemble_destroy(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_digests_of_parts),    cmocka_unit_test(test_digest_follows_its_rule),
      cmocka_unit_test(test_every_number_counts), cmocka_unit_test(test_order_counts),
      cmocka_unit_test(test_statistics_of_parts), cmocka_unit_test(test_means_follow_the_tree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
