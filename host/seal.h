/* seal.h - the first 512 bytes of a result file: one line of text that vouches for all the others, then zeros.
 *
 *   spindrift-result 4 length 123456 record 789 xxh3-128 0123...cdef line 89ab...\n
 *
 * is the format's version, the length of the file, that of the record (record.h) which follows the first 512 bytes,
 * XXH3-128 of all that follows them, and XXH3-64 of the line up to " line".  HDF5 leaves seal and record to the program
 * (a "user block", of a power of two) and finds its own beginning behind them. */
#ifndef SD_SEAL_H
#define SD_SEAL_H

#include "status.h"

#define SD_SEAL_MAGIC "spindrift-result "
enum { SD_SEAL_SIZE = 512, SD_RESULT_FORMAT = 5 };

/* Reads the file back, and writes its first 512 bytes. */
sd_status sd_seal_write(int fd, uint64_t record, const char *path, sd_error *error);
/* Is every byte as it was written?  Then the record is of that length, and within the file. */
sd_status sd_seal_check(int fd, uint64_t size, const char *path, uint64_t *record, sd_error *error);

#endif
