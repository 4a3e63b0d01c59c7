/* control.h - who is told how a run is going, and may ask something of it meanwhile. */
#ifndef SD_CONTROL_H
#define SD_CONTROL_H

#include "spindrift.h"

typedef struct {
  sd_progress progress;
  void *progress_data;
  sd_saved saved;
  void *saved_data;
  sd_control *control; /* or NULL */
} sd_watch;

/* Was a checkpoint asked for?  Asks no more then. */
int sd_control_take_save(sd_control *control);

#endif
