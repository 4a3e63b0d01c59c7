#include "system_tables.h"

#include "input.h"
#include "nearest.h"
#include "number.h"
#include "safe_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what datasets there are ---- */

enum { POSITION, VELOCITY, QUATERNION, OMEGA, MASS, INERTIA, DIAMETER, POINTS, PAIR, STIFFNESS, TABLES };
static const struct {
  const char *name;
  size_t width;
  int required; /* where there are rows at all */
} tables[TABLES] = {{"bodies/position", 3, 1}, {"bodies/velocity", 3, 0}, {"bodies/quaternion", 4, 0},
                    {"bodies/omega", 3, 0},    {"bodies/mass", 1, 1},     {"bodies/inertia", 3, 1},
                    {"bodies/diameter", 1, 0}, {"bodies/points", 0, 0},   {"bonds/pair", 2, 1},
                    {"bonds/stiffness", 3, 0}};
enum { POINT_NUMBERS = 4 }; /* of `points`, which may be several in each row */

typedef struct {
  const sd_input_array *array; /* or NULL */
  size_t width;
  int for_all; /* has one row */
} table;

typedef struct {
  const char *path;
  sd_input input;
  table table[TABLES];
  size_t bodies, bonds;
  uint32_t *species; /* of each body the first one that is alike */
  sd_text text;
  sd_error *error;
} composer;

#define REFUSE(c, a, format, ...)                                                \
  sd_fail((c)->error, SD_BAD_INPUT, "%s: %s: " format, sd_path_shown((c)->path), \
          sd_input_called(a, (char[SD_INPUT_NAME + 16]){0}), __VA_ARGS__)

static const double *row_of(const composer *c, int which, size_t row) {
  const table *t = &c->table[which];
  return t->array->number + (t->for_all ? 0 : row * t->width);
}

/* ---- are they what they should be? ---- */

static sd_status check_names(const composer *c) {
  char question[SD_NEAREST_ROOM];
  for (size_t i = 0; i < c->input.count; i++) {
    const sd_input_array *a = &c->input.array[i];
    sd_nearest nearest = {0};
    int k = 0;
    while (k < TABLES && strcmp(tables[k].name, a->name)) k++;
    if (k < TABLES || *a->name == '@') continue;
    for (k = 0; k < TABLES; k++) sd_nearest_consider(&nearest, a->name, tables[k].name);
    return REFUSE(c, a, "unknown; %s", sd_nearest_question(&nearest, "", question));
  }
  return SD_OK;
}

/* Positions and pairs say how many rows there are; of others one row may be for all. */
static int counts_rows(int which) {
  return which == POSITION || which == PAIR;
}

static int fits(int which, table *t, size_t rows) {
  const sd_input_array *a = t->array;
  size_t numbers = sd_input_numbers(a), last = a->rank ? a->size[a->rank - 1] : 1;
  int has_points = which == POINTS, enough;
  t->for_all = has_points ? a->rank == 2 : !counts_rows(which) && numbers == tables[which].width;
  t->width = !has_points ? tables[which].width : t->for_all ? numbers : sd_input_width(a);
  enough = t->for_all || (a->rank && a->size[0] == rows && numbers == rows * t->width);
  if (has_points) return enough && a->rank >= 2 && last == POINT_NUMBERS;
  return enough && a->rank <= 2 && (t->width == 1 || last == t->width);
}

static sd_status take_table(composer *c, int which, size_t rows) {
  char shape[72];
  table *t = &c->table[which];
  const sd_input_array *a = t->array = sd_input_find(&c->input, tables[which].name);
  if (!a && tables[which].required)
    return sd_fail(c->error, SD_BAD_INPUT, "%s: there is no dataset %s", sd_path_shown(c->path), tables[which].name);
  if (!a || fits(which, t, rows)) return SD_OK;
  sd_input_shape(a, shape);
  if (counts_rows(which)) return REFUSE(c, a, "%s; expected N x %zu", shape, t->width);
  if (which == POINTS) return REFUSE(c, a, "%s; expected %zu x P x 4, or P x 4 for all", shape, rows);
  if (t->width == 1) return REFUSE(c, a, "%s; expected %zu, or one number for all", shape, rows);
  return REFUSE(c, a, "%s; expected %zu x %zu, or %zu for all", shape, rows, t->width, t->width);
}

