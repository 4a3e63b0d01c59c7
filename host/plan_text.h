/* plan_text.h - a resolved plan as the settings that make it again: lines "key value", as sd_plan_set takes them.
 *
 * Numbers have as many digits as give the same bits back; defaults are written out, so that the text means the same to
 * a version with other defaults.  Two plans that have the same text and the same starts have the same digest.  Where a
 * run is to be done (backend, isa, threads) is no part of it, nor are the starts of single bodies. */
#ifndef SD_PLAN_TEXT_H
#define SD_PLAN_TEXT_H

#include "plan.h"

/* The settings that are one number. */
typedef enum { SD_KEY_REAL, SD_KEY_INTEGER, SD_KEY_SIZE, SD_KEY_UNSIGNED } sd_key_kind;

typedef struct {
  const char *key;
  sd_key_kind kind;
  size_t offset; /* in sd_plan: of a double, int64_t, size_t, uint64_t */
  const char *description;
} sd_plan_key;

extern const sd_plan_key sd_plan_keys[];
extern const size_t sd_plan_key_count;

/* Of the first so many of its methods; to be freed, or NULL without memory. */
char *sd_plan_text(const sd_plan *plan, size_t methods);
/* Of several plans, all their methods, with form feeds in between; to be freed, or NULL without memory. */
char *sd_plans_text(sd_plan *const *plans, size_t count);
/* The methods alone: ID,ID,... */
char *sd_plan_methods_text(const sd_plan *plan, size_t methods);
/* Settings that sd_plan_text does not write are an error: a text from a file says what is to be integrated, and nothing
 * of where, or what is to be written.  After a failure there is no plan, and the message begins with `name`. */
sd_status sd_plan_from_text(const char *name, const char *text, sd_plan **plan, sd_error *error);

#endif
