/* plan.h - what is asked for, as it was given; what it comes to, once that has been asked; where it is to be done. */
#ifndef SD_PLAN_H
#define SD_PLAN_H

#include "control.h"
#include "options.h"
#include "place.h"
#include "source.h"
#include "specification.h"
#include "until.h"

enum { SD_OVERRIDES_MAX = 64, SD_SPREADS_MAX = 16 };

/* The deviation of the starts in one of a family's start arrays, by its option. */
typedef struct {
  const char *key; /* the family's own */
  double value;
} sd_spread;

typedef struct {
  char name[80]; /* NAME, or METHOD.NAME */
  double value[SD_PARAMETER_VALUES];
  int count;
} sd_override;

/* Which source gave a group of options, by which name. */
typedef struct {
  int source;
  const char *name;
} sd_given;

/* As given, or by default; 0 or "" for what is to be found. */
typedef struct {
  int source; /* the one whose settings are being taken; later ones have greater numbers */
  sd_given given[SD_GROUPS];
  char problem[32], methods[1024];
  sd_document *document;         /* that describes the systems of the problem, or NULL */
  sd_source own[SD_SOURCES_MAX]; /* problems and methods of the user's own; not all of them may be asked for */
  int owns;
  int foreign; /* they came with a file, and nobody has said that they may be compiled */
  sd_override overrides[SD_OVERRIDES_MAX];
  int override_count;
  int spare_parameters; /* parameters that nothing uses are no error: a companion run has other methods */
  size_t members, first_member;
  size_t points, first_point; /* of a sweep; points 0: the rest of them */
  double step, time;
  int64_t steps, every;
  sd_until until;
  double resolve; /* a change of E over the run of so many rms is one that matters to the verdict */
  uint64_t seed;
  sd_spread spread[SD_SPREADS_MAX]; /* of any family */
  int spreads;
  sd_starts starts;
  sd_sweep sweep;
  sd_impulse impulse[SD_IMPULSES_MAX]; /* in the order of their times, without their steps */
  int impulses;
  sd_burn burn[SD_BURNS_MAX]; /* in the order of their times */
  int burns;
  sd_event event[SD_EVENTS_MAX]; /* in the order they were given, without their entries */
  int events;
  double elements[SD_ELEMENTS]; /* of Kepler, to start with, where there are some */
  int with_elements;
  double velocity[3]; /* to start with, likewise */
  int with_velocity;
  int units; /* which of SD_UNITS, by either name */
  sd_covariance covariance;
  int unstable; /* steps beyond the stability limit are no error */
  size_t finals, trajectories;
  int moments, table;
  sd_asked_times at;
  int mergeable;
  char isa[16];
  int threads;
} sd_settings;

struct sd_plan {
  sd_error error;
  sd_settings settings;
  const sd_specification *specification; /* of when it was last resolved, or NULL */
  int resolved;                          /* nothing was set since */
  sd_place place;                        /* variant and threads from when it was last resolved */
  double deadline;                       /* by the monotonic clock, in seconds; 0: from when it is run */
  sd_watch watch;
  int with_series;   /* in the JSON */
  char skipped[256]; /* methods of `all` that this problem does not admit */
  const char *study; /* the plans of all the runs that this one is one of, for whoever resumes them; not owned */
  size_t number;     /* of this one among them, from 1 on */
  char *begun_with;  /* the output that a resumed run was begun with, or "": to be shown, never to be written */
  char digest[33];   /* that the result had which it comes from, or "" */
  char *answer;      /* of sd_plan_get */
};

/* The defaults that the list of options has. */
sd_status sd_plan_set_defaults(sd_plan *plan);

/* Resolves it and has all that it runs ready: compiles what is the user's own, of a file's only what is known or
 * trusted. */
sd_status sd_plan_prepare(sd_plan *plan);

/* Sets the clock going, if the plan has a limit by the clock. */
void sd_plan_start_clock(sd_plan *plan);
int sd_plan_is_overdue(const sd_plan *plan);

/* Replaces one of the plan's texts of any length: checkpoint, output, begun_with. */
sd_status sd_plan_keep(sd_plan *plan, char **text, const char *value);

#endif
