/* point.h - a point mass in R^3 x R^3 about a centre: state, gravity, and what a method must provide.
 *
 *   q' = p/m,   p' = -dV/dq(q, t) + F(q, v, t),   v = p/m
 *   V  = -m mu/|q| + zonal harmonics (zonal.h) - sum_k m mu_k (1/|q - x_k(t)| - [q.x_k/|x_k|^3])
 *
 * F, the forces that are not conservative, is in push.h.  The further attractors x_k(t) rest, turn about an axis
 * through the centre, or are on Kepler orbits about it; the term in brackets is there where they accelerate the centre,
 * too. Next to q and p every method integrates the work that the energy is changed by, w' = F.v + dV/dt: H - w stays as
 * it is, and what a method makes of it is the method's own error. */
#ifndef SD_POINT_H
#define SD_POINT_H

#include "../elementary.h"
#include "../job.h"
#include "../newton.h"
#include "kepler.h"
#include "parameters.h"
#include "zonal.h"

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

/* One on a Kepler orbit, where it starts with a velocity. */
typedef struct {
  vec3 velocity;
  real mu; /* of the orbit */
} guide;

/* An atmosphere that turns with the centre and thins out exponentially. */
typedef struct {
  real drag, inverse_height, base; /* C at the distance `base` from the centre */
  vec3 spin;
} atmosphere;

/* The burn that is on, and the mass that burns have taken: `gone` until `since`, `flow` a time unit from then on. */
typedef struct {
  int on, frame;
  vec3 force;
  real gone, flow, since;
  real lightness; /* the mass at the start over what is left of it, where none flows */
} burn_on;

/* The first ORBIT_CONSTANTS numbers come from the job. */
typedef struct {
  real mu, mass, inverse_mass, strength; /* m mu */
  real drag;
  vec3 pressure;
  real thrust;
  attractor other[ORBIT_ATTRACTORS];
  zonal_field zonal;
  atmosphere air;
  real shadow, inverse_edge; /* radius of the cylinder behind the centre, 1/width of its edge */
  real indirect;
  guide guide[ORBIT_ATTRACTORS];
  int forced, attractors; /* whether there are forces besides gravity, and how many attractors */
  burn_on burn;
  int always_forced, two_body; /* also where no burn is on; whether there is nothing but the centre */
  int aired, guided, degree;   /* whether there is air or a shadow, guides or what is indirect; the highest harmonic */
  int shaded, thrusts;         /* whether any of these members has a shadow, or a thrust */
  real parameter[SD_METHOD_PARAMETERS_MAX];
} constants;

/* What a problem is: functions of position and time. */
typedef struct {
  real (*potential)(vec3 q, real time, const constants *c);
  vec3 (*force)(vec3 q, real time, const constants *c);
  mat3 (*force_derivative)(vec3 q, real time, const constants *c);
  int bare; /* there is nothing but the centre, and whoever compiles this knows it; 0: the constants say what there is
             */
} problem;

FN int is_forced(const problem *p, const constants *c) {
  return !p->bare && c->forced;
}
FN int has_others(const problem *p, const constants *c) { /* further attractors */
  return !p->bare && c->attractors;
}
FN int is_driven(const problem *p, const constants *c) { /* H changes, or may */
  return !p->bare && (c->forced | c->attractors);
}

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

/* Where one is, and how fast, wherever it may be going. */
FN kepler_point other_at(int k, real time, const constants *c) {
  const attractor *other = &c->other[k];
  vec3 turning = attractor_at(other, time);
  kepler_point at = {turning, vec3_scale(other->rate, vec3_cross(other->axis, turning))};
  mask guided = real_less(real_splat(0), vec3_norm2(c->guide[k].velocity));
  if (mask_any(guided)) {
    kepler_point on = kepler_after(other->at, c->guide[k].velocity, c->guide[k].mu, time);
    at.q = vec3_select(guided, on.q, at.q);
    at.v = vec3_select(guided, on.v, at.v);
  }
  return at;
}

