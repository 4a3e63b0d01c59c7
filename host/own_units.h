/* own_units.h - what is compiled of files of the user's own: a method with a problem for one variant, or what the host
 * must know of a problem.  What was compiled before, of the same texts by the same compiler, is not compiled again. */
#ifndef SD_OWN_UNITS_H
#define SD_OWN_UNITS_H

#include "source.h"

typedef struct {
  const char *family;
  const char *problem_id, *method_id; /* no method: what the host must know of the problem */
  const sd_source *problem, *method;  /* their texts; NULL: built in */
  const char *variant;
  const void *symbol; /* what it exports, once it is loaded: sd_kernels, or an sd_problem_alone */
} sd_unit;

/* All of them, which are for processors or for devices; several compilers at a time. */
sd_status sd_units_load(sd_unit *units, size_t count, sd_error *error);

/* Whether this user has compiled the text before, of their own will; and that it is so from now on. */
sd_status sd_source_is_known(const sd_source *source, int *known, sd_error *error);
sd_status sd_source_make_known(const sd_source *source, sd_error *error);

#endif
