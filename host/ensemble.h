/* ensemble.h - the bodies of one method's run: slot after slot, each an array over bodies. */
#ifndef SD_ENSEMBLE_H
#define SD_ENSEMBLE_H

#include "specification.h"

typedef struct {
  double *slots;
  size_t stride; /* bodies, padded to whole lane groups; the padding integrates the problem's own start */
  size_t bodies;
  int state_slots;
} sd_ensemble;

sd_status sd_ensemble_create(sd_ensemble *ensemble, const sd_specification *spec, const sd_kernels *kernels,
                             sd_error *error);
void sd_ensemble_destroy(sd_ensemble *ensemble);

static inline size_t sd_slot_count(const sd_ensemble *e) { /* of a body: its state, then its accounts */
  return (size_t)(e->state_slots + SD_ACCOUNT_SLOTS);
}
static inline size_t sd_ensemble_bytes(const sd_ensemble *e) {
  return sd_slot_count(e) * e->stride * sizeof(double);
}
static inline const double *sd_account_slot(const sd_ensemble *e, int k) {
  return e->slots + (size_t)(e->state_slots + k) * e->stride;
}
static inline int sd_member_status(const sd_ensemble *e, size_t body) {
  return (int)sd_account_slot(e, SD_STATUS)[body];
}
/* Is that a status at all?  In numbers from a file there may be anything. */
static inline int sd_has_member_status(const sd_ensemble *e, size_t body) {
  double status = sd_account_slot(e, SD_STATUS)[body];
  return status >= SD_MEMBER_OK && status <= SD_MEMBER_NOT_FINITE && status == (int)status;
}

#endif
