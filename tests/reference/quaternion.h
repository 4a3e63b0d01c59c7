/* SPDX-License-Identifier: BSD-3-Clause
 * Quaternions w + v; those of unit length are rotations, of which rk2 and rk4 let the length drift. */
#ifndef REFERENCE_QUATERNION_H
#define REFERENCE_QUATERNION_H

#include "so3.h"

typedef struct {
  real w;
  vec v;
} quat;

static quat qmul(quat a, quat b) {
  return (quat){a.w * b.w - dot(a.v, b.v), add(cross(a.v, b.v), add(mul(a.w, b.v), mul(b.w, a.v)))};
}
static quat qconj(quat q) {
  return (quat){q.w, neg(q.v)};
}
static quat qexp(vec x) {
  real t = norm(x) / 2;
  return (quat){cosl(t), mul(sinc(t) / 2, x)};
}
/* I + 2 w hat(v) + 2 hat(v)^2, whatever the length is */
static mat qmat(quat q) {
  return rodrigues(q.v, 2 * q.w, 2);
}
/* the unit quaternion of a rotation, of which the trace is greater than -1 */
static quat qfrom(mat R) {
  real w = sqrtl(1 + trace(R)) / 2;
  return (quat){w, mul(1 / (4 * w), ax(R))};
}

#endif
