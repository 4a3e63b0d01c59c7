/* elementary.h - elementary functions on `real`, the same bits in every lane of every variant.
 *
 * Written with real.h's correctly rounded operations only, because libm's results differ between machines.
 * Where some work is needed by few arguments it is skipped when no lane needs it, and always chosen lane by
 * lane, so that a lane's result never depends on its neighbours.  The errors stated are in units in the last
 * place (ulp) of the exact value, the worst met against MPFR and 80-bit libm in 2 to 120 million arguments of each;
 * tests/test_elementary.c repeats a part.  The constants come from tools/elementary_coefficients.py. */
#ifndef SD_ELEMENTARY_H
#define SD_ELEMENTARY_H

#include "real.h"

/* Added to a number up to 2^51 and taken away again it rounds to an integer, which the low bits then hold. */
#define INTEGER_SHIFT 6755399441055744.0 /* 1.5 2^52 */
#define INTEGER_SHIFT_BITS INT64_C(0x4338000000000000)

/* An unevaluated sum, low being at most about an ulp of high: carries a result past its last rounding. */
typedef struct {
  real high, low;
} real_pair;

FN real_pair real_pair_make(real high, real low) {
  real_pair pair = {high, low};
  return pair;
}
FN real_pair real_two_sum(real a, real b) { /* a + b exactly */
  real sum = a + b;
  real b_part = sum - a;
  return real_pair_make(sum, (a - (sum - b_part)) + (b - b_part));
}
FN real_pair real_quick_two_sum(real a, real b) { /* the same where |a| >= |b| or a == 0 */
  real sum = a + b;
  return real_pair_make(sum, (a - sum) + b);
}
FN real_pair real_two_product(real a, real b) { /* a b exactly */
  real product = a * b;
  return real_pair_make(product, real_fma(a, b, -product));
}
FN real real_pair_quotient(real_pair a, real_pair b) { /* a / b, one rounding and a little */
  real quotient = a.high / b.high;
  real remainder = real_fma(-quotient, b.high, a.high) + (a.low - quotient * b.low);
  return quotient + remainder / b.high;
}
FN real_pair real_pair_select(mask m, real_pair a, real_pair b) {
  return real_pair_make(real_select(m, a.high, b.high), real_select(m, a.low, b.low));
}
FN real_pair real_pair_flip(bits sign, real_pair a) { /* negates where sign has its top bit set, and only that */
  return real_pair_make(real_from_bits(real_bits(a.high) ^ sign), real_from_bits(real_bits(a.low) ^ sign));
}
FN real real_infinity(void) {
  return real_from_bits(real_bits(real_splat(0.0)) | INT64_C(0x7ff0000000000000));
}
FN real real_copy_sign(real size, real x) { /* size, which is not negative unless x is, with the sign of x */
  return real_from_bits(real_bits(size) | (real_bits(x) & INT64_MIN));
}
FN real polynomial_step(real s, real p, double c) { /* p s + c */
  return real_fma(p, s, real_splat(c));
}

/* 1/sqrt(x), x in [2^-1022, 2^1022]: at most 0.86 ulp.  NaN for 0, NaN and infinity; meaningless, finite or not,
 * for x negative (-0 included), subnormal or larger.
 * A guess from halving the exponent bits; a quadratic step, one fma because the guess is made 0.82 times too
 * small, which makes the leading coefficient 1; a step of order 4.  12 operations, 11 of them in line. */
FN real real_rsqrt(real x) {
  real y = real_from_bits(INT64_C(0x5fe2340000000000) - bits_shift_right(real_bits(x), 1));
  real w = real_fma(x, y * y, real_splat(-1.126687713353692));
  y = y * real_fma(w, w, real_splat(1.0131310213108486)); /* within 3.3e-5 */
  real e = real_fma(x, y * y, real_splat(-1.0));          /* rounding y y costs up to 0.35 ulp of the result */
  real t = polynomial_step(e, real_splat(-0.31250021810402945), 0.37500000080062884);
  t = polynomial_step(e, t, -0.4999999999999996);
  return real_fma(y * e, t, y);
}

/* The two series that everything trigonometric is made of, for 0 <= s <= 1 (even and odd powers apart, to
 * shorten the chain; the constant term added last, so that its rounding is the only one that counts):
 * (1 - cos t)/t^2 = 1/2 + s versine_tail(s) and (t - sin t)/t^3 = 1/6 + s sine_tail(s), s = t^2. */
