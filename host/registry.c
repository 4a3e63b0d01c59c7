#include "registry.h"

#include "own.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* ---- what is registered ---- */

/* Lists that only grow: one writer at a time, and a reader sees the entries that were there when it looked. */
enum { FAMILIES_MOST = 64, TABLES_MOST = 4096 };
static const sd_family *families[FAMILIES_MOST];
static const sd_kernels *tables[TABLES_MOST];
static atomic_int family_count, table_count;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t built_in = PTHREAD_ONCE_INIT;

/* Plans and jobs have room for so many numbers, and no more. */
sd_status sd_family_check(const sd_family *family, sd_error *error) {
  const char *wrong = NULL;
  int arrays = 0;
  for (const sd_start_array *a = family->start; a->name; a++) arrays++;
  if (arrays > SD_START_ARRAYS_MAX) wrong = "its start";
  for (int m = 0; m < family->method_count; m++) {
    int parameters = 0;
    for (const sd_method_parameter *p = family->method_parameter; p->method; p++)
      parameters += !strcmp(p->method, family->method[m].id);
    if (parameters > SD_METHOD_PARAMETERS_MAX) wrong = family->method[m].id;
  }
  for (int i = 0; i < family->problem_count; i++) {
    int values = 0;
    for (const sd_parameter *p = family->problem[i].parameter; p->name; p++) values += p->count;
    if (values > SD_PARAMETERS_MAX) wrong = family->problem[i].id;
  }
  return wrong ? sd_fail(error, SD_BAD_INPUT,
                         "family %s: %s has more numbers than there is room for; at most %d in "
                         "parameters of a problem, %d of a method, and %d arrays of a start",
                         family->id, wrong, SD_PARAMETERS_MAX, SD_METHOD_PARAMETERS_MAX, SD_START_ARRAYS_MAX)
               : SD_OK;
}
static void ready(void); /* what is built in has been registered */

static sd_status add_family(const sd_family *family, sd_error *error) {
  int count = atomic_load(&family_count);
  SD_TRY(sd_family_check(family, error));
  for (int i = 0; i < count; i++)
    if (!strcmp(families[i]->id, family->id))
      return sd_fail(error, SD_BAD_INPUT, "family %s: there is one of this name", family->id);
  if (count == FAMILIES_MOST) return sd_fail(error, SD_FAILED, "family %s: more than %d", family->id, FAMILIES_MOST);
  families[count] = family;
  atomic_store(&family_count, count + 1);
  return SD_OK;
}

static const sd_family *family_named(const char *id) {
  for (int i = 0, count = atomic_load(&family_count); i < count; i++)
    if (!strcmp(families[i]->id, id)) return families[i];
  return NULL;
}

static sd_status add_kernels(const sd_kernels *table, sd_error *error) {
  int count = atomic_load(&table_count);
  const sd_family *family = table->family ? family_named(table->family) : NULL;
  if (!family || sd_member_shown(table, 1) != sd_shown_numbers(family, 1))
    return sd_fail(error, SD_FAILED, "kernels of %s: their states are not what the family declares", table->method);
  if (count == TABLES_MOST) return sd_fail(error, SD_FAILED, "kernels of %s: more than %d", table->method, TABLES_MOST);
  tables[count] = table;
  atomic_store(&table_count, count + 1);
  return SD_OK;
}

sd_status sd_register_family(const sd_family *family, sd_error *error) {
  ready(); /* what is built in comes first */
  pthread_mutex_lock(&registering);
  sd_status status = add_family(family, error);
  pthread_mutex_unlock(&registering);
  return status;
}

sd_status sd_register_kernels(const sd_kernels *table, sd_error *error) {
  ready();
  pthread_mutex_lock(&registering);
  sd_status status = add_kernels(table, error);
  pthread_mutex_unlock(&registering);
  return status;
}

/* ---- what is built in; built_in.def is written by CMake ---- */

#define VARIANT(name)
#define FAMILY(name) extern const sd_family sd_family_##name;
#define KERNELS(family, method, variant) extern const sd_kernels sd_kernels_##family##_##method##_##variant[];
#include "built_in.def"
#undef FAMILY
#undef KERNELS

