/* test_snapshot.c - checkpoints that somebody else wrote, runs that go on from their own, and what is shown of them.
 * Linked with --wrap=realloc, so that it fails when told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/escape.h"
#include "../host/plan.h"
#include "../host/plan_text.h"
#include "../host/safe_file.h"
#include "../host/snapshot.h"
#include "../host/snapshot_layout.h"
#include "../host/words.h"
#include "checkpointed.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int growth_left = -1; /* times that memory can grow; -1: as often as one likes */
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size) {
  if (!growth_left) return NULL;
  if (growth_left > 0) growth_left--;
  return __real_realloc(memory, size);
}

/* ---- files with other blocks than they should have ---- */

typedef struct {
  sd_checkpoint *file;
  sd_block block[64];
  size_t count;
} copy_of_file;

static copy_of_file open_copy(void) {
  copy_of_file c = {0};
  sd_error error = {0};
  int used;
  assert_int_equal(sd_checkpoint_load(path, &c.file, &used, &error), SD_OK);
  c.count = sd_checkpoint_count(c.file);
  assert_true(c.count < 60);
  for (size_t i = 0; i < c.count; i++) c.block[i] = sd_checkpoint_block(c.file, i);
  return c;
}

static void put_block(copy_of_file *c, const char *tag, const void *data, size_t size) {
  size_t i = 0;
  while (i < c->count && strcmp(c->block[i].tag, tag)) i++;
  c->block[i] = (sd_block){tag, data, size};
  if (i == c->count) c->count++;
}

static void write_copy(copy_of_file *c) {
  sd_error error = {0};
  unlink(path);
  unlink(previous);
  assert_int_equal(sd_checkpoint_write(path, c->block, c->count, &error), SD_OK);
  sd_checkpoint_destroy(c->file);
}

/* The whole way that the command `resume` goes, up to the first step. */
static sd_status go_through(sd_error *error) {
  sd_stored_study study;
  sd_result *result = NULL;
  *error = (sd_error){0};
  SD_TRY(sd_stored_study_read(path, &study, error));
  sd_plan *plan = study.plans[study.place - 1];
  sd_status status = sd_plan_keep(plan, &plan->place.checkpoint, path);
  if (!status) status = sd_plan_resolve(plan);
  if (!status) status = sd_run(plan, &result);
  if (status) sd_fail(error, status, "%s", sd_plan_message(plan));
  sd_result_destroy(result);
  sd_stored_study_destroy(&study);
  return status;
}

static void assert_refused(const char *says) {
  sd_error error;
  sd_status status = go_through(&error);
  if (status != SD_BAD_INPUT || !strstr(error.message, says))
    fail_msg("status %d, '%s' lacks '%s'", status, error.message, says);
}

/* ---- own starts ---- */

static void test_own_starts_come_back(void **state) {
  (void)state;
  char wanted[33];
  const double start[7] = {1, 2, -3, 0.5, 0.3, -1.0 / 3, 2};
  sd_plan *plan = make_plan("vlv,rk4");
  assert_int_equal(sd_plan_set_starts(plan, 3, 1, start, 7), SD_OK);
  digest_of(plan, wanted);
  leave_checkpoint(plan, 0.02);
  sd_plan_destroy(plan);
  sd_stored_study study;
  sd_error error = {0};
  char digest[33];
  assert_int_equal(sd_stored_study_read(path, &study, &error), SD_OK);
  assert_int_equal(study.count, 1);
  assert_int_equal(study.plans[0]->settings.starts.count, 1);
  set(study.plans[0], "checkpoint", path);
  digest_of(study.plans[0], digest);
  assert_string_equal(digest, wanted);
  sd_stored_study_destroy(&study);
}

