/* seal.h - the first 512 bytes of a result file: one line of text that vouches for all the others, then zeros.
 *
 *   spindrift-result 1 length 123456 xxh3-128 0123...cdef line 89ab...\n
 *
 * is the format's version, the length of the file, XXH3-128 of the bytes after the first 512, and XXH3-64 of the line
 * up to " line".  HDF5 leaves these bytes to the program (a "user block") and finds its own beginning behind them. */
#ifndef SD_SEAL_H
#define SD_SEAL_H

#include "status.h"

#define SD_SEAL_MAGIC "spindrift-result "
enum { SD_SEAL_SIZE = 512, SD_RESULT_FORMAT = 1 };

/* Reads the file back, and writes its first 512 bytes. */
sd_status sd_seal_write(int fd, const char *path, sd_error *error);
/* Is every byte as it was written? */
sd_status sd_seal_check(int fd, uint64_t size, const char *path, sd_error *error);

#endif
