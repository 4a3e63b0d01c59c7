/* toolchain.h - who compiles files of the user's own, and loads what came of it: the system's compiler for processors,
 * NVRTC and the CUDA runtime for devices. */
#ifndef SD_TOOLCHAIN_H
#define SD_TOOLCHAIN_H

#include "compiler.h"
#include "own_units.h"

/* What the functions of a unit's method and problem begin with. */
typedef struct {
  char method[SD_SOURCE_NAME], problem[SD_SOURCE_NAME];
} sd_unit_names;

enum { SD_LOAD_WHY = 320 };

typedef struct {
  const char *instance;     /* the source of a method's kernels, */
  const char *exports;      /* what to add to it, for `load` to find, */
  const char *suffix;       /* and of the files that it makes */
  const char *libraries[2]; /* to link with; NULL after the last */
  sd_status (*find)(sd_compiler *compiler, sd_error *error);
  /* As sd_compiler_begin and sd_compiler_end; the arguments end with -oMADE, then the sources. */
  long (*begin)(const sd_compiler *compiler, const char *const *arguments, const char *log);
  int (*end)(long process);
  /* What the unit exports, which stays as long as the process; NULL: it says why not. */
  const void *(*load)(const char *path, const sd_unit *unit, const sd_unit_names *names, char why[SD_LOAD_WHY]);
} sd_toolchain;

#if SPINDRIFT_CUDA
extern const sd_toolchain sd_device_toolchain;
#endif

#endif
