/* setting.c - one option of a plan, from text.  A value that is refused leaves the plan as it was. */
#include "duration.h"
#include "maneuvers.h"
#include "number.h"
#include "options.h"
#include "plan.h"
#include "starts_file.h"
#include "system_tables.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "whole numbers of a plan have 64 bits, or are int");

static int replaces_earlier(const sd_plan *plan, const sd_option *o) {
  const sd_settings *s = &plan->settings;
  return o->group != SD_NO_GROUP && s->given[o->group].source < s->source;
}

/* Where an accepted value goes.  To ask for it is the first change of the plan: nothing may fail after it. */
static void *place(sd_plan *plan, const sd_option *o) {
  sd_settings *s = &plan->settings;
  if (replaces_earlier(plan, o)) {
    if (o->group == SD_LENGTH) s->time = 0, s->steps = 0;
    if (o->group == SD_IMPULSES) s->impulses = 0;
    if (o->group == SD_BURNS) s->burns = 0;
    if (o->group == SD_EVENTS) s->events = 0;
    if (o->group == SD_SWEEPS) s->sweep.axes = 0;
    if (o->group == SD_SCATTERS) s->sweep.scatters = 0;
  }
  s->given[o->group] = (sd_given){s->source, o->name};
  return (char *)plan + o->offset;
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

static sd_status read_whole(const sd_option *o, const char *text, uint64_t *value, sd_error *error) {
  sd_wholeness found = sd_whole_from(text, value);
  if (found == SD_NOT_A_NUMBER || found == SD_NOT_WHOLE)
    return sd_fail(error, SD_BAD_INPUT, "%s: '%s' is not a whole number", o->name, text);
  if (found == SD_BEYOND || *value < o->low || *value > o->high)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s is out of range; expected %llu to %llu", o->name, text,
                   (unsigned long long)o->low, (unsigned long long)o->high);
  if (o->multiple && *value % o->multiple)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s is not a multiple of %llu", o->name, text,
                   (unsigned long long)o->multiple);
  return SD_OK;
}

/* Which one of a choice's words it is. */
static sd_status read_choice(const sd_option *o, const char *text, uint64_t *value, sd_error *error) {
  const char *word = o->words;
  for (*value = 0; *word; ++*value) {
    size_t length = strcspn(word, "|");
    if (strlen(text) == length && !strncmp(text, word, length)) return SD_OK;
    word += length + (word[length] == '|');
  }
  char list[64] = "";
  for (word = o->words; *word;) {
    size_t length = strcspn(word, "|"), used = strlen(list);
    int last = !word[length];
    snprintf(list + used, sizeof list - used, "%s%.*s", !used ? "" : last ? " or " : ", ", (int)length, word);
    word += length + !last;
  }
  return sd_fail(error, SD_BAD_INPUT, "%s: '%s' should be %s", o->name, text, list);
}

static sd_status check_text(const char *what, const char *text, size_t size, sd_error *error) {
  if (!*text) return sd_fail(error, SD_BAD_INPUT, "%s: a value is missing", what);
  if (strlen(text) >= size) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is too long", what, text);
  return SD_OK;
}

/* ---- options of one value ---- */

typedef struct {
  double real;
  uint64_t whole;
} number;

static sd_status read_value(const sd_option *o, const char *text, number *n, sd_error *error) {
  switch (o->kind) {
  case SD_OPTION_POSITIVE:
  case SD_OPTION_NOT_NEGATIVE:
    SD_TRY(read_real(o->name, text, &n->real, error));
    if (n->real < 0 && o->kind == SD_OPTION_NOT_NEGATIVE)
      return sd_fail(error, SD_BAD_INPUT, "%s: %s is negative", o->name, text);
    if (n->real <= 0 && o->kind == SD_OPTION_POSITIVE)
      return sd_fail(error, SD_BAD_INPUT, "%s: %s is not positive", o->name, text);
    return SD_OK;
  case SD_OPTION_UNSIGNED:
  case SD_OPTION_INTEGER:
  case SD_OPTION_INT: return read_whole(o, text, &n->whole, error);
  case SD_OPTION_CHOICE: return read_choice(o, text, &n->whole, error);
  default: return check_text(o->name, text, o->size, error);
  }
}

