/* differing.h - what systems differ in from member to member: tables of the numbers that kernels want of a system
 * (kernels/job.h), one for each member that is not like the one before it. */
#ifndef SD_HOST_DIFFERING_H
#define SD_HOST_DIFFERING_H

#include "variety.h"

typedef struct {
  sd_differing map; /* its tables and places are these: */
  double *table;
  uint32_t *of; /* [stride]: beyond the members it repeats the last one */
  size_t tables;
  double largest; /* diameter, of all members */
} sd_differences;

/* Where bodies of member i begin in the columns of the slots, if not where the first one's do: slot k of a body at
 * start[(body * slots + k) * stride + i]. */
typedef struct {
  double *start;
  size_t slots, stride;
} sd_start_columns;

/* Of the members first .. first + count - 1 under method m; `shared` is the first one's topology.  Starts that are not
 * its are put into their columns, for the kernel that begins, where there is none yet. */
sd_status sd_differences_create(sd_differences *differences, const sd_specification *spec, int m, size_t first,
                                size_t count, const sd_shared_topology *shared, const sd_start_columns *starts,
                                sd_error *error);
void sd_differences_destroy(sd_differences *differences);

#endif
