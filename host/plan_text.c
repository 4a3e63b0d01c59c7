#include "plan_text.h"

#include "own.h"
#include "plan.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- to text ---- */

/* A line "NAME=V,V,V", with the key before it or without; METHOD.NAME where it is one method's. */
static void print_parameter(sd_text *to, const char *key, const char *method, const sd_parameter *p,
                            const double *value) {
  sd_text_add(to, "%s%s%s%s=", key, method, *method ? "." : "", p->name);
  for (int i = 0; i < p->count; i++) sd_text_add(to, "%s%.17g", i ? "," : "", value[i]);
  sd_text_add(to, "\n");
}

typedef enum { NEW, AGAIN, DIFFERENT } sharing;

/* A parameter that two methods share is set once, for both, unless one of all those that have it has another value:
 * defaults may differ. */
static sharing sharing_of(const sd_specification *spec, size_t methods, size_t method, int parameter) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX], *own[SD_METHOD_PARAMETERS_MAX];
  sharing found = NEW;
  sd_parameters_of(spec->methods[method].entry, own);
  for (size_t m = 0; m < methods; m++) {
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++) {
      if (strcmp(table[i]->name, own[parameter]->name)) continue;
      if (spec->method_parameters[m][i] != spec->method_parameters[method][parameter]) return DIFFERENT;
      if (m < method) found = AGAIN;
    }
  }
  return found;
}

static void print_parameters(sd_text *to, const char *key, const sd_specification *spec, size_t methods) {
  const double *value = spec->parameters;
  for (const sd_parameter *p = spec->problem->parameter; p->name; value += p++->count)
    print_parameter(to, key, "", p, value);
  for (size_t m = 0; m < methods; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++) {
      sharing s = sharing_of(spec, methods, m, i);
      const char *method = s == DIFFERENT ? spec->methods[m].entry->id : "";
      if (s != AGAIN) print_parameter(to, key, method, table[i], &spec->method_parameters[m][i]);
    }
  }
}

static void print_impulses(sd_text *to, const char *key, const sd_specification *spec) {
  for (int k = 0; k < spec->impulses; k++) {
    const sd_impulse *i = &spec->impulse[k];
    sd_text_add(to, "%st=%.17g,%s=%.17g,%.17g,%.17g,size=%.17g,angle=%.17g\n", key, i->time,
                i->frame == SD_FRAME_RTN ? "rtn" : "dv", i->change[0], i->change[1], i->change[2], i->size_error,
                i->angle_error);
  }
}

static void print_burns(sd_text *to, const char *key, const sd_specification *spec) {
  for (int k = 0; k < spec->burns; k++) {
    const sd_burn *b = &spec->burn[k];
    sd_text_add(to, "%s%.17g,%.17g,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", key, b->from, b->until, b->frame,
                b->force[0], b->force[1], b->force[2], b->flow, b->size_error, b->angle_error);
  }
}

static void print_times(sd_text *to, const char *key, const sd_asked_times *times) {
  for (int k = 0; k < times->count; k++) sd_text_add(to, "%s%.17g", k ? "," : key, times->time[k]);
  if (times->count) sd_text_add(to, "\n");
}

static void print_events(sd_text *to, const char *key, const sd_specification *spec) {
  for (const sd_event *e = spec->event; e < spec->event + spec->events; e++) {
    char when[SD_CONDITION_ROOM];
    const char *kick = e->frame == SD_FRAME_RTN ? "rtn" : "dv";
    sd_text_add(to, "%s%s:", key, sd_condition_text(e, when));
    if (e->action != SD_EVENT_KICKS) sd_text_add(to, e->action == SD_EVENT_ENDS ? "end" : "mark");
    else
      sd_text_add(to, "%s=%.17g,%.17g,%.17g,size=%.17g,angle=%.17g", kick, e->change[0], e->change[1], e->change[2],
                  e->size_error, e->angle_error);
    sd_text_add(to, ",times=%d,after=%.17g\n", e->times, e->after);
  }
}

static void print_covariance(sd_text *to, const char *key, const sd_covariance *c) {
  if (!c->given) return;
  sd_text_add(to, "%s%s", key, c->frame == SD_FRAME_RTN ? "rtn" : "inertial");
  for (int k = 0; k < SD_COVARIANCE_NUMBERS; k++) sd_text_add(to, ",%.17g", c->number[k]);
  sd_text_add(to, "\n");
}

static void print_sources(sd_text *to, const char *key, const sd_specification *spec) {
  const sd_source *s;
  for (int i = 0; (s = sd_own_source(spec->problem->family, i)); i++) {
    char before[32 + 16 + SD_SOURCE_NAME];
    snprintf(before, sizeof before, "%s%s:%s:", key, sd_source_kind_text(s->kind), s->id);
    sd_document_print(to, before, s->document);
  }
}

