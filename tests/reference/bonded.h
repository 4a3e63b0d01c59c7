/* SPDX-License-Identifier: BSD-3-Clause
 * bonded.h - bodies with bonds, contacts, a wall and gravity: potential energy, forces and moments.
 *
 * Bond (i,j), i < j, with reference vector r0 = x_i - x_j at the start, n0 = r0/|r0|; r = x_i - x_j, n = r/|r|:
 *
 *     bending and torsion  U = Km |theta|^2 / 2,  theta = log(R_i R_j')
 *     axial                U = Ka (|r|/|r0| - 1)^2 / 2
 *     shear                U = Ks (1 - c)^2 / 2,  c = w.n,  w = (R_i + R_j) n0 / 2
 *     contact              U = 2/5 Kp [1 - |r|/D]+^(5/2),  D = (D_i + D_j)/2,  every pair, bonded or not
 *     wall                 U = 2/5 Kw [1 - (e.x - at)/(D/2)]+^(5/2)
 *     gravity              U = -m g.x
 *
 * These potentials are those of Baker & Gonzalez, "Explicit variational time integrator based on rescaled Rodrigues
 * parameters" (2021), section 4, but for the shear, which there is not indifferent to a rigid rotation.
 * Forces and moments are of the space frame. */
#ifndef REFERENCE_BONDED_H
#define REFERENCE_BONDED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TRANSLATION, ROTATION, BENDING, AXIAL, SHEAR, CONTACT, WALL, GRAVITY, KINDS };
static const char *const kind_name[KINDS] = {"translation", "rotation", "bending", "axial",
                                             "shear",       "contact",  "wall",    "gravity"};

enum { MOST_BODIES = 80, MOST_BONDS = 80 };

typedef struct {
  vec x, v; /* centre and its velocity, space frame */
  mat Q;    /* attitude, body to space */
  vec W;    /* angular velocity, body frame */
  vec J;    /* principal moments of inertia */
  real mass, diameter;
  vec force, moment, outer_force; /* of all, and of wall and gravity alone */
  vec half;                       /* what the second half of a step needs of the first */
} body;

typedef struct {
  int i, j;
  vec r0;
  real Km, Ka, Ks;
} bond;

typedef struct {
  int bodies, bonds;
  body b[MOST_BODIES];
  bond bond[MOST_BONDS];
  real Kp, Kw; /* contacts, wall */
  vec wall_normal;
  real wall_at;
  vec gravity;
  real energy[KINDS];
  vec impulse, angular_impulse; /* of wall and gravity since the start, the second about the origin */
} assembly;

static int bonds_near_half_turn; /* theta is not a smooth function there */

/* the rotation vector of R: sin(theta) n is in its skew part, cos(theta) in its trace */
static vec logarithm(mat R) {
  vec s = mul(0.5L, ax(R));
  real sine = norm(s), angle = atan2l(sine, (trace(R) - 1) / 2);
  if (angle > 3) ++bonds_near_half_turn;
  return sine == 0 ? s : mul(angle / sine, s);
}

static void push(body *on, vec force) {
  on->force = add(on->force, force);
}
static void twist(body *on, vec moment) {
  on->moment = add(on->moment, moment);
}

static real bend(const bond *k, body *i, body *j) {
  vec theta = logarithm(mm(i->Q, tr(j->Q)));
  twist(i, mul(-k->Km, theta)), twist(j, mul(k->Km, theta));
  return k->Km * dot(theta, theta) / 2;
}

static real stretch(const bond *k, body *i, body *j) {
  vec r = sub(i->x, j->x);
  real l0 = norm(k->r0), l = norm(r), strain = l / l0 - 1;
  vec force = mul(-k->Ka / l0 * strain / l, r);
  push(i, force), push(j, neg(force));
  return k->Ka * strain * strain / 2;
}

