/* constants.h - what the parameters of a problem come to, for a job: of rigid bodies; after family.h and the problems.
 */
#ifndef SD_SO3_CONSTANTS_H
#define SD_SO3_CONSTANTS_H

static void so3_constants(const double *parameters, void (*load)(constants *, const double *), double *numbers) {
  constants c = constants_with_inertia(vec3_splat(parameters));
  load(&c, parameters + SD_OWN);
  memcpy(numbers, &c, SO3_CONSTANTS * sizeof *numbers);
}
#define FAMILY_PROBE <probe.h> /* what its problems can be held against */
#define PROBLEM_CONSTANTS(name, parameters, numbers) so3_constants(parameters, name##_load, numbers)

#endif
