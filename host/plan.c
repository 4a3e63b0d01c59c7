#include "plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const seed1 = "eln,tln,prk,mcg,new3,liemid-ea,vlv";

enum { MAX_THREADS = 1024 };
#define MAX_BODIES 1000000000ULL
#define MAX_STEPS 1000000000000LL

sd_status sd_plan_create(sd_plan **created) {
  sd_plan *plan = calloc(1, sizeof *plan);
  *created = plan;
  if (!plan) return SD_NO_MEMORY;
  strcpy(plan->problem_name, "stress");
  strcpy(plan->method_names, seed1);
  strcpy(plan->isa, "auto");
  strcpy(plan->backend, "auto");
  plan->bodies = 1024;
  plan->seed = 1;
  plan->checkpoint_every = 60;
  plan->sigma_attitude = plan->sigma_velocity = 0.01;
  return SD_OK;
}

void sd_plan_destroy(sd_plan *plan) {
  if (!plan) return;
  free(plan->starts);
  free(plan);
}

const char *sd_plan_message(const sd_plan *plan) {
  return plan->error.message;
}

void sd_plan_on_progress(sd_plan *plan, sd_progress progress, void *data) {
  plan->progress = progress;
  plan->progress_data = data;
}

void sd_plan_stop_on(sd_plan *plan, const volatile sig_atomic_t *flag) {
  plan->stop = flag;
}

/* ---- values from text ---- */

static sd_status read_real(const char *what, const char *text, double *value, sd_error *error) {
  char *end;
  errno = 0;
  *value = strtod(text, &end);
  if (end == text || *end) return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a number", what, text);
  if (!isfinite(*value)) return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a finite number", what, text);
  return SD_OK;
}

/* Whole numbers also as 1e6. */
static sd_status read_whole(const char *what, const char *text, double low, double high, int64_t *value,
                            sd_error *error) {
  double number;
  SD_TRY(read_real(what, text, &number, error));
  if (number != floor(number)) return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a whole number", what, text);
  if (number < low || number > high)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s is out of range; expected %.0f to %.0f", what, text, low, high);
  *value = (int64_t)number;
  return SD_OK;
}

static sd_status read_seed(const char *text, uint64_t *seed, sd_error *error) {
  char *end;
  errno = 0;
  *seed = strtoull(text, &end, 0);
  if (end == text || *end || errno || strchr(text, '-'))
    return sd_fail(error, SD_BAD_INPUT, "seed: '%s' is not a whole number of 64 bits", text);
  return SD_OK;
}

static sd_status read_text(const char *what, const char *text, char *to, size_t size, sd_error *error) {
  if (!*text) return sd_fail(error, SD_BAD_INPUT, "%s: a value is missing", what);
  if (strlen(text) >= size) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is too long", what, text);
  strcpy(to, text);
  return SD_OK;
}

char *sd_next_item(char **list) {
  char *item = *list, *comma = item ? strchr(item, ',') : NULL;
  if (comma) *comma = 0;
  *list = comma ? comma + 1 : NULL;
  return item;
}

/* NAME=VALUE[,VALUE,VALUE] */
static sd_status read_override(sd_plan *plan, const char *text) {
  sd_error *error = &plan->error;
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return sd_fail(error, SD_BAD_INPUT, "param: '%s' should read NAME=VALUE, as in --param alpha=0.3", text);
  sd_override o = {.used = 0};
  size_t length = (size_t)(equals - text);
  if (length >= sizeof o.name) return sd_fail(error, SD_BAD_INPUT, "param: '%.40s...' is no parameter", text);
  memcpy(o.name, text, length);
  char values[256], what[48], *list = values;
  snprintf(what, sizeof what, "param %s", o.name);
  SD_TRY(read_text(what, equals + 1, values, sizeof values, error));
  for (char *value; (value = sd_next_item(&list));) {
    if (o.count < 3) SD_TRY(read_real(what, value, &o.value[o.count], error));
    o.count++;
  }
  int at = 0;
  while (at < plan->override_count && strcmp(plan->overrides[at].name, o.name)) at++;
  if (at == SD_OVERRIDES_MAX) return sd_fail(error, SD_BAD_INPUT, "param: too many parameters");
  plan->overrides[at] = o;
  if (at == plan->override_count) plan->override_count++;
  return SD_OK;
}

