/* lists.h - shorthands over the registry and over a result's states, for tests; after cmocka.h. */
#ifndef TESTS_LISTS_H
#define TESTS_LISTS_H

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

/* Where members have some. */
static inline void set_moments(sd_plan *plan, const sd_family *family) {
  if (sd_coordinates_of(family).numbers) set(plan, "moments", "yes");
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
