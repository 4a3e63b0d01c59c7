/* nearest.h - which of several names a misspelt one was meant to be. */
#ifndef SD_NEAREST_H
#define SD_NEAREST_H

/* The nearest so far, of those that were considered; all zeros before the first. */
typedef struct {
  const char *name;
  int distance;
} sd_nearest;
void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate);

#endif
