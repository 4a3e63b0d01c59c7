/* digest.h - one number for all the science of a run: the plan, every member's state and accounts, the time series, the
 * statistics.  Timing, machine and backend do not enter, nor how many final states were asked for.
 *
 * Members are digested by blocks (reduce.h), each by XXH3-128 over its slots, one after the other: states, then
 * accounts.  Blocks are joined along the binary tree that sums follow: the digest of two is XXH3-128 over the left one
 * and the right one.  So threads, devices and ranks can each digest the blocks that they have, and nobody can tell
 * from the root how the ensemble was cut.  The digest of a method is XXH3-128 over the plan's numbers, the root, the
 * series and the statistics.  Numbers are little-endian words of 64 bits, reals as IEEE 754 has them, with one NaN for
 * all; lists begin with how many they have, texts end with a zero. */
#ifndef SD_DIGEST_H
#define SD_DIGEST_H

#include "ensemble.h"
#include "series.h"

typedef struct {
  unsigned char byte[16];
} sd_digest;

typedef struct sd_point sd_point; /* points.h */

/* Of the blocks of a part, a range of members that begins at a block of the whole, as an ensemble of its own. */
sd_status sd_digest_blocks(const sd_ensemble *part, int threads, sd_digest *blocks, sd_error *error);
/* The root over all blocks, of which there is at least one. */
sd_digest sd_digest_root(const sd_digest *blocks, size_t count);
/* The two in one, for an ensemble in one piece. */
sd_status sd_digest_members(const sd_ensemble *ensemble, int threads, sd_digest *root, sd_error *error);

/* Of a point of a sweep: its members, and what its summary says. */
sd_status sd_digest_point(const sd_digest *members, const sd_summary *summary, sd_digest *point, sd_error *error);

/* Fills summary->digest from its other members and what they come from. */
sd_status sd_digest_method(const sd_specification *spec, int m, const sd_digest *members, const sd_series *series,
                           sd_summary *summary, sd_error *error);
/* The same of a sweep, whose points are joined along the tree over them. */
sd_status sd_digest_points(const sd_specification *spec, int m, const sd_point *points, sd_summary *summary,
                           sd_error *error);
/* XXH3-128 of bytes as they are. */
void sd_digest_bytes(const void *bytes, size_t size, char text[33]);
/* By sd_digest_join. */
void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]);

#endif
