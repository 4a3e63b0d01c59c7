#define _XOPEN_SOURCE 700 /* S_ISVTX */
#include "safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

static char *joined(const char *begin, size_t length, const char *end) {
  size_t more = strlen(end) + 1;
  char *made = malloc(length + more);
  if (!made) return NULL;
  memcpy(made, begin, length);
  memcpy(made + length, end, more);
  return made;
}

/* Where a symbolic link points, seen from where the link's own name is seen; NULL and errno 0 if it is none. */
static char *one_link_further(const char *path) {
  char target[PATH_MAX + 1];
  ssize_t length = readlink(path, target, PATH_MAX);
  const char *slash = strrchr(path, '/');
  errno = 0;
  if (length < 0) return NULL;
  target[length] = 0;
  char *made = joined(path, *target == '/' || !slash ? 0 : (size_t)(slash + 1 - path), target);
  if (!made) errno = ENOMEM;
  return made;
}

enum { LINKS_MOST = 40 }; /* as the system has it */

/* Links in the directories need no following: the names beside the file are in the same directory. */
char *sd_path_beside(const char *path, const char *suffix) {
  char *at = joined(path, strlen(path), "");
  for (int links = 0; at && links < LINKS_MOST; links++) {
    char *next = one_link_further(at);
    if (!next && !errno) break;
    free(at);
    at = next;
  }
  char *made = at ? joined(at, strlen(at), suffix) : NULL;
  free(at);
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

sd_status sd_file_check_regular(const char *path, sd_error *error) {
  struct stat about;
  if (lstat(path, &about) || S_ISREG(about.st_mode)) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s: cannot be written: it is %s; name another file", sd_path_shown(path),
                 S_ISDIR(about.st_mode)   ? "a directory"
                 : S_ISLNK(about.st_mode) ? "a symbolic link that leads in a circle"
                                          : "not a regular file");
}

/* Renaming would put a plain file in the place of a device or a pipe, and does not ask for permission to write. */
static sd_status check_target(sd_safe_file *file, sd_error *error) {
  struct stat about;
  if (lstat(file->path, &about)) return SD_OK; /* a failure that matters meets us again below */
  SD_TRY(sd_file_check_regular(file->path, error));
  if (access(file->path, W_OK)) return cannot(error, file->path, "access");
  file->replaces = 1;
  file->mode = about.st_mode & 0777;
  file->owner = about.st_uid;
  file->group = about.st_gid;
  return SD_OK;
}

static int same_file(int fd, const char *path) {
  struct stat mine, named;
  return !fstat(fd, &mine) && !lstat(path, &named) && mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* Until it has its name, a temporary carries the sticky bit, which means nothing on a plain file and which nobody else
 * sets: so one that a killed program left is known, whatever it holds by then.  One that is empty is no loss. */
static int left_by_us(int fd) {
  struct stat about;
  return !fstat(fd, &about) && S_ISREG(about.st_mode) && about.st_nlink == 1 && about.st_uid == geteuid() &&
         (about.st_mode & S_ISVTX || !about.st_size);
}

static sd_status foreign_temporary(const sd_safe_file *file, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT,
                 "%s: is in the way, and nothing says that spindrift left it there; move it, or name another file",
                 sd_path_shown(file->temporary));
}

/* A new file; or the one that is there, to be looked at before anything is done to it.  -1 with errno set. */
static int create_or_open(const char *temporary, mode_t mode) {
  struct stat about;
  int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd >= 0 || errno != EEXIST) return fd;
  if (!lstat(temporary, &about) && !S_ISREG(about.st_mode)) { /* not even opened: a device may take that as a wish */
    errno = EEXIST;
    return -1;
  }
  fd = open(temporary, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) errno = EAGAIN; /* it has just been renamed or removed */
  return fd;
}

