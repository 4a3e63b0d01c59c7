#include "source.h"

#include "number.h"
#include "safe_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int sd_source_is_path(const char *name) {
  size_t length = strcspn(name, "@");
  return length > 2 && !strncmp(name + length - 2, ".h", 2) && (!name[length] || strlen(name + length) == 2);
}

const char *sd_source_kind_text(sd_source_kind kind) {
  return kind == SD_SOURCE_OF_PROBLEM ? "problem" : "method";
}

void sd_source_line_free(sd_source_line *line) {
  free(line->title);
  free(line->doi);
  line->title = line->doi = NULL;
}

/* ---- one line ---- */

typedef struct {
  const sd_source *source;
  sd_source_line *to;
  const char *at, *end; /* what is left of the line */
  sd_error *error;
} reader;

static sd_status misread(const reader *r, const char *what) {
  return sd_fail(r->error, SD_BAD_INPUT, "%s:%d: %s", sd_path_shown(sd_document_name(r->source->document)),
                 r->to->number, what);
}

static void skip_spaces(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

/* The character that comes next, which is taken. */
static sd_status take(reader *r, char wanted, const char *what) {
  skip_spaces(r);
  if (r->at == r->end || *r->at != wanted) return misread(r, what);
  r->at++;
  return SD_OK;
}

static sd_status take_word(reader *r, char word[SD_SOURCE_NAME], const char *what) {
  size_t length = 0;
  skip_spaces(r);
  while (r->at + length < r->end && (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')) length++;
  if (!length || length >= SD_SOURCE_NAME || isdigit((unsigned char)*r->at)) return misread(r, what);
  memcpy(word, r->at, length);
  word[length] = 0;
  r->at += length;
  return take(r, ',', "a comma is missing in the line of the list");
}

static sd_status take_number(reader *r, double *value) {
  char text[40], *end;
  size_t length = 0;
  skip_spaces(r);
  while (r->at + length < r->end && !strchr(",) \t", r->at[length])) length++;
  if (!length || length >= sizeof text) return misread(r, "a number of the line is missing");
  memcpy(text, r->at, length);
  text[length] = 0;
  *value = sd_real_from(text, &end);
  if (*end || !(*value - *value == 0)) return misread(r, "a number of the line is none");
  r->at += length;
  return take(r, ',', "a comma is missing in the line of the list");
}

/* "...", in which a backslash stands before what is meant as it is; to be freed. */
static sd_status take_text(reader *r, char **text) {
  skip_spaces(r);
  char *to = *text = malloc((size_t)(r->end - r->at) + 1);
  if (!to) return sd_fail(r->error, SD_NO_MEMORY, "source: out of memory");
  *to = 0;
  SD_TRY(take(r, '"', "a text in quotation marks is missing in the line of the list"));
  while (r->at < r->end && *r->at != '"') {
    if (*r->at == '\\' && r->at + 1 < r->end) r->at++;
    *to++ = *r->at++;
  }
  *to = 0;
  return take(r, '"', "a quotation mark is missing in the line of the list");
}

/* Lower-case letters, digits and dashes: what a list may have, and a file's name. */
static sd_status take_id(reader *r, char id[SD_SOURCE_NAME]) {
  char *text = NULL;
  sd_status status = take_text(r, &text);
  size_t length = text ? strlen(text) : 0;
  int good = length && length < SD_SOURCE_NAME && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
  if (!status && good) memcpy(id, text, length + 1);
  free(text);
  if (!status && !good) status = misread(r, "an id has lower-case letters, digits and dashes, 31 at most");
  return status ? status : take(r, ',', "a comma is missing in the line of the list");
}

static sd_status take_traits(reader *r, int *traits) {
  static const char *const names[] = {
#define TRAIT(name, letter, id, text) #name,
#include "../kernels/traits.def"
#undef TRAIT
  };
  *traits = 0;
  do {
    skip_spaces(r);
    size_t length = 0, k = 0;
    while (r->at + length < r->end && (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')) length++;
    while (k < SD_TRAITS && (strlen(names[k]) != length || strncmp(names[k], r->at, length))) k++;
    if (k < SD_TRAITS) *traits |= 1 << k;
    else if (length != 1 || *r->at != '0') return misread(r, "an unknown trait; kernels/traits.def lists all");
    r->at += length;
    skip_spaces(r);
  } while (r->at < r->end && *r->at == '|' && r->at++);
  return take(r, ',', "a comma is missing in the line of the list");
}

static sd_status read_problem(reader *r) {
  SD_TRY(take_number(r, &r->to->step));
  SD_TRY(take_number(r, &r->to->time));
  return r->to->step > 0 && r->to->time > 0 ? SD_OK : misread(r, "step and time are positive");
}

static sd_status read_method(reader *r) {
  double order;
  SD_TRY(take_number(r, &order));
  if (!(order >= 1 && order <= 64) || order != (int)order) return misread(r, "an order is a whole number");
  r->to->order = (int)order;
  return take_traits(r, &r->to->traits);
}

static sd_status read_entry(reader *r) {
  SD_TRY(take_word(r, r->to->family, "the line begins with a family"));
  SD_TRY(take_word(r, r->to->name, "after the family comes the name that its functions begin with"));
  SD_TRY(take_id(r, r->to->id));
  SD_TRY(r->source->kind == SD_SOURCE_OF_PROBLEM ? read_problem(r) : read_method(r));
  SD_TRY(take_text(r, &r->to->title));
  SD_TRY(take(r, ',', "a comma is missing in the line of the list"));
  return take_text(r, &r->to->doi);
}

static sd_status read_parameter(reader *r) {
  char *name = NULL;
  SD_TRY(take_id(r, r->to->id));
  sd_status status = take_text(r, &name);
  if (!status && (!*name || strlen(name) >= SD_SOURCE_NAME))
    status = misread(r, "a parameter's name has 1 to 31 letters");
  if (!status) strcpy(r->to->name, name);
  free(name);
  SD_TRY(status);
  SD_TRY(take(r, ',', "a comma is missing in the line of the list"));
  SD_TRY(take_number(r, &r->to->value));
  SD_TRY(take_number(r, &r->to->limits[0]));
  SD_TRY(take_number(r, &r->to->limits[1]));
  return take_text(r, &r->to->title);
}

static sd_status read_line(reader *r, sd_status (*read)(reader *)) {
  const char *begin = r->to->text;
  sd_status status = take(r, '(', "the line has parentheses");
  if (!status) status = read(r);
  if (!status) status = take(r, ')', "the line does not end in a parenthesis");
  r->to->length = (size_t)(r->at - begin);
  if (status) sd_source_line_free(r->to);
  return status;
}

/* ---- lines in a text ---- */

/* The next line that begins with this word and a parenthesis, but for what a comment may begin with; 0 after the last.
 */
static int next_line(const sd_source *source, const char *word, const char **at, sd_source_line *line, reader *r) {
  const char *bytes = sd_document_bytes(source->document), *end = bytes + sd_document_size(source->document);
  while (*at < end) {
    const char *stop = memchr(*at, '\n', (size_t)(end - *at)), *begin = *at;
    if (!stop) stop = end;
    *at = stop < end ? stop + 1 : end;
    line->number++;
    while (begin < stop && strchr(" \t/*", *begin)) begin++;
    size_t length = strlen(word);
    if ((size_t)(stop - begin) <= length || strncmp(begin, word, length) || begin[length] != '(') continue;
    line->text = begin;
    r->at = begin + length;
    r->end = stop;
    return 1;
  }
  return 0;
}

sd_status sd_source_find(const sd_source *source, const char *family, const char *id, sd_source_line *line,
                         sd_error *error) {
  static const char *const words[] = {"PROBLEM", "METHOD"};
  const char *at = sd_document_bytes(source->document);
  reader r = {source, line, NULL, NULL, error};
  char others[96] = "";
  *line = (sd_source_line){0};
  while (next_line(source, words[source->kind], &at, line, &r)) {
    SD_TRY(read_line(&r, read_entry));
    if ((!family || !strcmp(line->family, family)) && (!id || !strcmp(line->id, id))) return SD_OK;
    size_t used = strlen(others);
    snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "; it is for ", line->family);
    sd_source_line_free(line);
  }
  const char *kind = sd_source_kind_text(source->kind), *name = sd_path_shown(sd_document_name(source->document));
  if (*others) return sd_fail(error, SD_BAD_INPUT, "%s %s has no line for the family %s%s", kind, name, family, others);
  return sd_fail(error, SD_BAD_INPUT,
                 "%s: no line of it says what it is; a comment should have one that begins with %s(%s, ", name,
                 words[source->kind], family ? family : "FAMILY");
}

int sd_source_parameter(const sd_source *source, size_t index, sd_source_line *line, sd_error *error) {
  const char *at = sd_document_bytes(source->document);
  reader r = {source, line, NULL, NULL, error};
  *line = (sd_source_line){0};
  while (next_line(source, "METHOD_PARAMETER", &at, line, &r))
    if (!index--) return !read_line(&r, read_parameter);
  return 0;
}

sd_status sd_source_read(const char *path, sd_source_kind kind, sd_source *made, sd_error *error) {
  sd_source_line line;
  *made = (sd_source){.kind = kind};
  SD_TRY(sd_document_read(path, &made->document, error));
  sd_status status = memchr(sd_document_bytes(made->document), 0, sd_document_size(made->document))
                         ? sd_fail(error, SD_BAD_INPUT, "%s: it has a zero byte: it is no text", sd_path_shown(path))
                         : sd_source_find(made, NULL, NULL, &line, error);
  if (!status) {
    strcpy(made->id, line.id);
    sd_source_line_free(&line);
    return SD_OK;
  }
  sd_document_let_go(made->document);
  made->document = NULL;
  return status;
}
