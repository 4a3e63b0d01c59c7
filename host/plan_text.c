#include "plan_text.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- to text ---- */

/* A line "NAME=V,V,V", with the key before it or without. */
static void print_parameter(sd_text *to, const char *key, const sd_parameter *p, const double *value) {
  sd_text_add(to, "%s%s=", key, p->name);
  for (int i = 0; i < p->count; i++) sd_text_add(to, "%s%.17g", i ? "," : "", value[i]);
  sd_text_add(to, "\n");
}

/* A parameter that two methods share is set once, for both. */
static int is_new(const sd_plan *plan, size_t methods, const sd_parameter *parameter) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  for (size_t m = 0; m < methods; m++) {
    int count = sd_parameters_of(plan->methods[m].entry, table);
    for (int i = 0; i < count; i++)
      if (!strcmp(table[i]->name, parameter->name)) return 0;
  }
  return 1;
}

static void print_parameters(sd_text *to, const char *key, const sd_plan *plan, size_t methods) {
  const double *value = plan->parameters;
  for (const sd_parameter *p = plan->problem->parameter; p->name; value += p++->count)
    print_parameter(to, key, p, value);
  for (size_t m = 0; m < methods; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(plan->methods[m].entry, table);
    for (int i = 0; i < count; i++)
      if (is_new(plan, m, table[i])) print_parameter(to, key, table[i], &plan->method_parameters[m][i]);
  }
}

static void print_impulses(sd_text *to, const char *key, const sd_plan *plan) {
  for (int k = 0; k < plan->impulses; k++) {
    const sd_impulse *i = &plan->impulse[k];
    sd_text_add(to, "%st=%.17g,dv=%.17g,%.17g,%.17g,size=%.17g,angle=%.17g\n", key, i->time, i->change[0], i->change[1],
                i->change[2], i->size_error, i->angle_error);
  }
}

static void print_methods(sd_text *to, const sd_plan *plan, size_t methods) {
  for (size_t m = 0; m < methods; m++) sd_text_add(to, "%s%s", m ? "," : "", plan->methods[m].name);
}

char *sd_plan_methods_text(const sd_plan *plan, size_t methods) {
  sd_text text = {0};
  print_methods(&text, plan, methods);
  return sd_text_take(&text);
}

/* Where the deviation in one of its family's start arrays is; NULL: it is another family's. */
static const double *deviation_of(const sd_plan *plan, const sd_option *o) {
  const double *sigma = plan->sigma;
  for (const sd_start_array *a = plan->problem->family->start; a->name; a++, sigma++)
    if (a == o->start) return sigma;
  return NULL;
}

static int is_of(const sd_plan *plan, const sd_option *o) {
  return sd_option_in_files(o) && (o->kind != SD_OPTION_SPREAD || deviation_of(plan, o));
}

sd_resolved sd_plan_number(const sd_plan *plan, const sd_option *o) {
  sd_resolved number = {SD_NO_NUMBER, 0, 0};
  const void *at = (const char *)plan + o->resolved;
  if (!is_of(plan, o)) return number;
  switch (o->kind) {
  case SD_OPTION_SPREAD: return (sd_resolved){SD_REAL, *deviation_of(plan, o), 0};
  case SD_OPTION_POSITIVE: return (sd_resolved){SD_REAL, *(const double *)at, 0};
  case SD_OPTION_INTEGER: number.kind = SD_INTEGER; break;
  case SD_OPTION_UNSIGNED: number.kind = SD_UNSIGNED; break;
  default: return number;
  }
  memcpy(&number.whole, at, sizeof number.whole);
  return number;
}

/* Which one of the words, with bars in between. */
static void print_word(sd_text *to, const char *words, int index) {
  while (index--) words += strcspn(words, "|") + 1;
  sd_text_add(to, "%.*s", (int)strcspn(words, "|"), words);
}

/* What a run has: what was resolved, or was given. */
static void print_value(sd_text *to, const sd_plan *plan, const sd_option *o, size_t methods) {
  const char *at = (const char *)plan + (o->resolved ? o->resolved : o->offset);
  int optional = !o->resolved && !o->value; /* then 0 is what cannot be given, and was not */
  double real = 0;
  uint64_t whole = 0;
  switch (o->kind) {
  case SD_OPTION_PROBLEM: sd_text_add(to, "%s", plan->problem->id); return;
  case SD_OPTION_METHODS: print_methods(to, plan, methods); return;
  case SD_OPTION_TEXT: sd_text_add(to, "%s", at); return;
  case SD_OPTION_PATH: sd_text_add(to, "%s", *(char *const *)at); return;
  case SD_OPTION_CHOICE: print_word(to, o->words, *(const int *)at); return;
  case SD_OPTION_SPREAD:
    if (deviation_of(plan, o)) sd_text_add(to, "%.17g", *deviation_of(plan, o));
    return;
  case SD_OPTION_POSITIVE:
  case SD_OPTION_NOT_NEGATIVE:
    memcpy(&real, at, sizeof real);
    if (real > 0 || !optional) sd_text_add(to, "%.17g", real);
    return;
  case SD_OPTION_INT: whole = (uint64_t) * (const int *)at; break;
  default: memcpy(&whole, at, sizeof whole);
  }
  if (whole || !optional) sd_text_add(to, "%llu", (unsigned long long)whole);
}

