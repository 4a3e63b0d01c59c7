/* real.h - the arithmetic every kernel is written in.
 *
 * The only file that knows the compiler, the scalar type and the number of lanes.  `real` is one double
 * (SD_LANES == 1: the scalar reference, and every CUDA thread) or a vector of SD_LANES doubles, one body
 * per lane; a kernel written with it is compiled once per variant and gives every lane the same bits.
 *
 * That holds because only correctly rounded operations are used: + - * /, real_fma, real_sqrt.  Contraction
 * must be off (-ffp-contract=off); where one rounding is wanted, real_fma says so.  There is no `if` on a
 * real: comparisons give a `mask`, real_select chooses lane by lane, mask_any asks whether work remains. */
#ifndef SD_REAL_H
#define SD_REAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Lanes: SD_LANES if the build gives it (1 for scalar), otherwise SD_GROUPS hardware registers.  Two registers hide
 * the latency of one another's arithmetic; what does not gain by that defines SD_NARROW. */
#if !defined(SD_LANES) && defined(__AVX512F__)
#define NATIVE_LANES 8
#elif !defined(SD_LANES) && defined(__AVX2__) && defined(__FMA__)
#define NATIVE_LANES 4
#elif !defined(SD_LANES) && defined(__aarch64__)
#define NATIVE_LANES 2
#elif !defined(SD_LANES)
#define SD_LANES 1
#endif
#if !defined(SD_LANES) && defined(SD_NARROW)
#define SD_LANES NATIVE_LANES
#elif !defined(SD_LANES)
#define SD_LANES (NATIVE_LANES * SD_GROUPS)
#endif

#if defined(__FAST_MATH__)
#error "spindrift's kernels must not be compiled with -ffast-math: results would differ between machines"
#endif

#if defined(__CUDACC__)
#define FN static __device__ __forceinline__
#else
#define FN static inline __attribute__((always_inline, unused))
#endif

/* For work that few lanes ever need: out of line, so that it takes no registers from the loops around it, and so
 * that no compiler turns the branch to it into work for every lane. */
#if defined(__CUDACC__)
#define FN_RARE FN /* a diverging warp skips it anyway, and a call would put its arguments into memory */
#else
#define FN_RARE static __attribute__((noinline, cold, unused))
#endif

/* Flags that many threads raise. */
FN uint32_t flags_now(const uint32_t *flags) {
#if defined(__CUDACC__)
  return *(const volatile uint32_t *)flags;
#else
  return __atomic_load_n(flags, __ATOMIC_RELAXED);
#endif
}
FN void flags_raise(uint32_t *flags, uint32_t flag) {
#if defined(__CUDACC__)
  atomicOr(flags, flag);
#else
  __atomic_fetch_or(flags, flag, __ATOMIC_RELAXED);
#endif
}

/* What a compiler may take for granted: a kernel that leaves out what is then not needed has its registers for the
 * rest.
 */
#if defined(__CUDACC__)
#define ASSUME(condition) __builtin_assume(condition)
#else
#define ASSUME(condition) (void)0
#endif

/* For long work that is done now and then: a call on a device too, where it would take the loops' registers. */
#if defined(__CUDACC__)
#define FN_APART static __device__ __noinline__
#else
#define FN_APART FN_RARE
#endif

#if SD_LANES == 1

typedef double real;
typedef int64_t bits; /* the 64 bits of a double, for exponent arithmetic */
typedef int mask;