FN real versine_tail(real s) {
  real square = s * s;
  real p = polynomial_step(s, real_splat(1.130590409105731e-11), -2.087452111252311e-09);
  p = real_fma(p, square, polynomial_step(s, real_splat(2.755730426351935e-07), -2.4801587250825854e-05));
  return real_fma(p, square, polynomial_step(s, real_splat(0.0013888888888809344), -0.04166666666666625));
}
FN real sine_tail(real s) {
  real square = s * s;
  real p = polynomial_step(s, real_splat(7.521858497151561e-13), -1.6056806297600622e-10);
  p = real_fma(p, square, polynomial_step(s, real_splat(2.5052088027553975e-08), -2.7557319124541425e-06));
  return real_fma(p, square, polynomial_step(s, real_splat(0.00019841269841019152), -0.008333333333333052));
}
FN real cosc_series(real s) {
  return polynomial_step(s, versine_tail(s), 0.5);
}
FN real sinc3_series(real s) {
  return polynomial_step(s, sine_tail(s), 0.16666666666666666);
}

/* t = quadrant pi/2 + rest, |rest| <= pi/4, for |t| <= 2^30; NaN above.  The low two bits of quadrant count.
 * Cody-Waite: pi/2 in three doubles; the first difference is exact, the second kept with its rounding. */
typedef struct {
  real_pair rest;
  bits quadrant;
} real_reduced;

FN real_reduced reduce_quadrant(real_pair t) {
  real high = real_select(real_at_most(real_abs(t.high), real_splat(1073741824.0)), t.high, real_nan());
  real shifted = polynomial_step(high, real_splat(0.6366197723675814), INTEGER_SHIFT);
  real n = shifted - INTEGER_SHIFT;
  real first = real_fma(n, real_splat(-1.5707963267948966), high);
  real_pair second = real_two_product(n, real_splat(-6.123233995736766e-17));
  real_pair sum = real_two_sum(first, second.high);
  real_pair rest = real_two_sum(sum.high, t.low);
  real low = rest.low + (sum.low + real_fma(n, real_splat(1.4973849048591698e-33), second.low));
  real_reduced reduced = {real_quick_two_sum(rest.high, low), real_bits(shifted)};
  return reduced;
}

/* sin and 1 - cos of r, |r| <= pi/4, both as pairs: r - r^3/6 and r^2/2 with their roundings, then the rest. */
FN void sine_versine(real_pair r, real_pair *sine, real_pair *versine) {
  real_pair z = real_two_product(r.high, r.high);
  real_pair cube = real_two_product(r.high, z.high);
  cube.low = real_fma(r.high, z.low, cube.low);
  real_pair sixth = real_two_product(cube.high, real_splat(0.16666666666666666));
  sixth.low = sixth.low + real_fma(cube.high, real_splat(9.25185853854297e-18), cube.low * 0.16666666666666666);
  real rest = real_fma(cube.high * z.high, -sine_tail(z.high), r.low * polynomial_step(z.high, real_splat(-0.5), 1.0));
  *sine = real_quick_two_sum(r.high, -sixth.high);
  sine->low = sine->low + (rest - sixth.low);
  rest = real_fma(sine->high, r.low, 0.5 * z.low);
  *versine = real_quick_two_sum(0.5 * z.high, real_fma(z.high * z.high, versine_tail(z.high), rest));
}

/* sin t, cos t and 1 - cos t as pairs, |t| <= 2^30. */
typedef struct {
  real_pair sine, cosine, versine;
} real_circular;

FN real_circular circular_pairs(real_pair t) {
  real_reduced r = reduce_quadrant(t);
  real_pair sine, versine;
  sine_versine(r.rest, &sine, &versine);
  real_pair cosine = real_quick_two_sum(real_splat(1.0), -versine.high);
  cosine.low = cosine.low - versine.low;
  mask swapped = (r.quadrant & 1) != 0;
  bits sine_sign = bits_shift_left(r.quadrant & 2, 62), cosine_sign = bits_shift_left((r.quadrant + 1) & 2, 62);
  real_circular result;
  result.sine = real_pair_flip(sine_sign, real_pair_select(swapped, cosine, sine));
  result.cosine = real_pair_flip(cosine_sign, real_pair_select(swapped, sine, cosine));
  real_pair difference = real_quick_two_sum(real_splat(1.0), -result.cosine.high);
  difference.low = difference.low - result.cosine.low;
  result.versine = real_pair_select((r.quadrant & 3) == 0, versine, difference); /* no cancellation near 2 pi k */
  return result;
}

