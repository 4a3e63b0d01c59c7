/* specification.h - what a run computes: resolved, constant, and all that its numbers depend on.  resolve.c makes it of
 * what was asked for; nobody changes it after that, and where the run is done (place.h) is no part of it. */
#ifndef SD_SPECIFICATION_H
#define SD_SPECIFICATION_H

#include "maneuvers.h"
#include "registry.h"
#include "starts.h"
#include "sweep.h"
#include "text.h"
#include "topology.h"

enum { SD_METHODS_MAX = 128 };
#define SD_BODIES_MOST 1000000000ULL
#define SD_STEPS_MOST 1000000000000LL

typedef struct {
  const sd_problem_entry *problem;
  double parameters[SD_PARAMETERS_MAX];
  int parameter_values; /* how many of them the problem has */
  sd_method methods[SD_METHODS_MAX];
  double method_parameters[SD_METHODS_MAX][SD_METHOD_PARAMETERS_MAX];
  int method_count;
  sd_shared_topology *topology; /* of systems of many bodies; NULL where a member is one body */
  sd_sweep sweep;
  sd_targets targets;
  size_t points, each; /* of a sweep, and the members of each; otherwise one point */
  int apart;           /* points have systems with bonds of their own: they are run one by one */
  size_t first_point;  /* what the first of them is in the grid */
  size_t members;      /* of all points */
  size_t first_member; /* what the first member of a point is in the ensemble */
  uint64_t seed;
  double sigma[SD_START_ARRAYS_MAX];
  sd_starts starts;
  double h, total_time;
  int units; /* which of SD_UNITS numbers are in: those that specific impulses were given in */
  int64_t total_steps, sample_every;
  double resolve; /* a change of E over the run of so many rms is one that matters to the verdict */
  sd_impulse impulse[SD_IMPULSES_MAX]; /* in the order of their times */
  int impulses;
  sd_burn burn[SD_BURNS_MAX]; /* likewise */
  int burns;
  sd_event event[SD_EVENTS_MAX];
  int events, entries;      /* entries: of the log of a member, of all events */
  sd_covariance covariance; /* of the starts, in place of sigma */
  double correlation[SD_START_NUMBERS_MAX * SD_START_NUMBERS_MAX];
  int moments;       /* of the state at the samples are kept, */
  sd_asked_times at; /* and at these times; */
  int table;         /* and what came of every member */
  size_t finals;     /* members whose state at the end is kept, */
  size_t recorded;   /* and whose trajectory */
  int mergeable;     /* what merging needs is kept (share.h) */
} sd_specification;

/* Bodies of a member that is a system; 0 where it is one body. */
static inline size_t sd_bodies_each(const sd_specification *spec) {
  return spec->topology ? sd_topology_of(spec->topology)->size.bodies : 0;
}
/* The text that describes its systems, or NULL. */
static inline const sd_document *sd_described_by(const sd_specification *spec) {
  return spec->topology ? sd_topology_document(spec->topology) : NULL;
}
/* Bodies of a member. */
static inline size_t sd_bodies_of(const sd_specification *spec) {
  return spec->topology ? sd_bodies_each(spec) : 1;
}

/* What so many members are called. */
static inline const char *sd_member_word(const sd_specification *spec, size_t count) {
  return spec->topology ? sd_plural(count, "system", "systems") : sd_plural(count, "body", "bodies");
}

static inline int sd_is_swept(const sd_specification *spec) {
  return spec->sweep.axes > 0;
}
/* Whether anything differs from member to member but their starts; and members that follow one another, from the first
 * of a point on, in which nothing does: all of the point where nothing is drawn or tabulated. */
static inline int sd_is_varied(const sd_specification *spec) {
  return spec->sweep.axes || spec->sweep.scatters || spec->targets.columns;
}
static inline size_t sd_members_alike(const sd_specification *spec) {
  return spec->sweep.scatters || spec->targets.columns ? 1 : spec->each;
}
/* Some points of a sweep, and not all of them. */
static inline int sd_is_part_of_sweep(const sd_specification *spec) {
  return sd_is_swept(spec) && spec->points < sd_sweep_points(&spec->sweep);
}
/* The number of the first member, where those of all points are counted. */
static inline size_t sd_first_number(const sd_specification *spec) {
  return spec->first_member + spec->first_point * spec->each;
}

/* Numbers of a member's log: on which side of an event it is, which come first, is of no use to others. */
static inline size_t sd_log_slots(const sd_specification *spec) {
  return sd_event_slots(spec->events, spec->entries, sd_coordinates_of(spec->problem->family).numbers);
}
static inline size_t sd_log_numbers(const sd_specification *spec) {
  return sd_log_slots(spec) - (size_t)spec->events;
}

/* With starts of its own; NULL without memory. */
sd_specification *sd_specification_copy(const sd_specification *specification);
void sd_specification_destroy(const sd_specification *specification);

/* What a plan comes to, until it is resolved again; NULL if it has not been resolved as it is. */
const sd_specification *sd_plan_specification(const sd_plan *plan);

#endif
