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
  real_store(job->slots + k * job->stride + group, x);
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

#endif