static real shear(const bond *k, body *i, body *j) {
  vec r = sub(i->x, j->x), n = mul(1 / norm(r), r), n0 = mul(1 / norm(k->r0), k->r0);
  vec ni = mv(i->Q, n0), nj = mv(j->Q, n0), w = mul(0.5L, add(ni, nj));
  real c = dot(w, n), pull = k->Ks * (1 - c);
  vec force = mul(pull / norm(r), sub(w, mul(c, n)));
  push(i, force), push(j, neg(force));
  twist(i, mul(pull / 2, cross(ni, n))), twist(j, mul(pull / 2, cross(nj, n)));
  return k->Ks * (1 - c) * (1 - c) / 2;
}

static real touch(real Kp, body *i, body *j) {
  vec r = sub(i->x, j->x);
  real D = (i->diameter + j->diameter) / 2, l = norm(r), overlap = 1 - l / D;
  if (!(overlap > 0)) return 0;
  vec force = mul(Kp / D * overlap * sqrtl(overlap) / l, r);
  push(i, force), push(j, neg(force));
  return 0.4L * Kp * overlap * overlap * sqrtl(overlap);
}

static void push_from_outside(body *on, vec force) {
  push(on, force);
  on->outer_force = add(on->outer_force, force);
}

static real meet_wall(const assembly *a, body *b) {
  real radius = b->diameter / 2, overlap = 1 - (dot(a->wall_normal, b->x) - a->wall_at) / radius;
  if (a->Kw == 0 || !(overlap > 0)) return 0;
  push_from_outside(b, mul(a->Kw / radius * overlap * sqrtl(overlap), a->wall_normal));
  return 0.4L * a->Kw * overlap * overlap * sqrtl(overlap);
}

static real fall(const assembly *a, body *b) {
  push_from_outside(b, mul(b->mass, a->gravity));
  return -b->mass * dot(a->gravity, b->x);
}

/* forces and moments on every body, and the potential energies */
static void evaluate(assembly *a) {
  real *U = a->energy;
  for (int kind = BENDING; kind < KINDS; ++kind) U[kind] = 0;
  for (int i = 0; i < a->bodies; ++i) a->b[i].force = a->b[i].moment = a->b[i].outer_force = V(0, 0, 0);
  for (int n = 0; n < a->bonds; ++n) {
    const bond *k = &a->bond[n];
    body *i = &a->b[k->i], *j = &a->b[k->j];
    U[BENDING] += bend(k, i, j), U[AXIAL] += stretch(k, i, j), U[SHEAR] += shear(k, i, j);
  }
  for (int i = 0; i < a->bodies; ++i)
    for (int j = i + 1; j < a->bodies; ++j) U[CONTACT] += touch(a->Kp, &a->b[i], &a->b[j]);
  for (int i = 0; i < a->bodies; ++i) U[WALL] += meet_wall(a, &a->b[i]), U[GRAVITY] += fall(a, &a->b[i]);
}

static vec scaled(vec by, vec a) {
  return V(by.v[0] * a.v[0], by.v[1] * a.v[1], by.v[2] * a.v[2]);
}
static vec spin_momentum(const body *b) { /* space frame */
  return mv(b->Q, scaled(b->J, b->W));
}

static void observe_motion(assembly *a) {
  real moving = 0, turning = 0;
  for (int i = 0; i < a->bodies; ++i) {
    const body *b = &a->b[i];
    moving += b->mass * dot(b->v, b->v) / 2, turning += dot(b->W, scaled(b->J, b->W)) / 2;
  }
  a->energy[TRANSLATION] = moving, a->energy[ROTATION] = turning;
}

static real total_energy(assembly *a) {
  real sum = 0;
  observe_motion(a);
  for (int kind = 0; kind < KINDS; ++kind) sum += a->energy[kind];
  return sum;
}

/* less what wall and gravity gave: constants of the motion */
static vec own_linear_momentum(const assembly *a) {
  vec p = neg(a->impulse);
  for (int i = 0; i < a->bodies; ++i) p = add(p, mul(a->b[i].mass, a->b[i].v));
  return p;
}
static vec own_angular_momentum(const assembly *a) {
  vec L = neg(a->angular_impulse);
  for (int i = 0; i < a->bodies; ++i) {
    const body *b = &a->b[i];
    L = add(L, add(cross(b->x, mul(b->mass, b->v)), spin_momentum(b)));
  }
  return L;
}

#endif
