/* catalogue.h - a family, its methods and its problems, as plain data: what the host knows of them.
 *
 * Whatever the host does differently for one family than for another stands in the family's entry.  A family lives in a
 * folder: family.h is what trajectory.h wants of it, family.c its entry here, methods.def and problems.def its lists.
 */
#ifndef SD_CATALOGUE_H
#define SD_CATALOGUE_H

#include "job.h"

/* ---- traits of methods ---- */

enum {
#define TRAIT(name, letter, id, text) SD_NUMBER_OF_##name,
#include "traits.def"
#undef TRAIT
  SD_TRAITS
};
enum {
#define TRAIT(name, letter, id, text) name = 1 << SD_NUMBER_OF_##name,
#include "traits.def"
#undef TRAIT
  SD_NO_TRAITS = 0
};

/* ---- what a family declares ---- */

/* Some of the numbers of a state as it is shown: a number, a vector (columns 1), a matrix by rows.  They follow one
 * another in the order of the list, which ends with a null id. */
typedef struct {
  const char *id, *name; /* in JSON, in HDF5 */
  int per_body;          /* as many of it as a member has bodies; otherwise one for the member */
  int rows, columns;
  const char *units, *text;
  int role; /* of a body in space, */
} sd_array;

/* where each is one array's at most: place, velocity, rotation to space as a matrix by rows or as a quaternion w, x, y,
 * z, and angular velocity in the body's frame. */
enum { SD_NO_ROLE, SD_ROLE_PLACE, SD_ROLE_SPEED, SD_ROLE_ROTATION, SD_ROLE_ORIENTATION, SD_ROLE_TURNING, SD_ROLES };

/* Some of the numbers that a member starts with, and how far the starts of an ensemble spread in them.  They follow one
 * another in the order of the list, which ends with a null name.  Last come those with a count of 0: members spread in
 * them, but they are no numbers of a start. */
typedef struct {
  const char *name;
  int count;
  const char *units, *text;
  const char *key;  /* the option: the deviation in them, */
  double deviation; /* by default, */
  const char *wide; /* and widely spread, for self-tests */
  int rotation;     /* a unit quaternion w, x, y, z */
} sd_start_array;

/* What is wrong with a set of parameters: the one at fault, by its place in the list, and what it is; NULL if nothing.
 */
typedef struct {
  int parameter;
  const char *text;
} sd_complaint;

typedef struct sd_family sd_family;

typedef struct {
  const sd_family *family;
  const char *id;
  int order, traits;
  const char *title, *doi;
} sd_method_entry;

typedef struct {
  const char *method;
  sd_parameter parameter;
} sd_method_parameter;

/* How often a method goes on in one step, where that is not once: what it may round counts in these. */
typedef struct {
  const char *method;
  int stages;
} sd_method_stages;

typedef struct {
  const sd_family *family;
  const char *id;
  double step, time; /* defaults */
  const char *title, *doi;
  const sd_parameter *parameter;                                               /* ends with a null name */
  void (*constants)(const double *parameters, double constants[SD_CONSTANTS]); /* what they come to, for a job */
  /* Of systems of many bodies: how large one is, and, into arrays that are large enough, what it consists of; NULL
   * where a member is one body.  Bonds have their lower body first, in any order.  Only `measure` is NULL where a text
   * describes the system: then the host has filled in what that says, and `fill` completes it. */
  void (*measure)(const double *parameters, sd_topology_sizes *sizes);
  void (*fill)(const double *parameters, sd_topology *topology);
} sd_problem_entry;

/* What a problem's function says at some place beside what differences of another of its functions say there: a number,
 * a vector, a matrix by rows; and how far the differences may be off. */
typedef struct {
  const char *what, *beside, *rule; /* its name; what the differences are of; what should hold, for people */
  int rows, columns;
  double given[9], found[9], error;
  double scale; /* what a difference of the two is large or small beside */
} sd_comparison;

/* One for each function that can be held against another, at a place that so many numbers from -1 to 1 stand for, which
 * `place` then says for people; returns how many there are. */
enum { SD_COMPARISONS_MAX = 4, SD_PROBE_NUMBERS = 6 };
typedef int (*sd_probe)(const double *parameters, const double numbers[SD_PROBE_NUMBERS], double place[3],
                        sd_comparison to[SD_COMPARISONS_MAX]);

/* What a problem exports that is compiled by itself (entry.c). */
typedef struct {
  const sd_parameter *parameter;
  void (*constants)(const double *parameters, double constants[SD_CONSTANTS]);
  sd_probe probe; /* NULL: its family has none */
  const char *place;
} sd_problem_alone;

/* A quantity of a system's ledger: its row in the series is reduced over the members by the mean, or the largest. */
typedef struct {
  const char *id;
  int is_energy; /* a kind of it */
  int largest;
  const char *units, *text;
} sd_ledger_entry;

