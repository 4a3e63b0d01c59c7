#include "variety.h"

#include "number.h"
#include "schedule.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* NAME or NAME.2, which is its second component. */
typedef struct {
  char base[SD_TARGET_ROOM];
  int component; /* from 1 on; 0: none is named */
} target_name;

static target_name take_apart(const char *name) {
  target_name n = {"", 0};
  const char *dot = strrchr(name, '.');
  size_t length = strlen(name), digits = dot ? strspn(dot + 1, "0123456789") : 0;
  if (digits && digits < 3 && !dot[1 + digits]) {
    length = (size_t)(dot - name);
    for (const char *d = dot + 1; *d; d++) n.component = 10 * n.component + (*d - '0');
  }
  if (length < sizeof n.base) memcpy(n.base, name, length);
  return n;
}

static sd_status check_component(const char *option, const char *name, const target_name *n, int count,
                                 sd_error *error) {
  if (count == 1 && n->component) return sd_fail(error, SD_BAD_INPUT, "%s %s: %s is one number", option, name, n->base);
  if (count > 1 && (n->component < 1 || n->component > count))
    return sd_fail(error, SD_BAD_INPUT, "%s %s: %s has %d components; name one of them, %s.1 to %s.%d", option, name,
                   n->base, count, n->base, n->base, count);
  return SD_OK;
}

static sd_status unknown(const sd_specification *spec, const char *option, const char *name, const target_name *n,
                         sd_error *error) {
  sd_nearest nearest = {0};
  char question[SD_NEAREST_ROOM];
  for (const sd_parameter *p = spec->problem->parameter; p->name; p++) sd_nearest_consider(&nearest, n->base, p->name);
  for (const sd_method_parameter *p = spec->problem->family->method_parameter; p->method; p++) {
    if (!strcmp(p->parameter.name, n->base))
      return sd_fail(error, SD_BAD_INPUT, "%s %s is of method %s, which is not in this run", option, name, p->method);
    sd_nearest_consider(&nearest, n->base, p->parameter.name);
  }
  sd_nearest_consider(&nearest, n->base, "step");
  return sd_fail(error, SD_BAD_INPUT, "%s %s: neither problem %s nor a method of this run has it; %s", option, name,
                 spec->problem->id, sd_nearest_question(&nearest, "", question));
}

static sd_status find_target(const sd_specification *spec, const char *option, const char *name, sd_target *t,
                             sd_error *error) {
  target_name n = take_apart(name);
  int first = 0;
  if (!strcmp(name, "step")) return *t = (sd_target){SD_TARGET_STEP, 0, NULL}, SD_OK;
  for (const sd_parameter *p = spec->problem->parameter; p->name; first += p++->count) {
    if (strcmp(p->name, n.base)) continue;
    SD_TRY(check_component(option, name, &n, p->count, error));
    *t = (sd_target){SD_TARGET_PARAMETER, first + (n.component ? n.component - 1 : 0), p};
    return SD_OK;
  }
  for (int m = 0; m < spec->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++) {
      if (strcmp(table[i]->name, n.base)) continue;
      SD_TRY(check_component(option, name, &n, 1, error));
      *t = (sd_target){SD_TARGET_METHOD, 0, table[i]};
      return SD_OK;
    }
  }
  return unknown(spec, option, name, &n, error);
}

/* ---- columns ---- */

/* The place of a name among the numbers of a start, or -1. */
static int start_number(const sd_family *family, const char *name) {
  target_name n = take_apart(name);
  int first = 0;
  for (const sd_start_array *a = family->start; a->name; first += a++->count)
    if (!strcmp(a->name, n.base) && (a->count == 1 ? !n.component : n.component >= 1 && n.component <= a->count))
      return first + (a->count > 1 ? n.component - 1 : 0);
  return -1;
}

/* Whether columns have all the numbers of a start; then these are starts, whatever parameters are called. */
static int has_starts(const sd_family *family, char *const *name, int count) {
  int seen[SD_PARAMETERS_MAX] = {0}, found = 0;
  for (int i = 0; i < count; i++) {
    int at = start_number(family, name[i]);
    if (at >= 0) found += !seen[at]++;
  }
  return found == (int)sd_start_numbers(family, 1);
}

