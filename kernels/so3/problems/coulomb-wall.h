/* coulomb-wall - a charge at the body point rho, attracted by a fixed charge at depth D below the pivot, and kept
 * away from it by a soft one-sided wall:
 *
 *   U = -k / sqrt(|rho|^2 + D^2 + 2 D z) + K/3 [w - z]_+^3,   z = e3 . Q rho
 *
 * The wall's force is continuously differentiable.  The start is chosen so that the body falls on the wall about
 * once in four time units.  After the contact test of P. Krysl, Int. J. Numer. Meth. Engng 63 (2005) 2171-2193,
 * doi:10.1002/nme.1361, which does not give its numbers. */
#include "../axial_potential.h"

static const sd_parameter coulomb_wall_parameters[] = {
    {"J", 3, {1, 2, 2.5}, 1e-9, 1e9, "principal moments of inertia"},
    {"attitude", 3, {1.2, 0, 0}, -100, 100, "rotation vector of the initial attitude"},
    {"velocity", 3, {0.3, 0.2, 0.5}, -1e6, 1e6, "initial angular velocity, body frame"},
    {"charge", 1, {5}, -1e9, 1e9, "product k of the charges; positive attracts"},
    {"depth", 1, {1.5}, 1e-6, 1e6, "depth D of the fixed charge below the pivot"},
    {"stiffness", 1, {50}, 0, 1e9, "stiffness K of the wall"},
    {"wall", 1, {0}, -1e6, 1e6, "height w of the wall"},
    {"rho", 3, {0, 0, 1}, -1e6, 1e6, "place of the charge in the body"},
    {0}};

enum { WALL_CHARGE, WALL_DEPTH2, WALL_STIFFNESS, WALL_HEIGHT, WALL_RHO, WALL_REACH = WALL_RHO + 3 };

FN void coulomb_wall_load(constants *c, const double *own) {
  real *to = c->own, depth = real_splat(own[1]);
  vec3 rho = vec3_splat(own + 4);
  to[WALL_CHARGE] = real_splat(own[0]);
  to[WALL_DEPTH2] = 2.0 * depth;
  to[WALL_STIFFNESS] = real_splat(own[2]);
  to[WALL_HEIGHT] = real_splat(own[3]);
  to[WALL_RHO] = rho.x, to[WALL_RHO + 1] = rho.y, to[WALL_RHO + 2] = rho.z;
  to[WALL_REACH] = real_fma(depth, depth, vec3_norm2(rho)); /* |rho|^2 + D^2 */
}
FN vec3 coulomb_wall_rho(const constants *c) {
  return vec3_make(c->own[WALL_RHO], c->own[WALL_RHO + 1], c->own[WALL_RHO + 2]);
}

/* f, f' and f'' at z */
typedef struct {
  real value, slope, curvature;
} axial_function;

FN axial_function coulomb_wall_profile(real z, const constants *c) {
  const real *own = c->own;
  real inverse = real_rsqrt(real_fma(own[WALL_DEPTH2], z, own[WALL_REACH])); /* of the charges' distance */
  real attraction = own[WALL_CHARGE] * inverse, gradient = 0.5 * own[WALL_DEPTH2] * (inverse * inverse);
  real overlap = real_max(own[WALL_HEIGHT] - z, real_splat(0)), push = own[WALL_STIFFNESS] * overlap;
  axial_function f = {real_fma(push * overlap, overlap * (1.0 / 3.0), -attraction),
                      real_fma(attraction, gradient, -(push * overlap)),
                      real_fma(-3.0 * attraction * gradient, gradient, 2.0 * push)};
  return f;
}
FN real coulomb_wall_potential(attitude Q, const constants *c) {
  return coulomb_wall_profile(vec3_dot(vertical_in_body(Q), coulomb_wall_rho(c)), c).value;
}
FN vec3 coulomb_wall_torque(attitude Q, const constants *c) {
  vec3 rho = coulomb_wall_rho(c), u = vertical_in_body(Q);
  return axial_torque(rho, u, coulomb_wall_profile(vec3_dot(u, rho), c).slope);
}
FN mat3 coulomb_wall_torque_derivative(attitude Q, const constants *c) {
  vec3 rho = coulomb_wall_rho(c), u = vertical_in_body(Q);
  axial_function f = coulomb_wall_profile(vec3_dot(u, rho), c);
  return axial_torque_derivative(rho, u, f.slope, f.curvature);
}
FN vec3 coulomb_wall_momentum(attitude Q, vec3 P, const constants *c) {
  (void)c;
  return vertical_momentum(Q, P);
}
