/* series.h - E - E0 of the ensemble at the samples: mean, spread, quantiles, extremes.  No trajectory is stored: each
 * row of bodies is reduced as soon as it is complete. */
#ifndef SD_SERIES_H
#define SD_SERIES_H

#include "schedule.h"
#include "specification.h"
#include "statistics_list.h"
#include "status.h"

enum {
  SD_SERIES_MOST = 20000, /* samples kept; of more, every second, third, ... enters */
  SD_ROWS_BYTES = 1 << 25 /* that rows of samples have, while members are few */
};

typedef struct {
  size_t count; /* samples kept so far */
  size_t room;
  int64_t every;          /* of the run's samples, one in this many is kept; the last one always */
  int64_t witness_length; /* steps between samples that are kept, if there are more than one (witness.h); otherwise 0 */
  sd_sample *sample;
  int ledgers;                /* quantities of the family's ledger */
  double *ledger;             /* [samples][quantities], over the members */
  sd_coordinates coordinates; /* of states, where their moments are kept: */
  double *moments;            /* [samples][numbers of the mean, then the covariance by rows] */
  size_t asked; /* at so many given times there is a sample, too, with its moments: from place `room` of both on */
} sd_series;

static inline size_t sd_moment_numbers(const sd_coordinates *c) { /* of a sample */
  return (size_t)(c->numbers + c->tangent * c->tangent);
}
static inline double *sd_moments_of(const sd_series *s, size_t sample) {
  return s->moments + sample * sd_moment_numbers(&s->coordinates);
}
static inline size_t sd_series_numbers(const sd_series *s) { /* all of a sample's */
  return SD_SAMPLE_NUMBERS + (size_t)s->ledgers + sd_moment_numbers(&s->coordinates);
}

/* With room for what is specified. */
sd_status sd_series_create(sd_series *series, const sd_schedule *schedule, const sd_specification *spec,
                           sd_error *error);
void sd_series_destroy(sd_series *series);

/* Is this sample kept? */
int sd_series_keeps(const sd_series *series, const sd_schedule *schedule, int64_t sample);
/* How many of the first so many are kept? */
size_t sd_series_kept(const sd_series *series, const sd_schedule *schedule, int64_t samples);

#endif
