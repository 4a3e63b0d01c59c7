/* encke - deviations from the orbit about the centre alone, which is known, by collocation at Gauss' eight nodes. Every
 * step begins at its own two-body orbit, in Stiefel and Scheifele's regular time: dt = r ds, ' = d/ds,
 *
 *   q'' + a q = -mu e + r^2 F,   a' = -2 F.q',   (mu e)' = 2 (F.q') q - (F.q) q' - (q.q') F,
 *
 * with F all accelerations but the centre's, a = 2 mu/r - v^2 and e the eccentricity vector.  What this adds to the
 * two-body orbit are integrals over s.  They are found in three sweeps over the nodes, each with the forces where the
 * one before has led; the first one feels its way from node to node.  So what is linear in F is integrated with order
 * 16, and what is left out is of the fourth power of F.  Order 6 as h goes to 0, and 2 with forces that depend on the
 * velocity, which are taken in the second sweep alone.  Not symmetric; exact, but for rounding, where there is nothing
 * but the centre.
 *
 * A step ends in s where the two-body orbit does.  The little time that is then missing, or too much, is made up for by
 * the two-body orbit and the force halfway.
 *
 * E. L. Stiefel, G. Scheifele, Linear and regular celestial mechanics, Springer (1971), doi:10.1007/978-3-642-65027-7.
 */
#define SD_UNHELD /* ten integrals at eight nodes */
#include "../gauss_8.h"
#include "../kepler.h"
#include "../point.h"

enum { ENCKE_LINEAR = 6, ENCKE_SLOW = 4 }; /* of q: by cosine and sine, three each; of a and mu e */

/* The unperturbed orbit, s from 0 on: q = q0 + u1 q0' + u2 q0''. */
typedef struct {
  real mu, axis, reach, flow; /* a, |q0|, q0.v0 */
  vec3 start, slope, bend;    /* q0, q0', q0'' */
} encke_orbit;

/* Where it is at s, with Stumpff's u0, u1 = u0's integral and so on. */
typedef struct {
  real u0, u1, u2, u3;
} encke_angle;

/* c2 and c3 of kepler.h: series where |z| <= 4. */
FN stumpff encke_stumpff(real z) {
  static const double a[] = {-0.041666666666666664,  0.001388888888888889,   -2.48015873015873e-05,
                             2.755731922398589e-07,  -2.08767569878681e-09,  1.1470745597729725e-11,
                             -4.779477332387385e-14, 1.5619206968586225e-16, -4.110317623312165e-19,
                             8.896791392450574e-22};
  static const double b[] = {-0.008333333333333333,   0.0001984126984126984,   -2.7557319223985893e-06,
                             2.505210838544172e-08,   -1.6059043836821613e-10, 7.647163731819816e-13,
                             -2.8114572543455206e-15, 8.22063524662433e-18,    -1.9572941063391263e-20,
                             3.868170170630684e-23};
  stumpff c = {real_splat(a[9]), real_splat(b[9])};
  for (int k = 8; k >= 0; k--) {
    c.c2 = polynomial_step(z, c.c2, a[k]);
    c.c3 = polynomial_step(z, c.c3, b[k]);
  }
  c.c2 = polynomial_step(z, c.c2, 0.5);
  c.c3 = polynomial_step(z, c.c3, 0.16666666666666666);
  mask near = real_at_most(real_abs(z), real_splat(4));
  if (!mask_every(near)) {
    stumpff far = stumpff_of(z);
    c.c2 = real_select(near, c.c2, far.c2);
    c.c3 = real_select(near, c.c3, far.c3);
  }
  return c;
}
FN encke_angle encke_angle_at(const encke_orbit *o, real s) {
  real s2 = s * s, z = o->axis * s2;
  stumpff c = encke_stumpff(z);
  real u2 = s2 * c.c2, u3 = s2 * (s * c.c3);
  encke_angle u = {real_fnma(o->axis, u2, real_splat(1)), real_fnma(o->axis, u3, s), u2, u3};
  return u;
}
FN real encke_distance(const encke_orbit *o, encke_angle u) {
  return real_fma(o->reach, u.u0, real_fma(o->flow, u.u1, o->mu * u.u2));
}
FN real encke_time(const encke_orbit *o, encke_angle u) {
  return real_fma(o->reach, u.u1, real_fma(o->flow, u.u2, o->mu * u.u3));
}
FN vec3 encke_place(const encke_orbit *o, encke_angle u) {
  return vec3_axpy(u.u2, o->bend, vec3_axpy(u.u1, o->slope, o->start));
}
FN vec3 encke_slope(const encke_orbit *o, encke_angle u) {
  return vec3_axpy(u.u1, o->bend, vec3_scale(u.u0, o->slope));
}

