/* report_table.h - the table of members, for whoever writes it: JSON, people. */
#ifndef SD_REPORT_TABLE_H
#define SD_REPORT_TABLE_H

#include "json.h"
#include "run.h"

/* Of a method, nothing where there is none: who is the farthest from 0 in each column, and up to SD_TABLE_WRITTEN
 * members the columns. */
enum { SD_TABLE_WRITTEN = 4096 };
void sd_write_table_of_members(sd_json *json, const sd_result *result, size_t method);
/* For people, the odd ones, by the numbers that `rerun --member` takes; "" where there is no table. */
void sd_odd_ones_text(const sd_result *result, size_t method, char *text, size_t size);

#endif
