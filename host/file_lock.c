#define _XOPEN_SOURCE 700
#include "file_lock.h"

#include "safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "spindrift-lock "

static sd_status cannot(sd_error *error, const char *path) {
  sd_status status = sd_reason_is_of_the_name(errno) ? SD_BAD_INPUT : SD_IO;
  return sd_fail(error, status, "%s: cannot be written: open of its .lock: %s", sd_path_shown(path), strerror(errno));
}

/* Who has it, by what stands in it: 0 if that does not say. */
static long holder(int fd) {
  char text[64] = "";
  ssize_t length = pread(fd, text, sizeof text - 1, 0);
  if (length <= (ssize_t)strlen(MAGIC) || strncmp(text, MAGIC, strlen(MAGIC))) return 0;
  long process = strtol(text + strlen(MAGIC), NULL, 10);
  return process > 0 ? process : 0;
}

static sd_status in_use(sd_error *error, const char *path, int fd) {
  char who[40] = "another process";
  long process = holder(fd);
  if (process) snprintf(who, sizeof who, "process %ld", process);
  return sd_fail(error, SD_BAD_INPUT, "%s: in use by %s; wait for its end, or name another file", sd_path_shown(path),
                 who);
}

static int is_still_there(int fd, const char *lock) {
  struct stat mine, named;
  return !fstat(fd, &mine) && !lstat(lock, &named) && mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* A lock on a file that its holder removed meanwhile keeps nobody out: then again. */
static sd_status open_locked(const char *lock, const char *path, int *fd, sd_error *error) {
  for (;;) {
    *fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (*fd < 0) return cannot(error, path);
    int taken = flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    sd_status status = taken ? in_use(error, path, *fd) : SD_OK;
    if (!status && is_still_there(*fd, lock)) return SD_OK;
    close(*fd);
    *fd = -1;
    if (status) return status;
  }
}

/* What cannot be written there is of use to messages alone. */
static void sign(int fd) {
  char text[64];
  int length = snprintf(text, sizeof text, MAGIC "%ld\n", (long)getpid());
  if (!ftruncate(fd, 0)) sd_write_all(fd, text, (size_t)length, 0);
}

/* Beside a device or a directory there is nothing to be locked, and nothing of ours to be left. */
static sd_status check_place(const char *path, sd_error *error) {
  char *file = sd_path_beside(path, "");
  if (!file) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  sd_status status = sd_file_check_regular(file, error);
  free(file);
  return status ? status : sd_file_check_ours(path, ".lock", MAGIC, "a lock", error);
}

sd_status sd_file_lock_take(sd_file_lock *lock, const char *path, sd_error *error) {
  *lock = SD_NO_LOCK;
  SD_TRY(check_place(path, error));
  char *name = sd_path_beside(path, ".lock");
  if (!name) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  sd_status status = open_locked(name, path, &lock->fd, error);
  if (status) {
    free(name);
    return status;
  }
  sign(lock->fd);
  lock->path = name;
  return SD_OK;
}

void sd_file_lock_release(sd_file_lock *lock) {
  if (!lock->path) return;
  if (is_still_there(lock->fd, lock->path)) unlink(lock->path);
  close(lock->fd);
  free(lock->path);
  *lock = SD_NO_LOCK;
}
