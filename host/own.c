#include "own.h"

#include "digest.h"
#include "guard.h"
#include "own_units.h"
#include "safe_file.h"
#include "specification.h"

#include <float.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MOST = 1024 };

typedef struct sd_own sd_own;
struct sd_own {
  sd_family family; /* this one */
  const sd_family *base;
  char key[33];
  sd_source source[SD_SOURCES_MAX];
  int sources;
  const sd_problem_alone *alone; /* of the problem, if it is one of the sources and compiled */
  char **text;                   /* that the lists point to */
  size_t texts;
  const sd_kernels *table[TABLES_MOST];
  atomic_int tables; /* only grows: one writer at a time */
  sd_own *next;
};

static _Atomic(sd_own *) all; /* only grows: one writer at a time */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static sd_status out_of_memory(sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "source: out of memory");
}

static const char *name_of(const sd_source *source) {
  return sd_path_shown(sd_document_name(source->document));
}

/* Takes a text over, which lasts as long as the family; NULL without memory. */
static const char *keep(sd_own *o, char *text) {
  char **more = text ? realloc(o->text, (o->texts + 1) * sizeof *more) : NULL;
  if (!more) return free(text), NULL;
  o->text = more;
  return more[o->texts++] = text;
}

/* ---- what is asked for ---- */

static const sd_source *find_source(const sd_source *sources, int count, sd_source_kind kind, const char *id) {
  for (int i = 0; i < count; i++)
    if (sources[i].kind == kind && !strcmp(sources[i].id, id)) return &sources[i];
  return NULL;
}

static sd_status name_is_taken(const sd_source *source, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "%s: there is a %s '%s' that is built in; give it another id", name_of(source),
                 sd_source_kind_text(source->kind), source->id);
}

/* The family that is added to: that of the problem. */
static sd_status find_base(const sd_source *of_problem, const char *id, const sd_family **base, sd_error *error) {
  const sd_problem_entry *built_in;
  sd_source_line line;
  if (!of_problem) {
    SD_TRY(sd_find_problem(id, &built_in, error));
    return *base = built_in->family, SD_OK;
  }
  for (int i = 0; i < sd_problem_count(); i++)
    if (!strcmp(sd_problem_at(i)->id, id)) return name_is_taken(of_problem, error);
  SD_TRY(sd_source_find(of_problem, NULL, id, &line, error));
  *base = sd_find_family(line.family);
  if (!*base)
    sd_fail(error, SD_BAD_INPUT, "%s:%d: there is no family '%s'", name_of(of_problem), line.number, line.family);
  else if ((*base)->alone)
    sd_fail(error, SD_BAD_INPUT, "%s:%d: problems of the family %s are not compiled; a text describes them",
            name_of(of_problem), line.number, line.family);
  sd_source_line_free(&line);
  return error->status;
}

/* Of the texts, and of what was declared in place of compiling. */
static sd_status make_key(const sd_source *sources, int count, const char *family, const sd_parameter *declared,
                          char key[33], sd_error *error) {
  sd_text text = {0};
  char digest[33];
  sd_text_add(&text, "%s\n", family);
  for (int i = 0; i < count; i++) {
    sd_document_digest(sources[i].document, digest);
    sd_text_add(&text, "%d %s %s\n", (int)sources[i].kind, sources[i].id, digest);
  }
  for (const sd_parameter *p = declared; p && p->name; p++) sd_text_add(&text, "%s %d\n", p->name, p->count);
  sd_text_add(&text, "%s\n", declared ? "declared" : "compiled");
  size_t length = text.length;
  char *whole = sd_text_take(&text);
  if (!whole) return out_of_memory(error);
  sd_digest_bytes(whole, length, key);
  free(whole);
  return SD_OK;
}

/* ---- a family ---- */

/* Longer lists; what they point to stays with them. */
static sd_status copy_lists(sd_own *o, sd_error *error) {
  const sd_family *base = o->base;
  size_t methods = (size_t)base->method_count, problems = (size_t)base->problem_count, parameters = 0;
  while (base->method_parameter[parameters].method) parameters++;
  sd_method_entry *method = calloc(methods + SD_SOURCES_MAX, sizeof *method);
  sd_problem_entry *problem = calloc(problems + 1, sizeof *problem);
  sd_method_parameter *parameter =
      calloc(parameters + (size_t)SD_SOURCES_MAX * SD_METHOD_PARAMETERS_MAX + 1, sizeof *parameter);
  o->family = *base;
  o->family.own = o;
  o->family.method = method;
  o->family.problem = problem;
  o->family.method_parameter = parameter;
  if (!method || !problem || !parameter) return out_of_memory(error);
  memcpy(method, base->method, methods * sizeof *method);
  memcpy(problem, base->problem, problems * sizeof *problem);
  memcpy(parameter, base->method_parameter, parameters * sizeof *parameter);
  for (size_t i = 0; i < methods; i++) method[i].family = &o->family;
  for (size_t i = 0; i < problems; i++) problem[i].family = &o->family;
  return SD_OK;
}