/* s after the time h, nearly: the rest is made up for at the end.  As kepler_anomaly has it. */
FN real encke_end(const encke_orbit *o, real h) {
  enum { CAP = 60 };
  real s = h * o->axis / o->mu;
  mask round = real_less(real_splat(0), o->axis), active = mask_all_set();
  if (!mask_every(round)) {
    real root = real_sqrt(o->mu);
    kepler_equation e = {o->reach, o->axis / o->mu, o->flow / root, root * h};
    s = real_select(round, s, kepler_guess(&e) / root);
  }
  for (int i = 0; i < CAP; i++) {
    encke_angle u = encke_angle_at(o, s);
    real rest = encke_time(o, u) - h, slope = encke_distance(o, u);
    real bend = real_fma(o->flow, u.u0, real_fnma(o->axis, o->reach, o->mu) * u.u1);
    real under = real_abs(real_fnma(20.0 * rest, bend, 16.0 * (slope * slope)));
    real change = 5.0 * rest / (slope + real_sqrt(under));
    s = real_select(active, s - change, s);
    active = active & real_less(0x1p-6 * real_abs(s), real_abs(change)); /* not where it is NaN, and stays so */
    if (!mask_any(active)) break;
  }
  return real_select(active, real_nan(), s);
}

/* What the sweeps leave at the nodes, a row for each quantity; rates are times the end of s. */
typedef struct {
  real linear[ENCKE_LINEAR][GAUSS_NODES], slow[ENCKE_SLOW][GAUSS_NODES];
  real by_linear[ENCKE_LINEAR][GAUSS_NODES], by_slow[ENCKE_SLOW][GAUSS_NODES]; /* their integrals */
  real u0[GAUSS_NODES], u1[GAUSS_NODES], u2[GAUSS_NODES], turn[GAUSS_NODES];   /* turn: a u1 */
  vec3 at[GAUSS_NODES], slope[GAUSS_NODES];                                    /* of the unperturbed orbit */
  real time[GAUSS_NODES], distance[GAUSS_NODES];
  vec3 place[GAUSS_NODES], pull[GAUSS_NODES], push[GAUSS_NODES]; /* q, r^2 F, and what is kept of F */
  real r[GAUSS_NODES], swell[GAUSS_NODES];                       /* |q|, r q.F */
  real later[GAUSS_NODES], power[GAUSS_NODES];
} encke_nodes;

/* A step: s at its end, that over the mass, the time it begins at. */
typedef struct {
  const problem *p;
  const constants *c;
  real end, scale, begin;
} encke_step_of;

/* Gravity besides the centre's, times `scale`. */
FN vec3 encke_force(const constants *c, vec3 q, real inverse, real time, real scale) {
  if (c->degree != 2 || c->attractors) return vec3_scale(scale, perturbing_force(q, time, c));
  real inverse2 = inverse * inverse, u = vec3_dot(q, c->zonal.pole) * inverse; /* zonal.h's, in line */
  real size = (scale * c->zonal.a[0]) * (inverse2 * inverse2);
  real along = (size * inverse) * real_fma(7.5 * u, u, real_splat(-1.5));
  return vec3_axmy(3.0 * (size * u), c->zonal.pole, vec3_scale(along, q));
}