/* A row of stiffnesses may be NaN as a whole. */
static sd_status check_numbers(const composer *c, int which) {
  const table *t = &c->table[which];
  size_t rows = t->array && t->width ? sd_input_numbers(t->array) / t->width : 0;
  for (size_t i = 0; i < rows; i++) {
    const double *row = t->array->number + i * t->width;
    size_t nans = 0, finite = 0;
    for (size_t k = 0; k < t->width; k++) nans += isnan(row[k]), finite += isfinite(row[k]);
    if (finite == t->width || (which == STIFFNESS && nans == t->width)) continue;
    return REFUSE(c, t->array, "row %zu: not a finite number", i);
  }
  return SD_OK;
}

static sd_status check_pairs(const composer *c) {
  char text[32];
  for (size_t i = 0; i < 2 * c->bonds; i++) {
    double body = c->table[PAIR].array->number[i];
    if (body >= 0 && body < (double)c->bodies && body == floor(body)) continue;
    return REFUSE(c, c->table[PAIR].array, "row %zu: there is no body %s: there are %zu, from 0 on", i / 2,
                  sd_real_text(body, 15, text), c->bodies);
  }
  return SD_OK;
}

static sd_status take_tables(composer *c) {
  const sd_input_array *bodies = sd_input_find(&c->input, tables[POSITION].name),
                       *bonds = sd_input_find(&c->input, tables[PAIR].name);
  SD_TRY(check_names(c));
  c->bodies = bodies && bodies->rank ? bodies->size[0] : 1;
  c->bonds = bonds && bonds->rank ? bonds->size[0] : 0;
  for (int k = 0; k < PAIR; k++) SD_TRY(take_table(c, k, c->bodies));
  int bonded = bonds || sd_input_find(&c->input, tables[STIFFNESS].name);
  for (int k = PAIR; k < TABLES && bonded; k++) SD_TRY(take_table(c, k, c->bonds));
  for (int k = 0; k < TABLES; k++) SD_TRY(check_numbers(c, k));
  return check_pairs(c);
}

/* ---- which bodies are alike ---- */

typedef struct {
  const composer *c;
  uint32_t body;
} ranked;

