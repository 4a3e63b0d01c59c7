#include "checkpoint.h"

#include "safe_file.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { HEADER = 32, ENTRY = 32, TAG = SD_CHECKPOINT_TAG_MAX + 1, CHECKSUM = 8, ALIGNMENT = 64 };
enum { PIECE = 1 << 20 }; /* bytes that are still in the cache when they are written after they were summed */

struct sd_checkpoint {
  unsigned char *bytes;
  size_t count;
  sd_block *blocks;
  char remark[512];
};

/* The word at a place. */
static void put(unsigned char *to, uint64_t word) {
  sd_put_word(&to, word);
}
static uint64_t get(const unsigned char *from) {
  return sd_get_word(&from);
}

static uint64_t aligned(uint64_t offset) {
  return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The upper half of a word whose lower half is the version. */
static size_t block_count(const unsigned char *head) {
  return (size_t)(get(head + 16) >> 32);
}

static size_t table_end(size_t count) {
  return HEADER + ENTRY * count;
}

/* ---- writing ---- */

static sd_status check_blocks(const sd_block *blocks, size_t count, sd_error *error) {
  if (count > SD_CHECKPOINT_BLOCKS_MAX)
    return sd_fail(error, SD_FAILED, "checkpoint: %zu blocks, of %d at most", count, SD_CHECKPOINT_BLOCKS_MAX);
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(blocks[i].tag);
    if (!length || length > SD_CHECKPOINT_TAG_MAX)
      return sd_fail(error, SD_FAILED, "checkpoint: '%.40s' is no tag of 1 to 15 characters", blocks[i].tag);
    for (size_t k = 0; k < i; k++)
      if (!strcmp(blocks[i].tag, blocks[k].tag))
        return sd_fail(error, SD_FAILED, "checkpoint: two blocks '%s'", blocks[i].tag);
  }
  return SD_OK;
}

/* Sums and writes piece by piece, so that the memory is read once. */
static sd_status write_block(const sd_safe_file *file, const sd_block *block, uint64_t offset, XXH3_state_t *sum,
                             sd_error *error) {
  XXH3_64bits_reset(sum);
  for (size_t done = 0; done < block->size;) {
    size_t left = block->size - done, piece = left < PIECE ? left : PIECE;
    const char *from = (const char *)block->data + done;
    XXH3_64bits_update(sum, from, piece);
    SD_TRY(sd_safe_file_write(file, from, piece, offset + done, error));
    done += piece;
  }
  static const char zeros[ALIGNMENT];
  uint64_t end = offset + block->size;
  return sd_safe_file_write(file, zeros, (size_t)(aligned(end) - end), end, error);
}

/* The blocks first, then the table with their sums. */
static sd_status write_blocks(const sd_safe_file *file, const sd_block *blocks, size_t count, unsigned char *head,
                              size_t head_size, XXH3_state_t *sum, sd_error *error) {
  uint64_t offset = head_size;
  for (size_t i = 0; i < count; i++) {
    unsigned char *entry = head + table_end(i);
    SD_TRY(write_block(file, &blocks[i], offset, sum, error));
    memcpy(entry, blocks[i].tag, strlen(blocks[i].tag));
    put(entry + TAG, blocks[i].size);
    put(entry + TAG + 8, XXH3_64bits_digest(sum));
    offset = aligned(offset + blocks[i].size);
  }
  memcpy(head, SD_CHECKPOINT_MAGIC, 16);
  put(head + 16, SD_CHECKPOINT_VERSION | (uint64_t)count << 32);
  put(head + 24, offset);
  put(head + table_end(count), XXH3_64bits(head, table_end(count)));
  return sd_safe_file_write(file, head, head_size, 0, error);
}

static sd_status write_as(sd_replacement replacement, const char *path, const sd_block *blocks, size_t count,
                          sd_error *error) {
  sd_safe_file file;
  SD_TRY(check_blocks(blocks, count, error));
  SD_TRY(sd_safe_file_open(&file, path, error));
  size_t head_size = (size_t)aligned(table_end(count) + CHECKSUM);
  unsigned char *head = calloc(1, head_size);
  XXH3_state_t *sum = XXH3_createState();
  sd_status status = head && sum ? write_blocks(&file, blocks, count, head, head_size, sum, error)
                                 : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  XXH3_freeState(sum);
  free(head);
  return sd_safe_file_close(&file, status, replacement, error);
}

sd_status sd_checkpoint_write(const char *path, const sd_block *blocks, size_t count, sd_error *error) {
  return write_as(SD_KEEP_PREVIOUS, path, blocks, count, error);
}

