/* slots.h - the numbers of one lane group in a job's arrays: STORED_STATE slots of its family, then its accounts.  A
 * family whose members differ in size from run to run has its own word for them. */
#ifndef SD_SLOTS_H
#define SD_SLOTS_H

#include "job.h"
#include "real.h"

#ifndef STORED_STATE
#define STORED_STATE(job) ((size_t)(STATE_NUMBERS + KEPT_NUMBERS))
#endif

FN void put(const sd_job *job, size_t group, size_t k, real x) {
  if (!job->looks) real_store(job->slots + k * job->stride + group, x);
}
FN real get(const sd_job *job, size_t group, size_t k) {
  return real_load(job->slots + k * job->stride + group);
}
FN void put_account(const sd_job *job, size_t group, int k, real x) {
  put(job, group, STORED_STATE(job) + (size_t)k, x);
}
FN real get_account(const sd_job *job, size_t group, int k) {
  return get(job, group, STORED_STATE(job) + (size_t)k);
}

/* What the member in a column is in its ensemble. */
FN uint64_t member_number(const sd_job *job, size_t column) {
  uint64_t place = job->origin + column;
  return job->first_member + (job->each ? place % job->each : place);
}

/* A number of the job, or the members' own. */
FN real varied_number(const sd_job *job, size_t group, double common, uint8_t own) {
  return job->varied.number && own ? real_load(job->varied.number + (size_t)(own - 1) * job->varied.stride + group)
                                   : real_splat(common);
}
FN real parameter_of(const sd_job *job, size_t group, int k) {
  return varied_number(job, group, job->parameters[k], job->varied.parameter[k]);
}
FN real step_of(const sd_job *job, size_t group) {
  return varied_number(job, group, job->step, job->varied.step);
}
/* What the problem's parameters come to, and those of the method. */
FN void numbers_of_problem(const sd_job *job, size_t group, int count, real *to) {
  for (int k = 0; k < count; k++) to[k] = varied_number(job, group, job->constants[k], job->varied.constant[k]);
}
FN void numbers_of_method(const sd_job *job, size_t group, real *to) {
  for (int k = 0; k < SD_METHOD_PARAMETERS_MAX; k++)
    to[k] = varied_number(job, group, job->method[k], job->varied.method[k]);
}

#endif
