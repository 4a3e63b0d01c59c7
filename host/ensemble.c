#include "ensemble.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t padded(size_t bodies) {
  size_t stride = (bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  /* slots a multiple of 4 KiB apart would compete for the same cache lines */
  return stride % 512 ? stride : stride + SD_GROUP_MAX;
}

sd_status sd_ensemble_create(sd_ensemble *e, const sd_plan *plan, const sd_row *row, sd_error *error) {
  e->bodies = plan->bodies;
  e->stride = padded(plan->bodies);
  e->state_slots = row->state_slots;
  size_t size = sd_ensemble_bytes(e);
  double available = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  e->slots = (double)size > available ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
  if (!e->slots)
    return sd_fail(error, SD_NO_MEMORY, "%zu bodies need %.1f GiB of memory and this machine has %.1f; use fewer",
                   plan->bodies, (double)size / 0x1p30, available / 0x1p30);
  memset(e->slots, 0, size);
  int split = sd_family_of(plan->problem)->sigma[0].slots;
  for (size_t i = 0; i < plan->start_count; i++) {
    const sd_start *s = &plan->starts[i];
    for (int k = 0; k < split; k++) e->slots[(size_t)k * e->stride + s->body] = s->attitude[k];
    for (int k = 0; k < 3; k++) e->slots[(size_t)(split + k) * e->stride + s->body] = s->velocity[k];
  }
  return SD_OK;
}

void sd_ensemble_destroy(sd_ensemble *e) {
  free(e->slots);
  e->slots = NULL;
}

const char *sd_body_status_text(int status) {
  switch (status) {
  case SD_BODY_OK: return "ok";
  case SD_BODY_NOT_CONVERGED: return "not converged";
  case SD_BODY_OUTSIDE_DOMAIN: return "outside domain";
  case SD_BODY_NOT_FINITE: return "not finite";
  default: return "unknown";
  }
}

int sd_body_status_number(const char *text) {
  int status = SD_BODY_OK;
  while (status < SD_BODY_NOT_FINITE && strcmp(text, sd_body_status_text(status))) status++;
  return status;
}
