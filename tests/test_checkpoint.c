/* test_checkpoint.c - checkpoints: what was written comes back, any damage is found, and the previous one is used then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "failing_calls.h"
#include "writing.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/stat.h>

static content sample_checkpoint(void) {
  sd_error error = {0};
  static const double numbers[] = {1.5, -0.0, 1e-310};
  sd_block blocks[] = {
      {"plan", "problem stress\n", 15}, {"empty", NULL, 0}, {"slots.of.body.1", numbers, sizeof numbers}};
  assert_int_equal(sd_checkpoint_write(path, blocks, 3, &error), SD_OK);
  return read_content(path);
}

/* The reader on bytes in memory, in a block of exactly their size so that sanitizers see every step beyond. */
static sd_status parse(const unsigned char *bytes, size_t size, sd_error *error) {
  sd_checkpoint *c = NULL;
  void *copy = malloc(size ? size : 1);
  if (size) memcpy(copy, bytes, size);
  *error = (sd_error){0};
  sd_status status = sd_checkpoint_parse("file", copy, size, &c, error);
  assert_true(!c == (status != SD_OK));
  if (status) assert_clear(error, "");
  sd_checkpoint_destroy(c);
  return status;
}

static void test_checkpoint(void **state) {
  (void)state;
  sd_error error = {0};
  sd_checkpoint *c;
  sd_block block;
  int used = 1;
  enum { LARGE = (3 << 20) + 5 };
  unsigned char *large = malloc(LARGE);
  for (int i = 0; i < LARGE; i++) large[i] = (unsigned char)(i * 2654435761u >> 13);
  sd_block blocks[] = {{"a", "x", 1}, {"large", large, LARGE}, {"empty", NULL, 0}};
  assert_false(sd_checkpoint_exists(path));
  assert_int_equal(sd_checkpoint_write(path, blocks, 3, &error), SD_OK);
  assert_true(sd_checkpoint_exists(path));
  assert_true(sd_file_begins_with(path, SD_CHECKPOINT_MAGIC));
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_OK);
  assert_int_equal(used, 0);
  assert_string_equal(sd_checkpoint_remark(c), "");
  assert_int_equal(sd_checkpoint_count(c), 3);
  assert_string_equal(sd_checkpoint_block(c, 2).tag, "empty");
  assert_int_equal(sd_checkpoint_find(c, "large", &block, &error), SD_OK);
  assert_int_equal(block.size, LARGE);
  assert_memory_equal(block.data, large, LARGE);
  assert_int_equal((uintptr_t)block.data % 64, 0);
  assert_int_equal(sd_checkpoint_find(c, "larg", &block, &error), SD_BAD_INPUT);
  sd_checkpoint_destroy(c);
  free(large);
  error = (sd_error){0};
  sd_block twice[] = {{"a", "x", 1}, {"a", "y", 1}}, long_tag[] = {{"0123456789abcdef", "x", 1}};
  assert_int_equal(sd_checkpoint_write(path, twice, 2, &error), SD_FAILED);
  assert_int_equal(sd_checkpoint_write(path, long_tag, 1, &error), SD_FAILED);
  assert_no_leftovers();
}

static void test_checkpoint_damage(void **state) {
  (void)state;
  sd_error error;
  content c = sample_checkpoint();
  assert_int_equal(parse(c.byte, c.size, &error), SD_OK);
  for (size_t size = 0; size < c.size; size++)
    if (!parse(c.byte, size, &error)) fail_msg("cut off at %zu of %zu bytes, and not found", size, c.size);
  for (size_t i = 0; i < c.size; i++)
    for (int bit = 0; bit < 8; bit++) {
      c.byte[i] ^= (unsigned char)(1 << bit);
      if (!parse(c.byte, c.size, &error)) fail_msg("bit %d of byte %zu flipped, and not found", bit, i);
      if (strstr(error.message, "newer")) fail_msg("bit %d of byte %zu flipped is '%s'", bit, i, error.message);
      c.byte[i] ^= (unsigned char)(1 << bit);
    }
  for (size_t more = 1; more <= 128; more++) {
    unsigned char *longer = calloc(1, c.size + more);
    memcpy(longer, c.byte, c.size);
    if (!parse(longer, c.size + more, &error)) fail_msg("%zu zeros appended, and not found", more);
    free(longer);
  }
  free(c.byte);
}

