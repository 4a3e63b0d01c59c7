/* result.c - what a run leaves: memory for it, and what users read of it. */
#include "backend.h"
#include "digest.h"
#include "kept.h"
#include "plan_text.h"
#include "points.h"
#include "statistics_list.h"

#include <stdlib.h>
#include <string.h>

sd_status sd_result_create_empty(sd_result **created, const sd_specification *spec, sd_error *error) {
  sd_result *result = *created = calloc(1, sizeof *result);
  if (!result) return sd_fail(error, SD_NO_MEMORY, "result: out of memory");
  size_t methods = (size_t)spec->method_count;
  result->spec = sd_specification_copy(spec);
  result->saved[0] = -1;
  result->schedule = sd_schedule_make(spec->h, spec->total_steps, spec->sample_every);
  result->summaries = calloc(methods, sizeof *result->summaries);
  result->series = calloc(methods, sizeof *result->series);
  result->finals = calloc(methods, sizeof *result->finals);
  result->tables = calloc(methods, sizeof *result->tables);
  result->trajectories = calloc(methods, sizeof *result->trajectories);
  result->points = calloc(methods, sizeof *result->points);
  result->logs = calloc(methods, sizeof *result->logs);
  result->shares = calloc(methods, sizeof *result->shares);
  if (!result->spec || !result->summaries || !result->series || !result->finals || !result->tables ||
      !result->trajectories || !result->points || !result->logs || !result->shares)
    return sd_fail(error, SD_NO_MEMORY, "result: out of memory");
  return SD_OK;
}

sd_status sd_result_make_room(sd_result *result, size_t m, sd_error *error) {
  const sd_specification *spec = result->spec;
  size_t samples = spec->recorded ? (size_t)result->schedule.samples : 0;
  if (sd_is_swept(spec)) {
    result->points[m] = calloc(spec->points, sizeof **result->points);
    if (!result->points[m]) return sd_fail(error, SD_NO_MEMORY, "%zu points: out of memory", spec->points);
  }
  if (spec->table) SD_TRY(sd_states_create_plain(&result->tables[m], SD_COLUMNS, 1, spec->members, error));
  if (spec->events) SD_TRY(sd_states_create_plain(&result->logs[m], sd_log_numbers(spec), 1, spec->members, error));
  SD_TRY(sd_states_create(&result->finals[m], spec->problem->family, sd_bodies_of(spec), 1, spec->finals, error));
  return sd_states_create(&result->trajectories[m], spec->problem->family, sd_bodies_of(spec), samples, spec->recorded,
                          error);
}

sd_status sd_result_create(sd_result **created, const sd_specification *spec, sd_error *error) {
  SD_TRY(sd_result_create_empty(created, spec, error));
  for (int m = 0; m < spec->method_count; m++) SD_TRY(sd_result_make_room(*created, (size_t)m, error));
  return SD_OK;
}

void sd_summary_begin(sd_summary *summary, const sd_specification *spec, size_t m) {
  *summary =
      (sd_summary){.problem = spec->problem->id, .step = spec->h, .time = spec->total_time, .members = spec->members};
  strcpy(summary->method, spec->methods[m].name);
}

void sd_result_join_digests(sd_result *result) {
  for (size_t m = 0; m < result->done; m++)
    if (m) sd_digest_join(result->digest, result->summaries[m].digest);
    else memcpy(result->digest, result->summaries[m].digest, sizeof result->digest);
}

sd_status sd_result_conclude(sd_result *result, const sd_backend *backend) {
  sd_result_join_digests(result);
  snprintf(result->backend, sizeof result->backend, "%s", backend->name);
  snprintf(result->variant, sizeof result->variant, "%s", backend->variant);
  result->threads = backend->threads;
  sd_backend_words(backend, result->spec, result->devices);
  for (size_t m = 0; m < result->done; m++)
    if (result->summaries[m].failed) return SD_BODIES_FAILED;
  return SD_OK;
}

