/* constants.h - what the parameters of a problem come to, for a job: of point masses; after family.h and the problems.
 */
#ifndef SD_ORBIT_CONSTANTS_H
#define SD_ORBIT_CONSTANTS_H

static double *unit_vector(const double *v, double scale, double *to) {
  double length = real_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) *to++ = length > 0 ? scale * (v[i] / length) : 0;
  return to;
}

/* In the order of `constants`, from its zonal field on. */
static void orbit_more_constants(const double *parameters, double *c) {
  double mu = parameters[ORBIT_MU], indirect = parameters[ORBIT_INDIRECT], height = parameters[ORBIT_SCALE_HEIGHT];
  double radius = parameters[ORBIT_RADIUS], a = parameters[ORBIT_MASS] * mu * radius;
  for (int k = 0; k < 5; k++) *c++ = parameters[ORBIT_ZONAL + k] * (a *= radius);
  c = unit_vector(parameters + ORBIT_POLE, 1, c);
  *c++ = parameters[ORBIT_DRAG2];
  *c++ = height > 0 ? 1 / height : 0;
  *c++ = radius + parameters[ORBIT_REFERENCE_HEIGHT];
  c = unit_vector(parameters + ORBIT_POLE, parameters[ORBIT_SPIN], c);
  *c++ = parameters[ORBIT_SHADOW];
  *c++ = parameters[ORBIT_SHADOW + 1] > 0 ? 1 / parameters[ORBIT_SHADOW + 1] : 0;
  *c++ = indirect;
  for (int k = 0; k < ORBIT_ATTRACTORS; k++) {
    for (int i = 0; i < 3; i++) *c++ = parameters[ORBIT_VELOCITIES + 3 * k + i];
    *c++ = mu + indirect * parameters[ORBIT_OTHERS + k * ORBIT_OTHER];
  }
}

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
  orbit_more_constants(parameters, c);
}
#define PROBLEM_CONSTANTS(name, parameters, numbers) orbit_constants(parameters, numbers)

#endif