sd_status sd_plan_set(sd_plan *plan, const char *key, const char *value) {
  sd_error *error = &plan->error;
  int64_t whole;
  *error = (sd_error){0};
  if (!strcmp(key, "problem"))
    return read_text(key, value, plan->problem_name, sizeof plan->problem_name, error);
  if (!strcmp(key, "method")) return read_text(key, value, plan->method_names, sizeof plan->method_names, error);
  if (!strcmp(key, "isa")) return read_text(key, value, plan->isa, sizeof plan->isa, error);
  if (!strcmp(key, "backend")) return read_text(key, value, plan->backend, sizeof plan->backend, error);
  if (!strcmp(key, "devices")) return read_text(key, value, plan->devices, sizeof plan->devices, error);
  if (!strcmp(key, "param")) return read_override(plan, value);
  if (!strcmp(key, "seed")) return read_seed(value, &plan->seed, error);
  if (!strcmp(key, "step") || !strcmp(key, "time")) {
    double number;
    SD_TRY(read_real(key, value, &number, error));
    if (!(number > 0)) return sd_fail(error, SD_BAD_INPUT, "%s: %s is not positive", key, value);
    *(key[1] == 't' ? &plan->step : &plan->time) = number;
    return SD_OK;
  }
  if (!strcmp(key, "sigma-attitude") || !strcmp(key, "sigma-velocity")) {
    double number;
    SD_TRY(read_real(key, value, &number, error));
    if (number < 0 || number > 1e6)
      return sd_fail(error, SD_BAD_INPUT, "%s: %s is out of range; expected 0 to 1e6", key, value);
    *(key[6] == 'a' ? &plan->sigma_attitude : &plan->sigma_velocity) = number;
    return SD_OK;
  }
  if (!strcmp(key, "steps")) {
    return read_whole(key, value, 1, (double)MAX_STEPS, &plan->steps, error);
  }
  if (!strcmp(key, "bodies")) {
    SD_TRY(read_whole(key, value, 1, (double)MAX_BODIES, &whole, error));
    plan->bodies = (size_t)whole;
    return SD_OK;
  }
  if (!strcmp(key, "checkpoint")) return read_text(key, value, plan->checkpoint, sizeof plan->checkpoint, error);
  if (!strcmp(key, "output")) return read_text(key, value, plan->output, sizeof plan->output, error);
  if (!strcmp(key, "checkpoint-every")) {
    SD_TRY(read_real(key, value, &plan->checkpoint_every, error));
    if (plan->checkpoint_every < 0) return sd_fail(error, SD_BAD_INPUT, "checkpoint-every: %s is negative", value);
    return SD_OK;
  }
  if (!strcmp(key, "first-body")) {
    SD_TRY(read_whole(key, value, 0, 9007199254740992.0, &whole, error));
    plan->first_body = (size_t)whole;
    return SD_OK;
  }
  if (!strcmp(key, "block")) {
    SD_TRY(read_whole(key, value, 32, 1024, &whole, error));
    if (whole % 32) return sd_fail(error, SD_BAD_INPUT, "block: %s is not a multiple of 32", value);
    plan->block = (int)whole;
    return SD_OK;
  }
  if (!strcmp(key, "device-memory")) {
    SD_TRY(read_real(key, value, &plan->device_memory, error));
    if (!(plan->device_memory > 0)) return sd_fail(error, SD_BAD_INPUT, "device-memory: %s MiB is not positive", value);
    return SD_OK;
  }
  if (!strcmp(key, "fallback")) {
    plan->fallback = !strcmp(value, "cpu");
    if (plan->fallback || !strcmp(value, "none")) return SD_OK;
    return sd_fail(error, SD_BAD_INPUT, "fallback: '%s' should be cpu or none", value);
  }
  if (!strcmp(key, "every")) return read_whole(key, value, 1, (double)MAX_STEPS, &plan->every, error);
  if (!strcmp(key, "threads")) {
    SD_TRY(read_whole(key, value, 1, MAX_THREADS, &whole, error));
    plan->threads = (int)whole;
    return SD_OK;
  }
  if (!strcmp(key, "final") || !strcmp(key, "trajectories")) {
    SD_TRY(read_whole(key, value, 0, (double)MAX_BODIES, &whole, error));
    *(key[0] == 'f' ? &plan->final_count : &plan->trajectories) = (size_t)whole;
    return SD_OK;
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown option '%s'", key);
}

sd_status sd_plan_set_start(sd_plan *plan, size_t body, const double attitude[4], const double velocity[3]) {
  plan->error = (sd_error){0};
  double norm2 = 0;
  for (int i = 0; i < 4; i++) norm2 += attitude[i] * attitude[i];
  for (int i = 0; i < 3; i++) norm2 += 0 * velocity[i];
  if (!(norm2 > 1e-100 && norm2 < 1e100))
    return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: not a rotation and a finite velocity", body);
  sd_start *grown = realloc(plan->starts, (plan->start_count + 1) * sizeof *grown);
  if (!grown) return sd_fail(&plan->error, SD_NO_MEMORY, "start of body %zu: out of memory", body);
  plan->starts = grown;
  sd_start *start = &grown[plan->start_count++];
  start->body = body;
  memcpy(start->attitude, attitude, sizeof start->attitude);
  memcpy(start->velocity, velocity, sizeof start->velocity);
  return SD_OK;
}

/* ---- resolving ---- */

static sd_override *find_override(sd_plan *plan, const char *name) {
  for (int i = 0; i < plan->override_count; i++)
    if (!strcmp(plan->overrides[i].name, name)) return &plan->overrides[i];
  return NULL;
}

/* A number in as few digits as bring it back. */
static const char *in_few_digits(double value, char text[32]) {
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

/* The value of one parameter: its default, or what was asked for, within its range. */
static sd_status take_parameter(sd_plan *plan, const sd_parameter *p, double *to) {
  sd_override *o = find_override(plan, p->name);
  for (int i = 0; i < p->count; i++) to[i] = o && i < o->count ? o->value[i] : p->value[i];
  if (!o) return SD_OK;
  o->used = 1;
  if (o->count != p->count)
    return sd_fail(&plan->error, SD_BAD_INPUT, "param %s: %d value%s given, expected %d (%s)", p->name, o->count,
                   o->count == 1 ? "" : "s", p->count, p->text);
  char text[32];
  for (int i = 0; i < p->count; i++)
    if (to[i] < p->low || to[i] > p->high)
      return sd_fail(&plan->error, SD_BAD_INPUT, "param %s: %s is out of range; expected %g to %g (%s)", p->name,
                     in_few_digits(to[i], text), p->low, p->high, p->text);
  return SD_OK;
}

static sd_status resolve_problem(sd_plan *plan) {
  for (int i = 0; i < plan->override_count; i++) plan->overrides[i].used = 0;
  SD_TRY(sd_find_problem(plan->problem_name, &plan->problem, &plan->error));
  const sd_problem_entry *entry = &sd_problems[plan->problem];
  double *to = plan->parameters;
  for (const sd_parameter *p = entry->parameter; p->name; to += p++->count) SD_TRY(take_parameter(plan, p, to));
  const double *J = plan->parameters;
  for (int i = 0; i < 3; i++)
    if (J[i] > J[(i + 1) % 3] + J[(i + 2) % 3])
      return sd_fail(&plan->error, SD_BAD_INPUT,
                     "param J: %g,%g,%g is no body's inertia: each moment is at most the sum of the other two", J[0],
                     J[1], J[2]);
  return SD_OK;
}

static int admits(const sd_plan *plan, const sd_method_entry *method) {
  const double *J = plan->parameters;
  return !(method->traits & SPHERICAL) || (J[0] == J[1] && J[1] == J[2]);
}

static sd_status add_method(sd_plan *plan, const char *name, int skip_unfit) {
  sd_method method;
  SD_TRY(sd_find_method(name, &method, &plan->error));
  if (!admits(plan, method.entry)) {
    if (skip_unfit) {
      size_t used = strlen(plan->skipped);
      snprintf(plan->skipped + used, sizeof plan->skipped - used, "%s%s", used ? ", " : "", name);
      return SD_OK;
    }
    return sd_fail(&plan->error, SD_BAD_INPUT,
                   "method %s is for spherical bodies: it needs three equal moments, as in --param J=2,2,2", name);
  }
  for (int i = 0; i < plan->method_count; i++)
    if (!strcmp(plan->methods[i].name, name)) return SD_OK;
  if (plan->method_count == SD_METHODS_MAX)
    return sd_fail(&plan->error, SD_BAD_INPUT, "method: more than %d methods", SD_METHODS_MAX);
  const sd_parameter *table[SD_METHOD_MAX];
  int count = sd_parameters_of(method.entry, table);
  for (int i = 0; i < count; i++)
    SD_TRY(take_parameter(plan, table[i], &plan->method_parameters[plan->method_count][i]));
  plan->methods[plan->method_count++] = method;
  return SD_OK;
}

static sd_status resolve_methods(sd_plan *plan) {
  char names[sizeof plan->method_names + 64];
  strcpy(names, plan->method_names);
  plan->method_count = 0;
  plan->skipped[0] = 0;
  char *list = names;
  for (char *name; (name = sd_next_item(&list));) {
    if (!*name)
      return sd_fail(&plan->error, SD_BAD_INPUT, "method: '%s' has an empty name in its list", plan->method_names);
    if (!strcmp(name, "all")) {
      for (int i = 0; i < sd_method_count; i++) SD_TRY(add_method(plan, sd_methods[i].id, 1));
    } else if (!strcmp(name, "seed1")) {
      for (const char *at = seed1; *at;) {
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
    for (const sd_parameter *p = sd_problems[plan->problem].parameter; p->name; p++)
      sd_nearest_consider(&nearest, o->name, p->name);
    for (const sd_method_parameter *p = sd_method_parameters; p->method; p++) {
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
  const sd_problem_entry *entry = &sd_problems[plan->problem];
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
    if (whole > (double)MAX_STEPS)
      return sd_fail(&plan->error, SD_BAD_INPUT, "time %g takes %g steps of %g; at most %g", time, whole, h,
                     (double)MAX_STEPS);
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

sd_status sd_plan_resolve(sd_plan *plan) {
  plan->error = (sd_error){0};
  SD_TRY(resolve_problem(plan));
  SD_TRY(resolve_methods(plan));
  SD_TRY(check_overrides(plan));
  SD_TRY(resolve_steps(plan));
  if (strcmp(plan->backend, "auto") && strcmp(plan->backend, "cpu") && strcmp(plan->backend, "cuda"))
    return sd_fail(&plan->error, SD_BAD_INPUT, "unknown backend '%s'; expected auto, cpu or cuda", plan->backend);
  SD_TRY(sd_find_variant(plan->isa, &plan->variant, &plan->error));
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  plan->thread_count = plan->threads ? plan->threads : online < 1 ? 1 : online > MAX_THREADS ? MAX_THREADS : (int)online;
  plan->finals = plan->final_count < plan->bodies ? plan->final_count : plan->bodies;
  plan->recorded = plan->trajectories < plan->bodies ? plan->trajectories : plan->bodies;
  double samples = (double)(plan->total_steps / plan->sample_every + 2);
  if (samples * (double)plan->recorded * plan->method_count * sizeof(sd_final) > 4e9)
    return sd_fail(&plan->error, SD_BAD_INPUT,
                   "trajectories: %zu bodies at %.0f samples are too much to keep; raise --every or record fewer",
                   plan->recorded, samples);
  for (size_t i = 0; i < plan->start_count; i++)
    if (plan->starts[i].body >= plan->bodies)
      return sd_fail(&plan->error, SD_BAD_INPUT, "start of body %zu: the ensemble has %zu bodies",
                     plan->starts[i].body, plan->bodies);
  return SD_OK;
}
