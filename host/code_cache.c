#define _XOPEN_SOURCE 700 /* for realpath, and the sticky bit */
#include "code_cache.h"

#include "safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sd_status fail(const char *path, const char *what, sd_error *error) {
  return sd_fail(error, SD_IO, "%s: %s: %s", sd_path_shown(path), what, strerror(errno));
}

static sd_status refuse(const char *path, const char *why, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT,
                 "%s %s: code is read from a folder that you own and nobody else can write to, and from nowhere else; "
                 "change that, or set XDG_CACHE_HOME to such a folder",
                 sd_path_shown(path), why);
}

/* ---- the folder ---- */

static sd_status name_folder(char path[SD_CODE_PATH], sd_error *error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (cache && *cache == '/') length = snprintf(path, SD_CODE_PATH, "%s/spindrift", cache);
  else if (home && *home == '/') length = snprintf(path, SD_CODE_PATH, "%s/.cache/spindrift", home);
  if (length > 0 && length < SD_CODE_PATH - 128) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT,
                 "compiled code is kept in $XDG_CACHE_HOME/spindrift or ~/.cache/spindrift, and %s",
                 length < 0 ? "neither XDG_CACHE_HOME nor HOME is an absolute folder" : "that path is too long");
}

/* All of its folders that are not there, for the user alone. */
static sd_status make_folder(char *path, sd_error *error) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    if (mkdir(path, 0700) && errno != EEXIST) return fail(path, "cannot be made", error);
  }
  if (mkdir(path, 0700) && errno != EEXIST) return fail(path, "cannot be made", error);
  return SD_OK;
}

/* In a folder whose sticky bit is set nobody can put something else into the place of what is mine. */
static sd_status check_way(const char *path, sd_error *error) {
  char *real = realpath(path, NULL);
  sd_status status = real ? SD_OK : fail(path, "cannot be found", error);
  for (char *end = real ? strrchr(real, '/') : NULL; end && !status; end = strrchr(real, '/')) {
    struct stat s;
    *end = 0;
    const char *folder = *real ? real : "/";
    if (lstat(folder, &s)) status = fail(folder, "cannot be looked at", error);
    else if (s.st_uid && s.st_uid != geteuid()) status = refuse(folder, "is somebody else's", error);
    else if ((s.st_mode & 022) && !(s.st_mode & S_ISVTX)) status = refuse(folder, "can be changed by others", error);
  }
  free(real);
  return status;
}

static sd_status check_mine(const char *path, const struct stat *s, sd_error *error) {
  if (s->st_uid != geteuid()) return refuse(path, "is somebody else's", error);
  return s->st_mode & 022 ? refuse(path, "can be written to by others", error) : SD_OK;
}

sd_status sd_code_cache_open(sd_code_cache *c, sd_error *error) {
  struct stat s;
  c->fd = -1;
  SD_TRY(name_folder(c->path, error));
  SD_TRY(make_folder(c->path, error));
  c->fd = open(c->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (c->fd < 0) return fail(c->path, "cannot be opened", error);
  sd_status status = fstat(c->fd, &s) ? fail(c->path, "cannot be looked at", error) : check_mine(c->path, &s, error);
  if (!status) status = check_way(c->path, error);
  if (status) sd_code_cache_close(c);
  return status;
}

void sd_code_cache_close(sd_code_cache *c) {
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
}

/* ---- files ---- */

sd_status sd_code_cache_find(const sd_code_cache *c, const char *name, int *found, sd_error *error) {
  struct stat s;
  *found = !fstatat(c->fd, name, &s, AT_SYMLINK_NOFOLLOW);
  if (!*found) return errno == ENOENT ? SD_OK : fail(c->path, "cannot be looked at", error);
  char path[SD_CODE_PATH + 64];
  snprintf(path, sizeof path, "%s/%s", c->path, name);
  if (!S_ISREG(s.st_mode)) return refuse(path, "is no plain file", error);
  return check_mine(path, &s, error);
}

sd_status sd_code_cache_workshop(const sd_code_cache *c, char folder[SD_CODE_PATH], sd_error *error) {
  snprintf(folder, SD_CODE_PATH, "%.900s/work-XXXXXX", c->path);
  return mkdtemp(folder) ? SD_OK : fail(c->path, "cannot be written to", error);
}

sd_status sd_code_cache_keep(const sd_code_cache *c, const char *folder, const char *file, const char *name,
                             sd_error *error) {
  char from[SD_CODE_PATH + 64];
  snprintf(from, sizeof from, "%s/%s", folder, file);
  if (chmod(from, 0700) || renameat(AT_FDCWD, from, c->fd, name)) return fail(c->path, "cannot be written to", error);
  return SD_OK;
}

void sd_code_cache_clear(const char *folder) {
  DIR *files = opendir(folder);
  for (struct dirent *e; files && (e = readdir(files));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) unlinkat(dirfd(files), e->d_name, 0);
  if (files) closedir(files);
  rmdir(folder);
}
