#include "series.h"

#include <math.h>
#include <stdlib.h>

sd_status sd_series_create(sd_series *s, const sd_schedule *schedule, int ledgers, sd_error *error) {
  *s = (sd_series){.ledgers = ledgers, .every = (schedule->samples + SD_SERIES_MOST - 1) / SD_SERIES_MOST};
  s->room = (size_t)(schedule->samples / s->every) + 3; /* the last one, and one whose witness comes before it */
  s->sample = calloc(s->room, sizeof *s->sample);
  s->ledger = calloc(s->room * (size_t)ledgers + 1, sizeof *s->ledger);
  if (!s->sample || !s->ledger)
    return sd_fail(error, SD_NO_MEMORY, "time series of %zu samples: out of memory", s->room);
  s->witness_length = s->every * schedule->every > 1 ? s->every * schedule->every : 0;
  for (size_t i = 0; i < s->room; i++) s->sample[i].witness_time = s->sample[i].witness = NAN;
  return SD_OK;
}

void sd_series_destroy(sd_series *s) {
  free(s->sample);
  free(s->ledger);
  s->sample = NULL;
  s->ledger = NULL;
}

int sd_series_keeps(const sd_series *s, const sd_schedule *schedule, int64_t sample) {
  return sample % s->every == 0 || sample == schedule->samples - 1;
}

size_t sd_series_kept(const sd_series *s, const sd_schedule *schedule, int64_t samples) {
  int64_t kept = (samples + s->every - 1) / s->every;
  return (size_t)(kept + (samples == schedule->samples && (samples - 1) % s->every != 0));
}
