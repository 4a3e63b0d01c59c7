/* catalogue.h - what is built in, as plain data: the host's view of methods.def and problems.def. */
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
  TOP_SPIN = 512
};

typedef struct {
  const char *id;
  int order;
  int traits;
  const char *title, *doi;
} sd_method_entry;

typedef struct {
  const char *method;
  sd_parameter parameter;
} sd_method_parameter;

typedef struct {
  const char *id;
  double step, time; /* defaults */
  const char *title, *doi;
  const sd_parameter *parameter; /* ends with a null name */
} sd_problem_entry;

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
