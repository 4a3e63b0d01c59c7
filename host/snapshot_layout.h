/* snapshot_layout.h - what the blocks of a checkpoint are made of: words and reals (words.h) in this order, no padding.
 *
 *   start      body, family, first half of the state (4 reals), second half (3)
 *   position   methods done, steps done of the next, seconds spent on it (real)
 *   summary    digest (32 characters), failed members, verdict, seconds, ns per body and step, statistics (reals, as
 * listed) sample     its quantities as listed in spindrift_statistics.def: whole numbers as words, others as reals
 *   state      body, status, numbers as the family exports them (12 reals), E - E0 (real)
 *
 * Reading checks every number that something else depends on against the plan, and returns whether it fits. */
#ifndef SD_SNAPSHOT_LAYOUT_H
#define SD_SNAPSHOT_LAYOUT_H

#include "run.h"
#include "snapshot.h"
#include "statistics_list.h"

enum {
  SD_START_BYTES = 8 * (2 + 4 + 3),
  SD_POSITION_BYTES = 8 * 3,
  SD_SUMMARY_BYTES = 32 + 8 * (4 + SD_STATISTICS),
  SD_SAMPLE_BYTES = 8 * SD_SAMPLE_NUMBERS,
  SD_STATE_BYTES = 8 * (2 + SD_NUMBERS + 1)
};

void sd_put_start(unsigned char **to, const sd_start *start);
int sd_get_start(const unsigned char **from, sd_start *start);
void sd_put_position(unsigned char **to, const sd_position *at);
int sd_get_position(const unsigned char **from, const sd_plan *plan, sd_position *at);
void sd_put_summary(unsigned char **to, const sd_summary *summary);
int sd_get_summary(const unsigned char **from, const sd_plan *plan, size_t method, sd_summary *summary);
void sd_put_sample(unsigned char **to, const sd_sample *sample);
int sd_get_sample(const unsigned char **from, const sd_plan *plan, sd_sample *sample);
void sd_put_state(unsigned char **to, const sd_final *state);
int sd_get_state(const unsigned char **from, const sd_plan *plan, size_t body, sd_final *state);

#endif
