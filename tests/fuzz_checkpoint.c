/* fuzz_checkpoint.c - the whole reading of a checkpoint, up to the first step of a run that goes on from it, on
 * anything at all, and on anything at all with checksums that fit. */
#include "../host/snapshot.h"
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
  if (length_too) put(bytes + 16, SD_CHECKPOINT_VERSION, 4);
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

static void assert_failed(sd_status status, const sd_error *error) {
  if (!status || error->status != status || !*error->message) abort();
}

/* Bodies as a run would have them, if there is memory for so many here. */
static void restore(const sd_specification *spec, const sd_snapshot *snapshot) {
  sd_ensemble ensemble;
  sd_error error = {0};
  const sd_kernels *kernels = sd_find_kernels(spec->methods[snapshot->at.method].entry, spec->problem, "scalar");
  if (sd_ensemble_create(&ensemble, spec, (sd_crowd){0, 0, spec->members}, kernels, 0, &error)) return;
  sd_status status = sd_snapshot_restore(snapshot, &ensemble, NULL, &error);
  if (status) assert_failed(status, &error);
  for (size_t i = 0; i < spec->members && !status; i++) seen += (uint64_t)sd_member_status(&ensemble, i);
  sd_ensemble_destroy(&ensemble);
}

/* A small plan's result is filled from the file; then everything in it can be read. */
static void fill(sd_plan *plan, sd_checkpoint *file) {
  enum { MOST = 512 };
  sd_error error = {0};
  sd_result *result = NULL;
  sd_snapshot snapshot = {.file = file, .name = "input"};
  if (sd_plan_resolve(plan)) return;
  const sd_specification *spec = sd_plan_specification(plan);
  if (spec->members > MOST || spec->total_steps / spec->sample_every * (int64_t)(spec->recorded + 1) > MOST) return;
  if (sd_result_create(&result, spec, &error)) abort();
  sd_status status = sd_snapshot_take(result, &snapshot, &error);
  if (status) assert_failed(status, &error);
  for (size_t m = 0; m < sd_result_count(result); m++) {
    seen +=
        strlen(sd_result_summary(result, m)->digest) + strlen(sd_verdict_text(sd_result_summary(result, m)->verdict));
    for (size_t i = 0; i < sd_result_final_count(result); i++) seen += strlen(sd_result_final_status(result, m, i));
    if (sd_result_sample_count(result, m) && !sd_result_sample(result, m, 0)) abort();
  }
  if (!status && snapshot.at.step && sd_snapshot_rewind(result, &snapshot, &error)) abort();
  if (!status && snapshot.at.method < spec->method_count) restore(spec, &snapshot);
  sd_result_destroy(result);
}

/* As the command `resume` does, and `info`. */
static void go_through(sd_checkpoint *file) {
  sd_stored_study study;
  sd_error error = {0}, odd = {0};
  sd_status status = sd_stored_study_take("input", file, &study, &error);
  if (status) assert_failed(status, &error);
  else fill(study.plans[study.place - 1], file);
  sd_stored_study_destroy(&study);
  char *text = NULL;
  size_t size;
  FILE *shown = open_memstream(&text, &size);
  if (!shown) return;
  sd_snapshot_describe("input", file, 1, shown, &odd);
  if (fclose(shown)) abort();
  for (size_t i = 0; i < size; i++)
    if ((text[i] >= 0 && text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f) abort();
  free(text);
}

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
  go_through(c);
  sd_checkpoint_destroy(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int repairs = 0; repairs < 3; repairs++) read_all(data, size, repairs);
  return 0;
}