static void test_own_points_come_back(void **state) {
  (void)state;
  char wanted[33], digest[33];
  const double start[6] = {7000, 1, 2, 0.1, 7.5, -0.2};
  sd_plan *plan = make_plan("verlet,rk4");
  set(plan, "problem", "orbit-elliptic");
  assert_int_equal(sd_plan_set_starts(plan, 1, 1, start, 6), SD_OK);
  digest_of(plan, wanted);
  leave_checkpoint(plan, 0.02);
  sd_plan_destroy(plan);
  sd_stored_study study;
  sd_error error = {0};
  assert_int_equal(sd_stored_study_read(path, &study, &error), SD_OK);
  set(study.plans[0], "checkpoint", path);
  digest_of(study.plans[0], digest);
  assert_string_equal(digest, wanted);
  sd_stored_study_destroy(&study);
}

/* ---- what a plan in a file may say ---- */

static const char *const forbidden[] = {"output /tmp/spindrift-overwritten",
                                        "checkpoint /tmp/spindrift-overwritten",
                                        "threads 1",
                                        "backend cpu",
                                        "isa scalar",
                                        "devices 0",
                                        "fallback cpu",
                                        "block 32",
                                        "device-memory 1",
                                        "checkpoint-every 1",
                                        "time 7.5"};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden };

static void key_of(const char *line, char key[64]) {
  snprintf(key, 64, "'%.*s'", (int)strcspn(line, " "), line);
}

static void test_a_checkpoint_names_nothing_to_write(void **state) {
  (void)state;
  for (int i = 0; i < FORBIDDEN; i++) {
    char text[4096], key[64];
    sd_block plan;
    sd_error error = {0};
    sd_plan *honest = make_plan("vlv");
    leave_checkpoint(honest, 0.02);
    sd_plan_destroy(honest);
    copy_of_file c = open_copy();
    assert_int_equal(sd_checkpoint_find(c.file, "plan", &plan, &error), SD_OK);
    int length = snprintf(text, sizeof text, "%.*s%s\n", (int)plan.size, (const char *)plan.data, forbidden[i]);
    put_block(&c, "plan", text, (size_t)length);
    put_block(&c, "study", text, (size_t)length);
    write_copy(&c);
    key_of(forbidden[i], key);
    assert_refused(key);
    unlink(path);
  }
}

/* ---- numbers that do not fit the plan ---- */

static void put_position_words(copy_of_file *c, unsigned char bytes[SD_POSITION_BYTES], uint64_t method, uint64_t step,
                               double seconds) {
  unsigned char *to = bytes;
  sd_put_word(&to, method);
  sd_put_word(&to, step);
  sd_put_reals(&to, &seconds, 1);
  put_block(c, "position", bytes, SD_POSITION_BYTES);
}

static void test_positions_that_cannot_be(void **state) {
  (void)state;
  static const struct {
    uint64_t method, step;
    double seconds;
  } odd[] = {{2, 0, 0},  {2, 1, 0},          {3, 0, 0},  {UINT64_MAX, 0, 0}, {0, 0, 0},        {1, 0, 0},
             {0, 61, 0}, {1, UINT64_MAX, 0}, {0, 1, -1}, {0, 1, NAN},        {0, 1, INFINITY}, {0, INT64_MAX, 0}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    sd_plan *plan = make_plan("vlv,eln");
    leave_checkpoint(plan, 0.02);
    sd_plan_destroy(plan);
    unsigned char bytes[SD_POSITION_BYTES];
    copy_of_file c = open_copy();
    put_position_words(&c, bytes, odd[i].method, odd[i].step, odd[i].seconds);
    write_copy(&c);
    assert_refused("does not fit its plan");
    unlink(path);
  }
}

static void test_lengths_that_cannot_be(void **state) {
  (void)state;
  static const struct {
    uint64_t wanted;
    double most;
    uint64_t doublings, every;
  } odd[] = {{2, 0, 0, 0},  {0, 0, 1, 0},        {1, NAN, 0, 0},        {1, -1, 0, 0},
             {1, 0, 40, 0}, {1, INFINITY, 0, 0}, {1, 0, UINT64_MAX, 0}, {1, 0, 0, UINT64_MAX}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    sd_plan *plan = make_plan("vlv,eln");
    leave_checkpoint(plan, 0.02);
    sd_plan_destroy(plan);
    unsigned char bytes[SD_UNTIL_BYTES], *to = bytes;
    copy_of_file c = open_copy();
    sd_put_word(&to, odd[i].wanted);
    sd_put_reals(&to, &odd[i].most, 1);
    sd_put_word(&to, odd[i].doublings);
    sd_put_word(&to, odd[i].every);
    put_block(&c, "until", bytes, sizeof bytes);
    write_copy(&c);
    assert_refused("does not fit its plan");
    unlink(path);
  }
}

