#include "reduce.h"

double sd_tree_sum(const double *terms, size_t count) {
  if (count == 0) return 0;
  if (count == 1) return terms[0];
  size_t left = 1;
  while (left * 2 < count) left *= 2;
  return sd_tree_sum(terms, left) + sd_tree_sum(terms + left, count - left);
}