struct sd_family {
  const char *id, *title;
  const char *plural;                                                 /* of what it integrates, in messages */
  const sd_array *array;                                              /* of a state as it is shown */
  const sd_start_array *start;                                        /* of a state to begin with */
  const sd_ledger_entry *ledger;                                      /* of systems; ends with a null id */
  const sd_alone *alone;                                              /* of systems, */
  void (*surroundings)(const double *constants, sd_surroundings *to); /* and what acts in them */
  const char *document;                                          /* one that a text describes, where none is given */
  const char *(*check_start)(const double *numbers);             /* what is wrong with one, or NULL */
  const char *defect, *defect_head, *defect_units, *defect_text; /* SD_DEFECT: its key, its column, what it is */
  const char *methods;                                           /* by default, */
  const char *method_set;                                        /* and the name of these */
  const char *reference;                                         /* a method of high order, for `order`, */
  const char *order_steps;                                       /* which has these by default, in the problem's, */
  double order_time, rounding;                 /* lasts so many of those, and takes errors below that for rounding */
  const char *units;                           /* of the problems' default parameters; NULL: any that go together */
  int impulses;                                /* whether there may be some, and burns; */
  int mass_at;                                 /* then the mass is this one of the parameters' values, */
  int attraction_at, position_at, momentum_at; /* and where these begin */
  /* Where there are orbits, NULL elsewhere: the parameters of a start by a, e, i, node, pericentre and mean anomaly, in
   * degrees; and a matrix that takes standard normals to starts of a covariance, in a frame.  What is wrong, or NULL.
   */
  const char *(*from_elements)(const double elements[6], double *parameters);
  void (*to_elements)(const double *parameters, const double *state, double elements[6]); /* of a state as shown */
  /* and what is wrong with an event: one that `may` happen has not to be possible yet. */
  const char *(*check_event)(const double *parameters, const sd_event *event, int may);
  const char *(*correlate)(const double *parameters, const double *covariance, int frame, double *correlation);
  /* NULL: any parameters are right, every method can run them. */
  sd_complaint (*check)(const double *parameters);
  /* Whether a method with these traits can run it; of a system that a text describes, that is there, too. */
  int (*admits)(int traits, const double *parameters, const sd_topology *described);
  /* Which way members are integrated by their parameters, and the constants that these come to: those of a run all in
   * one (systems: those of a point); NULL: there is but one. */
  int (*kind)(const double *parameters, const double *constants);
  /* Values of parameters that digests have always had, where some have been added: those after them count up to the
   * last that is not by default. */
  int parameters_always;
  const char *mixed;                               /* what to say where they are not */
  int (*is_bare)(const double *parameters);        /* nothing acts but what always does; NULL: it is always so */
  const char *unfit, *fit;                         /* what to say where not, and a parameter that makes it fit */
  int (*keeps_momentum)(const double *parameters); /* no force acts on it; NULL: none ever does */
  const sd_method_entry *method;
  int method_count;
  const sd_method_parameter *method_parameter; /* ends with a null method, */
  const sd_method_stages *method_stages;       /* as does this */
  const sd_problem_entry *problem;
  int problem_count;
  const struct sd_own *own; /* files of a user's that have added to its lists; NULL: it is as it was built in */
};

static inline int sd_array_numbers(const sd_array *a) {
  return a->rows * a->columns;
}
/* Of all of an array, in a member of so many bodies. */
static inline size_t sd_array_all(const sd_array *a, size_t bodies) {
  return (size_t)sd_array_numbers(a) * (a->per_body ? bodies : 1);
}
/* Whether a text says what its systems are. */
static inline int sd_is_described(const sd_problem_entry *problem) {
  return problem->fill && !problem->measure;
}
static inline size_t sd_shown_numbers(const sd_family *family, size_t bodies) { /* of a state */
  size_t numbers = 0;
  for (const sd_array *a = family->array; a->id; a++) numbers += sd_array_all(a, bodies);
  return numbers;
}
static inline size_t sd_start_numbers(const sd_family *family, size_t bodies) {
  size_t numbers = 0;
  for (const sd_start_array *a = family->start; a->name; a++) numbers += (size_t)a->count * bodies;
  return numbers;
}
/* What has a mean and a covariance; none in systems of many bodies. */
static inline sd_coordinates sd_coordinates_of(const sd_family *family) {
  sd_coordinates c = {0, 0, 0};
  for (const sd_start_array *a = family->start; a->name && !family->alone; a++) {
    if (a->rotation) c.rotations |= 1u << c.numbers;
    c.numbers += a->count;
    c.tangent += a->count - a->rotation;
  }
  return c;
}
static inline int sd_ledger_count(const sd_family *family) {
  int count = 0;
  while (family->ledger && family->ledger[count].id) count++;
  return count;
}

/* Whether members have all numbers in common, and nothing acts on them but what always does: devices have kernels of
 * their own for that. */
static inline int sd_is_simple(const sd_family *family, const sd_job *job) {
  return !job->varied.number && !job->impulses && !job->burns && !job->events &&
         (!family->is_bare || family->is_bare(job->parameters));
}

/* Coefficients of METHOD@order: symmetric compositions of a symmetric step.  order 2 is the step itself;
 * NULL for an order that is not offered. */
const double *sd_composition(int order, int *stages);

/* Number `draw` of a member, standard normal. */
double sd_normal(uint64_t seed, uint64_t member, uint64_t draw);
/* Number i of `count` from low to high, at equal distances or, if `even` is 0, by equal factors; the ends are exact. */
double sd_grid_value(double low, double high, int even, size_t i, size_t count);

#endif
