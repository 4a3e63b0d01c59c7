/* harness.h - runs one method on one member straight through its kernels, with any step, also a negative one.  Systems
 * of many bodies are small ones. */
#ifndef SD_HARNESS_H
#define SD_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HARNESS_SLOTS = 128, HARNESS_PARAMETERS = SD_PARAMETERS_MAX };

typedef struct {
  double number[HARNESS_PARAMETERS]; /* as the family starts with */
} harness_start;

typedef struct {
  double number[HARNESS_SLOTS]; /* the family's arrays */
  size_t bodies;                /* of a system */
  double energy_error;
  double account[SD_ACCOUNT_SLOTS];
  int status;
} harness_end;

typedef struct {
  sd_method method;
  const sd_problem_entry *problem;
  double parameters[HARNESS_PARAMETERS];
  double method_parameters[SD_METHOD_PARAMETERS_MAX];
} harness;

static inline harness harness_make(const char *method, const char *problem) {
  harness t = {0};
  sd_error error = {0};
  if (sd_find_problem(problem, &t.problem, &error) || sd_find_method(method, t.problem->family, &t.method, &error))
    fail_msg("%s", error.message);
  double *to = t.parameters;
  for (const sd_parameter *p = t.problem->parameter; p->name; p++)
    for (int i = 0; i < p->count; i++) *to++ = p->value[i];
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  int count = sd_parameters_of(t.method.entry, table);
  for (int i = 0; i < count; i++) t.method_parameters[i] = table[i]->value[0];
  if (t.method.entry->traits & SPHERICAL) make_spherical(t.problem, t.parameters);
  make_small(t.problem, t.parameters);
  return t;
}

/* The numbers of a start where begin finds them; in a system those of a body have room for more after them. */
static inline void harness_place(const harness *t, const harness_start *start, size_t body_slots, double *slots) {
  size_t each = sd_start_numbers(t->problem->family, 1), bodies = bodies_of(t->problem, t->parameters);
  for (size_t b = 0; b < bodies; b++)
    for (size_t k = 0; k < each; k++) slots[(b * body_slots + k) * SD_GROUP_MAX] = start->number[b * each + k];
}

/* start == NULL is the problem's own.  Only member 0 is used; the other lanes of its group run along. */
static inline harness_end harness_run(const harness *t, const harness_start *start, double h, int64_t steps) {
  static double slots[HARNESS_SLOTS * SD_GROUP_MAX];
  static double out[HARNESS_SLOTS * SD_GROUP_MAX];
  const sd_kernels *kernels = sd_find_kernels(t->method.entry, t->problem, "scalar");
  size_t bodies = bodies_of(t->problem, t->parameters);
  size_t shown = sd_member_shown(kernels, bodies), state = sd_member_slots(kernels, bodies);
  assert_true(shown + 2 <= HARNESS_SLOTS && state + SD_ACCOUNT_SLOTS <= HARNESS_SLOTS);
  memset(slots, 0, sizeof slots);
  if (start) harness_place(t, start, (size_t)kernels->body_slots, slots);
  sd_job job = {.slots = slots,
                .stride = SD_GROUP_MAX,
                .step = h,
                .stages = t->method.stages,
                .to_step = steps,
                .total_steps = steps,
                .every = 1,
                .first_half = (steps + 1) / 2,
                .exported = out,
                .export_stride = SD_GROUP_MAX};
  memcpy(job.method, t->method_parameters, sizeof job.method);
  memcpy(job.parameters, t->parameters, sizeof job.parameters);
  memcpy(job.stage, t->method.stage, (size_t)t->method.stages * sizeof *job.stage);
  t->problem->constants(job.parameters, job.constants);
  system_room room = room_for(t->problem, kernels, &job);
  kernels->begin(&job, 0, 1);
  kernels->advance(&job, 0, 1);
  kernels->export_state(&job, 0, 1);
  leave_room(&room);
  harness_end end = {.bodies = bodies};
  for (size_t k = 0; k < shown; k++) end.number[k] = out[k * SD_GROUP_MAX];
  end.energy_error = out[shown * SD_GROUP_MAX];
  for (size_t k = 0; k < SD_ACCOUNT_SLOTS; k++) end.account[k] = slots[(state + k) * SD_GROUP_MAX];
  end.status = (int)end.account[SD_STATUS];
  return end;
}

static inline int can_be_composed(const sd_method_entry *m) {
  return m->traits & SYMMETRIC && m->order == 2;
}

#endif