sd_status sd_checkpoint_write_anew(const char *path, const sd_block *blocks, size_t count, sd_error *error) {
  return write_as(SD_REPLACE, path, blocks, count, error);
}

sd_status sd_checkpoint_check(const char *path, sd_error *error) {
  SD_TRY(sd_file_check_ours(path, ".previous", SD_CHECKPOINT_MAGIC, "a checkpoint", error));
  return sd_safe_file_check(path, error);
}

/* ---- reading ---- */

static int all_zero(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i]) return 0;
  return 1;
}

static sd_status damaged(sd_error *error, const char *name, const char *what) {
  return sd_fail(error, SD_BAD_INPUT, "%s: damaged: %s", sd_path_shown(name), what);
}

/* Header and table, by their checksum.  The version is judged after it, lest a flipped bit be taken for the future; a
 * later format keeps the first 32 bytes and what they mean. */
static sd_status check_head(const char *name, const unsigned char *bytes, size_t size, sd_error *error) {
  if (size < 16 || memcmp(bytes, SD_CHECKPOINT_MAGIC, 16))
    return size && !memcmp(bytes, SD_CHECKPOINT_MAGIC, size < 16 ? size : 16)
               ? damaged(error, name, "it is cut off")
               : sd_fail(error, SD_BAD_INPUT, "%s: not a checkpoint of spindrift", sd_path_shown(name));
  if (size < HEADER + CHECKSUM) return damaged(error, name, "it is cut off");
  uint64_t version = get(bytes + 16) & UINT32_MAX, length = get(bytes + 24);
  size_t count = block_count(bytes);
  if (count > SD_CHECKPOINT_BLOCKS_MAX || table_end(count) + CHECKSUM > size)
    return damaged(error, name, "its header does not fit its length");
  size_t end = table_end(count);
  if (get(bytes + end) != XXH3_64bits(bytes, end))
    return damaged(error, name, "the checksum of its header does not fit");
  if (version < SD_CHECKPOINT_VERSION)
    return sd_fail(error, SD_FAILED,
                   "%s: format %llu, of an older spindrift: it was written by spindrift %s with another digest; that "
                   "one can go on from it, this one (%s) cannot",
                   sd_path_shown(name), (unsigned long long)version, version < 3 ? "0.1.0" : "0.2.0",
                   SPINDRIFT_VERSION);
  if (version > SD_CHECKPOINT_VERSION)
    return sd_fail(error, SD_FAILED, "%s: format %llu, of a newer spindrift; this one (%s) reads format %d",
                   sd_path_shown(name), (unsigned long long)version, SPINDRIFT_VERSION, SD_CHECKPOINT_VERSION);
  if (length != size)
    return sd_fail(error, SD_BAD_INPUT, "%s: damaged: it has %zu bytes and should have %llu", sd_path_shown(name), size,
                   (unsigned long long)length);
  return SD_OK;
}

static sd_status check_block(const char *name, const sd_checkpoint *c, size_t size, const unsigned char *entry,
                             uint64_t *offset, sd_block *block, sd_error *error) {
  uint64_t length = get(entry + TAG), sum = get(entry + TAG + 8);
  const char *tag = (const char *)entry;
  if (!*tag || tag[TAG - 1]) return damaged(error, name, "a block without a name");
  if (length > size - *offset || aligned(*offset + length) > size)
    return damaged(error, name, "a block that does not fit its length");
  const unsigned char *data = c->bytes + *offset;
  uint64_t end = *offset + length;
  *offset = aligned(end);
  if (XXH3_64bits(data, (size_t)length) != sum)
    return sd_fail(error, SD_BAD_INPUT, "%s: damaged: the checksum of block '%s' does not fit", sd_path_shown(name),
                   tag);
  if (!all_zero(data + length, (size_t)(*offset - end))) return damaged(error, name, "bytes between its blocks");
  *block = (sd_block){.tag = tag, .data = data, .size = (size_t)length};
  return SD_OK;
}

static sd_status check_all(const char *name, sd_checkpoint *c, size_t size, sd_error *error) {
  SD_TRY(check_head(name, c->bytes, size, error));
  size_t count = block_count(c->bytes), end = table_end(count) + CHECKSUM;
  uint64_t offset = aligned(end);
  c->blocks = calloc(count + 1, sizeof *c->blocks);
  if (!c->blocks) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(name));
  if (offset > size || !all_zero(c->bytes + end, (size_t)offset - end))
    return damaged(error, name, "bytes between its blocks");
  for (size_t i = 0; i < count; i++) {
    SD_TRY(check_block(name, c, size, c->bytes + table_end(i), &offset, &c->blocks[i], error));
    c->count++;
  }
  return offset == size ? SD_OK : damaged(error, name, "bytes after its last block");
}

