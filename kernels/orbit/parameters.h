/* parameters.h - the parameters of the orbit problems, and the constants that they come to; plain numbers, for the
 * host's lists and for the kernels. */
#ifndef SD_ORBIT_PARAMETERS_H
#define SD_ORBIT_PARAMETERS_H

#include "../real.h"
#include "../job.h"

enum {
  ORBIT_ATTRACTORS = 4,
  ORBIT_CONSTANTS = 9 + 12 * ORBIT_ATTRACTORS + 8 + 9,
  /* where the values stand */
  ORBIT_MU = 0,
  ORBIT_MASS,
  ORBIT_POSITION,
  ORBIT_MOMENTUM = ORBIT_POSITION + 3,
  ORBIT_DRAG = ORBIT_MOMENTUM + 3,
  ORBIT_PRESSURE,
  ORBIT_THRUST = ORBIT_PRESSURE + 3,
  ORBIT_OTHERS, /* each: mu, position, angular velocity */
  ORBIT_OTHER = 7,
  ORBIT_ALWAYS = ORBIT_OTHERS + ORBIT_ATTRACTORS * ORBIT_OTHER, /* those that digests have always had */
  ORBIT_ZONAL = ORBIT_ALWAYS,
  ORBIT_RADIUS = ORBIT_ZONAL + 5,
  ORBIT_POLE,
  ORBIT_DRAG2 = ORBIT_POLE + 3,
  ORBIT_SCALE_HEIGHT,
  ORBIT_REFERENCE_HEIGHT,
  ORBIT_SPIN,
  ORBIT_SHADOW,
  ORBIT_INDIRECT = ORBIT_SHADOW + 2,
  ORBIT_VELOCITIES, /* of the further attractors */
  ORBIT_VALUES = ORBIT_VELOCITIES + 3 * ORBIT_ATTRACTORS
};

/* Where some of them stand in the list of names. */
enum {
  ORBIT_NAME_OF_POSITION = 2,
  ORBIT_NAME_OF_AT1 = 8,
  ORBIT_NAME_OF_RADIUS = 24,
  ORBIT_NAME_OF_POLE,
  ORBIT_NAME_OF_SCALE_HEIGHT = 27,
  ORBIT_NAME_OF_SHADOW = 30,
  ORBIT_NAME_OF_INDIRECT,
  ORBIT_NAME_OF_VELOCITY1
};

#define ORBIT_OTHER_PARAMETERS(k)                                                                    \
  {"mu" #k, 1, {0}, 0, 1e30, "attraction of a further body, 0 for none"},                            \
      {"at" #k, 3, {0, 0, 0}, -1e15, 1e15, "its position at the start"}, {                           \
    "turn" #k, 3, {0, 0, 0}, -1e6, 1e6, "angular velocity of its circle about the centre, 0 at rest" \
  }
#define ORBIT_ZONAL_PARAMETER(n) \
  { "j" #n, 1, {0}, -1, 1, "zonal harmonic J" #n " of the centre" }
#define ORBIT_VELOCITY_PARAMETER(k)                                            \
  {                                                                            \
    "velocity" #k, 3, {0, 0, 0}, -1e15, 1e15,                                  \
        "velocity of further body " #k " at the start, on a Kepler orbit; 0: " \
        "none"                                                                 \
  }

#define ORBIT_PARAMETERS(momentum)                                                                                     \
  {                                                                                                                    \
    {"mu", 1, {3200.9998}, 1e-30, 1e30, "gravitational parameter of the centre"}, {"m", 1, {1}, 1e-30, 1e30, "mass"},  \
        {"q0", 3, {0, 1664.029, 0}, -1e15, 1e15, "initial position"},                                                  \
        {"p0", 3, {momentum, 0, 0}, -1e30, 1e30, "initial momentum"}, {"drag", 1, {0}, 0, 1e30, "c of the drag -c v"}, \
        {"pressure", 3, {0, 0, 0}, -1e30, 1e30, "constant force, as of solar radiation"},                              \
        {"thrust", 1, {0}, -1e30, 1e30, "force along the velocity"}, ORBIT_OTHER_PARAMETERS(1),                        \
        ORBIT_OTHER_PARAMETERS(2), ORBIT_OTHER_PARAMETERS(3), ORBIT_OTHER_PARAMETERS(4), ORBIT_ZONAL_PARAMETER(2),     \
        ORBIT_ZONAL_PARAMETER(3), ORBIT_ZONAL_PARAMETER(4), ORBIT_ZONAL_PARAMETER(5), ORBIT_ZONAL_PARAMETER(6),        \
        {"radius", 1, {0}, 0, 1e15, "of the centre, that harmonics and heights refer to"},                             \
        {"pole", 3, {0, 0, 1}, -1e15, 1e15, "direction of the axis of harmonics and atmosphere"},                      \
        {"drag2", 1, {0}, 0, 1e30, "C of the drag -C |w| w at the reference height, w the velocity in the air"},       \
        {"scale-height", 1, {0}, 0, 1e15, "in which the air's density falls by e"},                                    \
        {"reference-height", 1, {0}, -1e15, 1e15, "above the radius, where drag2 is C"},                               \
        {"spin", 1, {0}, -1e6, 1e6, "angular velocity of the air about the pole"},                                     \
        {"shadow", 2, {0, 0}, 0, 1e15, "radius of the cylinder that the pressure does not reach, width of its edge"},  \
        {"indirect", 1, {0}, 0, 1, "1: the further bodies accelerate the centre, too, and the frame with it"},         \
        ORBIT_VELOCITY_PARAMETER(1), ORBIT_VELOCITY_PARAMETER(2), ORBIT_VELOCITY_PARAMETER(3),                         \
        ORBIT_VELOCITY_PARAMETER(4), {                                                                                 \
      0                                                                                                                \
    }                                                                                                                  \
  }

FN int orbit_any(const double *parameters, int first, int count) {
  int any = 0;
  for (int k = first; k < first + count; k++) any |= parameters[k] != 0;
  return any;
}
/* Air, or a shadow. */
FN int orbit_is_aired(const double *parameters) {
  return parameters[ORBIT_DRAG2] != 0 || parameters[ORBIT_SHADOW] != 0;
}
FN int orbit_is_forced(const double *parameters) {
  return orbit_any(parameters, ORBIT_DRAG, ORBIT_OTHERS - ORBIT_DRAG) || parameters[ORBIT_DRAG2] != 0;
}
/* As many as the last that attracts. */
FN int orbit_attractors(const double *parameters) {
  int count = 0;
  for (int k = 0; k < ORBIT_ATTRACTORS; k++)
    if (parameters[ORBIT_OTHERS + k * ORBIT_OTHER] != 0) count = k + 1;
  return count;
}
/* Some are on Kepler orbits, or they accelerate the centre. */
FN int orbit_is_guided(const double *parameters) {
  return orbit_any(parameters, ORBIT_INDIRECT, 1 + 3 * ORBIT_ATTRACTORS);
}
/* The highest zonal harmonic there is, or 0. */
FN int orbit_degree(const double *parameters) {
  int degree = 0;
  for (int k = 0; k < 5; k++)
    if (parameters[ORBIT_ZONAL + k] != 0) degree = 2 + k;
  return degree;
}
/* Nothing but the centre. */
FN int orbit_is_bare(const double *parameters) {
  return !orbit_is_forced(parameters) && !orbit_attractors(parameters) && !orbit_degree(parameters);
}

#endif