static void register_built_in(void) {
  sd_error ignored = {0};
#define FAMILY(name) add_family(&sd_family_##name, &ignored);
#define KERNELS(family, method, variant) add_kernels(sd_kernels_##family##_##method##_##variant, &ignored);
#include "built_in.def"
#undef FAMILY
#undef KERNELS
#undef VARIANT
}

static void ready(void) {
  pthread_once(&built_in, register_built_in);
}

const sd_family *sd_find_family(const char *id) {
  ready();
  return family_named(id);
}

int sd_family_count(void) {
  ready();
  return atomic_load(&family_count);
}

const sd_family *sd_family_at(int index) {
  ready();
  return families[index];
}

int sd_method_count(void) {
  int count = 0;
  for (int f = 0; f < sd_family_count(); f++) count += families[f]->method_count;
  return count;
}

const sd_method_entry *sd_method_at(int index) {
  int f = 0;
  ready();
  for (; index >= families[f]->method_count; f++) index -= families[f]->method_count;
  return &families[f]->method[index];
}

int sd_problem_count(void) {
  int count = 0;
  for (int f = 0; f < sd_family_count(); f++) count += families[f]->problem_count;
  return count;
}

const sd_problem_entry *sd_problem_at(int index) {
  int f = 0;
  ready();
  for (; index >= families[f]->problem_count; f++) index -= families[f]->problem_count;
  return &families[f]->problem[index];
}

const sd_kernels *sd_find_kernels(const sd_method_entry *method, const sd_problem_entry *problem, const char *variant) {
  ready();
  const sd_kernels *own = sd_own_kernels(method, problem, variant);
  if (own) return own;
  for (int i = 0, count = atomic_load(&table_count); i < count; i++) {
    const sd_kernels *k = tables[i];
    if (strcmp(k->method, method->id) || strcmp(k->variant, variant) || strcmp(k->family, method->family->id)) continue;
    for (; k->family; k++)
      if (!strcmp(k->problem, problem->id)) return k;
  }
  return NULL;
}

const sd_charts *sd_find_charts(const sd_family *family, const char *variant) {
  ready();
  for (int i = 0, count = atomic_load(&table_count); i < count; i++)
    if (!strcmp(tables[i]->family, family->id) && !strcmp(tables[i]->variant, variant)) return tables[i]->charts;
  return NULL;
}

/* ---- variants, narrowest first ---- */

#define FAMILY(name)
#define KERNELS(family, method, variant)
#define VARIANT(name) #name,
static const char *const variants[] = {
#include "built_in.def"
};
#undef VARIANT

static int processor_runs(const char *variant) {
#if defined(__x86_64__)
  if (!strcmp(variant, "avx512"))
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
  if (!strcmp(variant, "avx2") || !strcmp(variant, "scalar"))
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
  (void)variant;
  return 1;
}

int sd_variant_count(void) {
  return (int)(sizeof variants / sizeof *variants);
}

sd_variant sd_variant_at(int index) {
  sd_variant v = {variants[index], 0, processor_runs(variants[index])};
  ready();
  for (int i = 0, count = atomic_load(&table_count); i < count; i++)
    if (!strcmp(tables[i]->variant, v.name) && tables[i]->lanes > v.lanes) v.lanes = tables[i]->lanes;
  return v;
}

sd_status sd_find_variant(const char *name, sd_variant *found, sd_error *error) {
  int any = !strcmp(name, "auto");
  char list[128] = "auto";
  for (int i = sd_variant_count() - 1; i >= 0; i--) {
    sd_variant v = sd_variant_at(i);
    if ((any && v.usable) || !strcmp(name, v.name)) {
      *found = v;
      if (v.usable) return SD_OK;
      return sd_fail(error, SD_BAD_INPUT, "isa %s: this processor cannot run it; leave --isa at auto", name);
    }
    strncat(list, ", ", sizeof list - strlen(list) - 1);
    strncat(list, v.name, sizeof list - strlen(list) - 1);
  }
  if (any) return sd_fail(error, SD_BAD_INPUT, "this processor runs none of what is built in (%s)", list + 6);
  return sd_fail(error, SD_BAD_INPUT, "unknown isa '%s'; expected one of %s", name, list);
}

