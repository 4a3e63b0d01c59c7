#include "output_hdf5.h"

#include "build_info.h"
#include "digest.h"
#include "ensemble.h"
#include "hdf5_file.h"
#include "hdf5_put.h"
#include "hdf5_topology.h"
#include "kept.h"
#include "own.h"
#include "plan_text.h"
#include "record.h"
#include "run.h"
#include "safe_file.h"
#include "seal.h"
#include "statistics_list.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void put_options(sd_hdf5_writer *w, hid_t group, const sd_specification *spec) {
  sd_option o;
  for (size_t i = 0; sd_option_at(i, &o); i++) {
    sd_resolved number = sd_specification_number(spec, &o);
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

static void put_parameters(sd_hdf5_writer *w, hid_t plan_group, const sd_specification *spec) {
  hid_t group = sd_hdf5_make_group(w, plan_group, "param");
  const double *value = spec->parameters;
  for (const sd_parameter *p = spec->problem->parameter; p->name; value += p++->count)
    put_parameter(w, group, p, value);
  for (int m = 0; m < spec->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++) put_parameter(w, group, table[i], &spec->method_parameters[m][i]);
  }
  H5Gclose(group);
}

/* Of a table. */
static void put_column(sd_hdf5_writer *w, hid_t group, const sd_specification *spec, int k, double *column) {
  const sd_starts *s = &spec->starts;
  const char *name = spec->sweep.columns;
  char own[SD_TARGET_ROOM];
  for (int i = 0; i < k; i++) name += strcspn(name, ",") + 1;
  snprintf(own, sizeof own, "%.*s", (int)strcspn(name, ","), name);
  for (size_t i = 0; i < s->count; i++) column[i] = s->number[i * s->width + (size_t)k];
  sd_hdf5_shape shape = sd_hdf5_column(own, H5T_NATIVE_DOUBLE, s->count, "any", "of a member; NaN: as of all");
  H5Dclose(sd_hdf5_put_dataset(w, group, &shape, column));
}

/* Column by column: an array of structures is not what other programs like to read. */
static void put_starts(sd_hdf5_writer *w, hid_t plan_group, const sd_specification *spec) {
  const sd_starts *starts = &spec->starts;
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
  if (*spec->sweep.columns) sd_hdf5_put_text(w, group, "columns", spec->sweep.columns);
  for (int k = 0; k < spec->targets.columns && !w->failed; k++) put_column(w, group, spec, k, column);
  for (const sd_start_array *a = spec->problem->family->start; a->name && !w->failed && !spec->targets.columns;
       first += (size_t)a++->count) {
    size_t n = (size_t)a->count;
    if (!n) continue;
    for (size_t i = 0; i < count; i++)
      memcpy(column + i * n, starts->number + i * starts->width + first, n * sizeof *column);
    sd_hdf5_shape s = {a->name, H5T_NATIVE_DOUBLE, 2, {count, n}, {4096, 0}, a->units, a->text, 0};
    H5Dclose(sd_hdf5_put_dataset(w, group, &s, column));
  }
  free(column);
  free(member);
  H5Gclose(group);
}

/* The text that describes the system, and its digest. */
static void put_document(sd_hdf5_writer *w, hid_t group, const sd_document *document) {
  char digest[33];
  sd_document_digest(document, digest);
  sd_hdf5_put_text(w, group, "system", sd_document_bytes(document));
  sd_hdf5_put_text(w, group, "system_digest", digest);
}

/* Texts of the user's own: problem_ID_source, method_ID_source. */
static void put_sources(sd_hdf5_writer *w, hid_t group, const sd_family *family) {
  const sd_source *s;
  for (int i = 0; (s = sd_own_source(family, i)); i++) {
    char name[SD_SOURCE_NAME + 16];
    snprintf(name, sizeof name, "%s_%s_source", sd_source_kind_text(s->kind), s->id);
    sd_hdf5_put_text(w, group, name, sd_document_bytes(s->document));
  }
}

