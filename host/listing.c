/* listing.c - what there is, for whoever asks: families, methods, problems, variants, options, statistics, from the
 * lists that the library itself goes by. */
#include "options.h"
#include "own.h"
#include "specification.h"
#include "processors.h"
#include "statistics_list.h"

#include <string.h>

int sd_status_has_result(sd_status status) {
  return status == SD_OK || status == SD_BODIES_FAILED || status == SD_NOT_SAVED || status == SD_INTERRUPTED;
}

const char *sd_status_text(sd_status status) {
  switch (status) {
#define STATUS(name, number, text) \
  case name:                       \
    return text;
#include "spindrift_status.def"
#undef STATUS
  }
  return "unknown status";
}

const char *sd_version(void) {
  return SPINDRIFT_VERSION;
}

/* ---- entries ---- */

/* As much of what is known as the caller has room for, who may know fewer members, or more: those are zeros then. */
static int hand_out(void *to, const void *known, size_t size) {
  size_t room;
  memcpy(&room, to, sizeof room);
  if (room < sizeof room) return 0;
  memset(to, 0, room);
  memcpy(to, known, room < size ? room : size);
  memcpy(to, &room, sizeof room);
  return 1;
}
#define HAND_OUT(to, type, ...) hand_out(to, &(type){__VA_ARGS__}, sizeof(type))

static const sd_family *family_of(size_t index) {
  return index < (size_t)sd_family_count() ? sd_family_at((int)index) : NULL;
}

int sd_list_family(size_t index, sd_family_info *to) {
  const sd_family *f = family_of(index);
  return f && HAND_OUT(to, sd_family_info, .id = f->id, .title = f->title, .plural = f->plural, .methods = f->methods,
                       .method_set = f->method_set, .fit = f->fit, .reference = f->reference,
                       .order_steps = f->order_steps, .order_time = f->order_time, .rounding = f->rounding,
                       .impulses = f->impulses, .units = f->units, .systems = f->alone != NULL);
}

int sd_list_array(size_t family, size_t index, sd_array_info *to) {
  const sd_family *f = family_of(family);
  const sd_array *a = f ? f->array : NULL;
  for (; a && a->id && index; index--) a++;
  return a && a->id &&
         HAND_OUT(to, sd_array_info, .id = a->id, .name = a->name, .units = a->units, .text = a->text,
                  .per_body = a->per_body, .rows = a->rows, .columns = a->columns);
}

int sd_list_start(size_t family, size_t index, sd_start_info *to) {
  const sd_family *f = family_of(family);
  const sd_start_array *a = f ? f->start : NULL;
  for (; a && a->name && index; index--) a++;
  return a && a->name &&
         HAND_OUT(to, sd_start_info, .name = a->name, .units = a->units, .text = a->text, .count = a->count,
                  .option = a->key, .deviation = a->deviation, .wide = a->wide, .rotation = a->rotation);
}

int sd_list_trait(size_t index, sd_trait_info *to) {
  static const sd_trait_info traits[] = {
#define TRAIT(name, symbol, key, meaning) {.id = (key), .text = (meaning), .letter = (symbol)},
#include "../kernels/traits.def"
#undef TRAIT
  };
  return index < SD_TRAITS && hand_out(to, &traits[index], sizeof *traits);
}

static int hand_out_method(sd_method_info *to, const sd_method_entry *m, const char *name, int order) {
  return HAND_OUT(to, sd_method_info, .id = name, .title = m->title, .doi = m->doi, .family = m->family->id,
                  .order = order, .traits = (uint64_t)m->traits);
}

/* What is built in, then what files have brought. */
static const sd_method_entry *method_of(size_t index) {
  size_t count = (size_t)sd_method_count();
  return index < count ? sd_method_at((int)index) : sd_own_method_at((int)(index - count));
}
static const sd_problem_entry *problem_of(size_t index) {
  size_t count = (size_t)sd_problem_count();
  return index < count ? sd_problem_at((int)index) : sd_own_problem_at((int)(index - count));
}

