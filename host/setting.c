/* setting.c - one setting of a plan, from text.  A value that is refused leaves the plan as it was. */
#include "number.h"
#include "plan.h"
#include "processors.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "whole numbers of a plan have 64 bits, or are int");

typedef struct setting setting;
struct setting {
  const char *key;
  sd_status (*take)(sd_plan *plan, const setting *s, const char *value);
  size_t offset, size; /* in the plan */
  uint64_t low, high;  /* of a whole number */
  int group;
};

static int replaces_earlier(const sd_plan *plan, const setting *s) {
  return s->group != SD_NO_GROUP && plan->given_by[s->group] < plan->source;
}

/* Where an accepted value goes.  To ask for it is the first change of the plan: nothing may fail after it. */
static void *place(sd_plan *plan, const setting *s) {
  if (replaces_earlier(plan, s)) {
    if (s->group == SD_LENGTH) plan->time = 0, plan->steps = 0;
    if (s->group == SD_IMPULSES) plan->impulses = 0;
  }
  plan->given_by[s->group] = plan->source;
  return (char *)plan + s->offset;
}

/* ---- values ---- */

/* There is one zero: -0 would give another digest. */
static sd_status read_real(const char *what, const char *text, double *value, sd_error *error) {
  char *end;
  errno = 0;
  *value = sd_real_from(text, &end);
  if (end == text || *end) return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a number", what, text);
  if (!isfinite(*value)) return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a finite number", what, text);
  if (*value == 0 && errno == ERANGE)
    return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is too small for a double; give 0, or more", what, text);
  if (*value == 0) *value = 0;
  return SD_OK;
}

static sd_status read_whole(const setting *s, const char *text, uint64_t *value, sd_error *error) {
  sd_wholeness found = sd_whole_from(text, value);
  if (found == SD_NOT_A_NUMBER || found == SD_NOT_WHOLE)
    return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a whole number", s->key, text);
  if (found == SD_BEYOND || *value < s->low || *value > s->high)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s is out of range; expected %llu to %llu", s->key, text,
                   (unsigned long long)s->low, (unsigned long long)s->high);
  return SD_OK;
}

static sd_status check_text(const char *what, const char *text, size_t size, sd_error *error) {
  if (!*text) return sd_fail(error, SD_BAD_INPUT, "%s: a value is missing", what);
  if (strlen(text) >= size) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is too long", what, text);
  return SD_OK;
}

char *sd_next_item(char **list) {
  char *item = *list, *comma = item ? strchr(item, ',') : NULL;
  if (comma) *comma = 0;
  *list = comma ? comma + 1 : NULL;
  return item;
}

/* ---- settings of one value ---- */

static sd_status take_text(sd_plan *plan, const setting *s, const char *value) {
  SD_TRY(check_text(s->key, value, s->size, &plan->error));
  strcpy(place(plan, s), value);
  return SD_OK;
}

/* As long as it likes: what is too long for a path, the system will say. */
static sd_status take_path(sd_plan *plan, const setting *s, const char *value) {
  SD_TRY(check_text(s->key, value, SIZE_MAX, &plan->error));
  return sd_plan_keep(plan, (char **)((char *)plan + s->offset), value);
}

static sd_status take_positive(sd_plan *plan, const setting *s, const char *value) {
  double number;
  SD_TRY(read_real(s->key, value, &number, &plan->error));
  if (!(number > 0)) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is not positive", s->key, value);
  *(double *)place(plan, s) = number;
  return SD_OK;
}

static sd_status take_not_negative(sd_plan *plan, const setting *s, const char *value) {
  double number;
  SD_TRY(read_real(s->key, value, &number, &plan->error));
  if (number < 0) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is negative", s->key, value);
  *(double *)place(plan, s) = number;
  return SD_OK;
}

static sd_status take_whole(sd_plan *plan, const setting *s, const char *value) {
  uint64_t number;
  SD_TRY(read_whole(s, value, &number, &plan->error));
  if (s->size == sizeof(int)) *(int *)place(plan, s) = (int)number;
  else memcpy(place(plan, s), &number, sizeof number);
  return SD_OK;
}