static void store(const sd_option *o, void *at, const char *text, const number *n) {
  switch (o->kind) {
  case SD_OPTION_POSITIVE:
  case SD_OPTION_NOT_NEGATIVE: *(double *)at = n->real; break;
  case SD_OPTION_UNSIGNED:
  case SD_OPTION_INTEGER: memcpy(at, &n->whole, sizeof n->whole); break;
  case SD_OPTION_INT:
  case SD_OPTION_CHOICE: *(int *)at = (int)n->whole; break;
  default: strcpy(at, text);
  }
}

/* Two names of one option, of which the last word is no more likely to be meant than the first. */
static sd_status check_synonym(sd_plan *plan, const sd_option *o, const char *text, const number *n) {
  const sd_given *given = &plan->settings.given[o->group];
  uint64_t before;
  if (!o->synonym || !given->name || given->source != plan->settings.source || given->name == o->name) return SD_OK;
  memcpy(&before, (char *)plan + o->offset, sizeof before);
  if (before == n->whole) return SD_OK;
  return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s, but %s, its other name, is %llu; give one of the two", o->name,
                 text, given->name, (unsigned long long)before);
}

static sd_status take_value(sd_plan *plan, const sd_option *o, const char *text) {
  number n = {0, 0};
  SD_TRY(read_value(o, text, &n, &plan->error));
  SD_TRY(check_synonym(plan, o, text, &n));
  store(o, place(plan, o), text, &n);
  return SD_OK;
}

/* As long as it likes: what is too long for a path, the system will say. */
static sd_status take_path(sd_plan *plan, const sd_option *o, const char *value) {
  SD_TRY(check_text(o->name, value, SIZE_MAX, &plan->error));
  return sd_plan_keep(plan, (char **)((char *)plan + o->offset), value);
}

/* The same key may be one of several families'. */
static sd_status take_spread(sd_plan *plan, const sd_option *o, const char *value) {
  sd_settings *s = &plan->settings;
  double deviation;
  int at = 0;
  SD_TRY(read_real(o->name, value, &deviation, &plan->error));
  if (deviation < 0 || deviation > 1e6)
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is out of range; expected 0 to 1e6", o->name, value);
  while (at < s->spreads && strcmp(s->spread[at].key, o->key)) at++;
  if (at == SD_SPREADS_MAX) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: too many deviations", o->name);
  s->spread[at] = (sd_spread){o->key, deviation};
  if (at == s->spreads) s->spreads++;
  return SD_OK;
}

/* ---- problems and methods of the user's own ---- */

/* Takes the text over; one of the same kind and id goes. */
static sd_status keep_source(sd_plan *plan, sd_source source) {
  sd_settings *s = &plan->settings;
  int at = 0;
  while (at < s->owns && (s->own[at].kind != source.kind || strcmp(s->own[at].id, source.id))) at++;
  if (at == SD_SOURCES_MAX) {
    sd_document_let_go(source.document);
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: more than %d files", sd_source_kind_text(source.kind),
                   SD_SOURCES_MAX);
  }
  if (at < s->owns) sd_document_let_go(s->own[at].document);
  else s->owns++;
  s->own[at] = source;
  return SD_OK;
}

/* The id of what is in a file, which the plan then has the text of; a composition's order stays. */
static sd_status take_source_file(sd_plan *plan, sd_source_kind kind, const char *given, char *id, size_t room) {
  sd_source source;
  size_t length = strcspn(given, kind == SD_SOURCE_OF_METHOD ? "@" : "");
  char *path = strndup(given, length);
  if (!path) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  sd_status status = sd_source_read(path, kind, &source, &plan->error);
  free(path);
  if (!status) status = keep_source(plan, source);
  if (!status && (size_t)snprintf(id, room, "%s%s", source.id, given + length) >= room)
    status = sd_fail(&plan->error, SD_BAD_INPUT, "%s: the list is too long", sd_source_kind_text(kind));
  return status;
}

/* A list, in which files stand for the methods that are in them. */
static sd_status take_methods(sd_plan *plan, const sd_option *o, const char *value) {
  char names[sizeof plan->settings.methods] = "", *copy = strdup(value), *list = copy;
  sd_status status = copy ? SD_OK : sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  for (char *name; !status && (name = sd_next_item(&list));) {
    size_t used = strlen(names), room = sizeof names - used - 1;
    if (name != copy) strcat(names, ","), used++;
    if (sd_source_is_path(name)) status = take_source_file(plan, SD_SOURCE_OF_METHOD, name, names + used, room);
    else if ((size_t)snprintf(names + used, room, "%s", name) >= room) break; /* which the list's own check says */
  }
  int whole = copy && !list;
  free(copy);
  if (status) return status;
  return take_value(plan, o, whole ? names : value);
}

