/* Mean and covariance of states: the same bits however an ensemble is cut, and what 80-bit arithmetic finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../host/moments.h"
#include "../host/registry.h"
#include "../host/series.h"
#include "lists.h"
#include "settings.h"

#include <math.h>
#include <string.h>

enum { MOST = 1040, SAMPLES = 3, PARTS_MOST = 8, NUMBERS_MOST = SD_COORDINATES_MAX + SD_TANGENT_MAX * SD_TANGENT_MAX };

static double samples[SAMPLES * SD_COORDINATES_MAX][MOST];
static size_t members_of[SAMPLES];

static double drawn(size_t member, uint64_t draw) {
  return sd_normal(5, member, draw);
}

/* ---- the largest eigenvector ---- */

static void test_eigenvectors(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 200; k++) {
    double v[4], lower[10], found[4], norm2 = 0, gap = k % 4 ? 1 : 1e-3;
    for (int i = 0; i < 4; i++) v[i] = k < 4 ? i == (int)k : drawn(k, (uint64_t)i), norm2 += v[i] * v[i];
    for (int i = 0; i < 4; i++) v[i] /= sqrt(norm2);
    for (int i = 0, at = 0; i < 4; i++) /* 2 + gap along v, 2 across */
      for (int j = 0; j <= i; j++) lower[at++] = gap * v[i] * v[j] + (i == j ? 2 : 0);
    sd_largest_eigenvector(lower, found);
    double dot = 0, length2 = 0;
    for (int i = 0; i < 4; i++) dot += found[i] * v[i], length2 += found[i] * found[i];
    if (!(fabs(1 - fabs(dot)) < 1e-14 && fabs(length2 - 1) < 1e-14)) fail_msg("%d: %g", (int)k, 1 - fabs(dot));
    double first = found[0] != 0 ? found[0] : found[1] != 0 ? found[1] : found[2] != 0 ? found[2] : found[3];
    assert_true(first > 0);
  }
}

/* ---- cuts ---- */

static void fill(const sd_coordinates *c, double centre, double spread) {
  for (size_t s = 0; s < SAMPLES; s++)
    for (size_t i = 0; i < MOST; i++) {
      double norm2 = 0;
      for (int k = 0; k < c->numbers; k++) {
        double x = centre * (k + 1) + spread * drawn(i, (uint64_t)(s * 100 + (size_t)k));
        if (c->rotations && k < 4) x = (k == 0) + spread * drawn(i, (uint64_t)(s * 100 + (size_t)k));
        samples[s * (size_t)c->numbers + (size_t)k][i] = x;
        if (k < 4) norm2 += x * x;
      }
      for (int k = 0; k < 4 && c->rotations; k++)
        samples[s * (size_t)c->numbers + (size_t)k][i] *= (i % 2 ? 1 : -1) / sqrt(norm2);
      for (int k = 0; k < c->numbers; k++)
        if (i % 7 == 3 && s) samples[s * (size_t)c->numbers + (size_t)k][i] = NAN; /* lost */
    }
}

static void count_members(size_t members) {
  for (size_t s = 0; s < SAMPLES; s++) {
    members_of[s] = 0;
    for (size_t i = 0; i < members; i++) members_of[s] += !(i % 7 == 3 && s);
  }
}

static void find(const sd_coordinates *c, const sd_charts *charts, size_t members, size_t blocks_each, size_t sheets,
                 double *to) {
  sd_part part[PARTS_MOST], *list[PARTS_MOST];
  uint16_t rows[SAMPLES];
  sd_error error = {0};
  size_t count = 0;
  for (size_t first = 0; first < members; first += blocks_each * SD_REDUCE_BLOCK, count++) {
    size_t left = members - first, most = blocks_each * SD_REDUCE_BLOCK;
    list[count] = &part[count];
    assert_int_equal(sd_host_part_create(&part[count], samples[0] + first, MOST, first, left < most ? left : most,
                                         sheets, 1, c, charts, &error),
                     SD_OK);
  }
  for (uint16_t s = 0; s < SAMPLES; s++) rows[s] = (uint16_t)(s * c->numbers);
  sd_parts parts = {list, count, members, sheets, 1};
  assert_int_equal(sd_find_moments(&parts, c, rows, members_of, SAMPLES, to, &error), SD_OK);
  while (count) sd_host_part_destroy(&part[--count]);
}

/* Mean and covariance of numbers that are none of a rotation's, by the book. */
static void check_plain(const sd_coordinates *c, size_t members, const double *found) {
  for (size_t s = 0; s < SAMPLES; s++) {
    const double *mean = found + s * sd_moment_numbers(c), *covariance = mean + c->numbers;
    long double sum[SD_COORDINATES_MAX] = {0}, n = (long double)members_of[s];
    int from = c->rotations ? 4 : 0, less = c->rotations ? 1 : 0;
    double(*x)[MOST] = &samples[s * (size_t)c->numbers];
    for (int k = from; k < c->numbers; k++) {
      long double scale = 0;
      for (size_t i = 0; i < members; i++)
        if (x[k][i] == x[k][i]) sum[k] += x[k][i] / n, scale += fabsl((long double)x[k][i]) / n;
      if (!(fabsl((long double)mean[k] - sum[k]) <= 6e-16L * scale)) fail_msg("mean %d of sample %zu", k, s);
    }
    for (int k = from; k < c->numbers; k++)
      for (int l = from; l < c->numbers; l++) {
        long double product = 0, first = 0, second = 0;
        for (size_t i = 0; i < members; i++) {
          long double a = x[k][i] - sum[k], b = x[l][i] - sum[l];
          if (a == a) product += a * b, first += a * a, second += b * b;
        }
        long double gap = covariance[(k - less) * c->tangent + l - less] - product / (n - 1);
        if (!(fabsl(gap) <= 3e-15L * sqrtl(first * second) / (n - 1)))
          fail_msg("covariance %d, %d of sample %zu: off by %g", k, l, s, (double)gap);
      }
  }
}

