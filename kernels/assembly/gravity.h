/* gravity.h - bodies made of point masses fixed in each, which attract those of all other bodies:
 *
 *   U = -G sum ma mb/|d|,  d = (xi + Ri ra) - (xj + Rj rb)
 *
 * Points of the lower body are the outer loop, whichever of the two is looked at.
 *
 * T. Lee, M. Leok, N. H. McClamroch, Celest. Mech. Dyn. Astron. 98 (2007) 121-144, doi:10.1007/s10569-007-9073-x. */
#ifndef SD_ASSEMBLY_GRAVITY_H
#define SD_ASSEMBLY_GRAVITY_H

#include "rows.h"

FN int attracts(const sd_job *job) {
  return job->constants[ATTRACTION] > 0;
}

typedef struct {
  vec3 arm; /* from the body's centre, space frame */
  real mass;
} fixed_point;

FN fixed_point point_of(quaternion q, const real *number) {
  fixed_point p = {quaternion_rotate(q, vec3_make(number[0], number[1], number[2])), number[3]};
  return p;
}

typedef struct {
  vec3 force, moment, other_moment; /* on the lower body; the higher one's force is the opposite */
  real energy;
} attraction;

/* Adds what two points do; r = xi - xj of their bodies. */
FN void attract(attraction *sum, vec3 r, fixed_point a, fixed_point b, real strength) {
  vec3 d = vec3_add(r, vec3_sub(a.arm, b.arm));
  real inverse = real_rsqrt(vec3_norm2(d)), product = strength * (a.mass * b.mass), energy = product * inverse;
  vec3 force = vec3_scale(-(energy * inverse * inverse), d);
  sum->force = vec3_add(sum->force, force);
  sum->moment = vec3_add(sum->moment, vec3_cross(a.arm, force));
  sum->other_moment = vec3_sub(sum->other_moment, vec3_cross(b.arm, force));
  sum->energy = sum->energy - energy;
}
FN attraction no_attraction(void) {
  attraction a = {vec3_zero(), vec3_zero(), vec3_zero(), real_splat(0)};
  return a;
}

#endif
