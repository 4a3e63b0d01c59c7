/* ensemble.h - the bodies of one method's run: slot after slot, each an array over bodies. */
#ifndef SD_ENSEMBLE_H
#define SD_ENSEMBLE_H

#include "differing.h"

/* How often neighbours were looked for, counted for every member, and how long that took; 0: on a device, which does
 * not tell. */
typedef struct {
  uint64_t rebuilds;
  double seconds;
} sd_neighbour_cost;

/* So many members of the run from one on, for method m. */
typedef struct {
  int m;
  size_t first, members;
} sd_crowd;

typedef struct {
  sd_crowd crowd;
  double *slots;
  size_t stride; /* bodies, padded to whole lane groups; the padding integrates the problem's own start */
  size_t bodies;
  size_t column;                 /* of the first one, where these are some of another's */
  size_t bodies_each;            /* of a member that is a system; 0 where it is one body */
  size_t grain;                  /* members that sums begin with, a power of two; 0: SD_REDUCE_BLOCK */
  int by_bodies;                 /* lanes are bodies: members stand without padding */
  size_t state_slots, log_slots; /* of a member, before and after its accounts */
  const sd_kernels *kernels;
  const sd_alone *alone;       /* of systems, */
  const sd_topology *topology; /* and what they are: */
  sd_shared_topology *shared;  /* the first member's, from which others differ in their numbers alone */
  sd_differences differences;
  sd_variety variety;         /* numbers that differ from member to member */
  sd_coordinates coordinates; /* whose moments are wanted, or none */
} sd_ensemble;

sd_status sd_ensemble_create(sd_ensemble *ensemble, const sd_specification *spec, sd_crowd crowd,
                             const sd_kernels *kernels, int by_bodies, sd_error *error);
void sd_ensemble_destroy(sd_ensemble *ensemble);

/* Members in whole lane groups. */
size_t sd_padded(size_t members);

static inline size_t sd_slot_count(const sd_ensemble *e) { /* of a body: its state, its accounts, its log */
  return e->state_slots + SD_ACCOUNT_SLOTS + e->log_slots;
}
static inline size_t sd_ensemble_bytes(const sd_ensemble *e) {
  return sd_slot_count(e) * e->stride * sizeof(double);
}
static inline const double *sd_account_slot(const sd_ensemble *e, int k) {
  return e->slots + (e->state_slots + (size_t)k) * e->stride;
}
static inline int sd_member_status(const sd_ensemble *e, size_t body) {
  return (int)sd_account_slot(e, SD_STATUS)[body];
}
/* Is that a status at all?  In numbers from a file there may be anything. */
static inline int sd_has_member_status(const sd_ensemble *e, size_t body) {
  double status = sd_account_slot(e, SD_STATUS)[body];
  return status >= SD_MEMBER_OK && status < SD_MEMBER_STATUSES && status == (int)status;
}

#endif
