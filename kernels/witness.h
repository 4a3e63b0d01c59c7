/* witness.h - at which steps the energy is looked at besides the samples, in plain C for host and kernels alike.
 *
 * Samples at equal distances beat with an oscillation whose period is near a multiple of the distance: what they show
 * is slow, and may look like a drift.  So each interval between two samples has a witness, a step of its own at a place
 * that is drawn, and what both see is there.  The draw is a function of the interval's number alone: the finaliser of
 * SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014, doi:10.1145/2660193.2660195). */
#ifndef SD_WITNESS_H
#define SD_WITNESS_H

#include <stdint.h>

#if defined(__CUDACC__)
#define SD_SHARED static __host__ __device__ inline
#else
#define SD_SHARED static inline
#endif

SD_SHARED uint64_t sd_mixed(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Interval i, from 1 on, has the steps (i - 1) length + 1 .. i length; this is the one that is looked at.  A length of
 * 0 is of intervals without: the step is then beyond all. */
SD_SHARED int64_t sd_witness_step(int64_t length, int64_t interval) {
  if (!length) return INT64_MAX;
  return (interval - 1) * length + 1 + (int64_t)(sd_mixed((uint64_t)interval) % (uint64_t)length);
}

/* The first interval whose witness comes after step n. */
SD_SHARED int64_t sd_witness_after(int64_t length, int64_t n) {
  int64_t interval = length ? n / length + 1 : 1;
  return sd_witness_step(length, interval) > n ? interval : interval + 1;
}

#endif
