#include "launch.h"

#include <stddef.h>

int sd_launch(struct sd_ranks **ranks) {
  *ranks = NULL;
  return 0;
}

void sd_land(void) {
}

const char *sd_launch_advice(void) {
  return "it was built without MPI, configure with -DSPINDRIFT_MPI=ON";
}
