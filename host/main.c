#include "cli.h"
#include "launch.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  struct sd_ranks *ranks;
  int status = sd_launch(&ranks);
  if (!status) status = sd_cli(argc, argv, ranks);
  sd_land();
  exit(status);
}
