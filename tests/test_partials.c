/* test_partials.c - rows of samples, reduced: the same points however the ensemble is cut into parts, and those that a
 * plain computation gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/partials.h"
#include "../host/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1300, ROWS = 12, PARTS_MOST = 3 };

static double samples[ROWS][MOST];

/* Each row is strange in a way of its own. */
static void fill(size_t members) {
  uint64_t state = members;
  for (size_t i = 0; i < members; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double x = (double)(state >> 11) * 0x1p-53 - 0.3;
    const double row[ROWS] = {x,
                              i % 3 ? x : NAN,              /* some have failed, */
                              i < 300 ? NAN : x,            /* a whole block has, */
                              NAN,                          /* all have, */
                              i == members / 2 ? x : NAN,   /* all but one have */
                              0.1,                          /* all are alike, */
                              i % 2 ? 0.1 : 0.3,            /* or one of two */
                              i == 7 ? INFINITY : x,        /* beyond all bounds on one side, */
                              i % 2 ? -INFINITY : INFINITY, /* on both */
                              INFINITY,                     /* and nowhere else */
                              i == 1 ? 1e300 : x,           /* nearly all in one slice */
                              i % 5 ? x * pow(10, x * 9) : NAN /* of many sizes, and some have failed */};
    for (int r = 0; r < ROWS; r++) samples[r][i] = row[r];
  }
}

/* ---- the plain computation ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static sd_sample plain(const double *row, size_t members) {
  static const double level[SD_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
  double sorted[MOST];
  size_t n = 0;
  for (size_t i = 0; i < members; i++)
    if (!isnan(row[i])) sorted[n++] = row[i];
  qsort(sorted, n, sizeof *sorted, ascending);
  sd_sample p = {.members = n, .mean = NAN, .deviation = NAN, .lowest = NAN, .highest = NAN};
  for (int q = 0; q < SD_QUANTILES; q++) {
    double place = n ? (double)(n - 1) * level[q] : 0;
    size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
    p.quantile[q] = n ? sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]) : NAN;
  }
  if (!n) return p;
  p.lowest = sorted[0];
  p.highest = sorted[n - 1];
  if (p.lowest == p.highest) /* infinities have no distance */
    for (int q = 0; q < SD_QUANTILES; q++) p.quantile[q] = p.lowest;
  p.mean = sd_tree_sum(row, members) / (double)n;
  if (n > 1) p.deviation = sqrt(sd_tree_sum_of_squares(row, members, p.mean) / (double)(n - 1));
  return p;
}

static int same(double a, double b) {
  return isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof a);
}

static int same_point(const sd_sample *a, const sd_sample *b) {
  int alike = a->members == b->members && same(a->mean, b->mean) && same(a->deviation, b->deviation) &&
              same(a->lowest, b->lowest) && same(a->highest, b->highest);
  for (int q = 0; q < SD_QUANTILES; q++) alike &= same(a->quantile[q], b->quantile[q]);
  return alike;
}

/* ---- parts ---- */

typedef struct {
  size_t members, count, end[PARTS_MOST]; /* of each part, in blocks */
  size_t sheets, sheet_rows;
} cut;

static void check(const cut *c) {
  static const uint16_t rows[ROWS] = {3, 0, 1, 2, 11, 4, 5, 7, 6, 8, 10, 9};
  sd_part part[PARTS_MOST], *list[PARTS_MOST];
  sd_parts parts = {list, c->count, c->members, c->sheets, c->sheet_rows};
  sd_sample points[ROWS];
  sd_error error = {0};
  size_t first = 0;
  for (size_t i = 0; i < c->count; i++) {
    size_t end = c->end[i] * SD_REDUCE_BLOCK < c->members ? c->end[i] * SD_REDUCE_BLOCK : c->members;
    list[i] = &part[i];
    assert_int_equal(sd_host_part_create(&part[i], samples[0] + first, MOST, first, end - first, c->sheets,
                                         c->sheet_rows, &(sd_coordinates){0}, NULL, &error),
                     SD_OK);
    first = end;
  }
  assert_int_equal(sd_reduce_rows(&parts, rows, ROWS, points, &error), SD_OK);
  for (size_t r = 0; r < ROWS; r++) {
    sd_sample wanted = plain(samples[rows[r]], c->members);
    if (!same_point(&points[r], &wanted))
      fail_msg("row %d of %zu members in %zu parts, sheets of %zu rows", rows[r], c->members, c->count, c->sheet_rows);
  }
  for (size_t i = 0; i < c->count; i++) sd_host_part_destroy(&part[i]);
}

static void check_sheets(cut c) {
  static const size_t sheet_rows[] = {1, 2, 5, ROWS};
  for (size_t i = 0; i < sizeof sheet_rows / sizeof *sheet_rows; i++)
    for (c.sheets = 1; c.sheets <= 3; c.sheets++) {
      c.sheet_rows = sheet_rows[i];
      check(&c);
    }
}

static void test_every_cut(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 3, 10, 255, 256, 257, 511, 512, 513, 1000, 1024, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t members = sizes[i], blocks = sd_blocks_of(members);
    fill(members);
    check_sheets((cut){.members = members, .count = 1, .end = {blocks}});
    for (size_t a = 1; a < blocks; a++) {
      check_sheets((cut){.members = members, .count = 2, .end = {a, blocks}});
      for (size_t b = a + 1; b < blocks; b++)
        check_sheets((cut){.members = members, .count = 3, .end = {a, b, blocks}});
    }
  }
}

/* A part that fails, on any question: its own words, and no point is waited for. */
static sd_question refused;
static sd_status (*answer)(sd_part *, size_t, sd_question, size_t, size_t, sd_error *);
static sd_status refuse(sd_part *self, size_t sheet, sd_question question, size_t first, size_t last, sd_error *error) {
  if (question == refused) return sd_fail(error, SD_DEVICE, "device 5: question %d", (int)question);
  return answer(self, sheet, question, first, last, error);
}

static void test_failing_part(void **state) {
  (void)state;
  static const uint16_t rows[ROWS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  sd_part part, *list[1] = {&part};
  sd_parts parts = {list, 1, MOST, 3, 2};
  sd_sample points[ROWS];
  fill(MOST);
  for (refused = 0; refused < SD_ASK_CENTRE; refused++) {
    sd_error error = {0};
    char message[64];
    assert_int_equal(sd_host_part_create(&part, samples[0], MOST, 0, MOST, 3, 2, &(sd_coordinates){0}, NULL, &error),
                     SD_OK);
    answer = part.ask;
    part.ask = refuse;
    assert_int_equal(sd_reduce_rows(&parts, rows, ROWS, points, &error), SD_DEVICE);
    snprintf(message, sizeof message, "device 5: question %d", (int)refused);
    assert_string_equal(error.message, message);
    sd_host_part_destroy(&part);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_cut), cmocka_unit_test(test_failing_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
