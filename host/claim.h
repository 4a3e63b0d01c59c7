/* claim.h - what the runs of a command line are about to write, looked at before the first of them begins: names that
 * are not taken twice, files that may be replaced, and of the output a lock until the end. */
#ifndef SD_CLAIM_H
#define SD_CLAIM_H

#include "file_lock.h"

typedef struct {
  const char *output;             /* or "" */
  const char *checkpoint;         /* as it was given, or "" */
  const char *const *checkpoints; /* of the runs: the same, or FILE.1, FILE.2, ... */
  size_t count;
  const char *input; /* the file that the runs come from, or NULL */
} sd_intent;

/* SD_BAD_INPUT: what was given cannot be; nothing is held then. */
sd_status sd_claim_files(const sd_intent *intent, sd_file_lock *output, sd_error *error);

#endif
