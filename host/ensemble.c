#include "ensemble.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t sd_padded(size_t bodies) {
  size_t stride = (bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  /* slots a multiple of 4 KiB apart would compete for the same cache lines */
  return stride % 512 ? stride : stride + SD_GROUP_MAX;
}

sd_status sd_ensemble_create(sd_ensemble *e, const sd_specification *spec, const sd_kernels *kernels, int by_bodies,
                             sd_error *error) {
  e->bodies = spec->members;
  e->bodies_each = sd_bodies_each(spec);
  e->by_bodies = by_bodies;
  e->kernels = kernels;
  e->alone = spec->problem->family->alone;
  e->topology = spec->topology ? sd_topology_of(spec->topology) : NULL;
  e->stride = by_bodies ? spec->members : sd_padded(spec->members);
  e->state_slots = sd_member_slots(kernels, e->bodies_each);
  size_t size = sd_ensemble_bytes(e);
  double available = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  e->slots = (double)size > available ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
  if (!e->slots)
    return sd_fail(error, SD_NO_MEMORY, "%zu bodies need %.1f GiB of memory and this machine has %.1f; use fewer",
                   spec->members, (double)size / 0x1p30, available / 0x1p30);
  memset(e->slots, 0, size);
  const sd_starts *s = &spec->starts;
  size_t each =
      e->bodies_each ? s->width / e->bodies_each : s->width; /* a body's numbers stand at the front of its slots */
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < s->width; k++)
      e->slots[(k / each * (size_t)kernels->body_slots + k % each) * e->stride + s->member[i]] =
          s->number[i * s->width + k];
  return SD_OK;
}

void sd_ensemble_destroy(sd_ensemble *e) {
  free(e->slots);
  e->slots = NULL;
}
