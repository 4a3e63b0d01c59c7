/* fuzz_checkpoint.c - the checkpoint reader on anything at all, and on anything at all with checksums that fit. */
#include "../host/checkpoint.h"
#include "fuzz_main.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

static uint64_t get(const uint8_t *from, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

static void put(uint8_t *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

/* Without this a fuzzer would never get past the first checksum. */
static void repair(uint8_t *bytes, size_t size, int length_too) {
  if (size < 40) return;
  memcpy(bytes, SD_CHECKPOINT_MAGIC, 16);
  uint64_t count = get(bytes + 20, 4), end = 32 + 32 * count, offset = (end + 8 + 63) / 64 * 64;
  if (end + 8 > size) return;
  if (length_too) put(bytes + 24, size, 8);
  for (uint64_t i = 0; i < count && offset <= size; i++) {
    uint8_t *entry = bytes + 32 + 32 * i;
    uint64_t length = get(entry + 16, 8);
    if (length > size - offset) break;
    put(entry + 24, XXH3_64bits(bytes + offset, (size_t)length), 8);
    offset = (offset + length + 63) / 64 * 64;
  }
  put(bytes + end, XXH3_64bits(bytes, (size_t)end), 8);
}

static volatile uint64_t seen; /* so that the reading is not optimised away */

/* A reader that succeeds has given blocks that can be read; one that fails has given a message and nothing else. */
static void read_all(const uint8_t *data, size_t size, int repairs) {
  sd_checkpoint *c = NULL;
  sd_error error = {0};
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) return;
  if (size) memcpy(copy, data, size);
  if (repairs) repair(copy, size, repairs > 1);
  if (sd_checkpoint_parse("input", copy, size, &c, &error)) {
    if (c || !*error.message || strchr(error.message, '\n')) abort();
    return;
  }
  for (size_t i = 0; i < sd_checkpoint_count(c); i++) {
    sd_block block = sd_checkpoint_block(c, i), found;
    if (sd_checkpoint_find(c, block.tag, &found, &error) || strcmp(found.tag, block.tag)) abort();
    seen += XXH3_64bits(block.data, block.size);
  }
  sd_checkpoint_destroy(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int repairs = 0; repairs < 3; repairs++) read_all(data, size, repairs);
  return 0;
}
