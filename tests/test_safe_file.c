/* test_safe_file.c - a file is replaced as a whole or not at all, by one writer at a time, wherever it may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/file_lock.h"
#include "failing_calls.h"
#include "writing.h"

#include <sys/stat.h>

static void test_safe_file(void **state) {
  (void)state;
  sd_error error;
  mode_t mask = umask(027);
  assert_int_equal(put_safely("one", SD_REPLACE, &error), SD_OK);
  umask(mask);
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(about.st_mode & 0777, 0640);
  assert_text(path, "one");
  assert_int_equal(put_safely("two", SD_KEEP_PREVIOUS, &error), SD_OK);
  assert_text(path, "two");
  assert_text(previous, "one");
  assert_int_equal(put_safely("three", SD_KEEP_PREVIOUS, &error), SD_OK);
  assert_text(path, "three");
  assert_text(previous, "two");
  assert_int_equal(put_safely("four", SD_REPLACE, &error), SD_OK);
  assert_text(path, "four");
  assert_text(previous, "two");
  assert_no_leftovers();
}

/* What a program that was killed left behind is taken over; a program that is still writing is not disturbed. */
static void test_two_writers(void **state) {
  (void)state;
  sd_error error = {0}, other = {0};
  write_content(partial, "much longer than what comes", 27);
  assert_int_equal(chmod(partial, 01600), 0);
  assert_int_equal(put_safely("new", SD_REPLACE, &error), SD_OK);
  assert_text(path, "new");
  sd_safe_file file;
  assert_int_equal(sd_safe_file_open(&file, path, &error), SD_OK);
  assert_int_equal(sd_safe_file_check(path, &other), SD_BAD_INPUT);
  assert_clear(&other, "another process");
  assert_int_equal(sd_safe_file_write(&file, "mine", 4, 0, &error), SD_OK);
  assert_int_equal(sd_safe_file_close(&file, SD_OK, SD_REPLACE, &error), SD_OK);
  assert_text(path, "mine");
  assert_int_equal(sd_safe_file_check(path, &error), SD_OK);
  assert_text(path, "mine");
  assert_no_leftovers();
}

/* What a program that is killed at any moment leaves is known as its own; what is not, is left alone. */
static void test_temporary_of_ours(void **state) {
  (void)state;
  sd_error error = {0};
  struct stat about;
  sd_safe_file file;
  assert_int_equal(sd_safe_file_open(&file, path, &error), SD_OK);
  assert_int_equal(sd_safe_file_write(&file, "spindrift-result 1", 18, 0, &error), SD_OK);
  assert_int_equal(stat(partial, &about), 0);
  close(file.fd); /* as the system does for the dead */
  close(file.directory);
  free(file.path);
  free(file.temporary);
  assert_int_equal(put_safely("next", SD_REPLACE, &error), SD_OK);
  assert_text(path, "next");
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(about.st_mode & 01000, 0);
  assert_no_leftovers();
  static const char *const others[] = {"spindrift-result 1 and so on, a copy that a user made", "spindrift-ckpt\r\n",
                                       "x"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    write_content(partial, others[i], strlen(others[i]));
    assert_int_equal(put_safely("new", SD_REPLACE, &error), SD_BAD_INPUT);
    assert_clear(&error, "file.partial: is in the way");
    assert_text(partial, others[i]);
    assert_text(path, "next");
  }
}

/* The second name of the old version, as a killed program leaves it before and after the new one has its place. */
static void test_second_name(void **state) {
  (void)state;
  sd_error error;
  char second[128];
  snprintf(second, sizeof second, "%s.previous.partial", path);
  const char *const one = "all of one format 1", *const two = "all of one format 2",
                    *const three = "all of one format 3";
  write_content(path, one, 19);
  assert_int_equal(link(path, second), 0);
  assert_int_equal(put_safely(two, SD_KEEP_PREVIOUS, &error), SD_OK);
  assert_text(previous, one);
  assert_no_leftovers();
  write_content(second, one, 19);
  write_content(previous, "all of one format 0", 19);
  fault.call = "link", fault.times = 1, fault.reason = EPERM; /* and then: one was what came before two */
  assert_int_equal(put_safely(three, SD_KEEP_PREVIOUS, &error), SD_OK);
  no_fault();
  assert_text(path, three);
  assert_text(previous, two);
  assert_no_leftovers();
  write_content(second, "not of that format", 18);
  assert_int_equal(put_safely(one, SD_KEEP_PREVIOUS, &error), SD_OK);
  assert_text(previous, three);
  assert_text(second, "not of that format");
}

static void test_permissions(void **state) {
  (void)state;
  sd_error error;
  static const mode_t modes[] = {0600, 0640, 0666, 0755};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    struct stat about;
    write_content(path, "old", 3);
    assert_int_equal(chmod(path, modes[i]), 0);
    assert_int_equal(put_safely("new", SD_KEEP_PREVIOUS, &error), SD_OK);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, modes[i]);
    assert_int_equal(stat(previous, &about), 0);
    assert_int_equal(about.st_mode & 07777, modes[i]);
  }
}