static sd_status add_parameters(sd_own *o, const sd_source *s, sd_error *error) {
  sd_source_line line;
  sd_method_parameter *to = (sd_method_parameter *)o->family.method_parameter;
  size_t own = 0;
  while (to->method) to++;
  for (size_t i = 0; sd_source_parameter(s, i, &line, error); i++) {
    if (own++ == SD_METHOD_PARAMETERS_MAX) {
      sd_source_line_free(&line);
      return sd_fail(error, SD_BAD_INPUT, "%s: more than %d parameters", name_of(s), SD_METHOD_PARAMETERS_MAX);
    }
    to->method = s->id;
    const char *name = keep(o, strdup(line.name)), *meaning = keep(o, line.title);
    if (!name || !meaning) return out_of_memory(error);
    to->parameter = (sd_parameter){name, 1, {line.value}, line.limits[0], line.limits[1], meaning};
    to++;
  }
  return error->status;
}

static sd_status add_method(sd_own *o, const sd_source *s, sd_error *error) {
  sd_source_line line;
  sd_method_entry *to = (sd_method_entry *)o->family.method + o->family.method_count;
  for (int i = 0; i < o->base->method_count; i++)
    if (!strcmp(o->base->method[i].id, s->id)) return name_is_taken(s, error);
  SD_TRY(sd_source_find(s, o->base->id, NULL, &line, error));
  *to = (sd_method_entry){&o->family, s->id, line.order, line.traits, keep(o, line.title), keep(o, line.doi)};
  o->family.method_count++;
  if (!to->title || !to->doi) return out_of_memory(error);
  if (strcmp(line.id, s->id))
    return sd_fail(error, SD_BAD_INPUT, "%s:%d: its lines have different ids; a file has one", name_of(s), line.number);
  return add_parameters(o, s, error);
}

/* As every problem of the family begins; and no method's, which a file would not tell apart. */
static sd_status check_parameters(const sd_own *o, const sd_source *s, const sd_parameter *own, sd_error *error) {
  const sd_family *base = o->base;
  for (int i = 0;; i++) {
    const sd_parameter *first = &base->problem[0].parameter[i];
    int shared = first->name != NULL;
    for (int k = 1; k < base->problem_count && shared; k++) {
      const sd_parameter *p = &base->problem[k].parameter[i];
      shared = p->name && !strcmp(p->name, first->name) && p->count == first->count;
    }
    if (!shared) break;
    if (!own[i].name || strcmp(own[i].name, first->name) || own[i].count != first->count)
      return sd_fail(error, SD_BAD_INPUT, "%s: parameter %d of a problem for %s is %s, of %d %s", name_of(s), i + 1,
                     base->plural, first->name, first->count, sd_plural((size_t)first->count, "number", "numbers"));
  }
  for (; own->name; own++) {
    if (own->count < 1 || own->count > SD_PARAMETER_VALUES || !own->text)
      return sd_fail(error, SD_BAD_INPUT, "%s: parameter %s has 1 to %d numbers, and a text", name_of(s), own->name,
                     SD_PARAMETER_VALUES);
    for (const sd_method_parameter *p = o->family.method_parameter; p->method; p++)
      if (!strcmp(p->parameter.name, own->name))
        return sd_fail(error, SD_BAD_INPUT, "%s: parameter %s is method %s's, too; give it another name", name_of(s),
                       own->name, p->method);
  }
  return SD_OK;
}

static void try_constants(void *data) {
  const sd_problem_alone *alone = data;
  double values[SD_PARAMETERS_MAX] = {0}, constants[SD_CONSTANTS], *to = values;
  for (const sd_parameter *p = alone->parameter; p->name; to += p++->count)
    if (to + p->count <= values + SD_PARAMETERS_MAX) memcpy(to, p->value, (size_t)p->count * sizeof *to);
  alone->constants(values, constants);
}

static sd_status load_problem(sd_own *o, const sd_source *s, sd_error *error) {
  sd_unit unit = {.family = o->base->id, .problem_id = s->id, .problem = s};
  SD_TRY(sd_units_load(&unit, 1, error));
  o->alone = unit.symbol;
  SD_TRY(check_parameters(o, s, o->alone->parameter, error));
  int crashed = sd_guarded(try_constants, (void *)o->alone);
  return crashed ? sd_fail(error, SD_FAILED, "%s crashed with its default parameters: %s", name_of(s),
                           sd_crash_text(crashed))
                 : SD_OK;
}