/* KIND:ID:TEXT */
static sd_status take_source(sd_plan *plan, const char *value) {
  sd_settings *s = &plan->settings;
  sd_source source = {.kind = strncmp(value, "method:", 7) ? SD_SOURCE_OF_PROBLEM : SD_SOURCE_OF_METHOD};
  const char *id = strchr(value, ':'), *text = id ? strchr(id + 1, ':') : NULL;
  char name[SD_SOURCE_NAME + 4];
  int at = 0;
  if (!text || (source.kind == SD_SOURCE_OF_PROBLEM && strncmp(value, "problem:", 8)) || text == id + 1 ||
      text - id > SD_SOURCE_NAME)
    return sd_fail(&plan->error, SD_BAD_INPUT, "code: '%.60s' should read problem:ID:TEXT or method:ID:TEXT", value);
  memcpy(source.id, id + 1, (size_t)(text - id - 1));
  while (at < s->owns && (s->own[at].kind != source.kind || strcmp(s->own[at].id, source.id))) at++;
  if (at == s->owns) {
    snprintf(name, sizeof name, "%s.h", source.id);
    SD_TRY(sd_document_of(name, "", &source.document, &plan->error));
    SD_TRY(keep_source(plan, source));
  }
  return sd_document_add(&s->own[at].document, text + 1, &plan->error);
}

/* ---- a problem ---- */

/* By its id; or a file, which is read now, for the problem whose systems are described by one.  An earlier one's text
 * goes with it. */
static sd_status take_problem(sd_plan *plan, const sd_option *o, const char *value) {
  sd_document *document = NULL;
  char id[SD_SOURCE_NAME];
  if (sd_source_is_path(value)) {
    SD_TRY(take_source_file(plan, SD_SOURCE_OF_PROBLEM, value, id, sizeof id));
    strcpy(place(plan, o), id);
  } else if (!sd_document_is_path(value)) {
    SD_TRY(take_value(plan, o, value));
  } else {
    const sd_problem_entry *described;
    SD_TRY(sd_find_described(&described, &plan->error));
    SD_TRY(sd_system_read(value, &document, &plan->error));
    strcpy(place(plan, o), described->id);
  }
  sd_document_let_go(plan->settings.document);
  plan->settings.document = document;
  return SD_OK;
}

/* ---- NAME=VALUE[,VALUE,VALUE] ---- */

static sd_status take_override(sd_plan *plan, const char *text) {
  sd_settings *s = &plan->settings;
  sd_error *error = &plan->error;
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return sd_fail(error, SD_BAD_INPUT, "param: '%s' should read NAME=VALUE, as in --param alpha=0.3", text);
  sd_override o = {.count = 0};
  size_t length = (size_t)(equals - text);
  if (length >= sizeof o.name) return sd_fail(error, SD_BAD_INPUT, "param: '%.40s...' is no parameter", text);
  memcpy(o.name, text, length);
  char values[256], what[96], *list = values;
  snprintf(what, sizeof what, "param %s", o.name);
  SD_TRY(check_text(what, equals + 1, sizeof values, error));
  strcpy(values, equals + 1);
  for (char *value; (value = sd_next_item(&list));) {
    if (o.count < SD_PARAMETER_VALUES) SD_TRY(read_real(what, value, &o.value[o.count], error));
    o.count++;
  }
  int at = 0;
  while (at < s->override_count && strcmp(s->overrides[at].name, o.name)) at++;
  if (at == SD_OVERRIDES_MAX) return sd_fail(error, SD_BAD_INPUT, "param: too many parameters");
  s->overrides[at] = o;
  if (at == s->override_count) s->override_count++;
  return SD_OK;
}

/* ---- maneuvers ---- */

/* The list that so many more are to go to, after those that stay of `count`; NULL if there would be too many. */
static void *list_for(sd_plan *plan, const sd_option *o, int more, int count, int most) {
  if (more > most - (replaces_earlier(plan, o) ? 0 : count))
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: more than %d", o->name, most), NULL;
  return place(plan, o);
}

