#include "ensemble.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t sd_padded(size_t bodies) {
  size_t stride = (bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  /* slots a multiple of 4 KiB apart would compete for the same cache lines */
  return stride % 512 ? stride : stride + SD_GROUP_MAX;
}

/* Starts of their own stand at the front of the slots, those of a system's bodies each at the front of its own. */
static void put_start(sd_ensemble *e, const sd_specification *spec, size_t i, size_t member) {
  const sd_starts *s = &spec->starts;
  size_t each = e->bodies_each ? s->width / e->bodies_each : s->width;
  for (size_t k = 0; k < s->width; k++) {
    const sd_target *column = spec->targets.columns ? &spec->targets.column[k] : NULL;
    if (column && column->of != SD_TARGET_START) continue;
    size_t slot = column ? (size_t)column->index : k / each * (size_t)e->kernels->body_slots + k % each;
    double number = s->number[i * s->width + k];
    if (number == number) e->slots[slot * e->stride + member] = number;
  }
}

sd_status sd_ensemble_create(sd_ensemble *e, const sd_specification *spec, sd_crowd crowd, const sd_kernels *kernels,
                             int by_bodies, sd_error *error) {
  e->crowd = crowd;
  e->bodies = crowd.members;
  SD_TRY(sd_topology_of_member(spec, crowd.first, &e->shared, error));
  e->bodies_each = sd_bodies_each(spec);
  e->by_bodies = by_bodies;
  e->kernels = kernels;
  e->alone = spec->problem->family->alone;
  e->topology = e->shared ? sd_topology_of(e->shared) : NULL;
  if (spec->moments) e->coordinates = sd_coordinates_of(spec->problem->family);
  e->stride = by_bodies ? e->bodies : sd_padded(e->bodies);
  e->state_slots = sd_member_slots(kernels, e->bodies_each);
  e->log_slots = sd_log_slots(spec);
  size_t size = sd_ensemble_bytes(e);
  double available = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  e->slots = (double)size > available ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
  if (!e->slots)
    return sd_fail(error, SD_NO_MEMORY, "%zu members need %.1f GiB of memory and this machine has %.1f; use fewer",
                   e->bodies, (double)size / 0x1p30, available / 0x1p30);
  memset(e->slots, 0, size);
  size_t end = crowd.first + crowd.members;
  for (size_t i = 0; i < spec->starts.count; i++)
    for (size_t point = crowd.first / spec->each * spec->each; point < end; point += spec->each) {
      size_t member = point + spec->starts.member[i];
      if (member >= crowd.first && member < end) put_start(e, spec, i, member - crowd.first);
    }
  sd_start_columns columns = {e->slots, (size_t)kernels->body_slots, e->stride};
  SD_TRY(sd_differences_create(&e->differences, spec, crowd.m, crowd.first, e->bodies, e->shared, &columns, error));
  return sd_variety_create(&e->variety, spec, crowd.m, crowd.first, e->bodies, e->stride, error);
}

void sd_ensemble_destroy(sd_ensemble *e) {
  sd_variety_destroy(&e->variety);
  sd_differences_destroy(&e->differences);
  sd_topology_let_go(e->shared);
  free(e->slots);
  e->shared = NULL;
  e->slots = NULL;
}
