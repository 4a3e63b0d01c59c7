#include "plan.h"

#include "number.h"
#include "processors.h"
#include "states.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char none[] = ""; /* what texts are that have not been set */

sd_status sd_plan_create(sd_plan **created) {
  sd_plan *plan = sd_numbers_ready() ? calloc(1, sizeof *plan) : NULL;
  *created = plan;
  if (!plan) return SD_NO_MEMORY;
  plan->checkpoint = plan->output = plan->begun_with = none;
  plan->place = 1;
  return sd_plan_set_defaults(plan); /* the list is right, and has no path */
}

static void let_go(char **text) {
  if (*text != none) free(*text);
  *text = none;
}

void sd_plan_destroy(sd_plan *plan) {
  if (!plan) return;
  let_go(&plan->checkpoint);
  let_go(&plan->output);
  let_go(&plan->begun_with);
  free(plan->answer);
  sd_starts_destroy(&plan->starts);
  free(plan);
}

const char *sd_plan_message(const sd_plan *plan) {
  return plan->error.message;
}

void sd_plan_on_progress(sd_plan *plan, sd_progress progress, void *data) {
  plan->progress = progress;
  plan->progress_data = data;
}

void sd_plan_on_saved(sd_plan *plan, sd_saved saved, void *data) {
  plan->saved = saved;
  plan->saved_data = data;
}

void sd_plan_allow_spare(sd_plan *plan, int allowed) {
  plan->spare_parameters = allowed;
}

void sd_plan_with_series(sd_plan *plan, int wanted) {
  plan->with_series = wanted;
}

const char *sd_plan_skipped(const sd_plan *plan) {
  return plan->skipped;
}

const char *sd_plan_digest(const sd_plan *plan) {
  return plan->digest;
}

const char *sd_plan_begun_with(const sd_plan *plan) {
  return plan->begun_with;
}

void sd_plan_control(sd_plan *plan, sd_control *control) {
  plan->control = control;
}

sd_status sd_plan_keep(sd_plan *plan, char **text, const char *value) {
  size_t size = strlen(value) + 1;
  char *copy = malloc(size);
  if (!copy) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  memcpy(copy, value, size);
  let_go(text);
  *text = copy;
  return SD_OK;
}

/* ---- starts ---- */

sd_status sd_plan_set_starts(sd_plan *plan, size_t first, size_t count, const double *numbers, size_t width) {
  sd_starts *s = &plan->starts;
  plan->error = (sd_error){0};
  plan->resolved = 0;
  if (!width || width > SD_PARAMETERS_MAX)
    return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: %zu numbers are no start", first, width);
  if (s->count && width != s->width)
    return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: it has %zu numbers, the starts before it %zu", first,
                   width, s->width);
  if (count > SD_BODIES_MOST || sd_starts_add(s, first, count, numbers, width))
    return sd_fail(&plan->error, SD_NO_MEMORY, "starts of %zu bodies: out of memory", count);
  return SD_OK;
}

/* ---- copies ---- */

sd_status sd_plan_copy(const sd_plan *plan, sd_plan **made) {
  sd_plan *copy = *made = malloc(sizeof *copy);
  if (!copy) return SD_NO_MEMORY;
  *copy = *plan;
  copy->checkpoint = copy->output = copy->begun_with = none;
  copy->answer = NULL;
  copy->study = NULL;
  copy->place = 1;
  sd_status status = sd_starts_copy(&copy->starts, &plan->starts);
  if (!status) status = sd_plan_keep(copy, &copy->checkpoint, plan->checkpoint);
  if (!status) status = sd_plan_keep(copy, &copy->output, plan->output);
  if (!status) status = sd_plan_keep(copy, &copy->begun_with, plan->begun_with);
  if (!status) return SD_OK;
  sd_plan_destroy(copy);
  *made = NULL;
  return status;
}

/* Its start, if it has one of its own, is then the only one. */
sd_status sd_plan_single_out(sd_plan *plan, const char *asked) {
  uint64_t first = plan->first_body, member;
  char text[32];
  plan->error = (sd_error){0};
  if (sd_whole_from(asked, &member) != SD_WHOLE || member < first || member - first >= plan->bodies)
    return sd_fail(&plan->error, SD_BAD_INPUT, "member: '%.60s' is not one of the %zu members, %llu to %llu", asked,
                   plan->bodies, (unsigned long long)first, (unsigned long long)(first + plan->bodies - 1));
  sd_starts_single_out(&plan->starts, member - first);
  snprintf(text, sizeof text, "%llu", (unsigned long long)member);
  sd_plan_next_source(plan);
  SD_TRY(sd_plan_set(plan, "first-member", text));
  return sd_plan_set(plan, "members", "1");
}

