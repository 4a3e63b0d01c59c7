/* snapshot_layout.h - what the blocks of a checkpoint are made of: words and reals (words.h) in this order, no padding.
 *
 *   start      body, family, first half of the state (4 reals), second half (3)
 *   position   methods done, steps done of the next, seconds spent on it (real)
 *   summary    digest (32 characters), failed bodies, verdict, statistics (19 reals)
 *   point      time (real), bodies, mean, deviation, lowest, highest, quantiles (5)
 *   state      body, status, numbers as the family exports them (12 reals), E - E0 (real)
 *
 * Reading checks every number that something else depends on against the plan, and returns whether it fits. */
#ifndef SD_SNAPSHOT_LAYOUT_H
#define SD_SNAPSHOT_LAYOUT_H

#include "run.h"
#include "snapshot.h"

enum {
  SD_SUMMARY_REALS = 19,
  SD_START_BYTES = 8 * (2 + 4 + 3),
  SD_POSITION_BYTES = 8 * 3,
  SD_SUMMARY_BYTES = 32 + 8 * (2 + SD_SUMMARY_REALS),
  SD_POINT_BYTES = 8 * (6 + SD_QUANTILES),
  SD_STATE_BYTES = 8 * (2 + SD_NUMBERS + 1)
};

void sd_put_start(unsigned char **to, const sd_start *start);
int sd_get_start(const unsigned char **from, sd_start *start);
void sd_put_position(unsigned char **to, const sd_position *at);
int sd_get_position(const unsigned char **from, const sd_plan *plan, sd_position *at);
void sd_put_summary(unsigned char **to, const sd_summary *summary);
int sd_get_summary(const unsigned char **from, const sd_plan *plan, size_t method, sd_summary *summary);
void sd_put_point(unsigned char **to, const sd_point *point);
int sd_get_point(const unsigned char **from, const sd_plan *plan, sd_point *point);
void sd_put_state(unsigned char **to, const sd_final *state);
int sd_get_state(const unsigned char **from, const sd_plan *plan, size_t body, sd_final *state);

#endif
