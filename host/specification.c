#include "specification.h"

#include <stdlib.h>

sd_specification *sd_specification_copy(const sd_specification *from) {
  sd_specification *copy = malloc(sizeof *copy);
  if (!copy) return NULL;
  *copy = *from;
  if (!sd_starts_copy(&copy->starts, &from->starts)) {
    sd_topology_keep(copy->topology);
    return copy;
  }
  free(copy);
  return NULL;
}

void sd_specification_destroy(const sd_specification *constant) {
  sd_specification *specification = (sd_specification *)constant; /* its end is its only change */
  if (!specification) return;
  sd_starts_destroy(&specification->starts);
  sd_topology_let_go(specification->topology);
  free(specification);
}
