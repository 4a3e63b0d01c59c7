#include "series.h"

#include <math.h>
#include <stdlib.h>

sd_status sd_series_create(sd_series *s, const sd_schedule *schedule, const sd_specification *spec, sd_error *error) {
  *s = (sd_series){.every = (schedule->samples + SD_SERIES_MOST - 1) / SD_SERIES_MOST};
  s->ledgers = sd_ledger_count(spec->problem->family);
  if (spec->moments) s->coordinates = sd_coordinates_of(spec->problem->family);
  s->room = (size_t)(schedule->samples / s->every) + 3; /* the last one, and one whose witness comes before it */
  s->asked = (size_t)spec->at.count;
  size_t all = s->room + s->asked;
  s->sample = calloc(all, sizeof *s->sample);
  s->ledger = calloc(s->room * (size_t)s->ledgers + 1, sizeof *s->ledger);
  s->moments = calloc(all * sd_moment_numbers(&s->coordinates) + 1, sizeof *s->moments);
  if (!s->sample || !s->ledger || !s->moments)
    return sd_fail(error, SD_NO_MEMORY, "time series of %zu samples: out of memory", s->room);
  s->witness_length = s->every * schedule->every > 1 ? s->every * schedule->every : 0;
  for (size_t i = 0; i < all; i++) s->sample[i].witness_time = s->sample[i].witness = NAN;
  return SD_OK;
}

void sd_series_destroy(sd_series *s) {
  free(s->sample);
  free(s->ledger);
  free(s->moments);
  s->sample = NULL;
  s->ledger = NULL;
  s->moments = NULL;
}

int sd_series_keeps(const sd_series *s, const sd_schedule *schedule, int64_t sample) {
  return sample % s->every == 0 || sample == schedule->samples - 1;
}

size_t sd_series_kept(const sd_series *s, const sd_schedule *schedule, int64_t samples) {
  int64_t kept = (samples + s->every - 1) / s->every;
  return (size_t)(kept + (samples == schedule->samples && (samples - 1) % s->every != 0));
}
