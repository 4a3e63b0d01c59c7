#include "system_text.h"

#include "number.h"
#include "safe_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines and words ---- */

typedef struct {
  const char *at;
  size_t length;
} word;

enum { WORDS_MOST = 4096, WORD_MOST = SD_SYSTEM_NAME - 1 };

typedef struct {
  const sd_document *document;
  const char *next, *end;
  size_t line;
  word words[WORDS_MOST]; /* of the line at hand, without its comment */
  size_t count;
  char subject[WORD_MOST + 16]; /* what the line is about: "body 3" */
  sd_error *error;
} reader;

/* Too large for a stack that may be anybody's; to be freed. */
static reader *begin(const sd_document *document, sd_error *error) {
  reader *r = calloc(1, sizeof *r);
  if (!r) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(sd_document_name(document))), NULL;
  r->document = document;
  r->next = sd_document_bytes(document);
  r->end = r->next + sd_document_size(document);
  r->error = error;
  return r;
}

static int is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* The next line that has words; 0 after the last. */
static int next_line(reader *r) {
  while (r->next < r->end) {
    const char *at = r->next, *end = memchr(at, '\n', (size_t)(r->end - at));
    if (!end) end = r->end;
    r->next = end < r->end ? end + 1 : end;
    r->line++;
    *r->subject = 0;
    const char *comment = memchr(at, '#', (size_t)(end - at));
    if (comment) end = comment;
    for (r->count = 0; at < end && r->count < WORDS_MOST;) {
      const char *from = at;
      while (at < end && !is_blank(*at)) at++;
      if (at > from) r->words[r->count++] = (word){from, (size_t)(at - from)};
      while (at < end && is_blank(*at)) at++;
    }
    if (r->count) return 1;
  }
  return 0;
}

static int is(word w, const char *text) {
  return w.length == strlen(text) && !memcmp(w.at, text, w.length);
}

static int shown(word w) { /* how much of it a message has room for */
  return w.length < 40 ? (int)w.length : 40;
}

/* FILE:LINE: body 3: ... */
#define REFUSE(r, format, ...)                                                                                    \
  sd_fail((r)->error, SD_BAD_INPUT, "%s%s%s" format, place((r)->document, (r)->line, (char[SD_SYSTEM_PLACE]){0}), \
          (r)->subject, *(r)->subject ? ": " : "", __VA_ARGS__)

/* FILE:LINE: or, where lines say nothing, FILE: */
static const char *place(const sd_document *document, size_t line, char text[SD_SYSTEM_PLACE]) {
  const char *name = sd_path_shown(sd_document_name(document));
  if (sd_document_is_of_rows(document)) snprintf(text, SD_SYSTEM_PLACE, "%s: ", name);
  else snprintf(text, SD_SYSTEM_PLACE, "%s:%zu: ", name, line);
  return text;
}

static const char *const kinds[] = {"species", "body", "bond"};
static const char *const groups[] = {"bodies", "bodies", "bonds"};
enum { SPECIES, BODY, BOND, KINDS };

/* Body 3 or, of a text that was made of rows, row 3 of bodies, as is that of a species whose name is row3. */
static void set_subject(reader *r, int kind, const char *which) {
  if (!sd_document_is_of_rows(r->document)) snprintf(r->subject, sizeof r->subject, "%s %s", kinds[kind], which);
  else snprintf(r->subject, sizeof r->subject, "row %s of %s", which + strcspn(which, "0123456789"), groups[kind]);
}
static void set_number(reader *r, int kind, size_t number) {
  char which[24];
  snprintf(which, sizeof which, "%zu", number);
  set_subject(r, kind, which);
}

static sd_status read_text(const reader *r, size_t index, char text[WORD_MOST + 1]) {
  word w = r->words[index];
  if (w.length > WORD_MOST) return REFUSE(r, "'%.*s...' is too long for a name or a number", shown(w), w.at);
  memcpy(text, w.at, w.length);
  text[w.length] = 0;
  return SD_OK;
}