static void put_plan(sd_hdf5_writer *w, hid_t run, const sd_result *result) {
  const sd_specification *spec = result->spec;
  hid_t group = sd_hdf5_make_group(w, run, "plan");
  char *settings = sd_specification_text(spec, sd_result_count(result));
  char *methods = sd_specification_methods(spec, (size_t)spec->method_count);
  char *descriptions = sd_specification_descriptions(spec);
  w->failed |= !settings || !methods || !descriptions;
  if (!w->failed) {
    sd_hdf5_put_text(w, group, "problem", spec->problem->id);
    if (sd_described_by(spec)) put_document(w, group, sd_described_by(spec));
    put_sources(w, group, spec->problem->family);
    sd_hdf5_put_text(w, group, "method", methods);
    put_options(w, group, spec);
    sd_hdf5_put_real(w, group, "time", spec->total_time);
    sd_hdf5_put_text(w, group, "settings", settings);
    sd_hdf5_put_text(w, group, "descriptions", descriptions);
    put_parameters(w, group, spec);
    put_starts(w, group, spec);
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

/* The step numbers beside a time axis. */
static void put_steps(sd_hdf5_writer *w, hid_t group, hid_t axis, const double *time, size_t stride, size_t count,
                      double h) {
  int64_t *step = malloc((count + 1) * sizeof *step);
  w->failed |= !step;
  for (size_t i = 0; step && i < count; i++) step[i] = (int64_t)nearbyint(time[i * stride] / h);
  sd_hdf5_shape steps = sd_hdf5_column("step", H5T_NATIVE_INT64, count, "1", "time step of the sample");
  if (step) {
    hid_t dataset = sd_hdf5_put_dataset(w, group, &steps, step);
    sd_hdf5_attach(w, dataset, axis, 0);
    H5Dclose(dataset);
  }
  free(step);
}

/* ---- what is kept of samples and states ---- */

/* As it lies in memory, row after row; in the file it is in one piece, from a place on that the record names. */
static hid_t put_kept(sd_hdf5_writer *w, hid_t group, const sd_kept *a, const char *name) {
  const hid_t on_disk[] = {H5T_IEEE_F64LE, H5T_STD_U64LE, H5T_STD_U8LE};
  const hid_t here[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_UINT64, H5T_NATIVE_UINT8};
  sd_hdf5_shape form = {.name = name,
                        .type = on_disk[a->kind],
                        .rank = a->rank,
                        .units = a->units,
                        .description = a->text,
                        .in_one_piece = 1};
  for (int i = 0; i < a->rank; i++) form.size[i] = a->shape[i];
  hid_t dataset = sd_hdf5_make_dataset(w, group, &form);
  const hsize_t lies[2] = {a->rows, a->stride}, from[2] = {0, 0}, taken[2] = {a->rows, a->width};
  hid_t memory = sd_hdf5_made(w, H5Screate_simple(2, lies, NULL));
  sd_hdf5_done(w, H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, taken, NULL));
  sd_hdf5_done(w, H5Dwrite(dataset, here[a->kind], memory, H5S_ALL, H5P_DEFAULT, a->data));
  H5Sclose(memory);
  w->place[a->index] = H5Dget_offset(dataset);
  w->failed |= w->place[a->index] == HADDR_UNDEF;
  return dataset;
}

/* Energies by kind and the like, beside the series of E - E0 and at the same times. */
static void put_ledger(sd_hdf5_writer *w, hid_t method, hid_t time, const sd_result *result, size_t m) {
  sd_kept a;
  size_t end = sd_kept_finals(result);
  if (end == SD_SAMPLE_QUANTITIES) return;
  hid_t group = sd_hdf5_make_group(w, method, "ledger");
  sd_hdf5_put_text(w, group, "description", "energies by kind, momenta and extremes over the members, at the samples");
  for (size_t k = SD_SAMPLE_QUANTITIES; k < end && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    sd_hdf5_attach(w, dataset, time, 0);
    H5Dclose(dataset);
  }
  H5Gclose(group);
}

static void put_series(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  hid_t group = sd_hdf5_make_group(w, method, "energy_error");
  sd_hdf5_put_text(w, group, "description", "E - E0 over the members that had not failed, at the samples");
  sd_hdf5_shape levels = sd_hdf5_column("level", H5T_NATIVE_DOUBLE, SD_QUANTILES, "1", "level of the quantile");
  hid_t level = sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &levels, sd_quantile_levels), "level");
  sd_kept_at(result, m, SD_SAMPLE_time, &a);
  hid_t time = sd_hdf5_as_axis(w, put_kept(w, group, &a, a.name), "time");
  put_steps(w, group, time, a.data, a.stride, a.rows, result->spec->h);
  for (size_t k = 0; k < SD_SAMPLE_QUANTITIES && !w->failed; k++) {
    if (k == SD_SAMPLE_time) continue; /* the axis */
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    sd_hdf5_attach(w, dataset, time, 0);
    if (a.rank > 1) sd_hdf5_attach(w, dataset, level, 1);
    H5Dclose(dataset);
  }
  put_ledger(w, method, time, result, m);
  H5Dclose(time);
  H5Dclose(level);
  H5Gclose(group);
}

