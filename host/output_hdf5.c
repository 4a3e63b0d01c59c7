#include "output_hdf5.h"

#include "build_info.h"
#include "digest.h"
#include "ensemble.h"
#include "hdf5_file.h"
#include "hdf5_put.h"
#include "plan_text.h"
#include "record.h"
#include "run.h"
#include "safe_file.h"
#include "seal.h"
#include "statistics_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the head of the file ---- */

enum { AXIS = 3 }; /* of vectors and matrices in space */

static hid_t put_index_axis(sd_hdf5_writer *w, hid_t file, const char *name, const char *description) {
  static const int32_t index[AXIS] = {0, 1, 2};
  sd_hdf5_shape s = sd_hdf5_column(name, H5T_NATIVE_INT32, AXIS, "1", description);
  return sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, file, &s, index), name);
}

static void put_h5md(sd_hdf5_writer *w, hid_t file) {
  static const int32_t version[2] = {1, 1};
  hid_t h5md = sd_hdf5_make_group(w, file, "h5md"), author = sd_hdf5_make_group(w, h5md, "author"),
        creator = sd_hdf5_make_group(w, h5md, "creator");
  sd_hdf5_put_attribute(w, h5md, "version", H5T_NATIVE_INT32, 2, version);
  sd_hdf5_put_text(w, author, "name", "not given");
  sd_hdf5_put_text(w, creator, "name", "spindrift");
  sd_hdf5_put_text(w, creator, "version", SPINDRIFT_VERSION);
  H5Gclose(creator);
  H5Gclose(author);
  H5Gclose(h5md);
}

static void put_head(sd_hdf5_writer *w, hid_t file, const sd_result *const *results, size_t count,
                     const char *created) {
  char digest[33];
  sd_digest_of_digests(results, count, digest);
  sd_hdf5_put_text(w, file, "format", "spindrift-result");
  sd_hdf5_put_integer(w, file, "format_version", SD_RESULT_FORMAT);
  sd_hdf5_put_text(w, file, "spindrift", SPINDRIFT_VERSION);
  sd_hdf5_put_text(w, file, "compiler", SPINDRIFT_COMPILER);
  sd_hdf5_put_text(w, file, "flags", SPINDRIFT_FLAGS);
  sd_hdf5_put_text(w, file, "digest", digest);
  sd_hdf5_put_integer(w, file, "complete", sd_results_complete(results, count));
  sd_hdf5_put_text(w, file, "created", created);
  sd_hdf5_put_text(w, file, "units",
                   "any consistent system, that of the parameters; `units` of a dataset names the quantity");
  put_h5md(w, file);
  w->rows = put_index_axis(w, file, "row", "row of a matrix");
  w->columns = put_index_axis(w, file, "column", "column of a matrix");
  w->components = put_index_axis(w, file, "component", "component of a vector");
}

/* ---- the plan ---- */

static void put_options(sd_hdf5_writer *w, hid_t group, const sd_plan *plan) {
  sd_option o;
  for (size_t i = 0; sd_option_at(i, &o); i++) {
    sd_resolved number = sd_plan_number(plan, &o);
    switch (number.kind) {
    case SD_REAL: sd_hdf5_put_real(w, group, o.key, number.real); break;
    case SD_INTEGER: sd_hdf5_put_integer(w, group, o.key, (int64_t)number.whole); break;
    case SD_UNSIGNED: sd_hdf5_put_unsigned(w, group, o.key, number.whole); break;
    case SD_NO_NUMBER: break;
    }
  }
}

static void put_parameter(sd_hdf5_writer *w, hid_t group, const sd_parameter *p, const double *value) {
  if (H5Lexists(group, p->name, H5P_DEFAULT) > 0) return; /* shared by two methods */
  sd_hdf5_shape s = {p->name, H5T_NATIVE_DOUBLE, p->count > 1, {(hsize_t)p->count}, {0}, "any", p->text, 0};
  H5Dclose(sd_hdf5_put_dataset(w, group, &s, value));
}

static void put_parameters(sd_hdf5_writer *w, hid_t plan_group, const sd_plan *plan) {
  hid_t group = sd_hdf5_make_group(w, plan_group, "param");
  const double *value = plan->parameters;
  for (const sd_parameter *p = plan->problem->parameter; p->name; value += p++->count)
    put_parameter(w, group, p, value);
  for (int m = 0; m < plan->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(plan->methods[m].entry, table);
    for (int i = 0; i < count; i++) put_parameter(w, group, table[i], &plan->method_parameters[m][i]);
  }
  H5Gclose(group);
}