/* Of rotations: the sum of what is left of each, seen from the mean, across any direction is stationary. */
static void check_rotation(const sd_coordinates *c, size_t members, const double *found) {
  for (size_t s = 0; s < SAMPLES && c->rotations; s++) {
    const double *q = found + s * sd_moment_numbers(c), *covariance = q + c->numbers;
    double(*x)[MOST] = &samples[s * (size_t)c->numbers];
    long double turn[3] = {0}, mean[3] = {0}, product[3][3] = {{0}}, n = (long double)members_of[s];
    for (int pass = 0; pass < 2; pass++)
      for (size_t i = 0; i < members; i++) {
        if (x[0][i] != x[0][i]) continue;
        long double w = q[0] * (long double)x[0][i] + q[1] * (long double)x[1][i] + q[2] * (long double)x[2][i] +
                        q[3] * (long double)x[3][i];
        long double v[3] = {q[0] * (long double)x[1][i] - q[1] * (long double)x[0][i] - q[2] * (long double)x[3][i] +
                                q[3] * (long double)x[2][i],
                            q[0] * (long double)x[2][i] - q[2] * (long double)x[0][i] - q[3] * (long double)x[1][i] +
                                q[1] * (long double)x[3][i],
                            q[0] * (long double)x[3][i] - q[3] * (long double)x[0][i] - q[1] * (long double)x[2][i] +
                                q[2] * (long double)x[1][i]};
        long double sine = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sign = w < 0 ? -1 : 1;
        long double factor = sine > 0 ? sign * 2 * atan2l(sine, sign * w) / sine : 2;
        for (int k = 0; k < 3; k++) {
          if (!pass) turn[k] += w * v[k], mean[k] += factor * v[k] / n;
          for (int l = 0; l < 3 && pass; l++)
            product[k][l] += (factor * v[k] - mean[k]) * (factor * v[l] - mean[l]) / (n - 1);
        }
      }
    for (int k = 0; k < 3; k++) {
      if (!(fabsl(turn[k]) < 1e-15L * n)) fail_msg("sample %zu: %g is left of the mean rotation", s, (double)turn[k]);
      for (int l = 0; l < 3; l++)
        if (!(fabsl(covariance[k * c->tangent + l] - product[k][l]) < 2e-15L * (product[k][k] + product[l][l])))
          fail_msg("sample %zu: covariance %d, %d", s, k, l);
    }
  }
}

static void check_family(const sd_family *family) {
  static const size_t sizes[] = {2, 3, 16, 255, 256, 257, 600, 1024, 1025};
  static const double centres[][2] = {{0, 1}, {1e3, 1}, {1e7, 1e-3}, {1, 0.3}};
  sd_coordinates c = sd_coordinates_of(family);
  if (!c.numbers) return;
  for (int v = 0; v < sd_variant_count(); v++) {
    const sd_kernels *kernels = sd_find_kernels(family->method, family->problem, sd_variant_at(v).name);
    if (!kernels || !sd_variant_at(v).usable) continue;
    for (size_t f = 0; f < sizeof centres / sizeof *centres; f++) {
      fill(&c, centres[f][0], centres[f][1]);
      for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double one[SAMPLES * NUMBERS_MOST], other[SAMPLES * NUMBERS_MOST];
        count_members(sizes[i]);
        find(&c, kernels->charts, sizes[i], PARTS_MOST, 1, one);
        check_plain(&c, sizes[i], one);
        check_rotation(&c, sizes[i], one);
        const sd_kernels *scalar = sd_find_kernels(family->method, family->problem, "scalar");
        for (size_t each = 1; each < 5; each++)
          for (size_t sheets = 1; sheets < 4; sheets += 2) {
            find(&c, scalar->charts, sizes[i], each, sheets, other);
            assert_memory_equal(one, other, SAMPLES * sd_moment_numbers(&c) * sizeof *one);
          }
      }
    }
  }
}

static void test_every_cut(void **state) {
  (void)state;
  for (int f = 0; f < sd_family_count(); f++) check_family(sd_family_at(f));
}

static void test_few_members(void **state) {
  (void)state;
  const sd_problem_entry *problem = problem_named("stress");
  sd_coordinates c = sd_coordinates_of(problem->family);
  const sd_kernels *kernels = sd_find_kernels(problem->family->method, problem, "scalar");
  double found[SAMPLES * NUMBERS_MOST];
  fill(&c, 1, 0.1);
  for (size_t s = 0; s < SAMPLES; s++) members_of[s] = s != 1; /* of sample 1 nobody is left */
  find(&c, kernels->charts, 1, 1, 1, found);
  for (size_t s = 0; s < SAMPLES; s++)
    for (int k = 0; k < (int)sd_moment_numbers(&c); k++)
      assert_int_equal(isnan(found[s * sd_moment_numbers(&c) + (size_t)k]), s == 1 || k >= c.numbers);
  for (int k = 4; k < c.numbers; k++) assert_true(found[k] == samples[k][0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_eigenvectors), cmocka_unit_test(test_every_cut),
                                     cmocka_unit_test(test_few_members)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
