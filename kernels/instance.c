/* instance.c - one method for one variant, compiled with
 *
 *   -DSD_METHOD=eln_exp -DSD_METHOD_HEADER="methods/eln-exp.h" -DSD_METHOD_ID="eln-exp"
 *   -DSD_FAMILY=SO3 -DSD_VARIANT=avx512 -DSD_GROUPS=2
 *
 * It exports one table row: the kernels of this method for every problem of its family. */
#define SO3 1
#define ORBIT 2
#include SD_METHOD_HEADER
#if SD_FAMILY == SO3
#include "so3/problems.h"
#include "so3/so3.h"
#define PROBLEM OWN
#define ORBIT_PROBLEM OTHER
#elif SD_FAMILY == ORBIT
#include "orbit/orbit.h"
#define PROBLEM OTHER
#define ORBIT_PROBLEM OWN
#endif
#include "trajectory.h"

#define JOIN3_(a, b, c) a##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
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
#endif
#define NAME_(method, problem, kernel) sd_##method##_##problem##_##kernel
#define NAME(method, problem, kernel) NAME_(method, problem, kernel)

/* The problem is a compile-time constant: its functions fold into the step. */
#define OTHER(name, id, step, time, title, doi)
#define OWN(name, id, step, time, title, doi)                                  \
  FN problem name##_functions(void) {                                          \
    problem p = PROBLEM_FUNCTIONS(name);                                       \
    return p;                                                                  \
  }                                                                            \
  KERNEL(NAME(SD_METHOD, name, begin), const problem p = name##_functions();   \
         trajectory_begin(job, first, count, &p, SD_BEGIN))                    \
  KERNEL(NAME(SD_METHOD, name, advance), const problem p = name##_functions(); \
         trajectory_advance(job, first, count, &p, JOIN(SD_METHOD, _step)))    \
  KERNEL(NAME(SD_METHOD, name, export), const problem p = name##_functions(); trajectory_export(job, first, count, &p))
#include "all_problems.def"
#undef OWN
#undef OTHER

/* The tables are over the problems of all families. */
#define OTHER(name, id, step, time, title, doi) NULL,
#define OWN(name, id, step, time, title, doi) HANDLE(NAME(SD_METHOD, name, begin)),
static const sd_kernel begin[] = {
#include "all_problems.def"
};
#undef OWN
#define OWN(name, id, step, time, title, doi) HANDLE(NAME(SD_METHOD, name, advance)),
static const sd_kernel advance[] = {
#include "all_problems.def"
};
#undef OWN
#define OWN(name, id, step, time, title, doi) HANDLE(NAME(SD_METHOD, name, export)),
static const sd_kernel export_state[] = {
#include "all_problems.def"
};

EXPORT extern const sd_row JOIN3(sd_row_, SD_METHOD, SD_VARIANT);
const sd_row JOIN3(sd_row_, SD_METHOD, SD_VARIANT) = {SD_METHOD_ID, TEXT(SD_VARIANT), SD_LANES,    STORED_STATE,
                                                      begin,        advance,          export_state};
