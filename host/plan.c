#include "plan.h"

#include "number.h"
#include "own.h"
#include "own_units.h"
#include "text.h"
#include "variety.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static char none[] = ""; /* what texts are that have not been set */

sd_status sd_plan_create(sd_plan **created) {
  sd_plan *plan = sd_numbers_ready() ? calloc(1, sizeof *plan) : NULL;
  *created = plan;
  if (!plan) return SD_NO_MEMORY;
  plan->place.checkpoint = plan->place.output = plan->begun_with = none;
  plan->number = 1;
  return sd_plan_set_defaults(plan); /* the list is right, and has no path */
}

static void let_go(char **text) {
  if (*text != none) free(*text);
  *text = none;
}

void sd_plan_destroy(sd_plan *plan) {
  if (!plan) return;
  let_go(&plan->place.checkpoint);
  let_go(&plan->place.output);
  let_go(&plan->begun_with);
  free(plan->answer);
  sd_document_let_go(plan->settings.document);
  for (int i = 0; i < plan->settings.owns; i++) sd_document_let_go(plan->settings.own[i].document);
  sd_starts_destroy(&plan->settings.starts);
  sd_specification_destroy(plan->specification);
  free(plan);
}

const char *sd_plan_message(const sd_plan *plan) {
  return plan->error.message;
}

void sd_plan_on_progress(sd_plan *plan, sd_progress progress, void *data) {
  plan->watch.progress = progress;
  plan->watch.progress_data = data;
}

void sd_plan_on_saved(sd_plan *plan, sd_saved saved, void *data) {
  plan->watch.saved = saved;
  plan->watch.saved_data = data;
}

void sd_plan_allow_spare(sd_plan *plan, int allowed) {
  plan->settings.spare_parameters = allowed;
}

void sd_plan_with_series(sd_plan *plan, int wanted) {
  plan->with_series = wanted;
}

const sd_specification *sd_plan_specification(const sd_plan *plan) {
  return plan->resolved ? plan->specification : NULL;
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

sd_status sd_plan_on_ranks(sd_plan *plan, sd_ranks *ranks) {
  plan->place.ranks = ranks;
  plan->resolved = 0; /* threads are shared */
  if (!ranks || !ranks->mine) return SD_OK;
  SD_TRY(sd_plan_keep(plan, &plan->place.output, ""));
  return sd_plan_keep(plan, &plan->place.checkpoint, "");
}
void sd_plan_control(sd_plan *plan, sd_control *control) {
  plan->watch.control = control;
}

/* ---- code of the user's own ---- */

/* Code that came with a file is run once somebody has looked at it: who compiled it here before, or says so now. */
static sd_status check_trust(sd_plan *plan) {
  const sd_family *family = plan->specification->problem->family;
  const sd_source *s;
  int known = plan->place.trust;
  for (int i = 0; (s = sd_own_source(family, i)); i++) {
    if (!plan->place.trust) SD_TRY(sd_source_is_known(s, &known, &plan->error));
    if (!known)
      return sd_fail(&plan->error, SD_BAD_INPUT,
                     "the file has code in it, %s %s, that was never compiled here: look at it with 'spindrift info "
                     "--source FILE', and if it may be run, add --trust yes",
                     sd_source_kind_text(s->kind), s->id);
  }
  plan->settings.foreign = 0;
  return sd_plan_resolve(plan);
}

static sd_status prepare_for(const sd_plan *plan, const char *variant, sd_error *error) {
  const sd_specification *spec = plan->specification;
  return sd_own_prepare(spec->problem, spec->methods, spec->method_count, variant, error);
}

/* Where there is a device.  `auto` does without it where nothing can be compiled for one; what is wrong with a file is
 * wrong everywhere. */
static sd_status prepare_on_device(sd_plan *plan, int *ready) {
  char none[256];
  sd_error trouble = {0};
  const sd_family *family = plan->specification->problem->family;
  int forced = !strcmp(plan->place.backend, "cuda");
  *ready = 0;
  if (!sd_devices(NULL, 0, none)) return SD_OK; /* the backend will say so */
  if (family->alone && forced)
    return sd_fail(&plan->error, SD_BAD_INPUT,
                   "backend cuda: methods of one's own for %s run on the processor; leave --backend at auto",
                   family->plural);
  if (family->alone) return SD_OK;
  sd_status status = prepare_for(plan, "cuda", &trouble);
  *ready = !status;
  snprintf(plan->place.no_device, sizeof plan->place.no_device, "%.199s", trouble.message);
  if (!status || (status != SD_BAD_INPUT && !forced)) return SD_OK;
  return sd_fail(&plan->error, status, "%s", trouble.message);
}

sd_status sd_plan_prepare(sd_plan *plan) {
  SD_TRY(sd_plan_resolve(plan));
  if (!plan->specification->problem->family->own) return SD_OK;
  if (plan->settings.foreign) SD_TRY(check_trust(plan));
  const char *backend = plan->place.backend;
  int ready = 0;
  if (strcmp(backend, "cpu")) SD_TRY(prepare_on_device(plan, &ready));
  if (ready || !strcmp(backend, "cuda")) return SD_OK;
  return prepare_for(plan, plan->place.variant.name, &plan->error);
}

/* ---- the clock ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sd_plan_start_clock(sd_plan *plan) {
  plan->deadline = plan->place.seconds_most > 0 ? now() + plan->place.seconds_most : 0;
}

int sd_plan_is_overdue(const sd_plan *plan) {
  return plan->deadline > 0 && now() >= plan->deadline;
}

/* ---- texts ---- */

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
  sd_starts *s = &plan->settings.starts;
  plan->error = (sd_error){0};
  plan->resolved = 0;
  if (!width || width > SD_PARAMETERS_MAX)
    return sd_fail(&plan->error, SD_BAD_INPUT, "start of member %zu: %zu numbers are no start", first, width);
  if (s->count && width != s->width)
    return sd_fail(&plan->error, SD_BAD_INPUT, "start of member %zu: it has %zu numbers, the starts before it %zu",
                   first, width, s->width);
  if (count > SD_BODIES_MOST || sd_starts_add(s, first, count, numbers, width))
    return sd_fail(&plan->error, SD_NO_MEMORY, "starts of %zu members: out of memory", count);
  return SD_OK;
}

