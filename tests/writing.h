/* writing.h - small files written in the ways of the program, version after version; after directory.h. */
#ifndef WRITING_H
#define WRITING_H

#include "../host/checkpoint.h"
#include "../host/safe_file.h"

static inline sd_status put_safely(const char *text, sd_replacement replacement, sd_error *error) {
  sd_safe_file file;
  *error = (sd_error){0};
  SD_TRY(sd_safe_file_open(&file, path, error));
  sd_status status = sd_safe_file_write(&file, text, strlen(text), 0, error);
  return sd_safe_file_close(&file, status, replacement, error);
}

static inline sd_status write_checkpoint(const char *version, sd_error *error) {
  sd_block blocks[] = {{"version", version, strlen(version)}, {"none", NULL, 0}, {"state", "0123456789", 10}};
  return sd_checkpoint_write(path, blocks, 3, error);
}

#endif
