/* plan_text.h - a specification as the settings that make it again: lines "key value", as sd_plan_set takes them.
 *
 * Numbers have as many digits as give the same bits back; defaults are written out, so that the text means the same to
 * a version with other defaults.  Two specifications that have the same text and the same starts have the same digest;
 * the starts of single bodies are no part of it. */
#ifndef SD_PLAN_TEXT_H
#define SD_PLAN_TEXT_H

#include "options.h"
#include "specification.h"

/* Whether files have it: all of the science but what other options say already. */
static inline int sd_option_in_files(const sd_option *o) {
  return (o->about & SD_ABOUT_SCIENCE) && !o->derived && (o->resolved || o->kind >= SD_OPTION_PROBLEM);
}

/* What a run has for an option that is one number. */
typedef struct {
  enum { SD_NO_NUMBER, SD_REAL, SD_INTEGER, SD_UNSIGNED } kind;
  double real;
  uint64_t whole; /* an integer's bits */
} sd_resolved;
sd_resolved sd_specification_number(const sd_specification *specification, const sd_option *option);

/* Of the first so many of its methods; to be freed, or NULL without memory. */
char *sd_specification_text(const sd_specification *specification, size_t methods);
/* The methods alone: ID,ID,... */
char *sd_specification_methods(const sd_specification *specification, size_t methods);
/* What its options are: lines "key: text". */
char *sd_specification_descriptions(const sd_specification *specification);

/* Of several plans, which are resolved, all their methods, with form feeds in between; to be freed, or NULL without
 * memory. */
char *sd_plans_text(sd_plan *const *plans, size_t count);
/* Settings that sd_specification_text does not write are an error: a text from a file says what is to be integrated,
 * and nothing of where, or what is to be written.  After a failure there is no plan, and the message begins with
 * `name`. */
sd_status sd_plan_from_text(const char *name, const char *text, sd_plan **plan, sd_error *error);
/* Of such a plan, which names all its methods, the first so many alone. */
void sd_plan_cut_methods(sd_plan *plan, size_t count);

#endif