sd_status sd_plan_set_members(sd_plan *plan, const char *columns, size_t first, size_t count, const double *numbers,
                              size_t width) {
  sd_settings *s = &plan->settings;
  if (s->starts.count && strcmp(s->sweep.columns, columns))
    return plan->error = (sd_error){0},
           sd_fail(&plan->error, SD_BAD_INPUT, "members: columns '%.60s', before it '%.60s'", columns,
                   s->sweep.columns);
  SD_TRY(sd_plan_set(plan, "columns", columns));
  return sd_plan_set_starts(plan, first, count, numbers, width);
}

/* ---- copies ---- */

sd_status sd_plan_copy(const sd_plan *plan, sd_plan **made) {
  sd_plan *copy = *made = malloc(sizeof *copy);
  if (!copy) return SD_NO_MEMORY;
  *copy = *plan;
  copy->place.checkpoint = copy->place.output = copy->begun_with = none;
  copy->answer = NULL;
  copy->study = NULL;
  sd_document_keep(copy->settings.document);
  for (int i = 0; i < copy->settings.owns; i++) sd_document_keep(copy->settings.own[i].document);
  copy->number = 1;
  copy->specification = plan->specification ? sd_specification_copy(plan->specification) : NULL;
  sd_status status = sd_starts_copy(&copy->settings.starts, &plan->settings.starts);
  if (plan->specification && !copy->specification) status = SD_NO_MEMORY;
  if (!status) status = sd_plan_keep(copy, &copy->place.checkpoint, plan->place.checkpoint);
  if (!status) status = sd_plan_keep(copy, &copy->place.output, plan->place.output);
  if (!status) status = sd_plan_keep(copy, &copy->begun_with, plan->begun_with);
  if (!status) return SD_OK;
  sd_plan_destroy(copy);
  *made = NULL;
  return status;
}

