#include "kept.h"

#include "points.h"
#include "statistics_list.h"

#include <string.h>

static void add_axis(sd_kept *a, size_t size) {
  a->shape[a->rank++] = size;
}

static void keep_samples(const sd_series *series, const sd_sample_quantity *q, sd_kept *a) {
  *a = (sd_kept){.kind = q->whole ? SD_KEPT_WHOLES : SD_KEPT_REALS,
                 .id = q->id,
                 .name = q->name,
                 .units = q->units,
                 .text = q->description,
                 .data = (char *)series->sample + q->offset,
                 .rows = series->count,
                 .width = (size_t)q->count,
                 .stride = sizeof(sd_sample) / sizeof(double),
                 .outer = 1};
  add_axis(a, series->count);
  if (q->count > 1) add_axis(a, (size_t)q->count);
  snprintf(a->path, sizeof a->path, "energy_error/%s", q->name);
}

static void keep_ledger(const sd_series *series, const sd_ledger_entry *entry, size_t k, sd_kept *a) {
  *a = (sd_kept){.id = entry->id,
                 .name = entry->id,
                 .units = entry->units,
                 .text = entry->text,
                 .data = series->ledger + k,
                 .rows = series->count,
                 .width = 1,
                 .stride = (size_t)series->ledgers,
                 .outer = 1};
  add_axis(a, series->count);
  snprintf(a->path, sizeof a->path, "ledger/%.40s", entry->id);
}

/* The mean, then the covariance. */
enum { MOMENTS = 2 };
static void keep_moments_from(const sd_series *series, size_t first, size_t count, size_t covariance, sd_kept *a) {
  const sd_coordinates *c = &series->coordinates;
  size_t n = (size_t)c->tangent;
  *a = (sd_kept){.id = covariance ? "state_covariance" : "state_mean",
                 .units = "of each number",
                 .text = covariance ? "covariance of the state over the members that had not failed, of a rotation its "
                                      "rotation vector from the mean, body frame"
                                    : "mean of the state over the members that had not failed",
                 .data = sd_moments_of(series, first) + (covariance ? c->numbers : 0),
                 .rows = count,
                 .width = covariance ? n * n : (size_t)c->numbers,
                 .stride = sd_moment_numbers(c),
                 .outer = 1};
  a->name = a->id;
  add_axis(a, count);
  add_axis(a, covariance ? n : a->width);
  if (covariance) add_axis(a, n);
}
static void keep_moments(const sd_series *series, size_t covariance, sd_kept *a) {
  keep_moments_from(series, 0, series->count, covariance, a);
  snprintf(a->path, sizeof a->path, "moments/%s", a->name);
}

/* At given times: these, how many members there were, and the moments. */
enum { ASKED = 2 + MOMENTS };
static void keep_asked(const sd_series *series, size_t index, sd_kept *a) {
  const sd_series there = {.sample = series->sample + series->room, .count = series->asked};
  if (index >= 2) keep_moments_from(series, series->room, series->asked, index - 2, a);
  else keep_samples(&there, &sd_sample_quantities[index ? SD_SAMPLE_members : SD_SAMPLE_time], a);
  snprintf(a->path, sizeof a->path, "at/%s", a->name);
}

static void keep_status(const sd_states *s, const char *path, sd_kept *a) {
  *a = (sd_kept){.kind = SD_KEPT_BYTES,
                 .id = "status",
                 .name = "status",
                 .units = "1",
                 .text = "ok, or why the body was frozen where it was",
                 .data = s->status,
                 .rows = s->members,
                 .width = 1,
                 .stride = 1,
                 .outer = 1};
  add_axis(a, s->members);
  strcpy(a->path, path);
}

static const sd_array energy_error = {"energy_error", "energy_error", 0, 1, 1, "energy", "E - E0", SD_NO_ROLE};

