#define _XOPEN_SOURCE 700 /* realpath */
#include "safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- helpers ---- */

enum { MOST_AT_ONCE = 1 << 30 }; /* Linux transfers no more than 2 GiB in one call */

int sd_write_all(int fd, const void *bytes, size_t size, uint64_t offset) {
  for (const char *from = bytes; size;) {
    ssize_t written = pwrite(fd, from, size < MOST_AT_ONCE ? size : MOST_AT_ONCE, (off_t)offset);
    if (written < 0 && errno == EINTR) continue;
    if (!written) errno = ENOSPC; /* no reason given, and no progress */
    if (written <= 0) return -1;
    from += written;
    offset += (uint64_t)written;
    size -= (size_t)written;
  }
  return 0;
}

int sd_read_all(int fd, void *bytes, size_t size, uint64_t offset) {
  for (char *to = bytes; size;) {
    ssize_t got = pread(fd, to, size < MOST_AT_ONCE ? size : MOST_AT_ONCE, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (!got) errno = 0;
    if (got <= 0) return -1;
    to += got;
    offset += (uint64_t)got;
    size -= (size_t)got;
  }
  return 0;
}

int sd_open_regular(const char *path, uint64_t *size) {
  struct stat about = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer would block */
  if (fd < 0) return -1;
  if (!fstat(fd, &about) && S_ISREG(about.st_mode)) {
    *size = (uint64_t)about.st_size;
    return fd;
  }
  close(fd);
  errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
  return -1;
}

int sd_file_begins_with(const char *path, const char *text) {
  char begin[64];
  uint64_t size;
  size_t length = strlen(text);
  int fd = sd_open_regular(path, &size);
  if (fd < 0) return 0;
  int same = length <= sizeof begin && !sd_read_all(fd, begin, length, 0) && !memcmp(begin, text, length);
  close(fd);
  return same;
}

char *sd_path_beside(const char *path, const char *suffix) {
  char *real = realpath(path, NULL);
  const char *base = real ? real : path;
  size_t length = strlen(base), more = strlen(suffix) + 1;
  char *made = malloc(length + more);
  if (made) {
    memcpy(made, base, length);
    memcpy(made + length, suffix, more);
  }
  free(real);
  return made;
}

const char *sd_path_shown(const char *path) {
  enum { MOST = 160 };
  size_t length = strlen(path);
  return length > MOST ? path + length - MOST : path;
}

static sd_status cannot(sd_error *error, const char *path, const char *call) {
  return sd_fail(error, SD_IO, "%s: cannot be written: %s: %s", sd_path_shown(path), call, strerror(errno));
}

static int fsync_patiently(int fd) {
  int result;
  do result = fsync(fd);
  while (result && errno == EINTR);
  return result;
}

/* ---- opening ---- */

static int open_directory_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  size_t length = slash == path ? 1 : (size_t)(slash - path);
  char *name = calloc(1, length + 1);
  if (!name) return -1;
  memcpy(name, path, length);
  int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int reason = errno;
  free(name);
  errno = reason;
  return fd;
}

/* Renaming would put a plain file in the place of a device or a pipe, and does not ask for permission to write. */
static sd_status check_target(const char *path, sd_error *error) {
  struct stat about;
  if (stat(path, &about)) return SD_OK;
  if (!S_ISREG(about.st_mode))
    return sd_fail(error, SD_IO, "%s: cannot be written: it is %s", sd_path_shown(path),
                   S_ISDIR(about.st_mode) ? "a directory" : "not a regular file");
  return access(path, W_OK) ? cannot(error, path, "access") : SD_OK;
}

