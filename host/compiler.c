#include "compiler.h"

#include "digest.h"
#include "safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SPINDRIFT_CC_NAME /* CMake says all three */
#define SPINDRIFT_CC_NAME "cc"
#define SPINDRIFT_KERNELS_BUILT ""
#define SPINDRIFT_KERNELS_INSTALLED ""
#endif

extern char **environ;

/* ---- which compiler ---- */

int sd_compiler_identify(sd_compiler *c, const char *path) {
  struct stat s;
  if (stat(path, &s) || !S_ISREG(s.st_mode) || strlen(path) >= sizeof c->path) return 0;
  strcpy(c->path, path);
  snprintf(c->identity, sizeof c->identity, "%lld bytes, file %llu, changed %lld.%09ld", (long long)s.st_size,
           (unsigned long long)s.st_ino, (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  *c->target = 0;
  return 1;
}

static int identify(sd_compiler *c, const char *path) {
  return !access(path, X_OK) && sd_compiler_identify(c, path);
}

/* As a shell would look for it; folders that are not absolute do not count. */
static int look_for(sd_compiler *c, const char *name) {
  const char *at = getenv("PATH");
  char path[1024];
  if (!name || !*name) return 0;
  if (strchr(name, '/')) return identify(c, name);
  while (at && *at) {
    size_t length = strcspn(at, ":");
    if (*at == '/' && length + strlen(name) + 2 < sizeof path) {
      snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
      if (identify(c, path)) return 1;
    }
    at += length + (at[length] == ':');
  }
  return 0;
}

sd_status sd_compiler_find(sd_compiler *c, sd_error *error) {
  static const char *const names[] = {SPINDRIFT_CC_NAME, "cc", "gcc", "clang"};
  const char *asked = getenv("SPINDRIFT_CC");
  if (asked && *asked) {
    if (look_for(c, asked)) return SD_OK;
    return sd_fail(error, SD_BAD_INPUT, "SPINDRIFT_CC: '%.200s' is no program that can be run", asked);
  }
  if (look_for(c, getenv("CC"))) return SD_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (look_for(c, names[i])) return SD_OK;
  return sd_fail(
      error, SD_FAILED,
      "a file of one's own has to be compiled, and there is no C compiler: install gcc or clang, or name one "
      "in SPINDRIFT_CC");
}

/* ---- against what ---- */

static int has_kernels(const char *folder) {
  char path[1100];
  snprintf(path, sizeof path, "%s/instance.c", folder);
  return *folder == '/' && !access(path, R_OK);
}

/* ../include/spindrift/kernels, seen from where the program is: an installed tree may be moved. */
static int beside_program(char folder[1024]) {
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return 0;
  program[length] = 0;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(program, '/');
    if (!slash) return 0;
    *slash = 0;
  }
  return snprintf(folder, 1024, "%.900s/include/spindrift/kernels", program) < 1024 && has_kernels(folder);
}

sd_status sd_kernels_folder(char folder[1024], sd_error *error) {
  static const char *const known[] = {SPINDRIFT_KERNELS_BUILT, SPINDRIFT_KERNELS_INSTALLED};
  const char *asked = getenv("SPINDRIFT_KERNELS");
  if (asked && *asked) {
    if (strlen(asked) >= 1024 || !has_kernels(asked))
      return sd_fail(error, SD_BAD_INPUT, "SPINDRIFT_KERNELS: '%.200s' is no absolute folder that has the kernels",
                     asked);
    return strcpy(folder, asked), SD_OK;
  }
  if (beside_program(folder)) return SD_OK;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) < 1024 && has_kernels(known[i])) return strcpy(folder, known[i]), SD_OK;
  return sd_fail(error, SD_FAILED,
                 "the kernels that a file of one's own is compiled against are not installed: name their folder in "
                 "SPINDRIFT_KERNELS");
}

static int is_plain(const struct dirent *entry) {
  return *entry->d_name != '.';
}

static int is_source(const char *name) {
  const char *dot = strrchr(name, '.');
  static const char *const endings[] = {".h", ".c", ".cu", ".cuh", ".def"};
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i])) return 1;
  return 0;
}

static void add_file(sd_text *to, const char *path, const char *name) {
  uint64_t size;
  int fd = sd_open_regular(path, &size);
  char *bytes = fd >= 0 && size < INT_MAX ? malloc((size_t)size + 1) : NULL;
  char digest[33] = "";
  if (bytes && !sd_read_all(fd, bytes, (size_t)size, 0)) sd_digest_bytes(bytes, (size_t)size, digest);
  to->failed |= !*digest;
  sd_text_add(to, "%s %s\n", name, digest);
  free(bytes);
  if (fd >= 0) close(fd);
}