static sd_status find_columns(sd_specification *spec, sd_error *error) {
  char names[sizeof spec->sweep.columns], *list = names, *name[SD_COLUMNS_MAX + 1];
  sd_targets *t = &spec->targets;
  strcpy(names, spec->sweep.columns);
  if (!*names) return SD_OK;
  while (t->columns <= SD_COLUMNS_MAX && (name[t->columns] = sd_next_item(&list))) t->columns++;
  if (t->columns > SD_COLUMNS_MAX || (size_t)t->columns != spec->starts.width)
    return sd_fail(error, SD_BAD_INPUT, "starts: %d names for %zu numbers of each member", t->columns,
                   spec->starts.width);
  int starts = !spec->topology && has_starts(spec->problem->family, name, t->columns);
  for (int i = 0; i < t->columns; i++) {
    for (int k = 0; k < i; k++)
      if (!strcmp(name[i], name[k])) return sd_fail(error, SD_BAD_INPUT, "starts: two columns %s", name[i]);
    int at = starts ? start_number(spec->problem->family, name[i]) : -1;
    if (at >= 0) t->column[i] = (sd_target){SD_TARGET_START, at, NULL};
    else SD_TRY(find_target(spec, "starts", name[i], &t->column[i], error));
    if (t->column[i].of == SD_TARGET_STEP)
      return sd_fail(error, SD_BAD_INPUT, "starts: the step is that of all members; it may be swept");
  }
  return SD_OK;
}

/* The starts that rows have: all of their numbers, or none. */
static sd_status check_starts(const sd_specification *spec, sd_error *error) {
  const sd_starts *s = &spec->starts;
  const sd_targets *t = &spec->targets;
  for (size_t i = 0; i < s->count; i++) {
    double start[SD_PARAMETERS_MAX];
    int given = 0, numbers = 0;
    for (int k = 0; k < t->columns; k++) {
      if (t->column[k].of != SD_TARGET_START) continue;
      double x = start[t->column[k].index] = s->number[i * s->width + (size_t)k];
      given += x == x, numbers++;
    }
    const char *wrong = given && given < numbers ? "some of its numbers are missing" : NULL;
    if (numbers && given == numbers) wrong = spec->problem->family->check_start(start);
    if (wrong) return sd_fail(error, SD_BAD_INPUT, "start of member %zu: %s", s->member[i], wrong);
  }
  return SD_OK;
}

/* The row of a member, or NULL; they ascend. */
static const double *row_of(const sd_starts *s, size_t member) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->member[middle] < member) low = middle + 1;
    else high = middle;
  }
  return low < s->count && s->member[low] == member ? s->number + low * s->width : NULL;
}

/* ---- the numbers of a member ---- */

/* Beyond those of starts and impulses; of systems also beyond those of their bonds. */
static uint64_t scatter_draws(const sd_specification *spec) {
  return spec->topology ? UINT64_C(1) << 62 : UINT64_C(1) << 20;
}

static double *number_at(const sd_specification *spec, int m, const sd_target *t, sd_numbers *n) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  if (t->of == SD_TARGET_STEP) return &n->step;
  if (t->of == SD_TARGET_PARAMETER) return &n->parameters[t->index];
  int count = sd_parameters_of(spec->methods[m].entry, table);
  for (int i = 0; i < count && t->of == SD_TARGET_METHOD; i++)
    if (!strcmp(table[i]->name, t->parameter->name)) return &n->method[i];
  return NULL; /* of another method, or of the start */
}

static void put(const sd_specification *spec, int m, const sd_target *t, double value, sd_numbers *n) {
  double *to = number_at(spec, m, t, n);
  if (to) *to = value;
}

