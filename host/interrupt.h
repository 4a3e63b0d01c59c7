/* interrupt.h - SIGINT and SIGTERM set a flag; runs look at it and end cleanly. */
#ifndef SD_INTERRUPT_H
#define SD_INTERRUPT_H

#include "plan.h"

/* From now on the signals end the runs of this plan with SD_INTERRUPTED. */
void sd_catch_signals(sd_plan *plan);

#endif
