/* input_hdf5.c - result files read back.  HDF5 sees a file only after every byte of it was found to be as written. */
#include "escape.h"
#include "hdf5_file.h"
#include "output_hdf5.h"
#include "plan_text.h"
#include "safe_file.h"
#include "seal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *path; /* as messages show it */
  sd_error *error;
  uint64_t size;
  sd_hdf5_channel channel;
  sd_hdf5_voice voice;
  hid_t file;
} reader;

/* ---- opening ---- */

static sd_status open_and_check(reader *r, const char *path) {
  r->channel.fd = sd_open_regular(path, &r->size);
  if (r->channel.fd < 0) return sd_fail(r->error, SD_IO, "%s: cannot be read: %s", r->path, strerror(errno));
  return sd_seal_check(r->channel.fd, r->size, path, r->error);
}

static void close_reader(reader *r) {
  if (r->file >= 0) H5Fclose(r->file);
  if (r->channel.fd >= 0) close(r->channel.fd);
  sd_hdf5_restore(r->voice);
}

static sd_status open_reader(reader *r, const char *path, sd_error *error) {
  *r = (reader){.path = sd_path_shown(path), .error = error, .file = -1, .channel = {.fd = -1}};
  r->voice = sd_hdf5_hush();
  sd_status status = open_and_check(r, path);
  if (!status && (r->file = sd_hdf5_open(&r->channel)) < 0)
    status = sd_fail(error, SD_BAD_INPUT, "%s: HDF5 cannot read it", r->path);
  if (status) close_reader(r);
  return status;
}

sd_status sd_result_file_verify(const char *path, sd_error *error) {
  reader r;
  SD_TRY(open_reader(&r, path, error));
  close_reader(&r);
  return SD_OK;
}

/* ---- attributes ---- */

static sd_status lacks(const reader *r, const char *name) {
  return sd_fail(r->error, SD_BAD_INPUT, "%s: it has no '%s' that can be read", r->path, name);
}

/* Of variable length in the file; to be freed with H5free_memory. */
static sd_status get_text(const reader *r, hid_t object, const char *name, char **text) {
  *text = NULL;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  if (H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, text) < 0)
    *text = NULL;
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return *text ? SD_OK : lacks(r, name);
}

static sd_status get_number(const reader *r, hid_t object, const char *name, hid_t type, void *value) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  int good = H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, value) >= 0;
  H5Sclose(space);
  H5Aclose(attribute);
  return good ? SD_OK : lacks(r, name);
}

static sd_status get_count(const reader *r, size_t *count) {
  uint64_t number;
  hid_t runs = H5Gopen2(r->file, "runs", H5P_DEFAULT);
  sd_status status = get_number(r, runs, "count", H5T_NATIVE_UINT64, &number);
  H5Gclose(runs);
  if (!status) *count = (size_t)number;
  return status;
}

sd_status sd_result_file_runs(const char *path, size_t *count, sd_error *error) {
  reader r;
  SD_TRY(open_reader(&r, path, error));
  sd_status status = get_count(&r, count);
  close_reader(&r);
  return status;
}

/* ---- a plan ---- */

/* Rows of `width` numbers; to be freed. */
static sd_status get_rows(const reader *r, hid_t group, const char *name, hid_t type, hsize_t width, void **values,
                          size_t *rows) {
  hsize_t size[2] = {0, 1};
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  int rank = H5Sget_simple_extent_ndims(space);
  *values = NULL;
  if ((rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] == width &&
      size[0] < SIZE_MAX / 64) {
    *rows = (size_t)size[0];
    *values = malloc((*rows + 1) * (size_t)width * H5Tget_size(type));
    if (*values && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0) {
      free(*values);
      *values = NULL;
    }
  }
  H5Sclose(space);
  H5Dclose(dataset);
  return *values ? SD_OK : lacks(r, name);
}