/* q at node i, as its integrals say, and what forces make of a and mu e there. */
FN void encke_visit(encke_nodes *n, const encke_step_of *e, int i, int sweep) {
  const constants *c = e->c;
  real u0 = n->u0[i], u1 = n->u1[i];
  vec3 cosine = vec3_make(n->by_linear[0][i], n->by_linear[1][i], n->by_linear[2][i]);
  vec3 sine = vec3_make(n->by_linear[3][i], n->by_linear[4][i], n->by_linear[5][i]);
  vec3 q = vec3_axpy(u0, cosine, vec3_axpy(u1, sine, n->at[i]));
  vec3 slope = vec3_axpy(u0, sine, vec3_axmy(n->turn[i], cosine, n->slope[i]));
  real r2 = vec3_norm2(q), inverse = real_rsqrt(r2), r = r2 * inverse, time = e->begin + n->time[i];
  if (c->attractors | c->burn.on) time = time + n->later[i];
  vec3 force = is_perturbed(c) ? encke_force(c, q, inverse, time, e->scale) : vec3_zero();
  if (is_forced(e->p, c)) {
    if (sweep == 1) n->push[i] = push_of(c, q, vec3_scale(inverse, slope), time);
    force = vec3_axpy(e->scale, n->push[i], force);
  }
  real power = vec3_dot(force, slope), inward = vec3_dot(force, q), flow = vec3_dot(q, slope);
  vec3 turned = vec3_axmy(flow, force, vec3_axmy(inward, slope, vec3_scale(2.0 * power, q)));
  n->slow[0][i] = -2.0 * power;
  n->slow[1][i] = turned.x;
  n->slow[2][i] = turned.y;
  n->slow[3][i] = turned.z;
  n->place[i] = q;
  n->pull[i] = vec3_scale(r2, force);
  n->r[i] = r;
  n->swell[i] = r * inward;
  if (sweep == 2 && is_driven(e->p, c)) {
    n->power[i] = c->forced ? e->end * vec3_dot(n->push[i], slope) : real_splat(0);
    if (c->attractors) n->power[i] = real_fma(e->end * r, attraction_of_moving(q, time, c).rate, n->power[i]);
  }
}
/* What that does to q: g = r^2 F - (a - a0) q - (mu e - mu e0), by sine and cosine. */
FN void encke_bend(encke_nodes *n, const encke_step_of *e, int i) {
  vec3 drift = vec3_make(n->by_slow[1][i], n->by_slow[2][i], n->by_slow[3][i]);
  vec3 g = vec3_axmy(e->end * n->by_slow[0][i], n->place[i], vec3_axmy(e->end, drift, n->pull[i]));
  vec3 back = vec3_scale(-n->u1[i], g), on = vec3_scale(n->u0[i], g);
  const real linear[ENCKE_LINEAR] = {back.x, back.y, back.z, on.x, on.y, on.z};
  for (int k = 0; k < ENCKE_LINEAR; k++) n->linear[k][i] = linear[k];
}
FN void encke_bend_all(encke_nodes *n, const encke_step_of *e) {
  for (int k = 0; k < ENCKE_SLOW; k++) gauss_parts(n->by_slow[k], n->slow[k]);
  for (int i = 0; i < GAUSS_NODES; i++) encke_bend(n, e, i);
}

