#include "plan_text.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

const sd_plan_key sd_plan_keys[] = {
    {"bodies", SD_KEY_SIZE, offsetof(sd_plan, bodies), "bodies of the ensemble; body 0 has the problem's own start"},
    {"first-body", SD_KEY_SIZE, offsetof(sd_plan, first_body), "of the ensemble that this run's first one is"},
    {"step", SD_KEY_REAL, offsetof(sd_plan, h), "length of a time step"},
    {"steps", SD_KEY_INTEGER, offsetof(sd_plan, total_steps), "time steps"},
    {"every", SD_KEY_INTEGER, offsetof(sd_plan, sample_every), "steps from sample to sample"},
    {"seed", SD_KEY_UNSIGNED, offsetof(sd_plan, seed), "of the perturbed starts"},
    {"trajectories", SD_KEY_SIZE, offsetof(sd_plan, recorded), "bodies whose trajectory is kept"},
    {"final", SD_KEY_SIZE, offsetof(sd_plan, finals), "bodies whose final state is kept"},
};
const size_t sd_plan_key_count = sizeof sd_plan_keys / sizeof *sd_plan_keys;

/* ---- to text ---- */

static void print_key(sd_text *to, const sd_plan *plan, const sd_plan_key *k) {
  const void *at = (const char *)plan + k->offset;
  sd_text_add(to, "%s ", k->key);
  switch (k->kind) {
  case SD_KEY_REAL: sd_text_add(to, "%.17g\n", *(const double *)at); break;
  case SD_KEY_INTEGER: sd_text_add(to, "%lld\n", (long long)*(const int64_t *)at); break;
  case SD_KEY_SIZE: sd_text_add(to, "%zu\n", *(const size_t *)at); break;
  case SD_KEY_UNSIGNED: sd_text_add(to, "%llu\n", (unsigned long long)*(const uint64_t *)at); break;
  }
}

static void print_parameter(sd_text *to, const sd_parameter *p, const double *value) {
  sd_text_add(to, "param %s=", p->name);
  for (int i = 0; i < p->count; i++) sd_text_add(to, "%s%.17g", i ? "," : "", value[i]);
  sd_text_add(to, "\n");
}

/* A parameter that two methods share is set once, for both. */
static int is_new(const sd_plan *plan, size_t methods, const sd_parameter *parameter) {
  const sd_parameter *table[SD_METHOD_MAX];
  for (size_t m = 0; m < methods; m++) {
    int count = sd_parameters_of(plan->methods[m].entry, table);
    for (int i = 0; i < count; i++)
      if (!strcmp(table[i]->name, parameter->name)) return 0;
  }
  return 1;
}

static void print_parameters(sd_text *to, const sd_plan *plan, size_t methods) {
  const double *value = plan->parameters;
  for (const sd_parameter *p = plan->problem->parameter; p->name; value += p++->count) print_parameter(to, p, value);
  for (size_t m = 0; m < methods; m++) {
    const sd_parameter *table[SD_METHOD_MAX];
    int count = sd_parameters_of(plan->methods[m].entry, table);
    for (int i = 0; i < count; i++)
      if (is_new(plan, m, table[i])) print_parameter(to, table[i], &plan->method_parameters[m][i]);
  }
}

static void print_impulses(sd_text *to, const sd_plan *plan) {
  for (int k = 0; k < plan->impulses; k++) {
    const sd_impulse *i = &plan->impulse[k];
    sd_text_add(to, "impulse t=%.17g,dv=%.17g,%.17g,%.17g,size=%.17g,angle=%.17g\n", i->time, i->change[0],
                i->change[1], i->change[2], i->size_error, i->angle_error);
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

char *sd_plan_text(const sd_plan *plan, size_t methods) {
  sd_text text = {0};
  sd_text_add(&text, "problem %s\nmethod ", plan->problem->id);
  print_methods(&text, plan, methods);
  sd_text_add(&text, "\n");
  for (size_t i = 0; i < sd_plan_key_count; i++) print_key(&text, plan, &sd_plan_keys[i]);
  const double *sigma = plan->sigma;
  for (const sd_start_array *a = plan->problem->family->start; a->name; a++)
    sd_text_add(&text, "%s %.17g\n", a->key, *sigma++);
  print_parameters(&text, plan, methods);
  print_impulses(&text, plan);
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

/* ---- from text ---- */

/* Is it one of those that sd_plan_text writes? */
static int is_science(const char *key) {
  static const char *const others[] = {"problem", "method", "param", "impulse"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(key, others[i])) return 1;
  for (size_t i = 0; i < sd_plan_key_count; i++)
    if (!strcmp(key, sd_plan_keys[i].key)) return 1;
  for (int f = 0; f < sd_family_count(); f++)
    for (const sd_start_array *a = sd_family_at(f)->start; a->name; a++)
      if (!strcmp(key, a->key)) return 1;
  return 0;
}

/* Takes the text apart where it stands. */
static sd_status set_lines(sd_plan *plan, const char *name, char *text, sd_error *error) {
  while (*text) {
    char *line = text, *end = line + strcspn(line, "\n"), *space = line + strcspn(line, " \n");
    int whole = *end == '\n' && space < end;
    *end = 0;
    if (!whole) return sd_fail(error, SD_BAD_INPUT, "%s: its plan: '%.60s' is no setting", name, line);
    *space = 0;
    text = end + 1;
    if (!is_science(line))
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
