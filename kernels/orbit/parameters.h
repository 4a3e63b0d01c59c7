/* parameters.h - the parameters of the orbit problems, and the constants that they come to; plain numbers, for the
 * host's lists and for the kernels. */
#ifndef SD_ORBIT_PARAMETERS_H
#define SD_ORBIT_PARAMETERS_H

#include "../real.h"
#include "../job.h"

enum {
  ORBIT_ATTRACTORS = 4,
  ORBIT_CONSTANTS = 9 + 8 * ORBIT_ATTRACTORS,
  /* where the values stand */
  ORBIT_MU = 0,
  ORBIT_MASS,
  ORBIT_POSITION,
  ORBIT_MOMENTUM = ORBIT_POSITION + 3,
  ORBIT_DRAG = ORBIT_MOMENTUM + 3,
  ORBIT_PRESSURE,
  ORBIT_THRUST = ORBIT_PRESSURE + 3,
  ORBIT_OTHERS, /* each: mu, position, angular velocity */
  ORBIT_OTHER = 7
};

#define ORBIT_OTHER_PARAMETERS(k)                                                                    \
  {"mu" #k, 1, {0}, 0, 1e30, "attraction of a further body, 0 for none"},                            \
      {"at" #k, 3, {0, 0, 0}, -1e15, 1e15, "its position at the start"}, {                           \
    "turn" #k, 3, {0, 0, 0}, -1e6, 1e6, "angular velocity of its circle about the centre, 0 at rest" \
  }

#define ORBIT_PARAMETERS(momentum)                                                                                     \
  {                                                                                                                    \
    {"mu", 1, {3200.9998}, 1e-30, 1e30, "gravitational parameter of the centre"}, {"m", 1, {1}, 1e-30, 1e30, "mass"},  \
        {"q0", 3, {0, 1664.029, 0}, -1e15, 1e15, "initial position"},                                                  \
        {"p0", 3, {momentum, 0, 0}, -1e30, 1e30, "initial momentum"}, {"drag", 1, {0}, 0, 1e30, "c of the drag -c v"}, \
        {"pressure", 3, {0, 0, 0}, -1e30, 1e30, "constant force, as of solar radiation"},                              \
        {"thrust", 1, {0}, -1e30, 1e30, "force along the velocity"}, ORBIT_OTHER_PARAMETERS(1),                        \
        ORBIT_OTHER_PARAMETERS(2), ORBIT_OTHER_PARAMETERS(3), ORBIT_OTHER_PARAMETERS(4), {                             \
      0                                                                                                                \
    }                                                                                                                  \
  }

FN int orbit_is_forced(const double *parameters) {
  int forced = 0;
  for (int k = ORBIT_DRAG; k < ORBIT_OTHERS; k++) forced |= parameters[k] != 0;
  return forced;
}
/* As many as the last that attracts. */
FN int orbit_attractors(const double *parameters) {
  int count = 0;
  for (int k = 0; k < ORBIT_ATTRACTORS; k++)
    if (parameters[ORBIT_OTHERS + k * ORBIT_OTHER] != 0) count = k + 1;
  return count;
}

#endif