int sd_kept_states(const sd_states *s, const sd_family *family, size_t index, int trajectory, sd_kept *a) {
  size_t first = 0;
  const sd_array *array = family->array;
  for (; array->id && index; index--) first += sd_array_all(array++, s->bodies);
  if (!array->id && index) return 0;
  if (!array->id) array = &energy_error;
  *a = (sd_kept){.id = array->id,
                 .name = array->name,
                 .units = array->units,
                 .text = array->text,
                 .data = s->number + first,
                 .rows = s->samples * s->members,
                 .width = sd_array_all(array, s->bodies),
                 .stride = s->numbers,
                 .outer = trajectory ? 2 : 1};
  if (trajectory) add_axis(a, s->samples);
  add_axis(a, s->members);
  a->per_body = array->per_body && family->alone;
  if (a->per_body) add_axis(a, s->bodies);
  if (array->rows > 1) add_axis(a, (size_t)array->rows);
  if (array->columns > 1) add_axis(a, (size_t)array->columns);
  snprintf(a->path, sizeof a->path, trajectory ? "trajectories/%.40s/value" : "final/%.40s", array->name);
  return 1;
}

/* The axes of the points: the grids, or, of a part of these, one of their numbers. */
static void add_grid(const sd_specification *spec, sd_kept *a) {
  int part = sd_is_part_of_sweep(spec);
  if (part) add_axis(a, spec->points);
  for (int k = 0; k < (part ? 0 : spec->sweep.axes); k++) add_axis(a, spec->sweep.axis[k].count);
}

/* Counts, then statistics. */
enum { COUNTS = 3 };
static const struct {
  const char *name, *text;
  size_t offset;
} counts[COUNTS] = {{"failed", "members that failed", offsetof(sd_point, failed)},
                    {"verdict", "0 undecided, 1 bounded, 2 drifts +, 3 drifts -", offsetof(sd_point, verdict)},
                    {"reason", "why, as sd_reason of spindrift.h has it", offsetof(sd_point, reason)}};

static void keep_points(const sd_result *result, size_t m, size_t index, sd_kept *a) {
  const sd_specification *spec = result->spec;
  int counted = index < COUNTS;
  sd_statistic s = sd_statistic_of(spec->problem->family, counted ? 0 : (int)(index - COUNTS));
  size_t offset = counted ? counts[index].offset : offsetof(sd_point, value) + (index - COUNTS) * sizeof(double);
  const char *name = counted ? counts[index].name : s.name;
  *a = (sd_kept){.kind = counted ? SD_KEPT_WHOLES : SD_KEPT_REALS,
                 .id = name,
                 .name = name,
                 .units = counted ? "1" : s.units,
                 .text = counted ? counts[index].text : s.description,
                 .data = (char *)result->points[m] + offset,
                 .rows = spec->points,
                 .width = 1,
                 .stride = sizeof(sd_point) / sizeof(double)};
  add_grid(spec, a);
  a->outer = a->rank;
  snprintf(a->path, sizeof a->path, "points/%.40s", name);
}

/* Its status, then the columns; of a sweep by the grids, then the members of a point. */
static void keep_table(const sd_result *result, size_t m, size_t index, sd_kept *a) {
  const sd_specification *spec = result->spec;
  const sd_states *s = &result->tables[m];
  if (!index) keep_status(s, "table/status", a);
  else {
    sd_column column = sd_column_of(spec->problem->family, (int)index - 1);
    *a = (sd_kept){.id = column.name,
                   .name = column.name,
                   .units = column.units,
                   .text = column.description,
                   .data = s->number + index - 1,
                   .rows = s->members,
                   .width = 1,
                   .stride = s->numbers};
    snprintf(a->path, sizeof a->path, "table/%.40s", column.name);
  }
  a->rank = 0;
  add_grid(spec, a);
  add_axis(a, spec->each);
  a->outer = a->rank;
}

