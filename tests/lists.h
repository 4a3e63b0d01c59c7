/* lists.h - shorthands over the registry and over a result's states, for tests; after cmocka.h. */
#ifndef TESTS_LISTS_H
#define TESTS_LISTS_H

#include "../host/number.h"
#include "../host/run.h"
#include "settings.h"

#include <string.h>

static inline int is_of(const sd_family *family, const char *id) {
  return !strcmp(family->id, id);
}
static inline const sd_problem_entry *problem_named(const char *id) {
  const sd_problem_entry *problem = NULL;
  sd_error error = {0};
  if (sd_find_problem(id, &problem, &error)) fail_msg("%s", error.message);
  return problem;
}

/* Where members have some: at the samples, within one of so many steps, and where it ends. */
static inline void set_moments(sd_plan *plan, const sd_family *family, double step, int steps) {
  char times[80];
  int whole = steps > 3 ? 3 : steps - 1;
  if (!sd_coordinates_of(family).numbers) return;
  sd_format(times, sizeof times, "%.17g,%.17g", (whole + 1) * step, (whole + 0.7) * step);
  set(plan, "moments", "yes");
  set(plan, "at", times);
}

/* Starts spread by the family's deviations, as widely as it says or as asked, or by a covariance that has no symmetry.
 */
static inline void set_spread(sd_plan *plan, const sd_family *family, const char *const asked[2], int correlated) {
  const char *const none[2] = {NULL, NULL};
  if (!asked) asked = none;
  if (correlated)
    set(plan, "spreading",
        "rtn,1e4,0,0,0,-8,0,0,9e3,0,3,0,0,0,0,8e3,0,0,1,0,3,0,1e-2,0,0,-8,0,0,0,1e-2,0,0,0,1,0,0,1e-2");
  for (int k = 0; family->start[k].name && !correlated; k++)
    set(plan, family->start[k].key, k < 2 && asked[k] ? asked[k] : family->start[k].wide);
}

/* All that may act on an orbit about the default centre, at once. */
static inline void set_all_forces(sd_plan *plan) {
  static const char *const parameters[] = {"radius=1000",
                                           "j2=1e-3",
                                           "j3=1e-4",
                                           "j4=-1e-4",
                                           "j5=1e-4",
                                           "j6=1e-4",
                                           "pole=0.1,0.2,1",
                                           "drag2=1e-8",
                                           "spin=1e-4",
                                           "scale-height=1000",
                                           "thrust=1e-6",
                                           "pressure=1e-8,2e-8,0",
                                           "shadow=1000,100",
                                           "drag=1e-8",
                                           "reference-height=600",
                                           "mu1=10",
                                           "at1=5000,0,0",
                                           "velocity1=0,0.7,0.1",
                                           "indirect=1"};
  for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) set(plan, "param", parameters[k]);
  set(plan, "burn", "from=130,for=333,thrust=1e-4,exhaust=3,along=0.1,1,0.2,size=0.05,angle=0.05");
  set(plan, "burn", "from=500,for=50,thrust=1e-4,exhaust=3");
  set(plan, "impulse", "t=520,rtn=0.001,0.002,0.003,size=0.1,angle=0.1");
}

/* Numbers of a state: the family's arrays, then E - E0. */
static inline const double *final_of(const sd_result *result, size_t method, size_t member) {
  return sd_state_at(&result->finals[method], 0, member);
}
static inline const double *trajectory_of(const sd_result *result, size_t method, size_t sample, size_t member) {
  return sd_state_at(&result->trajectories[method], sample, member);
}

static inline void assert_same_states(const sd_states *a, const sd_states *b) {
  size_t count = a->samples * a->members;
  assert_int_equal(count, b->samples * b->members);
  assert_memory_equal(a->number, b->number, count * a->numbers * sizeof *a->number);
  assert_memory_equal(a->status, b->status, count);
}

#endif
