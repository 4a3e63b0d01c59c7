#include "plotting.h"

#include "number.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- looks ---- */

/* Told apart also by those who do not see all colours, on white and on black: for the methods that are usual in a
 * family after M. Okabe, K. Ito, for the others after P. Tol. */
static const char *const usual_colours[] = {"#d55e00", "#cc79a7", "#e69f00", "#009e73",
                                            "#56b4e9", "#0072b2", "#5c5c5c"};
static const char *const other_colours[] = {"#999933", "#882255", "#44aa99", "#aa4499", "#332288",
                                            "#661100", "#117733", "#6699cc", "#ddaa33"};
enum { USUAL = sizeof usual_colours / sizeof *usual_colours, OTHERS = sizeof other_colours / sizeof *other_colours };
static const char *const dashes[] = {"", "6 3", "2 3", "8 3 2 3", "12 4"}; /* gnuplot's dash types 1 to 5 */
enum { DASHES = sizeof dashes / sizeof *dashes };

static int is_listed(const char *list, const char *id, int *place) {
  size_t length = strlen(id);
  for (*place = 0; list; ++*place) {
    if (strcspn(list, ",") == length && !strncmp(list, id, length)) return 1;
    list = strchr(list, ',');
    if (list) list++;
  }
  return 0;
}

static const char *usual_methods(const char *family) {
  sd_family_info f = {.size = sizeof f};
  for (size_t i = 0; sd_list_family(i, &f); i++)
    if (!strcmp(f.id, family)) return f.methods;
  return NULL;
}

/* A method's place among the usual ones of its family, or after them among the others. */
typedef struct {
  int usual, number;
} place;

static place place_of(const char *method) {
  char base[32];
  sd_method_info m = {.size = sizeof m};
  place p = {0, 0};
  int unused;
  snprintf(base, sizeof base, "%.*s", (int)strcspn(method, "@"), method);
  for (size_t i = 0; sd_list_method(i, &m) && strcmp(m.id, base);) i++;
  const char *family = m.family, *list = family ? usual_methods(family) : NULL;
  if (list && is_listed(list, base, &p.number)) return p.usual = 1, p;
  p.number = 0;
  for (size_t i = 0; sd_list_method(i, &m) && strcmp(m.id, base); i++)
    p.number += family && !strcmp(m.family, family) && !is_listed(list, m.id, &unused);
  return p;
}

/* A composition has its base's colour and another dash. */
static int dash_number(const char *method) {
  const char *order = strchr(method, '@');
  place p = place_of(method);
  return ((p.usual ? 0 : p.number / OTHERS) + (order ? 1 + (order[1] - '4') / 2 : 0)) % DASHES;
}
const char *sd_colour_of(const char *method) {
  place p = place_of(method);
  return p.usual ? usual_colours[p.number % USUAL] : other_colours[p.number % OTHERS];
}
const char *sd_dash_of(const char *method) {
  return dashes[dash_number(method)];
}
const char *sd_style_of(const char *method, char style[64]) {
  static const int points[] = {7, 5, 9, 11, 13, 4, 6, 8, 10, 12};
  place p = place_of(method);
  snprintf(style, 64, "lc rgb '%s' dt %d pt %d", sd_colour_of(method), 1 + dash_number(method),
           points[(p.number + (p.usual ? 0 : USUAL)) % 10]);
  return style;
}

/* ---- scripts ---- */

static int ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  return length > n && !strcmp(path + length - n, ending);
}

void sd_picture_begin(sd_text *script, const char *path, int width, int height) {
  sd_text_add(script, "set encoding utf8\n");
  if (ends_with(path, ".png"))
    sd_text_add(script, "set terminal pngcairo size %d,%d font 'DejaVu Sans,10' background rgb 'white'\n", width,
                height);
  else
    sd_text_add(script,
                "set terminal svg size %d,%d dynamic font 'DejaVu Sans,Helvetica,Arial,12' background rgb 'white'\n",
                width, height);
  sd_text_add(script, "set grid lc rgb '#dddddd' lw 0.7\nset border 3 lc rgb '#444444'\nset tics nomirror out\n"
                      "set key outside right top Left reverse samplen 2 spacing 1.15\nset bars small\n");
}

/* ---- gnuplot ---- */

static int is_there(const char *name) {
  char path[4096];
  for (const char *at = getenv("PATH"); at && *at; at += strspn(at, ":")) {
    size_t length = strcspn(at, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
    if (!access(path, X_OK)) return 1;
    at += length;
  }
  return 0;
}

sd_status sd_picture_possible(const char *path, sd_error *error) {
  if (!ends_with(path, ".svg") && !ends_with(path, ".png"))
    return sd_fail(error, SD_BAD_INPUT, "'%.200s' names no picture: it should end with .svg or .png", path);
  if (!is_there("gnuplot"))
    return sd_fail(error, SD_FAILED, "pictures need gnuplot, which is not there; on Debian: apt install gnuplot-nox");
  return SD_OK;
}

/* Writes all of it; a reader that has gone shows in its exit status. */
static void feed(int to, const char *bytes, size_t size) {
  while (size) {
    ssize_t done = write(to, bytes, size);
    if (done <= 0) break;
    bytes += done;
    size -= (size_t)done;
  }
  close(to);
}

/* gnuplot without anybody's settings, from the script to the file. */
static int run_gnuplot(const char *script, int picture) {
  char *const argv[] = {"gnuplot", "-d", NULL};
  int ends[2], status = -1;
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe(ends)) return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed) return close(ends[1]), -1;
  feed(ends[1], script, strlen(script));
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static sd_status draw_to(const char *script, const char *path, sd_error *error) {
  char partial[4096];
  struct stat found;
  if (snprintf(partial, sizeof partial, "%s.partial", path) >= (int)sizeof partial)
    return sd_fail(error, SD_BAD_INPUT, "the name of the picture is too long");
  int picture = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (picture < 0) return sd_fail(error, SD_FAILED, "cannot write '%.200s'", partial);
  int status = run_gnuplot(script, picture), empty = fstat(picture, &found) || !found.st_size;
  if (close(picture) || status || empty) {
    unlink(partial);
    return sd_fail(error, SD_FAILED, "gnuplot made no picture of '%.200s' (exit status %d)", path, status);
  }
  if (rename(partial, path)) return unlink(partial), sd_fail(error, SD_FAILED, "cannot write '%.200s'", path);
  return SD_OK;
}

sd_status sd_picture_draw(sd_text *script, const char *path, sd_error *error) {
  char *text = sd_text_take(script);
  if (!text) return sd_fail(error, SD_FAILED, "out of memory for a picture");
  sd_status status = sd_picture_possible(path, error);
  if (!status) status = draw_to(text, path, error);
  free(text);
  return status;
}