/* As a log has them (kernels/job.h), but for the sides. */
enum { LOG_ARRAYS = SD_EVENT_NUMBERS + 2, OF_EVENTS = SD_EVENT_NUMBERS - 1 };
static void keep_log(const sd_result *result, size_t m, size_t index, sd_kept *a) {
  static const struct {
    const char *name, *units, *text;
  } arrays[LOG_ARRAYS] = {{"count", "1", "how often each event has happened"},
                          {"unbound", "1", "1 where it cannot happen any more: the path is not closed"},
                          {"closest", "length",
                           "how near each approach came, where one looked: at the start, at ends of "
                           "steps, where something happened; NaN of other events"},
                          {"time", "time", "of each entry: when it happened"},
                          {"distance", "length", "of each entry: from what it is about, or from the centre"},
                          {"state", "of each number", "of each entry: the state then, before an impulse"}};
  const sd_specification *spec = result->spec;
  const sd_states *s = &result->logs[m];
  size_t events = (size_t)spec->events, entries = (size_t)spec->entries, width = index < OF_EVENTS ? events : entries;
  size_t first = index < OF_EVENTS ? index * events : OF_EVENTS * events + (index - OF_EVENTS) * entries, each = 1;
  if (index == LOG_ARRAYS - 1) each = (size_t)sd_coordinates_of(spec->problem->family).numbers;
  *a = (sd_kept){.id = arrays[index].name,
                 .name = arrays[index].name,
                 .units = arrays[index].units,
                 .text = arrays[index].text,
                 .data = s->number + first,
                 .rows = s->members,
                 .width = width * each,
                 .stride = s->numbers,
                 .outer = 1};
  add_axis(a, s->members);
  add_axis(a, width);
  if (each > 1) add_axis(a, each);
  snprintf(a->path, sizeof a->path, "events/%s", a->name);
}

static void keep_share(const sd_share *share, size_t index, sd_kept *a) {
  sd_share_array s;
  sd_share_at(share, index, &s);
  *a = (sd_kept){.kind = s.whole ? SD_KEPT_WHOLES : SD_KEPT_REALS,
                 .id = s.name,
                 .name = s.name,
                 .units = s.units,
                 .text = s.text,
                 .data = s.data,
                 .rows = sd_share_numbers(&s),
                 .width = 1,
                 .stride = 1,
                 .outer = s.rank,
                 .any = 1};
  for (int i = 0; i < s.rank; i++) add_axis(a, s.shape[i]);
  snprintf(a->path, sizeof a->path, "merge/%.40s", s.name);
}

/* Of a sweep, what merging needs is in the points. */
static void keep_digests(const sd_result *result, size_t m, sd_kept *a) {
  *a = (sd_kept){.kind = SD_KEPT_BYTES,
                 .id = "digests",
                 .name = "digests",
                 .units = "1",
                 .text = "of every point",
                 .data = result->points[m]->digest.byte,
                 .rows = result->spec->points,
                 .width = sizeof(sd_digest),
                 .stride = sizeof(sd_point),
                 .outer = 1,
                 .any = 1,
                 .path = "merge/digests"};
  add_axis(a, a->rows);
  add_axis(a, a->width);
}

/* A sweep has nothing over time. */
size_t sd_kept_moments(const sd_result *result) {
  return sd_is_swept(result->spec) ? 0 : SD_SAMPLE_QUANTITIES + (size_t)sd_ledger_count(result->spec->problem->family);
}
size_t sd_kept_finals(const sd_result *result) {
  return sd_kept_moments(result) + (result->spec->moments ? MOMENTS : 0);
}
size_t sd_kept_trajectories(const sd_result *result) {
  return sd_kept_finals(result) + (result->spec->finals ? 1 + sd_result_array_count(result) : 0);
}

