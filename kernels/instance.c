/* instance.c - one method for one variant, compiled with
 *
 *   -Ikernels/so3 -DSD_FAMILY=so3 -DSD_METHOD=eln_exp -DSD_METHOD_HEADER="methods/eln-exp.h" -DSD_METHOD_ID="eln-exp"
 *   -DSD_VARIANT=avx512 -DSD_GROUPS=2
 *
 * and a folder with problems.h, which includes the files of the problems.  It exports one table, to be registered: the
 * kernels of this method for every problem of its family. */
#include SD_METHOD_HEADER

#include <family.h>
#include <problems.h>

#include "trajectory.h"

#include "kernel.h"

#define TABLE_(family, method, variant) sd_kernels_##family##_##method##_##variant
#define TABLE(family, method, variant) TABLE_(family, method, variant)

/* How members begin and are exported depends on the method by its state alone: where a build has ends.c, those with the
 * family's plain one share them. */
#if defined SD_SHARED_ENDS && defined PLAIN_STATE && !defined SD_BEGIN
#define END_NAME SHARED_NAME
#define ENDS(name) DECLARE_KERNEL(END_NAME(name, begin)) DECLARE_KERNEL(END_NAME(name, export))
#define THE_CHARTS SHARED_NAME(all, charts)
DECLARE_CHARTS(THE_CHARTS)
#else
#include "charts.h"
#define THE_CHARTS charts
#if !defined(__CUDACC__)
static const sd_charts charts = {centre_chart, displacement_chart};
#endif
#ifndef SD_BEGIN
#define SD_BEGIN NULL
#endif
#define END_NAME NAME
#define ENDS(name)                                                                                                    \
  KERNEL(NAME(name, begin), const problem p = name##_functions(0); trajectory_begin(job, first, count, &p, SD_BEGIN)) \
  KERNEL(NAME(name, export), const problem p = name##_functions(0); trajectory_export(job, first, count, &p))
#endif

/* Where events are watched for, all that steps are taken for shares one copy of them, which is a call. */
#if EVENTS
#define WATCHED_KERNEL(name)                                                                           \
  FN_APART void name##_piece(state *s, int64_t n, real begin, real h, const sd_job *job, size_t group, \
                             const constants *c, step_log *log, tally *t) {                            \
    const problem p = name##_functions(0);                                                             \
    *s = run_steps(*s, n, 1, begin, h, job, group, &p, c, JOIN(SD_METHOD, _step), log, t);             \
  }                                                                                                    \
  KERNEL(NAME(name, advance_watched), const problem p = name##_functions(0);                           \
         trajectory_advance(job, first, count, &p, NULL, name##_piece, 0))
#define ADVANCE_WATCHED(name) HANDLE(NAME(OWNER(name), advance_watched))
#else
#define WATCHED_KERNEL(name)
#define ADVANCE_WATCHED(name) NULL
#endif

/* Where a build has wide.c for the method, that takes all members but those that do not fill one of its lane groups. */
#ifdef SD_HAS_WIDE
#define DECLARE_WIDE(name) DECLARE_KERNEL(WIDE_NAME(name, advance))
#define ADVANCE_WIDE(name)                                                  \
  size_t taken = count / (SD_HAS_WIDE * SD_LANES) * SD_HAS_WIDE * SD_LANES; \
  if (taken) WIDE_NAME(name, advance)(job, first, taken);                   \
  first += taken, count -= taken;
#else
#define DECLARE_WIDE(name)
#define ADVANCE_WIDE(name)
#endif

#define PROBLEM(family, name, id, step, time, title, doi) THIRD(name##_kernels_of, SHARED_KERNELS, OWN_KERNELS)(name)
#define OWN_KERNELS(name)                                                                                           \
  FUNCTIONS_OF(name)                                                                                                \
  ENDS(name)                                                                                                        \
  DECLARE_WIDE(name)                                                                                                \
  SIMPLE_KERNEL(NAME(name, advance), const problem p = name##_functions(SIMPLE);                                    \
                ADVANCE_WIDE(name) trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step), NULL, SIMPLE)) \
  WATCHED_KERNEL(name)                                                                                              \
  APART(KERNEL(NAME(name, advance_any), const problem p = name##_functions(0);                                      \
               trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step), NULL, 0)))
#include <problems.def>
#undef PROBLEM

#ifndef __CUDACC_RTC__ /* which compiles for a device alone: the host makes the table */
EXPORT extern const sd_kernels TABLE(SD_FAMILY, SD_METHOD, SD_VARIANT)[];
#define PROBLEM(family, name, id, step, time, title, doi) \
  {TEXT(SD_FAMILY),                                       \
   SD_METHOD_ID,                                          \
   id,                                                    \
   TEXT(SD_VARIANT),                                      \
   SD_LANES,                                              \
   STATE_NUMBERS + KEPT_NUMBERS,                          \
   SHOWN_NUMBERS,                                         \
   0,                                                     \
   0,                                                     \
   0,                                                     \
   HANDLE(END_NAME(OWNER(name), begin)),                  \
   HANDLE(NAME(OWNER(name), advance)),                    \
   HANDLE(END_NAME(OWNER(name), export)),                 \
   HANDLE(NAME(OWNER(name), ADVANCE_ANY)),                \
   ADVANCE_WATCHED(name),                                 \
   NULL,                                                  \
   NULL,                                                  \
   CHARTS(THE_CHARTS)},
const sd_kernels TABLE(SD_FAMILY, SD_METHOD, SD_VARIANT)[] = {
#include <problems.def>
    {NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
#endif