/* Column by column: an array of structures is not what other programs like to read. */
static void put_starts(sd_hdf5_writer *w, hid_t plan_group, const sd_plan *plan) {
  const sd_starts *starts = &plan->starts;
  size_t count = starts->count, first = 0;
  if (!count) return;
  hid_t group = sd_hdf5_make_group(w, plan_group, "starts");
  double *column = malloc(count * starts->width * sizeof *column);
  uint64_t *member = malloc(count * sizeof *member);
  w->failed |= !column || !member;
  for (size_t i = 0; i < count && !w->failed; i++) member[i] = starts->member[i];
  sd_hdf5_shape bodies =
      sd_hdf5_column("body", H5T_NATIVE_UINT64, count, "1", "the body that starts so; the last one counts");
  if (!w->failed) H5Dclose(sd_hdf5_put_dataset(w, group, &bodies, member));
  for (const sd_start_array *a = plan->problem->family->start; a->name && !w->failed; first += (size_t)a++->count) {
    size_t n = (size_t)a->count;
    for (size_t i = 0; i < count; i++)
      memcpy(column + i * n, starts->number + i * starts->width + first, n * sizeof *column);
    sd_hdf5_shape s = {a->name, H5T_NATIVE_DOUBLE, 2, {count, n}, {4096, 0}, a->units, a->text, 0};
    H5Dclose(sd_hdf5_put_dataset(w, group, &s, column));
  }
  free(column);
  free(member);
  H5Gclose(group);
}

static void put_plan(sd_hdf5_writer *w, hid_t run, const sd_result *result) {
  const sd_plan *plan = &result->plan;
  hid_t group = sd_hdf5_make_group(w, run, "plan");
  char *settings = sd_plan_text(plan, sd_result_count(result));
  char *methods = sd_plan_methods_text(plan, (size_t)plan->method_count);
  char *descriptions = sd_plan_descriptions(plan);
  w->failed |= !settings || !methods || !descriptions;
  if (!w->failed) {
    sd_hdf5_put_text(w, group, "problem", plan->problem->id);
    sd_hdf5_put_text(w, group, "method", methods);
    put_options(w, group, plan);
    sd_hdf5_put_real(w, group, "time", plan->total_time);
    sd_hdf5_put_text(w, group, "settings", settings);
    sd_hdf5_put_text(w, group, "descriptions", descriptions);
    put_parameters(w, group, plan);
    put_starts(w, group, plan);
  }
  free(settings);
  free(methods);
  free(descriptions);
  H5Gclose(group);
}

/* ---- one method ---- */

static void put_statistics(sd_hdf5_writer *w, hid_t method, const sd_family *family, const sd_summary *summary) {
  hid_t group = sd_hdf5_make_group(w, method, "statistics");
  for (int i = 0; i < SD_STATISTICS; i++) {
    sd_statistic statistic = sd_statistic_of(family, i);
    double value = sd_statistic_value(summary, i);
    sd_hdf5_shape s = sd_hdf5_scalar(statistic.name, H5T_NATIVE_DOUBLE, statistic.units, statistic.description);
    H5Dclose(sd_hdf5_put_dataset(w, group, &s, &value));
  }
  H5Gclose(group);
}

/* The time axis and the step numbers beside it; returns the axis. */
static hid_t put_times(sd_hdf5_writer *w, hid_t group, const double *time, size_t count, double h) {
  int64_t *step = malloc((count + 1) * sizeof *step);
  w->failed |= !step;
  for (size_t i = 0; step && i < count; i++) step[i] = (int64_t)nearbyint(time[i] / h);
  sd_hdf5_shape times = sd_hdf5_column("time", H5T_NATIVE_DOUBLE, count, "time", "time of the sample");
  sd_hdf5_shape steps = sd_hdf5_column("step", H5T_NATIVE_INT64, count, "1", "time step of the sample");
  hid_t axis = sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &times, time), "time");
  if (step) {
    hid_t dataset = sd_hdf5_put_dataset(w, group, &steps, step);
    sd_hdf5_attach(w, dataset, axis, 0);
    H5Dclose(dataset);
  }
  free(step);
  return axis;
}