/* Matrices and vectors in space have the axes that are there for all of them. */
static hid_t put_states(sd_hdf5_writer *w, hid_t group, const sd_kept *a, const char *name) {
  hid_t dataset = put_kept(w, group, a, name);
  unsigned outer = (unsigned)a->outer;
  if (a->per_body) return dataset; /* bodies, and numbers of each */
  int inner = a->rank - a->outer, square = inner == 2 && a->shape[outer] == AXIS && a->shape[outer + 1] == AXIS;
  if (square) sd_hdf5_attach(w, dataset, w->rows, outer);
  if (square) sd_hdf5_attach(w, dataset, w->columns, outer + 1);
  if (inner == 1 && a->shape[outer] == AXIS) sd_hdf5_attach(w, dataset, w->components, outer);
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
static void describe_status(sd_hdf5_writer *w, hid_t dataset) {
  static const uint8_t values[] = {SD_MEMBER_OK, SD_MEMBER_NOT_CONVERGED, SD_MEMBER_OUTSIDE_DOMAIN,
                                   SD_MEMBER_NOT_FINITE};
  sd_hdf5_put_attribute(w, dataset, "flag_values", H5T_NATIVE_UINT8, sizeof values, values);
  sd_hdf5_put_text(w, dataset, "flag_meanings", "ok not_converged outside_domain not_finite");
}

static void put_finals(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  size_t status = sd_kept_finals(result);
  hid_t group = sd_hdf5_make_group(w, method, "final"),
        axis = put_bodies(w, group, result->spec->first_member, result->spec->finals);
  sd_hdf5_put_text(w, group, "description", "the first bodies at the end of the run");
  for (size_t k = status; k < sd_kept_trajectories(result) && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_states(w, group, &a, a.name);
    if (k == status) describe_status(w, dataset);
    sd_hdf5_attach(w, dataset, axis, 0);
    H5Dclose(dataset);
  }
  H5Dclose(axis);
  H5Gclose(group);
}

static hid_t put_times(sd_hdf5_writer *w, hid_t group, const sd_result *result) {
  size_t count = sd_result_trajectory_samples(result);
  double *time = malloc((count + 1) * sizeof *time);
  hid_t axis = -1;
  w->failed |= !time;
  for (size_t k = 0; time && k < count; k++) time[k] = sd_result_trajectory_time(result, k);
  sd_hdf5_shape times = sd_hdf5_column("time", H5T_NATIVE_DOUBLE, count, "time", "time of the sample");
  if (time) axis = sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &times, time), "time");
  if (time) put_steps(w, group, axis, time, 1, count, result->spec->h);
  free(time);
  return axis;
}

/* The axes are there once, in the first group; the others have links to them. */
static void put_trajectories(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  static const char *const shared[] = {"time", "step", "body"};
  sd_kept a;
  size_t begin = sd_kept_trajectories(result);
  hid_t group = sd_hdf5_make_group(w, method, "trajectories"), first = -1, times = -1, bodies = -1;
  sd_hdf5_put_text(w, group, "description", "the first bodies at every sample");
  for (size_t k = begin; !w->failed && sd_kept_at(result, m, k, &a); k++) {
    hid_t own = sd_hdf5_make_group(w, group, a.name);
    if (k == begin) {
      first = own;
      times = put_times(w, own, result);
      bodies = put_bodies(w, own, result->spec->first_member, result->spec->recorded);
    }
    for (int i = 0; i < 3 && own != first; i++)
      sd_hdf5_done(w, H5Lcreate_hard(first, shared[i], own, shared[i], H5P_DEFAULT, H5P_DEFAULT));
    hid_t dataset = put_states(w, own, &a, "value");
    sd_hdf5_attach(w, dataset, times, 0);
    sd_hdf5_attach(w, dataset, bodies, 1);
    H5Dclose(dataset);
    if (own != first) H5Gclose(own);
  }
  H5Dclose(bodies);
  H5Dclose(times);
  H5Gclose(first);
  H5Gclose(group);
}

