#include "starts_file.h"

#include "number.h"
#include "safe_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 30 };

typedef struct {
  const char *name; /* of the file */
  size_t line;
  char *rest; /* of the text */
  char *column[SD_COLUMNS_MAX];
  size_t columns;
} reader;

static sd_status wrong(const reader *r, sd_error *error, const char *what, const char *shown) {
  return sd_fail(error, SD_BAD_INPUT, "%.200s:%zu: %s%.60s", r->name, r->line, what, shown);
}

static char *trim(char *text) {
  text += strspn(text, " \t\r");
  size_t length = strlen(text);
  while (length && strchr(" \t\r", text[length - 1])) text[--length] = 0;
  return text;
}

/* The next line that says something, or NULL. */
static char *next_line(reader *r) {
  while (r->rest && *r->rest) {
    char *line = r->rest, *end = strchr(line, '\n');
    if (end) *end = 0;
    r->rest = end ? end + 1 : NULL;
    r->line++;
    line = trim(line);
    if (*line && *line != '#') return line;
  }
  return NULL;
}

/* Cuts a line at its commas: how many pieces there are, of which the first `most` are kept. */
static size_t cut(char *line, char **piece, size_t most) {
  size_t count = 0;
  for (char *at = line; at;) {
    char *comma = strchr(at, ',');
    if (comma) *comma = 0;
    if (count < most) piece[count] = trim(at);
    count++;
    at = comma ? comma + 1 : NULL;
  }
  return count;
}

static sd_status read_header(reader *r, sd_table *t, sd_error *error) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  char *line = next_line(r);
  if (!line) return sd_fail(error, SD_BAD_INPUT, "%.200s: it has no header of names", r->name);
  r->columns = cut(line, r->column, SD_COLUMNS_MAX);
  if (r->columns > SD_COLUMNS_MAX) return wrong(r, error, "more columns than there can be", "");
  for (size_t k = 0; k < r->columns; k++) {
    size_t used = strlen(t->columns), length = strlen(r->column[k]);
    if (!length || length >= SD_TARGET_ROOM || strspn(r->column[k], letters) != length ||
        used + length + 2 > sizeof t->columns)
      return wrong(r, error, "no name of a column: ", r->column[k]);
    snprintf(t->columns + used, sizeof t->columns - used, "%s%s", k ? "," : "", r->column[k]);
  }
  return SD_OK;
}

static sd_status read_row(reader *r, char *line, double *number, sd_error *error) {
  char *piece[SD_COLUMNS_MAX], *end, what[96];
  size_t pieces = cut(line, piece, SD_COLUMNS_MAX);
  if (pieces != r->columns)
    return sd_fail(error, SD_BAD_INPUT, "%.200s:%zu: %zu numbers, and the header has %zu names", r->name, r->line,
                   pieces, r->columns);
  for (size_t k = 0; k < pieces; k++) {
    number[k] = NAN;
    if (!*piece[k]) continue;
    number[k] = sd_real_from(piece[k], &end);
    if (*end || !isfinite(number[k])) {
      snprintf(what, sizeof what, "column %s: not a finite number: ", r->column[k]);
      return wrong(r, error, what, piece[k]);
    }
  }
  return SD_OK;
}

sd_status sd_table_parse(const char *name, char *text, sd_table *t, sd_error *error) {
  reader r = {.name = name, .rest = text};
  double number[SD_COLUMNS_MAX];
  *t = (sd_table){.columns = ""};
  sd_status status = read_header(&r, t, error);
  for (char *line; !status && (line = next_line(&r));) {
    status = read_row(&r, line, number, error);
    if (!status && sd_starts_add(&t->rows, t->rows.count, 1, number, r.columns))
      status = sd_fail(error, SD_NO_MEMORY, "%.200s: out of memory", name);
  }
  if (!status && !t->rows.count) status = sd_fail(error, SD_BAD_INPUT, "%.200s: it has no rows", name);
  if (status) sd_starts_destroy(&t->rows);
  return status;
}

sd_status sd_table_read(const char *path, sd_table *t, sd_error *error) {
  uint64_t size;
  int fd = sd_open_regular(path, &size);
  if (fd < 0)
    return sd_fail(error, SD_BAD_INPUT, "starts: %s: cannot be read: %s", sd_path_shown(path), strerror(errno));
  char *text = size <= FILE_MOST ? calloc(1, (size_t)size + 1) : NULL;
  int failed = text && sd_read_all(fd, text, (size_t)size, 0);
  close(fd);
  sd_status status = SD_OK;
  if (!text) status = sd_fail(error, SD_NO_MEMORY, "starts: %s: no memory for it", sd_path_shown(path));
  else if (failed) status = sd_fail(error, SD_IO, "starts: %s: cannot be read", sd_path_shown(path));
  else if (strlen(text) != size)
    status = sd_fail(error, SD_BAD_INPUT, "starts: %s: it is no text", sd_path_shown(path));
  if (!status) status = sd_table_parse(sd_path_shown(path), text, t, error);
  free(text);
  return status;
}