static int compare_properties(const composer *c, uint32_t x, uint32_t y) {
  for (int k = MASS; k <= POINTS; k++) {
    if (!c->table[k].array || c->table[k].for_all) continue;
    const double *a = row_of(c, k, x), *b = row_of(c, k, y);
    for (size_t i = 0; i < c->table[k].width; i++)
      if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

static int by_properties(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  int order = compare_properties(x->c, x->body, y->body);
  return order ? order : x->body < y->body ? -1 : x->body > y->body;
}

static int find_species(composer *c) {
  ranked *all = malloc((c->bodies + 1) * sizeof *all);
  c->species = malloc((c->bodies + 1) * sizeof *c->species);
  if (!all || !c->species) return free(all), 0;
  for (uint32_t b = 0; b < c->bodies; b++) all[b] = (ranked){c, b};
  qsort(all, c->bodies, sizeof *all, by_properties);
  for (size_t i = 0, first = 0; i < c->bodies; i++) {
    if (compare_properties(c, all[first].body, all[i].body)) first = i;
    c->species[all[i].body] = all[first].body;
  }
  free(all);
  return 1;
}

/* ---- the text ---- */

/* There is one zero. */
static void add_numbers(composer *c, const double *numbers, size_t count) {
  char text[32];
  for (size_t i = 0; i < count; i++)
    sd_text_add(&c->text, " %s", sd_real_text(numbers[i] == 0 ? 0 : numbers[i], 15, text));
}

static void add_row(composer *c, int which, size_t row) {
  add_numbers(c, row_of(c, which, row), c->table[which].width);
}

static void add_species(composer *c, uint32_t body) {
  sd_text_add(&c->text, "species row%u mass", body);
  add_row(c, MASS, body);
  sd_text_add(&c->text, " J");
  add_row(c, INERTIA, body);
  if (c->table[DIAMETER].array) sd_text_add(&c->text, " diameter"), add_row(c, DIAMETER, body);
  for (size_t i = 0; c->table[POINTS].array && i < c->table[POINTS].width; i += POINT_NUMBERS) {
    const double *point = row_of(c, POINTS, body) + i;
    if (point[POINT_NUMBERS - 1] == 0) continue; /* as many as others have */
    sd_text_add(&c->text, " point");
    add_numbers(c, point, POINT_NUMBERS);
  }
  sd_text_add(&c->text, "\n");
}

/* Up to the last of them that is there. */
static void add_body(composer *c, size_t body) {
  static const double at_rest[][4] = {{0}, {0}, {1, 0, 0, 0}, {0}};
  int last = OMEGA;
  while (!c->table[last].array) last--;
  sd_text_add(&c->text, "body row%u", c->species[body]);
  for (int k = POSITION; k <= last; k++)
    if (c->table[k].array) add_row(c, k, body);
    else add_numbers(c, at_rest[k], tables[k].width);
  sd_text_add(&c->text, "\n");
}

static void add_bond(composer *c, size_t bond) {
  const double *pair = row_of(c, PAIR, bond);
  sd_text_add(&c->text, "bond %.0f %.0f", pair[0], pair[1]);
  if (c->table[STIFFNESS].array && !isnan(*row_of(c, STIFFNESS, bond))) add_row(c, STIFFNESS, bond);
  sd_text_add(&c->text, "\n");
}

/* A line for each row. */
static sd_status add_attribute(composer *c, const sd_input_array *a) {
  static const char *const taken[] = {"species", "body", "bond"}; /* which begin other statements */
  const char *name = a->name + 1;
  int is_word = *name && strcspn(name, " \t\r\n#") == strlen(name);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) is_word &= !!strcmp(name, taken[i]);
  if (!is_word) return REFUSE(c, a, "%s", "no name of a parameter");
  size_t numbers = sd_input_numbers(a), width = a->rank > 1 ? sd_input_width(a) : numbers;
  if (!width) return REFUSE(c, a, "%s", "it is empty");
  for (size_t i = 0; i < numbers; i += width) {
    for (size_t k = 0; k < width; k++)
      if (!isfinite(a->number[i + k])) return REFUSE(c, a, "%s", "not a finite number");
    sd_text_add(&c->text, "%s", name);
    add_numbers(c, a->number + i, width);
    sd_text_add(&c->text, "\n");
  }
  return SD_OK;
}

static sd_status compose(composer *c) {
  SD_TRY(take_tables(c));
  if (!find_species(c)) return sd_fail(c->error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(c->path));
  for (uint32_t b = 0; b < c->bodies; b++)
    if (c->species[b] == b) add_species(c, b);
  for (size_t b = 0; b < c->bodies; b++) add_body(c, b);
  for (size_t k = 0; k < c->bonds; k++) add_bond(c, k);
  for (size_t i = 0; i < c->input.count; i++)
    if (*c->input.array[i].name == '@') SD_TRY(add_attribute(c, &c->input.array[i]));
  return SD_OK;
}

static sd_status read_tables(const char *path, sd_document **made, sd_error *error) {
  composer c = {.path = path, .error = error};
  SD_TRY(sd_input_read(path, SD_INPUT_SYSTEM, &c.input, error));
  sd_status status = compose(&c);
  char *text = sd_text_take(&c.text);
  if (!status)
    status = text ? sd_document_of(path, text, made, error)
                  : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  if (!status) sd_document_set_rows(*made);
  free(text);
  free(c.species);
  sd_input_destroy(&c.input);
  return status;
}

sd_status sd_system_read(const char *path, sd_document **made, sd_error *error) {
  *made = NULL;
  if (sd_is_hdf5(path)) return read_tables(path, made, error);
  SD_TRY(sd_document_read(path, made, error));
  if (sd_document_is_text(path)) return SD_OK;
  sd_document_let_go(*made);
  *made = NULL;
  return sd_fail(error, SD_BAD_INPUT, "%s: it is no HDF5 file", sd_path_shown(path));
}
