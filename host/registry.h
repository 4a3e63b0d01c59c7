/* registry.h - finds methods, problems and compiled kernels by name. */
#ifndef SD_REGISTRY_H
#define SD_REGISTRY_H

#include "../kernels/catalogue.h"
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

/* Of a family's methods; the same name may be another method of another family. */
sd_status sd_find_method(const char *name, int family, sd_method *method, sd_error *error);
sd_status sd_find_problem(const char *name, int *index, sd_error *error);
static inline const sd_family *sd_family_of(int problem) {
  return &sd_families[sd_problems[problem].family];
}
/* "auto" is the widest usable one. */
sd_status sd_find_variant(const char *name, sd_variant *variant, sd_error *error);
const sd_row *sd_find_row(const sd_method_entry *method, const char *variant);
int sd_variant_count(void);
sd_variant sd_variant_at(int index); /* narrowest first */

/* The parameters of a method: fills the table, returns how many. */
int sd_parameters_of(const sd_method_entry *method, const sd_parameter *table[SD_METHOD_PARAMETERS_MAX]);

/* The candidate nearest to a misspelt name. */
typedef struct {
  const char *name;
  int distance;
} sd_nearest;
void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate);

#endif
