#include "states.h"

#include <stdlib.h>

sd_status sd_states_create(sd_states *s, const sd_family *family, size_t bodies, size_t samples, size_t members,
                           sd_error *error) {
  SD_TRY(sd_states_create_plain(s, sd_state_numbers(family, bodies), samples, members, error));
  s->bodies = bodies;
  return SD_OK;
}

sd_status sd_states_create_plain(sd_states *s, size_t numbers, size_t samples, size_t members, sd_error *error) {
  size_t count = samples * members;
  *s = (sd_states){.samples = samples, .members = members, .bodies = 1, .numbers = numbers};
  s->number = calloc(count * s->numbers + 1, sizeof *s->number);
  s->status = calloc(count + 1, 1);
  return s->number && s->status ? SD_OK : sd_fail(error, SD_NO_MEMORY, "states of %zu members: out of memory", members);
}

void sd_states_destroy(sd_states *s) {
  free(s->number);
  free(s->status);
  s->number = NULL;
  s->status = NULL;
}

void sd_states_take(const sd_states *s, size_t sample, size_t first, size_t count, const double *exported) {
  for (size_t i = 0; i < count; i++) {
    double *to = sd_state_at(s, sample, first + i);
    for (size_t k = 0; k < s->numbers; k++) to[k] = exported[k * count + i];
    *sd_state_status(s, sample, first + i) = (unsigned char)exported[s->numbers * count + i];
  }
}

const char *sd_member_status_text(int status) {
  switch (status) {
  case SD_MEMBER_OK: return "ok";
  case SD_MEMBER_NOT_CONVERGED: return "not converged";
  case SD_MEMBER_OUTSIDE_DOMAIN: return "outside domain";
  case SD_MEMBER_NOT_FINITE: return "not finite";
  case SD_MEMBER_ENDED: return "ended";
  default: return "unknown";
  }
}
