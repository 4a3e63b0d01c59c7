/* interrupt.h - SIGINT, SIGTERM and SIGHUP ask runs to end cleanly, SIGUSR1 for a checkpoint now. */
#ifndef SD_INTERRUPT_H
#define SD_INTERRUPT_H

#include "spindrift.h"

/* From now on the signals end the runs of this plan with SD_INTERRUPTED, or have them saved, which is said on stderr.
 */
void sd_catch_signals(sd_plan *plan);

#endif
