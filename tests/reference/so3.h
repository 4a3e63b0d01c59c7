/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors, 3x3 matrices and the maps R^3 -> SO(3), in long double. */
#ifndef REFERENCE_SO3_H
#define REFERENCE_SO3_H

#include <float.h>
#include <math.h>

typedef long double real;
_Static_assert(LDBL_MANT_DIG >= 64, "the reference needs 80-bit (or longer) long double");

typedef struct {
  real v[3];
} vec;
typedef struct {
  real m[3][3];
} mat;

static const mat I3 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static vec V(real x, real y, real z) {
  return (vec){{x, y, z}};
}
static vec add(vec a, vec b) {
  return V(a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]);
}
static vec sub(vec a, vec b) {
  return V(a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]);
}
static vec mul(real s, vec a) {
  return V(s * a.v[0], s * a.v[1], s * a.v[2]);
}
static vec neg(vec a) {
  return mul(-1, a);
}
static real dot(vec a, vec b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
static real norm(vec a) {
  return sqrtl(dot(a, a));
}

static vec cross(vec a, vec b) {
  return V(a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

static mat mm(mat a, mat b) {
  mat c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  return c;
}

static vec mv(mat a, vec x) {
  vec y;
  for (int i = 0; i < 3; ++i) y.v[i] = a.m[i][0] * x.v[0] + a.m[i][1] * x.v[1] + a.m[i][2] * x.v[2];
  return y;
}

static mat tr(mat a) {
  mat t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t.m[i][j] = a.m[j][i];
  return t;
}

static mat hat(vec x) {
  return (mat){{{0, -x.v[2], x.v[1]}, {x.v[2], 0, -x.v[0]}, {-x.v[1], x.v[0], 0}}};
}

/* I + p hat(x) + q hat(x)^2 */
static mat rodrigues(vec x, real p, real q) {
  mat k = hat(x), k2 = mm(k, k), r = I3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.m[i][j] += p * k.m[i][j] + q * k2.m[i][j];
  return r;
}

static real sinc(real t) {
  return t == 0 ? 1 : sinl(t) / t;
}

/* (1 - cos t)/t^2 = sinc(t/2)^2 / 2, free of cancellation */
static mat Exp(vec x) {
  real t = norm(x), s = sinc(t / 2);
  return rodrigues(x, sinc(t), s * s / 2);
}

static mat cay(vec x) {
  real d = 4 + dot(x, x);
  return rodrigues(x, 4 / d, 2 / d);
}

/* the rotation next to an almost-rotation: one Newton step, Q (3 - Q'Q)/2 */
static mat orthonormal(mat Q) {
  mat c = mm(tr(Q), Q);
  for (int i = 0; i < 9; ++i) c.m[i / 3][i % 3] = (3 * I3.m[i / 3][i % 3] - c.m[i / 3][i % 3]) / 2;
  return mm(Q, c);
}

/* a^-1 r by Cramer's rule */
static vec solve3(const vec col[3], vec r) {
  real det = dot(col[0], cross(col[1], col[2]));
  return V(dot(r, cross(col[1], col[2])) / det, dot(col[0], cross(r, col[2])) / det,
           dot(col[0], cross(col[1], r)) / det);
}

/* tr(A' Q hat(y)) = -ax(A'Q).y */
static vec ax(mat m) {
  return V(m.m[2][1] - m.m[1][2], m.m[0][2] - m.m[2][0], m.m[1][0] - m.m[0][1]);
}

static real trace(mat m) {
  return m.m[0][0] + m.m[1][1] + m.m[2][2];
}

#endif
