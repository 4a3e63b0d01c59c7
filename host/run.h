/* run.h - a result: summaries, final states, digest. */
#ifndef SD_RUN_H
#define SD_RUN_H

#include "plan.h"

struct sd_result {
  sd_plan plan; /* as resolved; without the starts */
  const char *backend, *isa;
  int threads;
  sd_summary *summaries; /* one per method */
  sd_final *finals;      /* plan.finals per method */
  char digest[33];
};

#endif
