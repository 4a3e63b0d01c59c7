/* peak.c - what the processor's arithmetic units can do, measured. */
#include "parallel.h"
#include "spindrift.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define FAMILY(name)
#define KERNELS(family, method, variant)
#define VARIANT(name) double sd_peak_##name(int64_t turns, double start, double *end);
#include "built_in.def"
#undef VARIANT

typedef struct {
  double (*chains)(int64_t turns, double start, double *end);
  int64_t turns; /* of each thread */
  double done;   /* fma of each thread */
} work;

static void run_chains(void *data, size_t i) {
  work *w = data;
  double end, done = w->chains(w->turns, (double)i, &end);
  if (i == 0) w->done = done;
}

static double seconds_of(work *w, int threads) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  sd_parallel(threads, (size_t)threads, run_chains, w);
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

double sd_peak(const char *variant, int threads) {
  const double long_enough = 0.01;
  work w = {.turns = 10000};
#define VARIANT(name) \
  if (!strcmp(variant, #name)) w.chains = sd_peak_##name;
#include "built_in.def"
#undef VARIANT
  if (!w.chains) return NAN;
  for (;;) {
    double seconds = seconds_of(&w, threads);
    if (w.done == 0) return NAN;
    if (seconds > long_enough) return w.done * threads / seconds;
    w.turns *= 2;
  }
}
