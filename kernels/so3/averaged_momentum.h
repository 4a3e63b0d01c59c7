/* averaged_momentum.h - a vector averaged while the body turns by exp(x), as the body sees it, and its derivative:
 *
 *   T(x) p = integral over s in [0, 1] of exp(-s x) p = p - a x cross p + b x cross (x cross p),
 *   a = (1 - cos t)/t^2,  b = (t - sin t)/t^3,  t = |x|
 *
 * T is the right tangent of exp.  Its inverse I + hat(x)/2 + c hat(x)^2, c = (1 - t/2 cot(t/2))/t^2, is what the
 * variational methods are usually written with; multiplied by T their equations have no pole at a whole turn. */
#ifndef SD_AVERAGED_MOMENTUM_H
#define SD_AVERAGED_MOMENTUM_H

#include "body.h"

typedef struct {
  vec3 value;      /* T(x) p */
  mat3 derivative; /* of it with respect to x */
  mat3 tangent;    /* T(x) */
} averaged;

/* With s = t^2:  2 da/ds = (sin t/t - 2 a)/s,  2 db/ds = (a - 3 b)/s.  Near 0 both are differences of series whose
 * first terms cancel, so they are made of what the series have after these. */
typedef struct {
  real a, b; /* 2 da/ds, 2 db/ds */
} average_slopes;

FN average_slopes average_slopes_of(real s, rotation_series f) {
  mask near = real_at_most(s, real_splat(1));
  real far = 1.0 / real_select(near, real_splat(1), s);
  real versine = real_select(near, versine_tail(s), (f.cosc - 0.5) * far);            /* (a - 1/2)/s */
  real sine = real_select(near, sine_tail(s), (f.sinc3 - 0.16666666666666666) * far); /* (b - 1/6)/s */
  average_slopes slopes = {real_fnma(real_splat(2), versine, -f.sinc3), real_fnma(real_splat(3), sine, versine)};
  return slopes;
}

FN averaged average_of(vec3 x, vec3 p) {
  real s = vec3_norm2(x);
  rotation_series f = real_rotation_series(s);
  average_slopes slopes = average_slopes_of(s, f);
  vec3 xp = vec3_cross(x, p), xxp = vec3_cross(x, xp), b_p = vec3_scale(f.sinc3, p);
  real b_along = vec3_dot(x, b_p);
  vec3 grown = vec3_axpy(slopes.b, xxp, vec3_axmy(slopes.a, xp, vec3_scale(real_splat(-2), b_p)));
  mat3 turned = mat3_outer_add(x, b_p, mat3_hat(vec3_scale(f.cosc, p)));
  averaged result = {vec3_axmy(f.cosc, xp, vec3_axpy(f.sinc3, xxp, p)),
                     mat3_add_diagonal(mat3_outer_add(grown, x, turned), vec3_make(b_along, b_along, b_along)),
                     hat_polynomial(-f.cosc, f.sinc3, x)};
  return result;
}

#endif