static void print_axes(sd_text *to, const char *key, const sd_sweep *sweep) {
  for (const sd_axis *a = sweep->axis; a < sweep->axis + sweep->axes; a++)
    sd_text_add(to, "%s%s=%.17g:%.17g:%zu%s\n", key, a->name, a->low, a->high, a->count, a->is_log ? ":log" : "");
}

static void print_scatters(sd_text *to, const char *key, const sd_sweep *sweep) {
  for (const sd_scatter *s = sweep->scatter; s < sweep->scatter + sweep->scatters; s++)
    sd_text_add(to, "%s%s=%.17g\n", key, s->name, s->sigma);
}

static void print_methods(sd_text *to, const sd_specification *spec, size_t methods) {
  for (size_t m = 0; m < methods; m++) sd_text_add(to, "%s%s", m ? "," : "", spec->methods[m].name);
}

char *sd_specification_methods(const sd_specification *spec, size_t methods) {
  sd_text text = {0};
  print_methods(&text, spec, methods);
  return sd_text_take(&text);
}

/* Where the deviation in one of its family's start arrays is; NULL: it is another family's. */
static const double *deviation_of(const sd_specification *spec, const sd_option *o) {
  const double *sigma = spec->sigma;
  for (const sd_start_array *a = spec->problem->family->start; a->name; a++, sigma++)
    if (a == o->start) return sigma;
  return NULL;
}

/* What is not asked for, and could not always be, is not spoken of. */
static int is_of(const sd_specification *spec, const sd_option *o) {
  if (!sd_option_in_files(o) || (o->own == SD_OF_POINTS && !sd_is_part_of_sweep(spec))) return 0;
  if (o->kind == SD_OPTION_SPREAD) return deviation_of(spec, o) != NULL;
  return o->kind != SD_OPTION_CHOICE || *(const int *)((const char *)spec + o->resolved);
}

