/* draws.h - what is drawn for the members of a lane group, and where the problem has them start. */
#ifndef SD_DRAWS_H
#define SD_DRAWS_H

#include "philox.h"
#include "slots.h"
#include "vec3.h"

FN member_numbers members_of_group(const sd_job *job, size_t group) {
  member_numbers m;
  for (size_t i = 0; i < SD_LANES; i++) m.lane[i] = member_number(job, group + i);
  return m;
}
FN normal_pair drawn_normals(const sd_job *job, size_t group, uint64_t draw) {
  return philox_normals_of(job->seed, members_of_group(job, group), draw);
}
/* 1 for every member that is perturbed. */
FN real perturbed(const sd_job *job, size_t group) {
  return all_but_first(members_of_group(job, group));
}
/* Three parameters of the problem. */
FN vec3 parameters_of(const sd_job *job, size_t group, int k) {
  return vec3_make(parameter_of(job, group, k), parameter_of(job, group, k + 1), parameter_of(job, group, k + 2));
}

#endif
