/* gauss_8.h - integrals over a unit interval by their values at Gauss' eight nodes: of the polynomial through these, up
 * to each node and up to the end, where it is exact for degree 15.
 *
 * The integral up to node i is half of the whole, plus a part by sums, minus or plus a part by differences of values at
 * opposite nodes: forty products in place of sixty-four. */
#ifndef SD_GAUSS_8_H
#define SD_GAUSS_8_H

#include "../real.h"

enum { GAUSS_NODES = 8, GAUSS_PAIRS = GAUSS_NODES / 2 };

#define GAUSS_NODE                                                                                        \
  {                                                                                                       \
    0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751, 0.591717321247825, \
        0.7627662049581645, 0.8983332387068134, 0.9801449282487681                                        \
  }
#define GAUSS_HALF_WEIGHT \
  { 0.025307134072594065, 0.05559525861334362, 0.07842666146947182, 0.0906709458445905 }
#define GAUSS_OF_SUMS                                                                                \
  {                                                                                                  \
    {-0.012792321199855492, -0.05966185143429902, -0.07624508352327507, -0.09137320796695449},       \
        {0.0022939279633542144, -0.02858009676214628, -0.08367668309463082, -0.08920376745998379},   \
        {-0.001322768920762882, 0.005947361272885416, -0.04153506366578815, -0.09447263116541663}, { \
      0.001055244704828979, -0.004097420694349799, 0.010529508948416123, -0.053345993582807755       \
    }                                                                                                \
  }
#define GAUSS_OF_DIFFERENCES                                                                       \
  {                                                                                                \
    {0.012792321199855492, -0.00503935048501467, 0.004099253200833713, -0.0037807534906907658},    \
        {0.02715825973160604, 0.02858009676214628, -0.00838977461062267, 0.006682530473753852},    \
        {0.024603170847081697, 0.05931690511094413, 0.04153506366578815, -0.012173418041052297}, { \
      0.02550314219315819, 0.05469565222935459, 0.08171496385666567, 0.053345993582807755          \
    }                                                                                              \
  }

/* Row i: up to node i, of the polynomial through the values at the nodes before it. */
#define GAUSS_AHEAD                                                                                             \
  {                                                                                                             \
    {0}, {0.10166676129318664}, {-0.049151229687276275, 0.28638502472911176},                                   \
        {0.24105809581844, -0.28686785855536145, 0.4540924414890965},                                           \
        {-0.2412505305841375, 0.8115832896230879, -0.5180551190205384, 0.5394396812294128},                     \
        {0.3501374381803754, -0.6915219827969796, 1.1120673396888114, -0.5185681667015953, 0.5106515765875527}, \
        {-0.10855544309708441, 0.5801233268142862,  -0.5104950211731097,                                        \
         0.8281284356362608,   -0.2714512848885753, 0.38058322541503575},                                       \
    {                                                                                                           \
      0.07619891054489912, 0.028959463652463806, 0.2946200050204448, 0.009486776097615456, 0.3546015315254745,  \
          0.014723484965048984, 0.20155475644282148                                                             \
    }                                                                                                           \
  }

/* The numbers are written out where they are used, so that they are constants there: one that is looked up in a loop
 * takes an addition and a shuffle to fill the lanes. */
FN real gauss_sum(const double *by, real from, real a, real b, real c, real d) {
  return real_fma(real_splat(by[3]), d,
                  real_fma(real_splat(by[2]), c, real_fma(real_splat(by[1]), b, real_fma(real_splat(by[0]), a, from))));
}
FN real gauss_whole(const real *f) {
  static const double half[GAUSS_PAIRS] = GAUSS_HALF_WEIGHT;
  return 2.0 * gauss_sum(half, real_splat(0), f[0] + f[7], f[1] + f[6], f[2] + f[5], f[3] + f[4]);
}
FN void gauss_parts(real *to, const real *f) {
  static const double half[GAUSS_PAIRS] = GAUSS_HALF_WEIGHT;
  static const double of_sums[GAUSS_PAIRS][GAUSS_PAIRS] = GAUSS_OF_SUMS;
  static const double of_differences[GAUSS_PAIRS][GAUSS_PAIRS] = GAUSS_OF_DIFFERENCES;
  real zero = real_splat(0), a = f[0] + f[7], b = f[1] + f[6], c = f[2] + f[5], d = f[3] + f[4];
  real v = f[0] - f[7], w = f[1] - f[6], x = f[2] - f[5], y = f[3] - f[4], middle = gauss_sum(half, zero, a, b, c, d);
#define GAUSS_PAIR(i)                                             \
  {                                                               \
    real same = gauss_sum(of_differences[i], middle, v, w, x, y); \
    real other = gauss_sum(of_sums[i], zero, a, b, c, d);         \
    to[i] = same + other;                                         \
    to[GAUSS_NODES - 1 - i] = same - other;                       \
  }
  GAUSS_PAIR(0)
  GAUSS_PAIR(1)
  GAUSS_PAIR(2)
  GAUSS_PAIR(3)
#undef GAUSS_PAIR
}

#endif
