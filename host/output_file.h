/* output_file.h - where a result goes such that no other is lost.
 *
 *   NAME             the result; one that was there stays as NAME.previous
 *   NAME.incomplete  a result that is not complete, if NAME is: it never takes the place of a complete one
 *
 * What is not a result file of ours is not replaced under any of these names. */
#ifndef SD_OUTPUT_FILE_H
#define SD_OUTPUT_FILE_H

#include "status.h"

/* Could a result be saved there?  To be asked before a long run; SD_BAD_INPUT: not under this name. */
sd_status sd_output_check(const char *path, sd_error *error);
/* Saves it there.  `remark`: where it went, if not to NAME, in one line; or "". */
sd_status sd_output_save(const sd_result *const *results, size_t count, const char *path, char remark[512],
                         sd_error *error);

#endif
