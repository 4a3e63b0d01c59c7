#include "reduce.h"

/* The leaves: a missing term counts as nothing. */
static double term(double x, double about, int square) {
  double gap = x - about;
  return x == x ? square ? gap * gap : gap : 0;
}

/* The same tree of so many terms, a power of two, level by level. */
enum { LEVELLED = 64 };
static inline double levelled(const double *x, double about, int square) {
  double sum[LEVELLED / 2];
  for (int i = 0; i < LEVELLED / 2; i++) sum[i] = term(x[2 * i], about, square) + term(x[2 * i + 1], about, square);
  for (int count = LEVELLED / 4; count; count /= 2)
    for (int i = 0; i < count; i++) sum[i] = sum[2 * i] + sum[2 * i + 1];
  return sum[0];
}

static inline double tree(const double *x, size_t count, double about, int square,
                          double (*self)(const double *, size_t, double)) {
  if (count == LEVELLED) return levelled(x, about, square);
  if (count <= 1) return count ? term(x[0], about, square) : 0;
  size_t left = sd_tree_left(count);
  return self(x, left, about) + self(x + left, count - left, about);
}

static double sum(const double *x, size_t count, double about) {
  return tree(x, count, about, 0, sum);
}
static double sum_of_squares(const double *x, size_t count, double about) {
  return tree(x, count, about, 1, sum_of_squares);
}

double sd_tree_sum(const double *terms, size_t count) {
  return sum(terms, count, 0);
}
double sd_tree_sum_of_squares(const double *terms, size_t count, double about) {
  return sum_of_squares(terms, count, about);
}

double sd_tree_join(const double *sums, size_t count) {
  if (count <= 1) return count ? sums[0] : 0;
  size_t left = sd_tree_left(count);
  return sd_tree_join(sums, left) + sd_tree_join(sums + left, count - left);
}
