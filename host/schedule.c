#include "schedule.h"

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

sd_schedule sd_schedule_make(double h, int64_t steps, int64_t every) {
  int64_t even = steps / every + 1; /* the last one may come early */
  int ragged = steps % every != 0;
  double dt = (double)every * h;
  sd_schedule s = {.samples = even + ragged};
  s.first_half = s.samples / 2;
  s.all = even_times(0, even, dt);
  s.half[0] = even_times(0, s.first_half, dt);
  s.half[1] = even_times(s.first_half, even, dt);
  if (ragged) {
    double last = (double)steps * h;
    s.all = with_one_more(s.all, last);
    s.half[1] = even > s.first_half ? with_one_more(s.half[1], last) : (sd_times){1, last, 0};
  }
  return s;
}
