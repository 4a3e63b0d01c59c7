/* elliptic.h - Jacobi's elliptic functions sn, cn, dn on `real`, the same bits in every lane of every variant.
 *
 * All three at u follow without a root from one Weierstrass function and its derivative at u/2.  With
 * X = u^2/4, Y = m X, N = X / sn(u/2)^2 and M = X^(3/2) cn dn / sn^3 (u/2):
 *
 *   sn u = u M / R,  1 - cn u = 2 X (N - Y) / R,  1 - dn u = 2 Y (N - X) / R,  R = N^2 - X Y
 *   N = 1 + (X + Y)/3 + c2 + c3 + ...,  M = 1 - c2 - 2 c3 - 3 c4 - ...,  c2 = (X^2 - X Y + Y^2)/15,
 *   c3 = (X + Y)(2 X - Y)(X - 2 Y)/189,  c4 = c2^2/3,  c5 = 3 c2 c3/11
 *
 * ck is homogeneous of degree k, so at a fraction f of the time it is f^(2k) times as large.  X and Y may change
 * places, with cn and dn: m > 1 is as good as m < 1, and m = 0 or X = Y = 0 are not special.
 *
 * NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov, 22.6(ii), 23.6(i) and 23.9. */
#ifndef SD_ELLIPTIC_H
#define SD_ELLIPTIC_H

#include "elementary.h"

/* The series for X, Y <= JACOBI_NEAR; up to there what is left out is below 2^-56. */
#define JACOBI_NEAR 0.00625

typedef struct {
  real X, Y, first, c2, c3, c4, c5; /* first = (X + Y)/3 */
} jacobi_series;

/* R, R sn(u)/u, R (1 - cn u), R (1 - dn u): undivided, as who uses them has something to divide by anyway. */
typedef struct {
  real R, sine, versine, delta;
} jacobi_parts;

FN jacobi_series jacobi_series_of(real X, real Y) {
  real sum = X + Y, product = X * Y;
  jacobi_series s;
  s.X = X;
  s.Y = Y;
  s.first = sum * (1.0 / 3.0);
  s.c2 = real_fma(sum, sum, -3.0 * product) * (1.0 / 15.0);
  s.c3 = sum * real_fms(sum * 2.0, sum, 9.0 * product) * (1.0 / 189.0);
  s.c4 = s.c2 * s.c2 * (1.0 / 3.0);
  s.c5 = s.c2 * s.c3 * (3.0 / 11.0);
  return s;
}
FN jacobi_parts jacobi_parts_of(real X, real Y, real N, real M) {
  jacobi_parts parts = {real_fnma(X, Y, N * N), M, 2.0 * X * (N - Y), 2.0 * Y * (N - X)};
  return parts;
}
FN jacobi_parts jacobi_whole(const jacobi_series *s) { /* at u */
  real N = 1.0 + (s->first + (s->c2 + (s->c3 + (s->c4 + s->c5))));
  real M = 1.0 - real_fma(real_splat(2), s->c3, real_fma(real_splat(3), s->c4, real_fma(real_splat(4), s->c5, s->c2)));
  return jacobi_parts_of(s->X, s->Y, N, M);
}
FN jacobi_parts jacobi_within(const jacobi_series *s, double f) { /* at f u, without c5: relative error 2^-46 */
  real z = real_splat(f * f), N = real_fma(z, s->c4, s->c3), M = real_fma(3.0 * z, s->c4, 2.0 * s->c3);
  N = real_fma(z, real_fma(z, real_fma(z, N, s->c2), s->first), real_splat(1));
  M = real_fnma(z * z, real_fma(z, M, s->c2), real_splat(1));
  return jacobi_parts_of(z * s->X, z * s->Y, N, M);
}

typedef struct {
  real sn, cn, dn;
} jacobi_functions;

/* From u to 2 u.  With m1 = 1 - m and dn^2 = cn^2 + m1 sn^2 nothing cancels but where cn 2u itself passes through 0.
 * The smaller of sn and cn is kept and the other follows from it, so that errors grow with u and no faster. */
FN jacobi_functions jacobi_doubled(jacobi_functions f, real m, real m1) {
  real s2 = f.sn * f.sn, c2 = f.cn * f.cn, below = real_fma(c2, s2, real_fma(m1 * s2, s2, c2));
  real sine = 2.0 * f.sn * (f.cn * f.dn) / below, cosine = real_fms(c2, c2, m1 * (s2 * s2)) / below;
  mask shallow = real_at_most(sine * sine, real_splat(0.5));
  real kept = real_select(shallow, sine, cosine), other = real_sqrt(real_fnma(kept, kept, real_splat(1)));
  f.sn = real_select(shallow, sine, real_copy_sign(other, sine));
  f.cn = real_select(shallow, real_copy_sign(other, cosine), cosine);
  f.dn = real_sqrt(real_fma(m * f.cn, f.cn, m1));
  return f;
}

/* sn, cn, dn of u and parameter m = k^2, 0 <= m <= 1, |u| <= 4096; NaN for larger u.  Absolute errors at most
 * 2^-53 (2 + 12 |u|); sn is u where u^3 is below its last bit.  Halved until near, then doubled as often. */
FN void jacobi(real u, real m, real *sn, real *cn, real *dn) {
  const real nearest = real_splat(2.0 * 0.0790569415042094833); /* 2 sqrt(JACOBI_NEAR) */
  real t = real_select(real_at_most(real_abs(u), real_splat(4096)), u, real_nan()), doublings = real_splat(0);
  mask far = real_less(nearest, real_abs(t));
  while (mask_any(far)) {
    t = real_select(far, 0.5 * t, t);
    doublings = real_select(far, doublings + 1.0, doublings);
    far = real_less(nearest, real_abs(t));
  }
  real X = 0.25 * (t * t);
  jacobi_series series = jacobi_series_of(X, m * X);
  jacobi_parts p = jacobi_whole(&series);
  real inverse = 1.0 / p.R;
  jacobi_functions f = {t * (p.sine * inverse), real_fnma(p.versine, inverse, real_splat(1)),
                        real_fnma(p.delta, inverse, real_splat(1))};
  for (;;) { /* dn that small is of m = 1, where cn and dn are 0 from there on */
    mask wanted = real_less(real_splat(0), doublings) & real_less(real_splat(0x1p-400), f.dn);
    if (!mask_any(wanted)) break;
    jacobi_functions twice = jacobi_doubled(f, m, 1.0 - m);
    f.sn = real_select(wanted, twice.sn, f.sn);
    f.cn = real_select(wanted, twice.cn, f.cn);
    f.dn = real_select(wanted, twice.dn, f.dn);
    doublings = doublings - 1.0;
  }
  *sn = f.sn;
  *cn = f.cn;
  *dn = f.dn;
}

#endif