/* The first sweep: what is not known yet is extrapolated from the nodes before. */
FN void encke_feel(encke_nodes *n, const encke_step_of *e) {
  static const double ahead[GAUSS_NODES][GAUSS_NODES] = GAUSS_AHEAD;
  for (int i = 0; i < GAUSS_NODES; i++) {
    real linear[ENCKE_LINEAR], slow[ENCKE_SLOW], zero = real_splat(0);
    for (int k = 0; k < ENCKE_LINEAR; k++) linear[k] = zero;
    for (int k = 0; k < ENCKE_SLOW; k++) slow[k] = zero;
    for (int j = 0; j < i; j++) {
      real by = ahead[i][j] - zero; /* as real_splat, but for the sign of 0 */
      for (int k = 0; k < ENCKE_LINEAR; k++) linear[k] = real_fma(by, n->linear[k][j], linear[k]);
      for (int k = 0; k < ENCKE_SLOW; k++) slow[k] = real_fma(by, n->slow[k][j], slow[k]);
    }
    for (int k = 0; k < ENCKE_LINEAR; k++) n->by_linear[k][i] = linear[k];
    for (int k = 0; k < ENCKE_SLOW; k++) n->by_slow[k][i] = slow[k];
    encke_visit(n, e, i, 0);
    encke_bend(n, e, i);
  }
  encke_bend_all(n, e);
}
FN void encke_sweep(encke_nodes *n, const encke_step_of *e, int sweep) {
  if (e->c->attractors | e->c->burn.on) { /* how much later it is at a node than on the unperturbed orbit */
    real more[GAUSS_NODES];
    for (int i = 0; i < GAUSS_NODES; i++) more[i] = e->end * (n->r[i] - n->distance[i]);
    gauss_parts(n->later, more);
  }
  for (int k = 0; k < ENCKE_LINEAR; k++) gauss_parts(n->by_linear[k], n->linear[k]);
  for (int i = 0; i < GAUSS_NODES; i++) encke_visit(n, e, i, sweep);
  encke_bend_all(n, e);
}

/* The two-body orbit for a short time, by the series of f and g, where what is left out of them is below rounding. */
FN kepler_point encke_short(vec3 q, vec3 v, real inverse, real mu, real t) {
  real inverse2 = inverse * inverse, pull = mu * (inverse2 * inverse), turn = vec3_dot(q, v) * inverse2;
  real speed = vec3_norm2(v) * inverse2, turn2 = turn * turn, t2 = t * t;
  real f4 = (3.0 * speed - 2.0 * pull) - 15.0 * turn2;
  real f5 = (3.0 * speed - 2.0 * pull) - 7.0 * turn2;
  real f6 = turn2 * (630.0 * speed - 420.0 * pull - 945.0 * turn2) -
            (22.0 * (pull * pull) - 66.0 * (pull * speed) + 45.0 * (speed * speed));
  real g5 = 9.0 * speed - 8.0 * pull - 45.0 * turn2, g6 = 6.0 * speed - 5.0 * pull - 14.0 * turn2;
  real a2 = -0.5 * pull, a3 = 0.5 * (pull * turn), a4 = (pull * f4) * (1.0 / 24),
       a5 = (pull * turn) * (f5 * (-1.0 / 8)), a6 = (pull * f6) * (1.0 / 720);
  real b3 = pull * (-1.0 / 6), b4 = (pull * turn) * 0.25, b5 = (pull * g5) * (1.0 / 120),
       b6 = (pull * turn) * (g6 * (-1.0 / 24));
  real one = real_splat(1);
  real f = real_fma(t2, real_fma(t, real_fma(t, real_fma(t, real_fma(t, a6, a5), a4), a3), a2), one);
  real g = t * real_fma(t2, real_fma(t, real_fma(t, real_fma(t, b6, b5), b4), b3), one);
  real df = t * real_fma(t, real_fma(t, real_fma(t, real_fma(t, 6.0 * a6, 5.0 * a5), 4.0 * a4), 3.0 * a3), 2.0 * a2);
  real dg = real_fma(t2, real_fma(t, real_fma(t, real_fma(t, 6.0 * b6, 5.0 * b5), 4.0 * b4), 3.0 * b3), one);
  kepler_point at = {vec3_axpy(g, v, vec3_scale(f, q)), vec3_axpy(dg, v, vec3_scale(df, q))};
  mask near = real_at_most(t2 * (pull + speed + 16.0 * turn2), real_splat(0x1p-14));
  if (!mask_every(near)) {
    kepler_point far = kepler_after(q, v, mu, t);
    at.q = vec3_select(near, at.q, far.q);
    at.v = vec3_select(near, at.v, far.v);
  }
  return at;
}

