/* larger.h - the larger and the smaller of two numbers: NaN if either is, for what is not known is not to be lost. */
#ifndef SD_LARGER_H
#define SD_LARGER_H

static inline double larger(double a, double b) {
  return b > a || b != b ? b : a;
}
static inline double smaller(double a, double b) {
  return b < a || b != b ? b : a;
}

#endif
