/* test_files.c - files that last: what was written comes back, any damage is found, and no failure of the system loses
 * what was there.  Linked with --wrap for the calls below, so that they fail when told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"

#include "../host/checkpoint.h"
#include "../host/file_lock.h"
#include "../host/hdf5_file.h"
#include "../host/output_hdf5.h"
#include "../host/plan_text.h"
#include "../host/result_file.h"
#include "../host/run.h"
#include "../host/safe_file.h"
#include "../host/seal.h"
#include "../host/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- calls that fail ---- */

static struct {
  const char *call; /* NULL: none */
  int skip, times;  /* calls that work before, calls that fail then */
  int reason;       /* errno; 0: the call does nothing and returns 0 */
  size_t shorter;   /* writes of at most so many bytes, if not 0 */
  int struck;
} fault;

static int strikes(const char *call) {
  if (!fault.call || strcmp(fault.call, call)) return 0;
  if (fault.skip > 0 && fault.skip--) return 0;
  if (fault.times <= 0) return 0;
  fault.times--;
  fault.struck++;
  errno = fault.reason;
  return 1;
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
ssize_t __real_pread(int fd, void *bytes, size_t size, off_t offset);
int __real_fsync(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
void *__real_realloc(void *old, size_t size);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset);
int __wrap_fsync(int fd);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
void *__wrap_realloc(void *old, size_t size);

int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  return strikes("open") ? -1 : __real_open(path, flags, mode);
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  if (strikes("pwrite")) return fault.reason ? -1 : 0;
  return __real_pwrite(fd, bytes, fault.shorter && fault.shorter < size ? fault.shorter : size, offset);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset) {
  if (strikes("pread")) return -1;
  return __real_pread(fd, bytes, fault.shorter && fault.shorter < size ? fault.shorter : size, offset);
}

int __wrap_fsync(int fd) {
  return strikes("fsync") ? -1 : __real_fsync(fd);
}

int __wrap_ftruncate(int fd, off_t size) {
  return strikes("ftruncate") ? -1 : __real_ftruncate(fd, size);
}

int __wrap_rename(const char *from, const char *to) {
  return strikes("rename") ? -1 : __real_rename(from, to);
}

int __wrap_link(const char *from, const char *to) {
  return strikes("link") ? -1 : __real_link(from, to);
}

void *__wrap_realloc(void *old, size_t size) {
  return strikes("realloc") ? NULL : __real_realloc(old, size);
}

static void no_fault(void) {
  memset(&fault, 0, sizeof fault);
}

/* ---- a directory for the tests ---- */

static char directory[64], path[80], previous[96], partial[96];

static int make_directory(void **state) {
  (void)state;
  no_fault();
  strcpy(directory, "/tmp/spindrift-files-XXXXXX");
  if (!mkdtemp(directory)) return -1;
  snprintf(path, sizeof path, "%s/file", directory);
  snprintf(previous, sizeof previous, "%s.previous", path);
  snprintf(partial, sizeof partial, "%s.partial", path);
  return 0;
}

static void empty_directory(void) {
  DIR *listing = opendir(directory);
  assert_non_null(listing);
  for (struct dirent *entry; (entry = readdir(listing));) {
    char name[512];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
    if (unlink(name)) rmdir(name);
  }
  closedir(listing);
}

static int remove_directory(void **state) {
  (void)state;
  no_fault();
  empty_directory();
  return rmdir(directory);
}

static int is_there(const char *name) {
  return !access(name, F_OK);
}

/* Nothing but NAME and NAME.previous. */
static void assert_no_leftovers(void) {
  DIR *listing = opendir(directory);
  for (struct dirent *entry; (entry = readdir(listing));)
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "file") && strcmp(entry->d_name, "file.previous"))
      fail_msg("left over: %s", entry->d_name);
  closedir(listing);
}

typedef struct {
  unsigned char *byte;
  size_t size;
} content;

static content read_content(const char *name) {
  content c = {malloc(1 << 24), 0};
  FILE *file = fopen(name, "rb");
  if (!file) fail_msg("%s: %s", name, strerror(errno));
  c.size = fread(c.byte, 1, 1 << 24, file);
  fclose(file);
  return c;
}

