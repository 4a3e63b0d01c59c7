/* kepler.h - the two-body problem solved: where a point that starts at q, v about a centre of strength mu is after a
 * time, on an ellipse, a parabola or a hyperbola, by universal variables.
 *
 * With a = 2/|q| - v^2/mu (the inverse of the semi-major axis), s = q.v/sqrt(mu), z = a x^2 and Stumpff's functions
 * c2(z) = (1 - cos sqrt z)/z, c3(z) = (sqrt z - sin sqrt z)/z^(3/2), the universal anomaly x solves
 *
 *   sqrt(mu) t = x^3 c3 + s x^2 c2 + |q| x (1 - z c3),
 *
 * whose right-hand side grows with x everywhere (its slope is the distance at x).  It is solved by Laguerre's method
 * with n = 5: B. A. Conway, Celest. Mech. 39 (1986) 199-211, doi:10.1007/BF01230852.  That finds nearly all ellipses in
 * a few iterations; what it does not solve, or where the terms cancel, is solved between bounds that close in. R. H.
 * Battin, An introduction to the mathematics and methods of astrodynamics, AIAA (1999), doi:10.2514/4.861543. */
#ifndef SD_KEPLER_H
#define SD_KEPLER_H

#include "../elementary.h"
#include "../vec3.h"

enum { KEPLER_CAP = 60 };

typedef struct {
  real c2, c3;
} stumpff;

/* z < 0: by the series where |z| <= 1/2, from z/4 by c2(4 z) = c1^2/2, c3(4 z) = (c2 + c0 c3)/4 elsewhere. */
FN_RARE stumpff stumpff_hyperbolic(real z) {
  enum { QUARTERS = 11 }; /* reach z = -2^21; cosh overflows long before */
  static const double inverse[] = {1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                   1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
                                   1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21};
  real quarters = real_splat(0), one = real_splat(1), c2 = one, c3 = one;
  for (int i = 0; i < QUARTERS; i++) {
    mask large = real_less(z, real_splat(-0.5));
    z = real_select(large, 0.25 * z, z);
    quarters = quarters + real_select(large, one, real_splat(0));
  }
  for (int k = 16; k >= 2; k -= 2) { /* 1 - z/((k+1)(k+2)) (...), Horner's way */
    c2 = real_fma(-(z * (inverse[k - 1] * inverse[k])), c2, one);
    c3 = real_fma(-(z * (inverse[k] * inverse[k + 1])), c3, one);
  }
  c2 = 0.5 * c2;
  c3 = c3 * (1.0 / 6.0);
  for (int i = 0; i < QUARTERS; i++) {
    mask back = real_less(real_splat(i), quarters);
    real c0 = real_fma(-z, c2, one), c1 = real_fma(-z, c3, one);
    c3 = real_select(back, 0.25 * real_fma(c0, c3, c2), c3);
    c2 = real_select(back, 0.5 * (c1 * c1), c2);
    z = real_select(back, 4.0 * z, z);
  }
  stumpff both = {c2, c3};
  return both;
}
FN stumpff stumpff_of(real z) {
  mask elliptic = real_at_most(real_splat(0), z);
  rotation_series r = real_rotation_series(real_max(z, real_splat(0)));
  stumpff c = {r.cosc, r.sinc3};
  if (mask_any(mask_not(elliptic))) {
    stumpff h = stumpff_hyperbolic(real_min(z, real_splat(0)));
    c.c2 = real_select(elliptic, c.c2, h.c2);
    c.c3 = real_select(elliptic, c.c3, h.c3);
  }
  return c;
}

/* 2/|q| - v^2/mu: positive, zero, negative for ellipse, parabola, hyperbola. */
FN real inverse_axis(vec3 q, vec3 v, real mu) {
  return 2.0 / real_sqrt(vec3_norm2(q)) - vec3_norm2(v) / mu;
}
FN real kepler_period(real a, real mu) {
  return 6.283185307179586 / (a * real_sqrt(mu * a));
}

/* The time from the start, less whole periods.  NaN after so many that the period's rounding is a turn or more. */
FN real kepler_reduced(real time, real a, real mu) {
  mask elliptic = real_less(real_splat(0), a);
  real period = kepler_period(real_select(elliptic, a, real_splat(1)), mu), turns = time / period;
  real whole = (turns + INTEGER_SHIFT) - INTEGER_SHIFT;
  whole = real_select(real_at_most(real_abs(turns), real_splat(0x1p51)), whole, real_nan());
  return real_select(elliptic, real_fnma(whole, period, time), time);
}

typedef struct {
  vec3 q, v;
} kepler_point;

typedef struct {
  real reach, axis, inflow; /* |q|, a, s */
  real goal;                /* sqrt(mu) t */
} kepler_equation;