FN state encke_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double node[GAUSS_NODES] = GAUSS_NODE;
  vec3 v = velocity_of(c, s.p);
  (void)log;
  if (p->bare || !(c->forced | is_perturbed(c))) {
    kepler_point at = kepler_after(s.q, v, c->mu, h);
    s.q = at.q;
    s.p = vec3_scale(c->mass, at.v);
    return s;
  }
  real near2 = vec3_norm2(s.q), nearness = real_rsqrt(near2), reach = near2 * nearness, pull = c->mu * nearness;
  real flow = vec3_dot(s.q, v);
  encke_orbit o = {c->mu,
                   2.0 * pull - vec3_norm2(v),
                   reach,
                   flow,
                   s.q,
                   vec3_scale(reach, v),
                   vec3_axmy(pull, s.q, vec3_scale(flow, v))};
  real end = encke_end(&o, h);
  encke_step_of e = {p, c, end, end * c->inverse_mass, s.time};
  encke_nodes n;
  for (int i = 0; i < GAUSS_NODES; i++) {
    encke_angle u = encke_angle_at(&o, node[i] * end);
    n.u0[i] = u.u0;
    n.u1[i] = u.u1;
    n.u2[i] = u.u2;
    n.turn[i] = o.axis * u.u1;
    n.at[i] = encke_place(&o, u);
    n.slope[i] = encke_slope(&o, u);
    n.time[i] = encke_time(&o, u);
    n.distance[i] = encke_distance(&o, u);
    n.later[i] = real_splat(0);
  }
  if (is_forced(p, c)) { /* until they are known at the nodes */
    vec3 push = push_of(c, s.q, v, s.time);
    for (int i = 0; i < GAUSS_NODES; i++) n.push[i] = push;
  }
  encke_feel(&n, &e);
  encke_sweep(&n, &e, 1);
  encke_sweep(&n, &e, 2);

  real by[ENCKE_LINEAR], late[3][GAUSS_NODES];
  for (int k = 0; k < ENCKE_LINEAR; k++) by[k] = gauss_whole(n.linear[k]);
  for (int i = 0; i < GAUSS_NODES; i++) { /* r'' + a r = mu + r q.F, likewise, and its integral the time */
    real g = real_fnma(end * n.by_slow[0][i], n.r[i], n.swell[i]);
    late[0][i] = -(n.u1[i] * g);
    late[1][i] = n.u0[i] * g;
    late[2][i] = n.u2[i] * g;
  }
  encke_angle u = encke_angle_at(&o, end);
  vec3 cosine = vec3_make(by[0], by[1], by[2]), sine = vec3_make(by[3], by[4], by[5]);
  vec3 q = vec3_axpy(u.u0, cosine, vec3_axpy(u.u1, sine, encke_place(&o, u)));
  vec3 slope = vec3_axpy(u.u0, sine, vec3_axmy(o.axis * u.u1, cosine, encke_slope(&o, u)));
  real later = real_fma(u.u1, gauss_whole(late[0]), real_fma(u.u2, gauss_whole(late[1]), gauss_whole(late[2])));
  real rest = (h - encke_time(&o, u)) - later, r2 = vec3_norm2(q), inverse = real_rsqrt(r2), half = 0.5 * rest;

  v = vec3_scale(inverse, slope);
  kepler_point at = encke_short(q, v, inverse, c->mu, rest);
  real bent = real_fnma(0.5 * (half * half), c->mu * (inverse * (inverse * inverse)), real_splat(1));
  vec3 middle = vec3_axpy(half, v, vec3_scale(bent, q));
  real time = (s.time + h) - half;
  vec3 change = is_perturbed(c) ? encke_force(c, middle, real_rsqrt(vec3_norm2(middle)), time, rest * c->inverse_mass)
                                : vec3_zero();
  if (is_forced(p, c)) change = vec3_axpy(rest * c->inverse_mass, n.push[GAUSS_NODES - 1], change);
  if (is_driven(p, c)) {
    s.work = s.work + gauss_whole(n.power);
    if (is_forced(p, c)) s.work = real_fma(rest, vec3_dot(n.push[GAUSS_NODES - 1], v), s.work);
    if (c->attractors) s.work = real_fma(rest, attraction_of_moving(middle, time, c).rate, s.work);
  }
  s.q = vec3_axpy(half, change, at.q);
  s.p = vec3_scale(c->mass, vec3_add(at.v, change));
  return s;
}