/* Blocks that fit each other, one by one, and the plan not: a method beyond the last, at its first step. */
static void test_a_method_beyond_the_last(void **state) {
  (void)state;
  unsigned char position[SD_POSITION_BYTES], point[8 * SD_SAMPLE_NUMBERS] = {0};
  unsigned char states[2 * 8 * (1 + 13)] = {0};
  static const double bodies[16 * 64];
  sd_plan *plan = make_plan("vlv,eln");
  char digest[33];
  set(plan, "checkpoint", path);
  digest_of(plan, digest);
  sd_plan_destroy(plan);
  copy_of_file c = open_copy();
  put_position_words(&c, position, 2, 1, 0);
  put_block(&c, "series 2", point, sizeof point);
  put_block(&c, "states 2", states, sizeof states);
  put_block(&c, "bodies", bodies, sizeof bodies);
  write_copy(&c);
  assert_refused("'position' does not fit");
}

/* Bodies of a method that no step was done of, the samples of its beginning with them; and a step without bodies. */
static void test_bodies_and_steps_belong_together(void **state) {
  (void)state;
  for (int with = 0; with < 2; with++) {
    sd_plan *plan = make_plan("vlv");
    leave_checkpoint(plan, 0); /* after one step: samples are those of the beginning */
    sd_plan_destroy(plan);
    copy_of_file c = open_copy();
    unsigned char position[SD_POSITION_BYTES];
    put_position_words(&c, position, 0, with ? 0 : 1, 0);
    if (!with) put_block(&c, "bodies", "", 0), c.block[c.count - 1].tag = "corpses";
    write_copy(&c);
    assert_refused("'position' does not fit");
    unlink(path);
    unlink(previous);
  }
}

/* A status is a number that something is chosen by. */
static void test_statuses_that_are_none(void **state) {
  (void)state;
  static const double odd[] = {NAN, -1, 1e300, -INFINITY, INFINITY};
  enum { STRIDE = 16 }; /* of five bodies */
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    sd_plan *plan = make_plan("vlv");
    sd_block block;
    sd_error error = {0};
    leave_checkpoint(plan, 0.02);
    sd_plan_destroy(plan);
    copy_of_file c = open_copy();
    assert_int_equal(sd_checkpoint_find(c.file, "bodies", &block, &error), SD_OK);
    size_t slots = block.size / sizeof(double) / STRIDE, status = (slots - SD_ACCOUNT_SLOTS + SD_STATUS) * STRIDE + 4;
    unsigned char *bytes = malloc(block.size), *to = bytes + 8 * status;
    memcpy(bytes, block.data, block.size);
    sd_put_reals(&to, &odd[k], 1);
    put_block(&c, "bodies", bytes, block.size);
    write_copy(&c);
    free(bytes);
    assert_refused("'bodies' does not fit");
    unlink(path);
  }
}

/* Each block in turn: a byte more, a byte less, none, twice as much. */
static void test_blocks_of_other_sizes(void **state) {
  (void)state;
  size_t blocks = 1;
  for (size_t i = 0; i < blocks; i++)
    for (int way = 0; way < 4; way++) {
      sd_plan *plan = make_plan("vlv,eln,rk4");
      sd_error error;
      leave_checkpoint(plan, 0.4); /* in the middle of the second method */
      sd_plan_destroy(plan);
      copy_of_file c = open_copy();
      blocks = c.count;
      sd_block *b = &c.block[i];
      char tag[16];
      snprintf(tag, sizeof tag, "%s", b->tag);
      if (!strcmp(tag, "output")) {
        sd_checkpoint_destroy(c.file);
        unlink(path);
        continue; /* any text will do */
      }
      char *longer = calloc(1, 2 * b->size + 80);
      memcpy(longer, b->data, b->size);
      size_t size = way == 0   ? b->size + 1
                    : way == 1 ? (b->size ? b->size - 1 : 72)
                    : way == 2 ? (b->size ? 0 : 8)
                               : 2 * b->size + 8;
      put_block(&c, tag, longer, size);
      write_copy(&c);
      free(longer);
      if (go_through(&error) != SD_BAD_INPUT) fail_msg("block %s, way %d: '%s'", tag, way, error.message);
      unlink(path);
      unlink(previous);
    }
  assert_int_equal(blocks,
                   13); /* plan study output place until starts position summaries bodies, series and states of two */
}

