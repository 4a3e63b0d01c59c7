/* systems.h - systems of many bodies in tests: as small as their problems allow, and what their kernels want of a job
 * besides what all kernels want.  After cmocka.h. */
#ifndef TESTS_SYSTEMS_H
#define TESTS_SYSTEMS_H

#include "../host/topology.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_MOST = 3 }; /* bodies of a small system, so that its start has no more numbers than a plan takes */

/* How many bodies there are to be along what the parameter counts; 0 where it is no count of bodies. */
static inline double small_count(const sd_parameter *p) {
  if (!strcmp(p->name, "n") || !strcmp(p->name, "nx")) return p->low > 2 ? p->low : 2;
  return !strcmp(p->name, "ny") || !strcmp(p->name, "nz");
}
static inline int is_inertia(const sd_parameter *p) {
  return p->name[0] == 'J' && p->count == 3;
}

static inline void make_small(const sd_problem_entry *problem, double *parameters) {
  for (const sd_parameter *p = problem->parameter; p->name; parameters += p++->count)
    if (problem->fill && small_count(p) > 0) *parameters = small_count(p);
}
static inline void set_small(sd_plan *plan, const sd_problem_entry *problem) {
  if (problem->fill) set(plan, "unstable", "yes");
  for (const sd_parameter *p = problem->parameter; problem->fill && p->name; p++) {
    char text[64];
    snprintf(text, sizeof text, "%s=%d", p->name, (int)small_count(p));
    if (small_count(p) > 0) set(plan, "param", text);
  }
}

/* Every body with three equal moments. */
static inline void make_spherical(const sd_problem_entry *problem, double *parameters) {
  for (const sd_parameter *p = problem->parameter; p->name; parameters += p++->count)
    if (is_inertia(p)) parameters[0] = parameters[2] = parameters[1];
}
static inline void set_spherical(sd_plan *plan, const sd_problem_entry *problem) {
  for (const sd_parameter *p = problem->parameter; p->name; p++) {
    char text[64];
    snprintf(text, sizeof text, "%s=2,2,2", p->name);
    if (is_inertia(p)) set(plan, "param", text);
  }
}

static inline double *parameter_named(const sd_problem_entry *problem, double *parameters, const char *name) {
  for (const sd_parameter *p = problem->parameter; p->name; parameters += p++->count)
    if (!strcmp(p->name, name)) return parameters;
  fail_msg("%s has no parameter %s", problem->id, name);
  return NULL;
}

static inline sd_shared_topology *topology_for(const sd_problem_entry *problem, const double *parameters) {
  sd_shared_topology *made = NULL;
  sd_error error = {0};
  if (problem->fill && sd_topology_create(problem, parameters, &made, &error)) fail_msg("%s", error.message);
  return made;
}

/* 1 where a member is a body. */
static inline size_t bodies_of(const sd_problem_entry *problem, const double *parameters) {
  sd_shared_topology *topology = topology_for(problem, parameters);
  size_t bodies = topology ? sd_topology_of(topology)->size.bodies : 1;
  sd_topology_let_go(topology);
  return bodies;
}

/* What a lane group of systems needs, as backend_cpu.c has it; nothing for single bodies. */
typedef struct {
  sd_shared_topology *topology;
  double *scratch;
  uint32_t *near_pairs;
} system_room;

static inline system_room room_for(const sd_problem_entry *problem, const sd_kernels *kernels, sd_job *job) {
  system_room room = {topology_for(problem, job->parameters), NULL, NULL};
  if (!room.topology) return room;
  job->topology = *sd_topology_of(room.topology);
  job->largest_diameter = sd_topology_largest(room.topology);
  if (!(job->skin > 0)) job->skin = 0.3;
  size_t n = job->topology.size.bodies, table = sd_own_kinds(&job->topology.size),
         reals = ((size_t)kernels->scratch * n + table) * (size_t)kernels->lanes;
  job->scratch = room.scratch = aligned_alloc(64, (reals * sizeof(double) + 63) / 64 * 64);
  job->near_pairs = room.near_pairs = malloc((n * (n - 1) / 2 + 1) * sizeof(uint32_t));
  if (!room.scratch || !room.near_pairs) fail_msg("out of memory");
  return room;
}
static inline void leave_room(system_room *room) {
  sd_topology_let_go(room->topology);
  free(room->scratch);
  free(room->near_pairs);
}

#endif
