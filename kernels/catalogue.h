/* catalogue.h - what is built in, as plain data: the host's view of the families, their methods.def and
 * problems.def.  Whatever the host does differently for one family than for another stands in the family's entry. */
#ifndef SD_CATALOGUE_H
#define SD_CATALOGUE_H

#include "job.h"

enum {
  SYMMETRIC = 1,
  SYMPLECTIC = 2,
  FREE_ENERGY = 4,
  FREE_MOMENTUM = 8,
  TOP_ENERGY = 16,
  TOP_MOMENTUM = 32,
  GEOMETRIC = 64,
  SPHERICAL = 128,
  ADAPTIVE = 256,
  TOP_SPIN = 512,
  ANGULAR = 1024
};

enum { SD_SO3, SD_ORBIT, SD_FAMILIES };

/* Some of the numbers of an exported state: a matrix by rows, a vector, a number. */
typedef struct {
  const char *id, *name; /* in JSON, in HDF5 */
  int first, count;
  const char *units, *text;
} sd_quantity;

/* The deviation of the starts in one half of the state. */
typedef struct {
  const char *key;  /* the option */
  double value;     /* by default */
  const char *wide; /* widely spread, for self-tests */
  int slots;        /* of a start that a body has of its own */
  const char *text;
} sd_sigma;

/* What is wrong with a set of parameters: the one at fault, by its place in the list, and what it is; NULL if nothing.
 */
typedef struct {
  int parameter;
  const char *text;
} sd_complaint;

typedef struct {
  const char *id, *title;
  const char *plural;          /* of what it integrates, in messages */
  const sd_quantity *quantity; /* ends with a null id */
  sd_sigma sigma[2];
  const char *start_text;                                        /* the first half of a body's own start */
  const char *defect, *defect_head, *defect_units, *defect_text; /* SD_DEFECT: its key, its column, what it is */
  const char *methods;                                           /* by default */
  const char *reference;                                         /* a method of high order, for `order`, */
  const char *order_steps;                                       /* which has these steps by default, */
  double order_time, rounding; /* this time, and takes errors below that for rounding */
  int impulses;                /* whether there may be some */
  sd_complaint (*check)(const double *parameters);
  int (*admits)(int traits, const double *parameters); /* whether a method with these traits can run it, */
  const char *unfit, *fit;                             /* what to say where not, and a parameter that makes it fit */
  void (*constants)(int problem, const double *parameters, double *constants);
} sd_family;

typedef struct {
  int family;
  const char *id;
  int order;
  int traits;
  const char *title, *doi;
} sd_method_entry;

typedef struct {
  int family;
  const char *method;
  sd_parameter parameter;
} sd_method_parameter;

typedef struct {
  int family;
  const char *id;
  double step, time; /* defaults */
  const char *title, *doi;
  const sd_parameter *parameter; /* ends with a null name */
} sd_problem_entry;

extern const sd_family sd_families[SD_FAMILIES];
extern const sd_method_entry sd_methods[];
extern const int sd_method_count;
extern const sd_method_parameter sd_method_parameters[]; /* ends with a null method */
extern const sd_problem_entry sd_problems[];
extern const int sd_problem_count;

/* The constants of a job from the problem's parameters. */
void sd_constants_of(int problem, const double *parameters, double constants[SD_CONSTANTS]);

/* Coefficients of METHOD@order: symmetric compositions of a symmetric step.  order 2 is the step itself;
 * NULL for an order that is not offered. */
const double *sd_composition(int order, int *stages);

#endif