/* ---- names ---- */

sd_status sd_find_problem(const char *name, const sd_problem_entry **problem, sd_error *error) {
  sd_nearest nearest = {0};
  char question[SD_NEAREST_ROOM];
  for (int i = 0; i < sd_problem_count(); i++) {
    *problem = sd_problem_at(i);
    if (!strcmp(name, (*problem)->id)) return SD_OK;
    sd_nearest_consider(&nearest, name, (*problem)->id);
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown problem '%s'; %s 'spindrift problems' lists all", name,
                 sd_nearest_question(&nearest, "", question));
}

sd_status sd_find_described(const sd_problem_entry **problem, sd_error *error) {
  for (int i = 0; i < sd_problem_count(); i++)
    if (sd_is_described(*problem = sd_problem_at(i))) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "problem: none that is built in takes a file");
}

/* A method of another family, or none at all. */
static sd_status unknown_method(const char *name, const char *base, const sd_family *family, sd_error *error) {
  sd_nearest nearest = {0};
  char question[SD_NEAREST_ROOM];
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *m = sd_method_at(i);
    if (!strcmp(m->family->id, family->id)) sd_nearest_consider(&nearest, base, m->id);
    if (!strcmp(base, m->id))
      return sd_fail(error, SD_BAD_INPUT, "method %s is for %s; %s want one of their own, such as %s", name,
                     m->family->plural, family->plural, family->methods);
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown method '%s'; %s 'spindrift methods' lists all", name,
                 sd_nearest_question(&nearest, "", question));
}

sd_status sd_find_method(const char *name, const sd_family *family, sd_method *found, sd_error *error) {
  const char *at = strchr(name, '@');
  size_t length = at ? (size_t)(at - name) : strlen(name);
  char base[sizeof found->name];
  if (strlen(name) >= sizeof base)
    return sd_fail(error, SD_BAD_INPUT, "unknown method '%.40s...'; 'spindrift methods' lists all", name);
  memcpy(base, name, length);
  base[length] = 0;
  const sd_method_entry *entry = NULL;
  for (int i = 0; i < family->method_count; i++)
    if (!strcmp(base, family->method[i].id)) entry = &family->method[i];
  if (!entry) return unknown_method(name, base, family, error);
  int order = !at ? 2 : strlen(at) == 2 && at[1] != '2' ? at[1] - '0' : 0; /* exactly one digit */
  const double *stage = sd_composition(order, &found->stages);
  if (!stage)
    return sd_fail(error, SD_BAD_INPUT, "method '%s': a composition has order 4, 6 or 8, as in %s@4", name, base);
  if (at && !(entry->traits & SYMMETRIC))
    return sd_fail(error, SD_BAD_INPUT, "method '%s': only symmetric methods can be composed, and %s is not", name,
                   base);
  if (at && entry->order != 2)
    return sd_fail(error, SD_BAD_INPUT, "method '%s': methods of order 2 can be composed, and %s has order %d", name,
                   base, entry->order);
  strcpy(found->name, name);
  found->entry = entry;
  found->order = at ? order : entry->order;
  found->stage = stage;
  return SD_OK;
}

int sd_stages_of(const sd_method *method) {
  for (const sd_method_stages *s = method->entry->family->method_stages; s->method; s++)
    if (!strcmp(s->method, method->entry->id)) return s->stages * method->stages;
  return method->stages;
}

int sd_parameters_of(const sd_method_entry *method, const sd_parameter *table[SD_METHOD_PARAMETERS_MAX]) {
  int count = 0;
  for (const sd_method_parameter *p = method->family->method_parameter; p->method; p++)
    if (!strcmp(p->method, method->id)) table[count++] = &p->parameter;
  return count;
}