void sd_numbers_of(const sd_specification *spec, int m, size_t member, sd_numbers *n) {
  const sd_sweep *s = &spec->sweep;
  const sd_targets *t = &spec->targets;
  size_t point = spec->first_point + member / spec->each, r = member % spec->each;
  memcpy(n->parameters, spec->parameters, sizeof n->parameters);
  memcpy(n->method, spec->method_parameters[m], sizeof n->method);
  n->step = spec->h;
  for (int k = 0; k < s->axes; k++)
    put(spec, m, &t->axis[k], sd_axis_value(&s->axis[k], sd_sweep_place(s, point, k)), n);
  const double *row = t->columns ? row_of(&spec->starts, r) : NULL;
  for (int k = 0; k < t->columns && row; k++)
    if (row[k] == row[k]) put(spec, m, &t->column[k], row[k], n);
  uint64_t number = spec->first_member + r;
  for (int k = 0; k < s->scatters && number; k++) {
    double *to = number_at(spec, m, &t->scatter[k], n);
    if (to) *to += s->scatter[k].sigma * sd_normal(spec->seed, number, scatter_draws(spec) + (uint64_t)k);
  }
}

sd_status sd_topology_of_member(const sd_specification *spec, size_t member, sd_shared_topology **made,
                                sd_error *error) {
  sd_numbers n;
  *made = NULL;
  if (!spec->topology) return SD_OK;
  sd_numbers_of(spec, 0, member, &n);
  if (!memcmp(n.parameters, spec->parameters, sizeof n.parameters))
    return *made = sd_topology_keep(spec->topology), SD_OK;
  return sd_topology_vary(spec->topology, spec->problem, n.parameters, made, error);
}

static int kind_of(const sd_specification *spec, const double *parameters) {
  double constants[SD_CONSTANTS];
  if (!spec->problem->family->kind) return 0;
  spec->problem->constants(parameters, constants);
  return spec->problem->family->kind(parameters, constants);
}
int sd_kind_of_member(const sd_specification *spec, size_t member) {
  sd_numbers n;
  sd_numbers_of(spec, 0, member, &n);
  return kind_of(spec, n.parameters);
}

double sd_step_of_point(const sd_specification *spec, size_t point) {
  const sd_sweep *s = &spec->sweep;
  for (int k = 0; k < s->axes; k++)
    if (spec->targets.axis[k].of == SD_TARGET_STEP)
      return sd_axis_value(&s->axis[k], sd_sweep_place(s, spec->first_point + point, k));
  return spec->h;
}

/* ---- looking at all of them ---- */

/* "member 5 of point 17", for messages. */
static const char *describe(const sd_specification *spec, size_t member, char text[64]) {
  snprintf(text, 64, "member %zu", member % spec->each);
  if (sd_is_swept(spec))
    snprintf(text, 64, "point %zu, member %zu", spec->first_point + member / spec->each, member % spec->each);
  return text;
}

static void add_value(const sd_specification *spec, const char *name, const sd_target *t, size_t member,
                      char text[SD_MEMBER_TEXT]) {
  sd_numbers n;
  char number[32];
  sd_numbers_of(spec, 0, member, &n);
  const double *value = number_at(spec, 0, t, &n);
  size_t used = strlen(text);
  if (!value) return;
  sd_format(text + used, SD_MEMBER_TEXT - used, "%s%s = %s", strchr(text, '(') ? ", " : " (", name,
            sd_real_text(*value, 6, number));
}
const char *sd_describe_member(const sd_specification *spec, size_t member, char text[SD_MEMBER_TEXT]) {
  const sd_sweep *s = &spec->sweep;
  char names[sizeof s->columns], *list = names;
  describe(spec, member, text);
  for (int k = 0; k < s->axes; k++) add_value(spec, s->axis[k].name, &spec->targets.axis[k], member, text);
  for (int k = 0; k < s->scatters; k++) add_value(spec, s->scatter[k].name, &spec->targets.scatter[k], member, text);
  strcpy(names, s->columns);
  for (int k = 0; k < spec->targets.columns; k++)
    add_value(spec, sd_next_item(&list), &spec->targets.column[k], member, text);
  size_t used = strlen(text);
  if (strchr(text, '(') && used + 1 < SD_MEMBER_TEXT) strcpy(text + used, ")");
  return text;
}

