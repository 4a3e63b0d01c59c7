/* species.h - what the bodies of a system are: their state, mass, size and inertia. */
#ifndef SD_ASSEMBLY_SPECIES_H
#define SD_ASSEMBLY_SPECIES_H

#include "../so3/body.h"
#include "../topology.h"

/* The numbers of a body in its member's slots. */
enum {
  AT_X = 0,
  AT_V = 3,
  AT_Q = 6,
  AT_W = 10,
  AT_WORK = 13,             /* of the dashpots on it, so far */
  AT_IMPULSE,               /* of walls and gravity on it so far, */
  AT_TURN = AT_IMPULSE + 3, /* and the moment of that about the origin */
  AT_DASHPOT = AT_TURN + 3, /* the dashpots' force, which has seen a velocity that is gone */
  AT_MEMORY = AT_DASHPOT + 3,
  MEMORY_MOST = 3, /* of the method */
  BODY_NUMBERS = AT_MEMORY + MEMORY_MOST,
  AT_MIDDLE = BODY_NUMBERS, /* not in the slots: the velocity in the middle of the step, which dashpots see */
  ROW_NUMBERS = AT_MIDDLE + 3
};
/* The numbers of a member, after those of its bodies. */
enum { AT_LINEAR0, AT_LOST = AT_LINEAR0 + 3, MEMBER_NUMBERS };

/* What is shown of a body (x, v, Q, W, quaternion) and of a member. */
enum { SHOWN_OF_BODY = 22, SHOWN_OF_MEMBER = 1 };

/* What acts on a body, from the pass that finds it to those that use it. */
enum {
  AT_FORCE = 0,
  AT_TORQUE = 3,  /* body frame */
  AT_OUTSIDE = 6, /* the part of the force that is of walls and gravity */
  LOAD_NUMBERS = 9
};
/* What else is not stored, of a body from step to step. */
enum {
  AT_REFERENCE = 0, /* where it was when neighbours were last looked for */
  AT_BETWEEN = 3    /* of the method */
};

/* The problem's constants, the same for all bodies of a member. */
enum {
  CONTACT_STIFFNESS,
  DASHPOT,
  GRAVITY, /* three */
  ATTRACTION = GRAVITY + 3,
  WALLS,      /* how many, */
  WALL_FIRST, /* then normal and place of each */
  WALL_NUMBERS = 4,
  WALLS_MOST = SD_WALLS_MOST,
  ASSEMBLY_CONSTANTS = WALL_FIRST + WALLS_MOST * WALL_NUMBERS
};

typedef struct {
  real mass, inverse_mass, diameter;
  constants rotor; /* as a method of a single body wants it */
} species;

FN species species_of_numbers(const real *number, const real *method) {
  species s;
  s.mass = number[SD_SPECIES_MASS];
  s.inverse_mass = number[SD_SPECIES_INVERSE];
  s.diameter = number[SD_SPECIES_DIAMETER];
  const real *inertia = number + SD_SPECIES_INERTIA;
  vec3 *const parts[] = {&s.rotor.J, &s.rotor.J_inverse, &s.rotor.J_gap, &s.rotor.J_gap_over_J};
  for (int k = 0; k < 4; k++) *parts[k] = vec3_make(inertia[3 * k], inertia[3 * k + 1], inertia[3 * k + 2]);
  for (int i = 0; i < SD_METHOD_PARAMETERS_MAX; i++) s.rotor.parameter[i] = method[i];
  return s;
}

/* The constants of a member: the same in all lanes, or number k of lane i at k * SD_LANES + i. */
typedef struct {
  const double *number;
  int in_lanes;
} surroundings;

FN real surrounding(surroundings s, int k) {
  return s.in_lanes ? real_load(s.number + (size_t)k * SD_LANES) : real_splat(s.number[k]);
}
FN vec3 surrounding_vector(surroundings s, int k) {
  return vec3_make(surrounding(s, k), surrounding(s, k + 1), surrounding(s, k + 2));
}

#endif
