/* harness.h - runs one method on one body straight through its kernels, with any step, also a negative one. */
#ifndef SD_HARNESS_H
#define SD_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HARNESS_SLOTS = 64, HARNESS_PARAMETERS = SD_PARAMETERS_MAX };

typedef struct {
  double q[4], W[3]; /* quaternion w x y z; the quaternion may have any length */
} harness_start;

typedef struct {
  double number[HARNESS_SLOTS]; /* the family's arrays */
  double Q[9], W[3];            /* the same of a rigid body */
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
  if (t.method.entry->traits & SPHERICAL)
    for (int i = 0; i < 3; i++) t.parameters[i] = t.parameters[1];
  return t;
}

static inline void harness_set_inertia(harness *t, double a, double b, double c) {
  int spherical = (t->method.entry->traits & SPHERICAL) != 0;
  t->parameters[0] = a;
  t->parameters[1] = spherical ? a : b;
  t->parameters[2] = spherical ? a : c;
}

/* start == NULL is the problem's own.  Only body 0 is used; the other lanes of its group run along. */
static inline harness_end harness_run(const harness *t, const harness_start *start, double h, int64_t steps) {
  static double slots[HARNESS_SLOTS * SD_GROUP_MAX];
  static double out[HARNESS_SLOTS * SD_GROUP_MAX];
  const sd_kernels *kernels = sd_find_kernels(t->method.entry, t->problem, "scalar");
  memset(slots, 0, sizeof slots);
  if (start) {
    for (int k = 0; k < 4; k++) slots[k * SD_GROUP_MAX] = start->q[k];
    for (int k = 0; k < 3; k++) slots[(4 + k) * SD_GROUP_MAX] = start->W[k];
  }
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
  memcpy(job.method, t->method_parameters, sizeof job.method);
  memcpy(job.stage, t->method.stage, (size_t)t->method.stages * sizeof *job.stage);
  t->problem->constants(job.parameters, job.constants);
  kernels->begin(&job, 0, 1);
  kernels->advance(&job, 0, 1);
  kernels->export_state(&job, 0, 1);
  harness_end end;
  for (int k = 0; k < kernels->shown; k++) end.number[k] = out[k * SD_GROUP_MAX];
  memcpy(end.Q, end.number, sizeof end.Q);
  memcpy(end.W, end.number + 9, sizeof end.W);
  end.energy_error = out[kernels->shown * SD_GROUP_MAX];
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) end.account[k] = slots[(kernels->state_slots + k) * SD_GROUP_MAX];
  end.status = (int)end.account[SD_STATUS];
  return end;
}

/* A quaternion of a rotation matrix (the rotation is never near a half turn where the tests use it). */
static inline void harness_quaternion(const double Q[9], double q[4]) {
  double trace = Q[0] + Q[4] + Q[8];
  if (trace > 0) {
    double s = sqrt(trace + 1) * 2;
    q[0] = s / 4, q[1] = (Q[7] - Q[5]) / s, q[2] = (Q[2] - Q[6]) / s, q[3] = (Q[3] - Q[1]) / s;
    return;
  }
  int i = Q[4] > Q[0] ? 1 : 0;
  if (Q[8] > Q[4 * i]) i = 2;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double s = sqrt(1 + Q[4 * i] - Q[4 * j] - Q[4 * k]) * 2;
  q[0] = (Q[3 * k + j] - Q[3 * j + k]) / s;
  q[1 + i] = s / 4;
  q[1 + j] = (Q[3 * j + i] + Q[3 * i + j]) / s;
  q[1 + k] = (Q[3 * k + i] + Q[3 * i + k]) / s;
}

static inline double harness_distance(const harness_end *a, const harness_end *b) {
  double sum = 0;
  for (int i = 0; i < 9; i++) sum += (a->Q[i] - b->Q[i]) * (a->Q[i] - b->Q[i]);
  for (int i = 0; i < 3; i++) sum += (a->W[i] - b->W[i]) * (a->W[i] - b->W[i]);
  return sqrt(sum);
}

/* Calls check for every method of the list and, where it can be composed, for its compositions. */
static inline void for_each_method(void (*check)(const char *name, int order), int compositions) {
  for (int i = 0; i < sd_method_count(); i++) {
    if (!is_of(sd_method_at(i)->family, "so3")) continue;
    check(sd_method_at(i)->id, sd_method_at(i)->order);
    for (int order = 4; order <= 8 && compositions && (sd_method_at(i)->traits & SYMMETRIC); order += 2) {
      char name[40];
      snprintf(name, sizeof name, "%s@%d", sd_method_at(i)->id, order);
      check(name, order);
    }
  }
}

#endif
