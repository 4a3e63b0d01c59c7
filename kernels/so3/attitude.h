/* attitude.h - the attitude Q (body to space) of a body, a unit quaternion.
 *
 * Geometric methods turn it by rotations; the Runge-Kutta methods treat its four numbers as a vector and let its length
 * drift (runge_kutta.h).  Problems see no numbers: they ask for the few functions of Q below. */
#ifndef SD_ATTITUDE_H
#define SD_ATTITUDE_H

#include "../rotation.h"

/* What f(tr(A^T Q)) and its derivatives need, for a fixed rotation A; M = A^T Q:
 *   distance2 = 2 tr(I - M),  d(distance2) = 2 factor axis . y,  d(factor axis) = derivative y     along Q hat(y).
 * factor axis is (M32 - M23, M13 - M31, M21 - M12).  With fewer products, for what every stage of a method evaluates:
 *   sine2 = distance2/8,  d(sine2) = lever axis . y;
 * for a rotation M by the angle t sine2 is sin(t/2)^2. */
typedef struct {
  real distance2;
  real factor;
  vec3 axis;
  mat3 derivative;
  real sine2, lever;
} relation;

typedef quaternion attitude;

FN mat3 attitude_matrix(attitude Q) {
  return quaternion_matrix(Q);
}
FN vec3 attitude_to_body(attitude Q, vec3 e) { /* Q^T e */
  return quaternion_rotate_back(Q, e);
}
FN vec3 attitude_to_space(attitude Q, vec3 p) { /* Q p */
  return quaternion_rotate(Q, p);
}
FN relation relation_of(quaternion r) { /* r of A^T Q */
  mat3 derivative = mat3_outer_add(vec3_scale(real_splat(-2), r.v), r.v, mat3_hat(vec3_scale(2.0 * r.w, r.v)));
  real diagonal = 2.0 * (r.w * r.w), sine2 = vec3_norm2(r.v);
  relation found = {8.0 * sine2, 4.0 * r.w, r.v, mat3_add_diagonal(derivative, vec3_make(diagonal, diagonal, diagonal)),
                    sine2,       r.w};
  return found;
}
FN relation attitude_relation_to_identity(attitude Q) {
  return relation_of(Q);
}
FN relation attitude_relation(attitude Q, quaternion A_inverse) {
  return relation_of(quaternion_multiply(A_inverse, Q));
}
/* || Q^T Q - I || of the matrix that a quaternion of any length stands for: with n = |q|^2 - 1,
 * R = I + 2 w hat(v) + 2 hat(v)^2 has R^T R - I = -4 n hat(v)^2, of Frobenius norm 4 sqrt(2) |n| |v|^2. */
FN real attitude_defect(attitude Q) {
  real defect = quaternion_norm2(Q) - 1.0;
  return 5.65685424949238 * real_abs(defect) * vec3_norm2(Q.v);
}
FN attitude attitude_select(mask m, attitude a, attitude b) {
  attitude q = {real_select(m, a.w, b.w), vec3_select(m, a.v, b.v)};
  return q;
}

/* Q cay(2 f), Q cay(x), Q exp(x) and Q F */
FN attitude turn_cay_of_twice(attitude Q, vec3 f) {
  return quaternion_normalise(quaternion_turn(Q, f));
}
FN attitude turn_cay(attitude Q, vec3 x) {
  return turn_cay_of_twice(Q, vec3_scale(real_splat(0.5), x));
}
FN attitude turn_exp(attitude Q, vec3 x) {
  return turn_unit(Q, x);
}
FN attitude turn(attitude Q, quaternion F) {
  return quaternion_renormalise(quaternion_multiply(Q, F));
}

#endif
