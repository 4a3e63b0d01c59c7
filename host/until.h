/* until.h - a run that is made longer until every method has its verdict. */
#ifndef SD_UNTIL_H
#define SD_UNTIL_H

#include "status.h"

typedef struct {
  int wanted;
  double most;   /* time; 0: what until.c has by default */
  int doublings; /* of the length that was asked for, so far */
  int64_t every; /* steps between samples, as asked for; 0: what a length has by default.  For files alone */
} sd_until;

/* The same plan, so many times doubled; it is to be destroyed also after a failure. */
sd_status sd_plan_make_longer(const sd_plan *plan, int doublings, sd_plan **longer, sd_error *error);
/* Of a plan that is resolved. */
sd_status sd_run_until_decided(sd_plan *plan, sd_result **result);

#endif