/* Every word of every block of numbers becomes something absurd: refused, or of no consequence, never a crash. */
static void test_absurd_words(void **state) {
  (void)state;
  static const uint64_t absurd[] = {UINT64_MAX, 0x7ff8000000000000, 0xfff0000000000000, 0x7fefffffffffffff, 1ULL << 62};
  int refusals = 0;
  for (size_t k = 0; k < sizeof absurd / sizeof *absurd; k++) {
    sd_plan *plan = make_plan("vlv,eln");
    leave_checkpoint(plan, 0.6);
    sd_plan_destroy(plan);
    copy_of_file c = open_copy();
    sd_checkpoint *source = c.file;
    for (size_t i = 0; i < c.count; i++) {
      sd_block whole = c.block[i];
      if (!strcmp(whole.tag, "plan") || !strcmp(whole.tag, "study") || !strcmp(whole.tag, "output")) continue;
      for (size_t at = 0; at + 8 <= whole.size; at += whole.size > 2000 ? 1512 : whole.size > 500 ? 40 : 8) {
        unsigned char *bytes = malloc(whole.size), *to = bytes + at;
        sd_error error = {0};
        memcpy(bytes, whole.data, whole.size);
        sd_put_word(&to, absurd[k]);
        c.block[i].data = bytes;
        unlink(path);
        unlink(previous);
        assert_int_equal(sd_checkpoint_write(path, c.block, c.count, &error), SD_OK);
        sd_status status = go_through(&error);
        if (status && status != SD_BAD_INPUT && status != SD_BODIES_FAILED)
          fail_msg("status %d: %s", status, error.message);
        refusals += status == SD_BAD_INPUT;
        free(bytes);
      }
      c.block[i] = whole;
    }
    sd_checkpoint_destroy(source);
    unlink(path);
    unlink(previous);
  }
  assert_true(refusals > 80);
}

static void test_texts_that_are_none(void **state) {
  (void)state;
  static const char *const tags[] = {"plan", "study"};
  static const char odd[] = {0, 27, '\t', '\r', 127, (char)0x80, (char)0xff};
  for (int t = 0; t < 2; t++)
    for (size_t k = 0; k < sizeof odd; k++) {
      sd_plan *plan = make_plan("vlv");
      leave_checkpoint(plan, 0.02);
      sd_plan_destroy(plan);
      copy_of_file c = open_copy();
      sd_block block;
      sd_error error = {0};
      assert_int_equal(sd_checkpoint_find(c.file, tags[t], &block, &error), SD_OK);
      char *text = malloc(block.size);
      memcpy(text, block.data, block.size);
      text[block.size - 3] = odd[k];
      put_block(&c, tags[t], text, block.size);
      write_copy(&c);
      free(text);
      assert_refused("is no text");
      unlink(path);
    }
}

/* ---- the layout is what it is said to be, whatever the compiler ---- */

