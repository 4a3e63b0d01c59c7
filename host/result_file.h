/* result_file.h - result files read back: their record (record.h), after every byte was found to be as written.
 *
 * HDF5, which wrote the rest of them, is not asked. */
#ifndef SD_RESULT_FILE_H
#define SD_RESULT_FILE_H

#include "status.h"

#include <stdio.h>

typedef struct sd_result_file sd_result_file;

/* Reads the whole file once, and checks it; after a failure there is nothing to close. */
sd_status sd_result_file_open(const char *path, sd_result_file **file, sd_error *error);
void sd_result_file_close(sd_result_file *file);

size_t sd_result_file_runs(const sd_result_file *file);
/* Does it have all that its plans ask for? */
int sd_result_file_complete(const sd_result_file *file);
/* A plan that repeats run `index` (of an incomplete run: the methods that were done), and the digest of that. */
sd_status sd_result_file_plan(const sd_result_file *file, size_t index, sd_plan **plan, char digest[33],
                              sd_error *error);
/* The results of all runs, as they were written, into a list of NULLs; those that are there after a failure are to be
 * destroyed, too. */
sd_status sd_result_file_read(const sd_result_file *file, sd_result **results, sd_error *error);
/* The same but for rows that are there for merging alone: they stay in the file, which stays open as long as they are
 * needed. */
sd_status sd_result_file_read_part(const sd_result_file *file, sd_result **results, sd_error *error);
/* A summary for people. */
sd_status sd_result_file_info(const sd_result_file *file, FILE *to, sd_error *error);

#endif