/* Kept in the order of the times, with which each begins. */
_Static_assert(!offsetof(sd_impulse, time) && !offsetof(sd_burn, from), "put_in_order looks there");
static void put_in_order(void *list, int *count, const void *one, size_t size) {
  char *at = (char *)list + (size_t)(*count)++ * size;
  for (; at > (char *)list && *(double *)(at - size) > *(const double *)one; at -= size) memcpy(at, at - size, size);
  memcpy(at, one, size);
}

static sd_status take_impulse(sd_plan *plan, const sd_option *o, const char *text) {
  sd_impulse i;
  sd_repetition again;
  SD_TRY(sd_impulse_read(text, &i, &again, &plan->error));
  int *count = &plan->settings.impulses;
  void *list = list_for(plan, o, again.times, *count, SD_IMPULSES_MAX);
  double first = i.time;
  for (int n = 0; n < again.times && list; n++) {
    i.time = first + n * again.every;
    put_in_order(list, count, &i, sizeof i);
  }
  return plan->error.status;
}

static sd_status take_burn(sd_plan *plan, const sd_option *o, const char *text) {
  sd_burn b;
  sd_repetition again;
  SD_TRY(sd_burn_read(text, &b, &again, &plan->error));
  int *count = &plan->settings.burns;
  void *list = list_for(plan, o, again.times, *count, SD_BURNS_MAX);
  double first = b.from, last = b.until;
  for (int n = 0; n < again.times && list; n++) {
    b.from = first + n * again.every;
    b.until = last + n * again.every;
    put_in_order(list, count, &b, sizeof b);
  }
  return plan->error.status;
}

static sd_status take_event(sd_plan *plan, const sd_option *o, const char *text) {
  sd_event e;
  SD_TRY(sd_event_read(text, &e, &plan->error));
  sd_event *list = list_for(plan, o, 1, plan->settings.events, SD_EVENTS_MAX);
  if (list) list[plan->settings.events++] = e;
  return plan->error.status;
}

static sd_status take_elements(sd_plan *plan, const char *text) {
  SD_TRY(sd_elements_read(text, plan->settings.elements, &plan->error));
  plan->settings.with_elements = 1;
  return SD_OK;
}

static sd_status take_velocity(sd_plan *plan, const char *text) {
  SD_TRY(sd_velocity_read(text, plan->settings.velocity, &plan->error));
  plan->settings.with_velocity = 1;
  return SD_OK;
}

static sd_status take_covariance(sd_plan *plan, const char *text, int is_path) {
  sd_covariance covariance;
  if (is_path) SD_TRY(sd_covariance_read(text, &covariance, &plan->error));
  else SD_TRY(sd_covariance_parse("spreading", text, &covariance, &plan->error));
  plan->settings.covariance = covariance;
  return SD_OK;
}

/* ---- NAME=LOW:HIGH:COUNT[:log], NAME=SIGMA ---- */

static sd_status take_axis(sd_plan *plan, const sd_option *o, const char *text) {
  sd_sweep *s = &plan->settings.sweep;
  sd_axis axis;
  if (!strcmp(text, "none")) return place(plan, o), s->axes = 0, SD_OK;
  SD_TRY(sd_axis_read(text, &axis, &plan->error));
  int there = replaces_earlier(plan, o) ? 0 : s->axes;
  for (int k = 0; k < there; k++)
    if (!strcmp(s->axis[k].name, axis.name))
      return sd_fail(&plan->error, SD_BAD_INPUT, "sweep %s: it is given twice", axis.name);
  if (there == SD_AXES_MAX) return sd_fail(&plan->error, SD_BAD_INPUT, "sweep: more than %d", SD_AXES_MAX);
  place(plan, o);
  s->axis[s->axes++] = axis;
  return SD_OK;
}

static sd_status take_scatter(sd_plan *plan, const sd_option *o, const char *text) {
  sd_sweep *s = &plan->settings.sweep;
  sd_scatter scatter;
  if (!strcmp(text, "none")) return place(plan, o), s->scatters = 0, SD_OK;
  SD_TRY(sd_scatter_read(text, &scatter, &plan->error));
  int there = replaces_earlier(plan, o) ? 0 : s->scatters;
  for (int k = 0; k < there; k++)
    if (!strcmp(s->scatter[k].name, scatter.name))
      return sd_fail(&plan->error, SD_BAD_INPUT, "spread %s: it is given twice", scatter.name);
  if (there == SD_SCATTERS_MAX) return sd_fail(&plan->error, SD_BAD_INPUT, "spread: more than %d", SD_SCATTERS_MAX);
  place(plan, o);
  s->scatter[s->scatters++] = scatter;
  return SD_OK;
}