static sd_status check_number(const sd_specification *spec, const char *option, const char *name, const sd_target *t,
                              double value, size_t member, sd_error *error) {
  char who[64], text[32];
  const sd_parameter *p = t->parameter;
  if (!p || (value >= p->low && value <= p->high)) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s %s: %s of %s is out of range; expected %g to %g (%s)", option, name,
                 sd_real_text(value, 6, text), describe(spec, member, who), p->low, p->high, p->text);
}

static sd_status check_ranges(const sd_specification *spec, int m, size_t member, sd_numbers *n, sd_error *error) {
  const sd_sweep *s = &spec->sweep;
  char names[sizeof s->columns], *list = names;
  const double *at;
  for (int k = 0; k < s->axes; k++)
    if ((at = number_at(spec, m, &spec->targets.axis[k], n)))
      SD_TRY(check_number(spec, "sweep", s->axis[k].name, &spec->targets.axis[k], *at, member, error));
  for (int k = 0; k < s->scatters; k++)
    if ((at = number_at(spec, m, &spec->targets.scatter[k], n)))
      SD_TRY(check_number(spec, "spread", s->scatter[k].name, &spec->targets.scatter[k], *at, member, error));
  strcpy(names, s->columns);
  for (int k = 0; k < spec->targets.columns; k++) {
    const char *name = sd_next_item(&list);
    if ((at = number_at(spec, m, &spec->targets.column[k], n)))
      SD_TRY(check_number(spec, "starts", name, &spec->targets.column[k], *at, member, error));
  }
  return SD_OK;
}

/* What the family says of a member's parameters. */
static sd_status check_member(const sd_specification *spec, size_t member, const sd_numbers *n, int kind,
                              sd_error *error) {
  const sd_family *family = spec->problem->family;
  char who[64];
  if (family->kind && kind_of(spec, n->parameters) != kind)
    return sd_fail(error, SD_BAD_INPUT, "%s: not all members can be integrated in one run: %s",
                   describe(spec, member, who), family->mixed);
  if (sd_described_by(spec)) return SD_OK; /* what bodies are is in the text */
  sd_complaint wrong = family->check ? family->check(n->parameters) : (sd_complaint){0, NULL};
  if (wrong.text)
    return sd_fail(error, SD_BAD_INPUT, "%s: its %s %s", describe(spec, member, who),
                   spec->problem->parameter[wrong.parameter].name, wrong.text);
  for (int m = 0; m < spec->method_count && family->admits; m++)
    if (!family->admits(spec->methods[m].entry->traits, n->parameters, NULL))
      return sd_fail(error, SD_BAD_INPUT, "%s: method %s %s", describe(spec, member, who), spec->methods[m].name,
                     family->unfit);
  return SD_OK;
}

/* Systems of another kind are run apart, point by point. */
static sd_status check_members(const sd_specification *spec, sd_error *error) {
  sd_numbers n;
  int kind = sd_kind_of_member(spec, 0);
  for (size_t i = 0; i < spec->members; i += sd_members_alike(spec)) {
    if (spec->topology && i % spec->each == 0) kind = sd_kind_of_member(spec, i);
    for (int m = 0; m < spec->method_count; m++) {
      sd_numbers_of(spec, m, i, &n);
      SD_TRY(check_ranges(spec, m, i, &n, error));
    }
    SD_TRY(check_member(spec, i, &n, kind, error));
  }
  return SD_OK;
}

/* ---- resolving ---- */

static sd_status find_all(sd_specification *spec, sd_error *error) {
  sd_sweep *s = &spec->sweep;
  for (int k = 0; k < s->axes; k++) SD_TRY(find_target(spec, "sweep", s->axis[k].name, &spec->targets.axis[k], error));
  for (int k = 0; k < s->scatters; k++) {
    SD_TRY(find_target(spec, "spread", s->scatter[k].name, &spec->targets.scatter[k], error));
    if (spec->targets.scatter[k].of == SD_TARGET_STEP)
      return sd_fail(error, SD_BAD_INPUT, "spread step: the step is that of all members; it may be swept");
  }
  return find_columns(spec, error);
}