/* Name and digest of every source, in the order of their names; folders at most two deep. */
static void add_folder(sd_text *to, const char *folder, int depth) {
  struct dirent **entry;
  int count = scandir(folder, &entry, is_plain, alphasort);
  to->failed |= count < 0;
  for (int i = 0; i < count; i++) {
    char path[1400];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    if (is_source(path)) add_file(to, path, entry[i]->d_name);
    else if (depth && !stat(path, &s) && S_ISDIR(s.st_mode)) add_folder(to, path, depth - 1);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

sd_status sd_kernels_digest(const char *folder, char digest[33], sd_error *error) {
  sd_text all = {0};
  add_folder(&all, folder, 2);
  size_t length = all.length;
  char *text = sd_text_take(&all);
  if (!text) return sd_fail(error, SD_IO, "%s: the kernels cannot be read", sd_path_shown(folder));
  sd_digest_bytes(text, length, digest);
  free(text);
  return SD_OK;
}

const char *const *sd_compiler_flags(const char *variant) {
  static const struct {
    const char *variant, *flag[16];
  } table[] = {
      {"",
       {"-std=gnu17", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared", "-Wno-psabi",
        "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types"}},
#define VARIANT_FLAGS(variant, ...) {variant, {__VA_ARGS__}},
#include "variant_flags.def"
#undef VARIANT_FLAGS
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].variant, variant)) return table[i].flag;
  return NULL;
}

int sd_compiler_wide(const char *maker, const char *variant, const char *family, const char *method) {
  static const struct {
    const char *maker, *variant;
    int groups;
    const char *methods;
  } table[] = {
#define WIDE_GROUPS(maker, variant, groups, methods) {maker, variant, groups, methods},
#include "wide_groups.def"
#undef WIDE_GROUPS
  };
  char name[160];
  snprintf(name, sizeof name, " %s_%s ", family, method);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].maker, maker) && !strcmp(table[i].variant, variant) && strstr(table[i].methods, name))
      return table[i].groups;
  return 0;
}

/* ---- running it ---- */

/* With the language of messages that are looked for; to be freed, but not what it points to. */
static char **plain_environment(void) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **made = calloc(count + 2, sizeof *made);
  if (!made) return NULL;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "LC_", 3) && strncmp(environ[i], "LANG", 4)) made[kept++] = environ[i];
  made[kept] = "LC_ALL=C";
  return made;
}

long sd_compiler_begin(const sd_compiler *c, const char *const *arguments, const char *log) {
  posix_spawn_file_actions_t files;
  pid_t process = -1;
  char **environment = plain_environment();
  int failed = environment ? posix_spawn_file_actions_init(&files) : ENOMEM;
  if (!failed) {
    failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (!failed) failed = posix_spawn(&process, c->path, &files, NULL, (char *const *)arguments, environment);
    posix_spawn_file_actions_destroy(&files);
  }
  free(environment);
  if (!failed) return process;
  errno = failed;
  return -1;
}

int sd_compiler_end(long process) {
  int status;
  while (waitpid((pid_t)process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- what it said ---- */

static char *read_log(const char *log) {
  uint64_t size;
  int fd = sd_open_regular(log, &size);
  if (size > 1 << 20) size = 1 << 20;
  char *text = fd >= 0 ? calloc(1, (size_t)size + 1) : NULL;
  if (text && sd_read_all(fd, text, (size_t)size, 0)) *text = 0;
  if (fd >= 0) close(fd);
  return text;
}

const char *sd_compiler_maker(const sd_compiler *c, const char *log) {
  const char *const defined[] = {c->path, "-dM", "-E", "-x", "c", "/dev/null", NULL};
  long process = sd_compiler_begin(c, defined, log);
  char *text = process >= 0 && !sd_compiler_end(process) ? read_log(log) : NULL;
  const char *maker = text && strstr(text, "#define __clang__ ")  ? "Clang"
                      : text && strstr(text, "#define __GNUC__ ") ? "GNU"
                                                                  : "";
  free(text);
  return maker;
}

char *sd_compiler_complaint(const char *log, const char *name) {
  char *text = read_log(log), *best = NULL;
  int errors = 0, in_file = 0;
  sd_text made = {0};
  for (char *line = text; line && *line;) {
    char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
    *end = 0;
    int is_error = strstr(line, "error:") != NULL || strstr(line, "error :") != NULL,
        here = !strncmp(line, name, strlen(name));
    errors += is_error;
    if (is_error && (!best || (here && !in_file))) best = line, in_file = here;
    line = next;
  }
  sd_text_add(&made, "%.360s", best ? best : "the compiler failed");
  if (errors > 1) sd_text_add(&made, " (and %d more)", errors - 1);
  free(text);
  return sd_text_take(&made);
}