/* ---- resolving ---- */

static sd_override *find_override(sd_plan *plan, const char *name) {
  for (int i = 0; i < plan->override_count; i++)
    if (!strcmp(plan->overrides[i].name, name)) return &plan->overrides[i];
  return NULL;
}

/* The value of one parameter: its default, or what was asked for, within its range. */
static sd_status take_parameter(sd_plan *plan, const sd_parameter *p, double *to) {
  sd_override *o = find_override(plan, p->name);
  for (int i = 0; i < p->count; i++) to[i] = o && i < o->count ? o->value[i] : p->value[i];
  if (!o) return SD_OK;
  o->used = 1;
  if (o->count != p->count)
    return sd_fail(&plan->error, SD_BAD_INPUT, "param %s: %d %s given, expected %d (%s)", p->name, o->count,
                   sd_plural((size_t)o->count, "value", "values"), p->count, p->text);
  char text[32];
  for (int i = 0; i < p->count; i++)
    if (to[i] < p->low || to[i] > p->high)
      return sd_fail(&plan->error, SD_BAD_INPUT, "param %s: %s is out of range; expected %g to %g (%s)", p->name,
                     sd_real_text(to[i], 6, text), p->low, p->high, p->text);
  return SD_OK;
}

/* param J: 1,1,9 is no body's inertia */
static sd_status complain_of(sd_plan *plan, sd_complaint wrong) {
  const sd_parameter *p = plan->problem->parameter;
  const double *value = plan->parameters;
  for (int i = 0; i < wrong.parameter; i++) value += p++->count;
  char text[128] = "";
  for (int i = 0; i < p->count; i++) {
    size_t used = strlen(text);
    sd_format(text + used, sizeof text - used, "%s%g", i ? "," : "", value[i]);
  }
  return sd_fail(&plan->error, SD_BAD_INPUT, "param %s: %s %s", p->name, text, wrong.text);
}

static sd_status resolve_problem(sd_plan *plan) {
  for (int i = 0; i < plan->override_count; i++) plan->overrides[i].used = 0;
  SD_TRY(sd_find_problem(plan->problem_name, &plan->problem, &plan->error));
  double *to = memset(plan->parameters, 0, sizeof plan->parameters);
  for (const sd_parameter *p = plan->problem->parameter; p->name; to += p++->count) SD_TRY(take_parameter(plan, p, to));
  plan->parameter_values = (int)(to - plan->parameters);
  const sd_family *family = plan->problem->family;
  sd_complaint wrong = family->check ? family->check(plan->parameters) : (sd_complaint){0, NULL};
  return wrong.text ? complain_of(plan, wrong) : SD_OK;
}

static sd_status add_method(sd_plan *plan, const char *name, int skip_unfit) {
  sd_method method;
  const sd_family *family = plan->problem->family;
  SD_TRY(sd_find_method(name, plan->problem->family, &method, &plan->error));
  if (family->admits && !family->admits(method.entry->traits, plan->parameters)) {
    if (skip_unfit) {
      size_t used = strlen(plan->skipped);
      snprintf(plan->skipped + used, sizeof plan->skipped - used, "%s%s", used ? ", " : "", name);
      return SD_OK;
    }
    return sd_fail(&plan->error, SD_BAD_INPUT, "method %s %s", name, family->unfit);
  }
  for (int i = 0; i < plan->method_count; i++)
    if (!strcmp(plan->methods[i].name, name)) return SD_OK;
  if (plan->method_count == SD_METHODS_MAX)
    return sd_fail(&plan->error, SD_BAD_INPUT, "method: more than %d methods", SD_METHODS_MAX);
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  int count = sd_parameters_of(method.entry, table);
  for (int i = 0; i < count; i++)
    SD_TRY(take_parameter(plan, table[i], &plan->method_parameters[plan->method_count][i]));
  plan->methods[plan->method_count++] = method;
  return SD_OK;
}