void sd_result_destroy(sd_result *result) {
  if (!result) return;
  for (int m = 0; result->spec && m < result->spec->method_count; m++) {
    if (result->series) sd_series_destroy(&result->series[m]);
    if (result->finals) sd_states_destroy(&result->finals[m]);
    if (result->tables) sd_states_destroy(&result->tables[m]);
    if (result->trajectories) sd_states_destroy(&result->trajectories[m]);
    if (result->points) free(result->points[m]);
    if (result->logs) sd_states_destroy(&result->logs[m]);
    if (result->shares) sd_share_destroy(&result->shares[m]);
  }
  free(result->series);
  free(result->summaries);
  free(result->finals);
  free(result->tables);
  free(result->trajectories);
  free(result->points);
  free(result->logs);
  free(result->shares);
  sd_specification_destroy(result->spec);
  free(result);
}

/* ---- reading ---- */

size_t sd_result_count(const sd_result *result) {
  return result->done;
}
int sd_result_complete(const sd_result *result) {
  return result->done == (size_t)result->spec->method_count;
}
const char *sd_result_family(const sd_result *result) {
  return result->spec->problem->family->id;
}
sd_status sd_result_plan(const sd_result *result, char **text) {
  *text = sd_specification_text(result->spec, (size_t)result->spec->method_count);
  return *text ? SD_OK : SD_NO_MEMORY;
}
const sd_summary *sd_result_summary(const sd_result *result, size_t index) {
  return &result->summaries[index];
}
size_t sd_result_sample_count(const sd_result *result, size_t method) {
  return result->series[method].count;
}
const sd_sample *sd_result_sample(const sd_result *result, size_t method, size_t index) {
  return &result->series[method].sample[index];
}
size_t sd_result_final_count(const sd_result *result) {
  return result->spec->finals;
}
size_t sd_result_trajectory_count(const sd_result *result) {
  return result->spec->recorded;
}
size_t sd_result_trajectory_samples(const sd_result *result) {
  return (size_t)result->schedule.samples;
}

/* ---- arrays ---- */

size_t sd_result_array_count(const sd_result *result) {
  size_t count = 1;
  for (const sd_array *a = result->spec->problem->family->array; a->id; a++) count++;
  return count;
}

static sd_status view_states(const sd_result *result, const sd_states *s, size_t array, int trajectory, sd_view *view) {
  sd_kept a;
  int there = sd_kept_states(s, result->spec->problem->family, array, trajectory, &a);
  return there ? sd_kept_view(&a, view) : SD_BAD_INPUT;
}

sd_status sd_result_final(const sd_result *result, size_t method, size_t array, sd_view *view) {
  return method < result->done ? view_states(result, &result->finals[method], array, 0, view) : SD_BAD_INPUT;
}
sd_status sd_result_trajectory(const sd_result *result, size_t method, size_t array, sd_view *view) {
  return method < result->done ? view_states(result, &result->trajectories[method], array, 1, view) : SD_BAD_INPUT;
}
size_t sd_result_series_count(const sd_result *result) {
  return sd_is_swept(result->spec) ? 0 : sd_kept_finals(result);
}
sd_status sd_result_series(const sd_result *result, size_t method, const char *quantity, sd_view *view) {
  sd_kept a;
  for (size_t k = 0; k < sd_result_series_count(result) && method < result->done; k++)
    if (sd_kept_at(result, method, k, &a) && !strcmp(a.id, quantity)) return sd_kept_view(&a, view);
  return SD_BAD_INPUT;
}
sd_status sd_result_series_at(const sd_result *result, size_t method, size_t index, sd_view *view) {
  sd_kept a;
  if (method >= result->done || index >= sd_result_series_count(result)) return SD_BAD_INPUT;
  return sd_kept_at(result, method, index, &a) ? sd_kept_view(&a, view) : SD_BAD_INPUT;
}
/* ---- sweeps ---- */

