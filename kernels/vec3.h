/* vec3.h - vectors and 3x3 matrices of reals, by value.  Matrices are kept by rows. */
#ifndef SD_VEC3_H
#define SD_VEC3_H

#include "real.h"

typedef struct {
  real x, y, z;
} vec3;

typedef struct {
  vec3 x, y, z; /* rows */
} mat3;

FN vec3 vec3_make(real x, real y, real z) {
  vec3 v = {x, y, z};
  return v;
}
FN vec3 vec3_splat(const double v[3]) {
  return vec3_make(real_splat(v[0]), real_splat(v[1]), real_splat(v[2]));
}
FN vec3 vec3_zero(void) {
  return vec3_make(real_splat(0), real_splat(0), real_splat(0));
}
FN vec3 vec3_add(vec3 a, vec3 b) {
  return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
FN vec3 vec3_sub(vec3 a, vec3 b) {
  return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
FN vec3 vec3_negate(vec3 a) {
  return vec3_make(-a.x, -a.y, -a.z);
}
FN vec3 vec3_scale(real s, vec3 a) {
  return vec3_make(s * a.x, s * a.y, s * a.z);
}
FN vec3 vec3_axpy(real s, vec3 a, vec3 b) { /* s a + b */
  return vec3_make(real_fma(s, a.x, b.x), real_fma(s, a.y, b.y), real_fma(s, a.z, b.z));
}
FN vec3 vec3_axmy(real s, vec3 a, vec3 b) { /* b - s a */
  return vec3_make(real_fnma(s, a.x, b.x), real_fnma(s, a.y, b.y), real_fnma(s, a.z, b.z));
}
FN vec3 vec3_times(vec3 a, vec3 b) { /* component by component: a diagonal matrix applied */
  return vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}
FN vec3 vec3_times_add(vec3 a, vec3 b, vec3 c) {
  return vec3_make(real_fma(a.x, b.x, c.x), real_fma(a.y, b.y, c.y), real_fma(a.z, b.z, c.z));
}
FN real vec3_dot(vec3 a, vec3 b) {
  return real_fma(a.x, b.x, real_fma(a.y, b.y, a.z * b.z));
}
FN real vec3_dot_from(real c, vec3 a, vec3 b) { /* c - a.b */
  return real_fnma(a.x, b.x, real_fnma(a.y, b.y, real_fnma(a.z, b.z, c)));
}
FN real vec3_norm2(vec3 a) {
  return vec3_dot(a, a);
}
FN real vec3_largest(vec3 a) { /* of the components' sizes */
  return real_worst(real_worst(real_abs(a.x), real_abs(a.y)), real_abs(a.z));
}
FN vec3 vec3_cross(vec3 a, vec3 b) {
  return vec3_make(real_diff_of_products(a.y, b.z, a.z, b.y), real_diff_of_products(a.z, b.x, a.x, b.z),
                   real_diff_of_products(a.x, b.y, a.y, b.x));
}
FN vec3 vec3_cross_add(vec3 a, vec3 b, vec3 c) { /* a x b + c */
  return vec3_make(real_fma(a.y, b.z, real_fnma(a.z, b.y, c.x)), real_fma(a.z, b.x, real_fnma(a.x, b.z, c.y)),
                   real_fma(a.x, b.y, real_fnma(a.y, b.x, c.z)));
}
FN vec3 vec3_select(mask m, vec3 a, vec3 b) {
  return vec3_make(real_select(m, a.x, b.x), real_select(m, a.y, b.y), real_select(m, a.z, b.z));
}

FN mat3 mat3_rows(vec3 x, vec3 y, vec3 z) {
  mat3 m = {x, y, z};
  return m;
}
FN mat3 mat3_add(mat3 a, mat3 b) {
  return mat3_rows(vec3_add(a.x, b.x), vec3_add(a.y, b.y), vec3_add(a.z, b.z));
}
FN mat3 mat3_axpy(real s, mat3 a, mat3 b) { /* s a + b */
  return mat3_rows(vec3_axpy(s, a.x, b.x), vec3_axpy(s, a.y, b.y), vec3_axpy(s, a.z, b.z));
}
FN mat3 mat3_scale(real s, mat3 a) {
  return mat3_rows(vec3_scale(s, a.x), vec3_scale(s, a.y), vec3_scale(s, a.z));
}
FN mat3 mat3_diagonal(vec3 d) {
  real zero = real_splat(0);
  return mat3_rows(vec3_make(d.x, zero, zero), vec3_make(zero, d.y, zero), vec3_make(zero, zero, d.z));
}
FN mat3 mat3_add_diagonal(mat3 a, vec3 d) {
  a.x.x = a.x.x + d.x;
  a.y.y = a.y.y + d.y;
  a.z.z = a.z.z + d.z;
  return a;
}
FN mat3 mat3_identity(void) {
  return mat3_diagonal(vec3_make(real_splat(1), real_splat(1), real_splat(1)));
}
FN mat3 mat3_hat(vec3 v) { /* hat(v) w = v x w */
  real zero = real_splat(0);
  return mat3_rows(vec3_make(zero, -v.z, v.y), vec3_make(v.z, zero, -v.x), vec3_make(-v.y, v.x, zero));
}
FN mat3 mat3_outer_add(vec3 a, vec3 b, mat3 c) { /* a b^T + c */
  return mat3_rows(vec3_axpy(a.x, b, c.x), vec3_axpy(a.y, b, c.y), vec3_axpy(a.z, b, c.z));
}
FN mat3 mat3_scale_rows(vec3 d, mat3 a) { /* diag(d) a */
  return mat3_rows(vec3_scale(d.x, a.x), vec3_scale(d.y, a.y), vec3_scale(d.z, a.z));
}
FN vec3 mat3_apply(mat3 a, vec3 v) {
  return vec3_make(vec3_dot(a.x, v), vec3_dot(a.y, v), vec3_dot(a.z, v));
}
FN vec3 mat3_apply_transposed(mat3 a, vec3 v) {
  return vec3_axpy(v.x, a.x, vec3_axpy(v.y, a.y, vec3_scale(v.z, a.z)));
}
FN mat3 mat3_transpose(mat3 a) {
  return mat3_rows(vec3_make(a.x.x, a.y.x, a.z.x), vec3_make(a.x.y, a.y.y, a.z.y), vec3_make(a.x.z, a.y.z, a.z.z));
}
FN mat3 mat3_multiply(mat3 a, mat3 b) {
  return mat3_rows(mat3_apply_transposed(b, a.x), mat3_apply_transposed(b, a.y), mat3_apply_transposed(b, a.z));
}

/* |e| over the tolerance atol + rtol |y|, the largest of three. */
FN real vec3_relative_error(vec3 e, vec3 y, vec3 y1, real rtol, real atol) {
  real x = real_abs(e.x) / real_fma(rtol, real_worst(real_abs(y.x), real_abs(y1.x)), atol);
  real yy = real_abs(e.y) / real_fma(rtol, real_worst(real_abs(y.y), real_abs(y1.y)), atol);
  real z = real_abs(e.z) / real_fma(rtol, real_worst(real_abs(y.z), real_abs(y1.z)), atol);
  return real_worst(real_worst(x, yy), z);
}

#endif
