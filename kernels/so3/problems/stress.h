/* stress - a static potential that exposes the energy drift of rigid body methods.
 *
 *   U(Q) = (d(Q, I) - 1)^2 - alpha / d(Q, A),   d(A, B) = sqrt(2 tr(I - A^T B))
 *
 * G. Ortolan, A. Saccon, A numerical test of long-time stability for rigid body integrators,
 * Int. J. Numer. Meth. Engng 90 (2012) 390-402, doi:10.1002/nme.3333, eq. (3) and section 6. */
#include "../body.h"

static const sd_parameter stress_parameters[] = {
    {"J", 3, {2, 2, 4}, 1e-9, 1e9, "principal moments of inertia"},
    {"attitude", 3, {0, 0.7227, 0}, -100, 100, "rotation vector of the initial attitude"},
    {"velocity", 3, {0, 0, 0.625}, -1e6, 1e6, "initial angular velocity, body frame"},
    {"alpha", 1, {0.3}, -1e6, 1e6, "strength of the attraction"},
    {"attractor", 3, {1.7677669529663689, 0, 1.7677669529663689}, -100, 100, "rotation vector of the attractor A"},
    {0}};

enum { STRESS_ALPHA, STRESS_ATTRACTOR };

FN void stress_load(constants *c, const double *own) {
  quaternion inverse = exp_quaternion(vec3_negate(vec3_splat(own + 1))); /* A^T */
  c->own[STRESS_ALPHA] = real_splat(own[0]);
  c->own[STRESS_ATTRACTOR] = inverse.w;
  c->own[STRESS_ATTRACTOR + 1] = inverse.v.x;
  c->own[STRESS_ATTRACTOR + 2] = inverse.v.y;
  c->own[STRESS_ATTRACTOR + 3] = inverse.v.z;
}

FN relation stress_to_attractor(attitude Q, const constants *c) {
  const real *A = c->own + STRESS_ATTRACTOR;
  quaternion inverse = {A[0], vec3_make(A[1], A[2], A[3])};
  return attitude_relation(Q, inverse);
}

FN real stress_potential(attitude Q, const constants *c) {
  relation sphere = attitude_relation_to_identity(Q), attractor = stress_to_attractor(Q, c);
  real stretch = real_sqrt(sphere.distance2) - 1.0;
  return real_fms(stretch, stretch, c->own[STRESS_ALPHA] * real_rsqrt(attractor.distance2));
}

/* With d = sqrt(8 s), s = sine2, and d(s) = lever axis.y:
 *
 *   torque = push lever1 axis1 - pull lever2 axis2,
 *   push = -dU/ds1 = sqrt(8)/sqrt(s1) - 8,   pull = dU/ds2 = alpha/(2 sqrt(8)) / sqrt(s2)^3 */
#define SQRT8 2.8284271247461903
FN real stress_push(real inverse1) {
  return real_fms(real_splat(SQRT8), inverse1, real_splat(8));
}
FN real stress_pull(real inverse2, const constants *c) {
  return (SQRT8 / 16 * c->own[STRESS_ALPHA] * inverse2) * (inverse2 * inverse2);
}
FN vec3 stress_torque(attitude Q, const constants *c) {
  relation sphere = attitude_relation_to_identity(Q), attractor = stress_to_attractor(Q, c);
  real push = stress_push(real_rsqrt(sphere.sine2)), pull = stress_pull(real_rsqrt(attractor.sine2), c);
  return vec3_axmy(pull * attractor.lever, attractor.axis, vec3_scale(push * sphere.lever, sphere.axis));
}

/* The same by factor = 4 lever, whose derivative times the axis is there. */
FN mat3 stress_torque_derivative(attitude Q, const constants *c) {
  relation sphere = attitude_relation_to_identity(Q), attractor = stress_to_attractor(Q, c);
  real inverse1 = real_rsqrt(sphere.sine2), inverse2 = real_rsqrt(attractor.sine2);
  real push = 0.25 * stress_push(inverse1), pull = 0.25 * stress_pull(inverse2, c);
  mat3 turning = mat3_axpy(push, sphere.derivative, mat3_scale(-pull, attractor.derivative));
  real stiffness1 = (-SQRT8 / 32) * inverse1 * (inverse1 * sphere.factor) * (inverse1 * sphere.factor);
  real stiffness2 = 0.375 * pull * (inverse2 * attractor.factor) * (inverse2 * attractor.factor);
  turning = mat3_outer_add(vec3_scale(stiffness1, sphere.axis), sphere.axis, turning);
  return mat3_outer_add(vec3_scale(stiffness2, attractor.axis), attractor.axis, turning);
}

FN vec3 stress_momentum(attitude Q, vec3 P, const constants *c) { /* no symmetry */
  (void)Q, (void)P, (void)c;
  return vec3_zero();
}
