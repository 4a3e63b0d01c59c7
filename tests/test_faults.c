/* test_faults.c - every way to write a file, and every call of it that may fail: a clear error, and nothing lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "failing_calls.h"
#include "results.h"
#include "writing.h"

#include <signal.h>
#include <sys/resource.h>

static sd_status write_replacing(const char *version, sd_error *error) {
  return put_safely(version, SD_REPLACE, error);
}

static sd_status write_keeping(const char *version, sd_error *error) {
  return put_safely(version, SD_KEEP_PREVIOUS, error);
}

static sd_result *kept[4]; /* by version: the same run need not be done again */

static sd_status write_results(const char *version, sd_error *error) {
  int v = *version - '0';
  if (!kept[v]) kept[v] = small_result(version, "rk45");
  const sd_result *const list[] = {kept[v]};
  return sd_results_write_hdf5(list, 1, path, error);
}

static int free_results(void **state) {
  (void)state;
  for (int v = 0; v < 4; v++) sd_result_destroy(kept[v]);
  return 0;
}

typedef struct {
  const char *name;
  sd_status (*write)(const char *version, sd_error *error);
  int keeps;
} path_of_writing;

static const path_of_writing ways[] = {{"replace", write_replacing, 0},
                                       {"keep", write_keeping, 1},
                                       {"checkpoint", write_checkpoint, 1},
                                       {"results", write_results, 0}};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct {
  content older, old, new;
} versions;

static versions make_versions(const path_of_writing *way) {
  versions v;
  sd_error error = {0};
  empty_directory();
  assert_int_equal(way->write("1", &error), SD_OK);
  v.older = read_content(path);
  assert_int_equal(way->write("2", &error), SD_OK);
  v.old = read_content(path);
  assert_int_equal(way->write("3", &error), SD_OK);
  v.new = read_content(path);
  return v;
}

static void free_versions(versions *v) {
  free(v->older.byte);
  free(v->old.byte);
  free(v->new.byte);
}

static void lay_out(const versions *v) {
  empty_directory();
  write_content(path, v->old.byte, v->old.size);
  write_content(previous, v->older.byte, v->older.size);
}

/* Fails one call of this kind after the other (of many, every stride-th).  Each time: a clear error, the old files as
 * they were, nothing left over.  Returns the calls there are, with a stride of 1. */
static int fail_each(const path_of_writing *way, const versions *v, const char *call, int reason, int times,
                     int stride) {
  for (int skip = 0;; skip += stride) {
    sd_error error = {0};
    lay_out(v);
    fault.call = call, fault.skip = skip, fault.times = times, fault.reason = reason, fault.struck = 0;
    sd_status status = way->write("3", &error);
    int struck = fault.struck;
    no_fault();
    assert_no_leftovers();
    if (!struck) {
      assert_int_equal(status, SD_OK);
      return skip;
    }
    if (status != SD_IO) fail_msg("%s: %s number %d failed, and the status is %d", way->name, call, skip, status);
    assert_clear(&error, strerror(reason ? reason : ENOSPC));
    if (strstr(error.message, "is complete")) {
      assert_false(has_content(path, &v->old));
    } else if (!has_content(path, &v->old) || !has_content(previous, &v->older)) {
      fail_msg("%s: after the failure of %s number %d the old files are not as they were", way->name, call, skip);
    }
  }
}

static void test_faults(void **state) {
  (void)state;
  for (int i = 0; i < WAYS; i++) {
    const path_of_writing *way = &ways[i];
    versions v = make_versions(way);
    int writes = fail_each(way, &v, "pwrite", EIO, 1, 1), stride = writes > 20 ? 13 : 1;
    assert_true(writes >= 1);
    fail_each(way, &v, "pwrite", ENOSPC, 1 << 30, stride);
    fail_each(way, &v, "pwrite", 0, 1, stride);
    assert_int_equal(fail_each(way, &v, "fsync", EIO, 1, 1), 2); /* the file's and the directory's */
    assert_int_equal(fail_each(way, &v, "rename", EACCES, 1, 1), way->keeps ? 2 : 1);
    assert_true(fail_each(way, &v, "open", EMFILE, 1, 1) >= 2); /* the directory, the temporary; a look at the kinds */
    assert_true(fail_each(way, &v, "ftruncate", EIO, 1, 1) >= 1);
    free_versions(&v);
  }
}

static void test_read_fault_while_sealing(void **state) {
  (void)state;
  versions v = make_versions(&ways[3]);
  assert_true(fail_each(&ways[3], &v, "pread", EIO, 1, 1) >= 1);
  free_versions(&v);
}

static void test_short_and_interrupted(void **state) {
  (void)state;
  for (int i = 0; i < WAYS; i++) {
    sd_error error = {0};
    int used;
    sd_checkpoint *c;
    empty_directory();
    fault.shorter = 61;
    assert_int_equal(ways[i].write("2", &error), SD_OK);
    if (i == 2) {
      assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_OK);
      assert_int_equal(used, 0);
      sd_checkpoint_destroy(c);
    }
    if (i == 3) assert_int_equal(verify(&error), SD_OK);
    static const char *const calls[] = {"pwrite", "fsync"};
    for (int k = 0; k < 2; k++) {
      no_fault();
      fault.call = calls[k], fault.times = 3, fault.reason = EINTR;
      assert_int_equal(ways[i].write("2", &error), SD_OK);
      assert_int_equal(fault.struck, 3);
    }
    no_fault();
  }
}

/* No injection: the system itself refuses files beyond a size. */
static void test_size_limit(void **state) {
  (void)state;
  struct rlimit before, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  for (int i = 2; i < WAYS; i++) {
    sd_error error = {0};
    versions v = make_versions(&ways[i]);
    lay_out(&v);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    sd_status status = ways[i].write("3", &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SD_IO);
    assert_clear(&error, strerror(EFBIG));
    assert_true(has_content(path, &v.old));
    assert_no_leftovers();
    free_versions(&v);
  }
  signal(SIGXFSZ, handler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_faults),
      TEST(test_read_fault_while_sealing),
      TEST(test_short_and_interrupted),
      TEST(test_size_limit),
  };
  return cmocka_run_group_tests(tests, NULL, free_results);
}
