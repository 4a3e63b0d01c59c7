/* job.h - what the host hands to a kernel, in plain C: the one thing the two sides share. */
#ifndef SD_JOB_H
#define SD_JOB_H

#include "coordinates.h"
#include "topology.h"

enum {
  SD_PARAMETERS_MAX = 80,        /* values of a problem's parameters, */
  SD_PARAMETER_VALUES = 4,       /* and of one of them */
  SD_CONSTANTS = 80,             /* of a body: what its problem's parameters come to */
  SD_METHOD_PARAMETERS_MAX = 16, /* of one method */
  SD_STAGES_MAX = 17,            /* of a composition */
  SD_IMPULSES_MAX = 32,
  SD_BURNS_MAX = 16,
  SD_CUTS_MAX = SD_IMPULSES_MAX + 2 * SD_BURNS_MAX, /* times within a run that a step ends at */
  SD_EVENTS_MAX = 8,                                /* that are looked for, */
  SD_EVENT_ENTRIES_MAX = 64,                        /* and how often they may happen to a member, together */
  SD_START_NUMBERS_MAX = 6,                         /* of a start that has a covariance */
  SD_START_ARRAYS_MAX = 5,                          /* of a family */
  SD_LEDGER_MAX = 24,                               /* quantities of a family's ledger */
  SD_GROUP_MAX = 16                                 /* members are stored in multiples of this, the widest lane group */
};

/* How a body ended: the last is no failure, but an event that it should end at. */
enum {
  SD_MEMBER_OK,
  SD_MEMBER_NOT_CONVERGED,
  SD_MEMBER_OUTSIDE_DOMAIN,
  SD_MEMBER_NOT_FINITE,
  SD_MEMBER_ENDED,
  SD_MEMBER_STATUSES
};

/* The accumulators of one body, one slot each, after the slots of its state. */
enum {
  SD_ENERGY0,
  SD_MOMENTUM0,                 /* three */
  SD_LOWEST = SD_MOMENTUM0 + 3, /* extremes of E - E0 at the samples */
  SD_HIGHEST,
  SD_SQUARES,                 /* sum of (E - E0)^2 */
  SD_SUM,                     /* per half of the run: sum of E - E0, its compensation, */
  SD_MOMENT = SD_SUM + 4,     /* and sum of (t - half's mean t)(E - E0), its compensation */
  SD_TAPERED = SD_MOMENT + 4, /* sum of W (x - its mean)(E - E0), W = (x (1 - x))^2, x = t/T; its compensation */
  SD_SCALE = SD_TAPERED + 2,  /* |E0| and the kinetic energy at the start: what the energy is rounded at */
  SD_DEFECT,                  /* largest of the family's own measure, such as ||Q^T Q - I|| */
  SD_MOMENTUM_ERROR,          /* largest change of a momentum map */
  SD_ITERATIONS,              /* Newton iterations, all steps */
  SD_MOST_ITERATIONS,         /* in one step */
  SD_STATUS,
  SD_ACCOUNT_SLOTS
};

/* What components are along: fixed axes; outward, forward and along the angular momentum; the same with forward along
 * the velocity, and outward square to it. */
enum { SD_FRAME_FIXED, SD_FRAME_RTN, SD_FRAME_TANGENT };

/* A change of velocity at one time, with errors of its own for every body but the first: of its size, relative to it,
 * and of its direction, an angle.  Nothing changes where a burn begins or ends: only a step ends there. */
typedef struct {
  double time, change[3], size_error, angle_error;
  int64_t step; /* time(step) < time <= time(step + 1) */
  int frame;
  int burning; /* 1 + the burn that is on until then; 0: none */
} sd_impulse;

/* A force for a while, with the same errors, and the mass that it takes each time unit.  No two are on at once. */
typedef struct {
  double from, until, force[3], flow, size_error, angle_error;
  int frame;
} sd_burn;

/* Where something may happen to a body on its way: a number of its state changes its sign there, which one a family
 * knows by the condition. */
