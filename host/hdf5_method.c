#include "hdf5_method.h"

#include "kept.h"
#include "report_moments.h"
#include "statistics_list.h"

#include <math.h>
#include <stdlib.h>

/* ---- statistics ---- */

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
  size_t end = sd_kept_moments(result);
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

/* What the numbers of one are, with commas. */
static void describe_components(sd_hdf5_writer *w, hid_t dataset, const sd_family *family, int displaced) {
  char *names = sd_components(family, displaced, 0), *units = sd_components(family, displaced, 1);
  w->failed |= !names || !units;
  if (names && units) sd_hdf5_put_text(w, dataset, "components", names);
  if (names && units) sd_hdf5_put_text(w, dataset, "component_units", units);
  free(names);
  free(units);
}

static void put_moments(sd_hdf5_writer *w, hid_t method, hid_t time, const sd_result *result, size_t m) {
  sd_kept a;
  size_t first = sd_kept_moments(result), end = sd_kept_finals(result);
  if (first == end) return;
  hid_t group = sd_hdf5_make_group(w, method, "moments");
  sd_hdf5_put_text(w, group, "description", "the state over the members that had not failed, at the samples");
  for (size_t k = first; k < end && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    describe_components(w, dataset, result->spec->problem->family, k > first);
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
  put_moments(w, method, time, result, m);
  H5Dclose(time);
  H5Dclose(level);
  H5Gclose(group);
}

/* Matrices and vectors in space have the axes that are there for all of them. */
static hid_t put_states(sd_hdf5_writer *w, hid_t group, const sd_kept *a, const char *name) {
  hid_t dataset = put_kept(w, group, a, name);
  unsigned outer = (unsigned)a->outer;
  if (a->per_body) return dataset; /* bodies, and numbers of each */
  int inner = a->rank - a->outer,
      square = inner == 2 && a->shape[outer] == SD_HDF5_AXIS && a->shape[outer + 1] == SD_HDF5_AXIS;
  if (square) sd_hdf5_attach(w, dataset, w->rows, outer);
  if (square) sd_hdf5_attach(w, dataset, w->columns, outer + 1);
  if (inner == 1 && a->shape[outer] == SD_HDF5_AXIS) sd_hdf5_attach(w, dataset, w->components, outer);
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
                                   SD_MEMBER_NOT_FINITE, SD_MEMBER_ENDED};
  sd_hdf5_put_attribute(w, dataset, "flag_values", H5T_NATIVE_UINT8, sizeof values, values);
  sd_hdf5_put_text(w, dataset, "flag_meanings", "ok not_converged outside_domain not_finite ended");
}

