/* compiler.h - the system's C compiler, run without a shell; and the kernels that it compiles against. */
#ifndef SD_COMPILER_H
#define SD_COMPILER_H

#include "status.h"
#include "text.h"

/* What stands for a compiler in a key: its file, and when that was last changed. */
typedef struct {
  char path[1024];
  char identity[160];
  char target[40]; /* the option that says what it compiles for; "": none does */
} sd_compiler;

/* Whether there is such a file; then the compiler is that, without a target. */
int sd_compiler_identify(sd_compiler *compiler, const char *path);

/* $SPINDRIFT_CC, $CC, the name of the one that built the library, cc, gcc, clang: the first that is there. */
sd_status sd_compiler_find(sd_compiler *compiler, sd_error *error);

/* The folder of the kernels: $SPINDRIFT_KERNELS, beside the program, where they were built from, where they are to be
 * installed. */
sd_status sd_kernels_folder(char path[1024], sd_error *error);
/* Of all their sources. */
sd_status sd_kernels_digest(const char *folder, char digest[33], sd_error *error);

/* The flags of a variant, as it was built, with a null pointer after the last; NULL: there is no such variant.  "" has
 * those of all variants, "Clang" and "GNU" those that this compiler wants besides. */
const char *const *sd_compiler_flags(const char *variant);

/* Who made the compiler, "Clang" or "GNU", as CMake calls them; "": somebody else.  It is asked, and answers in `log`.
 */
const char *sd_compiler_maker(const sd_compiler *compiler, const char *log);

/* How many of the variant's lane groups a wide one has (kernels/wide.c) that this compiler makes of the method; 0: none
 * is worth it. */
int sd_compiler_wide(const char *maker, const char *variant, const char *family, const char *method);

/* Several at a time: begin returns a process, or -1 with errno set; end waits for it, and returns its exit status.
 * Whatever it says goes to the file `log`. */
long sd_compiler_begin(const sd_compiler *compiler, const char *const *arguments, const char *log);
int sd_compiler_end(long process);

/* What to show of a log: the first error, in the user's file `name` if there is one, and how many more there are.  To
 * be freed, or NULL without memory. */
char *sd_compiler_complaint(const char *log, const char *name);

#endif