/* A table of what was declared, but for what is a method's; it lasts. */
static const sd_parameter *copy_parameters(sd_own *o, const sd_parameter *declared) {
  size_t count = 0, kept = 0;
  while (declared[count].name) count++;
  sd_parameter *copy = calloc(count + 1, sizeof *copy);
  if (!keep(o, (char *)copy)) return NULL;
  for (; declared->name; declared++) {
    const sd_method_parameter *p = o->family.method_parameter;
    while (p->method && strcmp(p->parameter.name, declared->name)) p++;
    if (p->method) continue;
    copy[kept] = (sd_parameter){keep(o, strdup(declared->name)), declared->count, {0}, -DBL_MAX, DBL_MAX, ""};
    if (!copy[kept++].name) return NULL;
  }
  return copy;
}

static sd_status add_problem(sd_own *o, const sd_source *s, const sd_parameter *declared, sd_error *error) {
  sd_source_line line;
  sd_problem_entry *to = (sd_problem_entry *)o->family.problem + o->family.problem_count;
  SD_TRY(sd_source_find(s, o->base->id, s->id, &line, error));
  *to = (sd_problem_entry){.family = &o->family,
                           .id = s->id,
                           .step = line.step,
                           .time = line.time,
                           .title = keep(o, line.title),
                           .doi = keep(o, line.doi)};
  o->family.problem_count++;
  if (!to->title || !to->doi) return out_of_memory(error);
  if (!declared) SD_TRY(load_problem(o, s, error));
  to->parameter = declared ? copy_parameters(o, declared) : o->alone->parameter;
  to->constants = declared ? NULL : o->alone->constants;
  return to->parameter ? SD_OK : out_of_memory(error);
}

static sd_status make_family(sd_own *o, const sd_source *sources, int count, const sd_parameter *declared,
                             sd_error *error) {
  for (; o->sources < count; o->sources++) {
    o->source[o->sources] = sources[o->sources];
    sd_document_keep(sources[o->sources].document);
  }
  SD_TRY(copy_lists(o, error));
  for (int i = 0; i < count; i++)
    if (o->source[i].kind == SD_SOURCE_OF_METHOD) SD_TRY(add_method(o, &o->source[i], error));
  for (int i = 0; i < count; i++)
    if (o->source[i].kind == SD_SOURCE_OF_PROBLEM) SD_TRY(add_problem(o, &o->source[i], declared, error));
  return sd_family_check(&o->family, error);
}

/* What did not become one. */
static void unmake(sd_own *o) {
  for (size_t i = 0; i < o->texts; i++) free(o->text[i]);
  free(o->text);
  for (int i = 0; i < o->sources; i++) sd_document_let_go(o->source[i].document);
  free((void *)o->family.method);
  free((void *)o->family.problem);
  free((void *)o->family.method_parameter);
  free(o);
}

static sd_status find_family(const sd_source *sources, int count, const sd_family *base, const sd_parameter *declared,
                             const sd_family **found, sd_error *error) {
  char key[33];
  SD_TRY(make_key(sources, count, base->id, declared, key, error));
  for (sd_own *o = atomic_load(&all); o; o = o->next)
    if (!strcmp(o->key, key)) return *found = &o->family, SD_OK;
  sd_own *made = calloc(1, sizeof *made);
  if (!made) return out_of_memory(error);
  made->base = base;
  memcpy(made->key, key, sizeof made->key);
  sd_status status = make_family(made, sources, count, declared, error);
  if (status) return unmake(made), status;
  made->next = atomic_load(&all);
  atomic_store(&all, made);
  *found = &made->family;
  return SD_OK;
}

sd_status sd_own_find_problem(const sd_source *sources, int count, const char *id, const sd_parameter *declared,
                              const sd_problem_entry **problem, sd_error *error) {
  const sd_source *of_problem = find_source(sources, count, SD_SOURCE_OF_PROBLEM, id);
  const sd_family *base = NULL, *family = NULL;
  SD_TRY(find_base(of_problem, id, &base, error));
  pthread_mutex_lock(&making);
  sd_status status = find_family(sources, count, base, of_problem ? declared : NULL, &family, error);
  pthread_mutex_unlock(&making);
  for (int i = 0; !status && i < family->problem_count; i++)
    if (!strcmp(family->problem[i].id, id)) *problem = &family->problem[i];
  return status;
}

const sd_source *sd_own_source(const sd_family *family, int index) {
  return family->own && index < family->own->sources ? &family->own->source[index] : NULL;
}

