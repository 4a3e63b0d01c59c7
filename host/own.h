/* own.h - problems and methods from files of the user's own: families that have them in their lists, and their kernels.
 *
 * A family that files add to is a copy of the one that is built in, with longer lists; it lasts as long as the process,
 * and there is one for the same texts. */
#ifndef SD_OWN_H
#define SD_OWN_H

#include "registry.h"
#include "source.h"

/* The problem of this id, which is that of a source or built in, in a family that has the sources' methods.  It is
 * compiled as far as the host must know it; or, where `declared` says what parameters it has, nothing is compiled, and
 * it cannot be run. */
sd_status sd_own_find_problem(const sd_source *sources, int count, const char *id, const sd_parameter *declared,
                              const sd_problem_entry **problem, sd_error *error);

/* The sources of a family, in their order; NULL after the last. */
const sd_source *sd_own_source(const sd_family *family, int index);
/* Of a family's problem or method; NULL: it is built in. */
const sd_source *sd_own_source_of(const sd_family *family, sd_source_kind kind, const char *id);

/* All problems and methods that files have brought into this process, one after the other; NULL after the last. */
const sd_problem_entry *sd_own_problem_at(int index);
const sd_method_entry *sd_own_method_at(int index);

/* Compiles what is missing of these methods on this problem, for a variant. */
sd_status sd_own_prepare(const sd_problem_entry *problem, const sd_method *methods, int count, const char *variant,
                         sd_error *error);
/* NULL where that was not done, or both are built in. */
const sd_kernels *sd_own_kernels(const sd_method_entry *method, const sd_problem_entry *problem, const char *variant);

/* Whose kernels these are: the files' names, with "and" in between; "" where they are built in. */
const char *sd_own_blame(const sd_kernels *kernels, char text[256]);

/* What holds a problem's functions against one another, and what the places are that it does so at; NULL: nothing does.
 */
const sd_problem_alone *sd_own_alone(const sd_problem_entry *problem);

#endif
