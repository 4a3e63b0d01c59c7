/* csv.c - results as comma-separated values, for whatever reads tables: a line for each method of each run, with the
 * parameters of the run and every statistic of the method, in full double precision; what there is not is empty. */
#include "commands.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 256, NAME = 48 };

/* Columns that some of the results have, in the order in which they were met. */
typedef struct {
  char name[NAMES_MOST][NAME];
  size_t count;
} names;

static void add_name(names *n, const char *name, size_t length) {
  if (length >= NAME || n->count == NAMES_MOST) return;
  for (size_t i = 0; i < n->count; i++)
    if (strlen(n->name[i]) == length && !strncmp(n->name[i], name, length)) return;
  memcpy(n->name[n->count], name, length);
  n->name[n->count++][length] = 0;
}

/* ---- parameters: lines NAME=V,V,V ---- */

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

static void add_parameters(names *n, sd_plan *plan) {
  const char *line;
  if (sd_plan_get(plan, "param", &line)) return;
  for (; *line; line = next_line(line)) add_name(n, line, strcspn(line, "="));
}

/* Several values with spaces in between. */
static void print_parameter(FILE *to, sd_plan *plan, const char *name) {
  const char *line;
  size_t length = strlen(name);
  putc(',', to);
  if (sd_plan_get(plan, "param", &line)) return;
  for (; *line; line = next_line(line)) {
    if (strncmp(line, name, length) || line[length] != '=') continue;
    for (const char *c = line + length + 1; *c && *c != '\n'; c++) putc(*c == ',' ? ' ' : *c, to);
    return;
  }
}

/* ---- statistics ---- */

static void add_statistics(names *n, const sd_plan *plan) {
  sd_family_info family = {.size = sizeof family};
  sd_method_info method = {.size = sizeof method};
  sd_statistic_info s = {.size = sizeof s};
  if (!sd_plan_method(plan, 0, &method)) return;
  for (size_t f = 0; sd_list_family(f, &family); f++)
    for (size_t i = 0; !strcmp(family.id, method.family) && sd_list_statistic(f, i, &s); i++)
      add_name(n, s.name, strlen(s.name));
}

static void print_real(FILE *to, double value) {
  putc(',', to);
  if (isfinite(value)) sd_print(to, "%.17g", value);
}

/* In quotes, as there may be commas in it. */
static void print_text(FILE *to, const char *text) {
  fputs(",\"", to);
  for (; *text; text++) fprintf(to, "%s%c", *text == '"' ? "\"" : "", *text);
  putc('"', to);
}

/* ---- the whole ---- */

static void print_head(FILE *to, const names *parameters, const names *statistics) {
  fputs("run,problem,method,step,time,members,seed", to);
  for (size_t i = 0; i < parameters->count; i++) fprintf(to, ",param.%s", parameters->name[i]);
  fputs(",failed,verdict,because", to);
  for (size_t i = 0; i < statistics->count; i++) fprintf(to, ",%s", statistics->name[i]);
  fputs(",seconds,ns_per_body_step,digest\n", to);
}

static void print_row(FILE *to, size_t run, size_t m, sd_plan *plan, const sd_result *result, const names *parameters,
                      const names *statistics) {
  const sd_summary *s = sd_result_summary(result, m);
  const char *seed;
  fprintf(to, "%zu,%s,%s", run, s->problem, s->method);
  print_real(to, s->step);
  print_real(to, s->time);
  fprintf(to, ",%zu,%s", s->members, sd_plan_get(plan, "seed", &seed) ? "" : seed);
  for (size_t i = 0; i < parameters->count; i++) print_parameter(to, plan, parameters->name[i]);
  fprintf(to, ",%zu", s->failed);
  print_text(to, sd_verdict_text(s->verdict));
  print_text(to, s->because);
  for (size_t i = 0; i < statistics->count; i++) {
    double value;
    print_real(to, sd_result_statistic(result, m, statistics->name[i], &value) ? NAN : value);
  }
  print_real(to, s->seconds);
  print_real(to, s->ns_per_body_step);
  fprintf(to, ",%s\n", s->digest);
}

void sd_print_csv(FILE *to, sd_plan *const *plans, const sd_result *const *results, size_t count) {
  static names parameters, statistics; /* the program has one thread that prints, and they are large */
  parameters.count = statistics.count = 0;
  for (size_t i = 0; i < count; i++) {
    add_parameters(&parameters, plans[i]);
    add_statistics(&statistics, plans[i]);
  }
  print_head(to, &parameters, &statistics);
  for (size_t i = 0; i < count; i++)
    for (size_t m = 0; m < sd_result_count(results[i]); m++)
      print_row(to, i, m, plans[i], results[i], &parameters, &statistics);
}