/* The same of those that are on Kepler orbits, or accelerate the centre: V has m mu_k q.x_k/|x_k|^3 then. */
FN_APART attraction attraction_of_guided(vec3 q, real time, const constants *c) {
  attraction sum = {real_splat(0), real_splat(0), vec3_zero(), mat3_diagonal(vec3_zero())};
  for (int k = 0; k < c->attractors; k++) {
    const attractor *other = &c->other[k];
    kepler_point at = other_at(k, time, c);
    attraction a = attraction_of(other->strength, vec3_sub(q, at.q));
    sum.potential = sum.potential + a.potential;
    sum.rate = sum.rate + vec3_dot(a.force, at.v);
    sum.force = vec3_add(sum.force, a.force);
    sum.derivative = mat3_add(sum.derivative, a.derivative);
    /* a body at the centre, which no force can be of, attracts nobody */
    attraction of_centre = attraction_of(c->indirect * other->strength, at.q);
    mask there = real_less(real_splat(0), c->indirect * other->strength);
    vec3 pull = vec3_select(there, of_centre.force, vec3_zero()); /* -m mu_k x_k/|x_k|^3 */
    sum.force = vec3_add(sum.force, pull);
    sum.potential = sum.potential - vec3_dot(pull, q);
    vec3 change = vec3_select(there, mat3_apply(of_centre.derivative, at.v), vec3_zero());
    sum.rate = sum.rate - vec3_dot(change, q);
  }
  return sum;
}
FN attraction attraction_of_moving(vec3 q, real time, const constants *c) {
  return c->guided ? attraction_of_guided(q, time, c) : attraction_of_others(q, time, c);
}

/* Gravity besides the centre's. */
FN int is_perturbed(const constants *c) {
  return c->attractors | c->degree;
}
FN vec3 perturbing_force(vec3 q, real time, const constants *c) {
  vec3 force = c->attractors ? attraction_of_moving(q, time, c).force : vec3_zero();
  if (!c->degree) return force;
  return vec3_add(force, zonal_force(&c->zonal, c->degree, q, real_rsqrt(vec3_norm2(q))));
}

/* The centre's alone. */
FN real bare_potential(vec3 q, real time, const constants *c) {
  (void)time;
  return attraction_of(c->strength, q).potential;
}
FN vec3 bare_force(vec3 q, real time, const constants *c) {
  (void)time;
  return attraction_of(c->strength, q).force;
}
FN mat3 bare_force_derivative(vec3 q, real time, const constants *c) {
  (void)time;
  return attraction_of(c->strength, q).derivative;
}

FN real gravity_potential(vec3 q, real time, const constants *c) {
  real potential = bare_potential(q, time, c);
  if (c->attractors) potential = potential + attraction_of_moving(q, time, c).potential;
  return c->degree ? potential + zonal_potential(&c->zonal, c->degree, q) : potential;
}
FN vec3 gravity_force(vec3 q, real time, const constants *c) {
  vec3 force = bare_force(q, time, c);
  return is_perturbed(c) ? vec3_add(force, perturbing_force(q, time, c)) : force;
}
FN mat3 gravity_force_derivative(vec3 q, real time, const constants *c) {
  mat3 derivative = bare_force_derivative(q, time, c);
  if (c->attractors) derivative = mat3_add(derivative, attraction_of_moving(q, time, c).derivative);
  return c->degree ? mat3_add(derivative, zonal_force_derivative(&c->zonal, c->degree, q)) : derivative;
}

FN vec3 direction_of(vec3 v) { /* 0 at rest */
  real v2 = vec3_norm2(v);
  return vec3_scale(real_select(real_less(real_splat(0), v2), real_rsqrt(v2), real_splat(0)), v);
}
FN vec3 velocity_of(const constants *c, vec3 p) {
  return vec3_scale(c->inverse_mass, p);
}
/* Components in a frame of a place and a velocity, along fixed axes. */
FN vec3 from_frame(int frame, vec3 components, vec3 q, vec3 v) {
  if (frame == SD_FRAME_FIXED) return components;
  vec3 normal = direction_of(vec3_cross(q, v)), outward, forward;
  if (frame == SD_FRAME_RTN) outward = direction_of(q), forward = vec3_cross(normal, outward);
  else forward = direction_of(v), outward = vec3_cross(forward, normal);
  return vec3_axpy(components.x, outward, vec3_axpy(components.y, forward, vec3_scale(components.z, normal)));
}

#include "push.h"

#endif
