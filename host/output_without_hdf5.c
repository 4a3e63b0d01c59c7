/* What a library that was built without HDF5 has in place of output_hdf5.c and hdf5_input.c: it reads results, and
 * writes none; and it takes no HDF5 files of its users'. */
#include "input.h"
#include "output_hdf5.h"

#include <string.h>

sd_status sd_hdf5_built_in(const char *path, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "%s: this spindrift was built without HDF5 and writes no result files",
                 sd_path_shown(path));
}

sd_status sd_results_write_hdf5_as(sd_replacement replacement, const sd_result *const *results, size_t count,
                                   const char *path, sd_error *error) {
  (void)replacement, (void)results, (void)count;
  return sd_hdf5_built_in(path, error);
}

sd_status sd_results_write_hdf5(const sd_result *const *results, size_t count, const char *path, sd_error *error) {
  return sd_results_write_hdf5_as(SD_REPLACE, results, count, path, error);
}

sd_status sd_results_hdf5(const sd_result *const *results, size_t count, void **bytes, size_t *size,
                          char message[512]) {
  sd_error error = {0};
  (void)results, (void)count;
  *bytes = NULL;
  *size = 0;
  sd_status status = sd_hdf5_built_in("result", &error);
  memcpy(message, error.message, sizeof error.message);
  return status;
}

sd_status sd_input_read(const char *path, sd_input_kind kind, sd_input *input, sd_error *error) {
  (void)kind;
  *input = (sd_input){0};
  return sd_fail(error, SD_BAD_INPUT, "%s: this spindrift was built without HDF5 and reads no such files",
                 sd_path_shown(path));
}