/* ---- a table of members ---- */

static sd_status take_columns(sd_plan *plan, const sd_option *o, const char *text) {
  SD_TRY(check_text(o->name, text, o->size, &plan->error));
  if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-_") != strlen(text))
    return sd_fail(&plan->error, SD_BAD_INPUT, "columns: '%.60s' are no names with commas in between", text);
  return take_value(plan, o, text);
}

/* As many members as it has rows, unless they are counted besides. */
static sd_status take_starts(sd_plan *plan, const char *path) {
  sd_settings *s = &plan->settings;
  sd_table table;
  SD_TRY(sd_table_read(path, &table, &plan->error));
  sd_starts_destroy(&s->starts);
  s->starts = table.rows;
  strcpy(s->sweep.columns, table.columns);
  if (s->given[SD_SIZE].source < s->source || !s->given[SD_SIZE].name) s->members = table.rows.count;
  return SD_OK;
}

/* ---- a time of the run, or of the clock ---- */

static sd_status take_limit(sd_plan *plan, const sd_option *o, const char *text) {
  double seconds, time;
  char *end;
  if (sd_seconds_from(text, &seconds)) {
    plan->place.seconds_most = seconds;
    return SD_OK;
  }
  sd_real_from(text, &end);
  if (end == text || *end)
    return sd_fail(&plan->error, SD_BAD_INPUT, "%s: '%s' is neither a number nor a time with units, such as 47h30m",
                   o->name, text);
  SD_TRY(read_real(o->name, text, &time, &plan->error));
  if (time <= 0) return sd_fail(&plan->error, SD_BAD_INPUT, "%s: %s is not positive", o->name, text);
  *(double *)place(plan, o) = time;
  return SD_OK;
}

/* ---- any option ---- */

static sd_status take(sd_plan *plan, const sd_option *o, const char *value) {
  switch (o->kind) {
  case SD_OPTION_PATH: return take_path(plan, o, value);
  case SD_OPTION_SPREAD: return take_spread(plan, o, value);
  case SD_OPTION_PROBLEM: return take_problem(plan, o, value);
  case SD_OPTION_METHODS: return take_methods(plan, o, value);
  case SD_OPTION_SOURCE: return take_source(plan, value);
  case SD_OPTION_SYSTEM: return sd_document_add(&plan->settings.document, value, &plan->error);
  case SD_OPTION_PARAMETER: return take_override(plan, value);
  case SD_OPTION_IMPULSE: return take_impulse(plan, o, value);
  case SD_OPTION_BURN: return take_burn(plan, o, value);
  case SD_OPTION_EVENT: return take_event(plan, o, value);
  case SD_OPTION_ELEMENTS: return take_elements(plan, value);
  case SD_OPTION_TIMES: return sd_times_read(value, &plan->settings.at, &plan->error);
  case SD_OPTION_VELOCITY: return take_velocity(plan, value);
  case SD_OPTION_COVARIANCE: return take_covariance(plan, value, 1);
  case SD_OPTION_SPREADING: return take_covariance(plan, value, 0);
  case SD_OPTION_LIMIT: return take_limit(plan, o, value);
  case SD_OPTION_SWEEP: return take_axis(plan, o, value);
  case SD_OPTION_COLUMNS: return take_columns(plan, o, value);
  case SD_OPTION_STARTS: return take_starts(plan, value);
  case SD_OPTION_SCATTER: return take_scatter(plan, o, value);
  default: return take_value(plan, o, value);
  }
}

sd_status sd_plan_set(sd_plan *plan, const char *key, const char *value) {
  sd_option o;
  plan->error = (sd_error){0};
  if (!sd_option_find(key, &o)) return sd_fail(&plan->error, SD_BAD_INPUT, "unknown option '%s'", key);
  SD_TRY(take(plan, &o, value));
  plan->resolved = 0;
  return SD_OK;
}

void sd_plan_next_source(sd_plan *plan) {
  plan->settings.source++;
}

sd_status sd_plan_set_defaults(sd_plan *plan) {
  sd_option o;
  plan->settings.source = -1; /* nobody's: what is given replaces it, by whichever name */
  for (size_t i = 0; sd_option_at(i, &o); i++)
    if (o.value) SD_TRY(sd_plan_set(plan, o.key, o.value));
  plan->settings.source = 0;
  return SD_OK;
}
