/* meter.h - the progress of runs on stderr: a line that is written over, or one now and then where that is not to be.
 */
#ifndef SD_METER_H
#define SD_METER_H

#include "display.h"
#include "terminal.h"

#include <time.h>

typedef struct {
  int show;
  sd_terminal terminal;
  size_t run, runs;             /* the one at work, of so many */
  int until;                    /* it may become longer than asked */
  double done;                  /* of all runs' work, 0 to 1 */
  double from;                  /* what of it was done when this process first looked, */
  struct timespec begun, shown; /* and when that was; and when it was last shown */
  int in_trouble;               /* and the user knows */
} sd_meter;

sd_meter sd_meter_make(const sd_display *display, size_t runs);
/* The progress function of a plan, whose data is a meter. */
int sd_meter_tell(void *meter, const sd_report *report);
/* Leaves an empty line for what is to be said next. */
void sd_meter_clear(const sd_meter *meter);

#endif