static sd_status open_temporary(sd_safe_file *file, sd_error *error) {
  do {
    if (file->fd >= 0) close(file->fd); /* somebody renamed it between the opening and the lock */
    file->fd = create_or_open(file->temporary, file->replaces ? file->mode | S_IRUSR | S_IWUSR : 0666);
    if (file->fd < 0 && errno == EAGAIN) continue;
    if (file->fd < 0 && (errno == EEXIST || errno == ELOOP)) return foreign_temporary(file, error);
    if (file->fd < 0) return cannot(error, file->path, "open of its .partial");
    if (flock(file->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) { /* other failures: no locks here */
      close(file->fd);
      file->fd = -1;
      return sd_fail(error, SD_BAD_INPUT, "%s: cannot be written: another process is writing it now; name another file",
                     sd_path_shown(file->path));
    }
  } while (file->fd < 0 || !same_file(file->fd, file->temporary));
  if (left_by_us(file->fd)) return SD_OK;
  close(file->fd); /* and do not remove it */
  file->fd = -1;
  return foreign_temporary(file, error);
}

/* Whoever could not read the file that is replaced cannot read the temporary either. */
static sd_status prepare_temporary(sd_safe_file *file, sd_error *error) {
  struct stat about;
  if (ftruncate(file->fd, 0)) return cannot(error, file->path, "ftruncate");
  if (fstat(file->fd, &about)) return cannot(error, file->path, "fstat");
  if (!file->replaces) {
    file->mode = about.st_mode & 0777;
    file->owner = about.st_uid;
    file->group = about.st_gid;
  } else if (about.st_gid != file->group && fchown(file->fd, (uid_t)-1, file->group)) {
    file->mode &= ~(mode_t)S_IRWXG; /* they were meant for another group */
  }
  int refused = fchmod(file->fd, file->mode | S_IRUSR | S_IWUSR | S_ISVTX);
  (void)refused; /* a system without such bits: what a killed program leaves is then for the user to remove */
  return SD_OK;
}

/* After it has its name.  A system that knows no owners or bits has none to keep. */
static void give_permissions(const sd_safe_file *file) {
  struct stat about;
  if (fstat(file->fd, &about)) return;
  int refused = about.st_uid != file->owner && fchown(file->fd, file->owner, (gid_t)-1);
  refused |= fchmod(file->fd, file->mode);
  (void)refused;
}

static sd_status open_all(sd_safe_file *file, const char *path, sd_error *error) {
  file->path = sd_path_beside(path, "");
  file->temporary = sd_path_beside(path, ".partial");
  if (!file->path || !file->temporary) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  SD_TRY(check_target(file, error));
  file->directory = open_directory_of(file->path);
  if (file->directory < 0) return cannot(error, path, "open of its directory");
  SD_TRY(open_temporary(file, error));
  return prepare_temporary(file, error);
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

/* Do two files begin alike?  Those of one format do. */
static int same_kind(const char *a, const char *b) {
  char begin[17] = "";
  uint64_t size;
  int fd = sd_open_regular(a, &size);
  if (fd < 0) return 0;
  int got = !sd_read_all(fd, begin, sizeof begin - 1, 0);
  close(fd);
  return got && strlen(begin) == sizeof begin - 1 && sd_file_begins_with(b, begin);
}

/* The second name as a killed program left it: still that of NAME, or already that of the version before, which was to
 * become NAME.previous.  Anything else is not ours and stays. */
static void clear_second(const sd_safe_file *file, const char *second, const char *previous) {
  struct stat mine, left;
  if (lstat(second, &left) || !S_ISREG(left.st_mode) || stat(file->path, &mine)) return;
  if (mine.st_dev == left.st_dev && mine.st_ino == left.st_ino) unlink(second);
  else if (left.st_nlink == 1 && left.st_uid == geteuid() && same_kind(second, file->path)) rename(second, previous);
}

/* A second name for the old version is made before the new one takes its place, and becomes NAME.previous only then: a
 * failure before that changes nothing, one at that point is undone. */
static sd_status link_and_rename(const sd_safe_file *file, const char *second, const char *previous, sd_error *error) {
  clear_second(file, second, previous);
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

/* An empty file holds nothing that could be missed. */
static int is_worth_keeping(const char *path) {
  struct stat about;
  return !stat(path, &about) && about.st_size > 0;
}

static sd_status replace(const sd_safe_file *file, sd_replacement replacement, sd_error *error) {
  if (fsync_patiently(file->fd)) return cannot(error, file->path, "fsync");
  if (replacement == SD_KEEP_PREVIOUS && is_worth_keeping(file->path)) return replace_keeping(file, error);
  return rename(file->temporary, file->path) ? cannot(error, file->path, "rename of its .partial") : SD_OK;
}

/* Without this the new name may be gone after a power failure; some file systems need and know no such call. */
static sd_status settle(const sd_safe_file *file, sd_error *error) {
  if (!fsync_patiently(file->directory) || errno == EINVAL || errno == ENOTSUP) return SD_OK;
  return sd_fail(error, SD_IO, "%s: is complete, but a power failure could undo it: fsync of its directory: %s",
                 sd_path_shown(file->path), strerror(errno));
}

sd_status sd_safe_file_close(sd_safe_file *file, sd_status so_far, sd_replacement replacement, sd_error *error) {
  int reason = errno; /* of a failure that led here */
  sd_status status = so_far ? so_far : replace(file, replacement, error);
  if (status && file->fd >= 0 && same_file(file->fd, file->temporary)) unlink(file->temporary);
  if (!status) give_permissions(file);
  if (!status) status = settle(file, error);
  if (file->fd >= 0) close(file->fd); /* and with it the lock */
  if (file->directory >= 0) close(file->directory);
  free(file->path);
  free(file->temporary);
  *file = (sd_safe_file){.fd = -1, .directory = -1};
  errno = reason;
  return status;
}

/* ---- before a long run ---- */

int sd_reason_is_of_the_name(int reason) {
  static const int those[] = {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG, EINVAL};
  for (size_t i = 0; i < sizeof those / sizeof *those; i++)
    if (reason == those[i]) return 1;
  return 0;
}

sd_status sd_safe_file_check(const char *path, sd_error *error) {
  sd_safe_file file;
  errno = 0;
  sd_status status = sd_safe_file_open(&file, path, error);
  if (status == SD_IO && sd_reason_is_of_the_name(errno)) status = error->status = SD_BAD_INPUT;
  if (status) return status;
  sd_safe_file_close(&file, SD_INTERRUPTED, SD_REPLACE, error);
  return SD_OK;
}

static sd_status check_one(const char *path, const char *magic, const char *kind, sd_error *error) {
  struct stat about;
  if (lstat(path, &about)) return SD_OK;
  if (S_ISREG(about.st_mode) && (!about.st_size || sd_file_begins_with(path, magic))) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s: is there and is not %s of spindrift; move it, or name another file",
                 sd_path_shown(path), kind);
}

sd_status sd_file_check_ours(const char *path, const char *suffix, const char *magic, const char *kind,
                             sd_error *error) {
  char *name = sd_path_beside(path, suffix);
  sd_status status = name ? check_one(name, magic, kind, error)
                          : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  free(name);
  return status;
}