/* One quantity of all samples, number by number; whole numbers have 64 bits in the file. */
static void gather(const sd_result *result, size_t m, const sd_sample_quantity *q, double *values) {
  for (size_t i = 0; i < sd_result_sample_count(result, m); i++) {
    const void *at = sd_sample_at(sd_result_sample(result, m, i), q);
    if (q->whole) memcpy(&values[i], &(uint64_t){*(const size_t *)at}, sizeof *values);
    else memcpy(values + i * (size_t)q->count, at, (size_t)q->count * sizeof *values);
  }
}

static void put_series_into(sd_hdf5_writer *w, hid_t group, const sd_result *result, size_t m, double *values) {
  size_t count = sd_result_sample_count(result, m);
  sd_hdf5_shape levels = sd_hdf5_column("level", H5T_NATIVE_DOUBLE, SD_QUANTILES, "1", "level of the quantile");
  hid_t level = sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &levels, sd_quantile_levels), "level");
  gather(result, m, &sd_sample_quantities[SD_SAMPLE_time], values);
  hid_t time = put_times(w, group, values, count, result->plan.h);
  for (int k = 0; k < SD_SAMPLE_QUANTITIES; k++) {
    const sd_sample_quantity *q = &sd_sample_quantities[k];
    if (k == SD_SAMPLE_time) continue; /* the axis */
    sd_hdf5_shape s =
        sd_hdf5_column(q->name, q->whole ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE, count, q->units, q->description);
    if (q->count > 1) s.size[s.rank++] = (hsize_t)q->count;
    gather(result, m, q, values);
    hid_t dataset = sd_hdf5_put_dataset(w, group, &s, values);
    sd_hdf5_attach(w, dataset, time, 0);
    if (q->count > 1) sd_hdf5_attach(w, dataset, level, 1);
    H5Dclose(dataset);
  }
  H5Dclose(time);
  H5Dclose(level);
}

static void put_series(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  size_t count = sd_result_sample_count(result, m);
  hid_t group = sd_hdf5_make_group(w, method, "energy_error");
  sd_hdf5_put_text(w, group, "description", "E - E0 over the members that had not failed, at the samples");
  double *values = malloc((count + 1) * SD_QUANTILES * sizeof *values);
  w->failed |= !values;
  if (values && count) put_series_into(w, group, result, m, values);
  free(values);
  H5Gclose(group);
}

/* ---- states of bodies ---- */

enum { STATES_OF_PIECE = 4096, BODIES_OF_CHUNK = 16 };

/* An array of the states' family, or the energy error after them. */
typedef struct {
  const sd_array *array;
  size_t first; /* of its numbers in a state */
  int noisy;
} quantity;

static const sd_array energy_error = {"energy_error", "energy_error", 0, 1, 1, "energy", "E - E0"};

/* The one after this; 0 when that was the last. */
static int next_quantity(quantity *q) {
  if (q->array == &energy_error) return 0;
  q->first += (size_t)sd_array_numbers(q->array++);
  if (!q->array->id) *q = (quantity){&energy_error, q->first, 0};
  return 1;
}

static int rank_of(const sd_array *a) { /* of one: matrix, vector, number */
  return (a->rows > 1) + (a->columns > 1);
}

/* A rectangle of states: samples times members of a trajectory, or one row of members at the end. */
typedef struct {
  const sd_result *result;
  const sd_states *at;
  int trajectory;
} states;

/* Samples and bodies that are written at once: a chunk where there are chunks, otherwise what lies together. */
static void choose_piece(const states *s, const quantity *q, hsize_t piece[2]) {
  int in_chunks = s->trajectory && !q->noisy;
  piece[1] = in_chunks ? BODIES_OF_CHUNK : s->at->members < STATES_OF_PIECE ? s->at->members : STATES_OF_PIECE;
  piece[0] = STATES_OF_PIECE / piece[1];
}

static sd_hdf5_shape shape_of(const states *s, const quantity *q, const hsize_t piece[2], const char *name) {
  sd_hdf5_shape form = {
      .name = name, .type = H5T_NATIVE_DOUBLE, .units = q->array->units, .description = q->array->text};
  form.noisy = q->noisy;
  if (s->trajectory) {
    form.size[form.rank] = s->at->samples;
    form.chunk[form.rank++] = piece[0];
  }
  form.size[form.rank] = s->at->members;
  form.chunk[form.rank++] = piece[1];
  if (q->array->rows > 1) form.size[form.rank++] = (hsize_t)q->array->rows;
  if (q->array->columns > 1) form.size[form.rank++] = (hsize_t)q->array->columns;
  return form;
}

