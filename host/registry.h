/* registry.h - finds methods, problems and compiled kernels by name. */
#ifndef SD_REGISTRY_H
#define SD_REGISTRY_H

#include "../kernels/catalogue.h"
#include "nearest.h"
#include "status.h"

/* A method of the list, or a composition of one. */
typedef struct {
  char name[32];
  const sd_method_entry *entry;
  int order;
  int stages;
  const double *stage;
} sd_method;

/* A compiled variant: scalar, avx2, avx512. */
typedef struct {
  const char *name;
  int lanes;  /* of most methods */
  int usable; /* by this processor */
} sd_variant;

/* ---- what there is: all that is built in, then what was registered since, in this order ---- */

int sd_family_count(void);
const sd_family *sd_family_at(int index);
int sd_method_count(void); /* of all families, one after the other */
const sd_method_entry *sd_method_at(int index);
int sd_problem_count(void);
const sd_problem_entry *sd_problem_at(int index);
int sd_variant_count(void);
sd_variant sd_variant_at(int index); /* narrowest first */

/* What is registered must last as long as the process.  A table of kernels ends with a null family. */
sd_status sd_register_family(const sd_family *family, sd_error *error);
sd_status sd_register_kernels(const sd_kernels *table, sd_error *error);
/* Whether plans and jobs have room for its numbers. */
sd_status sd_family_check(const sd_family *family, sd_error *error);

/* ---- by name ---- */

const sd_family *sd_find_family(const char *id); /* NULL: there is none */
/* Of a family's methods; the same name may be another method of another family. */
sd_status sd_find_method(const char *name, const sd_family *family, sd_method *method, sd_error *error);
sd_status sd_find_problem(const char *name, const sd_problem_entry **problem, sd_error *error);
/* The problem whose systems a text describes. */
sd_status sd_find_described(const sd_problem_entry **problem, sd_error *error);
/* "auto" is the widest usable one. */
sd_status sd_find_variant(const char *name, sd_variant *variant, sd_error *error);
/* NULL where this was not compiled. */
const sd_kernels *sd_find_kernels(const sd_method_entry *method, const sd_problem_entry *problem, const char *variant);
/* Of the states of any method and problem of a family that are built in; NULL for systems. */
const sd_charts *sd_find_charts(const sd_family *family, const char *variant);

/* The parameters of a method: fills the table, returns how many. */
/* In one step, compositions included. */
int sd_stages_of(const sd_method *method);
int sd_parameters_of(const sd_method_entry *method, const sd_parameter *table[SD_METHOD_PARAMETERS_MAX]);

#endif