static sd_status resolve_methods(sd_plan *plan) {
  char names[sizeof plan->method_names + 64];
  const sd_family *family = plan->problem->family;
  strcpy(names, *plan->method_names ? plan->method_names : family->methods);
  plan->method_count = 0;
  plan->skipped[0] = 0;
  char *list = names;
  for (char *name; (name = sd_next_item(&list));) {
    if (!*name)
      return sd_fail(&plan->error, SD_BAD_INPUT, "method: '%s' has an empty name in its list", plan->method_names);
    if (!strcmp(name, "all")) {
      for (int i = 0; i < family->method_count; i++) SD_TRY(add_method(plan, family->method[i].id, 1));
    } else if (!strcmp(name, family->method_set)) {
      for (const char *at = family->methods; *at;) {
        size_t length = strcspn(at, ",");
        char one[32] = {0};
        memcpy(one, at, length);
        SD_TRY(add_method(plan, one, 0));
        at += length + (at[length] == ',');
      }
    } else {
      SD_TRY(add_method(plan, name, 0));
    }
  }
  return SD_OK;
}

static sd_status check_overrides(sd_plan *plan) {
  for (int i = 0; i < plan->override_count; i++) {
    sd_override *o = &plan->overrides[i];
    if (o->used || plan->spare_parameters) continue;
    sd_nearest nearest = {0};
    for (const sd_parameter *p = plan->problem->parameter; p->name; p++)
      sd_nearest_consider(&nearest, o->name, p->name);
    for (const sd_method_parameter *p = plan->problem->family->method_parameter; p->method; p++) {
      if (!strcmp(p->parameter.name, o->name))
        return sd_fail(&plan->error, SD_BAD_INPUT, "param %s is of method %s, which is not in this run", o->name,
                       p->method);
      sd_nearest_consider(&nearest, o->name, p->parameter.name);
    }
    return sd_fail(&plan->error, SD_BAD_INPUT,
                   "param %s: neither problem %s nor a method of this run has it; did you mean '%s'?", o->name,
                   plan->problem_name, nearest.name);
  }
  return SD_OK;
}

/* T/h must be a whole number, up to rounding. */
static sd_status resolve_steps(sd_plan *plan) {
  const sd_problem_entry *entry = plan->problem;
  double h = plan->h = plan->step ? plan->step : entry->step;
  plan->total_steps = plan->steps;
  if (plan->steps && plan->time && fabs((double)plan->steps * h - plan->time) > 1e-9 * plan->time)
    return sd_fail(&plan->error, SD_BAD_INPUT, "time %.15g and %lld steps of %.15g contradict each other; give one",
                   plan->time, (long long)plan->steps, h);
  if (!plan->steps) {
    double time = plan->time ? plan->time : entry->time, ratio = time / h, whole = nearbyint(ratio);
    if (whole < 1 || fabs(ratio - whole) > 1e-9 * whole)
      return sd_fail(&plan->error, SD_BAD_INPUT,
                     "time %.15g is not a whole number of steps of %.15g; the nearest is --time %.15g", time, h,
                     (whole < 1 ? 1 : whole) * h);
    if (whole > (double)SD_STEPS_MOST)
      return sd_fail(&plan->error, SD_BAD_INPUT, "time %g takes %g steps of %g; at most %g", time, whole, h,
                     (double)SD_STEPS_MOST);
    plan->total_steps = (int64_t)whole;
  }
  plan->total_time = (double)plan->total_steps * h;
  if (!isfinite(plan->total_time))
    return sd_fail(&plan->error, SD_BAD_INPUT, "step: %g times %lld steps is not a finite time", h,
                   (long long)plan->total_steps);
  plan->sample_every = plan->every ? plan->every : plan->total_steps > 1000 ? plan->total_steps / 1000 : 1;
  if (plan->sample_every > plan->total_steps)
    return sd_fail(&plan->error, SD_BAD_INPUT, "every: %lld is more than the %lld steps of the run",
                   (long long)plan->every, (long long)plan->total_steps);
  return SD_OK;
}

/* "a, b and c" */
static void list_spreads(const sd_family *family, char *text, size_t size) {
  *text = 0;
  for (const sd_start_array *a = family->start; a->name; a++) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", !used ? "" : a[1].name ? ", " : " and ", a->key);
  }
}

