#include "cli.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  exit(sd_cli(argc, argv));
}
