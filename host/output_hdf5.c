#include "output_hdf5.h"

#include "build_info.h"
#include "digest.h"
#include "hdf5_file.h"
#include "hdf5_method.h"
#include "hdf5_particles.h"
#include "hdf5_put.h"
#include "hdf5_topology.h"
#include "kept.h"
#include "own.h"
#include "plan_text.h"
#include "record.h"
#include "run.h"
#include "safe_file.h"
#include "seal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- the head of the file ---- */

static hid_t put_index_axis(sd_hdf5_writer *w, hid_t file, const char *name, const char *description) {
  static const int32_t index[SD_HDF5_AXIS] = {0, 1, 2};
  sd_hdf5_shape s = sd_hdf5_column(name, H5T_NATIVE_INT32, SD_HDF5_AXIS, "1", description);
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

static void put_parameter(sd_hdf5_writer *w, hid_t group, const char *name, const sd_parameter *p,
                          const double *value) {
  if (H5Lexists(group, name, H5P_DEFAULT) > 0) return; /* shared by two methods, which have the same */
  sd_hdf5_shape s = {name, H5T_NATIVE_DOUBLE, p->count > 1, {(hsize_t)p->count}, {0}, "any", p->text, 0};
  H5Dclose(sd_hdf5_put_dataset(w, group, &s, value));
}

/* Has another method of the run a parameter of this name, with another value? */
static int is_ambiguous(const sd_specification *spec, const char *name, double value) {
  for (int m = 0; m < spec->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++)
      if (!strcmp(table[i]->name, name) && spec->method_parameters[m][i] != value) return 1;
  }
  return 0;
}

static void put_parameters(sd_hdf5_writer *w, hid_t plan_group, const sd_specification *spec) {
  hid_t group = sd_hdf5_make_group(w, plan_group, "param");
  const double *value = spec->parameters;
  for (const sd_parameter *p = spec->problem->parameter; p->name; value += p++->count)
    put_parameter(w, group, p->name, p, value);
  for (int m = 0; m < spec->method_count; m++) {
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(spec->methods[m].entry, table);
    for (int i = 0; i < count; i++) {
      const double *value = &spec->method_parameters[m][i];
      char name[SD_TARGET_ROOM];
      if (is_ambiguous(spec, table[i]->name, *value))
        snprintf(name, sizeof name, "%s.%s", spec->methods[m].name, table[i]->name);
      else snprintf(name, sizeof name, "%s", table[i]->name);
      put_parameter(w, group, name, table[i], value);
    }
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
  if (result->spec->topology && !sd_is_swept(result->spec))
    sd_hdf5_put_topology(w, run, sd_topology_of(result->spec->topology));
  for (size_t m = 0; m < sd_result_count(result) && !w->failed; m++) sd_hdf5_put_method(w, methods, result, m);
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
  for (size_t i = 0; i < count && !w.failed; i++) sd_hdf5_put_particles(&w, file, results[i], i);
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

static int write_with_hdf5(sd_hdf5_channel *channel, const document *d, hsize_t user_block) {
  sd_hdf5_voice voice = sd_hdf5_enter();
  hid_t file = sd_hdf5_create(channel, user_block);
  int failed = file < 0 || put_all(file, d);
  if (file >= 0 && sd_hdf5_close(channel, file) < 0) failed = 1;
  sd_hdf5_leave(voice);
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