/* `size` samples and members, from these on. */
static void put_piece(sd_hdf5_writer *w, hid_t dataset, const states *s, const quantity *q, const hsize_t from[2],
                      const hsize_t size[2], double *values) {
  size_t numbers = (size_t)sd_array_numbers(q->array), at = 0;
  for (hsize_t i = 0; i < size[0]; i++)
    for (hsize_t b = 0; b < size[1]; b++, at += numbers)
      memcpy(values + at, sd_state_at(s->at, (size_t)(from[0] + i), (size_t)(from[1] + b)) + q->first,
             numbers * sizeof *values);
  hsize_t start[SD_HDF5_RANK_MOST] = {0}, count[SD_HDF5_RANK_MOST] = {0};
  int rank = 0;
  for (int axis = s->trajectory ? 0 : 1; axis < 2; axis++) /* without samples there is no axis for them */
    start[rank] = from[axis], count[rank++] = size[axis];
  if (q->array->rows > 1) count[rank++] = (hsize_t)q->array->rows;
  if (q->array->columns > 1) count[rank++] = (hsize_t)q->array->columns;
  hid_t disk = sd_hdf5_made(w, H5Dget_space(dataset)), memory = sd_hdf5_made(w, H5Screate_simple(rank, count, NULL));
  sd_hdf5_done(w, H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count, NULL));
  sd_hdf5_done(w, H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, disk, H5P_DEFAULT, values));
  H5Sclose(memory);
  H5Sclose(disk);
}

/* Piece by piece: each is compressed once, and no copy of the whole is needed. */
static hid_t put_quantity(sd_hdf5_writer *w, hid_t group, const states *s, const quantity *q, const char *name,
                          double *values) {
  hsize_t piece[2];
  choose_piece(s, q, piece);
  sd_hdf5_shape form = shape_of(s, q, piece, name);
  hid_t dataset = sd_hdf5_make_dataset(w, group, &form);
  for (hsize_t i = 0; i < s->at->samples && !w->failed; i += piece[0])
    for (hsize_t b = 0; b < s->at->members && !w->failed; b += piece[1]) {
      const hsize_t from[2] = {i, b}, left[2] = {s->at->samples - i, s->at->members - b};
      const hsize_t size[2] = {left[0] < piece[0] ? left[0] : piece[0], left[1] < piece[1] ? left[1] : piece[1]};
      put_piece(w, dataset, s, q, from, size, values);
    }
  unsigned own = s->trajectory ? 2 : 1; /* axes before those of the matrix or vector */
  const sd_array *a = q->array;
  if (rank_of(a) == 2 && a->rows == AXIS && a->columns == AXIS) {
    sd_hdf5_attach(w, dataset, w->rows, own);
    sd_hdf5_attach(w, dataset, w->columns, own + 1);
  }
  if (rank_of(a) == 1 && sd_array_numbers(a) == AXIS) sd_hdf5_attach(w, dataset, w->components, own);
  return dataset;
}

static hid_t put_bodies(sd_hdf5_writer *w, hid_t group, size_t first, size_t count) {
  uint64_t *index = malloc((count + 1) * sizeof *index);
  w->failed |= !index;
  for (size_t b = 0; index && b < count; b++) index[b] = first + b;
  sd_hdf5_shape s = sd_hdf5_column("body", H5T_NATIVE_UINT64, count, "1", "index of the body in the ensemble");
  hid_t axis = index ? sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &s, index), "body") : -1;
  free(index);
  return axis;
}

/* As the CF conventions have it: small numbers, and what they mean. */
static void put_status(sd_hdf5_writer *w, hid_t group, hid_t axis, const states *s) {
  static const uint8_t values[] = {SD_MEMBER_OK, SD_MEMBER_NOT_CONVERGED, SD_MEMBER_OUTSIDE_DOMAIN,
                                   SD_MEMBER_NOT_FINITE};
  sd_hdf5_shape form =
      sd_hdf5_column("status", H5T_NATIVE_UINT8, s->at->members, "1", "ok, or why the body was frozen where it was");
  hid_t dataset = sd_hdf5_put_dataset(w, group, &form, s->at->status);
  sd_hdf5_put_attribute(w, dataset, "flag_values", H5T_NATIVE_UINT8, sizeof values, values);
  sd_hdf5_put_text(w, dataset, "flag_meanings", "ok not_converged outside_domain not_finite");
  sd_hdf5_attach(w, dataset, axis, 0);
  H5Dclose(dataset);
}