static void write_content(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static int has_content(const char *name, const content *wanted) {
  if (!is_there(name)) return 0;
  content c = read_content(name);
  int same = c.size == wanted->size && !memcmp(c.byte, wanted->byte, c.size);
  free(c.byte);
  return same;
}

/* One line that names the file. */
static void assert_clear(const sd_error *error, const char *says) {
  if (!strstr(error->message, "file") || strchr(error->message, '\n') || !strstr(error->message, says))
    fail_msg("'%s' should name the file and say '%s'", error->message, says);
}

/* ---- safe files ---- */

static sd_status put_safely(const char *text, sd_replacement replacement, sd_error *error) {
  sd_safe_file file;
  *error = (sd_error){0};
  SD_TRY(sd_safe_file_open(&file, path, error));
  sd_status status = sd_safe_file_write(&file, text, strlen(text), 0, error);
  return sd_safe_file_close(&file, status, replacement, error);
}

static void assert_text(const char *name, const char *text) {
  content wanted = {(unsigned char *)(uintptr_t)text, strlen(text)};
  if (!has_content(name, &wanted)) fail_msg("%s is not '%s'", name, text);
}

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

/* ---- every write path, every failure ---- */

static sd_result *small_result(const char *seed, const char *methods);
static sd_status verify(sd_error *error);

static sd_status write_replacing(const char *version, sd_error *error) {
  return put_safely(version, SD_REPLACE, error);
}

static sd_status write_keeping(const char *version, sd_error *error) {
  return put_safely(version, SD_KEEP_PREVIOUS, error);
}

static sd_status write_checkpoint(const char *version, sd_error *error) {
  sd_block blocks[] = {{"version", version, strlen(version)}, {"none", NULL, 0}, {"state", "0123456789", 10}};
  return sd_checkpoint_write(path, blocks, 3, error);
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

/* ---- checkpoints ---- */

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
  assert_clear(&error, "format 3, of a newer spindrift");
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

/* ---- checkpoints of a run ---- */

typedef struct {
  int pauses;  /* until it interrupts; 0: never */
  int trouble; /* pauses at which a failure was reported */
} onlooker;

static int look_on(void *data, const sd_report *report) {
  onlooker *o = data;
  o->trouble += report->trouble != NULL;
  return o->pauses && !--o->pauses;
}

static sd_status run_saving(onlooker *o, sd_result **result, char message[512]) {
  static const char *const pairs[] = {"method",  "vlv,eln", "bodies",           "5", "steps", "60", "every", "2",
                                      "threads", "1",       "checkpoint-every", "0"};
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i += 2)
    assert_int_equal(sd_plan_set(plan, pairs[i], pairs[i + 1]), SD_OK);
  assert_int_equal(sd_plan_set(plan, "checkpoint", path), SD_OK);
  sd_plan_on_progress(plan, look_on, o);
  sd_status status = sd_run(plan, result);
  snprintf(message, 512, "%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return status;
}

static void test_checkpoint_that_fails(void **state) {
  (void)state;
  onlooker calm = {0, 0}, worried = {0, 0}, relieved = {0, 0};
  sd_result *good, *result;
  char message[512], digest[33];
  assert_int_equal(run_saving(&calm, &good, message), SD_OK);
  strcpy(digest, sd_result_digest(good));
  assert_string_equal(sd_result_trouble(good), "");
  assert_int_equal(calm.trouble, 0);
  sd_result_destroy(good);
  empty_directory();
  fault.call = "pwrite", fault.skip = 1, fault.times = 1 << 30, fault.reason = ENOSPC; /* the first is the lock's */
  assert_int_equal(run_saving(&worried, &result, message), SD_NOT_SAVED);
  no_fault();
  assert_true(sd_result_complete(result));
  assert_string_equal(sd_result_digest(result), digest);
  assert_non_null(strstr(sd_result_trouble(result), strerror(ENOSPC)));
  assert_non_null(strstr(message, "the results are complete, but the checkpoint is not up to date"));
  assert_true(worried.trouble > 0);
  assert_false(is_there(path));
  assert_no_leftovers();
  sd_result_destroy(result);
  fault.call = "pwrite", fault.skip = 1, fault.times = 1, fault.reason = ENOSPC;
  assert_int_equal(run_saving(&relieved, &result, message), SD_OK);
  no_fault();
  assert_string_equal(sd_result_digest(result), digest);
  assert_string_equal(sd_result_trouble(result), "");
  assert_int_equal(relieved.trouble, 1);
  sd_result_destroy(result);
}

static void test_interrupted_while_saving_fails(void **state) {
  (void)state;
  static const char *const says[] = {"nothing of the run is saved", "last saved: vlv, step "};
  for (int older = 0; older < 2; older++) {
    onlooker o = {2, 0}, at_once = {1, 0};
    sd_result *result;
    char message[512];
    empty_directory();
    if (older) {
      assert_int_equal(run_saving(&at_once, &result, message), SD_INTERRUPTED);
      assert_string_equal(message, "interrupted");
      sd_result_destroy(result);
    }
    content before = {0};
    if (older) before = read_content(path);
    fault.call = "pwrite", fault.skip = 1, fault.times = 1 << 30, fault.reason = ENOSPC;
    assert_int_equal(run_saving(&o, &result, message), SD_INTERRUPTED);
    no_fault();
    if (!strstr(message, "could not be saved") || !strstr(message, says[older]) || !strstr(message, strerror(ENOSPC)))
      fail_msg("%s", message);
    if (older) assert_true(has_content(path, &before));
    free(before.byte);
    sd_result_destroy(result);
  }
}

/* The next checkpoint takes the damaged one's place, and leaves the good one where it is. */
static void test_previous_outlives_the_damaged(void **state) {
  (void)state;
  onlooker twice = {2, 0}, once = {1, 0};
  sd_result *result;
  sd_checkpoint *c;
  sd_error error = {0};
  char message[512];
  int used = 1;
  assert_int_equal(run_saving(&twice, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  content good = read_content(previous), damaged = read_content(path);
  damaged.byte[damaged.size / 2] ^= 1;
  write_content(path, damaged.byte, damaged.size);
  assert_int_equal(run_saving(&once, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  assert_true(has_content(previous, &good));
  assert_int_equal(sd_checkpoint_load(path, &c, &used, &error), SD_OK);
  assert_int_equal(used, 0);
  sd_checkpoint_destroy(c);
  free(damaged.byte);
  damaged = read_content(path); /* good by now, and the one to be kept */
  once = (onlooker){1, 0};
  assert_int_equal(run_saving(&once, &result, message), SD_INTERRUPTED);
  sd_result_destroy(result);
  assert_true(has_content(previous, &damaged));
  free(damaged.byte);
  free(good.byte);
}

/* ---- result files ---- */

static sd_result *run_settings(const char *const *pairs, sd_status *status, sd_progress progress) {
  sd_plan *plan;
  sd_result *result;
  static const double starts[2][7] = {{0.9, 0.1, -0.2, 1.0 / 3, 0.1, -1.0 / 7, 0.3},
                                      {0.9, 0.1, -0.2, 1.0 / 3, 0.1, -1.0 / 7, 0.3}};
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (; *pairs; pairs += 2)
    if (sd_plan_set(plan, pairs[0], pairs[1])) fail_msg("%s", sd_plan_message(plan));
  assert_int_equal(sd_plan_set_starts(plan, 1, 2, starts[0], 7), SD_OK);
  sd_plan_on_progress(plan, progress, NULL);
  *status = sd_run(plan, &result);
  if (!result) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return result;
}

/* Numbers that only come back whole if all their bits do; some bodies fail. */
static sd_result *small_result(const char *seed, const char *methods) {
  const char *const pairs[] = {"problem",
                               "stress",
                               "method",
                               methods,
                               "bodies",
                               "5",
                               "steps",
                               "7",
                               "every",
                               "2",
                               "step",
                               "0.33333333333333331",
                               "seed",
                               seed,
                               "sigma-attitude",
                               "0.10000000000000001",
                               "sigma-velocity",
                               "2.2250738585072014e-308",
                               "param",
                               "alpha=0.29999999999999999",
                               "param",
                               "J=2,3.0000000000000004,4",
                               "param",
                               "rtol=1.0000000000000001e-09",
                               "trajectories",
                               "2",
                               "final",
                               "3",
                               "threads",
                               "1",
                               NULL};
  sd_status status;
  return run_settings(pairs, &status, NULL);
}

static void write_result(const sd_result *result) {
  sd_error error = {0};
  const sd_result *const list[] = {result};
  if (sd_results_write_hdf5(list, 1, path, &error)) fail_msg("%s", error.message);
}

static sd_status verify(sd_error *error) {
  sd_result_file *file;
  sd_status status = sd_result_file_open(path, &file, error);
  if (!status) sd_result_file_close(file);
  else assert_null(file);
  return status;
}

static sd_result_file *opened(void) {
  sd_error error = {0};
  sd_result_file *file;
  if (sd_result_file_open(path, &file, &error)) fail_msg("%s", error.message);
  return file;
}

/* The file's plan comes to the digest that stands in the file. */
static void repeat(size_t index, const char *digest) {
  sd_error error = {0};
  sd_plan *plan;
  sd_result *again;
  char stored[33];
  sd_result_file *file = opened();
  if (sd_result_file_plan(file, index, &plan, stored, &error)) fail_msg("%s", error.message);
  sd_result_file_close(file);
  assert_string_equal(stored, digest);
  sd_run(plan, &again);
  if (!again) fail_msg("%s", sd_plan_message(plan));
  assert_string_equal(sd_result_digest(again), digest);
  sd_result_destroy(again);
  sd_plan_destroy(plan);
}

static void test_result_repeats(void **state) {
  (void)state;
  sd_error error = {0};
  sd_plan *plan;
  char digest[33];
  sd_result *first = small_result("18446744073709551615", "vlv,rk45,vlv@4");
  sd_result *second = small_result("0x8000000000000001", "vlv,rk45,vlv@4");
  const sd_result *const list[] = {first, second};
  if (sd_results_write_hdf5(list, 2, path, &error)) fail_msg("%s", error.message);
  sd_result_file *file = opened();
  assert_int_equal(sd_result_file_runs(file), 2);
  assert_true(sd_file_begins_with(path, SD_SEAL_MAGIC));
  assert_string_not_equal(sd_result_digest(first), sd_result_digest(second));
  repeat(0, sd_result_digest(first));
  repeat(1, sd_result_digest(second));
  assert_int_equal(sd_result_file_plan(file, 2, &plan, digest, &error), SD_BAD_INPUT);
  assert_clear(&error, "there is no run 2");
  assert_null(plan);
  sd_result_file_close(file);
  sd_result_destroy(first);
  sd_result_destroy(second);
}

static int stop_at_half(void *data, const sd_report *report) {
  (void)data;
  return report->done > 0.4;
}

static void test_incomplete_result(void **state) {
  (void)state;
  const char *const pairs[] = {"method", "vlv,rk45,eln", "bodies", "3", "steps", "20", "threads", "1", NULL};
  sd_status status;
  sd_result *result = run_settings(pairs, &status, stop_at_half);
  assert_int_equal(status, SD_INTERRUPTED);
  assert_int_equal(sd_result_count(result), 1);
  write_result(result);
  repeat(0, sd_result_digest(result));
  sd_result_destroy(result);
}

static void test_info(void **state) {
  (void)state;
  sd_error error = {0};
  sd_result *result = small_result("7", "vlv,rk45,vlv@4");
  write_result(result);
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  sd_result_file *file = opened();
  assert_int_equal(sd_result_file_info(file, stream, &error), SD_OK);
  sd_result_file_close(file);
  fclose(stream);
  const char *const says[] = {"checksum good",
                              sd_result_digest(result),
                              "stress, 5 bodies, 7 steps of 0.33333333333",
                              "seed 7",
                              "vlv@4",
                              "rk45",
                              "trajectories"};
  for (size_t i = 0; i < sizeof says / sizeof *says; i++)
    if (!strstr(text, says[i])) fail_msg("'%s' is not in\n%s", says[i], text);
  free(text);
  sd_result_destroy(result);
}

static double *read_dataset(hid_t file, const char *name, size_t numbers) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  assert_int_equal(H5Sget_simple_extent_npoints(space), numbers);
  double *values = malloc(numbers * sizeof *values);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return values;
}

/* More samples and bodies than a chunk has, read by HDF5 alone. */
static void test_numbers_in_their_places(void **state) {
  (void)state;
  const char *const pairs[] = {"method", "vlv,eln",      "bodies", "4200",  "steps", "300",     "every", "1", "step",
                               "0.1",    "trajectories", "35",     "final", "4150",  "threads", "1",     NULL};
  enum { SAMPLES = 301, BODIES = 35, FINALS = 4150 };
  sd_status status;
  sd_result *result = run_settings(pairs, &status, NULL);
  write_result(result);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  double *Q = read_dataset(file, "runs/0/methods/eln/trajectories/attitude/value", SAMPLES * BODIES * 9);
  double *W = read_dataset(file, "runs/0/methods/eln/trajectories/velocity/value", SAMPLES * BODIES * 3);
  double *E = read_dataset(file, "runs/0/methods/eln/trajectories/energy_error/value", SAMPLES * BODIES);
  double *time = read_dataset(file, "runs/0/methods/eln/trajectories/velocity/time", SAMPLES);
  for (size_t k = 0; k < SAMPLES; k++) {
    assert_true(time[k] == sd_result_trajectory_time(result, k));
    for (size_t b = 0; b < BODIES; b++) {
      const double *f = trajectory_of(result, 1, k, b);
      assert_memory_equal(Q + (k * BODIES + b) * 9, f, 9 * sizeof *f);
      assert_memory_equal(W + (k * BODIES + b) * 3, f + 9, 3 * sizeof *f);
      assert_memory_equal(E + k * BODIES + b, f + 12, sizeof *E);
    }
  }
  double *last = read_dataset(file, "runs/0/methods/vlv/final/attitude", FINALS * 9);
  for (size_t b = 0; b < FINALS; b++) assert_memory_equal(last + 9 * b, final_of(result, 0, b), 9 * sizeof *last);
  double *mean = read_dataset(file, "runs/0/methods/vlv/energy_error/value", SAMPLES);
  double *quantile = read_dataset(file, "runs/0/methods/vlv/energy_error/quantile", SAMPLES * SD_QUANTILES);
  double *step = read_dataset(file, "runs/0/methods/vlv/energy_error/step", SAMPLES);
  for (size_t k = 0; k < SAMPLES; k++) {
    const sd_point *p = &sd_result_series(result, 0)[k];
    assert_true(mean[k] == p->mean && step[k] == (double)k);
    assert_memory_equal(quantile + k * SD_QUANTILES, p->quantile, sizeof p->quantile);
  }
  double *slope = read_dataset(file, "runs/0/methods/eln/statistics/slope_mean", 1);
  assert_true(*slope == sd_result_summary(result, 1)->slope_mean);
  double *const all[] = {Q, W, E, time, last, mean, quantile, step, slope};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  H5Fclose(file);
  sd_result_destroy(result);
}

/* Orbits: their own starts, impulses and states. */
static void test_orbit_repeats(void **state) {
  (void)state;
  const char *const pairs[] = {"problem",
                               "orbit-elliptic",
                               "method",
                               "midpoint@4,rk45",
                               "bodies",
                               "5",
                               "steps",
                               "7",
                               "step",
                               "33.3",
                               "sigma-position",
                               "0.10000000000000001",
                               "impulse",
                               "t=100.1,dv=0.01,0.02,0.03",
                               "impulse",
                               "t=50,dv=0.1,0,0,size=0.3,angle=0.2",
                               "param",
                               "mu2=3",
                               "param",
                               "at2=1,2,3",
                               "param",
                               "rtol=1e-9",
                               "trajectories",
                               "2",
                               "final",
                               "3",
                               "threads",
                               "1",
                               NULL};
  const double start[6] = {1000, -200, 1.0 / 3, 0.1, -10.0 / 7, 0.3};
  sd_plan *plan;
  sd_result *result;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (const char *const *p = pairs; *p; p += 2)
    if (sd_plan_set(plan, p[0], p[1])) fail_msg("%s", sd_plan_message(plan));
  assert_int_equal(sd_plan_set_starts(plan, 1, 1, start, 6), SD_OK);
  if (sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  write_result(result);
  repeat(0, sd_result_digest(result));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double *q = read_dataset(file, "runs/0/methods/midpoint@4/final/position", 3 * 3);
  double *work = read_dataset(file, "runs/0/methods/midpoint@4/final/work", 3);
  for (size_t b = 0; b < 3; b++) assert_memory_equal(q + 3 * b, final_of(result, 0, b), 3 * sizeof *q);
  assert_true(work[0] != 0 && work[1] != 0);
  free(q);
  free(work);
  H5Fclose(file);
  sd_result_destroy(result);
}

/* Refused in one line. */
static void assert_refused(sd_status wanted, const char *says) {
  sd_error error = {0};
  sd_status status = verify(&error);
  if (status != wanted) fail_msg("status %d, '%s'", status, error.message);
  assert_clear(&error, says);
}

static void test_result_damage(void **state) {
  (void)state;
  sd_error error;
  sd_result *result = small_result("3", "vlv,rk45,vlv@4");
  write_result(result);
  content c = read_content(path);
  int fd = open(path, O_RDWR);
  for (size_t i = 0; i < c.size; i += i < SD_SEAL_SIZE ? 1 : 61) {
    unsigned char flipped = c.byte[i] ^ (unsigned char)(1 << i % 8);
    error = (sd_error){0};
    assert_int_equal(pwrite(fd, &flipped, 1, (off_t)i), 1);
    if (!verify(&error)) fail_msg("byte %zu flipped, and not found", i);
    if (strchr(error.message, '\n') || strstr(error.message, "newer")) fail_msg("byte %zu: %s", i, error.message);
    assert_int_equal(pwrite(fd, &c.byte[i], 1, (off_t)i), 1);
  }
  error = (sd_error){0};
  assert_int_equal(verify(&error), SD_OK);
  assert_int_equal(pwrite(fd, "", 1, (off_t)c.size), 1);
  assert_refused(SD_BAD_INPUT, "should have");
  for (size_t size = c.size; size-- > 0;) {
    error = (sd_error){0};
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    if (!verify(&error)) fail_msg("cut off at %zu of %zu bytes, and not found", size, c.size);
  }
  close(fd);
  free(c.byte);
  sd_result_destroy(result);
}

/* A file with this after its seal, and checksums that fit. */
static void seal_content(const char *bytes, size_t size, size_t record) {
  sd_error error = {0};
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_int_equal(pwrite(fd, bytes, size, SD_SEAL_SIZE), (ssize_t)size);
  assert_int_equal(sd_seal_write(fd, record, path, &error), SD_OK);
  close(fd);
}

static void test_foreign_files(void **state) {
  (void)state;
  assert_refused(SD_IO, "No such file");
  write_content(path, "", 0);
  assert_refused(SD_BAD_INPUT, "not a result file");
  write_content(path, "\211HDF\r\n\032\n and so on", 18);
  assert_refused(SD_BAD_INPUT, "not a result file");
  write_content(path, "spindrift-result 1 ", 19);
  assert_refused(SD_BAD_INPUT, "cut off");
  char noise[4096]; /* sealed, but nothing of ours */
  for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)(i * 37);
  seal_content(noise, sizeof noise, 1000);
  assert_refused(SD_BAD_INPUT, "its record cannot be read");
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_refused(SD_IO, "directory");
}

/* Space that HDF5 has given out and not written is part of the file all the same. */
static void test_unwritten_space(void **state) {
  (void)state;
  const hsize_t size = 100000;
  for (int fails = 0; fails < 2; fails++) {
    struct stat about;
    sd_hdf5_channel channel = {.fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600)};
    hid_t file = sd_hdf5_create(&channel, SD_SEAL_SIZE), space = H5Screate_simple(1, &size, NULL);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_alloc_time(storage, H5D_ALLOC_TIME_EARLY) >= 0);
    assert_true(H5Pset_fill_time(storage, H5D_FILL_TIME_NEVER) >= 0);
    H5Dclose(H5Dcreate2(file, "unwritten", H5T_NATIVE_UINT8, space, H5P_DEFAULT, storage, H5P_DEFAULT));
    H5Pclose(storage);
    H5Sclose(space);
    if (fails) fault.call = "ftruncate", fault.times = 1, fault.reason = EIO;
    assert_true(sd_hdf5_close(&channel, file) >= 0);
    assert_int_equal(channel.failure, fails ? EIO : 0);
    no_fault();
    assert_int_equal(fstat(channel.fd, &about), 0);
    if (!fails) assert_true(about.st_size > (off_t)size);
    close(channel.fd);
  }
}

static void write_head_of_format(const char *format) {
  char line[SD_SEAL_SIZE];
  int length = snprintf(line, sizeof line, "spindrift-result %s something else, of which we know nothing", format);
  snprintf(line + length, sizeof line - (size_t)length, " line %016llx\n",
           (unsigned long long)XXH3_64bits(line, (size_t)length));
  write_content(path, line, sizeof line);
}

static void test_other_formats(void **state) {
  (void)state;
  write_head_of_format("3");
  assert_refused(SD_FAILED, "format 3, of a newer spindrift");
  write_head_of_format("99999999999999999999999999");
  assert_refused(SD_FAILED, "of a newer spindrift");
  write_head_of_format("1");
  assert_refused(SD_FAILED, "format 1, of an older spindrift");
}

static void test_plan_text(void **state) {
  (void)state;
  sd_error error = {0};
  sd_plan *plan, *again;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  assert_int_equal(sd_plan_set(plan, "method", "rk45,vlv@6"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "step", "0.10000000000000002"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "steps", "12345"), SD_OK);
  assert_int_equal(sd_plan_resolve(plan), SD_OK);
  char *text = sd_plan_text(plan, 2), *second;
  assert_int_equal(sd_plan_from_text("file", text, &again, &error), SD_OK);
  assert_int_equal(sd_plan_resolve(again), SD_OK);
  second = sd_plan_text(again, 2);
  assert_string_equal(text, second);
  assert_non_null(strstr(text, "\nmethod rk45,vlv@6\n"));
  assert_non_null(strstr(text, "\nstep 0.10000000000000002\n"));
  free(text);
  free(second);
  sd_plan_destroy(plan);
  sd_plan_destroy(again);
  static const char *const bad[] = {"bodies", "bodies 4", "bodies\n", "\n", "bodies x\n", "colour blue\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    error = (sd_error){0};
    assert_int_equal(sd_plan_from_text("file", bad[i], &again, &error), SD_BAD_INPUT);
    assert_clear(&error, "its plan");
    assert_null(again);
  }
}

/* A text is whole or not there at all, wherever memory fails while it grows. */
static void test_text(void **state) {
  (void)state;
  int failures = 0, whole = 0;
  for (int skip = 0; !whole; skip++) {
    sd_text text = {0};
    fault.call = "realloc", fault.skip = skip, fault.times = 1, fault.reason = ENOMEM;
    for (int i = 0; i < 3000; i++) sd_text_add(&text, "%05d ", i);
    int struck = fault.struck;
    no_fault();
    char *made = sd_text_take(&text);
    assert_int_equal(made == NULL, struck);
    failures += struck;
    whole = made != NULL;
    if (made) assert_int_equal(strlen(made), 18000);
    for (int i = 0; made && i < 3000; i++) assert_int_equal(atoi(made + 6 * i), i);
    free(made);
  }
  assert_true(failures > 5);
  sd_text none = {0};
  char *empty = sd_text_take(&none);
  assert_string_equal(empty, "");
  free(empty);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_directory, remove_directory)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_safe_file),
      TEST(test_two_writers),
      TEST(test_temporary_of_ours),
      TEST(test_second_name),
      TEST(test_permissions),
      TEST(test_lock),
      TEST(test_symbolic_link),
      TEST(test_places_that_cannot_be),
      TEST(test_faults),
      TEST(test_read_fault_while_sealing),
      TEST(test_without_hard_links),
      TEST(test_short_and_interrupted),
      TEST(test_size_limit),
      TEST(test_checkpoint),
      TEST(test_checkpoint_damage),
      TEST(test_checkpoint_absurdities),
      TEST(test_previous_checkpoint),
      TEST(test_write_after_damage),
      TEST(test_checkpoint_that_fails),
      TEST(test_interrupted_while_saving_fails),
      TEST(test_previous_outlives_the_damaged),
      TEST(test_plan_text),
      TEST(test_text),
      TEST(test_result_repeats),
      TEST(test_orbit_repeats),
      TEST(test_incomplete_result),
      TEST(test_info),
      TEST(test_numbers_in_their_places),
      TEST(test_result_damage),
      TEST(test_foreign_files),
      TEST(test_other_formats),
      TEST(test_unwritten_space),
  };
  return cmocka_run_group_tests(tests, NULL, free_results);
}