enum {
  SD_AT_PERIAPSIS,
  SD_AT_APOAPSIS,
  SD_AT_NODE, /* through the plane across the pole, along it, */
  SD_AT_DESCENDING,
  SD_AT_HEIGHT,       /* place[0] above the radius, either way */
  SD_AT_NEAREST,      /* as near to a place as it comes, */
  SD_AT_NEAREST_BODY, /* or to a further body */
  SD_CONDITIONS,
  SD_APPROACHES = SD_AT_NEAREST /* from here on a distance belongs to it */
};
enum { SD_EVENT_MARKS, SD_EVENT_ENDS, SD_EVENT_KICKS };

/* The first `times` of it are entered in the member's log.  An impulse is as sd_impulse has it. */
typedef struct {
  int condition, action, times;
  int sense;       /* 1 where that number rises, -1 where it falls, 0 either */
  int entry;       /* of the log: that of the first time */
  int body, frame; /* body: from 0 on */
  double place[3], after, change[3], size_error, angle_error;
} sd_event;

/* The log of a member, after its accounts: of each event where the body was last, -1 or 1, on which side of it; how
 * often it has happened; 1 where it cannot happen any more, being that of a closed orbit; and the least distance where
 * one was looked at, of an approach, NaN of others; then of each entry the time, the distance from what the event is
 * about, and the state's coordinates. */
enum { SD_EVENT_SIDE, SD_EVENT_COUNT, SD_EVENT_UNBOUND, SD_EVENT_CLOSEST, SD_EVENT_NUMBERS };
enum { SD_ENTRY_TIME, SD_ENTRY_DISTANCE, SD_ENTRY_COORDINATES };

/* Numbers that differ from member to member: that of column i is number[row * stride + i].  What has none of its own is
 * the job's; what has, has here 1 + its row. */
typedef struct {
  const double *number; /* NULL: nothing differs */
  size_t stride;
  uint8_t parameter[SD_PARAMETERS_MAX], constant[SD_CONSTANTS], method[SD_METHOD_PARAMETERS_MAX], step, half_mean[2];
} sd_varied;

/* What systems differ in from member to member: all of a table's numbers, which are the step, the parameters of the
 * method, the constants of the problem, and of the topology species, points and, if they are not the same for all,
 * kinds of bonds.  Tables stand one after the other; members may share one. */
enum {
  SD_OWN_STEP,
  SD_OWN_METHOD,
  SD_OWN_CONSTANTS = SD_OWN_METHOD + SD_METHOD_PARAMETERS_MAX,
  SD_OWN_SPECIES = SD_OWN_CONSTANTS + SD_CONSTANTS
};
typedef struct {
  const double *table; /* NULL: nothing differs */
  const uint32_t *of;  /* the table of each member, in whole lane groups, */
  size_t width;        /* which has so many numbers */
  uint32_t kind;       /* where kinds are in it; 0: they are the topology's */
} sd_differing;

/* Where its points are, after the species; and where kinds are, or where it ends. */
static inline size_t sd_own_points(const sd_topology_sizes *n) {
  return SD_OWN_SPECIES + (size_t)n->species * SD_SPECIES_NUMBERS;
}
static inline size_t sd_own_kinds(const sd_topology_sizes *n) {
  return sd_own_points(n) + (size_t)n->species * n->points * SD_POINT_NUMBERS;
}

/* Where the bodies of a member are, in cells: those of cell c are body[start[c]] .. body[start[c + 1] - 1], in their
 * order. */
typedef struct {
  double origin[3], inverse; /* of a corner; of the side of a cell */
  uint32_t n[3];
  uint32_t *start, *body;
} sd_cells;

/* The bodies of systems whose lanes are bodies: number k of the body at b of member i is number[k * pitch + i * bodies
 * + b], where both count in whole lane groups.  They stand in the order of their numbers, or in one by which near ones
 * are near in memory, the same for all members: their sums go by their numbers all the same. */
typedef struct {
  size_t pitch, bodies;
  uint32_t *name,
      *at;        /* the number of the body at b, and where the one with a number is; NULL where they are the same */
  double *number; /* as in the members' slots, and more that others see */
  double *now, *next; /* where others see a body, and where it goes when it turns: among the numbers, or among
                       * those of another array like it */
  double *acting;     /* what acts on the bodies from acting_first on, so far apart */
  size_t acting_first, acting_pitch;
  double *passing;             /* what else is not kept from step to step */
  uint32_t *near, *near_count; /* near ones of a body in the order of their numbers: near[k * pitch + place], itself
                                * where there is none; and how many such slots are in use */
  uint32_t near_most;
  sd_cells *cells;    /* per member */
  uint32_t *moved;    /* per member: bodies may have come near that are not in the lists */
  uint32_t *trouble;  /* per member: SD_TROUBLE_... */
  uint32_t *rebuilds; /* per member: how often neighbours were looked for */
  double *iterations; /* Newton iterations of all steps, and of the worst: two per member; on a device, per body */
  double *ledger;     /* [blocks of SD_REDUCE_BLOCK bodies][quantities], of all members: blocks of numbers */
} sd_field;

