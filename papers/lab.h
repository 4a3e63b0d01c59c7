/* lab.h - the runs of an experiment: each is a few settings of a plan, on the machine that the command line names. */
#ifndef PAPERS_LAB_H
#define PAPERS_LAB_H

#include "../host/commands.h"

#include <stddef.h>

typedef struct {
  const sd_request *request; /* whose options of the machine all runs have */
  sd_error error;            /* the first failure; after it nothing is run */
} lab;

/* Starts of members 0, 1, ..., in place of those of the problem. */
typedef struct {
  const double *numbers;
  size_t count, width;
} lab_starts;

/* The problem of the command line, or the default; its parameters are those of the runs on it. */
const char *lab_problem(const sd_request *request);

/* A run of keys and values, one after the other, up to a null key; the first is the problem; a null value is left out.
 * NULL after a failure; members that fail are none.  To be destroyed. */
sd_result *lab_run(lab *l, const lab_starts *starts, const char *const *settings);
#define LAB_RUN(l, ...) lab_run(l, NULL, (const char *const[]){__VA_ARGS__, NULL})

/* A number as a setting has it. */
typedef struct {
  char text[40];
} lab_text;
lab_text lab_number(double value);

/* Whether a method has a trait, by its name; a composition has those of its base. */
int lab_has(const char *method, const char *trait);
/* What a method needs of a problem that is not made for it: a `param` for spherical bodies, or NULL. */
const char *lab_fit(const char *method);
/* A `param` of adaptive methods, such as a tolerance with which one takes each step as one; NULL for others. */
const char *lab_adaptive(const char *method, const char *param);

#endif
