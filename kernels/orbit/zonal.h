/* zonal.h - the zonal harmonics of a centre that is flattened about its pole k:
 *
 *   V = sum_n a_n P_n(u) / r^(n+1),   u = q.k/r,   a_n = m mu J_n R^n,   n = 2 .. 6
 *
 * With e = q/r and P'_(n+1) = u P'_n + (n+1) P_n, P''_(n+1) = u P''_n + (n+2) P'_n the derivatives need no more than
 * Legendre's polynomials themselves:
 *
 *   -dV/dq   = sum a_n (P'_(n+1) e - P'_n k) / r^(n+2)
 *   d2V/dq2  = sum a_n (P''_(n+2) e e^T - P''_(n+1) (e k^T + k e^T) + P''_n k k^T - P'_(n+1) I) / r^(n+3) */
#ifndef SD_ORBIT_ZONAL_H
#define SD_ORBIT_ZONAL_H

#include "../elementary.h"
#include "../vec3.h"
#include "often.h"

enum { ZONAL_FIRST = 2, ZONAL_LAST = 6, ZONAL_TERMS = ZONAL_LAST - ZONAL_FIRST + 1 };

typedef struct {
  real a[ZONAL_TERMS];
  vec3 pole; /* of length 1 */
} zonal_field;

typedef struct {
  real value, slope, bend; /* P_n, P'_n, P''_n */
} legendre;

FN legendre legendre_next(legendre before, legendre now, real u, int n) { /* P_(n+1) of P_(n-1) and P_n */
  legendre next = {((2.0 * n + 1) / (n + 1)) * (u * now.value) - ((double)n / (n + 1)) * before.value,
                   real_fma(u, now.slope, (n + 1.0) * now.value), real_fma(u, now.bend, (n + 2.0) * now.slope)};
  return next;
}

/* P_n, P_(n+1) and P_(n+2) as n goes up, and where they are taken. */
typedef struct {
  vec3 e;
  real u, inverse, power; /* 1/r; 1/r^(n+1) */
  legendre p[3];
} zonal_place;

FN zonal_place zonal_begin(const zonal_field *z, vec3 q, real inverse) {
  zonal_place at;
  real one = real_splat(1), zero = real_splat(0);
  at.inverse = inverse;
  at.e = vec3_scale(at.inverse, q);
  at.u = vec3_dot(at.e, z->pole);
  legendre first = {one, zero, zero}, second = {at.u, one, zero};
  at.p[0] = legendre_next(first, second, at.u, 1);
  at.p[1] = legendre_next(second, at.p[0], at.u, 2);
  at.p[2] = legendre_next(at.p[0], at.p[1], at.u, 3);
  at.power = at.inverse * (at.inverse * at.inverse);
  return at;
}
FN void zonal_go_on(zonal_place *at, int n) { /* from n to n + 1 */
  legendre next = legendre_next(at->p[1], at->p[2], at->u, n + 2);
  at->p[0] = at->p[1];
  at->p[1] = at->p[2];
  at->p[2] = next;
  at->power = at->power * at->inverse;
}

FN_APART real zonal_potential(const zonal_field *z, int degree, vec3 q) {
  zonal_place at = zonal_begin(z, q, real_rsqrt(vec3_norm2(q)));
  real sum = real_splat(0);
  for (int n = ZONAL_FIRST; n <= degree; n++) {
    sum = real_fma(z->a[n - ZONAL_FIRST] * at.power, at.p[0].value, sum);
    zonal_go_on(&at, n);
  }
  return sum;
}
/* With the inverse of |q|, which the centre's force has found already.  What comes after the last term is not
 * computed. */
FN_OFTEN vec3 zonal_force(const zonal_field *z, int degree, vec3 q, real inverse) {
  zonal_place at = zonal_begin(z, q, inverse);
  real outward = real_splat(0), poleward = outward;
  for (int n = ZONAL_FIRST;; n++) {
    real size = z->a[n - ZONAL_FIRST] * (at.power * at.inverse);
    outward = real_fma(size, at.p[1].slope, outward);
    poleward = real_fma(size, at.p[0].slope, poleward);
    if (n >= degree) break;
    zonal_go_on(&at, n);
  }
  return vec3_axmy(poleward, z->pole, vec3_scale(outward, at.e));
}
FN_APART mat3 zonal_force_derivative(const zonal_field *z, int degree, vec3 q) {
  zonal_place at = zonal_begin(z, q, real_rsqrt(vec3_norm2(q)));
  real ee = real_splat(0), ek = ee, kk = ee, unit = ee;
  for (int n = ZONAL_FIRST; n <= degree; n++) {
    real size = z->a[n - ZONAL_FIRST] * (at.power * (at.inverse * at.inverse));
    ee = real_fma(size, at.p[2].bend, ee);
    ek = real_fma(size, at.p[1].bend, ek);
    kk = real_fma(size, at.p[0].bend, kk);
    unit = real_fma(size, at.p[1].slope, unit);
    zonal_go_on(&at, n);
  }
  vec3 by_e = vec3_axmy(ee, at.e, vec3_scale(ek, z->pole)), by_k = vec3_axmy(kk, z->pole, vec3_scale(ek, at.e));
  return mat3_outer_add(by_e, at.e, mat3_outer_add(by_k, z->pole, mat3_diagonal(vec3_make(unit, unit, unit))));
}

#endif
