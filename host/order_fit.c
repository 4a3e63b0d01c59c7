#include "order_fit.h"

#include <math.h>

/* Successive orders agree if they differ by no more than this part of the largest; below 0.5 nothing converges. */
static const double agreement = 0.1, least_order = 0.5;

double sd_order_between(const double *step, const double *error, int at, double rounding) {
  if (at < 1 || !(error[at - 1] > rounding) || !(error[at] > rounding)) return NAN;
  return log(error[at - 1] / error[at]) / log(step[at - 1] / step[at]);
}

static double least_squares(const double *step, const double *error, int first, int last) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = first; i <= last; i++) {
    double u = log(step[i]), v = log(error[i]);
    n++, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/* The last step of the range that begins here and in which all orders agree; `first` if there is none. */
static int end_of_agreement(const double *step, const double *error, int first, int count, double rounding) {
  double low = INFINITY, high = 0;
  int last = first;
  while (last + 1 < count) {
    double order = sd_order_between(step, error, last + 1, rounding);
    if (!(order >= least_order)) break;
    low = fmin(low, order), high = fmax(high, order);
    if (high - low > agreement * fmax(high, 1)) break;
    last++;
  }
  return last;
}

/* Of two steps that can be compared, where there are no others. */
static sd_order_fit only_order(const double *step, const double *error, int count, double rounding) {
  sd_order_fit only = {.order = NAN};
  int found = 0;
  for (int i = 1; i < count; i++) {
    double order = sd_order_between(step, error, i, rounding);
    if (!isfinite(order)) continue;
    only = (sd_order_fit){order, i - 1, i, 0};
    found++;
  }
  return found == 1 ? only : (sd_order_fit){.order = NAN};
}

sd_order_fit sd_fit_order(const double *step, const double *error, int count, double rounding) {
  sd_order_fit best = {.order = NAN};
  for (int first = 0; first < count; first++) {
    int last = end_of_agreement(step, error, first, count, rounding);
    if (last - first < 2 || last - first < best.last - best.first) continue;
    best = (sd_order_fit){least_squares(step, error, first, last), first, last, 1};
  }
  return isfinite(best.order) ? best : only_order(step, error, count, rounding);
}