static void put_finals(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  size_t status = sd_kept_finals(result);
  hid_t group = sd_hdf5_make_group(w, method, "final"),
        axis = put_bodies(w, group, sd_first_number(result->spec), result->spec->finals);
  sd_hdf5_put_text(w, group, "description", "the first members at the end of the run");
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
  sd_hdf5_put_text(w, group, "description", "the first members at every sample");
  for (size_t k = begin; !w->failed && k < sd_kept_points(result); k++) {
    sd_kept_at(result, m, k, &a);
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

/* Of some points, their numbers in the grid. */
static hid_t put_numbers(sd_hdf5_writer *w, hid_t group, const sd_specification *spec) {
  uint64_t *number = malloc(spec->points * sizeof *number);
  w->failed |= !number;
  for (size_t i = 0; number && i < spec->points; i++) number[i] = spec->first_point + i;
  sd_hdf5_shape s = sd_hdf5_column("point", H5T_NATIVE_UINT64, spec->points, "1", "numbers in the grid of the sweep");
  hid_t axis = number ? sd_hdf5_as_axis(w, sd_hdf5_put_dataset(w, group, &s, number), "point") : -1;
  free(number);
  return axis;
}

/* The axes of the points; returns how many. */
static int put_grid(sd_hdf5_writer *w, hid_t group, const sd_specification *spec, hid_t axis[SD_AXES_MAX]) {
  const sd_sweep *sweep = &spec->sweep;
  if (sd_is_part_of_sweep(spec)) return axis[0] = put_numbers(w, group, spec), 1;
  for (int k = 0; k < sweep->axes; k++) axis[k] = put_axis(w, group, &sweep->axis[k]);
  return sweep->axes;
}

/* What came of every member, column by column. */
static void put_table(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  size_t status = sd_kept_table(result);
  hid_t group = sd_hdf5_make_group(w, method, "table"), axis[SD_AXES_MAX + 1];
  sd_hdf5_put_text(w, group, "description", "every member: its energy over the run, and how it ended");
  int axes = put_grid(w, group, result->spec, axis);
  axis[axes] = put_bodies(w, group, result->spec->first_member, result->spec->each);
  for (size_t k = status; k < sd_kept_logs(result) && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    if (k == status) describe_status(w, dataset);
    for (int i = 0; i <= axes; i++) sd_hdf5_attach(w, dataset, axis[i], (unsigned)i);
    H5Dclose(dataset);
  }
  for (int k = 0; k <= axes; k++) H5Dclose(axis[k]);
  H5Gclose(group);
}

/* A dataset for every grid, and over these what came of the points. */
static void put_points(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  hid_t group = sd_hdf5_make_group(w, method, "points"), axis[SD_AXES_MAX];
  sd_hdf5_put_text(w, group, "description", "of a sweep: every point's ensemble");
  sd_hdf5_put_unsigned(w, group, "members", result->spec->each);
  int axes = put_grid(w, group, result->spec, axis);
  for (size_t k = sd_kept_points(result); k < sd_kept_table(result) && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    for (int i = 0; i < axes; i++) sd_hdf5_attach(w, dataset, axis[i], (unsigned)i);
    H5Dclose(dataset);
  }
  for (int k = 0; k < axes; k++) H5Dclose(axis[k]);
  H5Gclose(group);
}

/* What happened to every member, those of all points of a sweep one after the other. */
static void put_log(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  hid_t group = sd_hdf5_make_group(w, method, "events");
  sd_hdf5_put_text(w, group, "description", "what happened to every member, and when; NaN where it did not");
  for (int k = 0; k < result->spec->events; k++) {
    char name[24], when[SD_CONDITION_ROOM];
    snprintf(name, sizeof name, "event %d", k);
    sd_hdf5_put_text(w, group, name, sd_condition_text(&result->spec->event[k], when));
  }
  for (size_t k = sd_kept_logs(result); k < sd_kept_asked(result) && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    H5Dclose(put_kept(w, group, &a, a.name));
  }
  H5Gclose(group);
}

/* At given times. */
static void put_asked(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  size_t first = sd_kept_asked(result);
  hid_t group = sd_hdf5_make_group(w, method, "at");
  sd_hdf5_put_text(w, group, "description", "the state over the members that had not failed, at the times asked for");
  sd_kept_at(result, m, first, &a);
  hid_t time = sd_hdf5_as_axis(w, put_kept(w, group, &a, a.name), "time");
  for (size_t k = first + 1; k < sd_kept_shares(result) && !w->failed; k++) {
    sd_kept_at(result, m, k, &a);
    hid_t dataset = put_kept(w, group, &a, a.name);
    if (a.rank > 1) describe_components(w, dataset, result->spec->problem->family, a.rank > 2);
    sd_hdf5_attach(w, dataset, time, 0);
    H5Dclose(dataset);
  }
  H5Dclose(time);
  H5Gclose(group);
}

static void put_share(sd_hdf5_writer *w, hid_t method, const sd_result *result, size_t m) {
  sd_kept a;
  hid_t group = sd_hdf5_make_group(w, method, "merge");
  sd_hdf5_put_text(w, group, "description", "what makes one run of this and those that go on where it ends");
  for (size_t k = sd_kept_shares(result); !w->failed && sd_kept_at(result, m, k, &a); k++)
    H5Dclose(put_kept(w, group, &a, a.name));
  H5Gclose(group);
}

void sd_hdf5_put_method(sd_hdf5_writer *w, hid_t methods, const sd_result *result, size_t m) {
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
  if (!w->failed && result->spec->table) put_table(w, group, result, m);
  if (!w->failed && result->spec->events) put_log(w, group, result, m);
  if (!w->failed && result->spec->at.count) put_asked(w, group, result, m);
  if (!w->failed && result->spec->finals) put_finals(w, group, result, m);
  if (!w->failed && result->spec->recorded) put_trajectories(w, group, result, m);
  if (!w->failed && result->spec->mergeable) put_share(w, group, result, m);
  w->place += sd_kept_count(result);
  H5Gclose(group);
}
