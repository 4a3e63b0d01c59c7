/* code_cache.h - compiled code of the user's own, in $XDG_CACHE_HOME/spindrift or ~/.cache/spindrift.
 *
 * It is read from there alone: a folder that the user owns and nobody else can write to, on a path that nobody else can
 * change.  Files come into it whole, by their renaming, so that programs that do the same at once do not meet. */
#ifndef SD_CODE_CACHE_H
#define SD_CODE_CACHE_H

#include "status.h"

enum { SD_CODE_PATH = 1024 };

typedef struct {
  char path[SD_CODE_PATH];
  int fd; /* of the folder; -1: it is not open */
} sd_code_cache;

/* Makes the folder if it is not there; SD_BAD_INPUT where others could write to it. */
sd_status sd_code_cache_open(sd_code_cache *cache, sd_error *error);
void sd_code_cache_close(sd_code_cache *cache);

/* Whether there is such a file; one that is not the user's alone is an error. */
sd_status sd_code_cache_find(const sd_code_cache *cache, const char *name, int *found, sd_error *error);

/* A folder inside to work in; what became of the work is kept under a name; the rest is removed. */
sd_status sd_code_cache_workshop(const sd_code_cache *cache, char folder[SD_CODE_PATH], sd_error *error);
sd_status sd_code_cache_keep(const sd_code_cache *cache, const char *folder, const char *file, const char *name,
                             sd_error *error);
void sd_code_cache_clear(const char *folder);

#endif
