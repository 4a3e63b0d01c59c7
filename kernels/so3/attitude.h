/* attitude.h - the attitude Q (body to space) of a body, in one of two representations.
 *
 * Geometric methods keep a unit quaternion and turn it by rotations.  The Runge-Kutta methods treat the nine
 * entries of Q as a vector and let them leave SO(3): their headers define SD_MATRIX_ATTITUDE before including
 * body.h.  Problems see neither: they ask for the few functions of Q below, which both provide. */
#ifndef SD_ATTITUDE_H
#define SD_ATTITUDE_H

#include "../rotation.h"

/* What f(tr(A^T Q)) and its derivatives need, for a fixed rotation A; M = A^T Q:
 *   distance2 = 2 tr(I - M),  d(distance2) = 2 factor axis . y,  d(factor axis) = derivative y     along Q hat(y).
 * factor axis is (M32 - M23, M13 - M31, M21 - M12).  With fewer products, for what every stage of a method evaluates:
 *   sine2 = distance2/8,  d(sine2) = RELATION_UNIT lever axis . y;
 * for a rotation M by the angle t sine2 is sin(t/2)^2. */
typedef struct {
  real distance2;
  real factor;
  vec3 axis;
  mat3 derivative;
  real sine2, lever;
} relation;

#if defined(SD_MATRIX_ATTITUDE)

typedef mat3 attitude;

FN attitude attitude_from(quaternion q) {
  return quaternion_matrix(q);
}
FN mat3 attitude_matrix(attitude Q) {
  return Q;
}
FN quaternion larger_quaternion(quaternion a, quaternion b, real size_a, real size_b) {
  mask m = real_less(size_a, size_b);
  quaternion q = {real_select(m, b.w, a.w), vec3_select(m, b.v, a.v)};
  return q;
}
/* Of unit length: the column of 4 q q^T with the largest diagonal (S. W. Shepperd, J. Guid. Control 1 (1978) 223-224,
 * doi:10.2514/3.55767b). */
FN quaternion attitude_quaternion(attitude Q) {
  vec3 a = mat3_axial(Q), b = vec3_make(Q.y.z + Q.z.y, Q.z.x + Q.x.z, Q.x.y + Q.y.x);
  real w = 1.0 + mat3_trace(Q), x = 1.0 + (Q.x.x - Q.y.y - Q.z.z), y = 1.0 + (Q.y.y - Q.z.z - Q.x.x),
       z = 1.0 + (Q.z.z - Q.x.x - Q.y.y);
  quaternion of_w = {w, a}, of_x = {a.x, vec3_make(x, b.z, b.y)}, of_y = {a.y, vec3_make(b.z, y, b.x)},
             of_z = {a.z, vec3_make(b.y, b.x, z)};
  quaternion first = larger_quaternion(of_w, of_x, w, x), second = larger_quaternion(of_y, of_z, y, z);
  return quaternion_normalise(larger_quaternion(first, second, real_max(w, x), real_max(y, z)));
}
FN vec3 attitude_to_body(attitude Q, vec3 e) { /* Q^T e */
  return mat3_apply_transposed(Q, e);
}
FN vec3 attitude_to_space(attitude Q, vec3 p) { /* Q p */
  return mat3_apply(Q, p);
}
#define RELATION_UNIT 0.25
/* A matrix that is far from a rotation may have a greater trace than one: then there is no distance, and neither energy
 * nor torque may be a number, or a body would be lost or not as it is looked at after this step or after others. */
FN relation relation_of(real trace, vec3 axis, mat3 M) {
  real one = real_splat(1);
  trace = real_select(real_at_most(trace, real_splat(3)), trace, real_nan());
  mat3 derivative = mat3_add_diagonal(mat3_scale(-one, mat3_transpose(M)), vec3_make(trace, trace, trace));
  relation r = {real_fnma(real_splat(2), trace, real_splat(6)),       one, axis, derivative,
                real_fnma(real_splat(0.25), trace, real_splat(0.75)), one};
  return r;
}
FN relation attitude_relation_to_identity(attitude Q) {
  return relation_of(mat3_trace(Q), mat3_axial(Q), Q);
}
/* Trace and axis as sums over the rows q of Q and a of A, q.a and q x a, without M. */
FN relation attitude_relation(attitude Q, quaternion A_inverse) {
  mat3 A = quaternion_matrix(quaternion_conjugate(A_inverse));
  real trace = vec3_dot(Q.x, A.x) + vec3_dot_and(Q.y, A.y, vec3_dot(Q.z, A.z));
  vec3 axis = vec3_cross_add(Q.x, A.x, vec3_cross_add(Q.y, A.y, vec3_cross(Q.z, A.z)));
  return relation_of(trace, axis, mat3_multiply(mat3_transpose(A), Q));
}
/* || Q^T Q - I || (Frobenius) */
FN real attitude_defect(attitude Q) {
  mat3 columns = mat3_transpose(Q);
  real xx = vec3_norm2(columns.x) - 1.0, yy = vec3_norm2(columns.y) - 1.0, zz = vec3_norm2(columns.z) - 1.0;
  vec3 off = vec3_make(vec3_dot(columns.y, columns.z), vec3_dot(columns.z, columns.x), vec3_dot(columns.x, columns.y));
  return real_sqrt(real_fma(xx, xx, real_fma(yy, yy, zz * zz)) + 2.0 * vec3_norm2(off));
}
FN attitude attitude_select(mask m, attitude a, attitude b) {
  return mat3_rows(vec3_select(m, a.x, b.x), vec3_select(m, a.y, b.y), vec3_select(m, a.z, b.z));
}

#else

typedef quaternion attitude;

FN attitude attitude_from(quaternion q) {
  return q;
}
FN quaternion attitude_quaternion(attitude Q) {
  return quaternion_normalise(Q);
}
FN mat3 attitude_matrix(attitude Q) {
  return quaternion_matrix(Q);
}
FN vec3 attitude_to_body(attitude Q, vec3 e) {
  return quaternion_rotate_back(Q, e);
}
FN vec3 attitude_to_space(attitude Q, vec3 p) {
  return quaternion_rotate(Q, p);
}
#define RELATION_UNIT 1.0
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
/* || Q^T Q - I || of the matrix that a quaternion a little off unit length stands for: with n = |q|^2 - 1,
 * R = I + 2 w hat(v) + 2 hat(v)^2 has R^T R - I = 4 n hat(v)^2, of Frobenius norm 4 sqrt(2) |n| |v|^2. */
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
#endif