static hid_t put_axis(sd_hdf5_writer *w, hid_t group, const sd_axis *a) {
  double *value = malloc(a->count * sizeof *value);
  char name[SD_TARGET_ROOM + 8];
  snprintf(name, sizeof name, "axis %s", a->name);
  w->failed |= !value;
  for (size_t i = 0; value && i < a->count; i++) value[i] = sd_axis_value(a, i);
  sd_hdf5_shape s = sd_hdf5_column(name, H5T_NATIVE_DOUBLE, a->count, "any", "values of the grid");
  hid_t axis = value ? sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &s, value), a->name) : -1;
  free(value);
  return axis;
}

/* A dataset for every grid, and over these what came of the points. */
static void put_points(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  const sd_sweep *sweep = &result->spec->sweep;
  sd_kept a;
  hid_t group = sd_hdf5_make_group(w, method, "points"), axis[SD_AXES_MAX];
  sd_hdf5_put_text(w, group, "description", "of a sweep: every point's ensemble");
  sd_hdf5_put_unsigned(w, group, "members", result->spec->each);
  for (int k = 0; k < sweep->axes; k++) axis[k] = put_axis(w, group, &sweep->axis[k]);
  for (size_t k = sd_kept_points(result); !w->failed && sd_kept_at(result, m, k, &a); k++) {
    hid_t dataset = put_kept(w, group, &a, a.name);
    for (int i = 0; i < sweep->axes; i++) sd_hdf5_attach(w, dataset, axis[i], (unsigned)i);
    H5Dclose(dataset);
  }
  for (int k = 0; k < sweep->axes; k++) H5Dclose(axis[k]);
  H5Gclose(group);
}

static void put_method(sd_hdf5_writer *w, hid_t methods, const sd_result *result, size_t m) {
  const sd_summary *summary = sd_result_summary(result, m);
  const sd_method_entry *entry = result->spec->methods[m].entry;
  hid_t group = sd_hdf5_make_group(w, methods, summary->method);
  sd_hdf5_put_text(w, group, "method", summary->method);
  sd_hdf5_put_text(w, group, "title", entry->title);
  sd_hdf5_put_text(w, group, "doi", entry->doi);
  sd_hdf5_put_text(w, group, "verdict", sd_verdict_text(summary->verdict));
  sd_hdf5_put_text(w, group, "because", summary->because);
  sd_hdf5_put_unsigned(w, group, "place", m);
  sd_hdf5_put_unsigned(w, group, "bodies", summary->members);
  sd_hdf5_put_unsigned(w, group, "failed", summary->failed);
  sd_hdf5_put_real(w, group, "seconds", summary->seconds);
  sd_hdf5_put_real(w, group, "ns_per_body_step", summary->ns_per_body_step);
  put_statistics(w, group, entry->family, summary);
  if (!w->failed && !sd_is_swept(result->spec)) put_series(w, group, result, m);
  if (!w->failed && sd_is_swept(result->spec)) put_points(w, group, result, m);
  if (!w->failed && result->spec->finals) put_finals(w, group, result, m);
  if (!w->failed && result->spec->recorded) put_trajectories(w, group, result, m);
  w->place += sd_kept_count(result);
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
  if (result->spec->topology) sd_hdf5_put_topology(w, run, sd_topology_of(result->spec->topology));
  for (size_t m = 0; m < sd_result_count(result) && !w->failed; m++) put_method(w, methods, result, m);
  H5Gclose(methods);
  H5Gclose(run);
}

/* What is written, and where its arrays come to lie. */
typedef struct {
  const sd_result *const *results;
  size_t count;
  const char *created;
  uint64_t *places; /* of what is kept of every method of every run, one after the other */
} document;

