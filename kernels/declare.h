/* declare.h - the tables of a family from its lists; for family.c alone, after the family's own headers.
 *
 * It leaves FAMILY_LISTS, which fills in the family's entry. */
#include "catalogue.h"

#define ENTRY_(family) sd_family_##family
#define ENTRY(family) ENTRY_(family)
extern const sd_family ENTRY(SD_FAMILY);

#define METHOD(family, name, id, order, traits, title, doi) {&sd_family_##family, id, order, traits, title, doi},
static const sd_method_entry methods[] = {
#include <methods.def>
};
#undef METHOD

#define METHOD(family, name, id, order, traits, title, doi)
#define METHOD_PARAMETER(method, name, value, low, high, text) {method, {name, 1, {value}, low, high, text}},
static const sd_method_parameter method_parameters[] = {
#include <methods.def>
    {NULL, {NULL, 0, {0}, 0, 0, NULL}}};
#undef METHOD_PARAMETER

#define METHOD_STAGES(method, stages) {method, stages},
static const sd_method_stages method_stages[] = {
#include <methods.def>
    {NULL, 0}};
#undef METHOD
#undef METHOD_STAGES

#define PROBLEM(family, name, id, step, time, title, doi)                   \
  static void name##_constants(const double *parameters, double *numbers) { \
    memset(numbers, 0, SD_CONSTANTS * sizeof *numbers);                     \
    PROBLEM_CONSTANTS(name, parameters, numbers);                           \
  }
#include <problems.def>
#undef PROBLEM

#ifndef PROBLEM_TOPOLOGY /* of systems: how large one is, and what it consists of */
#define PROBLEM_TOPOLOGY(name) NULL, NULL
#endif
#define PROBLEM(family, name, id, step, time, title, doi) \
  {&sd_family_##family, id, step, time, title, doi, name##_parameters, name##_constants, PROBLEM_TOPOLOGY(name)},
static const sd_problem_entry problems[] = {
#include <problems.def>
};
#undef PROBLEM

#define FAMILY_LISTS                                                                                          \
  .method = methods, .method_count = sizeof methods / sizeof *methods, .method_parameter = method_parameters, \
  .method_stages = method_stages, .problem = problems, .problem_count = sizeof problems / sizeof *problems
