/* outcome.h - what came of a run, as the record of a result file (record.h) has it: numbers that are few as text, by
 * their bits; of what is kept (kept.h) the places in the file, from which plain little-endian numbers are read.
 *
 *   backend cpu\n variant avx2\n devices ...\n why ...\n     a line each: what ran it
 *   threads 2 series 0\n                       does the JSON have the series?
 *   DIGEST 0000000000000000 ... 3fe...\n       per method that was done: failed members, verdict, reason, seconds, ns
 * per body and step, statistics 0000000000012340 energy_error/time\n       and of each of its arrays the place and the
 * name
 *
 * Whoever reads a file may not have written it: sizes come from the plan and are held against the file, of which the
 * arrays cannot be larger than the whole, before there is memory for anything. */
#ifndef SD_OUTCOME_H
#define SD_OUTCOME_H

#include "run.h"
#include "text.h"

/* " 3fe0000000000000": the bits of a real. */
void sd_add_real(sd_text *to, double number);

/* To be freed, or NULL without memory. */
char *sd_outcome_text(const sd_result *result, const uint64_t *places);

/* A file that was found to be as it was written. */
typedef struct {
  int fd;
  uint64_t size, left; /* left: bytes that no array has been read from yet */
  const char *name;    /* for messages */
  int stays;           /* open: rows for merging are read when they are needed (share.h) */
} sd_outcome_file;

/* The result of what was specified, of which so many methods were done; after a failure there is none. */
sd_status sd_outcome_read(const char *text, size_t size, const sd_specification *spec, size_t methods,
                          sd_outcome_file *file, sd_result **result, sd_error *error);

#endif
