/* potential_alone.h - torque and its derivative from the potential's formula alone, by differentiating each operation:
 * as exact as formulas for them would be, if slower.
 *
 * A jet is a function on SO(3) near Q: its value, and its first and second derivatives along the exponential,
 *
 *   f(Q exp(y)) = value + slope . y + y . bend y / 2 + ...
 *
 * A problem writes its potential with jets, from the entries of Q, row by column,
 *
 *   FN jet NAME_formula(jet_attitude Q, const constants *c)
 *
 * and says POTENTIAL_ALONE(NAME).  As exp(a) exp(b) = exp(a + b + a x b / 2 + ...), the derivative of the slope is bend
 * + hat(slope) / 2. */
#ifndef SD_POTENTIAL_ALONE_H
#define SD_POTENTIAL_ALONE_H

#include "body.h"

typedef struct {
  real value;
  vec3 slope;
  mat3 bend;
} jet;

typedef struct {
  jet at[3][3];
} jet_attitude;

FN jet jet_of(real x) { /* a constant */
  jet f = {x, vec3_zero(), mat3_diagonal(vec3_zero())};
  return f;
}
FN jet jet_scale(real s, jet a) {
  jet f = {s * a.value, vec3_scale(s, a.slope), mat3_scale(s, a.bend)};
  return f;
}
FN jet jet_add(jet a, jet b) {
  jet f = {a.value + b.value, vec3_add(a.slope, b.slope), mat3_add(a.bend, b.bend)};
  return f;
}
FN jet jet_sub(jet a, jet b) {
  return jet_add(a, jet_scale(real_splat(-1), b));
}
FN jet jet_multiply(jet a, jet b) {
  mat3 bend = mat3_axpy(a.value, b.bend, mat3_scale(b.value, a.bend));
  jet f = {a.value * b.value, vec3_axpy(a.value, b.slope, vec3_scale(b.value, a.slope)),
           mat3_outer_add(a.slope, b.slope, mat3_outer_add(b.slope, a.slope, bend))};
  return f;
}
FN jet jet_square(jet a) {
  return jet_multiply(a, a);
}
/* A function of one number, by its value and two derivatives there. */
FN jet jet_chain(jet a, real value, real first, real second) {
  jet f = {value, vec3_scale(first, a.slope),
           mat3_outer_add(vec3_scale(second, a.slope), a.slope, mat3_scale(first, a.bend))};
  return f;
}
FN jet jet_inverse(jet a) {
  real x = 1.0 / a.value, square = x * x;
  return jet_chain(a, x, -square, 2.0 * (square * x));
}
FN jet jet_divide(jet a, jet b) {
  return jet_multiply(a, jet_inverse(b));
}
FN jet jet_sqrt(jet a) {
  real root = real_sqrt(a.value), first = 0.5 / root;
  return jet_chain(a, root, first, -0.5 * (first / a.value));
}
FN jet jet_exp(jet a) {
  real value = real_exp(a.value);
  return jet_chain(a, value, value, value);
}
FN jet jet_log(jet a) {
  real first = 1.0 / a.value;
  return jet_chain(a, real_log(a.value), first, -(first * first));
}
FN jet jet_sin(jet a) {
  real sine, cosine;
  real_sincos(a.value, &sine, &cosine);
  return jet_chain(a, sine, cosine, -sine);
}
FN jet jet_cos(jet a) {
  real sine, cosine;
  real_sincos(a.value, &sine, &cosine);
  return jet_chain(a, cosine, -sine, -cosine);
}

/* An entry: of r exp(hat(y)) = r + r x y + (r x y) x y / 2, r a row, component j. */
FN jet jet_entry(vec3 row, real value, vec3 axis) {
  mat3 both = mat3_outer_add(axis, row, mat3_outer_add(row, axis, mat3_diagonal(vec3_zero())));
  jet f = {value, vec3_cross(axis, row),
           mat3_add_diagonal(mat3_scale(real_splat(0.5), both), vec3_make(-value, -value, -value))};
  return f;
}
FN jet_attitude jet_attitude_of(attitude Q) {
  mat3 M = attitude_matrix(Q), I = mat3_identity();
  const vec3 row[3] = {M.x, M.y, M.z};
  jet_attitude all;
  for (int i = 0; i < 3; i++) {
    all.at[i][0] = jet_entry(row[i], row[i].x, I.x);
    all.at[i][1] = jet_entry(row[i], row[i].y, I.y);
    all.at[i][2] = jet_entry(row[i], row[i].z, I.z);
  }
  return all;
}

FN mat3 jet_torque_derivative(jet U) {
  return mat3_scale(real_splat(-1), mat3_axpy(real_splat(0.5), mat3_hat(U.slope), U.bend));
}

#define POTENTIAL_ALONE(name)                                            \
  FN real name##_potential(attitude Q, const constants *c) {             \
    return name##_formula(jet_attitude_of(Q), c).value;                  \
  }                                                                      \
  FN vec3 name##_torque(attitude Q, const constants *c) {                \
    return vec3_negate(name##_formula(jet_attitude_of(Q), c).slope);     \
  }                                                                      \
  FN mat3 name##_torque_derivative(attitude Q, const constants *c) {     \
    return jet_torque_derivative(name##_formula(jet_attitude_of(Q), c)); \
  }

/* For a problem without symmetries that its user knows of. */
#define NO_MOMENTUM(name)                                           \
  FN vec3 name##_momentum(attitude Q, vec3 P, const constants *c) { \
    (void)Q, (void)P, (void)c;                                      \
    return vec3_zero();                                             \
  }

#endif
