#include "schedule.h"

#include <math.h>

/* Samples from..to-1 of an even grid of spacing dt. */
static sd_times even_times(int64_t from, int64_t to, double dt) {
  double n = (double)(to - from);
  sd_times t = {n, (double)(from + to - 1) * 0.5 * dt, dt * dt * (n * (n * n - 1.0) / 12.0)};
  return t;
}

static sd_times with_one_more(sd_times t, double time) {
  double gap = time - t.mean, n = t.count + 1.0;
  sd_times more = {n, t.mean + gap / n, t.spread + gap * gap * (t.count / n)};
  return more;
}

/* Sums of W, W x and W x^2 over x = d k, k = 0 .. n, from the sums of the powers of k (Faulhaber).  A last sample that
 * is off the grid is at the end of the run, where W is 0. */
static sd_times tapered_times(double n, double d) {
  double pair = n * (n + 1), odd = 2 * n + 1, d2 = d * d;
  double x2 = d2 * (pair * odd / 6), x3 = d * d2 * (pair * pair / 4);
  double x4 = d2 * d2 * (pair * odd * (3 * pair - 1) / 30), x5 = d * d2 * d2 * (pair * pair * (2 * pair - 1) / 12);
  double x6 = d2 * d2 * d2 * (pair * odd * (3 * pair * (pair - 1) + 1) / 42);
  double weights = x2 - 2 * x3 + x4, first = x3 - 2 * x4 + x5, second = x4 - 2 * x5 + x6;
  sd_times t = {weights, first / weights, second - first * (first / weights)};
  sd_times few = {0, 0.5, NAN}; /* through two points with a weight any line goes */
  return n < 4 ? few : t;
}

sd_schedule sd_schedule_make(double h, int64_t steps, int64_t every) {
  int64_t even = steps / every + 1; /* the last one may come early */
  int ragged = steps % every != 0;
  double dt = (double)every * h;
  sd_schedule s = {.every = every, .samples = even + ragged, .length = (double)steps * h};
  s.first_half = s.samples / 2;
  s.all = even_times(0, even, dt);
  s.half[0] = even_times(0, s.first_half, dt);
  s.half[1] = even_times(s.first_half, even, dt);
  if (ragged) {
    double last = (double)steps * h;
    s.all = with_one_more(s.all, last);
    s.half[1] = even > s.first_half ? with_one_more(s.half[1], last) : (sd_times){1, last, 0};
  }
  s.tapered = tapered_times((double)(steps / every), (double)every / (double)steps);
  return s;
}

sd_look sd_look_at(double time, double h) {
  sd_look at = {(int64_t)nearbyint(time / h), time};
  double end = (double)at.step * h;
  if (fabs(time - end) <= 0x1p-50 * time) return at.time = end, at;
  while ((double)at.step * h > time) at.step--;
  return at;
}