static sd_status take_block(sd_plan *plan, const setting *s, const char *value) {
  uint64_t number;
  SD_TRY(read_whole(s, value, &number, &plan->error));
  if (number % 32) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is not a multiple of 32", s->key, value);
  return take_whole(plan, s, value);
}

static sd_status take_fallback(sd_plan *plan, const setting *s, const char *value) {
  int to_cpu = !strcmp(value, "cpu");
  if (!to_cpu && strcmp(value, "none"))
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: '%s' should be cpu or none", s->key, value);
  *(int *)place(plan, s) = to_cpu;
  return SD_OK;
}

/* An option of the families whose start arrays have this key. */
static const char *spread_key(const char *key) {
  for (int f = 0; f < sd_family_count(); f++)
    for (const sd_start_array *a = sd_family_at(f)->start; a->name; a++)
      if (!strcmp(key, a->key)) return a->key;
  return NULL;
}

static sd_status take_spread(sd_plan *plan, const char *key, const char *value) {
  double number;
  int at = 0;
  SD_TRY(read_real(key, value, &number, &plan->error));
  if (number < 0 || number > 1e6)
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is out of range; expected 0 to 1e6", key, value);
  while (at < plan->spreads && strcmp(plan->spread[at].key, key)) at++;
  if (at == SD_SPREADS_MAX) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: too many deviations", key);
  plan->spread[at] = (sd_spread){key, number};
  if (at == plan->spreads) plan->spreads++;
  return SD_OK;
}

/* ---- NAME=VALUE[,VALUE,VALUE] ---- */

static sd_status take_override(sd_plan *plan, const setting *s, const char *text) {
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
  SD_TRY(check_text(what, equals + 1, sizeof values, error));
  strcpy(values, equals + 1);
  for (char *value; (value = sd_next_item(&list));) {
    if (o.count < 3) SD_TRY(read_real(what, value, &o.value[o.count], error));
    o.count++;
  }
  int at = 0;
  while (at < plan->override_count && strcmp(plan->overrides[at].name, o.name)) at++;
  if (at == SD_OVERRIDES_MAX) return sd_fail(error, SD_BAD_INPUT, "param: too many parameters");
  ((sd_override *)place(plan, s))[at] = o;
  if (at == plan->override_count) plan->override_count++;
  return SD_OK;
}

/* ---- t=T,dv=X,Y,Z[,size=S][,angle=A] ---- */

static const struct {
  const char *name;
  size_t offset;
  int count;
} impulse_keys[] = {{"t", offsetof(sd_impulse, time), 1},
                    {"dv", offsetof(sd_impulse, change), 3},
                    {"size", offsetof(sd_impulse, size_error), 1},
                    {"angle", offsetof(sd_impulse, angle_error), 1}};
enum { IMPULSE_KEYS = sizeof impulse_keys / sizeof *impulse_keys };

typedef struct {
  const char *text; /* for messages */
  sd_impulse impulse;
  int seen[IMPULSE_KEYS];
  double *to; /* where the next value goes */
  int left;   /* values that the key still wants */
} impulse_reader;

static sd_status begin_key(impulse_reader *r, const char *key, sd_error *error) {
  int k = 0;
  while (k < IMPULSE_KEYS && strcmp(key, impulse_keys[k].name)) k++;
  if (k == IMPULSE_KEYS) return sd_fail(error, SD_BAD_INPUT, "impulse: '%.40s' is none of t, dv, size, angle", key);
  if (r->seen[k]++) return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' gives %s twice; give it once", r->text, key);
  r->to = (double *)((char *)&r->impulse + impulse_keys[k].offset);
  r->left = impulse_keys[k].count;
  return SD_OK;
}

static sd_status misread(const impulse_reader *r, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' should read t=T,dv=X,Y,Z", r->text);
}

/* KEY=VALUE, or one more value of the key before. */
static sd_status read_item(impulse_reader *r, char *item, sd_error *error) {
  char *equals = strchr(item, '=');
  if (equals && r->left) return misread(r, error);
  if (equals) {
    *equals = 0;
    SD_TRY(begin_key(r, item, error));
  }
  if (!r->left) return misread(r, error);
  r->left--;
  return read_real("impulse", equals ? equals + 1 : item, r->to++, error);
}