static void put_finals(sd_hdf5_writer *w, hid_t method, const states *s, double *values) {
  const sd_plan *plan = &s->result->plan;
  hid_t group = sd_hdf5_make_group(w, method, "final"), axis = put_bodies(w, group, plan->first_body, s->at->members);
  sd_hdf5_put_text(w, group, "description", "the first bodies at the end of the run");
  put_status(w, group, axis, s);
  quantity q = {plan->problem->family->array, 0, 1};
  do {
    hid_t dataset = put_quantity(w, group, s, &q, q.array->name, values);
    sd_hdf5_attach(w, dataset, axis, 0);
    H5Dclose(dataset);
  } while (!w->failed && next_quantity(&q));
  H5Dclose(axis);
  H5Gclose(group);
}

/* The axes are there once, in the first group; the others have links to them. */
static void put_trajectories(sd_hdf5_writer *w, hid_t method, const states *s, const double *time, double *values) {
  const sd_plan *plan = &s->result->plan;
  quantity q = {plan->problem->family->array, 0, 1};
  hid_t group = sd_hdf5_make_group(w, method, "trajectories"), first = sd_hdf5_make_group(w, group, q.array->name);
  sd_hdf5_put_text(w, group, "description", "the first bodies at every sample");
  hid_t times = put_times(w, first, time, s->at->samples, plan->h),
        bodies = put_bodies(w, first, plan->first_body, s->at->members);
  hid_t own = first;
  for (;;) {
    hid_t dataset = put_quantity(w, own, s, &q, "value", values);
    sd_hdf5_attach(w, dataset, times, 0);
    sd_hdf5_attach(w, dataset, bodies, 1);
    H5Dclose(dataset);
    if (own != first) H5Gclose(own);
    if (w->failed || !next_quantity(&q)) break;
    static const char *const shared[] = {"time", "step", "body"};
    own = sd_hdf5_make_group(w, group, q.array->name);
    for (int i = 0; i < 3; i++)
      sd_hdf5_done(w, H5Lcreate_hard(first, shared[i], own, shared[i], H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Dclose(bodies);
  H5Dclose(times);
  H5Gclose(first);
  H5Gclose(group);
}

static void put_states(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  states last = {result, &result->finals[m], 0}, path = {result, &result->trajectories[m], 1};
  double *values = malloc(STATES_OF_PIECE * last.at->numbers * sizeof *values);
  double *time = malloc((path.at->samples + 1) * sizeof *time);
  w->failed |= !values || !time;
  if (last.at->members && !w->failed) put_finals(w, method, &last, values);
  if (path.at->members && !w->failed) {
    for (size_t k = 0; k < path.at->samples; k++) time[k] = sd_result_trajectory_time(result, k);
    put_trajectories(w, method, &path, time, values);
  }
  free(time);
  free(values);
}

static void put_method(sd_hdf5_writer *w, hid_t methods, const sd_result *result, size_t m) {
  const sd_summary *summary = sd_result_summary(result, m);
  const sd_method_entry *entry = result->plan.methods[m].entry;
  hid_t group = sd_hdf5_make_group(w, methods, summary->method);
  sd_hdf5_put_text(w, group, "method", summary->method);
  sd_hdf5_put_text(w, group, "title", entry->title);
  sd_hdf5_put_text(w, group, "doi", entry->doi);
  sd_hdf5_put_text(w, group, "verdict", sd_verdict_text(summary->verdict));
  sd_hdf5_put_unsigned(w, group, "place", m);
  sd_hdf5_put_unsigned(w, group, "bodies", summary->members);
  sd_hdf5_put_unsigned(w, group, "failed", summary->failed);
  sd_hdf5_put_real(w, group, "seconds", summary->seconds);
  sd_hdf5_put_real(w, group, "ns_per_body_step", summary->ns_per_body_step);
  put_statistics(w, group, entry->family, summary);
  if (!w->failed) put_series(w, group, result, m);
  if (!w->failed) put_states(w, group, result, m);
  H5Gclose(group);
}

/* ---- the file ---- */

/* What did the work: of interest, and without influence on the numbers. */
static void put_machine(sd_hdf5_writer *w, hid_t run, const sd_result *result) {
  sd_hdf5_put_text(w, run, "backend", result->backend);
  sd_hdf5_put_text(w, run, "variant", result->variant);
  sd_hdf5_put_text(w, run, "devices", result->devices);
  sd_hdf5_put_integer(w, run, "threads", result->threads);
}

static void put_run(sd_hdf5_writer *w, hid_t runs, const sd_result *result, size_t index) {
  char name[24];
  snprintf(name, sizeof name, "%zu", index);
  hid_t run = sd_hdf5_make_group(w, runs, name), methods = sd_hdf5_make_group(w, run, "methods");
  sd_hdf5_put_text(w, run, "digest", sd_result_digest(result));
  sd_hdf5_put_integer(w, run, "complete", sd_result_complete(result));
  sd_hdf5_put_unsigned(w, run, "methods_done", sd_result_count(result));
  put_machine(w, run, result);
  put_plan(w, run, result);
  for (size_t m = 0; m < sd_result_count(result) && !w->failed; m++) put_method(w, methods, result, m);
  H5Gclose(methods);
  H5Gclose(run);
}

static int put_all(hid_t file, const sd_result *const *results, size_t count, const char *created) {
  sd_hdf5_writer w = {0};
  put_head(&w, file, results, count, created);
  hid_t runs = sd_hdf5_make_group(&w, file, "runs");
  sd_hdf5_put_unsigned(&w, runs, "count", count);
  for (size_t i = 0; i < count && !w.failed; i++) put_run(&w, runs, results[i], i);
  H5Gclose(runs);
  H5Dclose(w.rows);
  H5Dclose(w.columns);
  H5Dclose(w.components);
  return w.failed;
}

/* HDF5 begins at a power of two: behind seal and record. */
static hsize_t user_block_for(size_t record) {
  hsize_t size = SD_SEAL_SIZE;
  while (size - SD_SEAL_SIZE < record) size *= 2;
  return size;
}

/* HDF5 (1.10) does not survive every allocation that fails: some of its functions crash then, one ends the program.  So
 * it is not begun with unless there is room for more than it takes: 16 to 20 MiB were seen, whatever the size of the
 * result, for hdf5_file.c limits what it keeps and we write piece by piece. */
static int has_room_for_hdf5(void) {
  enum { HDF5_TAKES = 32 << 20 };
  void *volatile room = malloc(HDF5_TAKES);
  int there = room != NULL;
  free(room);
  return there;
}

static sd_status write_body(const sd_safe_file *to, const sd_result *const *results, size_t count, const char *created,
                            hsize_t user_block, sd_error *error) {
  sd_hdf5_channel channel = {.fd = to->fd};
  if (!has_room_for_hdf5()) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(to->path));
  sd_hdf5_voice voice = sd_hdf5_hush();
  hid_t file = sd_hdf5_create(&channel, user_block);
  int failed = file < 0 || put_all(file, results, count, created);
  if (file >= 0 && sd_hdf5_close(&channel, file) < 0) failed = 1;
  sd_hdf5_restore(voice);
  if (channel.failure)
    return sd_fail(error, SD_IO, "%s: cannot be written: write: %s", sd_path_shown(to->path),
                   channel.failure > 0 ? strerror(channel.failure) : "it became shorter meanwhile");
  return failed ? sd_fail(error, SD_FAILED, "%s: cannot be written: HDF5 failed", sd_path_shown(to->path)) : SD_OK;
}

static sd_status write_file(const sd_safe_file *to, const sd_result *const *results, size_t count, sd_error *error) {
  char created[32];
  time_t now = time(NULL);
  struct tm utc;
  size_t size;
  strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  char *record = sd_record_compose(results, count, created, &size);
  if (!record) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(to->path));
  sd_status status = write_body(to, results, count, created, user_block_for(size), error);
  if (!status) status = sd_safe_file_write(to, record, size, SD_SEAL_SIZE, error);
  free(record);
  return status ? status : sd_seal_write(to->fd, size, to->path, error);
}

static sd_status check_results(const sd_result *const *results, size_t count, const char *path, sd_error *error) {
  for (size_t i = 0; i < count; i++)
    if (results[i]->plan.starts.count && !results[i]->plan.starts.number)
      return sd_fail(error, SD_FAILED, "%s: the result does not have the starts of its bodies", sd_path_shown(path));
  return SD_OK;
}

sd_status sd_results_write_hdf5_as(sd_replacement replacement, const sd_result *const *results, size_t count,
                                   const char *path, sd_error *error) {
  sd_safe_file to;
  SD_TRY(check_results(results, count, path, error));
  SD_TRY(sd_safe_file_open(&to, path, error));
  sd_status status = write_file(&to, results, count, error);
  return sd_safe_file_close(&to, status, replacement, error);
}

sd_status sd_results_write_hdf5(const sd_result *const *results, size_t count, const char *path, sd_error *error) {
  return sd_results_write_hdf5_as(SD_REPLACE, results, count, path, error);
}