/* sin x and cos x, |x| <= 2^30: at most 0.65 and 0.92 ulp.  sin x is x where x^3 is below its last bit; NaN for
 * larger x, so that an angle out of control cannot pass for a result.
 * Up to pi/4 the series alone; above, reduction by pi/2, with the remainder and the results as pairs. */
typedef struct {
  real sine, cosine;
} real_sine_cosine;

FN_RARE real_sine_cosine sincos_far(real x) {
  real_circular c = circular_pairs(real_pair_make(x, real_splat(0.0)));
  real_sine_cosine both = {c.sine.high + c.sine.low, c.cosine.high + c.cosine.low};
  return both;
}

FN void real_sincos(real x, real *sine, real *cosine) {
  real s = x * x;
  *sine = real_copy_sign(real_fma(x * s, -sinc3_series(s), x), x); /* has that sign already, but for -0 */
  *cosine = real_fma(s, -cosc_series(s), real_splat(1.0));
  mask small = real_at_most(real_abs(x), real_splat(0.7853981633974483));
  if (mask_any(mask_not(small))) {
    real_sine_cosine far = sincos_far(x);
    *sine = real_select(small, *sine, far.sine);
    *cosine = real_select(small, *cosine, far.cosine);
  }
}

/* The functions of a rotation by the angle t that are smooth at t = 0, of s = t^2, 0 <= s <= 2^60:
 * sinc = sin(t)/t, cosc = (1 - cos t)/t^2, sinc3 = (t - sin t)/t^3, cosine = cos t.
 * For s <= 1 at most 0.64, 0.73, 0.84 and 0.85 ulp, exactly 1, 1/2, 1/6 rounded and 1 at s = 0: the series alone,
 * sinc and cosine being one fma away from sinc3 and cosc; what is not used is not computed.
 * Above, at most 0.61, 0.73, 0.58 and 0.58 ulp, and besides what an angle off by 2^-104 t makes, which shows only
 * next to a zero: sqrt(s) as a pair, so that its rounding does not show in sin and cos.  NaN above 2^60;
 * not meant for s < 0, where the series go on but soon lose accuracy. */
typedef struct {
  real sinc, cosc, sinc3, cosine;
} rotation_series;

FN_RARE rotation_series rotation_series_far(real s) {
  real root = real_sqrt(s);
  real_pair t = {root, real_fma(-root, root, s) * (0.5 / root)};
  real_circular c = circular_pairs(t);
  real_pair arc = real_two_sum(root, -c.sine.high); /* t - sin t */
  arc.low = arc.low + (t.low - c.sine.low);
  real_pair cube = real_two_product(s, root);
  cube.low = real_fma(s, t.low, cube.low);
  rotation_series series = {real_pair_quotient(c.sine, t),
                            real_pair_quotient(c.versine, real_pair_make(s, real_splat(0.0))),
                            real_pair_quotient(arc, cube), c.cosine.high + c.cosine.low};
  return series;
}

FN rotation_series real_rotation_series(real s) {
  rotation_series r;
  r.cosc = cosc_series(s);
  r.sinc3 = sinc3_series(s);
  r.sinc = real_fma(s, -r.sinc3, real_splat(1.0));
  r.cosine = real_fma(s, -r.cosc, real_splat(1.0));
  mask near = real_at_most(s, real_splat(1.0));
  if (mask_any(mask_not(near))) {
    rotation_series far = rotation_series_far(s);
    r.sinc = real_select(near, r.sinc, far.sinc);
    r.cosc = real_select(near, r.cosc, far.cosc);
    r.sinc3 = real_select(near, r.sinc3, far.sinc3);
    r.cosine = real_select(near, r.cosine, far.cosine);
  }
  return r;
}

/* 2^n for n in [-1022, 1023]. */
FN real power_of_two(bits n) {
  return real_from_bits(bits_shift_left(n + 1023, 52));
}

/* e^x, every x: at most 0.77 ulp (0.68 where e^x is normal), underflowing gradually.
 * x = n ln 2 + r, |r| <= 0.347, the rounding of r kept; 1 + r is exact as a pair, the series of e^r - 1 - r
 * is added last; 2^n in two factors so that neither overflows nor underflows before the result does. */
