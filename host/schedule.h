/* schedule.h - when samples are taken, and the sums over their times that least-squares slopes need. */
#ifndef SD_SCHEDULE_H
#define SD_SCHEDULE_H

#include <stdint.h>

/* A set of sample times: how many, their mean, and the sum of squared deviations from it. */
typedef struct {
  double count, mean, spread;
} sd_times;

typedef struct {
  int64_t every;               /* steps from one sample to the next */
  int64_t samples, first_half; /* samples 0 .. first_half-1 make the first half */
  double length;               /* the time of the last */
  sd_times all, half[2];
  sd_times tapered; /* the same of x = t/T, each sample with the weight (x (1 - x))^2; NaN for few */
} sd_schedule;

/* Where the state at a time is to be had: after so many steps, and a part of the next, up to the time.  A time that is
 * the end of a step but for rounding is that. */
typedef struct {
  int64_t step;
  double time;
} sd_look;
sd_look sd_look_at(double time, double h);

/* Samples at t = 0, after every `every` steps, and after the last step. */
sd_schedule sd_schedule_make(double h, int64_t steps, int64_t every);

#endif
