/* wide.c - the steps of a method for one variant, in lane groups twice as wide as those of instance.c: as many chains
 * of arithmetic in flight hide more of its latency, though they leave each fewer registers.  Compiled as instance.c is,
 * with twice the SD_GROUPS; that one calls it where there are members enough.  The bits are the same. */
#include SD_METHOD_HEADER

#include <family.h>
#include <problems.h>

#include "trajectory.h"

#include "kernel.h"

#define PROBLEM(family, name, id, step, time, title, doi) THIRD(name##_kernels_of, SHARED_KERNELS, OWN_KERNELS)(name)
#define OWN_KERNELS(name)                                                             \
  FUNCTIONS_OF(name)                                                                  \
  SHARED_KERNEL(WIDE_NAME(name, advance), const problem p = name##_functions(SIMPLE); \
                trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step), NULL, SIMPLE))
#include <problems.def>