size_t sd_result_points(const sd_result *result) {
  return sd_is_swept(result->spec) ? result->spec->points : 0;
}
int sd_result_axis(const sd_result *result, size_t index, sd_axis_info *to) {
  const sd_specification *spec = result->spec;
  int part = sd_is_part_of_sweep(spec);
  if (index >= (size_t)(part ? 1 : spec->sweep.axes)) return 0;
  const sd_axis *a = &spec->sweep.axis[index];
  size_t size = to->size;
  double first = (double)spec->first_point;
  sd_axis_info info = {size, a->name, a->low, a->high, a->count, a->is_log};
  if (part) info = (sd_axis_info){size, "point", first, first + (double)(spec->points - 1), spec->points, 0};
  memcpy(to, &info, size < sizeof info ? size : sizeof info);
  return 1;
}
double sd_result_axis_value(const sd_result *result, size_t axis, size_t place) {
  const sd_specification *spec = result->spec;
  return sd_is_part_of_sweep(spec) ? (double)(spec->first_point + place)
                                   : sd_axis_value(&spec->sweep.axis[axis], place);
}
sd_status sd_result_point(const sd_result *result, size_t method, const char *name, sd_view *view) {
  sd_kept a;
  for (size_t k = sd_kept_points(result); k < sd_kept_table(result) && method < result->done; k++)
    if (sd_kept_at(result, method, k, &a) && !strcmp(a.name, name)) return sd_kept_view(&a, view);
  return SD_BAD_INPUT;
}

/* ---- the table of members ---- */

size_t sd_result_columns(const sd_result *result) {
  return sd_kept_logs(result) - sd_kept_table(result);
}
sd_status sd_result_column(const sd_result *result, size_t method, size_t index, sd_view *view) {
  sd_kept a;
  if (method >= result->done || index >= sd_result_columns(result)) return SD_BAD_INPUT;
  return sd_kept_at(result, method, sd_kept_table(result) + index, &a) ? sd_kept_view(&a, view) : SD_BAD_INPUT;
}

/* ---- what happened to members ---- */

sd_status sd_result_events(const sd_result *result, size_t method, const char *name, sd_view *view) {
  sd_kept a;
  for (size_t k = sd_kept_logs(result); k < sd_kept_asked(result) && method < result->done; k++)
    if (sd_kept_at(result, method, k, &a) && !strcmp(a.id, name)) return sd_kept_view(&a, view);
  return SD_BAD_INPUT;
}

sd_status sd_result_at(const sd_result *result, size_t method, const char *name, sd_view *view) {
  sd_kept a;
  for (size_t k = sd_kept_asked(result); k < sd_kept_shares(result) && method < result->done; k++)
    if (sd_kept_at(result, method, k, &a) && !strcmp(a.id, name)) return sd_kept_view(&a, view);
  return SD_BAD_INPUT;
}

sd_status sd_result_statistic(const sd_result *result, size_t method, const char *name, double *value) {
  for (int i = 0; i < SD_STATISTICS && method < result->done; i++) {
    if (strcmp(sd_statistic_of(result->spec->problem->family, i).name, name)) continue;
    *value = sd_statistic_value(&result->summaries[method], i);
    return SD_OK;
  }
  return SD_BAD_INPUT;
}
const char *sd_result_final_status(const sd_result *result, size_t index, size_t member) {
  return sd_member_status_text(*sd_state_status(&result->finals[index], 0, member));
}
sd_status sd_result_final_statuses(const sd_result *result, size_t method, sd_view *view) {
  sd_kept a;
  if (method >= result->done || !result->spec->finals) return SD_BAD_INPUT;
  return sd_kept_at(result, method, sd_kept_finals(result), &a) ? sd_kept_view(&a, view) : SD_BAD_INPUT;
}
const char *sd_list_member_status(size_t number) {
  return number < SD_MEMBER_STATUSES ? sd_member_status_text((int)number) : NULL;
}
double sd_result_trajectory_time(const sd_result *result, size_t sample) {
  int64_t step = (int64_t)sample * result->spec->sample_every, last = result->spec->total_steps;
  return (double)(step < last ? step : last) * result->spec->h;
}
int sd_result_elements(const sd_result *result, size_t method, size_t sample, size_t member, double elements[6]) {
  const sd_specification *spec = result->spec;
  if (!spec->problem->family->to_elements || method >= result->done || !spec->recorded) return 0;
  const sd_states *s = &result->trajectories[method];
  if (sample >= s->samples || member >= s->members) return 0;
  spec->problem->family->to_elements(spec->parameters, sd_state_at(s, sample, member), elements);
  return 1;
}
const char *sd_result_why(const sd_result *result) {
  return result->why;
}
const char *sd_result_note(const sd_result *result) {
  return result->note;
}
const char *sd_result_trouble(const sd_result *result) {
  return result->trouble;
}
const char *sd_result_digest(const sd_result *result) {
  return result->digest;
}
