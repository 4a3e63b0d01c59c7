/* source.h - a problem or a method as the text of a file of the user's own, and what the text says of itself.
 *
 * The file is the one that a contributor would add to kernels/, with its line of the family's list in a comment:
 *
 *   PROBLEM(family, name, "id", step, time, "title", "doi")
 *   METHOD(family, name, "id", order, TRAIT | TRAIT, "title", "doi")
 *   METHOD_PARAMETER("id", "name", value, low, high, "meaning")
 *
 * A method may have a line for each of several families, and its parameters. */
#ifndef SD_SOURCE_H
#define SD_SOURCE_H

#include "../kernels/catalogue.h"
#include "document.h"

typedef enum { SD_SOURCE_OF_PROBLEM, SD_SOURCE_OF_METHOD } sd_source_kind;

enum { SD_SOURCES_MAX = 16, SD_SOURCE_NAME = 32 };

/* As a plan has it: the document grows while it is read from a file piece by piece. */
typedef struct {
  sd_source_kind kind;
  char id[SD_SOURCE_NAME];
  sd_document *document;
} sd_source;

/* A line of it.  Texts are the caller's. */
typedef struct {
  char family[SD_SOURCE_NAME], name[SD_SOURCE_NAME], id[SD_SOURCE_NAME];
  int number;              /* of the line in the file, from 1 on, */
  const char *text;        /* where the macro begins there, */
  size_t length;           /* and how long it is */
  double step, time;       /* of a problem */
  int order, traits;       /* of a method */
  char *title, *doi;       /* to be freed by sd_source_line_free */
  double value, limits[2]; /* of a parameter, whose name and meaning are `name` and `title` */
} sd_source_line;

/* Whether a name is one of a file: it ends in .h; of a method, a composition's order may follow. */
int sd_source_is_path(const char *name);
const char *sd_source_kind_text(sd_source_kind kind); /* problem, method */

/* Reads the file; its id is that of its first line. */
sd_status sd_source_read(const char *path, sd_source_kind kind, sd_source *made, sd_error *error);
/* The line of this family and this id, any where that is NULL; SD_BAD_INPUT where there is none or where it is wrong.
 */
sd_status sd_source_find(const sd_source *source, const char *family, const char *id, sd_source_line *line,
                         sd_error *error);
/* Parameter `index` of a method; 0 after the last, or after a failure. */
int sd_source_parameter(const sd_source *source, size_t index, sd_source_line *line, sd_error *error);
void sd_source_line_free(sd_source_line *line);

#endif