FN real real_splat(double x) {
  return x;
}
FN real real_load(const double *from) {
  return *from;
}
FN void real_store(double *to, real x) {
  *to = x;
}
FN real real_fma(real a, real b, real c) {
#if defined(SD_PLAIN_FMA) /* a build for tests/ptx/check_ptx alone: an fma that is left is the compiler's own doing */
  return a * b + c;
#elif defined(__CUDACC__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}
FN real real_fnma(real a, real b, real c) { /* c - a b */
  return real_fma(-a, b, c);
}
FN real real_fms(real a, real b, real c) { /* a b - c */
  return real_fma(a, b, -c);
}
FN real real_sqrt(real x) {
#if defined(__CUDACC__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}
FN bits real_bits(real x) {
  bits b;
  memcpy(&b, &x, sizeof b);
  return b;
}
FN real real_from_bits(bits b) {
  real x;
  memcpy(&x, &b, sizeof x);
  return x;
}
FN bits bits_shift_right(bits b, int n) { /* logical */
  return (bits)((uint64_t)b >> n);
}
FN bits bits_shift_left(bits b, int n) {
  return (bits)((uint64_t)b << n);
}
FN mask mask_all_set(void) {
  return 1;
}
FN mask mask_not(mask m) {
  return !m;
}
FN int mask_any(mask m) {
  return m;
}
FN real real_select(mask m, real a, real b) {
  return m ? a : b;
}

#else /* SD_LANES > 1: GCC/Clang vectors */

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* fma with its signs, sqrt and mask_any by intrinsics, on as many native registers as the lanes fill: gcc would split a
 * per-lane __builtin_fma loop into scalar instructions. */
#undef NATIVE_LANES
#if defined(__AVX512F__)
#define NATIVE_LANES 8
typedef __m512d native;
#define native_fma(a, b, c) _mm512_fmadd_pd(a, b, c)
#define native_fnma(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define native_fms(a, b, c) _mm512_fmsub_pd(a, b, c)
#define native_sqrt(a) _mm512_sqrt_pd(a)
#define native_or(a, b) _mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(a), _mm512_castpd_si512(b)))
#define native_any(a) (_mm512_test_epi64_mask(_mm512_castpd_si512(a), _mm512_castpd_si512(a)) != 0)
#elif defined(__AVX2__) && defined(__FMA__)
#define NATIVE_LANES 4
typedef __m256d native;
#define native_fma(a, b, c) _mm256_fmadd_pd(a, b, c)
#define native_fnma(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define native_fms(a, b, c) _mm256_fmsub_pd(a, b, c)
#define native_sqrt(a) _mm256_sqrt_pd(a)
#define native_or(a, b) _mm256_or_pd(a, b)
#define native_any(a) (_mm256_movemask_pd(a) != 0)
#elif defined(__aarch64__)
#define NATIVE_LANES 2
typedef float64x2_t native;
#define native_fma(a, b, c) vfmaq_f64(c, a, b)
#define native_fnma(a, b, c) vfmsq_f64(c, a, b)
#define native_fms(a, b, c) vfmaq_f64(vnegq_f64(c), a, b)
#define native_sqrt(a) vsqrtq_f64(a)
#define native_or(a, b) vreinterpretq_f64_u64(vorrq_u64(vreinterpretq_u64_f64(a), vreinterpretq_u64_f64(b)))
#define native_any(a) (vmaxvq_u32(vreinterpretq_u32_f64(a)) != 0)
#endif

/* `packed` are the lanes that the compiler is given as one vector: all of them, in C.  clang splits a vector of several
 * registers' width; gcc would keep it in memory, but takes a struct of registers apart.  So it has the lanes in halves
 * of halves, down to one register each (kernels/wide.c), and compiles this as C++, for the operators. */
#if defined(__cplusplus)
#define PACKED_LANES NATIVE_LANES
#else
#define PACKED_LANES SD_LANES
#endif
typedef double packed __attribute__((vector_size(8 * PACKED_LANES)));
typedef int64_t packed_bits __attribute__((vector_size(8 * PACKED_LANES)));
typedef uint64_t unsigned_bits __attribute__((vector_size(8 * PACKED_LANES)));
#if !defined(__cplusplus)
typedef packed real;
typedef packed_bits bits;
typedef bits mask; /* all ones in the lanes that hold */
#endif

#if defined(NATIVE_LANES) && PACKED_LANES == NATIVE_LANES
FN packed real_fma(packed a, packed b, packed c) {
  return (packed)native_fma((native)a, (native)b, (native)c);
}
FN packed real_fnma(packed a, packed b, packed c) { /* c - a b */
  return (packed)native_fnma((native)a, (native)b, (native)c);
}
FN packed real_fms(packed a, packed b, packed c) { /* a b - c */
  return (packed)native_fms((native)a, (native)b, (native)c);
}
FN packed real_sqrt(packed x) {
  return (packed)native_sqrt((native)x);
}
FN int mask_any(packed_bits m) {
  return native_any((native)m);
}
#elif defined(NATIVE_LANES)
#define NATIVE_PARTS (SD_LANES / NATIVE_LANES)
typedef union {
  real whole;
  mask where;
  native part[NATIVE_PARTS];
} split_real;
FN real real_fma(real a, real b, real c) {
  split_real x = {.whole = a}, y = {.whole = b}, z = {.whole = c};
  for (int i = 0; i < NATIVE_PARTS; i++) z.part[i] = native_fma(x.part[i], y.part[i], z.part[i]);
  return z.whole;
}
FN real real_fnma(real a, real b, real c) { /* c - a b */
  split_real x = {.whole = a}, y = {.whole = b}, z = {.whole = c};
  for (int i = 0; i < NATIVE_PARTS; i++) z.part[i] = native_fnma(x.part[i], y.part[i], z.part[i]);
  return z.whole;
}
FN real real_fms(real a, real b, real c) { /* a b - c */
  split_real x = {.whole = a}, y = {.whole = b}, z = {.whole = c};
  for (int i = 0; i < NATIVE_PARTS; i++) z.part[i] = native_fms(x.part[i], y.part[i], z.part[i]);
  return z.whole;
}
FN real real_sqrt(real a) {
  split_real x = {.whole = a};
  for (int i = 0; i < NATIVE_PARTS; i++) x.part[i] = native_sqrt(x.part[i]);
  return x.whole;
}
FN int mask_any(mask m) {
  split_real x = {.where = m};
  native any = x.part[0];
  for (int i = 1; i < NATIVE_PARTS; i++) any = native_or(any, x.part[i]);
  return native_any(any);
}
#else /* any other machine: the compiler lowers the lanes as it can */
FN real real_fma(real a, real b, real c) {
  real r;
  for (int i = 0; i < SD_LANES; i++) r[i] = __builtin_fma(a[i], b[i], c[i]);
  return r;
}
FN real real_fnma(real a, real b, real c) { /* c - a b */
  return real_fma(-a, b, c);
}
FN real real_fms(real a, real b, real c) { /* a b - c */
  return real_fma(a, b, -c);
}
FN real real_sqrt(real x) {
  real r;
  for (int i = 0; i < SD_LANES; i++) r[i] = __builtin_sqrt(x[i]);
  return r;
}
FN int mask_any(mask m) {
  int64_t any = 0;
  for (int i = 0; i < SD_LANES; i++) any |= m[i];
  return any != 0;
}
#endif

FN packed_bits real_bits(packed x) {
  return (packed_bits)x;
}
FN packed real_from_bits(packed_bits b) {
  return (packed)b;
}
FN packed_bits bits_shift_right(packed_bits b, int n) { /* logical */
  return (packed_bits)((unsigned_bits)b >> n);
}
FN packed_bits bits_shift_left(packed_bits b, int n) {
  return (packed_bits)((unsigned_bits)b << n);
}
FN packed real_select(packed_bits m, packed a, packed b) {
  return (packed)((m & (packed_bits)a) | (~m & (packed_bits)b));
}

#if defined(__cplusplus)
template <typename half> struct whole { half low, high; };
template <typename half> FN whole<half> whole_of(half low, half high) {
  return {low, high};
}
#define OPERATOR(op)                                                                 \
  template <typename a, typename b> FN auto operator op(whole<a> x, whole<b> y) {    \
    return whole_of(x.low op y.low, x.high op y.high);                               \
  }                                                                                  \
  template <typename a, typename scalar> FN auto operator op(whole<a> x, scalar y) { \
    return whole_of(x.low op y, x.high op y);                                        \
  }                                                                                  \
  template <typename scalar, typename b> FN auto operator op(scalar x, whole<b> y) { \
    return whole_of(x op y.low, x op y.high);                                        \
  }
#define SIGN(op)                                                \
  template <typename half> FN auto operator op(whole<half> x) { \
    return whole_of(op x.low, op x.high);                       \
  }
#define SHIFT(name)                                             \
  template <typename half> FN auto name(whole<half> b, int n) { \
    return whole_of(name(b.low, n), name(b.high, n));           \
  }
#define FUNCTION(name)                                              \
  template <typename... halves> FN auto name(whole<halves>... of) { \
    return whole_of(name(of.low...), name(of.high...));             \
  }
#define OPERATORS \
  OPERATOR(+)     \
  OPERATOR(-)     \
  OPERATOR(*)     \
  OPERATOR(/)     \
  OPERATOR(<)     \
  OPERATOR(<=) OPERATOR(>) OPERATOR(>=) OPERATOR(==) OPERATOR(!=) OPERATOR(&) OPERATOR(|) OPERATOR(^) SIGN(-) SIGN(~)
#define FUNCTIONS     \
  FUNCTION(real_fma)  \
  FUNCTION(real_fnma) \
  FUNCTION(real_fms)  \
  FUNCTION(real_sqrt) \
  FUNCTION(real_bits) FUNCTION(real_from_bits) FUNCTION(real_select) SHIFT(bits_shift_right) SHIFT(bits_shift_left)

OPERATORS
FUNCTIONS

template <typename half> FN int mask_any(whole<half> m) {
  return mask_any(m.low | m.high);
}

#if SD_GROUPS == 2
typedef whole<packed> real;
typedef whole<packed_bits> bits;
#elif SD_GROUPS == 4
typedef whole<whole<packed>> real;
typedef whole<whole<packed_bits>> bits;
#endif
typedef bits mask;
#define ZERO \
  {}
#else
#define ZERO \
  { 0 }
#endif

FN real real_splat(double x) {
  real zero = ZERO;
  return zero + x;
}
FN real real_load(const double *from) {
  real x;
  memcpy(&x, from, sizeof x);
  return x;
}
FN void real_store(double *to, real x) {
  memcpy(to, &x, sizeof x);
}
FN mask mask_all_set(void) {
  mask zero = ZERO;
  return ~zero;
}
FN mask mask_not(mask m) {
  return ~m;
}

#endif

/* What is there is wanted soon. */
FN void prefetch(const void *at) {
#if defined(__CUDACC__)
  (void)at; /* other threads work while one waits */
#else
  __builtin_prefetch(at);
#endif
}

/* from[index] of every lane. */
FN real real_gather(const double *from, const uint32_t *index) {
#if SD_LANES == 1
  return from[*index];
#else
  double lanes[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) lanes[i] = from[index[i]];
  return real_load(lanes);
#endif
}

FN mask mask_none(void) {
  return mask_not(mask_all_set());
}
FN int mask_every(mask m) {
  return !mask_any(mask_not(m));
}
FN mask real_less(real a, real b) {
  return a < b;
}
FN mask real_at_most(real a, real b) {
  return a <= b;
}
#if defined(__CUDACC__)
/* Written out: of a comparison and a choice nvcc makes max.f64 or min.f64 where b is a constant, and to those -0 is
 * less than 0, which it is not to the processors. */
FN real real_max(real a, real b) {
  real larger;
  asm("{ .reg .pred more; setp.gt.f64 more, %1, %2; selp.f64 %0, %1, %2, more; }" : "=d"(larger) : "d"(a), "d"(b));
  return larger;
}
FN real real_min(real a, real b) {
  real smaller;
  asm("{ .reg .pred less; setp.lt.f64 less, %1, %2; selp.f64 %0, %1, %2, less; }" : "=d"(smaller) : "d"(a), "d"(b));
  return smaller;
}
#else
FN real real_max(real a, real b) { /* b where the two do not compare: for bounds, not for defects */
  return real_select(a > b, a, b);
}
FN real real_min(real a, real b) {
  return real_select(a < b, a, b);
}
#endif
FN real real_worst(real a, real b) { /* the larger, and NaN where either is NaN: what cannot be told is not good */
  return real_select(a == a, real_max(a, b), a);
}
FN real real_abs(real x) {
  return real_from_bits(real_bits(x) & INT64_C(0x7fffffffffffffff));
}
FN mask real_finite(real x) {
  return x - x == 0.0;
}

FN real real_nan(void) {
  return real_from_bits(real_bits(real_splat(0.0)) | INT64_C(0x7ff8000000000000));
}
FN real real_one_nan(real x) { /* a NaN's sign and payload differ between machines: stored ones are all the same */
  return real_select(x == x, x, real_nan());
}

/* a b - c d and a b + c d with one product exact: the cancellation-prone pairs of cross products. */
FN real real_diff_of_products(real a, real b, real c, real d) {
  return real_fms(a, b, c * d);
}
FN real real_sum_of_products(real a, real b, real c, real d) {
  return real_fma(a, b, c * d);
}

#endif
