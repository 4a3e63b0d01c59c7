/* place.h - where a run is done, and where it leaves its files.  Nothing of this changes a number that it computes. */
#ifndef SD_PLACE_H
#define SD_PLACE_H

#include "registry.h"

/* What the lanes of a system of many bodies are. */
typedef enum { SD_LANES_AUTO, SD_LANES_ARE_MEMBERS, SD_LANES_ARE_BODIES } sd_lanes;

/* Whether bodies that are near stand near one another in memory. */
typedef enum { SD_SORT_AUTO, SD_SORT_YES, SD_SORT_NO } sd_sort;

typedef struct {
  sd_ranks *ranks;    /* processes that share the run, or NULL */
  sd_variant variant; /* of the processor's kernels */
  int threads;
  char backend[16];
  char devices[256];         /* of the CUDA backend, by number; all when empty */
  int block;                 /* threads in a block there; 0: the backend's choice */
  double device_memory;      /* MiB of each device to use; 0: what is free */
  int trust;                 /* code that came with a file may be compiled and run */
  int fallback;              /* a method that a device failed is run again by the processor */
  char *checkpoint, *output; /* paths, or "" */
  double checkpoint_every;   /* seconds */
  int lanes;                 /* sd_lanes: of systems of many bodies */
  char no_device[200]; /* why nothing can be compiled for a device, where that was tried and `auto` does without */
  double skin;         /* how far their bodies go before neighbours are looked for again: half of it, in diameters */
  int sort;            /* sd_sort */
  double seconds_most; /* of the clock, after which the run ends; 0: it may take as long as it likes */
} sd_place;

#endif