static sd_status check_impulse(const impulse_reader *r, sd_error *error) {
  const sd_impulse *i = &r->impulse;
  if (r->left) return misread(r, error);
  if (!(i->time > 0))
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' needs a time after the start, as in t=20000,dv=0.01,0,0",
                   r->text);
  if (i->change[0] == 0 && i->change[1] == 0 && i->change[2] == 0)
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' needs a change of velocity, as in t=20000,dv=0.01,0,0",
                   r->text);
  if (i->size_error < 0 || i->angle_error < 0)
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s': size and angle are deviations, not negative", r->text);
  return SD_OK;
}

/* Kept in the order of the times. */
static sd_status take_impulse(sd_plan *plan, const setting *s, const char *text) {
  char copy[256], *list = copy;
  impulse_reader r = {.text = text};
  SD_TRY(check_text(s->key, text, sizeof copy, &plan->error));
  strcpy(copy, text);
  for (char *item; (item = sd_next_item(&list));) SD_TRY(read_item(&r, item, &plan->error));
  SD_TRY(check_impulse(&r, &plan->error));
  if (plan->impulses == SD_IMPULSES_MAX && !replaces_earlier(plan, s))
    return sd_fail(&plan->error, SD_BAD_INPUT, "impulse: more than %d", SD_IMPULSES_MAX);
  sd_impulse *impulse = place(plan, s);
  int at = plan->impulses++;
  for (; at > 0 && impulse[at - 1].time > r.impulse.time; at--) impulse[at] = impulse[at - 1];
  impulse[at] = r.impulse;
  return SD_OK;
}

/* ---- the settings ---- */

#define AT(member) .offset = offsetof(sd_plan, member), .size = sizeof((sd_plan *)0)->member

static const setting settings[] = {
    {.key = "problem", .take = take_text, AT(problem_name)},
    {.key = "param", .take = take_override, AT(overrides)},
    {.key = "method", .take = take_text, AT(method_names)},
    {.key = "bodies", .take = take_whole, AT(bodies), .low = 1, .high = SD_BODIES_MOST},
    {.key = "first-body", .take = take_whole, AT(first_body), .low = 0, .high = UINT64_MAX - 1},
    {.key = "seed", .take = take_whole, AT(seed), .low = 0, .high = UINT64_MAX},
    {.key = "step", .take = take_positive, AT(step)},
    {.key = "time", .take = take_positive, AT(time), .group = SD_LENGTH},
    {.key = "steps", .take = take_whole, AT(steps), .low = 1, .high = SD_STEPS_MOST, .group = SD_LENGTH},
    {.key = "impulse", .take = take_impulse, AT(impulse), .group = SD_IMPULSES},
    {.key = "every", .take = take_whole, AT(every), .low = 1, .high = SD_STEPS_MOST},
    {.key = "final", .take = take_whole, AT(final_count), .low = 0, .high = SD_BODIES_MOST},
    {.key = "trajectories", .take = take_whole, AT(trajectories), .low = 0, .high = SD_BODIES_MOST},
    {.key = "checkpoint", .take = take_path, AT(checkpoint)},
    {.key = "checkpoint-every", .take = take_not_negative, AT(checkpoint_every)},
    {.key = "output", .take = take_path, AT(output)},
    {.key = "backend", .take = take_text, AT(backend)},
    {.key = "isa", .take = take_text, AT(isa)},
    {.key = "threads", .take = take_whole, AT(threads), .low = 1, .high = SD_THREADS_MAX},
    {.key = "devices", .take = take_text, AT(devices)},
    {.key = "block", .take = take_block, AT(block), .low = 32, .high = 1024},
    {.key = "device-memory", .take = take_positive, AT(device_memory)},
    {.key = "fallback", .take = take_fallback, AT(fallback)},
};

sd_status sd_plan_set(sd_plan *plan, const char *key, const char *value) {
  plan->error = (sd_error){0};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (!strcmp(key, settings[i].key)) return settings[i].take(plan, &settings[i], value);
  const char *spread = spread_key(key);
  if (spread) return take_spread(plan, spread, value);
  return sd_fail(&plan->error, SD_BAD_INPUT, "unknown option '%s'", key);
}

void sd_plan_next_source(sd_plan *plan) {
  plan->source++;
}