sd_resolved sd_specification_number(const sd_specification *spec, const sd_option *o) {
  sd_resolved number = {SD_NO_NUMBER, 0, 0};
  const void *at = (const char *)spec + o->resolved;
  if (!is_of(spec, o)) return number;
  switch (o->kind) {
  case SD_OPTION_SPREAD: return (sd_resolved){SD_REAL, *deviation_of(spec, o), 0};
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

/* One number or text; "" for 0 where that cannot be given, and was not. */
static void print_value(sd_text *to, const sd_option *o, const char *at, int optional) {
  double real = 0;
  uint64_t whole = 0;
  switch (o->kind) {
  case SD_OPTION_TEXT: sd_text_add(to, "%s", at); return;
  case SD_OPTION_PATH: sd_text_add(to, "%s", *(char *const *)at); return;
  case SD_OPTION_CHOICE: print_word(to, o->words, *(const int *)at); return;
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

/* What a run has for an option of the science; of one that may be given again and again a line each, after the key. */
static void print_science(sd_text *to, const sd_specification *spec, const sd_option *o, const char *key,
                          size_t methods) {
  switch (o->kind) {
  case SD_OPTION_PROBLEM: sd_text_add(to, "%s", spec->problem->id); return;
  case SD_OPTION_METHODS: print_methods(to, spec, methods); return;
  case SD_OPTION_PARAMETER: print_parameters(to, key, spec, methods); return;
  case SD_OPTION_IMPULSE: print_impulses(to, key, spec); return;
  case SD_OPTION_BURN: print_burns(to, key, spec); return;
  case SD_OPTION_TIMES: print_times(to, key, &spec->at); return;
  case SD_OPTION_EVENT: print_events(to, key, spec); return;
  case SD_OPTION_SPREADING: print_covariance(to, key, &spec->covariance); return;
  case SD_OPTION_ELEMENTS: /* they are q0 and p0 now */
  case SD_OPTION_VELOCITY:
  case SD_OPTION_COVARIANCE:     /* its numbers have an option */
  case SD_OPTION_STARTS: return; /* its numbers are the members' */
  case SD_OPTION_COLUMNS:
    if (*spec->sweep.columns) sd_text_add(to, "%s%s\n", key, spec->sweep.columns);
    return;
  case SD_OPTION_SWEEP: print_axes(to, key, &spec->sweep); return;
  case SD_OPTION_SCATTER: print_scatters(to, key, &spec->sweep); return;
  case SD_OPTION_SYSTEM:
    if (sd_described_by(spec)) sd_document_print(to, key, sd_described_by(spec));
    return;
  case SD_OPTION_SOURCE: print_sources(to, key, spec); return;
  case SD_OPTION_SPREAD:
    if (deviation_of(spec, o)) sd_text_add(to, "%.17g", *deviation_of(spec, o));
    return;
  default: print_value(to, o, (const char *)spec + o->resolved, 0);
  }
}

/* Lines, each with the key before it. */
static void print_option(sd_text *to, const sd_specification *spec, const sd_option *o, size_t methods) {
  int repeated = o->kind == SD_OPTION_PARAMETER || o->kind == SD_OPTION_IMPULSE || o->kind == SD_OPTION_SYSTEM ||
                 o->kind >= SD_OPTION_SOURCE;
  char key[32];
  snprintf(key, sizeof key, "%s ", o->key);
  if (!repeated) sd_text_add(to, "%s", key);
  print_science(to, spec, o, key, methods);
  if (!repeated) sd_text_add(to, "\n");
}

char *sd_specification_text(const sd_specification *spec, size_t methods) {
  sd_text text = {0};
  sd_option o;
  for (size_t i = 0; sd_option_at(i, &o); i++)
    if (is_of(spec, &o)) print_option(&text, spec, &o, methods);
  return sd_text_take(&text);
}

char *sd_specification_descriptions(const sd_specification *spec) {
  sd_text text = {0};
  sd_option o;
  char what[SD_OPTION_ROOM];
  for (size_t i = 0; sd_option_at(i, &o); i++)
    if (is_of(spec, &o)) sd_text_add(&text, "%s: %s\n", o.key, sd_option_text(&o, what));
  return sd_text_take(&text);
}

char *sd_plans_text(sd_plan *const *plans, size_t count) {
  sd_text text = {0};
  for (size_t i = 0; i < count; i++) {
    const sd_specification *spec = plans[i]->specification;
    char *one = sd_specification_text(spec, (size_t)spec->method_count);
    text.failed |= !one;
    if (one) sd_text_add(&text, "%s%s", i ? "\f" : "", one);
    free(one);
  }
  return sd_text_take(&text);
}

/* That of the run, and that of the clock; a line each. */
static void print_limits(sd_text *to, const sd_plan *plan) {
  if (plan->settings.until.most > 0) sd_text_add(to, "%.17g\n", plan->settings.until.most);
  if (plan->place.seconds_most > 0) sd_text_add(to, "%.17gs\n", plan->place.seconds_most);
}

sd_status sd_plan_get(sd_plan *plan, const char *key, const char **value) {
  sd_option o;
  sd_text text = {0};
  *value = NULL;
  if (!plan->resolved) SD_TRY(sd_plan_resolve(plan));
  plan->error = (sd_error){0};
  if (!sd_option_find(key, &o)) return sd_fail(&plan->error, SD_BAD_INPUT, "unknown option '%s'", key);
  const sd_specification *spec = plan->specification;
  if (o.about & SD_ABOUT_SCIENCE) print_science(&text, spec, &o, "", (size_t)spec->method_count);
  else if (o.kind == SD_OPTION_LIMIT) print_limits(&text, plan);
  else print_value(&text, &o, (char *)plan + (o.found ? o.found : o.offset), !o.found && !o.value);
  free(plan->answer);
  size_t length = text.length;
  plan->answer = sd_text_take(&text);
  if (!plan->answer) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  if (length && plan->answer[length - 1] == '\n') plan->answer[length - 1] = 0;
  *value = plan->answer;
  return SD_OK;
}

/* ---- from text ---- */

/* A file's text names no other files. */
static int is_path(const sd_option *o, const char *value) {
  if (o->kind == SD_OPTION_PROBLEM) return sd_document_is_path(value) || sd_source_is_path(value);
  return o->kind == SD_OPTION_METHODS && strstr(value, ".h") != NULL;
}

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
    if (!sd_option_find(line, &o) || !sd_option_in_files(&o) || is_path(&o, space + 1))
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
    (*made)->settings.unstable = 1; /* what was run once may be run again */
    (*made)->settings.foreign = 1;
  }
  free(copy);
  if (!status) return SD_OK;
  sd_plan_destroy(*made);
  *made = NULL;
  return sd_fail(error, status, "%s: out of memory", name);
}

/* Parameters of the others are then without use. */
void sd_plan_cut_methods(sd_plan *plan, size_t count) {
  char *end = plan->settings.methods;
  for (size_t i = 0; i < count && (!i || *end); i++) end += (i > 0) + strcspn(end + (i > 0), ",");
  plan->settings.spare_parameters = *end != 0;
  *end = 0;
}
