/* ends.c - how the members of a family begin, how they are exported, for every problem of it, and the charts of their
 * states: what all the methods share whose state is the family's plain one.  Compiled as instance.c is, without a
 * method, once for each variant. */
#include <family.h>
#include <problems.h>

#include "charts.h"
#include "trajectory.h"

#include "kernel.h"

#define PROBLEM(family, name, id, step, time, title, doi) THIRD(name##_kernels_of, SHARED_KERNELS, OWN_KERNELS)(name)
#define OWN_KERNELS(name)                                                         \
  FUNCTIONS_OF(name)                                                              \
  SHARED_KERNEL(SHARED_NAME(name, begin), const problem p = name##_functions(0);  \
                trajectory_begin(job, first, count, &p, NULL))                    \
  SHARED_KERNEL(SHARED_NAME(name, export), const problem p = name##_functions(0); \
                trajectory_export(job, first, count, &p))
#include <problems.def>

#if !defined(__CUDACC__)
DECLARE_CHARTS(SHARED_NAME(all, charts))
const sd_charts SHARED_NAME(all, charts) = {centre_chart, displacement_chart};
#endif