/* There is one zero: -0 would give other bits. */
static sd_status read_real(const reader *r, size_t index, double *value) {
  char text[WORD_MOST + 1], *end;
  SD_TRY(read_text(r, index, text));
  errno = 0;
  *value = sd_real_from(text, &end);
  if (end == text || *end) return REFUSE(r, "'%.40s' is not a number", text);
  if (!isfinite(*value)) return REFUSE(r, "'%.40s' is not a finite number", text);
  if (*value == 0 && errno == ERANGE) return REFUSE(r, "'%.40s' is too small for a double; give 0, or more", text);
  if (*value == 0) *value = 0;
  return SD_OK;
}

static sd_status read_reals(const reader *r, size_t first, size_t count, double *values) {
  if (first + count > r->count)
    return REFUSE(r, "%zu %s after '%.*s'; expected %zu", r->count - first,
                  sd_plural(r->count - first, "number", "numbers"), shown(r->words[first - 1]), r->words[first - 1].at,
                  count);
  for (size_t i = 0; i < count; i++) SD_TRY(read_real(r, first + i, &values[i]));
  return SD_OK;
}

static sd_status check_range(const reader *r, const char *what, double value, double low, double high) {
  char text[32];
  if (value >= low && value <= high) return SD_OK;
  return REFUSE(r, "%s: %s is out of range; expected %g to %g", what, sd_real_text(value, 6, text), low, high);
}

/* ---- the parameters ---- */

static int kind_of(word w) {
  int k = 0;
  while (k < KINDS && !is(w, kinds[k])) k++;
  return k;
}

typedef struct {
  const sd_parameter *entry;
  double *value;
  int *given;
} parameter;

/* Of the problem, by its name, or by its name without its number: then the first one that has not been given. */
static parameter find_parameter(word name, const sd_problem_entry *problem, double *values, int *given) {
  parameter numbered = {NULL, NULL, NULL};
  for (const sd_parameter *p = problem->parameter; p->name; values += p++->count, given++) {
    size_t length = strlen(p->name), digits = length;
    if (is(name, p->name)) return (parameter){p, values, given};
    while (digits && p->name[digits - 1] >= '0' && p->name[digits - 1] <= '9') digits--;
    int matches = digits < length && name.length == digits && !memcmp(name.at, p->name, digits);
    if (matches && (!numbered.entry || *numbered.given)) numbered = (parameter){p, values, given};
  }
  return numbered;
}

static sd_status unknown_word(const reader *r, const sd_problem_entry *problem) {
  sd_nearest nearest = {0};
  char text[WORD_MOST + 1], question[SD_NEAREST_ROOM];
  SD_TRY(read_text(r, 0, text));
  for (int k = 0; k < KINDS; k++) sd_nearest_consider(&nearest, text, kinds[k]);
  for (const sd_parameter *p = problem->parameter; p->name; p++) sd_nearest_consider(&nearest, text, p->name);
  return REFUSE(r, "unknown word '%.40s'; %s", text, sd_nearest_question(&nearest, "", question));
}

static sd_status take_parameter(reader *r, const sd_problem_entry *problem, double *values, int *given) {
  parameter p = find_parameter(r->words[0], problem, values, given);
  if (!p.entry) return unknown_word(r, problem);
  snprintf(r->subject, sizeof r->subject, "%s", p.entry->name);
  if ((*p.given)++) return REFUSE(r, "%s", "it is given a second time, or there are too many");
  if (r->count - 1 != (size_t)p.entry->count)
    return REFUSE(r, "%zu %s, expected %d (%s)", r->count - 1, sd_plural(r->count - 1, "number", "numbers"),
                  p.entry->count, p.entry->text);
  SD_TRY(read_reals(r, 1, r->count - 1, p.value));
  for (int i = 0; i < p.entry->count; i++) SD_TRY(check_range(r, "its value", p.value[i], p.entry->low, p.entry->high));
  return SD_OK;
}

