/* snapshot_layout.h - what the blocks of a checkpoint are made of: words and reals (words.h) in this order, no padding.
 *
 *   starts     numbers of a start; then of each start the member, its numbers (reals)
 *   until      whether the run is made longer, up to which time (real), how often it was, steps between samples if
 * given position   methods done, steps done of the next, seconds spent on it (real) summary    digest (32 characters),
 * failed members, verdict and reason, seconds, ns per body and step (reals), statistics sample     its quantities; of
 * these and of the statistics spindrift_statistics.def has the lists: whole numbers are words, others reals series its
 * samples; time and value of the witness of the next one (reals) state status, numbers as the family shows them, E - E0
 * (reals) point failed members, verdict, reason, statistics (reals), digest (16 bytes) seen mean, lowest, highest
 * (these where a point has more than one member), witness, each [sample][point] (reals)
 *
 * Reading checks every number that something else depends on against the plan, and returns whether it fits. */
#ifndef SD_SNAPSHOT_LAYOUT_H
#define SD_SNAPSHOT_LAYOUT_H

#include "run.h"
#include "snapshot.h"
#include "statistics_list.h"

enum {
  SD_UNTIL_BYTES = 8 * 4,
  SD_POSITION_BYTES = 8 * 3,
  SD_SUMMARY_BYTES = 32 + 8 * (5 + SD_STATISTICS),
  SD_POINT_BYTES = 8 * (3 + SD_STATISTICS) + 16
};

static inline size_t sd_starts_bytes(const sd_starts *starts) {
  return 8 * (1 + starts->count * (1 + starts->width));
}
static inline size_t sd_series_bytes(const sd_series *series, size_t samples) {
  return 8 * ((samples + series->asked) * sd_series_numbers(series) + 2);
}
static inline size_t sd_state_bytes(const sd_states *states) {
  return 8 * (1 + states->numbers);
}

/* The samples so far, and the witness of the next one. */
static inline size_t sd_seen_bytes(const sd_point_rows *seen) {
  size_t numbers = seen->each > 1 ? 3 : 1;
  return 8 * seen->points * (numbers * seen->done + seen->done + 1);
}

/* Of an array of a share, the numbers that are there. */
static inline size_t sd_share_there(const sd_share_array *a, size_t samples, int done) {
  if (a->of == SD_SHARE_AT_END) return done ? sd_share_numbers(a) : 0;
  return sd_share_numbers(a) / a->shape[0] * (samples + (a->of == SD_SHARE_BEFORE_SAMPLES));
}
static inline size_t sd_share_bytes(const sd_share *share, size_t samples, int done) {
  sd_share_array a;
  size_t count = 0;
  for (size_t i = 0; sd_share_at(share, i, &a); i++) count += sd_share_there(&a, samples, done);
  return 8 * count;
}

void sd_put_share(unsigned char **to, const sd_share *share, size_t samples, int done);
void sd_get_share(const unsigned char **from, const sd_share *share, size_t samples, int done);
void sd_put_starts(unsigned char **to, const sd_starts *starts);
/* All of a block, into a plan that has none. */
sd_status sd_get_starts(const unsigned char *from, size_t size, sd_plan *plan);
void sd_put_until(unsigned char **to, const sd_until *until);
int sd_get_until(const unsigned char **from, sd_until *until);
void sd_put_position(unsigned char **to, const sd_position *at);
int sd_get_position(const unsigned char **from, const sd_specification *spec, sd_position *at);
void sd_put_summary(unsigned char **to, const sd_summary *summary);
int sd_get_summary(const unsigned char **from, const sd_specification *spec, size_t method, sd_summary *summary);
void sd_put_series(unsigned char **to, const sd_series *series);
/* As many samples as it counts. */
int sd_get_series(const unsigned char **from, const sd_specification *spec, sd_series *series);
void sd_put_point(unsigned char **to, const sd_point *point);
int sd_get_point(const unsigned char **from, const sd_specification *spec, sd_point *point);
/* As many samples as are done. */
void sd_put_seen(unsigned char **to, const sd_point_rows *seen);
void sd_get_seen(const unsigned char **from, const sd_point_rows *seen);
void sd_put_state(unsigned char **to, const sd_states *states, size_t index);
int sd_get_state(const unsigned char **from, const sd_states *states, size_t index);

#endif
