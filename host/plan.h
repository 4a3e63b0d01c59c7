/* plan.h - everything a run depends on, validated. */
#ifndef SD_PLAN_H
#define SD_PLAN_H

#include "options.h"
#include "starts.h"

enum { SD_METHODS_MAX = 128, SD_OVERRIDES_MAX = 32, SD_SPREADS_MAX = 16 };
#define SD_BODIES_MOST 1000000000ULL
#define SD_STEPS_MOST 1000000000000LL

/* The deviation of the starts in one of a family's start arrays, by its option. */
typedef struct {
  const char *key; /* the family's own */
  double value;
} sd_spread;

typedef struct {
  char name[32];
  double value[3];
  int count;
  int used;
} sd_override;

/* Which source gave a group of options, by which name. */
typedef struct {
  int source;
  const char *name;
} sd_given;

struct sd_plan {
  sd_error error;
  /* as set */
  int source; /* the one whose settings are being taken; later ones have greater numbers */
  sd_given given[SD_GROUPS];
  char problem_name[32], method_names[1024], isa[16], backend[16];
  char devices[256];         /* of the CUDA backend, by number; all when empty */
  int block;                 /* threads in a block there; 0: the backend's choice */
  double device_memory;      /* MiB of each device to use; 0: what is free */
  char *checkpoint, *output; /* paths, or "" */
  double checkpoint_every;   /* seconds */
  char *begun_with;          /* the output that a resumed run was begun with, or "": to be shown, never to be written */
  const char *study; /* the plans of all the runs that this one is one of, for whoever resumes them; not owned */
  size_t place;      /* of this one among them, from 1 on */
  size_t first_body; /* body 0 of the run is this one of the ensemble */
  int fallback;      /* a method that a device failed is run again by the processor */
  sd_override overrides[SD_OVERRIDES_MAX];
  int override_count;
  size_t bodies;
  double step, time;
  int64_t steps, every;
  uint64_t seed;
  int threads;
  sd_spread spread[SD_SPREADS_MAX]; /* as set, of any family */
  int spreads;
  sd_impulse impulse[SD_IMPULSES_MAX];
  int impulses;
  size_t final_count, trajectories;
  int with_series; /* in the JSON */
  sd_starts starts;
  int spare_parameters; /* parameters that nothing uses are no error: a companion run has other methods */
  sd_control *control;  /* or NULL */
  sd_saved saved;
  void *saved_data;
  sd_progress progress;
  void *progress_data;
  char digest[33]; /* that the result had which it comes from, or "" */
  char *answer;    /* of sd_plan_get */
  /* resolved by sd_plan_resolve */
  int resolved;
  const sd_problem_entry *problem;
  double h, total_time;
  int64_t total_steps, sample_every;
  int thread_count;
  size_t finals;
  size_t recorded; /* bodies whose trajectory is kept */
  double parameters[SD_PARAMETERS_MAX];
  int parameter_values; /* how many of them the problem has */
  double sigma[SD_START_ARRAYS_MAX];
  sd_method methods[SD_METHODS_MAX];
  double method_parameters[SD_METHODS_MAX][SD_METHOD_PARAMETERS_MAX];
  int method_count;
  char skipped[256]; /* methods of `all` that this body does not admit */
  sd_variant variant;
};

/* The defaults that the list of options has. */
sd_status sd_plan_set_defaults(sd_plan *plan);

/* Was a checkpoint asked for?  Asks no more then. */
int sd_control_take_save(sd_control *control);

/* Replaces one of the plan's texts of any length: checkpoint, output, begun_with. */
sd_status sd_plan_keep(sd_plan *plan, char **text, const char *value);

/* Cuts the next item off a list with commas, which may be empty; NULL after the last. */
char *sd_next_item(char **list);

#endif
