#include "series.h"

#include <stdlib.h>

sd_status sd_series_create(sd_series *s, const sd_schedule *schedule, sd_error *error) {
  *s = (sd_series){.every = (schedule->samples + SD_SERIES_MOST - 1) / SD_SERIES_MOST};
  s->room = (size_t)(schedule->samples / s->every) + 2;
  s->sample = calloc(s->room, sizeof *s->sample);
  return s->sample ? SD_OK : sd_fail(error, SD_NO_MEMORY, "time series of %zu samples: out of memory", s->room);
}

void sd_series_destroy(sd_series *s) {
  free(s->sample);
  s->sample = NULL;
}

int sd_series_keeps(const sd_series *s, const sd_schedule *schedule, int64_t sample) {
  return sample % s->every == 0 || sample == schedule->samples - 1;
}
