/* checkpoint.h - the state of a run in a flat file: named blocks of bytes, each with its checksum.
 *
 *   bytes   what (numbers are little-endian)
 *   16      "spindrift-ckpt\r\n"
 *   4, 4    format version; number of blocks n
 *   8       length of the file
 *   32 n    per block: tag (16 bytes, padded with zeros), size (8), XXH3-64 of its bytes (8)
 *   8       XXH3-64 of all of the above
 *           the blocks in this order, each from the next multiple of 64 on, zeros in between and after the last
 *
 * So every byte of the file is covered: one that changed is detected, and so is a file that is too short or too long.
 * What the blocks mean is the caller's business. */
#ifndef SD_CHECKPOINT_H
#define SD_CHECKPOINT_H

#include "status.h"

#define SD_CHECKPOINT_MAGIC "spindrift-ckpt\r\n"
enum { SD_CHECKPOINT_VERSION = 4, SD_CHECKPOINT_BLOCKS_MAX = 4096, SD_CHECKPOINT_TAG_MAX = 15 };

typedef struct {
  const char *tag; /* 1 to 15 characters, none twice */
  const void *data;
  size_t size;
} sd_block;

/* Replaces the file and keeps the one that was there as NAME.previous.  The blocks are written from where they are. */
sd_status sd_checkpoint_write(const char *path, const sd_block *blocks, size_t count, sd_error *error);
/* The same where NAME is damaged or missing: it is no loss, and NAME.previous, which may be all there is, stays. */
sd_status sd_checkpoint_write_anew(const char *path, const sd_block *blocks, size_t count, sd_error *error);
/* Could one be written, and would nothing be lost that is not a checkpoint?  To be asked before a long run.  (NAME
 * itself is judged when it is loaded.) */
sd_status sd_checkpoint_check(const char *path, sd_error *error);

typedef struct sd_checkpoint sd_checkpoint;

/* Reads NAME; if it is damaged or missing, NAME.previous, and then says so: see sd_checkpoint_remark.  Everything is
 * checked before anything is returned.  SD_IO: neither could be read; SD_BAD_INPUT: damaged; SD_FAILED: NAME is of
 * another format, and then NAME.previous is not tried. */
sd_status sd_checkpoint_load(const char *path, sd_checkpoint **checkpoint, int *used_previous, sd_error *error);
/* Is there one to load, good or bad, under this name or as NAME.previous? */
int sd_checkpoint_exists(const char *path);
void sd_checkpoint_destroy(sd_checkpoint *checkpoint);

/* One line on why NAME.previous was used, or "". */
const char *sd_checkpoint_remark(const sd_checkpoint *checkpoint);
size_t sd_checkpoint_count(const sd_checkpoint *checkpoint);
/* By place, in the order of writing; data is aligned to 64 bytes. */
sd_block sd_checkpoint_block(const sd_checkpoint *checkpoint, size_t index);
/* By tag; SD_BAD_INPUT if there is none. */
sd_status sd_checkpoint_find(const sd_checkpoint *checkpoint, const char *tag, sd_block *block, sd_error *error);

/* The reader itself, on a file in memory: takes the bytes over (from aligned_alloc or malloc), also when it fails.
 * `name` is for the messages. */
sd_status sd_checkpoint_parse(const char *name, void *bytes, size_t size, sd_checkpoint **checkpoint, sd_error *error);

#endif