/* A first x.  Ellipse: as on the circle of the same period.  Hyperbola: what e^sqrt(-z), alone, asks for, where that is
 * large; else, and on a parabola, as if the distance stayed, or at most the cube root that free fall allows. */
FN real kepler_guess(const kepler_equation *e) {
  real zero = real_splat(0), size = real_abs(e->goal);
  real flat = size / e->reach, fall = real_exp(real_log(real_max(6.0 * size, real_splat(1e-300))) * (1.0 / 3.0));
  real guess = real_min(flat, fall), bend = real_max(-e->axis, zero), root = real_sqrt(bend);
  mask open = real_less(real_splat(1e-12), bend * e->reach);
  real growth = real_select(open, 1.0 + 2.0 * (bend * root * size) / (1.0 + bend * e->reach), real_splat(1));
  real steep = real_select(open, real_log(growth) / real_select(open, root, real_splat(1)), guess);
  guess = real_min(guess, real_max(steep, 0.01 * guess));
  guess = real_select(real_less(zero, e->axis), e->axis * size, guess);
  return real_copy_sign(real_abs(guess), e->goal);
}

/* Lanes that do not converge give NaN. */
FN real kepler_anomaly(const kepler_equation *e) {
  real x = kepler_guess(e), one = real_splat(1);
  mask active = mask_all_set();
  for (int i = 0; i < KEPLER_CAP; i++) {
    real z = e->axis * (x * x);
    stumpff c = stumpff_of(z);
    real c0 = real_fma(-z, c.c2, one), c1 = real_fma(-z, c.c3, one), x2c2 = x * x * c.c2;
    real rest = real_fma(x * x * x, c.c3, real_fma(e->inflow, x2c2, e->reach * x * c1)) - e->goal;
    real slope = x2c2 + real_fma(e->inflow, x * c1, e->reach * c0);
    real bend = real_fma(e->inflow, c0, real_fma(-e->axis, e->reach, one) * (x * c1));
    real under = real_abs(real_fnma(20.0 * rest, bend, 16.0 * (slope * slope)));
    real change = 5.0 * rest / (slope + real_sqrt(under));
    x = real_select(active, x - change, x);
    mask lost = mask_not(change == change);                            /* and x with it */
    mask done = real_at_most(real_abs(change), 0x1p-26 * real_abs(x)); /* third order: the next is rounding */
    active = active & mask_not(lost | done);
    if (!mask_any(active)) break;
  }
  return real_select(active, real_nan(), x);
}

/* ---- the same where that failed: fast and long hyperbolas, mostly ---- */

/* reach x c1 + inflow x^2 c2 + cube x^3 c3 = goal, z = axis x^2, whose left side grows where it is used; goal >= 0. */
typedef struct {
  real axis, reach, inflow, cube, goal;
} stumpff_equation;

FN real cube_root(real x) { /* of x >= 0, roughly */
  return real_exp(real_log(real_max(x, real_splat(1e-300))) * (1.0 / 3.0));
}

/* Its root in [0, high], by Newton's method where that stays between the bounds known so far and takes a quarter of the
 * change before, otherwise by halving the bits between them, which takes no more than 64 halvings whatever the size of
 * the root.  A left side that overflows is too large.  NaN where the equation is not finite, or the cap is reached. */
FN_APART real stumpff_root(stumpff_equation e, real high) {
  enum { CAP = 200 };
  real zero = real_splat(0), one = real_splat(1), low = zero, x = high, last = high;
  mask active = real_finite(e.axis + e.reach + e.inflow + e.goal + high);
  mask lost = mask_not(active);
  for (int i = 0; i < CAP && mask_any(active); i++) {
    real x2 = x * x, z = e.axis * x2;
    stumpff c = stumpff_of(z);
    real xc1 = x * real_fma(-z, c.c3, one), x2c2 = x2 * c.c2;
    real rest = real_fma(e.cube * (x2 * x), c.c3, real_fma(e.inflow, x2c2, e.reach * xc1)) - e.goal;
    real slope = real_fma(e.cube, x2c2, real_fma(e.inflow, xc1, e.reach * real_fma(-z, c.c2, one)));
    mask below = real_less(rest, zero);
    low = real_select(active & below, x, low);
    high = real_select(active & mask_not(below), x, high);
    real newton = x - rest / slope;
    mask quick = real_at_most(low, newton) & real_at_most(newton, high) &
                 real_at_most(real_abs(newton - x), 0.25 * last) &
                 real_finite(slope); /* an infinite one would leave x where it is */
    real half = real_from_bits(real_bits(low) + bits_shift_right(real_bits(high) - real_bits(low), 1));
    real next = real_select(quick, newton, half);
    last = real_abs(next - x);
    x = real_select(active, next, x);
    active = active & mask_not(real_at_most(last, 0x1p-52 * x));
  }
  return real_select(active | lost, real_nan(), x);
}

