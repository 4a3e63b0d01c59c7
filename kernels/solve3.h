/* solve3.h - the 3x3 linear systems of Newton's method, by cofactors: no pivot search, so no branch per lane. */
#ifndef SD_SOLVE3_H
#define SD_SOLVE3_H

#include "vec3.h"

/* The inverse of a matrix, its columns not yet divided by the determinant. */
typedef struct {
  vec3 x, y, z;
  real scale;
} inverse3;

FN inverse3 invert3(mat3 a) {
  inverse3 i = {vec3_cross(a.y, a.z), vec3_cross(a.z, a.x), vec3_cross(a.x, a.y), real_splat(1)};
  i.scale = i.scale / vec3_dot(a.x, i.x);
  return i;
}
/* A singular matrix gives non-finite components, which the caller's convergence test rejects. */
FN vec3 inverse3_apply(inverse3 i, vec3 r) {
  return vec3_scale(i.scale, vec3_axpy(r.x, i.x, vec3_axpy(r.y, i.y, vec3_scale(r.z, i.z))));
}

#endif