/* The last is of a member that was lost in an earlier step. */
enum {
  SD_TROUBLE_NOT_CONVERGED = 1,
  SD_TROUBLE_OUTSIDE = 2,
  SD_TROUBLE_NOT_FINITE = 4,
  SD_TROUBLE_CROWDED = 8,
  SD_TROUBLE_LOST = 16
};

/* Plain data but for the arrays over bodies, so that it can be handed to a device as it is. */
typedef struct {
  double *slots; /* slot k of column i is slots[k * stride + i]; state first, then accumulators.  Before begin, the
                  * first slots hold a start of its own (so3: quaternion w x y z, then W; orbit: q, then p), or zeros
                  * for the problem's start, perturbed unless it is body 0. */
  size_t stride;
  size_t origin;               /* the body in column 0: a device holds a part of the ensemble */
  uint64_t first_member, each; /* bodies are numbered from there on; 0, or after so many once more: ensembles */
  uint64_t seed;
  double sigma[SD_START_ARRAYS_MAX];    /* of the perturbed starts, in the family's start arrays */
  double parameters[SD_PARAMETERS_MAX]; /* of the problem, in the order of its list */
  double constants[SD_CONSTANTS];       /* from these, by sd_constants_of */
  sd_varied varied;
  int simple; /* sd_is_simple: whoever takes its steps may leave out all the rest */
  double method[SD_METHOD_PARAMETERS_MAX];
  double step;
  int stages; /* of the composition; 1 for the method itself */
  double stage[SD_STAGES_MAX];
  int64_t from_step, to_step, total_steps, every;
  int looks; /* 1: it only looks where members are at the time `look`, within its one step, and changes none */
  double look;
  int impulses; /* in the order of their times, among them the ends of burns */
  sd_impulse impulse[SD_CUTS_MAX];
  int burns; /* in the order of their times */
  sd_burn burn[SD_BURNS_MAX];
  int events, entries; /* entries: of a log */
  int event_kicks;     /* whether some of them do */
  sd_event event[SD_EVENTS_MAX];
  int correlated; /* starts spread by these numbers in place of sigma: row k has what number k of a start has of each
                     draw */
  double correlation[SD_START_NUMBERS_MAX * SD_START_NUMBERS_MAX];
  int64_t first_half; /* samples in the first half */
  double half_mean[2];
  double taper_mean; /* of x = t/T at the samples, with the weights W */
  double *series;    /* E - E0 at the samples of this job, a row of series_stride bodies each; NaN for a failed body */
  size_t series_stride;
  int64_t first_sample;               /* of the series: what row 0 is */
  int64_t witness_length;             /* of the intervals that have one (witness.h); 0: none has */
  int64_t witness_row, first_witness; /* the row of this interval's, after which those of the next ones come */
  int64_t coordinate_row; /* of the series: rows from there on have the states at its samples; 0: they are not wanted */
  double *exported;       /* export: a state's numbers, E - E0 and the status, slots of stride export_stride */
  size_t export_stride;
  /* of systems of many bodies */
  sd_topology topology;
  double largest_diameter;
  double skin; /* how far bodies may go before neighbours are looked for again, twice that, in diameters */
  sd_differing differing;
  size_t group;         /* of systems side by side: the column in the first lane */
  double *scratch;      /* for one lane group of members: their bodies, then a table of numbers for the lanes, */
  uint32_t *near_pairs; /* and its pairs of neighbours */
  int64_t ledger_row;   /* of the series: rows from there on have the ledgers of its samples */
  sd_field field;
} sd_job;

/* Columns first .. first + count - 1 of the job, in multiples of the lane count. */
typedef void (*sd_kernel)(const sd_job *job, size_t first, size_t count);

