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

#include "charts.h"
#include "trajectory.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TABLE_(family, method, variant) sd_kernels_##family##_##method##_##variant
#define TABLE(family, method, variant) TABLE_(family, method, variant)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#ifndef SD_BEGIN
#define SD_BEGIN NULL
#endif

/* A kernel on a processor: the columns first .. first + count - 1 of a job, and its entry in the table. */
#ifndef KERNEL
#define KERNEL(name, work)                                          \
  static void name(const sd_job *job, size_t first, size_t count) { \
    work;                                                           \
  }
#define HANDLE(name) name
#define EXPORT
#define APART(kernel) /* one kernel serves them all */
#define COMMON(job)
#define ADVANCE_VARIED advance
#define CHARTS &charts
#endif
#define NAME_(family, method, problem, kernel) sd_##family##_##method##_##problem##_##kernel
#define NAME(problem, kernel) NAME__(SD_FAMILY, SD_METHOD, problem, kernel)
#define NAME__(family, method, problem, kernel) NAME_(family, method, problem, kernel)

/* A problem with the functions of another, which only starts elsewhere, says so in its file:
 *
 *   #define top_fast_kernels_of , top_slow
 *
 * It has that one's kernels, and none of its own: OWNER(top_fast) is top_slow, OWNER(top_slow) itself. */
#define SECOND_(a, b, ...) b
#define SECOND(...) SECOND_(__VA_ARGS__, )
#define THIRD_(a, b, c, ...) c
#define THIRD(...) THIRD_(__VA_ARGS__, )
#define OWNER(name) SECOND(name##_kernels_of, name)
#define SHARED_KERNELS(name)

/* The problem is a compile-time constant: its functions fold into the step. */
#define PROBLEM(family, name, id, step, time, title, doi) THIRD(name##_kernels_of, SHARED_KERNELS, OWN_KERNELS)(name)
#define OWN_KERNELS(name)                                                                                            \
  FN problem name##_functions(void) {                                                                                \
    problem p = PROBLEM_FUNCTIONS(name);                                                                             \
    return p;                                                                                                        \
  }                                                                                                                  \
  KERNEL(NAME(name, begin), const problem p = name##_functions(); trajectory_begin(job, first, count, &p, SD_BEGIN)) \
  KERNEL(NAME(name, advance), COMMON(job); const problem p = name##_functions();                                     \
         trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step)))                                          \
  APART(KERNEL(NAME(name, advance_varied), const problem p = name##_functions();                                     \
               trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step))))                                   \
  KERNEL(NAME(name, export), const problem p = name##_functions(); trajectory_export(job, first, count, &p))
#include <problems.def>
#undef PROBLEM

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
   HANDLE(NAME(OWNER(name), begin)),                      \
   HANDLE(NAME(OWNER(name), advance)),                    \
   HANDLE(NAME(OWNER(name), export)),                     \
   HANDLE(NAME(OWNER(name), ADVANCE_VARIED)),             \
   NULL,                                                  \
   NULL,                                                  \
   CHARTS},
const sd_kernels TABLE(SD_FAMILY, SD_METHOD, SD_VARIANT)[] = {
#include <problems.def>
    {NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
