/* forces.h - forces and energies of a body from its surroundings, gathered in one order whatever gathers them: bonds by
 * ascending partner, contacts by ascending partner, walls, gravity.  A pair that does not touch adds nothing. */
#ifndef SD_ASSEMBLY_FORCES_H
#define SD_ASSEMBLY_FORCES_H

#include "pairs.h"

/* What acts on a body: force and moment in the space frame, the share of walls and gravity, the dashpots' force. */
typedef struct {
  vec3 force, moment, outside, dashpot;
} load;

FN load no_load(void) {
  load l = {vec3_zero(), vec3_zero(), vec3_zero(), vec3_zero()};
  return l;
}

/* Which forces there are is the same for all members. */
FN int wall_count(const sd_job *job) {
  return (int)job->constants[WALLS];
}
FN int has_outside(const sd_job *job) { /* whatever changes the momentum of all */
  const double *g = job->constants + GRAVITY;
  return wall_count(job) > 0 || g[0] != 0 || g[1] != 0 || g[2] != 0;
}
FN int has_contacts(const sd_job *job) {
  return job->constants[CONTACT_STIFFNESS] > 0 && job->largest_diameter > 0;
}
FN int has_dashpots(const sd_job *job) {
  return job->constants[DASHPOT] > 0;
}

/* Walls and gravity, last of all. */
FN void add_outside(load *l, vec3 x, const species *s, surroundings around, const sd_job *job) {
  vec3 outside = vec3_zero();
  real stiffness = surrounding(around, CONTACT_STIFFNESS);
  for (int k = 0; k < wall_count(job); k++) {
    real gap = wall_gap(wall_at(around, k), x, s->diameter);
    if (!mask_any(real_less(gap, real_splat(0)))) continue;
    outside = vec3_add(outside, wall_push(wall_at(around, k), gap, s->diameter, stiffness).force);
  }
  l->outside = vec3_axpy(s->mass, surrounding_vector(around, GRAVITY), outside);
  l->force = vec3_add(l->force, l->outside);
}

/* ---- the ledger of a body ---- */

enum {
  IN_TRANSLATION,
  IN_ROTATION,
  IN_BENDING,
  IN_AXIAL,
  IN_SHEAR,
  IN_CONTACT,
  IN_WALL,
  IN_GRAVITY,
  IN_WORK,                    /* the last of what makes up the energy; it is taken off */
  IN_IMPULSE,                 /* of walls and gravity, three */
  IN_LINEAR = IN_IMPULSE + 3, /* momentum less impulse, three */
  IN_ANGULAR = IN_LINEAR + 3,
  SUMMED = IN_ANGULAR + 3,
  IN_OVERLAP = SUMMED, /* largest */
  IN_STRAIN,
  LEDGER_NUMBERS,
  BODY_QUANTITIES = LEDGER_NUMBERS + 1 /* and the defect of its attitude, the largest counting */
};

typedef struct {
  real number[LEDGER_NUMBERS];
} ledger;

typedef struct {
  vec3 x, v, W, impulse, turn;
  quaternion q;
  real work;
} moving;

/* All of it that a body has without its partners. */
FN ledger ledger_alone(const moving *b, const species *s, surroundings around, const sd_job *job) {
  ledger l;
  for (int k = 0; k < LEDGER_NUMBERS; k++) l.number[k] = real_splat(0);
  real stiffness = surrounding(around, CONTACT_STIFFNESS);
  vec3 momentum = vec3_scale(s->mass, b->v), spin = momentum_of(&s->rotor, b->W);
  l.number[IN_TRANSLATION] = 0.5 * (s->mass * vec3_norm2(b->v));
  l.number[IN_ROTATION] = 0.5 * vec3_dot(b->W, spin);
  for (int k = 0; k < wall_count(job); k++) {
    wall w = wall_at(around, k);
    push p = wall_push(w, wall_gap(w, b->x, s->diameter), s->diameter, stiffness);
    l.number[IN_WALL] = l.number[IN_WALL] + p.energy;
    l.number[IN_OVERLAP] = real_max(p.overlap, l.number[IN_OVERLAP]);
  }
  l.number[IN_GRAVITY] = -(s->mass * vec3_dot(surrounding_vector(around, GRAVITY), b->x));
  l.number[IN_WORK] = b->work;
  vec3 linear = vec3_sub(momentum, b->impulse);
  vec3 angular = vec3_sub(vec3_add(vec3_cross(b->x, momentum), quaternion_rotate(b->q, spin)), b->turn);
  const vec3 vectors[] = {b->impulse, linear, angular};
  for (int k = 0; k < 3; k++) {
    l.number[IN_IMPULSE + 3 * k] = vectors[k].x;
    l.number[IN_IMPULSE + 3 * k + 1] = vectors[k].y;
    l.number[IN_IMPULSE + 3 * k + 2] = vectors[k].z;
  }
  return l;
}
FN void ledger_add_bond(ledger *l, bond_energy e) {
  l->number[IN_BENDING] = l->number[IN_BENDING] + e.bending;
  l->number[IN_AXIAL] = l->number[IN_AXIAL] + e.axial;
  l->number[IN_SHEAR] = l->number[IN_SHEAR] + e.shear;
  l->number[IN_STRAIN] = real_max(e.strain, l->number[IN_STRAIN]);
}
FN void ledger_add_contact(ledger *l, push p) {
  l->number[IN_CONTACT] = l->number[IN_CONTACT] + p.energy;
  l->number[IN_OVERLAP] = real_max(p.overlap, l->number[IN_OVERLAP]);
}
FN ledger ledger_joined(ledger a, const ledger *b) {
  for (int k = 0; k < SUMMED; k++) a.number[k] = a.number[k] + b->number[k];
  for (int k = SUMMED; k < LEDGER_NUMBERS; k++) a.number[k] = real_worst(a.number[k], b->number[k]);
  return a;
}
/* What rows come to along the tree over them, into the first: quantity k of row i is number[i * next + k * step]. */
FN void join_along_tree(double *number, size_t rows, size_t next, size_t step) {
  for (size_t width = 1; width < rows; width *= 2)
    for (size_t i = 0; i + width < rows; i += 2 * width)
      for (size_t k = 0; k < BODY_QUANTITIES; k++) {
        double *a = number + i * next + k * step, b = a[width * next];
        *a = k < SUMMED ? *a + b : *a != *a ? *a : *a > b ? *a : b;
      }
}
FN real ledger_energy(const ledger *l) {
  real energy = l->number[IN_TRANSLATION];
  for (int k = IN_TRANSLATION + 1; k < IN_WORK; k++) energy = energy + l->number[k];
  return energy - l->number[IN_WORK];
}
FN real ledger_kinetic(const ledger *l) {
  return l->number[IN_TRANSLATION] + l->number[IN_ROTATION];
}
FN vec3 ledger_vector(const ledger *l, int at) {
  return vec3_make(l->number[at], l->number[at + 1], l->number[at + 2]);
}

/* ---- half a step of a body ---- */

/* The part of a step's impulse that comes before its bodies move; what is left comes after. */
#ifndef SD_KICK_FIRST
#define SD_KICK_FIRST 0.5
#endif

/* A push of the forces for the time t, from the velocity v. */
FN vec3 kicked_by(const load *l, vec3 v, const species *s, real t, const sd_job *job) {
  vec3 force = l->force;
  if (has_dashpots(job)) force = vec3_add(force, l->dashpot);
  return vec3_axpy(t * s->inverse_mass, force, v);
}

#endif
