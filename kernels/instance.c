/* instance.c - one method for one variant, compiled with
 *
 *   -DSD_METHOD=eln_exp -DSD_METHOD_HEADER="methods/eln-exp.h" -DSD_METHOD_ID="eln-exp"
 *   -DSD_VARIANT=avx512 -DSD_GROUPS=2
 *
 * It exports one table row: the kernels of this method for every problem in problems.def. */
#include SD_METHOD_HEADER
#include "problems.h"
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

/* The problem is a compile-time constant: its functions fold into the step. */
#define PROBLEM(name, id, step, time, title, doi)                                                                      \
  static const problem name##_problem = {name##_load, name##_potential, name##_torque,                     \
                                         name##_torque_derivative, name##_momentum};                       \
  static void name##_begin(const sd_job *job) {                                                            \
    trajectory_begin(job, &name##_problem, SD_BEGIN);                                                      \
  }                                                                                                        \
  static void name##_advance(const sd_job *job) {                                                          \
    trajectory_advance(job, &name##_problem, JOIN(SD_METHOD, _step));                                      \
  }                                                                                                        \
  static void name##_export(const sd_job *job) {                                                           \
    trajectory_export(job, &name##_problem);                                                               \
  }
#include "problems.def"
#undef PROBLEM

#define PROBLEM(name, id, step, time, title, doi) name##_begin,
static const sd_kernel begin[] = {
#include "problems.def"
};
#undef PROBLEM
#define PROBLEM(name, id, step, time, title, doi) name##_advance,
static const sd_kernel advance[] = {
#include "problems.def"
};
#undef PROBLEM
#define PROBLEM(name, id, step, time, title, doi) name##_export,
static const sd_kernel export_state[] = {
#include "problems.def"
};
#undef PROBLEM

extern const sd_row JOIN3(sd_row_, SD_METHOD, SD_VARIANT);
const sd_row JOIN3(sd_row_, SD_METHOD, SD_VARIANT) = {SD_METHOD_ID, TEXT(SD_VARIANT), SD_LANES, STORED_STATE,
                                                      begin,        advance,          export_state};