sd_status sd_checkpoint_parse(const char *name, void *bytes, size_t size, sd_checkpoint **made, sd_error *error) {
  sd_checkpoint *c = *made = calloc(1, sizeof *c);
  if (!c) {
    free(bytes);
    return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(name));
  }
  c->bytes = bytes;
  sd_status status = check_all(name, c, size, error);
  if (!status) return SD_OK;
  sd_checkpoint_destroy(c);
  *made = NULL;
  return status;
}

static sd_status unreadable(sd_error *error, const char *path, int reason) {
  const char *text = reason ? strerror(reason) : "it became shorter meanwhile";
  return sd_fail(error, SD_IO, "%s: cannot be read: %s", sd_path_shown(path), text);
}

/* Memory is taken for what is on the disk, not for what the header claims.  *reason: errno of an SD_IO. */
static sd_status read_one(const char *path, sd_checkpoint **made, int *reason, sd_error *error) {
  uint64_t size;
  int fd = sd_open_regular(path, &size);
  if (fd < 0) return unreadable(error, path, *reason = errno);
  void *bytes = size < SIZE_MAX / 2 ? aligned_alloc(ALIGNMENT, (size_t)aligned(size + 1)) : NULL;
  int failed = bytes && sd_read_all(fd, bytes, (size_t)size, 0);
  *reason = errno;
  close(fd);
  if (bytes && !failed) return sd_checkpoint_parse(path, bytes, (size_t)size, made, error);
  free(bytes);
  if (failed) return unreadable(error, path, *reason);
  return sd_fail(error, SD_NO_MEMORY, "%s: no memory for its %llu bytes", sd_path_shown(path),
                 (unsigned long long)size);
}

/* Is the one before worth a try?  Not if this one is whole but of another format: to go on from an older state would be
 * a surprise. */
static int is_lost(sd_status status, int reason) {
  return status == SD_BAD_INPUT || (status == SD_IO && (reason == ENOENT || reason == EIO));
}

sd_status sd_checkpoint_load(const char *path, sd_checkpoint **made, int *used_previous, sd_error *error) {
  sd_error first = {0}, second = {0};
  int reason = 0, ignored;
  *made = NULL;
  *used_previous = 0;
  sd_status status = read_one(path, made, &reason, &first);
  if (!status) return SD_OK;
  if (!is_lost(status, reason)) return sd_fail(error, status, "%s", first.message);
  char *previous = sd_path_beside(path, ".previous");
  if (!previous) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  int there = !access(previous, F_OK), failed = there ? (int)read_one(previous, made, &ignored, &second) : 1;
  if (!failed) {
    *used_previous = 1;
    snprintf((*made)->remark, sizeof(*made)->remark, "%.300s; going on from %s", first.message,
             sd_path_shown(previous));
  } else if (there) {
    sd_fail(error, status, "%.250s; and %.250s", first.message, second.message);
  } else {
    sd_fail(error, status, "%s", first.message);
  }
  free(previous);
  return failed ? status : SD_OK;
}

int sd_checkpoint_exists(const char *path) {
  char *previous = sd_path_beside(path, ".previous");
  int there = !access(path, F_OK) || (previous && !access(previous, F_OK));
  free(previous);
  return there;
}

void sd_checkpoint_destroy(sd_checkpoint *c) {
  if (!c) return;
  free(c->blocks);
  free(c->bytes);
  free(c);
}

/* ---- what is in it ---- */

const char *sd_checkpoint_remark(const sd_checkpoint *c) {
  return c->remark;
}

size_t sd_checkpoint_count(const sd_checkpoint *c) {
  return c->count;
}

sd_block sd_checkpoint_block(const sd_checkpoint *c, size_t index) {
  return c->blocks[index];
}

sd_status sd_checkpoint_find(const sd_checkpoint *c, const char *tag, sd_block *block, sd_error *error) {
  for (size_t i = 0; i < c->count; i++) {
    if (strcmp(c->blocks[i].tag, tag)) continue;
    *block = c->blocks[i];
    return SD_OK;
  }
  return sd_fail(error, SD_BAD_INPUT, "checkpoint: it has no block '%s'", tag);
}