/* The deviations of the problem's family, which are no other's. */
static sd_status resolve_spreads(sd_plan *plan) {
  const sd_family *family = plan->problem->family;
  int taken[SD_SPREADS_MAX] = {0};
  int k = 0;
  for (const sd_start_array *a = family->start; a->name; a++, k++) {
    plan->sigma[k] = a->deviation;
    for (int i = 0; i < plan->spreads; i++)
      if (!strcmp(plan->spread[i].key, a->key)) plan->sigma[k] = plan->spread[i].value, taken[i] = 1;
  }
  for (int i = 0; i < plan->spreads && !plan->spare_parameters; i++) {
    if (taken[i]) continue;
    char own[160];
    const sd_family *other = sd_family_at(0);
    for (int f = 0; f < sd_family_count(); f++)
      for (const sd_start_array *a = sd_family_at(f)->start; a->name; a++)
        if (!strcmp(a->key, plan->spread[i].key)) other = sd_family_at(f);
    list_spreads(family, own, sizeof own);
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s is for %s; %s has %s", plan->spread[i].key, other->plural,
                   plan->problem_name, own);
  }
  return SD_OK;
}

static sd_status check_starts(sd_plan *plan) {
  const sd_family *family = plan->problem->family;
  const sd_starts *s = &plan->starts;
  for (size_t i = 0; i < s->count; i++) {
    if (s->member[i] >= plan->bodies)
      return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: the ensemble has %zu bodies", s->member[i],
                     plan->bodies);
    if (s->width != (size_t)sd_start_numbers(family))
      return sd_fail(&plan->error, SD_BAD_INPUT,
                     "start of body %zu: %s has %s, which start with %d numbers each, and it has %zu", s->member[i],
                     plan->problem_name, family->plural, sd_start_numbers(family), s->width);
    const char *wrong = family->check_start(s->number + i * s->width);
    if (wrong) return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: %s", s->member[i], wrong);
  }
  return SD_OK;
}

/* The step that an impulse is in: it begins before the impulse, and ends with it or after. */
static sd_status resolve_impulses(sd_plan *plan) {
  if (plan->impulses && !plan->problem->family->impulses)
    return sd_fail(&plan->error, SD_BAD_INPUT, "impulse: %s has %s, which take none", plan->problem_name,
                   plan->problem->family->plural);
  for (int k = 0; k < plan->impulses; k++) {
    sd_impulse *i = &plan->impulse[k];
    if (i->time > plan->total_time)
      return sd_fail(&plan->error, SD_BAD_INPUT, "impulse: at t=%.15g the run is over: it ends at %.15g", i->time,
                     plan->total_time);
    i->step = (int64_t)(i->time / plan->h);
    while ((double)i->step * plan->h >= i->time) i->step--;
    while ((double)(i->step + 1) * plan->h < i->time) i->step++;
  }
  return SD_OK;
}

/* Bodies are told apart by 64 bits. */
static sd_status check_bodies(sd_plan *plan) {
  if (plan->first_body <= UINT64_MAX - plan->bodies) return SD_OK;
  return sd_fail(&plan->error, SD_BAD_INPUT, "%s: with %zu %s expected 0 to %llu, not %zu", plan->given[SD_FIRST].name,
                 plan->bodies, plan->given[SD_SIZE].name, (unsigned long long)(UINT64_MAX - plan->bodies),
                 plan->first_body);
}

sd_status sd_plan_resolve(sd_plan *plan) {
  plan->error = (sd_error){0};
  plan->resolved = 0;
  SD_TRY(resolve_problem(plan));
  SD_TRY(resolve_spreads(plan));
  SD_TRY(resolve_methods(plan));
  SD_TRY(check_overrides(plan));
  SD_TRY(resolve_steps(plan));
  SD_TRY(resolve_impulses(plan));
  SD_TRY(check_bodies(plan));
  if (strcmp(plan->backend, "auto") && strcmp(plan->backend, "cpu") && strcmp(plan->backend, "cuda"))
    return sd_fail(&plan->error, SD_BAD_INPUT, "unknown backend '%s'; expected auto, cpu or cuda", plan->backend);
  SD_TRY(sd_find_variant(plan->isa, &plan->variant, &plan->error));
  plan->thread_count = plan->threads ? plan->threads : sd_processors_usable().threads;
  plan->finals = plan->final_count < plan->bodies ? plan->final_count : plan->bodies;
  plan->recorded = plan->trajectories < plan->bodies ? plan->trajectories : plan->bodies;
  double samples = (double)(plan->total_steps / plan->sample_every + 2);
  if (samples * (double)plan->recorded * plan->method_count * 8.0 * (double)sd_state_numbers(plan->problem->family) >
      4e9)
    return sd_fail(&plan->error, SD_BAD_INPUT,
                   "trajectories: %zu bodies at %.0f samples are too much to keep; raise --every or record fewer",
                   plan->recorded, samples);
  SD_TRY(check_starts(plan));
  plan->resolved = 1;
  return SD_OK;
}