static void test_layout(void **state) {
  (void)state;
  unsigned char bytes[64], *to = bytes;
  size_t member = 0x0102030405060708;
  double number[] = {1, -2};
  const sd_starts starts = {.count = 1, .width = 2, .member = &member, .number = number};
  sd_put_starts(&to, &starts);
  assert_int_equal(to - bytes, sd_starts_bytes(&starts));
  static const unsigned char begin[] = {2, 0, 0, 0, 0, 0, 0,    0,    8, 7, 6, 5, 4, 3, 2, 1,
                                        0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0};
  assert_memory_equal(bytes, begin, sizeof begin);
  to = bytes;
  const sd_position at = {.method = 258, .step = 3, .seconds = 1};
  sd_put_position(&to, &at);
  static const unsigned char position[] = {2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0,    0,
                                           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
  assert_memory_equal(bytes, position, sizeof position);
  assert_int_equal(sizeof position, SD_POSITION_BYTES);
}

/* Two plans alike, their memory filled with different bytes before: the same checkpoint. */
static void test_no_byte_is_left_to_chance(void **state) {
  (void)state;
  const double start[7] = {1, 2, -3, 0.5, 0.3, -1.0 / 3, 2};
  copy_of_file c[2];
  for (int i = 0; i < 2; i++) {
    sd_plan *plan = make_plan("vlv");
    sd_starts *s = &plan->settings.starts;
    *s = (sd_starts){
        .room = 4, .width = 7, .member = malloc(4 * sizeof *s->member), .number = malloc(28 * sizeof *s->number)};
    memset(s->member, i ? 0xff : 0x55, 4 * sizeof *s->member);
    memset(s->number, i ? 0xff : 0x55, 28 * sizeof *s->number);
    for (size_t b = 0; b < 4; b++) assert_int_equal(sd_plan_set_starts(plan, b, 1, start, 7), SD_OK);
    leave_checkpoint(plan, 0.02);
    sd_plan_destroy(plan);
    c[i] = open_copy();
    unlink(path);
    unlink(previous);
  }
  for (size_t b = 0; b < c[0].count; b++) {
    if (!strcmp(c[0].block[b].tag, "position")) continue; /* the time that it took */
    assert_int_equal(c[0].block[b].size, c[1].block[b].size);
    assert_memory_equal(c[0].block[b].data, c[1].block[b].data, c[0].block[b].size);
  }
  sd_checkpoint_destroy(c[0].file);
  sd_checkpoint_destroy(c[1].file);
}

/* ---- without memory ---- */

static void test_a_study_is_whole_or_not_at_all(void **state) {
  (void)state;
  sd_plan *plans[] = {make_plan("vlv"), make_plan("eln")};
  for (int i = 0; i < 2; i++) assert_int_equal(sd_plan_resolve(plans[i]), SD_OK);
  char *text = NULL;
  int needed = 0;
  for (; !text; needed++) {
    growth_left = needed;
    text = sd_plans_text(plans, 2);
  }
  growth_left = -1;
  assert_true(needed > 3);
  assert_non_null(strstr(text, "method vlv\n"));
  assert_non_null(strstr(text, "\fproblem stress\nmethod eln\n"));
  free(text);
  for (int i = 0; i < 2; i++) sd_plan_destroy(plans[i]);
}

/* ---- what is shown ---- */

static void assert_shown(const char *text, const char *wanted, const char *word) {
  char *shown = NULL, *made = NULL;
  size_t size;
  FILE *stream = open_memstream(&shown, &size);
  sd_print_escaped(stream, text, strlen(text));
  fclose(stream);
  assert_string_equal(shown, wanted);
  free(shown);
  stream = open_memstream(&made, &size);
  sd_print_shell_word(stream, text);
  fclose(stream);
  assert_string_equal(made, word);
  free(made);
}

static void test_escaping(void **state) {
  (void)state;
  assert_shown("run.h5", "run.h5", "run.h5");
  assert_shown("", "", "''");
  assert_shown("a b", "a b", "'a b'");
  assert_shown("\033]0;x\007", "\\x1b]0;x\\x07", "'\\x1b]0;x\\x07'");
  assert_shown("x'; rm -rf ~", "x'; rm -rf ~", "'x'\\''; rm -rf ~'");
  assert_shown("\xce\xb1\xe2\x82\xac\xf0\x9f\x98\x80", "\xce\xb1\xe2\x82\xac\xf0\x9f\x98\x80",
               "'\xce\xb1\xe2\x82\xac\xf0\x9f\x98\x80'");
  assert_shown("\xc2\x9b"
               "31m",
               "\\xc2\\x9b31m", "'\\xc2\\x9b31m'"); /* CSI in one character */
  assert_shown("\x9b"
               "31m",
               "\\x9b31m", "'\\x9b31m'");
  assert_shown("\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf4\x90\x80\x80\xff\xce",
               "\\xc0\\xaf\\xe0\\x80\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xff\\xce",
               "'\\xc0\\xaf\\xe0\\x80\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xff\\xce'");
  assert_shown("\177", "\\x7f", "'\\x7f'");
}

/* What `info` shows of the file: nothing in it that a terminal would obey. */
static char *described(sd_status wanted, sd_error *error) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  *error = (sd_error){0};
  assert_int_equal(sd_snapshot_info(path, 1, stream, error), wanted);
  fclose(stream);
  for (const char *c = text; *c; c++)
    if ((*c < 0x20 && *c != '\n') || *c > 0x7e) fail_msg("byte %d is shown in\n%s", *c, text);
  return text;
}

