#include "result_file.h"

#include "escape.h"
#include "outcome.h"
#include "record.h"
#include "safe_file.h"
#include "seal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sd_result_file {
  char *path;
  int fd;
  uint64_t size;
  sd_record record;
};

/* Memory is taken for a record that is there, not for what the seal claims. */
static sd_status read_record(sd_result_file *file, const char *path, sd_error *error) {
  uint64_t size;
  SD_TRY(sd_seal_check(file->fd, file->size, path, &size, error));
  char *text = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
  if (!text) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  if (!sd_read_all(file->fd, text, (size_t)size, SD_SEAL_SIZE))
    return sd_record_parse(&file->record, sd_path_shown(path), text, (size_t)size, error);
  free(text);
  return sd_fail(error, SD_IO, "%s: cannot be read: %s", sd_path_shown(path),
                 errno ? strerror(errno) : "it became shorter meanwhile");
}

sd_status sd_result_file_open(const char *path, sd_result_file **opened, sd_error *error) {
  sd_result_file *file = *opened = calloc(1, sizeof *file);
  if (!file) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  file->path = strdup(path);
  file->fd = sd_open_regular(path, &file->size);
  sd_status status = SD_OK;
  if (!file->path) status = sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  else if (file->fd < 0) status = sd_fail(error, SD_IO, "%s: cannot be read: %s", sd_path_shown(path), strerror(errno));
  if (!status) status = read_record(file, path, error);
  if (!status) return SD_OK;
  sd_result_file_close(file);
  *opened = NULL;
  return status;
}

void sd_result_file_close(sd_result_file *file) {
  if (!file) return;
  if (file->fd >= 0) close(file->fd);
  sd_record_free(&file->record);
  free(file->path);
  free(file);
}

size_t sd_result_file_runs(const sd_result_file *file) {
  return file->record.count;
}

int sd_result_file_complete(const sd_result_file *file) {
  return file->record.complete;
}

sd_status sd_result_file_plan(const sd_result_file *file, size_t index, sd_plan **plan, char digest[33],
                              sd_error *error) {
  const sd_record *record = &file->record;
  const char *name = sd_path_shown(file->path);
  *plan = NULL;
  if (index >= record->count)
    return sd_fail(error, SD_BAD_INPUT, "%s: there is no run %zu: it has %zu, from 0 on", name, index, record->count);
  if (!record->run[index].methods)
    return sd_fail(error, SD_BAD_INPUT, "%s: run %zu was interrupted before its first method was done", name, index);
  memcpy(digest, record->run[index].digest, sizeof record->run[index].digest);
  return sd_record_plan(record, index, 0, name, plan, error);
}

static sd_status read_run(const sd_result_file *file, size_t index, sd_outcome_file *from, sd_result **result,
                          sd_error *error) {
  const sd_record_run *run = &file->record.run[index];
  sd_plan *plan;
  SD_TRY(sd_record_plan(&file->record, index, 1, from->name, &plan, error));
  sd_status status = sd_plan_resolve(plan);
  if (status) sd_fail(error, status, "%s: its plan: %.300s", from->name, sd_plan_message(plan));
  else
    status = sd_outcome_read(run->outcome, run->outcome_size, sd_plan_specification(plan), run->methods, from, result,
                             error);
  sd_plan_destroy(plan);
  if (!status && run->methods && strcmp(run->digest, sd_result_digest(*result)))
    return sd_fail(error, SD_BAD_INPUT, "%s: run %zu has another digest than its methods", from->name, index);
  return status;
}

static sd_status read_runs(const sd_result_file *file, int stays, sd_result **results, sd_error *error) {
  sd_outcome_file from = {file->fd, file->size, file->size, sd_path_shown(file->path), stays};
  for (size_t i = 0; i < file->record.count; i++) SD_TRY(read_run(file, i, &from, &results[i], error));
  return SD_OK;
}

sd_status sd_result_file_read(const sd_result_file *file, sd_result **results, sd_error *error) {
  return read_runs(file, 0, results, error);
}
sd_status sd_result_file_read_part(const sd_result_file *file, sd_result **results, sd_error *error) {
  return read_runs(file, 1, results, error);
}

sd_status sd_results_read(const char *path, sd_result ***read, size_t *count, char message[512]) {
  sd_error error = {0};
  sd_result_file *file;
  sd_result **results = NULL;
  *read = NULL;
  *count = 0;
  sd_status status = sd_result_file_open(path, &file, &error);
  size_t runs = status ? 0 : file->record.count;
  if (!status) results = calloc(runs + 1, sizeof *results);
  if (!status && !results) status = sd_fail(&error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  if (!status) status = sd_result_file_read(file, results, &error);
  sd_result_file_close(file);
  memcpy(message, error.message, sizeof error.message);
  if (!status) {
    *read = results;
    *count = runs;
    return SD_OK;
  }
  for (size_t i = 0; results && i < runs; i++) sd_result_destroy(results[i]);
  free(results);
  return status;
}

sd_status sd_result_file_info(const sd_result_file *file, FILE *to, sd_error *error) {
  const sd_record *record = &file->record;
  sd_print_escaped(to, file->path, strlen(file->path));
  fprintf(to, ": result of %zu %s, %llu bytes, format %d, checksum good%s\n", record->count,
          sd_plural(record->count, "run", "runs"), (unsigned long long)file->size, SD_RESULT_FORMAT,
          record->complete ? "" : ", incomplete");
  fwrite(record->summary, 1, record->summary_size, to);
  if (!fflush(to) && !ferror(to)) return SD_OK;
  return sd_fail(error, SD_IO, "the summary cannot be written: %s", strerror(errno));
}
