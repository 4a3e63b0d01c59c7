/* slots.h - the numbers of one lane group in a job's arrays: STORED_STATE slots of its family, then its accounts. */
#ifndef SD_SLOTS_H
#define SD_SLOTS_H

#include "job.h"
#include "real.h"

enum { STORED_STATE = STATE_NUMBERS + KEPT_NUMBERS };

FN void put(const sd_job *job, size_t group, int k, real x) {
  real_store(job->slots + (size_t)k * job->stride + group, x);
}
FN real get(const sd_job *job, size_t group, int k) {
  return real_load(job->slots + (size_t)k * job->stride + group);
}
FN void put_account(const sd_job *job, size_t group, int k, real x) {
  put(job, group, STORED_STATE + k, x);
}
FN real get_account(const sd_job *job, size_t group, int k) {
  return get(job, group, STORED_STATE + k);
}

#endif