/* ---- how large it is ---- */

static uint32_t points_in(const reader *r) {
  uint32_t points = 0;
  for (size_t i = 2; i < r->count; i++) points += is(r->words[i], "point");
  return points;
}

static sd_status measure(reader *r, const sd_problem_entry *problem, sd_topology_sizes *sizes, double *values) {
  int given[SD_PARAMETERS_MAX] = {0};
  *sizes = (sd_topology_sizes){.points = 1};
  while (next_line(r)) {
    uint32_t points;
    switch (kind_of(r->words[0])) {
    case SPECIES:
      sizes->species++;
      points = points_in(r);
      sizes->points = points > sizes->points ? points : sizes->points;
      break;
    case BODY: sizes->bodies++; break;
    case BOND: sizes->bonds++; break;
    default: SD_TRY(take_parameter(r, problem, values, given));
    }
  }
  sizes->kinds = sizes->bonds;
  if (sizes->bodies) return SD_OK;
  return REFUSE(r, "%s", "there is no body in it");
}

sd_status sd_system_measure(const sd_document *document, const sd_problem_entry *problem, sd_topology_sizes *sizes,
                            double parameters[SD_PARAMETERS_MAX], sd_error *error) {
  double *value = parameters;
  for (const sd_parameter *p = problem->parameter; p->name; p++)
    for (int i = 0; i < p->count; i++) *value++ = p->value[i];
  reader *r = begin(document, error);
  if (!r) return SD_NO_MEMORY;
  sd_status status = measure(r, problem, sizes, parameters);
  free(r);
  return status;
}

const char *sd_system_place(const sd_document *document, const char *kind, size_t number, char text[SD_SYSTEM_PLACE]) {
  sd_error ignored = {0};
  reader *r = begin(document, &ignored);
  size_t left = number;
  while (r && next_line(r))
    if (is(r->words[0], kind) && !left--) break;
  if (r) set_number(r, kind_of(r->words[0]), number);
  place(document, r ? r->line : 0, text);
  size_t used = strlen(text);
  if (r && sd_document_is_of_rows(document)) snprintf(text + used, SD_SYSTEM_PLACE - used, "%s: ", r->subject);
  free(r);
  return text;
}

sd_status sd_system_names(const sd_document *document, char (*names)[SD_SYSTEM_NAME], size_t count, sd_error *error) {
  reader *r = begin(document, error);
  if (!r) return SD_NO_MEMORY;
  sd_status status = SD_OK;
  for (size_t k = 0; k < count && !status && next_line(r);)
    if (kind_of(r->words[0]) == SPECIES && r->count > 1) status = read_text(r, 1, names[k++]);
  free(r);
  return status;
}

/* ---- what is in it ---- */

/* What has been taken so far. */
typedef struct {
  sd_topology *t;
  uint32_t species, bodies, bonds;
  word *names;    /* of the species */
  uint32_t *slot; /* NOT_FOUND, or the species whose name's hash leads here, or to full ones before; never all full */
  size_t slots;   /* a power of two */
} contents;

#define NOT_FOUND UINT32_MAX

/* Where the species of this name is, or would be. */
static uint32_t *find_species(const contents *c, word name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ (unsigned char)name.at[i]) * 0x100000001b3u;
  for (size_t at = hash ^ hash >> 32;; at++) {
    uint32_t *slot = &c->slot[at & (c->slots - 1)];
    const word *found = *slot == NOT_FOUND ? NULL : &c->names[*slot];
    if (!found || (name.length == found->length && !memcmp(name.at, found->at, name.length))) return slot;
  }
}

static int make_contents(contents *c, sd_topology *topology) {
  *c = (contents){.t = topology, .slots = 2};
  while (c->slots < 2 * (size_t)topology->size.species) c->slots *= 2;
  c->names = calloc(topology->size.species + 1, sizeof *c->names);
  c->slot = malloc(c->slots * sizeof *c->slot);
  if (c->slot) memset(c->slot, 0xff, c->slots * sizeof *c->slot);
  return c->names && c->slot;
}