static sd_status set_starts(const reader *r, hid_t group, sd_plan *plan) {
  void *body = NULL, *attitude = NULL, *velocity = NULL;
  size_t rows = 0, attitudes = 0, velocities = 0;
  int problem = 0;
  SD_TRY(sd_find_problem(plan->problem_name, &problem, r->error));
  const sd_family *family = sd_family_of(problem);
  const size_t slots = (size_t)family->sigma[0].slots;
  sd_status status = get_rows(r, group, "body", H5T_NATIVE_UINT64, 1, &body, &rows);
  if (!status) status = get_rows(r, group, family->quantity[0].name, H5T_NATIVE_DOUBLE, slots, &attitude, &attitudes);
  if (!status) status = get_rows(r, group, family->quantity[1].name, H5T_NATIVE_DOUBLE, 3, &velocity, &velocities);
  if (!status && (attitudes != rows || velocities != rows)) status = lacks(r, "starts");
  for (size_t i = 0; i < rows && !status; i++) {
    status = (slots == 4 ? sd_plan_set_start : sd_plan_set_point)(plan, (size_t)((uint64_t *)body)[i],
                                                                  (double *)attitude + slots * i, (double *)velocity + 3 * i);
    if (status) sd_fail(r->error, status, "%s: %.300s", r->path, sd_plan_message(plan));
  }
  free(body);
  free(attitude);
  free(velocity);
  return status;
}

static sd_status make_plan(const reader *r, hid_t group, sd_plan **plan) {
  char *settings;
  SD_TRY(get_text(r, group, "settings", &settings));
  sd_status status = sd_plan_from_text(r->path, settings, plan, r->error);
  H5free_memory(settings);
  if (status || H5Lexists(group, "starts", H5P_DEFAULT) <= 0) return status;
  hid_t starts = H5Gopen2(group, "starts", H5P_DEFAULT);
  status = set_starts(r, starts, *plan);
  H5Gclose(starts);
  return status;
}

static hid_t open_run(const reader *r, size_t index) {
  char name[40];
  snprintf(name, sizeof name, "runs/%zu", index);
  return H5Gopen2(r->file, name, H5P_DEFAULT);
}

static sd_status get_plan(const reader *r, size_t index, sd_plan **plan, char digest[33]) {
  size_t count = 0;
  uint64_t methods = 0;
  char *text;
  SD_TRY(get_count(r, &count));
  if (index >= count)
    return sd_fail(r->error, SD_BAD_INPUT, "%s: there is no run %zu: it has %zu, from 0 on", r->path, index, count);
  hid_t run = open_run(r, index), group = H5Gopen2(run, "plan", H5P_DEFAULT);
  sd_status status = get_text(r, run, "digest", &text);
  if (!status) snprintf(digest, 33, "%s", text);
  if (!status) H5free_memory(text);
  if (!status) status = get_number(r, run, "methods_done", H5T_NATIVE_UINT64, &methods);
  if (!status && !methods)
    status =
        sd_fail(r->error, SD_BAD_INPUT, "%s: run %zu was interrupted before its first method was done", r->path, index);
  if (!status) status = make_plan(r, group, plan);
  H5Gclose(group);
  H5Gclose(run);
  return status;
}

sd_status sd_result_file_plan(const char *path, size_t index, sd_plan **plan, char digest[33], sd_error *error) {
  reader r;
  *plan = NULL;
  SD_TRY(open_reader(&r, path, error));
  sd_status status = get_plan(&r, index, plan, digest);
  close_reader(&r);
  if (!status) return SD_OK;
  sd_plan_destroy(*plan);
  *plan = NULL;
  return status;
}

/* ---- a summary for people ---- */

static void print_text(const reader *r, hid_t object, const char *name, const char *format, FILE *to) {
  sd_error ignored = {0};
  reader quiet = *r;
  char *text;
  quiet.error = &ignored;
  if (get_text(&quiet, object, name, &text)) return;
  char *shown = sd_escaped(text);
  if (shown) fprintf(to, format, shown);
  free(shown);
  H5free_memory(text);
}