static sd_status check_columns(const sd_specification *spec, sd_error *error) {
  const sd_starts *s = &spec->starts;
  for (size_t i = 1; i < s->count && spec->targets.columns; i++)
    if (s->member[i] <= s->member[i - 1])
      return sd_fail(error, SD_BAD_INPUT, "starts: the rows of members %zu and %zu; expected each once, in their order",
                     s->member[i - 1], s->member[i]);
  for (int k = 0; k < spec->sweep.axes; k++)
    for (int c = 0; c < spec->targets.columns; c++)
      if (!memcmp(&spec->targets.axis[k], &spec->targets.column[c], sizeof(sd_target)))
        return sd_fail(error, SD_BAD_INPUT, "sweep %s: it is a column of the starts, too", spec->sweep.axis[k].name);
  return SD_OK;
}

sd_status sd_resolve_variety(sd_specification *spec, sd_error *error) {
  const sd_sweep *s = &spec->sweep;
  if (!s->axes && !s->scatters && !*s->columns) return SD_OK;
  SD_TRY(find_all(spec, error));
  SD_TRY(check_columns(spec, error));
  SD_TRY(check_starts(spec, error));
  return check_members(spec, error);
}

/* ---- rows ---- */

enum { NUMBERS = sizeof(sd_numbers) / sizeof(double) };
_Static_assert(NUMBERS < 255, "a row's number fits a byte");

static void complete(const sd_specification *spec, sd_numbers *n) {
  sd_schedule schedule = sd_schedule_make(n->step, spec->total_steps, spec->sample_every);
  for (int half = 0; half < 2; half++) n->half_mean[half] = schedule.half[half].mean;
  spec->problem->constants(n->parameters, n->constants);
}

static void numbers_of(const sd_specification *spec, int m, size_t member, sd_numbers *n) {
  sd_numbers_of(spec, m, member, n);
  complete(spec, n);
}

/* Which numbers are not the same for all. */
static void compare(const sd_specification *spec, int m, size_t first, size_t count, const sd_numbers *common,
                    int differs[NUMBERS]) {
  sd_numbers n;
  for (size_t i = 1; i < count; i++) {
    numbers_of(spec, m, first + i, &n);
    for (size_t k = 0; k < NUMBERS; k++)
      differs[k] |= memcmp((const double *)&n + k, (const double *)common + k, sizeof(double)) != 0;
  }
}

static void fill(const sd_specification *spec, int m, size_t first, size_t count, const int differs[NUMBERS],
                 sd_variety *v) {
  sd_numbers n;
  for (size_t i = 0; i < v->map.stride; i++) {
    size_t row = 0;
    if (i < count) numbers_of(spec, m, first + i, &n);
    for (size_t k = 0; k < NUMBERS; k++)
      if (differs[k]) v->number[row++ * v->map.stride + i] = ((const double *)&n)[k];
  }
}

sd_status sd_variety_create(sd_variety *v, const sd_specification *spec, int m, size_t first, size_t count,
                            size_t stride, sd_error *error) {
  int differs[NUMBERS] = {0};
  uint8_t row[NUMBERS] = {0};
  *v = (sd_variety){.map = {.stride = stride}};
  numbers_of(spec, m, first, &v->common);
  if (!sd_is_varied(spec)) return SD_OK;
  compare(spec, m, first, count, &v->common, differs);
  for (size_t k = 0; k < NUMBERS; k++)
    if (differs[k]) row[k] = (uint8_t)++v->rows;
  if (!v->rows) return SD_OK;
  v->number = calloc(v->rows * stride, sizeof *v->number);
  if (!v->number) return sd_fail(error, SD_NO_MEMORY, "parameters of %zu members: out of memory", count);
  const uint8_t *from = row;
  memcpy(v->map.parameter, from, sizeof v->map.parameter), from += sizeof v->map.parameter;
  memcpy(v->map.constant, from, sizeof v->map.constant), from += sizeof v->map.constant;
  memcpy(v->map.method, from, sizeof v->map.method), from += sizeof v->map.method;
  v->map.step = *from++;
  memcpy(v->map.half_mean, from, sizeof v->map.half_mean);
  v->map.number = v->number;
  fill(spec, m, first, count, differs, v);
  return SD_OK;
}

void sd_variety_destroy(sd_variety *v) {
  free(v->number);
  *v = (sd_variety){.rows = 0};
}
