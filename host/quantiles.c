#include "quantiles.h"

#include "statistics_list.h"

#include <math.h>
#include <string.h>

sd_row_kind sd_row_kind_of(double lowest, double highest, double *scale) {
  *scale = (SD_SLICES - 0.5) / (highest - lowest);
  if (lowest == highest) return SD_ROW_ALIKE;
  return *scale > 0 && isfinite(*scale) ? SD_ROW_SLICED : SD_ROW_WHOLE;
}

sd_ranking sd_ranking_of(size_t n) {
  sd_ranking r = {.slices = 0};
  for (int q = 0; q < SD_QUANTILES; q++) {
    double place = (double)(n - 1) * sd_quantile_levels[q];
    size_t k = (size_t)place;
    r.part[q] = place - (double)k;
    r.rank[q] = k;
    r.rank[SD_QUANTILES + q] = k + 1 < n ? k + 1 : k;
  }
  return r;
}

/* The first slice that ends beyond the rank. */
static int slice_of(const size_t *end, size_t rank) {
  int slice = 0;
  for (int half = SD_SLICES / 2; half; half /= 2)
    if (end[slice + half - 1] <= rank) slice += half;
  return slice;
}

void sd_ranking_narrow(sd_ranking *r, const uint32_t population[SD_SLICES], unsigned char wanted[SD_SLICES]) {
  size_t end[SD_SLICES], seen = 0;
  int of_rank[2 * SD_QUANTILES];
  for (int i = 0; i < SD_SLICES; i++) end[i] = seen += population[i];
  memset(wanted, 0, SD_SLICES);
  for (int k = 0; k < 2 * SD_QUANTILES; k++) {
    int slice = of_rank[k] = slice_of(end, r->rank[k]);
    if (!wanted[slice]) r->slice[r->slices++] = slice;
    wanted[slice] = 1;
  }
  for (int k = 0; k < 2 * SD_QUANTILES; k++) { /* from all values before its slice to those of wanted slices */
    r->rank[k] -= end[of_rank[k]] - population[of_rank[k]];
    for (int i = 0; i < r->slices; i++) r->rank[k] += r->slice[i] < of_rank[k] ? population[r->slice[i]] : 0;
  }
}

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

/* The k-th smallest of x[low..high], put in its place, smaller ones before it, larger ones after (Hoare). */
static double select_at(double *x, size_t low, size_t high, size_t k) {
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (x[middle] < x[low]) swap(&x[middle], &x[low]);
    if (x[high] < x[low]) swap(&x[high], &x[low]);
    if (x[high] < x[middle]) swap(&x[high], &x[middle]);
    double pivot = x[middle];
    size_t i = low, j = high;
    for (;;) {
      while (x[i] < pivot) i++;
      while (pivot < x[j]) j--;
      if (i >= j) break;
      swap(&x[i++], &x[j--]);
    }
    if (k <= j) high = j;
    else low = j + 1;
  }
  return x[k];
}

void sd_quantiles_select(const sd_ranking *r, double *x, size_t count, double found[SD_QUANTILES]) {
  for (int q = 0; q < SD_QUANTILES; q++) {
    double below = select_at(x, 0, count - 1, r->rank[q]),
           above = select_at(x, 0, count - 1, r->rank[SD_QUANTILES + q]);
    found[q] = below + r->part[q] * (above - below);
  }
}