static double statistic(hid_t method, const char *name) {
  double value = 0;
  hid_t dataset = H5Dopen2(method, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  if (H5Sget_simple_extent_npoints(space) == 1)
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
  H5Sclose(space);
  H5Dclose(dataset);
  return value;
}

static void print_name(const char *name, FILE *to) {
  char *shown = sd_escaped(name);
  fprintf(to, "  %-14s ", shown ? shown : "?");
  free(shown);
}

static void print_method(const reader *r, hid_t run, const char *name, FILE *to) {
  uint64_t failed = 0;
  sd_error ignored = {0};
  reader quiet = *r;
  quiet.error = &ignored;
  hid_t methods = H5Gopen2(run, "methods", H5P_DEFAULT), method = H5Gopen2(methods, name, H5P_DEFAULT);
  if (method >= 0) {
    get_number(&quiet, method, "failed", H5T_NATIVE_UINT64, &failed);
    print_name(name, to);
    print_text(r, method, "verdict", "%-9s", to);
    fprintf(to, "  slope of E %+.3e  max|E-E0| %.2e", statistic(method, "statistics/slope_mean"),
            statistic(method, "statistics/energy_max_abs_error"));
    if (failed) fprintf(to, "  %llu failed", (unsigned long long)failed);
    if (H5Lexists(method, "final", H5P_DEFAULT) > 0) fputs("  final states", to);
    if (H5Lexists(method, "trajectories", H5P_DEFAULT) > 0) fputs("  trajectories", to);
    putc('\n', to);
  } else {
    print_name(name, to);
    fputs("not done\n", to);
  }
  H5Gclose(method);
  H5Gclose(methods);
}

static sd_status print_methods(const reader *r, hid_t run, hid_t plan, FILE *to) {
  char *names;
  SD_TRY(get_text(r, plan, "method", &names));
  char *list = names;
  for (char *name; (name = sd_next_item(&list));) print_method(r, run, name, to);
  H5free_memory(names);
  return SD_OK;
}

static sd_status print_run(const reader *r, size_t index, FILE *to) {
  uint64_t bodies = 0, seed = 0;
  int64_t steps = 0, threads = 0;
  double step = 0;
  hid_t run = open_run(r, index), plan = H5Gopen2(run, "plan", H5P_DEFAULT);
  sd_status status = get_number(r, plan, "bodies", H5T_NATIVE_UINT64, &bodies);
  if (!status) status = get_number(r, plan, "seed", H5T_NATIVE_UINT64, &seed);
  if (!status) status = get_number(r, plan, "steps", H5T_NATIVE_INT64, &steps);
  if (!status) status = get_number(r, plan, "step", H5T_NATIVE_DOUBLE, &step);
  if (!status) status = get_number(r, run, "threads", H5T_NATIVE_INT64, &threads);
  if (!status) {
    fprintf(to, "\nrun %zu: ", index);
    print_text(r, plan, "problem", "%s, ", to);
    fprintf(to, "%llu bod%s, %lld steps of %.15g, seed %llu", (unsigned long long)bodies, bodies == 1 ? "y" : "ies",
            (long long)steps, step, (unsigned long long)seed);
    print_text(r, run, "backend", " (%s", to);
    print_text(r, run, "variant", ", %s", to);
    fprintf(to, ", %lld thread%s)\n", (long long)threads, threads == 1 ? "" : "s");
    print_text(r, run, "digest", "  digest %s\n", to);
    status = print_methods(r, run, plan, to);
  }
  H5Gclose(plan);
  H5Gclose(run);
  return status;
}

static sd_status print_all(const reader *r, FILE *to) {
  size_t count = 0;
  int64_t complete = 0;
  SD_TRY(get_count(r, &count));
  SD_TRY(get_number(r, r->file, "complete", H5T_NATIVE_INT64, &complete));
  sd_print_escaped(to, r->path, strlen(r->path));
  fprintf(to, ": result of %zu run%s, %llu bytes, format %d, checksum good%s\n", count,
          count == 1 ? "" : "s", (unsigned long long)r->size, SD_RESULT_FORMAT, complete ? "" : ", incomplete");
  print_text(r, r->file, "created", "written %s", to);
  print_text(r, r->file, "spindrift", " by spindrift %s", to);
  print_text(r, r->file, "compiler", " (%s", to);
  print_text(r, r->file, "flags", ", %s)\n", to);
  print_text(r, r->file, "digest", "digest %s\n", to);
  for (size_t i = 0; i < count; i++) SD_TRY(print_run(r, i, to));
  if (fflush(to) || ferror(to)) return sd_fail(r->error, SD_IO, "the summary cannot be written: %s", strerror(errno));
  return SD_OK;
}

sd_status sd_result_file_info(const char *path, FILE *to, sd_error *error) {
  reader r;
  SD_TRY(open_reader(&r, path, error));
  sd_status status = print_all(&r, to);
  close_reader(&r);
  return status;
}