const sd_source *sd_own_source_of(const sd_family *family, sd_source_kind kind, const char *id) {
  return family->own ? find_source(family->own->source, family->own->sources, kind, id) : NULL;
}

/* Those at the ends of the lists. */
const sd_problem_entry *sd_own_problem_at(int index) {
  for (const sd_own *o = atomic_load(&all); o; o = o->next) {
    int more = o->family.problem_count - o->base->problem_count;
    if (index < more) return &o->family.problem[o->base->problem_count + index];
    index -= more;
  }
  return NULL;
}

const sd_method_entry *sd_own_method_at(int index) {
  for (const sd_own *o = atomic_load(&all); o; o = o->next) {
    int more = o->family.method_count - o->base->method_count;
    if (index < more) return &o->family.method[o->base->method_count + index];
    index -= more;
  }
  return NULL;
}

const sd_problem_alone *sd_own_alone(const sd_problem_entry *problem) {
  const sd_own *own = problem->family->own;
  return own && sd_own_source_of(problem->family, SD_SOURCE_OF_PROBLEM, problem->id) ? own->alone : NULL;
}

/* ---- kernels ---- */

const sd_kernels *sd_own_kernels(const sd_method_entry *method, const sd_problem_entry *problem, const char *variant) {
  const sd_own *o = method->family->own;
  for (int i = 0, count = o ? atomic_load(&o->tables) : 0; i < count; i++) {
    const sd_kernels *k = o->table[i];
    if (!strcmp(k->method, method->id) && !strcmp(k->problem, problem->id) && !strcmp(k->variant, variant)) return k;
  }
  return NULL;
}

static sd_status add_table(sd_own *o, const sd_kernels *table, sd_error *error) {
  int count = atomic_load(&o->tables);
  if (!table->family || sd_member_shown(table, 1) != sd_shown_numbers(&o->family, 1) || table->lanes > SD_GROUP_MAX)
    return sd_fail(error, SD_FAILED, "kernels of %s: their states are not what the family declares", o->family.id);
  if (count == TABLES_MOST) return sd_fail(error, SD_FAILED, "kernels of %s: more than %d", table->method, TABLES_MOST);
  o->table[count] = table;
  atomic_store(&o->tables, count + 1);
  return SD_OK;
}

static sd_status prepare(sd_own *o, const sd_problem_entry *problem, const sd_method *methods, int count,
                         const char *variant, sd_error *error) {
  sd_unit units[SD_METHODS_MAX];
  size_t missing = 0;
  const sd_source *of_problem = sd_own_source_of(&o->family, SD_SOURCE_OF_PROBLEM, problem->id);
  for (int m = 0; m < count; m++) {
    const sd_method_entry *entry = methods[m].entry;
    const sd_source *of_method = sd_own_source_of(&o->family, SD_SOURCE_OF_METHOD, entry->id);
    size_t same = 0;
    if ((!of_problem && !of_method) || sd_own_kernels(entry, problem, variant)) continue;
    while (same < missing && strcmp(units[same].method_id, entry->id)) same++; /* a composition's is its base's */
    units[same] = (sd_unit){o->family.id, problem->id, entry->id, of_problem, of_method, variant, NULL};
    missing += same == missing;
  }
  if (!missing) return SD_OK;
  SD_TRY(sd_units_load(units, missing, error));
  for (size_t i = 0; i < missing; i++) SD_TRY(add_table(o, units[i].symbol, error));
  for (int i = 0; i < o->sources; i++) SD_TRY(sd_source_make_known(&o->source[i], error));
  return SD_OK;
}

sd_status sd_own_prepare(const sd_problem_entry *problem, const sd_method *methods, int count, const char *variant,
                         sd_error *error) {
  if (!problem->family->own) return SD_OK;
  pthread_mutex_lock(&making);
  sd_status status = prepare((sd_own *)problem->family->own, problem, methods, count, variant, error);
  pthread_mutex_unlock(&making);
  return status;
}

/* Whose fault a crash may be. */
const char *sd_own_blame(const sd_kernels *kernels, char text[256]) {
  const sd_own *found = NULL;
  *text = 0;
  for (const sd_own *o = atomic_load(&all); o; o = o->next)
    for (int i = 0, count = atomic_load(&o->tables); i < count; i++)
      if (o->table[i] == kernels) found = o;
  for (int i = 0; found && i < found->sources; i++) {
    const sd_source *s = &found->source[i];
    if (strcmp(s->id, s->kind == SD_SOURCE_OF_METHOD ? kernels->method : kernels->problem)) continue;
    size_t used = strlen(text);
    snprintf(text + used, 256 - used, "%s%.120s", used ? " and " : "", name_of(s));
  }
  return text;
}