static void test_lock(void **state) {
  (void)state;
  sd_file_lock first, second;
  sd_error error = {0};
  char name[96], text[64];
  snprintf(name, sizeof name, "%s.lock", path);
  assert_int_equal(sd_file_lock_take(&first, path, &error), SD_OK);
  snprintf(text, sizeof text, "in use by process %ld", (long)getpid());
  assert_int_equal(sd_file_lock_take(&second, path, &error), SD_BAD_INPUT);
  assert_clear(&error, text);
  sd_file_lock_release(&second);
  assert_true(is_there(name));
  sd_file_lock_release(&first);
  assert_false(is_there(name));
  error = (sd_error){0};
  write_content(name, "spindrift-lock 1\n", 17); /* of a process that is no more */
  assert_int_equal(sd_file_lock_take(&first, path, &error), SD_OK);
  sd_file_lock_release(&first);
  write_content(name, "mine", 4);
  assert_int_equal(sd_file_lock_take(&first, path, &error), SD_BAD_INPUT);
  assert_clear(&error, "file.lock: is there and is not a lock");
  assert_text(name, "mine");
}

static void test_symbolic_link(void **state) {
  (void)state;
  char name[96];
  sd_error error = {0};
  sd_safe_file file;
  struct stat about;
  assert_int_equal(put_safely("one", SD_REPLACE, &error), SD_OK);
  snprintf(name, sizeof name, "%s/link", directory);
  assert_int_equal(symlink("file", name), 0);
  assert_int_equal(sd_safe_file_open(&file, name, &error), SD_OK);
  assert_int_equal(sd_safe_file_write(&file, "two", 3, 0, &error), SD_OK);
  assert_int_equal(sd_safe_file_close(&file, SD_OK, SD_KEEP_PREVIOUS, &error), SD_OK);
  assert_int_equal(lstat(name, &about), 0);
  assert_true(S_ISLNK(about.st_mode));
  assert_text(path, "two");
  assert_text(previous, "one");
}

static void refused(const char *name, const char *says) {
  sd_error error = {0};
  assert_int_equal(sd_safe_file_check(name, &error), SD_BAD_INPUT);
  if (!strstr(error.message, says) || !strstr(error.message, name)) fail_msg("'%s' lacks '%s'", error.message, says);
}

static void test_places_that_cannot_be(void **state) {
  (void)state;
  char name[160];
  snprintf(name, sizeof name, "%s/missing/file", directory);
  refused(name, "open of its directory: No such file or directory");
  refused(directory, "it is a directory");
  refused("/dev/null", "not a regular file");
  write_content(path, "plain", 5);
  snprintf(name, sizeof name, "%s/under", path);
  refused(name, "Not a directory");
  snprintf(name, sizeof name, "%s/sealed", directory);
  assert_int_equal(mkdir(name, 0555), 0);
  chmod(directory, 0755);
  strcat(name, "/file");
  uid_t me = geteuid();
  if (!me) assert_int_equal(seteuid(65534), 0); /* root may write anywhere */
  refused(name, "open of its .partial: Permission denied");
  if (!me) assert_int_equal(seteuid(0), 0);
}

/* Without hard links: one of the two names always has the old version. */
static void test_without_hard_links(void **state) {
  (void)state;
  sd_error error;
  for (int skip = 0; skip < 3; skip++) {
    empty_directory();
    assert_int_equal(put_safely("old", SD_REPLACE, &error), SD_OK);
    sd_safe_file file;
    assert_int_equal(sd_safe_file_open(&file, path, &error), SD_OK);
    char blocked[128]; /* a directory in the way makes the link fail, whatever the file system */
    snprintf(blocked, sizeof blocked, "%s.previous.partial", path);
    assert_int_equal(mkdir(blocked, 0700), 0);
    fault.call = "rename", fault.skip = skip, fault.times = 1, fault.reason = EIO;
    assert_int_equal(sd_safe_file_write(&file, "new", 3, 0, &error), SD_OK);
    sd_status status = sd_safe_file_close(&file, SD_OK, SD_KEEP_PREVIOUS, &error);
    no_fault();
    assert_int_equal(rmdir(blocked), 0);
    assert_int_equal(status, skip < 2 ? SD_IO : SD_OK);
    assert_text(path, skip < 2 ? "old" : "new");
    if (skip == 2) assert_text(previous, "old");
    assert_no_leftovers();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_safe_file),     TEST(test_two_writers),           TEST(test_temporary_of_ours),
      TEST(test_second_name),   TEST(test_permissions),           TEST(test_lock),
      TEST(test_symbolic_link), TEST(test_places_that_cannot_be), TEST(test_without_hard_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
