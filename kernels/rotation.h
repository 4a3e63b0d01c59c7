/* rotation.h - unit quaternions and the maps cay, exp : R^3 -> SO(3) with their derivatives.
 *
 * A quaternion (w, v) stands for the rotation I + 2 w hat(v) + 2 hat(v)^2.
 *
 *   cay(x) = I + 4/(4+|x|^2) hat(x) + 2/(4+|x|^2) hat(x)^2          quaternion (1, x/2) / sqrt(1 + |x|^2/4)
 *   exp(x) = I + sin|x|/|x| hat(x) + (1 - cos|x|)/|x|^2 hat(x)^2    quaternion (cos |x|/2, sin(|x|/2)/|x| x)
 *
 * The right tangent T(x) of a map f tells how its value moves: f(x + d) = f(x) exp(T(x) d) to first order. */
#ifndef SD_ROTATION_H
#define SD_ROTATION_H

#include "elementary.h"
#include "vec3.h"

typedef struct {
  real w;
  vec3 v;
} quaternion;

FN quaternion quaternion_identity(void) {
  quaternion q = {real_splat(1), vec3_zero()};
  return q;
}
FN quaternion quaternion_scale(real s, quaternion q) {
  q.w = s * q.w;
  q.v = vec3_scale(s, q.v);
  return q;
}
FN quaternion quaternion_conjugate(quaternion q) {
  q.v = vec3_negate(q.v);
  return q;
}
FN quaternion quaternion_multiply(quaternion a, quaternion b) {
  quaternion q;
  q.w = vec3_dot_from(a.w * b.w, a.v, b.v);
  q.v = vec3_axpy(a.w, b.v, vec3_axpy(b.w, a.v, vec3_cross(a.v, b.v)));
  return q;
}
FN quaternion quaternion_turn(quaternion a, vec3 v) { /* a (1, v) */
  quaternion q = {vec3_dot_from(a.w, a.v, v), vec3_axpy(a.w, v, vec3_cross_add(a.v, v, a.v))};
  return q;
}
FN real quaternion_norm2(quaternion q) {
  return real_fma(q.w, q.w, vec3_norm2(q.v));
}
/* To unit length from any length. */
FN quaternion quaternion_normalise(quaternion q) {
  return quaternion_scale(real_rsqrt(quaternion_norm2(q)), q);
}
/* To unit length from a length that only rounding has moved: 1/sqrt(n) = (3 - n)/2 + O((n - 1)^2). */
FN quaternion quaternion_renormalise(quaternion q) {
  return quaternion_scale(real_fma(real_splat(-0.5), quaternion_norm2(q), real_splat(1.5)), q);
}
FN vec3 quaternion_rotate(quaternion q, vec3 p) { /* R(q) p */
  vec3 twice = vec3_cross(q.v, vec3_add(p, p));
  return vec3_cross_add(q.v, twice, vec3_axpy(q.w, twice, p));
}
FN vec3 quaternion_rotate_back(quaternion q, vec3 p) { /* R(q)^T p */
  vec3 twice = vec3_cross(vec3_add(p, p), q.v);
  return vec3_cross_add(twice, q.v, vec3_axpy(q.w, twice, p));
}
FN mat3 quaternion_matrix(quaternion q) {
  vec3 d = vec3_add(q.v, q.v);
  real xx = d.x * q.v.x, yy = d.y * q.v.y, zz = d.z * q.v.z;
  real wx = q.w * d.x, wy = q.w * d.y, wz = q.w * d.z, xy = q.v.x * d.y, yz = q.v.y * d.z, zx = q.v.z * d.x;
  return mat3_rows(vec3_make(1.0 - (yy + zz), xy - wz, zx + wy), vec3_make(xy + wz, 1.0 - (zz + xx), yz - wx),
                   vec3_make(zx - wy, yz + wx, 1.0 - (xx + yy)));
}

/* I + a hat(x) + b hat(x)^2: the form of every rotation about x and of every tangent. */
FN mat3 hat_polynomial(real a, real b, vec3 x) {
  vec3 bx = vec3_scale(b, x);
  real diagonal = real_fnma(b, vec3_norm2(x), real_splat(1));
  vec3 ax = vec3_scale(a, x);
  return mat3_add_diagonal(mat3_outer_add(bx, x, mat3_hat(ax)), vec3_make(diagonal, diagonal, diagonal));
}
/* p + a x cross p + b x cross (x cross p) */
FN vec3 hat_polynomial_apply(real a, real b, vec3 x, vec3 p) {
  vec3 xp = vec3_cross(x, p);
  return vec3_axpy(a, xp, vec3_axpy(b, vec3_cross(x, xp), p));
}

FN quaternion cay(vec3 x) {
  quaternion q = {real_splat(1), vec3_scale(real_splat(0.5), x)};
  return quaternion_normalise(q);
}
FN mat3 cay_tangent(vec3 x) { /* (I - hat(x)/2) / (1 + |x|^2/4) */
  real scale = 1.0 / real_fma(real_splat(0.25), vec3_norm2(x), real_splat(1));
  vec3 diagonal = vec3_make(scale, scale, scale);
  return mat3_add_diagonal(mat3_hat(vec3_scale(-0.5 * scale, x)), diagonal);
}

FN quaternion exp_quaternion_of_twice(vec3 half) {
  rotation_series f = real_rotation_series(vec3_norm2(half));
  quaternion q = {f.cosine, vec3_scale(f.sinc, half)};
  return q;
}
FN quaternion exp_quaternion(vec3 x) {
  return exp_quaternion_of_twice(vec3_scale(real_splat(0.5), x));
}
FN quaternion turn_unit(quaternion q, vec3 x) { /* q exp(x) */
  return quaternion_renormalise(quaternion_multiply(q, exp_quaternion(x)));
}
FN vec3 exp_apply(vec3 x, vec3 p) { /* exp(x) p */
  rotation_series f = real_rotation_series(vec3_norm2(x));
  return hat_polynomial_apply(f.sinc, f.cosc, x, p);
}
FN mat3 exp_tangent(vec3 x) { /* I - (1-cos t)/t^2 hat(x) + (t - sin t)/t^3 hat(x)^2 */
  rotation_series f = real_rotation_series(vec3_norm2(x));
  return hat_polynomial(-f.cosc, f.sinc3, x);
}

#endif