static sd_status check_inertia(const reader *r, const double *J) {
  for (int i = 0; i < 3; i++) {
    SD_TRY(check_range(r, "J", J[i], 1e-12, 1e12));
    if (J[i] > J[(i + 1) % 3] + J[(i + 2) % 3])
      return REFUSE(r, "J: %g %g %g is no body's: each moment is at most the sum of the other two", J[0], J[1], J[2]);
  }
  return SD_OK;
}

/* Points that a species does not have stay without mass. */
static sd_status finish_points(const reader *r, double *point, uint32_t points, double mass) {
  double sum = 0;
  for (uint32_t i = 0; i < points; i++) sum += point[i * SD_POINT_NUMBERS + 3];
  if (!points) point[3] = sum = mass;
  if (fabs(sum - mass) <= 1e-6 * mass) return SD_OK;
  return REFUSE(r, "its points have a mass of %g, and it has %g", sum, mass);
}

/* Words and their numbers, in any order. */
static sd_status take_properties(reader *r, double *s, double *point, int given[3]) {
  uint32_t points = 0;
  for (size_t i = 2; i < r->count;) {
    word w = r->words[i++];
    double *to = is(w, "mass")       ? s + SD_SPECIES_MASS
                 : is(w, "diameter") ? s + SD_SPECIES_DIAMETER
                 : is(w, "J")        ? s + SD_SPECIES_INERTIA
                 : is(w, "point")    ? point + SD_POINT_NUMBERS * points
                                     : NULL;
    if (!to) return REFUSE(r, "unknown word '%.*s'; expected mass, J, diameter or point", shown(w), w.at);
    int k = is(w, "mass") ? 0 : is(w, "J") ? 1 : 2;
    if (is(w, "point")) points++;
    else if (given[k]++) return REFUSE(r, "%.*s is given twice", shown(w), w.at);
    size_t count = is(w, "point") ? SD_POINT_NUMBERS : is(w, "J") ? 3 : 1;
    SD_TRY(read_reals(r, i, count, to));
    i += count;
    if (is(w, "point")) SD_TRY(check_range(r, "mass of a point", to[3], 1e-12, 1e12));
  }
  if (!given[0] || !given[1]) return REFUSE(r, "its %s is missing", given[0] ? "J" : "mass");
  SD_TRY(check_range(r, "mass", s[SD_SPECIES_MASS], 1e-12, 1e12));
  return finish_points(r, point, points, s[SD_SPECIES_MASS]);
}

static sd_status take_species(reader *r, contents *c) {
  uint32_t index = c->species;
  char name[WORD_MOST + 1];
  int given[3] = {0};
  double *s = c->t->species + (size_t)index * SD_SPECIES_NUMBERS;
  if (r->count == WORDS_MOST) return REFUSE(r, "species: more than %d words", WORDS_MOST);
  if (r->count < 2) return REFUSE(r, "%s", "species: its name is missing");
  SD_TRY(read_text(r, 1, name));
  set_subject(r, SPECIES, name);
  uint32_t *slot = find_species(c, r->words[1]);
  if (*slot != NOT_FOUND) return REFUSE(r, "%s", "there is one of this name");
  SD_TRY(take_properties(r, s, c->t->points + (size_t)index * c->t->size.points * SD_POINT_NUMBERS, given));
  SD_TRY(check_range(r, "diameter", s[SD_SPECIES_DIAMETER], 0, 1e12));
  SD_TRY(check_inertia(r, s + SD_SPECIES_INERTIA));
  c->names[c->species++] = r->words[1];
  *slot = index;
  return SD_OK;
}

