/* backend_choice.c - who runs a specification, and with what in its lanes. */
#include "backend.h"

#include <string.h>

int sd_lanes_are_bodies(const sd_backend *backend, const sd_specification *spec) {
  if (!spec->topology || backend->lanes == SD_LANES_ARE_MEMBERS) return 0;
  if (backend->lanes == SD_LANES_ARE_BODIES) return 1;
  return sd_bodies_each(spec) > SD_SIDE_BY_SIDE_MOST || backend->is_for_bodies(backend, spec);
}

void sd_backend_words(const sd_backend *backend, const sd_specification *spec, char words[160]) {
  int used = snprintf(words, 160, "%.*s", spec->topology ? 120 : 159, backend->devices);
  if (spec->topology)
    snprintf(words + used, 160 - (size_t)used, "; %s", backend->way[sd_lanes_are_bodies(backend, spec)]);
}

sd_status sd_backend_for(sd_backend **backend, const sd_place *place, const sd_specification *spec, char why[256],
                         sd_error *error) {
  int here = 1, there = 1;
  for (int m = 0; m < spec->method_count; m++) {
    here = here && sd_find_kernels(spec->methods[m].entry, spec->problem, place->variant.name);
    there = there && sd_find_kernels(spec->methods[m].entry, spec->problem, "cuda");
  }
  char missing[256];
  if (strcmp(place->backend, "auto") || there || !here || !sd_devices(NULL, 0, missing))
    return sd_backend_create(backend, place, why, error);
  sd_place processor = *place;
  strcpy(processor.backend, "cpu");
  SD_TRY(sd_backend_create(backend, &processor, why, error));
  if (*place->no_device) snprintf(why, 256, "backend auto: cpu; %s", place->no_device);
  else snprintf(why, 256, "backend auto: cpu, which has the kernels for %s", spec->problem->family->plural);
  return SD_OK;
}
