/* entry.c - what the host must know of one problem that is not built in; compiled as family.c is, with a problems.def
 * of one line.  Its kernels are instance.c's. */
#include <family.h>

#include <problems.h>

#include <constants.h>

#include "catalogue.h"

#ifdef FAMILY_PROBE
#include FAMILY_PROBE
#else
#define PROBE(name) NULL, NULL
#define PROBLEM_PROBE(name)
#endif

#define PROBLEM(family, name, id, step, time, title, doi)                   \
  static void name##_constants(const double *parameters, double *numbers) { \
    memset(numbers, 0, SD_CONSTANTS * sizeof *numbers);                     \
    PROBLEM_CONSTANTS(name, parameters, numbers);                           \
  }                                                                         \
  PROBLEM_PROBE(name)                                                       \
  extern const sd_problem_alone sd_own_problem;                             \
  const sd_problem_alone sd_own_problem = {name##_parameters, name##_constants, PROBE(name)};
#include <problems.def>
