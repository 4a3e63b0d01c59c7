/* field_order.h - in which order the bodies of a field stand in memory.  They are known by their numbers all the same:
 * in slots, in sums, in what acts on them. */
#ifndef SD_FIELD_ORDER_H
#define SD_FIELD_ORDER_H

#include "ensemble.h"
#include "place.h"

/* What there is once more of bodies that stand in another order than that of their numbers. */
typedef struct {
  uint32_t *name, *at;                           /* as sd_field has them */
  uint32_t *species_of, *partner, *partner_kind; /* as sd_topology has them */
  uint32_t *kind_now;                            /* of each kind of bonds, which are in the order of their use */
  double *kind;
  int own_kinds; /* members have their own, in the order of their numbers */
} sd_field_order;

/* By where the first member's bodies are in its slots: row by row, so that bodies of a lattice stand as it does.
 * `sorted` says whether it came to that: only if bodies that follow one another by number are far apart, or always
 * where `yes` is wanted. */
sd_status sd_field_order_find(sd_field_order *order, sd_sort wanted, const sd_ensemble *ensemble, int *sorted,
                              sd_error *error);
/* What they are, as they stand. */
sd_topology sd_field_order_topology(const sd_field_order *order, const sd_topology *given);
void sd_field_order_destroy(sd_field_order *order);

#endif
