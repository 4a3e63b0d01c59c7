/* peak.c - as many fma as a variant's lanes can do: independent chains, one register each, and nothing else.  Compiled
 * once per variant with -DSD_VARIANT=name. */
#define SD_NARROW
#include "real.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* Twelve are enough to hide the latency of two units, and leave registers for the factor and the addend. */
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

/* Turns of the chains, from `start` on; returns how many fma that were, 0 where the variant has no such instruction.
 * The sum of the chains goes to `end`, so that no compiler leaves them out. */
double JOIN(sd_peak_, SD_VARIANT)(int64_t turns, double start, double *end);
double JOIN(sd_peak_, SD_VARIANT)(int64_t turns, double start, double *end) {
#if defined(__FMA__) /* x86 alone: other machines' registers are fewer lanes than a real has */
  const real factor = real_splat(0.5), addend = real_splat(start);
#define BEGIN(n) real x##n = real_splat(start + n);
#if SD_LANES == 1
#define APART(x) __asm__("" : "+x"(x)) /* clang would make vectors of single chains */
#else
#define APART(x) (void)0
#endif
#define TURN(n)                          \
  x##n = real_fma(x##n, factor, addend); \
  APART(x##n);
#define ADD(n) +x##n
  CHAINS(BEGIN)
  for (int64_t i = 0; i < turns; i++) {
    CHAINS(TURN)
  }
  double lanes[SD_LANES];
  real_store(lanes, CHAINS(ADD));
  *end = lanes[0];
#define ONE(n) +1
  return (double)turns * SD_LANES * (CHAINS(ONE));
#else
  *end = start + (double)turns;
  return 0;
#endif
}