/* Some of a step for the bodies at the places first .. first + count - 1 of all members, in a stage of a composition.
 */
typedef void (*sd_pass)(const sd_job *job, size_t first, size_t count, int stage);

/* A method's passes over the bodies of systems: a step is turn, forces, finish, for every stage. */
typedef struct {
  sd_pass begin, turn, finish; /* begin may be NULL */
  /* Of the family: the velocity that dashpots see at the start; the forces where bodies are now, of a step or of a
   * state that was stored; who is near whom, for members that have moved; what each body has for the ledger, where it
   * is to be added up (NULL: ledger finds it itself); and ledgers, of blocks of bodies in place of bodies. */
  sd_pass settle, forces, first_forces, neighbours, entries, ledger;
  sd_pass check;                                  /* whether bodies are somewhere, at the end of some steps */
  int numbers, rows, acting, passing, quantities; /* of a body: kept, with what others see; not kept; of a ledger */
  /* Of a device alone: bodies into cells, before neighbours, one pass after the other.  A member has a block of threads
   * in lay and scan, and in stretch, which is all of some steps. */
  sd_pass lay, count, scan, fill, stretch;
} sd_passes;

/* The kernels of one method for one problem, compiled for one variant. */
typedef struct {
  const char *family, *method, *problem, *variant;
  int lanes;
  int state_slots, shown;     /* of a member: before its accounts; numbers of an exported state */
  int body_slots, body_shown; /* the same of each body of a system, which come first */
  int scratch;                /* reals of a body that the kernels want in job.scratch */
  sd_kernel begin, advance, export_state;
  sd_kernel advance_any;     /* for jobs that are not simple, */
  sd_kernel advance_watched; /* and for those with events; NULL: the family has none */
  const sd_passes *passes,
      *common;             /* for systems whose lanes are bodies: the method's, the family's; NULL for others */
  const sd_charts *charts; /* of the states of single bodies, on a processor */
} sd_kernels;

/* The one that takes a job's steps. */
static inline sd_kernel sd_advance_of(const sd_kernels *k, const sd_job *job) {
  return job->events ? k->advance_watched : job->simple ? k->advance : k->advance_any;
}

/* Of what was compiled elsewhere: whether it sees the same structs as the host. */
typedef struct {
  size_t job, kernels;
  int accounts;
} sd_shape;
#define SD_SHAPE \
  { sizeof(sd_job), sizeof(sd_kernels), SD_ACCOUNT_SLOTS }

/* Slots of a member's log. */
static inline size_t sd_event_slots(int events, int entries, int coordinates) {
  return (size_t)(SD_EVENT_NUMBERS * events + (SD_ENTRY_COORDINATES + coordinates) * entries);
}

static inline size_t sd_member_slots(const sd_kernels *k, size_t bodies) { /* of its state */
  return (size_t)k->state_slots + (size_t)k->body_slots * bodies;
}
static inline size_t sd_member_shown(const sd_kernels *k, size_t bodies) {
  return (size_t)k->shown + (size_t)k->body_shown * bodies;
}

/* One member of a system whose lanes are bodies, by itself: where it starts, and its accounts, from a ledger. */
typedef struct {
  void (*draw)(const sd_job *job, size_t member, uint32_t first, uint32_t count); /* some of its bodies */
  const double *(*join)(const sd_job *job, size_t member); /* its ledger, from those of its blocks */
  void (*open)(const sd_job *job, size_t member, const double *ledger);
  void (*enter)(const sd_job *job, size_t member, const double *ledger, int64_t step);
  void (*witness)(const sd_job *job, size_t member, const double *ledger, int64_t row);
  void (*lose)(const sd_job *job, size_t member, uint32_t trouble, double time);
  double (*lost_at)(const sd_job *job, size_t member); /* NaN where it was not */
  void (*count)(const sd_job *job, size_t member, double iterations, double most);
  void (*export_state)(const sd_job *job, size_t member, const double *ledger);
  void (*bin)(const sd_job *job, size_t member); /* its bodies into its cells */
} sd_alone;

/* What the host must know of a problem, and of the methods, besides their kernels. */
typedef struct {
  const char *name;
  int count;
  double value[SD_PARAMETER_VALUES];
  double low, high; /* of each component */
  const char *text;
} sd_parameter;

#endif