int sd_list_method(size_t index, sd_method_info *to) {
  const sd_method_entry *m = method_of(index);
  return m && hand_out_method(to, m, m->id, m->order);
}

int sd_plan_method(const sd_plan *plan, size_t index, sd_method_info *to) {
  const sd_specification *spec = sd_plan_specification(plan);
  const sd_method *m = spec && index < (size_t)spec->method_count ? &spec->methods[index] : NULL;
  return m && hand_out_method(to, m->entry, m->name, m->order);
}

int sd_list_problem(size_t index, sd_problem_info *to) {
  const sd_problem_entry *p = problem_of(index);
  return p && HAND_OUT(to, sd_problem_info, .id = p->id, .title = p->title, .doi = p->doi, .family = p->family->id,
                       .step = p->step, .time = p->time);
}

static int hand_out_parameter(sd_parameter_info *to, const sd_parameter *p) {
  return HAND_OUT(to, sd_parameter_info, .name = p->name, .text = p->text, .count = p->count, .value = p->value,
                  .low = p->low, .high = p->high);
}

int sd_list_problem_parameter(size_t problem, size_t index, sd_parameter_info *to) {
  const sd_problem_entry *entry = problem_of(problem);
  const sd_parameter *p = entry ? entry->parameter : NULL;
  for (; p && p->name && index; index--) p++;
  return p && p->name && hand_out_parameter(to, p);
}

int sd_list_method_parameter(size_t method, size_t index, sd_parameter_info *to) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  const sd_method_entry *m = method_of(method);
  return m && index < (size_t)sd_parameters_of(m, table) && hand_out_parameter(to, table[index]);
}

int sd_list_variant(size_t index, sd_variant_info *to) {
  if (index >= (size_t)sd_variant_count()) return 0;
  sd_variant v = sd_variant_at((int)index);
  return HAND_OUT(to, sd_variant_info, .name = v.name, .lanes = v.lanes, .usable = v.usable);
}

void sd_processor(sd_processor_info *to) {
  sd_processors p = sd_processors_usable();
  sd_processor_info known = {.threads = p.threads};
  memcpy(known.why, p.why, sizeof known.why);
  hand_out(to, &known, sizeof known);
}

/* ---- options ---- */

static int hand_out_option(sd_option_info *to, const sd_option *o) {
  sd_option_info known = {.key = o->key,
                          .synonym = o->synonym,
                          .kind = o->kind,
                          .about = o->about,
                          .listed = o->listed,
                          .group = o->group,
                          .low = o->low,
                          .high = o->high,
                          .multiple = o->multiple,
                          .words = o->words,
                          .value = o->value,
                          .placeholder = o->placeholder};
  sd_option_text(o, known.text);
  sd_option_default(o, known.otherwise);
  return hand_out(to, &known, sizeof known);
}

int sd_list_option(size_t index, sd_option_info *to) {
  sd_option o;
  return sd_option_at(index, &o) && hand_out_option(to, &o);
}

int sd_find_option(const char *name, sd_option_info *to) {
  sd_option o;
  return sd_option_find(name, &o) && hand_out_option(to, &o);
}

/* ---- what results have ---- */

int sd_list_statistic(size_t family, size_t index, sd_statistic_info *to) {
  const sd_family *f = family_of(family);
  if (!f || index >= SD_STATISTICS) return 0;
  sd_statistic s = sd_statistic_of(f, (int)index);
  sd_statistic_info known = {.name = s.name, .units = s.units, .text = s.description};
  snprintf(known.place, sizeof known.place, "%s%s", s.place, *sd_statistics[index].units ? "" : s.name);
  return hand_out(to, &known, sizeof known);
}

int sd_list_quantity(size_t index, sd_quantity_info *to) {
  const sd_sample_quantity *q = index < SD_SAMPLE_QUANTITIES ? &sd_sample_quantities[index] : NULL;
  return q &&
         HAND_OUT(to, sd_quantity_info, .name = q->id, .dataset = q->name, .units = q->units, .text = q->description,
                  .whole = q->whole, .count = (size_t)q->count, .level = q->count > 1 ? sd_quantile_levels : NULL);
}