static void put_number(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static void sum_head(content *c, size_t blocks) {
  put_number(c->byte + 32 + 32 * blocks, XXH3_64bits(c->byte, 32 + 32 * blocks), 8);
}

/* Lengths that no file can have, with checksums that fit. */
static void test_checkpoint_absurdities(void **state) {
  (void)state;
  static const uint64_t absurd[] = {UINT64_MAX, UINT64_MAX - 63, UINT64_MAX / 2, 1ull << 40, 16, 64, 1000};
  sd_error error;
  for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    for (size_t block = 0; block < 3; block++) {
      content c = sample_checkpoint();
      put_number(c.byte + 32 + 32 * block + 16, absurd[i], 8);
      sum_head(&c, 3);
      assert_int_equal(parse(c.byte, c.size, &error), SD_BAD_INPUT);
      free(c.byte);
    }
    content c = sample_checkpoint();
    put_number(c.byte + 24, absurd[i], 8);
    sum_head(&c, 3);
    assert_int_equal(parse(c.byte, c.size, &error), SD_BAD_INPUT);
    put_number(c.byte + 20, absurd[i], 4);
    assert_int_equal(parse(c.byte, c.size, &error), SD_BAD_INPUT);
    free(c.byte);
  }
  /* bytes that belong to no block */
  content c = sample_checkpoint();
  put_number(c.byte + 32 + 32 * 2 + 16, 0, 8);
  put_number(c.byte + 32 + 32 * 2 + 24, XXH3_64bits("", 0), 8);
  sum_head(&c, 3);
  assert_int_equal(parse(c.byte, c.size, &error), SD_BAD_INPUT);
  assert_clear(&error, "after its last block");
  free(c.byte);
}

static void assert_previous_used(const char *reason) {
  sd_error error = {0};
  sd_checkpoint *c;
  sd_block block;
  int used = 0;
  if (sd_checkpoint_load(path, &c, &used, &error)) fail_msg("%s", error.message);
  assert_int_equal(used, 1);
  assert_string_equal(error.message, "");
  const char *remark = sd_checkpoint_remark(c);
  if (!strstr(remark, reason) || !strstr(remark, previous) || strchr(remark, '\n')) fail_msg("remark '%s'", remark);
  assert_int_equal(sd_checkpoint_find(c, "version", &block, &error), SD_OK);
  assert_memory_equal(block.data, "1", 1);
  sd_checkpoint_destroy(c);
}

static void test_previous_checkpoint(void **state) {
  (void)state;
  sd_error error = {0};
  sd_checkpoint *c;
  int used;
  assert_int_equal(write_checkpoint("1", &error), SD_OK);
  assert_int_equal(write_checkpoint("2", &error), SD_OK);
  content good = read_content(path);
  good.byte[good.size - 60] ^= 4;
  write_content(path, good.byte, good.size);
  assert_previous_used("block 'state'");
  write_content(path, good.byte, 0);
  assert_previous_used("not a checkpoint");
  assert_int_equal(unlink(path), 0);
  assert_previous_used("No such file");
  assert_true(sd_checkpoint_exists(path));
  /* the newest is whole, but from the future: then the older one is not what was asked for */
  good.byte[good.size - 60] ^= 4;
  put_number(good.byte + 16, SD_CHECKPOINT_VERSION + 1, 4);
  sum_head(&good, 3);
  write_content(path, good.byte, good.size);
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_FAILED);
  assert_clear(&error, "format 5, of a newer spindrift");
  assert_null(c);
  free(good.byte);
  /* neither */
  write_content(path, "spindrift", 9);
  write_content(previous, "something else", 14);
  error = (sd_error){0};
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_BAD_INPUT);
  assert_clear(&error, "file: damaged: it is cut off; and ");
  assert_clear(&error, "file.previous: not a checkpoint of spindrift");
  unlink(previous);
  unlink(path);
  error = (sd_error){0};
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_IO);
  assert_clear(&error, "No such file");
  assert_int_equal(mkdir(path, 0700), 0);
  error = (sd_error){0};
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_IO);
  assert_clear(&error, "directory");
}

/* After the previous one was used, the next one written must not lose it before it is there itself. */
static void test_write_after_damage(void **state) {
  (void)state;
  sd_error error = {0};
  assert_int_equal(write_checkpoint("1", &error), SD_OK);
  assert_int_equal(write_checkpoint("2", &error), SD_OK);
  write_content(path, "damaged", 7);
  fault.call = "rename", fault.times = 1, fault.reason = EIO;
  assert_int_equal(write_checkpoint("3", &error), SD_IO);
  no_fault();
  assert_previous_used("not a checkpoint");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_checkpoint),          TEST(test_checkpoint_damage),  TEST(test_checkpoint_absurdities),
      TEST(test_previous_checkpoint), TEST(test_write_after_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
