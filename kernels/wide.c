/* wide.c - the steps of a method for one variant, in lane groups wider than those of instance.c: more chains of
 * arithmetic in flight hide more of its latency, though they leave each fewer registers.  Compiled as instance.c is,
 * with more SD_GROUPS, by gcc as C++ (real.h); that one calls it where there are members enough.  The bits are the
 * same. The problem is a constant in memory, as gcc inlines through pointers to functions in nothing else by then. */
#include SD_METHOD_HEADER

#include <family.h>
#include <problems.h>

#include "trajectory.h"

#include "kernel.h"

#define PROBLEM(family, name, id, step, time, title, doi) THIRD(name##_kernels_of, SHARED_KERNELS, OWN_KERNELS)(name)
#define OWN_KERNELS(name)                                                                   \
  SHARED_KERNEL(WIDE_NAME(name, advance), static const problem p = PROBLEM_FUNCTIONS(name); \
                trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step), NULL, SIMPLE))
#include <problems.def>
