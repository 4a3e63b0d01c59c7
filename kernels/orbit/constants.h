/* constants.h - what the parameters of a problem come to, for a job: of point masses; after family.h and the problems.
 */
#ifndef SD_ORBIT_CONSTANTS_H
#define SD_ORBIT_CONSTANTS_H

static void orbit_constants(const double *parameters, double *c) {
  double mass = parameters[ORBIT_MASS];
  *c++ = parameters[ORBIT_MU];
  *c++ = mass;
  *c++ = 1 / mass;
  *c++ = mass * parameters[ORBIT_MU];
  for (int k = ORBIT_DRAG; k < ORBIT_OTHERS; k++) *c++ = parameters[k];
  for (int k = 0; k < ORBIT_ATTRACTORS; k++) {
    const double *other = parameters + ORBIT_OTHERS + k * ORBIT_OTHER, *turn = other + 4;
    double rate = real_sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    *c++ = mass * other[0];
    for (int i = 1; i <= 3; i++) *c++ = other[i];
    for (int i = 0; i < 3; i++) *c++ = rate > 0 ? turn[i] / rate : 0;
    *c++ = rate;
  }
}
#define PROBLEM_CONSTANTS(name, parameters, numbers) orbit_constants(parameters, numbers)

#endif
