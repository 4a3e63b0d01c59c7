/* elementary_lanes.c - a digest of the bits that kernels/elementary.h gives, compiled once per variant.
 *
 * Built with -DSD_VARIANT=name -DSD_LANES=n it exports uint64_t elementary_digest_<name>(void).  Arguments of
 * every kind follow each other at random, so that the lanes of one vector take different paths; the outputs
 * are hashed in the order of the arguments, so the digest does not depend on the number of lanes. */
#include "../kernels/elementary.h"

#define JOIN(a, b) a##b
#define DIGEST_NAME(variant) JOIN(elementary_digest_, variant)

enum { SAMPLES = 1 << 17 };

uint64_t DIGEST_NAME(SD_VARIANT)(void);

static uint64_t scramble(uint64_t z) { /* splitmix64 */
  z += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double from_bits(uint64_t b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static double sample(uint64_t index) {
  static const double special[16] = {0.0,    -0.0,     1.0,      -1.0,   0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
                                     0x1p20, 0x1.8p39, 0x1.8p30, 0.7854, 1.5708,    3.1416,    -745.2,
                                     709.8,  1e300};
  uint64_t r = scramble(index);
  double unit = (double)(int64_t)r * 0x1p-63;
  switch (scramble(r) % 10) {
  case 0: return from_bits(r);                                               /* anything, NaN too */
  case 1: return from_bits((r & ~UINT64_C(0xffff)) | UINT64_C(0x7ff) << 52); /* NaN and infinities */
  case 2: return special[r & 15];
  case 3: return from_bits((r >> 12) | (960 + r % 127) << 52); /* positive, about 2^-63 to 2^63 */
  case 4: return 750.0 * unit;
  case 5: return 0x1p20 * unit;
  case 6: return 4.0 * unit;
  case 7: return 0.5 + 0.5 * unit;
  default: return unit;
  }
}

static uint64_t hash_outputs(uint64_t digest, real x) {
  double output[SD_LANES];
  real_store(output, x);
  for (int lane = 0; lane < SD_LANES; lane++) {
    uint64_t b = UINT64_C(0x7ff8000000000000); /* which NaN an operation hands on is not promised */
    if (output[lane] == output[lane]) memcpy(&b, &output[lane], sizeof b);
    for (int byte = 0; byte < 64; byte += 8) digest = (digest ^ (b >> byte & 255)) * UINT64_C(0x100000001b3);
  }
  return digest;
}

static real load_samples(uint64_t first) {
  double input[SD_LANES];
  for (int lane = 0; lane < SD_LANES; lane++) input[lane] = sample(first + (uint64_t)lane);
  return real_load(input);
}

uint64_t DIGEST_NAME(SD_VARIANT)(void) {
  enum { OUTPUTS = 11 };
  uint64_t digest[OUTPUTS], all = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < OUTPUTS; i++) digest[i] = all;
  for (uint64_t first = 0; first < SAMPLES; first += SD_LANES) {
    real x = load_samples(first), y = load_samples(first + SAMPLES), sine, cosine;
    rotation_series rotation = real_rotation_series(x);
    real_sincos(x, &sine, &cosine);
    const real output[OUTPUTS] = {real_rsqrt(x), sine,           cosine,          rotation.sinc,
                                  rotation.cosc, rotation.sinc3, rotation.cosine, real_exp(x),
                                  real_log(x),   real_atan(x),   real_atan2(y, x)};
    for (int i = 0; i < OUTPUTS; i++) digest[i] = hash_outputs(digest[i], output[i]);
  }
  for (int i = 0; i < OUTPUTS; i++) all = (all ^ digest[i]) * UINT64_C(0x100000001b3);
  return all;
}
