/* test_random.c - the generator's bits against published known answers, and the normals made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../kernels/philox.h"

#include <math.h>
#include <stdlib.h>

/* Known answers of Random123 for philox4x32-10: counter, key, result. */
static void test_known_answers(void **state) {
  (void)state;
  static const struct {
    uint32_t counter[4], key[2], result[4];
  } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
               {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                {0xffffffff, 0xffffffff},
                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
               {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                {0xa4093822, 0x299f31d0},
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const uint32_t *c = known[i].counter, *k = known[i].key;
    random_block b =
        philox_block((uint64_t)k[1] << 32 | k[0], (uint64_t)c[3] << 32 | c[2], (uint64_t)c[1] << 32 | c[0]);
    for (int w = 0; w < 4; w++) assert_int_equal(b.word[w], known[i].result[w]);
  }
}

static void test_uniforms(void **state) {
  (void)state;
  assert_true(uniform_of(0, 0) == 0x1p-53);
  assert_true(uniform_of(0xffffffff, 0xffffffff) < 1);
  assert_true(uniform_of(0x80000000, 0) > 0.5 && uniform_of(0x7fffffff, 0xffffffff) < 0.5);
}

enum { DRAWS = 5000000 }; /* pairs */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double normal_cdf(double x) {
  return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* Ten million normals: moments within five standard errors, Kolmogorov-Smirnov at 1 in 10000, the tails' counts, and no
 * correlation between the two of a pair or between neighbouring bodies. */
static void test_normals(void **state) {
  (void)state;
  size_t n = 2 * (size_t)DRAWS;
  double *x = malloc(n * sizeof *x);
  assert_non_null(x);
  double s1 = 0, s2 = 0, s3 = 0, s4 = 0, pair = 0, neighbour = 0;
  for (size_t i = 0; i < DRAWS; i++) {
    normal_pair p = philox_normals(1, i / 3, i % 3); /* as bodies draw them */
    x[2 * i] = p.first;
    x[2 * i + 1] = p.second;
    pair += p.first * p.second;
    if (i) neighbour += p.first * x[2 * i - 1];
  }
  for (size_t i = 0; i < n; i++) {
    double y = x[i], y2 = y * y;
    s1 += y, s2 += y2, s3 += y * y2, s4 += y2 * y2;
  }
  double root = sqrt((double)n), count = (double)n;
  assert_true(fabs(s1 / count) < 5 / root);
  assert_true(fabs(s2 / count - 1) < 5 * sqrt(2) / root);
  assert_true(fabs(s3 / count) < 5 * sqrt(15) / root);
  assert_true(fabs(s4 / count - 3) < 5 * sqrt(96) / root);
  assert_true(fabs(pair) / DRAWS < 5 / sqrt(DRAWS) && fabs(neighbour) / DRAWS < 5 / sqrt(DRAWS));
  qsort(x, n, sizeof *x, ascending);
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    double F = normal_cdf(x[i]);
    worst = fmax(worst, fmax(fabs(F - (double)i / count), fabs((double)(i + 1) / count - F)));
  }
  assert_true(worst * root < 2.2252); /* Kolmogorov's 99.99 % point */
  for (double edge = 3; edge <= 5; edge += 0.5) {
    size_t beyond = 0;
    double expected = 2 * normal_cdf(-edge) * count;
    for (size_t i = 0; i < n; i++) beyond += fabs(x[i]) > edge;
    assert_true(fabs((double)beyond - expected) < 5 * sqrt(expected) + 1);
  }
  free(x);
}

#ifdef SPINDRIFT_CURAND
#include <curand.h>

/* cuRAND's host generator runs without a GPU.  Its sequence for a seed walks through subsequences 0, 1, 2, ... (our
 * bodies), one block of each, then the next block of each. */
static void test_curand(void **state) {
  (void)state;
  enum { COUNT = 1 << 20 };
  curandGenerator_t generator;
  unsigned *bits = malloc(COUNT * sizeof *bits);
  assert_non_null(bits);
  assert_int_equal(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10), CURAND_STATUS_SUCCESS);
  assert_int_equal(curandSetPseudoRandomGeneratorSeed(generator, 0x123456789abcdefULL), CURAND_STATUS_SUCCESS);
  assert_int_equal(curandGenerate(generator, bits, COUNT), CURAND_STATUS_SUCCESS);
  size_t bodies = 0; /* how many subsequences it runs side by side */
  random_block second = philox_block(0x123456789abcdefULL, 0, 1);
  for (size_t i = 4; i + 4 <= COUNT && !bodies; i += 4)
    if (bits[i] == second.word[0] && bits[i + 1] == second.word[1]) bodies = i / 4;
  print_message("cuRAND runs %zu subsequences side by side\n", bodies);
  assert_true(bodies > 0);
  for (size_t i = 0; i < COUNT / 4; i++) {
    random_block b = philox_block(0x123456789abcdefULL, i % bodies, i / bodies);
    for (int w = 0; w < 4; w++) assert_int_equal(bits[4 * i + (size_t)w], b.word[w]);
  }
  curandDestroyGenerator(generator);
  free(bits);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_answers), cmocka_unit_test(test_uniforms),
#ifdef SPINDRIFT_CURAND
                                     cmocka_unit_test(test_curand),
#endif
                                     cmocka_unit_test(test_normals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
