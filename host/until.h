/* until.h - a run that is made longer until every method has its verdict. */
#ifndef SD_UNTIL_H
#define SD_UNTIL_H

#include "spindrift.h"

typedef struct {
  int wanted;
  double most;   /* time; 0: what until.c has by default */
  int doublings; /* of the length that was asked for, so far */
  int64_t every; /* steps between samples, as asked for; 0: what a length has by default.  For files alone */
} sd_until;

/* Of a plan that is resolved. */
sd_status sd_run_until_decided(sd_plan *plan, sd_result **result);

#endif
