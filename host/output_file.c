#include "output_file.h"

#include "output_hdf5.h"
#include "result_file.h"
#include "run.h"
#include "safe_file.h"
#include "seal.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "a result file";

static sd_status out_of_memory(const char *path, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
}

static sd_status look_for_complete(const char *path, int *complete, sd_error *error) {
  sd_result_file *file;
  SD_TRY(sd_result_file_open(path, &file, error));
  *complete = sd_result_file_complete(file);
  sd_result_file_close(file);
  return SD_OK;
}

/* ---- before ---- */

static sd_status check_names(const char *path, sd_error *error) {
  static const char *const suffixes[] = {"", ".previous", ".incomplete", ".incomplete.previous"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    SD_TRY(sd_file_check_ours(path, suffixes[i], SD_SEAL_MAGIC, kind, error));
  return SD_OK;
}

/* A damaged result, or one of a newer format, may be worth more than it seems: what to do with it is for its owner to
 * say. */
static sd_status check_readable(const char *path, sd_error *error) {
  sd_error found = {0};
  int complete;
  if (!sd_file_begins_with(path, SD_SEAL_MAGIC) || !look_for_complete(path, &complete, &found)) return SD_OK;
  return sd_fail(error, found.status == SD_NO_MEMORY ? SD_NO_MEMORY : SD_BAD_INPUT,
                 "%.400s; move it, or name another file", found.message);
}

/* What cannot be written at all is told before what should not be. */
sd_status sd_output_check(const char *path, sd_error *error) {
  SD_TRY(sd_hdf5_built_in(path, error));
  char *incomplete = sd_path_beside(path, ".incomplete");
  if (!incomplete) return out_of_memory(path, error);
  sd_status status = sd_safe_file_check(path, error);
  if (!status) status = check_names(path, error);
  if (!status) status = sd_safe_file_check(incomplete, error);
  if (!status) status = check_readable(path, error);
  free(incomplete);
  return status;
}

/* ---- after ---- */

/* Is a complete result there?  One that cannot be read may have been. */
static int holds_complete(const char *path, const char *suffix) {
  sd_error ignored = {0};
  int complete = 0;
  char *name = sd_path_beside(path, suffix);
  if (name && sd_file_begins_with(name, SD_SEAL_MAGIC) && look_for_complete(name, &complete, &ignored)) complete = 1;
  int unknown = !name;
  free(name);
  return complete || unknown;
}

/* NAME's own version becomes NAME.previous, unless it is the lesser of the two. */
static sd_status save_at(const sd_result *const *results, size_t count, const char *path, sd_error *error) {
  SD_TRY(sd_file_check_ours(path, "", SD_SEAL_MAGIC, kind, error));
  SD_TRY(sd_file_check_ours(path, ".previous", SD_SEAL_MAGIC, kind, error));
  int lesser = !holds_complete(path, "") && holds_complete(path, ".previous");
  return sd_results_write_hdf5_as(lesser ? SD_REPLACE : SD_KEEP_PREVIOUS, results, count, path, error);
}

sd_status sd_output_save(const sd_result *const *results, size_t count, const char *path, char remark[512],
                         sd_error *error) {
  *remark = 0;
  if (sd_results_complete(results, count) || !holds_complete(path, "")) return save_at(results, count, path, error);
  char *incomplete = sd_path_beside(path, ".incomplete");
  sd_status status = incomplete ? save_at(results, count, incomplete, error) : out_of_memory(path, error);
  if (!status)
    snprintf(remark, 512, "%s holds a complete result and stays; this one, which is not complete, is in %s",
             sd_path_shown(path), sd_path_shown(incomplete));
  free(incomplete);
  return status;
}

sd_status sd_results_save(const sd_result *const *results, size_t count, const char *path, char message[512]) {
  sd_error error = {0};
  sd_status status = sd_output_save(results, count, path, message, &error);
  if (status) memcpy(message, error.message, sizeof error.message);
  return status;
}
