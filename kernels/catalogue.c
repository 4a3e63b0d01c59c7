#define SD_LANES 1
#include "catalogue.h"

#include "compose.h"
#include "philox.h"

const double *sd_composition(int order, int *stages) {
#define OFFER(o) \
  case o: *stages = sizeof composition##o / sizeof *composition##o; return composition##o
  switch (order) {
    OFFER(2);
    OFFER(4);
    OFFER(6);
    OFFER(8);
  default: return NULL;
  }
#undef OFFER
}

double sd_normal(uint64_t seed, uint64_t member, uint64_t draw) {
  return philox_normals(seed, member, draw).first;
}

double sd_grid_value(double low, double high, int even, size_t i, size_t count) {
  double part = (double)i / (double)(count - 1);
  if (i == 0) return low;
  if (i == count - 1) return high;
  if (even) return low + (high - low) * part;
  double from = real_log(low), to = real_log(high);
  return real_exp(from + (to - from) * part);
}