size_t sd_kept_points(const sd_result *result) {
  return sd_kept_trajectories(result) + (result->spec->recorded ? sd_result_array_count(result) : 0);
}
size_t sd_kept_table(const sd_result *result) {
  return sd_kept_points(result) + (sd_is_swept(result->spec) ? COUNTS + SD_STATISTICS : 0);
}
size_t sd_kept_logs(const sd_result *result) {
  return sd_kept_table(result) + (result->spec->table ? 1 + SD_COLUMNS : 0);
}
size_t sd_kept_asked(const sd_result *result) {
  return sd_kept_logs(result) + (result->spec->events ? LOG_ARRAYS : 0);
}
size_t sd_kept_shares(const sd_result *result) {
  return sd_kept_asked(result) + (result->spec->at.count ? ASKED : 0);
}
size_t sd_kept_count(const sd_result *result) {
  const sd_specification *spec = result->spec;
  size_t shares = sd_is_swept(spec) ? 1 : sd_share_arrays(spec);
  return sd_kept_shares(result) + (spec->mergeable ? shares : 0);
}

static int find(const sd_result *result, size_t m, size_t index, sd_kept *a) {
  const sd_family *family = result->spec->problem->family;
  size_t finals = sd_kept_finals(result), trajectories = sd_kept_trajectories(result);
  size_t moments = sd_kept_moments(result), points = sd_kept_points(result), entry = index - SD_SAMPLE_QUANTITIES;
  if (index >= sd_kept_count(result)) return 0;
  if (index < moments && index < SD_SAMPLE_QUANTITIES)
    return keep_samples(&result->series[m], &sd_sample_quantities[index], a), 1;
  if (index < moments) return keep_ledger(&result->series[m], &family->ledger[entry], entry, a), 1;
  if (index < finals) return keep_moments(&result->series[m], index - moments, a), 1;
  if (index < trajectories && index == finals) return keep_status(&result->finals[m], "final/status", a), 1;
  if (index < trajectories) return sd_kept_states(&result->finals[m], family, index - finals - 1, 0, a);
  if (index >= sd_kept_shares(result) && sd_is_swept(result->spec)) return keep_digests(result, m, a), 1;
  if (index >= sd_kept_shares(result)) return keep_share(&result->shares[m], index - sd_kept_shares(result), a), 1;
  if (index >= sd_kept_asked(result)) return keep_asked(&result->series[m], index - sd_kept_asked(result), a), 1;
  if (index >= sd_kept_logs(result)) return keep_log(result, m, index - sd_kept_logs(result), a), 1;
  if (index >= sd_kept_table(result)) return keep_table(result, m, index - sd_kept_table(result), a), 1;
  if (index >= points) return keep_points(result, m, index - points, a), 1;
  return sd_kept_states(&result->trajectories[m], family, index - trajectories, 1, a);
}

int sd_kept_at(const sd_result *result, size_t m, size_t index, sd_kept *a) {
  int there = find(result, m, index, a);
  a->index = index;
  return there;
}

/* As much of it as the caller has room for, who may not know that there are whole numbers, or small ones. */
sd_status sd_kept_view(const sd_kept *a, sd_view *to) {
  static const size_t least[] = {[SD_KEPT_REALS] = offsetof(sd_view, whole),
                                 [SD_KEPT_WHOLES] = offsetof(sd_view, small),
                                 [SD_KEPT_BYTES] = sizeof *to};
  size_t room = to->size, stride = 1;
  if (room < least[a->kind]) return SD_BAD_INPUT;
  sd_view v = {.size = room, .rank = a->rank, .id = a->id, .name = a->name, .units = a->units, .text = a->text};
  if (a->kind == SD_KEPT_REALS) v.data = a->data;
  if (a->kind == SD_KEPT_WHOLES) v.whole = a->data;
  if (a->kind == SD_KEPT_BYTES) v.small = a->data;
  for (int i = a->rank; i-- > 0;) {
    if (i + 1 == a->outer) stride = a->stride;
    v.shape[i] = a->shape[i];
    v.stride[i] = stride;
    stride *= a->shape[i];
  }
  memcpy(to, &v, room < sizeof v ? room : sizeof v);
  return SD_OK;
}
