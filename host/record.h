/* record.h - what spindrift itself reads back of a result file: a text of our own, between the seal and HDF5.
 *
 *   record 2 complete 1\n                      runs; are they all complete?
 *   summary 345\n                              so many bytes follow: for people, what `info` shows
 *   ...
 *   run DIGEST methods 3 settings 678 outcome 910 starts 1 of 7\n     methods that were done
 *   ...                                        so many bytes of settings, as plan_text.h has them
 *   ...                                        so many bytes of what came of them, see outcome.h
 *   0000000000000001 3fe... 3fb... ... bfc...\n  per start: the body, then so many numbers, by their bits
 *   end\n
 *
 * HDF5 trusts a file's addresses and lengths further than a stranger's file deserves, so it is only written with, never
 * read with.  Here every length is held against what is left of the record before anything is done with it, and every
 * character is printable ASCII. */
#ifndef SD_RECORD_H
#define SD_RECORD_H

#include "status.h"

typedef struct {
  char digest[33];
  size_t methods; /* that were done */
  const char *settings, *outcome, *starts;
  size_t settings_size, outcome_size, start_count, numbers; /* numbers of a start */
} sd_record_run;

typedef struct {
  char *text; /* owned; the rest points into it */
  int complete;
  const char *summary;
  size_t summary_size;
  sd_record_run *run;
  size_t count;
} sd_record;

/* To be freed, or NULL without memory.  `places`: of what is kept (kept.h) of every method of every run, in the file;
 * they have no influence on the length. */
char *sd_record_compose(const sd_result *const *results, size_t count, const char *created, const uint64_t *places,
                        size_t *size);

/* Takes the text (from malloc) over, also when it fails; `name` is for the messages. */
sd_status sd_record_parse(sd_record *record, const char *name, char *text, size_t size, sd_error *error);
void sd_record_free(sd_record *record);
/* The plan that run `index` followed, with all its methods or with those that were done; after a failure there is
 * none. */
sd_status sd_record_plan(const sd_record *record, size_t index, int all, const char *name, sd_plan **plan,
                         sd_error *error);

#endif
