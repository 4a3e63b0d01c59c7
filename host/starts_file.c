#include "starts_file.h"

#include "input.h"
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

/* Returns 0 where that is no name, or there is no room for another one. */
static int add_name(sd_table *t, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  size_t used = strlen(t->columns), length = strlen(name);
  if (!length || length >= SD_TARGET_ROOM || strspn(name, letters) != length || used + length + 2 > sizeof t->columns)
    return 0;
  snprintf(t->columns + used, sizeof t->columns - used, "%s%s", used ? "," : "", name);
  return 1;
}

static sd_status read_header(reader *r, sd_table *t, sd_error *error) {
  char *line = next_line(r);
  if (!line) return sd_fail(error, SD_BAD_INPUT, "%.200s: it has no header of names", r->name);
  r->columns = cut(line, r->column, SD_COLUMNS_MAX);
  if (r->columns > SD_COLUMNS_MAX) return wrong(r, error, "more columns than there can be", "");
  for (size_t k = 0; k < r->columns; k++)
    if (!add_name(t, r->column[k])) return wrong(r, error, "no name of a column: ", r->column[k]);
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

/* ---- HDF5 ---- */

typedef struct {
  const char *path;
  sd_table *table;
  size_t rows, columns;
  const sd_input_array *first; /* which says how many rows there are */
  double *number;              /* [rows][columns] */
} gathering;

#define REFUSE(g, a, format, ...)                                           \
  sd_fail(error, SD_BAD_INPUT, "%s: %s: " format, sd_path_shown((g)->path), \
          sd_input_called(a, (char[SD_INPUT_NAME + 16]){0}), __VA_ARGS__)

/* One axis: a column of that name; two: NAME.1, NAME.2 and so on. */
static sd_status name_columns(gathering *g, const sd_input_array *a, sd_error *error) {
  char name[SD_INPUT_NAME + 24], shape[72];
  size_t width = sd_input_width(a);
  if (a->rank < 1 || a->rank > 2)
    return REFUSE(g, a, "%s; expected a row, or a number, for each member", sd_input_shape(a, shape));
  if (!g->first) g->first = a, g->rows = a->size[0];
  if (a->size[0] != g->rows)
    return REFUSE(g, a, "%zu rows, and dataset %s has %zu", a->size[0], g->first->name, g->rows);
  if (width > SD_COLUMNS_MAX - g->columns) return REFUSE(g, a, "%s", "more columns than there can be");
  g->columns += width;
  for (size_t k = 0; k < width; k++) {
    if (width > 1) snprintf(name, sizeof name, "%s.%zu", a->name, k + 1);
    else snprintf(name, sizeof name, "%s", a->name);
    if (!add_name(g->table, name)) return REFUSE(g, a, "%s", "no name of a column");
  }
  return SD_OK;
}

/* NaN is what an empty field of a text is. */
static sd_status fill_columns(gathering *g, const sd_input_array *a, size_t first, sd_error *error) {
  size_t width = sd_input_width(a);
  for (size_t i = 0; i < g->rows; i++)
    for (size_t k = 0; k < width; k++) {
      double value = a->number[i * width + k];
      if (isinf(value)) return REFUSE(g, a, "row %zu: not a finite number", i);
      g->number[i * g->columns + first + k] = value;
    }
  return SD_OK;
}

static sd_status gather(gathering *g, const sd_input *input, sd_error *error) {
  size_t at = 0;
  for (size_t i = 0; i < input->count; i++) SD_TRY(name_columns(g, &input->array[i], error));
  if (!g->first) return sd_fail(error, SD_BAD_INPUT, "%s: it has no datasets", sd_path_shown(g->path));
  if (!g->rows) return sd_fail(error, SD_BAD_INPUT, "%s: it has no rows", sd_path_shown(g->path));
  g->number = malloc(g->rows * g->columns * sizeof *g->number);
  if (!g->number) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(g->path));
  for (size_t i = 0; i < input->count; at += sd_input_width(&input->array[i++]))
    SD_TRY(fill_columns(g, &input->array[i], at, error));
  if (!sd_starts_add(&g->table->rows, 0, g->rows, g->number, g->columns)) return SD_OK;
  return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(g->path));
}

static sd_status read_hdf5(const char *path, sd_table *t, sd_error *error) {
  sd_input input;
  gathering g = {.path = path, .table = t};
  *t = (sd_table){.columns = ""};
  SD_TRY(sd_input_read(path, SD_INPUT_STARTS, &input, error));
  sd_status status = gather(&g, &input, error);
  free(g.number);
  sd_input_destroy(&input);
  if (status) sd_starts_destroy(&t->rows);
  return status;
}

/* ---- either ---- */

sd_status sd_table_read(const char *path, sd_table *t, sd_error *error) {
  uint64_t size;
  if (sd_is_hdf5(path)) return read_hdf5(path, t, error);
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