FN real exp_series(real r) { /* (e^r - 1 - r)/r^2 */
  real p = polynomial_step(r, real_splat(2.4920997174697575e-08), 2.7625504158609584e-07);
  p = polynomial_step(r, p, 2.755783046923425e-06);
  p = polynomial_step(r, p, 2.4801507826631914e-05);
  p = polynomial_step(r, p, 0.00019841269242005925);
  p = polynomial_step(r, p, 0.0013888888927537021);
  p = polynomial_step(r, p, 0.008333333333610946);
  p = polynomial_step(r, p, 0.041666666666601924);
  p = polynomial_step(r, p, 0.16666666666666244);
  return polynomial_step(r, p, 0.5);
}
FN real real_exp(real x) {
  real bounded = real_max(real_min(x, real_splat(710.0)), real_splat(-746.0));
  real shifted = polynomial_step(bounded, real_splat(1.4426950408889634), INTEGER_SHIFT);
  real n = shifted - INTEGER_SHIFT;
  real first = real_fma(n, real_splat(-0.6931471805599453), bounded); /* exact */
  real r = real_fma(n, real_splat(-2.3190468138462996e-17), first);
  real r_low = real_fma(n, real_splat(-2.3190468138462996e-17), first - r);
  real_pair sum = real_quick_two_sum(real_splat(1.0), r);
  real result = sum.high + (sum.low + real_fma(r * r, exp_series(r), r_low));
  bits whole = real_bits(shifted) - INTEGER_SHIFT_BITS;
  bits half = bits_shift_right(whole + 4096, 1) - 2048;
  return real_select(x == x, (result * power_of_two(half)) * power_of_two(whole - half), x);
}

/* The natural logarithm of x, every positive x, subnormals too: at most 0.56 ulp.  -infinity at 0, NaN below.
 * x = 2^k m, sqrt(1/2) <= m < sqrt 2; log m = 2 atanh s, s = (m - 1)/(m + 1) as a pair; k ln 2 with the high
 * part of ln 2 short enough for the product to be exact. */
FN real log_series(real z) { /* (2 atanh(s)/s - 2)/s^2, z = s^2 */
  real p = polynomial_step(z, real_splat(0.14797464964876322), 0.15313886675602248);
  p = polynomial_step(z, p, 0.1818357136433957);
  p = polynomial_step(z, p, 0.22222198421269884);
  p = polynomial_step(z, p, 0.28571428744097693);
  p = polynomial_step(z, p, 0.3999999999940539);
  return polynomial_step(z, p, 0.6666666666666736);
}
FN real real_log(real x) {
  real infinite = real_infinity();
  mask regular = real_less(real_splat(0.0), x) & real_less(x, infinite);
  mask subnormal = real_less(x, real_splat(0x1p-1022));
  real y = real_select(regular, real_select(subnormal, x * 0x1p54, x), real_splat(1.0));
  bits b = real_bits(y) + (INT64_C(0x3ff0000000000000) - INT64_C(0x3fe6a09e667f3bcd));
  real m = real_from_bits((b & INT64_C(0x000fffffffffffff)) + INT64_C(0x3fe6a09e667f3bcd));
  real k = real_from_bits(bits_shift_right(b, 52) | INT64_C(0x4330000000000000)) - (0x1p52 + 1023.0);
  k = real_select(subnormal, k - 54.0, k);
  real f = m - 1.0; /* exact */
  real_pair below = real_quick_two_sum(real_splat(2.0), f);
  real reciprocal = 1.0 / below.high;
  real s = f * reciprocal;
  real s_low = (real_fma(-s, below.high, f) - s * below.low) * reciprocal;
  real z = s * s;
  real tail = real_fma(s * z, log_series(z), 2.0 * s_low);
  real_pair sum = real_quick_two_sum(k * 0.6931471803691238, 2.0 * s);
  real result = sum.high + (sum.low + real_fma(k, real_splat(1.9082149292705877e-10), tail));
  real special = real_select(x == 0.0, -infinite, real_select(x == infinite, x, real_nan()));
  return real_select(regular, result, special);
}

/* The angle in [0, pi] of a direction: atan(b/a), 0 <= b <= a, a > 0, taken from pi/2 where swapped, then from
 * pi where behind.  Above tan(pi/8), atan(b/a) = pi/4 + atan((b - a)/(b + a)); the quotient and the multiple of
 * pi/4 as pairs, so that only the last sum rounds. */
