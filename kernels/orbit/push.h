/* push.h - the forces that are not conservative; at the end of point.h, which has the types.
 *
 *   F = [light(q)] pressure - drag v + thrust v/|v| - C exp(-(|q| - base)/H) |w| w,   w = v - spin x q
 *
 * light is 0 within the cylinder behind the centre, seen along the pressure, and 1 outside.  Its edge is smooth: with
 * the distance s from the axis and x = (s - shadow)/width + 1/2 within 0 .. 1, light = x^3 (10 - 15 x + 6 x^2), whose
 * first two derivatives vanish at both ends.
 *
 * A burn adds its force.  The mass that it takes changes no more than how much forces accelerate: p stays m v with the
 * mass m at the start, and F is multiplied by m/(m - mass gone).
 *
 * Air, shadow and burns are functions of their own, so that those who have none pay for none. */
#ifndef SD_ORBIT_PUSH_H
#define SD_ORBIT_PUSH_H

/* What air and shadow come to at a place. */
typedef struct {
  vec3 pressure, wind; /* the velocity of the air */
  real drag;           /* C at this height */
  real lightness;      /* the mass at the start over what is left of it */
} surroundings;

FN real light_at(const constants *c, vec3 q) {
  vec3 away = direction_of(c->pressure); /* from the light */
  real behind = vec3_dot(q, away), zero = real_splat(0), one = real_splat(1);
  real aside = real_sqrt(vec3_norm2(vec3_axmy(behind, away, q)));
  real x = real_min(real_max(real_fma(aside - c->shadow, c->inverse_edge, real_splat(0.5)), zero), one);
  real light = x * x * x * real_fma(x, real_fma(x, real_splat(6), real_splat(-15)), real_splat(10));
  return real_select(real_less(zero, behind) & real_less(zero, c->shadow), light, one);
}
/* What burns have left of the mass. */
FN real mass_at(const constants *c, real time) {
  return c->mass - real_fma(c->burn.flow, time - c->burn.since, c->burn.gone);
}
/* A body of which nothing is left is lost. */
FN real lightness_at(const constants *c, real time) {
  real left = mass_at(c, time);
  return real_select(real_less(real_splat(0), left), c->mass / left, real_nan());
}
/* What no member here has is left out where it would change no bit. */
FN surroundings surroundings_at(const constants *c, vec3 q, real time) {
  real height = real_sqrt(vec3_norm2(q)) - c->air.base;
  surroundings here = {c->shaded ? vec3_scale(light_at(c, q), c->pressure) : c->pressure, vec3_cross(c->air.spin, q),
                       c->air.drag * real_exp(-(height * c->air.inverse_height)),
                       c->burn.on ? lightness_at(c, time) : c->burn.lightness};
  return here;
}

/* Nothing along v has the sign that nothing along its direction has. */
FN vec3 push_alone(const constants *c, vec3 pressure, vec3 v) {
  return vec3_axpy(c->thrust, c->thrusts ? direction_of(v) : v, vec3_axmy(c->drag, v, pressure));
}
FN vec3 burn_force(const constants *c, vec3 q, vec3 v) {
  return c->burn.on ? from_frame(c->burn.frame, c->burn.force, q, v) : vec3_zero();
}
FN_OFTEN vec3 push_in_air(const constants *c, vec3 q, vec3 v, real time) {
  surroundings here = surroundings_at(c, q, time);
  vec3 w = vec3_sub(v, here.wind), push = vec3_add(push_alone(c, here.pressure, v), burn_force(c, q, v));
  return vec3_scale(here.lightness, vec3_axmy(here.drag * real_sqrt(vec3_norm2(w)), w, push));
}
FN vec3 push_of(const constants *c, vec3 q, vec3 v, real time) {
  return c->aired ? push_in_air(c, q, v, time) : push_alone(c, c->pressure, v);
}
/* Half of each, at two places and times. */
FN vec3 mean_push(const constants *c, vec3 q, vec3 q1, vec3 v, real time, real time1) {
  if (!c->aired) return push_alone(c, c->pressure, v);
  return vec3_scale(real_splat(0.5), vec3_add(push_in_air(c, q, v, time), push_in_air(c, q1, v, time1)));
}

/* dF/dv: -drag I + thrust (I - d d^T)/|v|, d the direction of v */
FN mat3 push_derivative_alone(const constants *c, vec3 v) {
  vec3 d = direction_of(v);
  real over_speed = c->thrust * vec3_dot(d, d) *
                    real_select(real_less(real_splat(0), vec3_norm2(v)), real_rsqrt(vec3_norm2(v)), real_splat(0));
  real diagonal = over_speed - c->drag;
  return mat3_add_diagonal(mat3_outer_add(vec3_scale(-over_speed, d), d, mat3_diagonal(vec3_zero())),
                           vec3_make(diagonal, diagonal, diagonal));
}
/* and -C (|w| I + w w^T/|w|).  What the place changes, and how a burn turns with the velocity, is left out: an
 * iteration that takes this for the whole of it converges all the same. */
FN_APART mat3 push_derivative_in_air(const constants *c, vec3 q, vec3 v, real time) {
  surroundings here = surroundings_at(c, q, time);
  vec3 w = vec3_sub(v, here.wind), d = direction_of(w);
  real drag = here.drag * real_sqrt(vec3_norm2(w));
  return mat3_scale(here.lightness,
                    mat3_add_diagonal(mat3_outer_add(vec3_scale(-drag, d), d, push_derivative_alone(c, v)),
                                      vec3_make(-drag, -drag, -drag)));
}
FN mat3 push_derivative(const constants *c, vec3 q, vec3 v, real time) {
  return c->aired ? push_derivative_in_air(c, q, v, time) : push_derivative_alone(c, v);
}

/* F.v + dV/dt, of a push F that is there where anything is forced */
FN real power_of_push(const constants *c, vec3 push, vec3 q, vec3 v, real time) {
  real power = c->forced ? vec3_dot(push, v) : real_splat(0);
  return c->attractors ? power + attraction_of_moving(q, time, c).rate : power;
}
FN real power_of(const constants *c, vec3 q, vec3 v, real time) {
  return power_of_push(c, c->forced ? push_of(c, q, v, time) : vec3_zero(), q, v, time);
}

#endif
