/* catalogue.c - the lists as tables. */
#include "catalogue.h"

#include "compose.h"
#include "problems.h"

#define METHOD(name, id, order, traits, title, doi) {id, order, traits, title, doi},
const sd_method_entry sd_methods[] = {
#include "methods.def"
};
#undef METHOD
const int sd_method_count = sizeof sd_methods / sizeof *sd_methods;

#define METHOD(name, id, order, traits, title, doi)
#define METHOD_PARAMETER(method, name, value, low, high, text) {method, {name, 1, {value}, low, high, text}},
const sd_method_parameter sd_method_parameters[] = {
#include "methods.def"
    {NULL, {NULL, 0, {0}, 0, 0, NULL}}};
#undef METHOD
#undef METHOD_PARAMETER

#define PROBLEM(name, id, step, time, title, doi) {id, step, time, title, doi, name##_parameters},
const sd_problem_entry sd_problems[] = {
#include "problems.def"
};
#undef PROBLEM
const int sd_problem_count = sizeof sd_problems / sizeof *sd_problems;

#define PROBLEM(name, id, step, time, title, doi) name##_load,
static void (*const load[])(body *, const double *) = {
#include "problems.def"
};
#undef PROBLEM

void sd_constants_of(int problem, const double *parameters, double constants[SD_CONSTANTS]) {
  body b = body_with_inertia(vec3_splat(parameters));
  load[problem](&b, parameters + SD_OWN);
  memcpy(constants, &b, SD_CONSTANTS * sizeof(double));
}

const double *sd_composition(int order, int *stages) {
#define OFFER(o)                                             \
  case o:                                                    \
    *stages = sizeof composition##o / sizeof *composition##o; \
    return composition##o
  switch (order) {
    OFFER(2);
    OFFER(4);
    OFFER(6);
    OFFER(8);
  default: return NULL;
  }
#undef OFFER
}