static int put_all(hid_t file, const document *d) {
  const sd_result *const *results = d->results;
  size_t count = d->count;
  sd_hdf5_writer w = {.place = d->places};
  put_head(&w, file, results, count, d->created);
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
 * result, for hdf5_file.c limits what it keeps, and arrays are written from where they are. */
static int has_room_for_hdf5(void) {
  enum { HDF5_TAKES = 32 << 20 };
  void *volatile room = malloc(HDF5_TAKES);
  int there = room != NULL;
  free(room);
  return there;
}

/* HDF5 is used by one thread at a time. */
static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;

static int write_with_hdf5(sd_hdf5_channel *channel, const document *d, hsize_t user_block) {
  pthread_mutex_lock(&hdf5);
  sd_hdf5_voice voice = sd_hdf5_hush();
  hid_t file = sd_hdf5_create(channel, user_block);
  int failed = file < 0 || put_all(file, d);
  if (file >= 0 && sd_hdf5_close(channel, file) < 0) failed = 1;
  sd_hdf5_restore(voice);
  pthread_mutex_unlock(&hdf5);
  return failed;
}

static sd_status write_body(int fd, const char *name, const document *d, hsize_t user_block, sd_error *error) {
  sd_hdf5_channel channel = {.fd = fd};
  if (!has_room_for_hdf5()) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  int failed = write_with_hdf5(&channel, d, user_block);
  if (channel.failure)
    return sd_fail(error, SD_IO, "%s: cannot be written: write: %s", name,
                   channel.failure > 0 ? strerror(channel.failure) : "it became shorter meanwhile");
  return failed ? sd_fail(error, SD_FAILED, "%s: cannot be written: HDF5 failed", name) : SD_OK;
}

/* The record is composed twice: to know its length, before which HDF5 cannot begin, and when all places are known. */
static sd_status write_parts(int fd, const char *name, const document *d, sd_error *error) {
  size_t size;
  char *record = sd_record_compose(d->results, d->count, d->created, d->places, &size);
  free(record);
  if (!record) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  SD_TRY(write_body(fd, name, d, user_block_for(size), error));
  record = sd_record_compose(d->results, d->count, d->created, d->places, &size);
  if (!record) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  int failed = sd_write_all(fd, record, size, SD_SEAL_SIZE);
  free(record);
  if (failed) return sd_fail(error, SD_IO, "%s: cannot be written: write: %s", name, strerror(errno));
  return sd_seal_write(fd, size, name, error);
}

/* A whole file, into one that is empty. */
static sd_status write_file(int fd, const char *path, const sd_result *const *results, size_t count, sd_error *error) {
  char created[32];
  time_t now = time(NULL);
  struct tm utc;
  const char *name = sd_path_shown(path);
  strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  size_t arrays = 0;
  for (size_t i = 0; i < count; i++) arrays += sd_result_count(results[i]) * sd_kept_count(results[i]);
  document d = {results, count, created, calloc(arrays + 1, sizeof *d.places)};
  sd_status status =
      d.places ? write_parts(fd, name, &d, error) : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  free(d.places);
  return status;
}

sd_status sd_hdf5_built_in(const char *path, sd_error *error) {
  (void)path, (void)error;
  return SD_OK;
}

sd_status sd_results_write_hdf5_as(sd_replacement replacement, const sd_result *const *results, size_t count,
                                   const char *path, sd_error *error) {
  sd_safe_file to;
  SD_TRY(sd_safe_file_open(&to, path, error));
  sd_status status = write_file(to.fd, to.path, results, count, error);
  return sd_safe_file_close(&to, status, replacement, error);
}

sd_status sd_results_write_hdf5(const sd_result *const *results, size_t count, const char *path, sd_error *error) {
  return sd_results_write_hdf5_as(SD_REPLACE, results, count, path, error);
}

/* ---- in memory ---- */

static sd_status read_back(int fd, void **bytes, size_t *size, sd_error *error) {
  struct stat about;
  if (fstat(fd, &about)) return sd_fail(error, SD_IO, "result: cannot be read: %s", strerror(errno));
  *size = (size_t)about.st_size;
  *bytes = malloc(*size);
  if (!*bytes) return sd_fail(error, SD_NO_MEMORY, "result: out of memory");
  if (!sd_read_all(fd, *bytes, *size, 0)) return SD_OK;
  free(*bytes);
  *bytes = NULL;
  return sd_fail(error, SD_IO, "result: cannot be read: %s", strerror(errno));
}

/* By way of a file without a name, so that there is one way to write them. */
sd_status sd_results_hdf5(const sd_result *const *results, size_t count, void **bytes, size_t *size,
                          char message[512]) {
  sd_error error = {0};
  *bytes = NULL;
  *size = 0;
  FILE *file = tmpfile();
  sd_status status =
      file ? SD_OK : sd_fail(&error, SD_IO, "result: no temporary file can be made: %s", strerror(errno));
  if (!status) status = write_file(fileno(file), "result", results, count, &error);
  if (!status) status = read_back(fileno(file), bytes, size, &error);
  if (file) fclose(file);
  memcpy(message, error.message, sizeof error.message);
  return status;
}