static sd_status take_body(reader *r, contents *c) {
  uint32_t index = c->bodies++;
  double *s = c->t->start + (size_t)index * SD_START_NUMBERS, norm2 = 0;
  set_number(r, BODY, index);
  if (r->count < 2) return REFUSE(r, "%s", "its species is missing");
  uint32_t species = c->t->species_of[index] = *find_species(c, r->words[1]);
  if (species == NOT_FOUND) return REFUSE(r, "there is no species '%.*s' above it", shown(r->words[1]), r->words[1].at);
  size_t numbers = r->count - 2;
  if (numbers != 3 && numbers != 6 && numbers != 10 && numbers != 13)
    return REFUSE(r,
                  "%zu %s after its species; expected 3 (place), 6 (and velocity), 10 (and orientation w x y z) or 13 "
                  "(and angular velocity)",
                  numbers, sd_plural(numbers, "number", "numbers"));
  s[SD_START_ATTITUDE] = 1;
  SD_TRY(read_reals(r, 2, numbers, s));
  for (int k = 0; k < 4; k++) norm2 += s[SD_START_ATTITUDE + k] * s[SD_START_ATTITUDE + k];
  if (!(norm2 > 1e-100 && norm2 < 1e100)) return REFUSE(r, "%s", "its orientation is no rotation");
  return SD_OK;
}

static sd_status read_partner(const reader *r, size_t index, const contents *c, uint32_t *body) {
  char text[WORD_MOST + 1];
  uint64_t value;
  SD_TRY(read_text(r, index, text));
  if (sd_whole_from(text, &value) != SD_WHOLE) return REFUSE(r, "'%.40s' is no body's number", text);
  if (value >= c->bodies) return REFUSE(r, "there is no body %.40s above it: there are %u, from 0 on", text, c->bodies);
  *body = (uint32_t)value;
  return SD_OK;
}

static sd_status take_bond(reader *r, contents *c) {
  uint32_t index = c->bonds++, a, b;
  double *stiffness = c->t->kind + (size_t)index * SD_BOND_NUMBERS + SD_BOND_BENDING;
  set_number(r, BOND, index);
  if (r->count != 3 && r->count != 6)
    return REFUSE(r, "%zu %s; expected 2 bodies, or 2 bodies and 3 stiffnesses", r->count - 1,
                  sd_plural(r->count - 1, "number", "numbers"));
  SD_TRY(read_partner(r, 1, c, &a));
  SD_TRY(read_partner(r, 2, c, &b));
  if (a == b) return REFUSE(r, "body %u is bonded to itself", a);
  const double *x = c->t->start + (size_t)a * SD_START_NUMBERS, *y = c->t->start + (size_t)b * SD_START_NUMBERS;
  if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2])
    return REFUSE(r, "there is no distance between bodies %u and %u", a, b);
  for (int k = 0; k < 3; k++) stiffness[k] = NAN; /* the parameters have it */
  if (r->count == 6) SD_TRY(read_reals(r, 3, 3, stiffness));
  for (int k = 0; k < 3 && r->count == 6; k++) SD_TRY(check_range(r, "stiffness", stiffness[k], 0, 1e15));
  c->t->low[index] = a < b ? a : b;
  c->t->high[index] = a < b ? b : a;
  c->t->kind_of[index] = index;
  return SD_OK;
}

static sd_status fill(reader *r, contents *c) {
  while (next_line(r)) switch (kind_of(r->words[0])) {
    case SPECIES: SD_TRY(take_species(r, c)); break;
    case BODY: SD_TRY(take_body(r, c)); break;
    case BOND: SD_TRY(take_bond(r, c)); break;
    }
  return SD_OK;
}

sd_status sd_system_fill(const sd_document *document, sd_topology *topology, sd_error *error) {
  reader *r = begin(document, error);
  if (!r) return SD_NO_MEMORY;
  contents c;
  sd_status status = make_contents(&c, topology) ? fill(r, &c) : sd_fail(error, SD_NO_MEMORY, "system: out of memory");
  free(c.names);
  free(c.slot);
  free(r);
  return status;
}