static int same_file(int fd, const char *path) {
  struct stat mine, named;
  return !fstat(fd, &mine) && !stat(path, &named) && mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

static sd_status open_temporary(sd_safe_file *file, sd_error *error) {
  do {
    if (file->fd >= 0) close(file->fd); /* somebody renamed it between the opening and the lock */
    file->fd = open(file->temporary, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file->fd < 0) return cannot(error, file->path, "open of its .partial");
    if (flock(file->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) { /* other failures: no locks here */
      close(file->fd);
      file->fd = -1;
      return sd_fail(error, SD_IO, "%s: cannot be written: another process is writing it now",
                     sd_path_shown(file->path));
    }
  } while (!same_file(file->fd, file->temporary));
  return ftruncate(file->fd, 0) ? cannot(error, file->path, "ftruncate") : SD_OK;
}

static sd_status open_all(sd_safe_file *file, const char *path, sd_error *error) {
  file->path = sd_path_beside(path, "");
  file->temporary = sd_path_beside(path, ".partial");
  if (!file->path || !file->temporary) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  SD_TRY(check_target(file->path, error));
  file->directory = open_directory_of(file->path);
  if (file->directory < 0) return cannot(error, path, "open of its directory");
  return open_temporary(file, error);
}

sd_status sd_safe_file_open(sd_safe_file *file, const char *path, sd_error *error) {
  *file = (sd_safe_file){.fd = -1, .directory = -1};
  sd_status status = open_all(file, path, error);
  return status ? sd_safe_file_close(file, status, SD_REPLACE, error) : SD_OK;
}

sd_status sd_safe_file_write(const sd_safe_file *file, const void *bytes, size_t size, uint64_t offset,
                             sd_error *error) {
  return sd_write_all(file->fd, bytes, size, offset) ? cannot(error, file->path, "write") : SD_OK;
}

/* ---- closing ---- */

/* Where hard links are not to be had: for a moment NAME.previous alone is there. */
static sd_status rename_both(const sd_safe_file *file, const char *previous, sd_error *error) {
  if (rename(file->path, previous)) return cannot(error, file->path, "rename to its .previous");
  if (!rename(file->temporary, file->path)) return SD_OK;
  cannot(error, file->path, "rename of its .partial");
  rename(previous, file->path);
  return SD_IO;
}

/* A second name for the old version is made before the new one takes its place, and becomes NAME.previous only then: a
 * failure before that changes nothing, one at that point is undone. */
static sd_status link_and_rename(const sd_safe_file *file, const char *second, const char *previous, sd_error *error) {
  unlink(second); /* of a program that was killed */
  if (link(file->path, second)) return rename_both(file, previous, error);
  sd_status status = SD_OK;
  if (rename(file->temporary, file->path)) {
    status = cannot(error, file->path, "rename of its .partial");
  } else if (rename(second, previous)) {
    status = cannot(error, file->path, "rename to its .previous");
    rename(second, file->path);
  }
  unlink(second); /* if it is still there */
  return status;
}

static sd_status replace_keeping(const sd_safe_file *file, sd_error *error) {
  char *second = sd_path_beside(file->path, ".previous.partial"), *previous = sd_path_beside(file->path, ".previous");
  sd_status status = second && previous ? link_and_rename(file, second, previous, error)
                                        : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(file->path));
  free(second);
  free(previous);
  return status;
}

static sd_status replace(const sd_safe_file *file, sd_replacement replacement, sd_error *error) {
  if (fsync_patiently(file->fd)) return cannot(error, file->path, "fsync");
  if (replacement == SD_KEEP_PREVIOUS && !access(file->path, F_OK)) return replace_keeping(file, error);
  return rename(file->temporary, file->path) ? cannot(error, file->path, "rename of its .partial") : SD_OK;
}

/* Without this the new name may be gone after a power failure; some file systems need and know no such call. */
static sd_status settle(const sd_safe_file *file, sd_error *error) {
  if (!fsync_patiently(file->directory) || errno == EINVAL || errno == ENOTSUP) return SD_OK;
  return sd_fail(error, SD_IO, "%s: is complete, but a power failure could undo it: fsync of its directory: %s",
                 sd_path_shown(file->path), strerror(errno));
}

sd_status sd_safe_file_close(sd_safe_file *file, sd_status so_far, sd_replacement replacement, sd_error *error) {
  sd_status status = so_far ? so_far : replace(file, replacement, error);
  if (status && file->fd >= 0 && same_file(file->fd, file->temporary)) unlink(file->temporary);
  if (!status) status = settle(file, error);
  if (file->fd >= 0) close(file->fd); /* and with it the lock */
  if (file->directory >= 0) close(file->directory);
  free(file->path);
  free(file->temporary);
  *file = (sd_safe_file){.fd = -1, .directory = -1};
  return status;
}

sd_status sd_safe_file_check(const char *path, sd_error *error) {
  sd_safe_file file;
  SD_TRY(sd_safe_file_open(&file, path, error));
  sd_safe_file_close(&file, SD_INTERRUPTED, SD_REPLACE, error);
  return SD_OK;
}