/* Parameters that a member has of its own become the plan's, under every method. */
static sd_status settle(sd_plan *plan, size_t member) {
  const sd_specification *spec = plan->specification;
  sd_text text = {0};
  for (int m = 0; m < spec->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    sd_numbers n;
    sd_numbers_of(spec, m, member, &n);
    const double *value = n.parameters;
    for (const sd_parameter *p = spec->problem->parameter; p->name && !m; value += p++->count) {
      sd_text_add(&text, "param %s=", p->name);
      for (int i = 0; i < p->count; i++) sd_text_add(&text, "%s%.17g", i ? "," : "", value[i]);
      sd_text_add(&text, "\n");
    }
    for (int i = 0; i < count; i++) sd_text_add(&text, "param %s=%.17g\n", table[i]->name, n.method[i]);
    if (!m) sd_text_add(&text, "step %.17g\n", n.step);
  }
  char *lines = sd_text_take(&text), *line = lines, *end;
  if (!lines) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  sd_status status = SD_OK;
  for (; *line && !status; line = end) {
    char *value = strchr(line, ' ');
    end = strchr(line, '\n');
    *value = *end++ = 0;
    status = sd_plan_set(plan, line, value + 1);
  }
  free(lines);
  return status;
}

/* Its start alone, if its row has one, as the family has it. */
static sd_status settle_start(sd_plan *plan, size_t member) {
  const sd_specification *spec = plan->specification;
  const sd_starts *s = &spec->starts;
  double start[SD_PARAMETERS_MAX];
  size_t width = 0;
  for (size_t i = 0; i < s->count; i++)
    for (int k = 0; k < spec->targets.columns && s->member[i] == member; k++) {
      double number = s->number[i * s->width + (size_t)k];
      if (spec->targets.column[k].of != SD_TARGET_START || number != number) continue;
      start[spec->targets.column[k].index] = number;
      width++;
    }
  sd_starts_destroy(&plan->settings.starts);
  if (!width) return SD_OK;
  return sd_starts_add(&plan->settings.starts, member, 1, start, width)
             ? sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory")
             : SD_OK;
}

/* Of a plan in which something differs from member to member. */
static sd_status single_out_point(sd_plan *plan, uint64_t member, char text[32]) {
  if (!plan->resolved) SD_TRY(sd_plan_resolve(plan));
  const sd_specification *spec = plan->specification;
  size_t place = (size_t)(member - sd_first_number(spec));
  int64_t steps = spec->total_steps, every = spec->sample_every;
  snprintf(text, 32, "%llu", (unsigned long long)(spec->first_member + place % spec->each));
  SD_TRY(settle(plan, place));
  if (spec->targets.columns) SD_TRY(settle_start(plan, place % spec->each));
  plan->settings.sweep = (sd_sweep){.axes = 0};
  plan->settings.points = plan->settings.first_point = 0;
  plan->settings.time = 0;
  plan->settings.steps = steps;
  if (!plan->settings.every) plan->settings.every = every;
  return SD_OK;
}

/* Its start, if it has one of its own, is then the only one. */
sd_status sd_plan_single_out(sd_plan *plan, const char *asked) {
  sd_settings *given = &plan->settings;
  uint64_t first = given->first_member, lowest = first, member;
  size_t members = given->members;
  char text[32];
  int varied = given->sweep.axes || given->sweep.scatters || *given->sweep.columns;
  plan->error = (sd_error){0};
  if (varied && !plan->resolved) SD_TRY(sd_plan_resolve(plan));
  if (varied) members = plan->specification->members, lowest = sd_first_number(plan->specification);
  if (sd_whole_from(asked, &member) != SD_WHOLE || member < lowest || member - lowest >= members)
    return sd_fail(&plan->error, SD_BAD_INPUT, "member: '%.60s' is not one of the %zu members, %llu to %llu", asked,
                   members, (unsigned long long)lowest, (unsigned long long)(lowest + members - 1));
  snprintf(text, sizeof text, "%llu", (unsigned long long)member);
  sd_plan_next_source(plan);
  if (varied) SD_TRY(single_out_point(plan, member, text));
  sd_starts_single_out(&given->starts, strtoull(text, NULL, 10) - first);
  SD_TRY(sd_plan_set(plan, "first-member", text));
  return sd_plan_set(plan, "members", "1");
}
