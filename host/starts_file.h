/* starts_file.h - a table of members from a file: comma-separated values, the names of the columns first; or HDF5, with
 * a dataset for each column, or for several that are numbered. */
#ifndef SD_STARTS_FILE_H
#define SD_STARTS_FILE_H

#include "starts.h"
#include "sweep.h"

typedef struct {
  char columns[sizeof((sd_sweep *)0)->columns];
  sd_starts rows; /* of members 0, 1, ...; NaN where nothing is given */
} sd_table;

/* Lines that are empty or begin with # are left out.  What is wrong is told with its line and column, or dataset and
 * row. */
sd_status sd_table_read(const char *path, sd_table *table, sd_error *error);
/* The same from text, which is changed. */
sd_status sd_table_parse(const char *name, char *text, sd_table *table, sd_error *error);

#endif
