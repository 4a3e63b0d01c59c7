#include "distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t inner(const sd_view *v, int dimension) {
  return dimension < v->rank ? v->shape[dimension] : 1;
}
static double number_at(const sd_view *v, size_t member, size_t i, size_t j) {
  size_t at = member * v->stride[0];
  if (v->rank > 1) at += i * v->stride[1];
  if (v->rank > 2) at += j * v->stride[2];
  return v->data[at];
}

double sd_final_distance(const sd_result *a, const sd_result *b, size_t array, size_t member) {
  sd_view x = {.size = sizeof x}, y = {.size = sizeof y};
  double sum = 0;
  if (sd_result_final(a, 0, array, &x) || sd_result_final(b, 0, array, &y)) return NAN;
  if (member >= x.shape[0] || member >= y.shape[0] || strcmp(sd_result_final_status(a, 0, member), "ok")) return NAN;
  for (size_t i = 0; i < inner(&x, 1); i++)
    for (size_t j = 0; j < inner(&x, 2); j++) {
      double gap = number_at(&x, member, i, j) - number_at(&y, member, i, j);
      sum += gap * gap;
    }
  return sqrt(sum);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
double sd_median_of(double *numbers, size_t count) {
  if (!count) return NAN;
  qsort(numbers, count, sizeof *numbers, ascending);
  return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

double sd_median_distance(const sd_result *a, const sd_result *b, size_t array) {
  size_t members = sd_result_final_count(a), count = 0;
  double *all = calloc(members + 1, sizeof *all), median = NAN;
  for (size_t i = 0; i < members && all; i++) {
    double distance = sd_final_distance(a, b, array, i);
    if (distance == distance) all[count++] = distance;
  }
  if (all && 2 * count > members) median = sd_median_of(all, count);
  free(all);
  return median;
}