/* Lines, each with the key before it. */
static void print_option(sd_text *to, const sd_plan *plan, const sd_option *o, size_t methods) {
  switch (o->kind) {
  case SD_OPTION_PARAMETER: print_parameters(to, "param ", plan, methods); return;
  case SD_OPTION_IMPULSE: print_impulses(to, "impulse ", plan); return;
  default: break;
  }
  sd_text_add(to, "%s ", o->key);
  print_value(to, plan, o, methods);
  sd_text_add(to, "\n");
}

char *sd_plan_text(const sd_plan *plan, size_t methods) {
  sd_text text = {0};
  sd_option o;
  for (size_t i = 0; sd_option_at(i, &o); i++)
    if (is_of(plan, &o)) print_option(&text, plan, &o, methods);
  return sd_text_take(&text);
}

char *sd_plan_descriptions(const sd_plan *plan) {
  sd_text text = {0};
  sd_option o;
  char what[SD_OPTION_ROOM];
  for (size_t i = 0; sd_option_at(i, &o); i++)
    if (is_of(plan, &o)) sd_text_add(&text, "%s: %s\n", o.key, sd_option_text(&o, what));
  return sd_text_take(&text);
}

char *sd_plans_text(sd_plan *const *plans, size_t count) {
  sd_text text = {0};
  for (size_t i = 0; i < count; i++) {
    char *one = sd_plan_text(plans[i], (size_t)plans[i]->method_count);
    text.failed |= !one;
    if (one) sd_text_add(&text, "%s%s", i ? "\f" : "", one);
    free(one);
  }
  return sd_text_take(&text);
}

sd_status sd_plan_get(sd_plan *plan, const char *key, const char **value) {
  sd_option o;
  sd_text text = {0};
  *value = NULL;
  if (!plan->resolved) SD_TRY(sd_plan_resolve(plan));
  plan->error = (sd_error){0};
  if (!sd_option_find(key, &o)) return sd_fail(&plan->error, SD_BAD_INPUT, "unknown option '%s'", key);
  size_t methods = (size_t)plan->method_count;
  if (o.kind == SD_OPTION_PARAMETER) print_parameters(&text, "", plan, methods);
  else if (o.kind == SD_OPTION_IMPULSE) print_impulses(&text, "", plan);
  else print_value(&text, plan, &o, methods);
  free(plan->answer);
  size_t length = text.length;
  plan->answer = sd_text_take(&text);
  if (!plan->answer) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  if (length && plan->answer[length - 1] == '\n') plan->answer[length - 1] = 0;
  *value = plan->answer;
  return SD_OK;
}

/* ---- from text ---- */

/* Takes the text apart where it stands. */
static sd_status set_lines(sd_plan *plan, const char *name, char *text, sd_error *error) {
  sd_option o;
  while (*text) {
    char *line = text, *end = line + strcspn(line, "\n"), *space = line + strcspn(line, " \n");
    int whole = *end == '\n' && space < end;
    *end = 0;
    if (!whole) return sd_fail(error, SD_BAD_INPUT, "%s: its plan: '%.60s' is no setting", name, line);
    *space = 0;
    text = end + 1;
    if (!sd_option_find(line, &o) || !sd_option_in_files(&o))
      return sd_fail(error, SD_BAD_INPUT, "%s: its plan: '%.60s' is no setting that a file may make", name, line);
    sd_status status = sd_plan_set(plan, line, space + 1);
    if (status) return sd_fail(error, status, "%s: its plan: %.300s", name, sd_plan_message(plan));
  }
  return SD_OK;
}

sd_status sd_plan_from_text(const char *name, const char *text, sd_plan **made, sd_error *error) {
  *made = NULL;
  if (strncmp(text, "problem ", 8))
    return sd_fail(error, SD_BAD_INPUT, "%s: its plan does not begin with a problem", name);
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  sd_status status = SD_NO_MEMORY;
  if (copy && !sd_plan_create(made)) {
    memcpy(copy, text, size);
    status = set_lines(*made, name, copy, error);
  }
  free(copy);
  if (!status) return SD_OK;
  sd_plan_destroy(*made);
  *made = NULL;
  return sd_fail(error, status, "%s: out of memory", name);
}
