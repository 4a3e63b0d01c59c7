/* pairs.h - what bodies do to one another: bonds, contacts, walls.  Every force is minus the gradient of its energy.
 *
 *   bending and torsion  U = Km/2 |theta|^2, theta = log(Ri Rj^T)
 *   axial                U = Ka/2 (|r|/|r0| - 1)^2
 *   shear                U = Ks/2 (1 - c)^2, c = w.n, w = (Ri + Rj) n0/2
 *   contact              U = 2/5 Kp [1 - |r|/D]+^(5/2), D the mean of the two diameters
 *   wall                 U = 2/5 Kp [1 - (e.x - w)/(D/2)]+^(5/2)
 *
 * r = xi - xj, n = r/|r|, n0 the same at rest.  A pair is looked at from one of its bodies, itself, to the other.  Seen
 * from the other side r and n0 have the other sign, and so has every rounded number on the way that is odd in them:
 * sums have their terms in an order that the exchange keeps, products of which a difference is taken are rounded alike.
 * So the two forces are opposite to the last bit, whoever evaluates them.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, for the model of particles and binders; its shear energy, which a rigid rotation of everything
 * would change, is here one that it does not. */
#ifndef SD_ASSEMBLY_PAIRS_H
#define SD_ASSEMBLY_PAIRS_H

#include "species.h"

typedef struct {
  vec3 direction; /* at rest, from the other to itself */
  real inverse_length, bending, axial, shear;
} bond;

FN bond bond_seen(const real *number, real sign) { /* -1 where itself is the higher of the two */
  bond b = {vec3_scale(sign, vec3_make(number[0], number[1], number[2])), number[SD_BOND_INVERSE],
            number[SD_BOND_BENDING], number[SD_BOND_AXIAL], number[SD_BOND_SHEAR]};
  return b;
}

typedef struct {
  vec3 x;
  quaternion q;
} placed;

/* qi conj(qj) with the sign that makes w positive. */
FN quaternion turn_between(quaternion a, quaternion b) {
  vec3 swept = vec3_make(a.v.y * b.v.z - a.v.z * b.v.y, a.v.z * b.v.x - a.v.x * b.v.z, a.v.x * b.v.y - a.v.y * b.v.x);
  vec3 apart = vec3_make(b.w * a.v.x - a.w * b.v.x, b.w * a.v.y - a.w * b.v.y, b.w * a.v.z - a.w * b.v.z);
  real w = real_fma(a.v.x, b.v.x, real_fma(a.v.y, b.v.y, real_fma(a.v.z, b.v.z, a.w * b.w)));
  real sign = real_copy_sign(real_splat(1), w);
  quaternion q = {real_abs(w), vec3_scale(sign, vec3_sub(apart, swept))};
  return q;
}

/* Turns so near half a circle are beyond the model: the bond would not know which way it is twisted. */
#define TURN_EDGE 0.01 /* cosine of half the angle */

typedef struct {
  vec3 force, moment, other_moment; /* space frame; the other's force is the opposite */
  mask outside;
} bond_pull;

typedef struct {       /* what energies and forces have in common */
  vec3 n, here, there; /* the direction now; the one at rest as either body carries it along */
  real inverse, stretch, slip, cosine;
  vec3 turn, twist;
  mask outside;
} bond_state;

FN bond_state bond_now(placed i, placed j, const bond *b) {
  bond_state s;
  vec3 r = vec3_sub(i.x, j.x);
  real length2 = vec3_norm2(r);
  s.inverse = real_rsqrt(length2);
  s.n = vec3_scale(s.inverse, r);
  s.stretch = real_fms(length2 * s.inverse, b->inverse_length, real_splat(1));
  s.here = quaternion_rotate(i.q, b->direction);
  s.there = quaternion_rotate(j.q, b->direction);
  s.twist = vec3_scale(real_splat(0.5), vec3_add(s.here, s.there)); /* w of the head */
  s.cosine = vec3_dot(s.twist, s.n);
  s.slip = 1.0 - s.cosine;
  quaternion turn = turn_between(i.q, j.q);
  s.turn = vec3_scale(real_angle_over_sine(vec3_norm2(turn.v), turn.w), turn.v);
  s.outside = mask_not(real_less(real_splat(TURN_EDGE), turn.w));
  return s;
}

FN bond_pull bond_pulls(placed i, placed j, const bond *b) {
  bond_state s = bond_now(i, j, b);
  bond_pull p;
  real shear = b->shear * s.slip, across = shear * s.inverse;
  real along = -(b->axial * b->inverse_length) * s.stretch - across * s.cosine;
  p.force = vec3_axpy(across, s.twist, vec3_scale(along, s.n));
  vec3 bent = vec3_scale(b->bending, s.turn);
  real half = 0.5 * shear;
  p.moment = vec3_sub(vec3_scale(half, vec3_cross(s.here, s.n)), bent);
  p.other_moment = vec3_add(vec3_scale(half, vec3_cross(s.there, s.n)), bent);
  p.outside = s.outside;
  return p;
}

typedef struct {
  real bending, axial, shear, strain;
} bond_energy;

FN bond_energy bond_energies(placed i, placed j, const bond *b) {
  bond_state s = bond_now(i, j, b);
  bond_energy e = {0.5 * b->bending * vec3_norm2(s.turn), 0.5 * b->axial * (s.stretch * s.stretch),
                   0.5 * b->shear * (s.slip * s.slip), real_abs(s.stretch)};
  return e;
}

/* ---- contacts ---- */

typedef struct {
  vec3 force;
  real energy, overlap;
} push;

/* Of spheres with this distance between them, whose diameters have this mean. */
FN push contact_push(vec3 r, real length2, real inverse_diameter, real stiffness) {
  real inverse = real_rsqrt(length2), overlap = real_fnma(length2 * inverse, inverse_diameter, real_splat(1));
  overlap = real_max(overlap, real_splat(0));
  real root = real_sqrt(overlap), size = stiffness * inverse_diameter * (overlap * root);
  push p = {vec3_scale(size * inverse, r), 0.4 * stiffness * (overlap * overlap * root), overlap};
  return p;
}
FN mask may_touch(real length2, real diameter) {
  return real_less(length2, diameter * diameter);
}

typedef struct {
  vec3 normal;
  real place;
} wall;

FN wall wall_at(surroundings around, int index) {
  int first = WALL_FIRST + index * WALL_NUMBERS;
  wall w = {surrounding_vector(around, first), surrounding(around, first + 3)};
  return w;
}
/* How far from the wall, less the radius: negative where they touch. */
FN real wall_gap(wall w, vec3 x, real diameter) {
  return real_fma(real_splat(-0.5), diameter, vec3_dot(w.normal, x) - w.place);
}
FN push wall_push(wall w, real gap, real diameter, real stiffness) {
  real inverse = 2.0 / diameter, overlap = real_max(-(gap * inverse), real_splat(0));
  real root = real_sqrt(overlap), size = stiffness * inverse * (overlap * root);
  push p = {vec3_scale(size, w.normal), 0.4 * stiffness * (overlap * overlap * root), overlap};
  return p;
}

/* Along the line between two bodies, against the velocity between them. */
FN vec3 dashpot_pull(vec3 r, vec3 velocity, real strength) {
  real along = vec3_dot(velocity, r) / vec3_norm2(r);
  return vec3_scale(-(strength * along), r);
}

#endif
