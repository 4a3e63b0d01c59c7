/* failing_calls.h - calls of the system that fail when told to, in a program linked with --wrap for them;
 * after cmocka.h. */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  const char *call; /* NULL: none */
  int skip, times;  /* calls that work before, calls that fail then */
  int reason;       /* errno; 0: the call does nothing and returns 0 */
  size_t shorter;   /* writes of at most so many bytes, if not 0 */
  int struck;
} fault;

static inline int strikes(const char *call) {
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

static inline void no_fault(void) {
  memset(&fault, 0, sizeof fault);
}

/* A test in a directory of its own, before and after which nothing fails. */
static inline int begin(void **state) {
  no_fault();
  return make_directory(state);
}

static inline int end(void **state) {
  no_fault();
  return remove_directory(state);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

#endif