static void test_info_of_odd_files(void **state) {
  (void)state;
  sd_plan *plan = make_plan("vlv");
  sd_error error;
  set(plan, "output", "a\033[2Jb");
  leave_checkpoint(plan, 0.02);
  sd_plan_destroy(plan);
  char *text = described(SD_OK, &error);
  assert_non_null(strstr(text, "begun with --output 'a\\x1b[2Jb'\n"));
  free(text);
  copy_of_file c = open_copy();
  put_block(&c, "position", "12345678", 8);
  put_block(&c, "\033[31m", "", 0);
  write_copy(&c);
  text = described(SD_BAD_INPUT, &error);
  assert_non_null(strstr(error.message, "'position' does not fit"));
  assert_non_null(strstr(text, "method vlv\n"));
  assert_non_null(strstr(text, "block \\x1b[31m"));
  free(text);
  c = open_copy();
  put_block(&c, "plan", "problem \033]0;owned\007\n", 19);
  write_copy(&c);
  text = described(SD_BAD_INPUT, &error);
  assert_non_null(strstr(text, "problem \\x1b]0;owned\\x07"));
  free(text);
}

/* ---- formats ---- */

static void test_an_older_format(void **state) {
  (void)state;
  sd_error error = {0};
  sd_checkpoint *file;
  int used;
  sd_block block = {"state", "x", 1};
  assert_int_equal(sd_checkpoint_write(path, &block, 1, &error), SD_OK);
  unsigned char head[32 + 32 + 8];
  int fd = open(path, O_RDWR);
  assert_int_equal(pread(fd, head, sizeof head, 0), sizeof head);
  head[16] = 1;
  unsigned char *to = head + 64;
  sd_put_word(&to, XXH3_64bits(head, 64));
  assert_int_equal(pwrite(fd, head, sizeof head, 0), sizeof head);
  close(fd);
  assert_int_equal(sd_checkpoint_load(path, &file, &used, &error), SD_FAILED);
  if (!strstr(error.message, "format 1, of an older spindrift")) fail_msg("%s", error.message);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_directory, remove_directory)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_own_starts_come_back),
                                     TEST(test_own_points_come_back),
                                     TEST(test_a_checkpoint_names_nothing_to_write),
                                     TEST(test_positions_that_cannot_be),
                                     TEST(test_lengths_that_cannot_be),
                                     TEST(test_a_method_beyond_the_last),
                                     TEST(test_bodies_and_steps_belong_together),
                                     TEST(test_statuses_that_are_none),
                                     TEST(test_blocks_of_other_sizes),
                                     TEST(test_absurd_words),
                                     TEST(test_texts_that_are_none),
                                     TEST(test_layout),
                                     TEST(test_no_byte_is_left_to_chance),
                                     TEST(test_a_study_is_whole_or_not_at_all),
                                     TEST(test_escaping),
                                     TEST(test_info_of_odd_files),
                                     TEST(test_an_older_format)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