/* Where x is, and how far from the centre that is. */
typedef struct {
  real x, distance;
} kepler_place;

FN real kepler_distance(const kepler_equation *e, real x, stumpff c) { /* the slope of the equation */
  real z = e->axis * (x * x), one = real_splat(1);
  return x * x * c.c2 + real_fma(e->inflow, x * real_fma(-z, c.c3, one), e->reach * real_fma(-z, c.c2, one));
}

/* What falls in on a hyperbola, fast, passes the centre and leaves again has an equation whose terms cancel to nothing.
 * Counted from the pericentre (its distance p/(1 + eccentricity)) they do not: the start is at -x0, with
 * eccentricity x0 c1 = -s, and x = x0 + x1.  For t >= 0; `momentum` is |q x v|^2/mu, that is p. */
FN_APART kepler_place kepler_by_brackets(kepler_equation e, real momentum) {
  real zero = real_splat(0), one = real_splat(1);
  mask past = real_less(e.axis, zero) & real_less(e.inflow, zero);
  mask bound = real_less(zero, e.axis);
  stumpff_equation f = {e.axis, e.reach, e.inflow, one, e.goal};
  real before = zero, eccentricity = one;
  if (mask_any(past)) {
    eccentricity = real_sqrt(real_fma(-real_select(past, e.axis, zero), momentum, one));
    real turn = real_select(past, -e.inflow / eccentricity, zero), near = momentum / (one + eccentricity);
    stumpff_equation inward = {real_select(past, e.axis, zero), one, zero, zero, turn};
    before = stumpff_root(inward, turn);
    real b2 = before * before, z = e.axis * b2;
    stumpff c = stumpff_of(real_select(past, z, zero));
    real fall = real_fma(eccentricity * (b2 * before), c.c3, near * before);
    f.reach = real_select(past, near, f.reach);
    f.inflow = real_select(past, zero, f.inflow);
    f.goal = real_select(past, e.goal - fall, f.goal);
  }
  real later = real_copy_sign(one, f.goal);
  f.goal = real_abs(f.goal);
  real wide = real_sqrt(2.0 * f.reach) + 1.01 * cube_root(6.0 * f.goal),
       round = 6.5 / real_sqrt(real_select(bound, e.axis, one));
  real x = later * stumpff_root(f, real_select(bound, round, wide));
  kepler_equation from = {f.reach, e.axis, f.inflow, f.goal};
  kepler_place place = {real_select(past, before + x, x), kepler_distance(&from, x, stumpff_of(e.axis * (x * x)))};
  return place;
}

/* Whether x solves the equation, and none of its digits were lost in the sum: its terms are not much larger. */
FN mask kepler_solved(const kepler_equation *e, real x, stumpff c) {
  real x2c2 = x * x * c.c2, xc1 = x * real_fma(-(e->axis * (x * x)), c.c3, real_splat(1));
  real first = e->reach * xc1, second = e->inflow * x2c2, third = x * x * x * c.c3;
  real size = real_abs(first) + real_abs(second) + real_abs(third);
  return real_at_most(real_abs((third + second + first) - e->goal), 0x1p-32 * size) &
         real_at_most(size, 64.0 * real_abs(e->goal));
}

FN_APART kepler_point kepler_after(vec3 q, vec3 v, real mu, real time) {
  real a = inverse_axis(q, v, mu), reach = real_sqrt(vec3_norm2(q)), root = real_sqrt(mu), one = real_splat(1);
  real t = kepler_reduced(time, a, mu);
  kepler_equation e = {reach, a, vec3_dot(q, v) / root, root * t};
  mask here = real_abs(t) == 0.0;
  real x = real_select(here, real_splat(0), kepler_anomaly(&e)), x2 = x * x, z = a * x2;
  stumpff c = stumpff_of(z);
  real distance = kepler_distance(&e, x, c);
  mask solved = kepler_solved(&e, x, c);
  if (!mask_every(solved)) {
    real way = real_copy_sign(one, t);
    kepler_equation ahead = {reach, a, way * e.inflow, real_abs(e.goal)};
    kepler_place place = kepler_by_brackets(ahead, vec3_norm2(vec3_cross(q, v)) / mu);
    x = real_select(solved, x, way * place.x);
    distance = real_select(solved, distance, place.distance);
    x2 = x * x;
    z = a * x2;
    c = stumpff_of(z);
  }
  real x2c2 = x2 * c.c2, c1 = real_fma(-z, c.c3, one);
  real f = one - x2c2 / reach, g = t - x2 * x * c.c3 / root;
  real df = -(root / (distance * reach)) * (x * c1), dg = one - x2c2 / distance;
  kepler_point at = {vec3_axpy(g, v, vec3_scale(f, q)), vec3_axpy(dg, v, vec3_scale(df, q))};
  return at;
}

#endif
