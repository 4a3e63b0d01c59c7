/* point.h - a point mass in R^3 x R^3 about a centre: state, forces, and what a method must provide.
 *
 *   q' = p/m,   p' = -dV/dq(q, t) + F(v),   v = p/m
 *   V  = -m mu/|q| - sum_k m mu_k/|q - x_k(t)|,   F = pressure - drag v + thrust v/|v|
 *
 * The further attractors x_k(t) rest or turn about an axis through the centre.  Next to q and p every method integrates
 * the work that the energy is changed by, w' = F.v + dV/dt: H - w stays as it is, and what a method makes of it is the
 * method's own error. */
#ifndef SD_POINT_H
#define SD_POINT_H

#include "../elementary.h"
#include "../job.h"
#include "../newton.h"
#include "parameters.h"

/* Numbers of its own that a method carries from step to step; a method that has some defines this first. */
#ifndef SD_MEMORY
#define SD_MEMORY 0
#endif

typedef struct {
  vec3 q, p;
  real work;
  real memory[SD_MEMORY + !SD_MEMORY]; /* the first SD_MEMORY are part of the state */
  vec3 force; /* -dV/dq at q, kept so that a step's last force is the next one's first; not stored */
  real time;  /* at the start of a step; not stored */
} state;

typedef struct {
  real strength; /* m mu */
  vec3 at;       /* at t = 0 */
  vec3 axis;
  real rate; /* of its turning about the axis */
} attractor;

/* The first POINT_CONSTANTS numbers come from the job. */
typedef struct {
  real mu, mass, inverse_mass, strength; /* m mu */
  real drag;
  vec3 pressure;
  real thrust;
  attractor other[ORBIT_ATTRACTORS];
  int forced, attractors; /* whether there are forces besides gravity, and how many attractors */
  real parameter[SD_METHOD_PARAMETERS_MAX];
} constants;

/* What a problem is: functions of position and time. */
typedef struct {
  real (*potential)(vec3 q, real time, const constants *c);
  vec3 (*force)(vec3 q, real time, const constants *c);
  mat3 (*force_derivative)(vec3 q, real time, const constants *c);
} problem;

/* One step of a method: what a file in methods/ defines. */
typedef state (*step_fn)(state s, const problem *p, const constants *c, real h, step_log *log);

/* ---- gravity ---- */

FN vec3 attractor_at(const attractor *a, real time) {
  real sine, cosine;
  vec3 along = vec3_scale(vec3_dot(a->axis, a->at), a->axis), arm = vec3_sub(a->at, along);
  real_sincos(a->rate * time, &sine, &cosine);
  return vec3_add(along, vec3_axpy(sine, vec3_cross(a->axis, arm), vec3_scale(cosine, arm)));
}

/* What the further attractors add; rate is dV/dt. */
typedef struct {
  real potential, rate;
  vec3 force;
  mat3 derivative;
} attraction;

/* Of one, seen along x = q - x_k: V = -s/|x|, -dV/dq = -s x/|x|^3, its derivative -s (I - 3 x x^T/|x|^2)/|x|^3 */
FN attraction attraction_of(real strength, vec3 x) {
  real inverse = real_rsqrt(vec3_norm2(x)), inverse2 = inverse * inverse, pull = strength * (inverse2 * inverse);
  real diagonal = -pull;
  attraction a = {
      -(strength * inverse), real_splat(0), vec3_scale(diagonal, x),
      mat3_add_diagonal(mat3_outer_add(vec3_scale(3.0 * (pull * inverse2), x), x, mat3_diagonal(vec3_zero())),
                        vec3_make(diagonal, diagonal, diagonal))};
  return a;
}
FN_APART attraction attraction_of_others(vec3 q, real time, const constants *c) {
  attraction sum = {real_splat(0), real_splat(0), vec3_zero(), mat3_diagonal(vec3_zero())};
  for (int k = 0; k < c->attractors; k++) {
    const attractor *other = &c->other[k];
    vec3 at = attractor_at(other, time);
    attraction a = attraction_of(other->strength, vec3_sub(q, at));
    sum.potential = sum.potential + a.potential;
    sum.rate = sum.rate + other->rate * vec3_dot(a.force, vec3_cross(other->axis, at)); /* dV/dt = force . x_k' */
    sum.force = vec3_add(sum.force, a.force);
    sum.derivative = mat3_add(sum.derivative, a.derivative);
  }
  return sum;
}

FN real gravity_potential(vec3 q, real time, const constants *c) {
  real potential = attraction_of(c->strength, q).potential;
  return c->attractors ? potential + attraction_of_others(q, time, c).potential : potential;
}
FN vec3 gravity_force(vec3 q, real time, const constants *c) {
  vec3 force = attraction_of(c->strength, q).force;
  return c->attractors ? vec3_add(force, attraction_of_others(q, time, c).force) : force;
}
FN mat3 gravity_force_derivative(vec3 q, real time, const constants *c) {
  mat3 derivative = attraction_of(c->strength, q).derivative;
  return c->attractors ? mat3_add(derivative, attraction_of_others(q, time, c).derivative) : derivative;
}

/* ---- forces that are not conservative ---- */

FN vec3 direction_of(vec3 v) { /* 0 at rest */
  real v2 = vec3_norm2(v);
  return vec3_scale(real_select(real_less(real_splat(0), v2), real_rsqrt(v2), real_splat(0)), v);
}
FN vec3 push_of(const constants *c, vec3 v) {
  return vec3_axpy(c->thrust, direction_of(v), vec3_axmy(c->drag, v, c->pressure));
}
/* -drag I + thrust (I - d d^T)/|v|, d the direction of v */
FN mat3 push_derivative(const constants *c, vec3 v) {
  vec3 d = direction_of(v);
  real over_speed = c->thrust * vec3_dot(d, d) *
                    real_select(real_less(real_splat(0), vec3_norm2(v)), real_rsqrt(vec3_norm2(v)), real_splat(0));
  real diagonal = over_speed - c->drag;
  return mat3_add_diagonal(mat3_outer_add(vec3_scale(-over_speed, d), d, mat3_diagonal(vec3_zero())),
                           vec3_make(diagonal, diagonal, diagonal));
}
/* F.v + dV/dt */
FN real power_of(const constants *c, vec3 q, vec3 v, real time) {
  real power = c->forced ? vec3_dot(push_of(c, v), v) : real_splat(0);
  return c->attractors ? power + attraction_of_others(q, time, c).rate : power;
}

FN vec3 velocity_of(const constants *c, vec3 p) {
  return vec3_scale(c->inverse_mass, p);
}
FN int is_driven(const constants *c) { /* H changes, or may */
  return c->forced | c->attractors;
}

#endif