FN real atan_series(real z) { /* (atan(u)/u - 1)/u^2, z = u^2 */
  real p = polynomial_step(z, real_splat(-0.01788158522024492), 0.0380395578946166);
  p = polynomial_step(z, p, -0.05038248610983855);
  p = polynomial_step(z, p, 0.05847636448659006);
  p = polynomial_step(z, p, -0.06663066313375605);
  p = polynomial_step(z, p, 0.07692056580140254);
  p = polynomial_step(z, p, -0.0909089753161809);
  p = polynomial_step(z, p, 0.11111110774634206);
  p = polynomial_step(z, p, -0.14285714279994297);
  p = polynomial_step(z, p, 0.1999999999995121);
  return polynomial_step(z, p, -0.33333333333333187);
}
FN real arc_of_ratio(real b, real a, mask swapped, mask behind) {
  real zero = real_splat(0.0);
  mask steep = real_less(a * 0.41421356237309503, b);
  real_pair above = real_quick_two_sum(real_select(steep, -a, zero), b);
  real_pair below = real_quick_two_sum(a, real_select(steep, b, zero));
  real u = above.high / below.high;
  real u_low = (real_fma(-u, below.high, above.high) + (above.low - u * below.low)) / below.high;
  real z = u * u;
  real tail = real_fma(u * z, atan_series(z), real_fma(-z, u_low, u_low)); /* atan' is 1 - z and a little */
  real octants = real_select(steep, real_splat(1.0), zero);
  octants = real_select(swapped, 2.0 - octants, octants);
  octants = real_select(behind, 4.0 - octants, octants);
  mask negated = swapped ^ behind;
  real_pair base = real_two_product(octants, real_splat(0.7853981633974483));
  base.low = real_fma(octants, real_splat(3.061616997868383e-17), base.low);
  real_pair sum = real_quick_two_sum(base.high, real_select(negated, -u, u));
  return sum.high + (sum.low + (base.low + real_select(negated, -tail, tail)));
}

/* atan x, every x: at most 0.64 ulp.  x itself where x^3 is below its last bit. */
FN real real_atan(real x) {
  real one = real_splat(1.0);
  real size = real_min(real_abs(x), real_splat(0x1p60)); /* atan is pi/2 to the last bit long before */
  real arc = arc_of_ratio(real_min(size, one), real_max(size, one), real_less(one, size), mask_none());
  return real_select(x == x, real_copy_sign(arc, x), x);
}

/* The angle of (x, y) in [-pi, pi], every x and y: at most 0.75 ulp (0.64 where y/x is not about to underflow);
 * zeros and infinities as C's atan2 has them.
 * Scaled away from overflow and from remainders that underflow; then the shorter side over the longer. */
FN real real_atan2(real y, real x) {
  real one = real_splat(1.0), zero = real_splat(0.0), infinite = real_infinity();
  real across = real_abs(y), along = real_abs(x);
  real a = real_max(across, along), b = real_min(across, along);
  mask endless = a == infinite;
  b = real_select(endless, real_select(b == infinite, one, zero), b);
  a = real_select(endless | (a == 0.0), one, a);
  real scale = real_select(real_less(real_splat(0x1p1000), a), real_splat(0x1p-600), one);
  scale = real_select(real_less(a, real_splat(0x1p-900)), real_splat(0x1p500), scale);
  real arc = arc_of_ratio(b * scale, a * scale, real_less(along, across), real_bits(x) < 0);
  return real_select((x == x) & (y == y), real_copy_sign(arc, y), real_nan());
}

/* The rotation vector of a unit quaternion (w, v) with w >= 0 is v times this: 2 atan2(|v|, w)/|v|, of z = |v|^2.
 * Up to 60 degrees, z <= 1/4, the series of asin alone, at most 0.6 ulp; above by atan2. */
FN real asin_series(real z) { /* (asin(u)/u - 1)/u^2, z = u^2 */
  real p = polynomial_step(z, real_splat(0.031810453403294824), -0.01607383790383481);
  p = polynomial_step(z, p, 0.01943131839174411);
  p = polynomial_step(z, p, 0.006563739590418124);
  p = polynomial_step(z, p, 0.012160885731621687);
  p = polynomial_step(z, p, 0.013886506972986382);
  p = polynomial_step(z, p, 0.017359576505477373);
  p = polynomial_step(z, p, 0.022371766438304318);
  p = polynomial_step(z, p, 0.030381958797878136);
  p = polynomial_step(z, p, 0.044642856836047275);
  p = polynomial_step(z, p, 0.0750000000032883);
  return polynomial_step(z, p, 0.16666666666665433);
}
FN_RARE real angle_over_sine_far(real z, real w) {
  real sine = real_sqrt(z);
  return 2.0 * (real_atan2(sine, w) / sine);
}
FN real real_angle_over_sine(real z, real w) {
  real factor = 2.0 * real_fma(z, asin_series(z), real_splat(1.0));
  mask near = real_at_most(z, real_splat(0.25));
  if (mask_any(mask_not(near))) factor = real_select(near, factor, angle_over_sine_far(z, w));
  return factor;
}

#endif
