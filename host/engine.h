/* engine.h - what can integrate a plan here: a variant of the processor's kernels, or a CUDA device. */
#ifndef SD_ENGINE_H
#define SD_ENGINE_H

#include "status.h"

enum { SD_ENGINES_MOST = 80 };

typedef struct {
  const char *backend; /* cpu or cuda */
  char unit[16];       /* the variant, or the number of the device */
  char text[176];      /* both, and what the device is */
  int emulated;        /* a device that says so of itself: what it computes counts, its times do not */
} sd_engine;

/* All that are usable: variants, narrowest first, then devices; returns how many.  Without a device, `why` says what is
 * missing, and it is "" otherwise. */
int sd_engines(sd_engine engines[SD_ENGINES_MOST], char why[256]);

/* Has the plan run by this one alone. */
sd_status sd_engine_take(const sd_engine *engine, sd_plan *plan);

#endif
