#include "reduce.h"

/* The leaves: a missing term counts as nothing. */
static double term(double x, double about, int square) {
  double gap = x - about;
  return x == x ? square ? gap * gap : gap : 0;
}

static double tree(const double *x, size_t count, double about, int square) {
  if (count == 8) { /* the same tree, unrolled */
    double a = term(x[0], about, square) + term(x[1], about, square);
    double b = term(x[2], about, square) + term(x[3], about, square);
    double c = term(x[4], about, square) + term(x[5], about, square);
    double d = term(x[6], about, square) + term(x[7], about, square);
    return (a + b) + (c + d);
  }
  if (count <= 1) return count ? term(x[0], about, square) : 0;
  size_t left = sd_tree_left(count);
  return tree(x, left, about, square) + tree(x + left, count - left, about, square);
}

double sd_tree_sum(const double *terms, size_t count) {
  return tree(terms, count, 0, 0);
}

double sd_tree_sum_of_squares(const double *terms, size_t count, double about) {
  return tree(terms, count, about, 1);
}

double sd_tree_join(const double *sums, size_t count) {
  if (count <= 1) return count ? sums[0] : 0;
  size_t left = sd_tree_left(count);
  return sd_tree_join(sums, left) + sd_tree_join(sums + left, count - left);
}
