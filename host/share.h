/* share.h - what a run keeps for whoever merges it with others: the part of a larger ensemble that its members are.
 *
 * The spread and the quantiles of a row of samples are those of all members together, and nothing less than the row
 * says what this part has to do with them, nor what less than the states do with their covariance; of what enters by
 * its mean or its largest alone, sums of blocks (reduce.h) do.  So a run and another that begins where it ends, at a
 * block of the whole, are together what one run is, to the bit.
 *
 * Points of a sweep are ensembles of their own: of these, what came of each and its digest are all there is to it. */
#ifndef SD_SHARE_H
#define SD_SHARE_H

#include "digest.h"
#include "part.h"
#include "specification.h"

enum { SD_SHARE_SUM, SD_SHARE_COUNT, SD_SHARE_LARGEST, SD_SHARE_NUMBERS };

typedef struct {
  size_t members, blocks;
  size_t samples;    /* that there is room for, */
  size_t quantities; /* of each: the witness before it, and the ledger's */
  size_t numbers;    /* of a state, where moments are kept */
  double *row;       /* [sample][member]: E - E0 */
  double *state;     /* [sample][number][member] */
  double *partial;   /* [sample][quantity][block][SD_SHARE_NUMBERS] */
  double *account;   /* [slot][member], at the end */
  size_t *digest;    /* [block][2], at the end, as words */
  int fd;            /* rows and states that were left in a file are there: */
  uint64_t row_at, state_at;
} sd_share;

/* With nothing in it but room; and not even that where nothing is to be merged, or in a sweep. */
sd_status sd_share_create(sd_share *share, const sd_specification *spec, const sd_series *series, sd_error *error);
/* The same without rows and states, which stay in a file. */
sd_status sd_share_create_without_rows(sd_share *share, const sd_specification *spec, const sd_series *series,
                                       sd_error *error);
void sd_share_destroy(sd_share *share);

/* Those of a sample, from wherever they are: E - E0, or number k of the states.  0 if they can be read. */
int sd_share_row(const sd_share *share, size_t sample, double *to);
int sd_share_states(const sd_share *share, size_t sample, size_t k, double *to);

/* A row of the parts is sample `sample`, or the first one of its states, or the quantity of it. */
sd_status sd_share_take(const sd_share *share, const sd_parts *parts, size_t row, size_t sample, sd_error *error);
sd_status sd_share_take_states(const sd_share *share, const sd_parts *parts, size_t row, size_t sample,
                               sd_error *error);
sd_status sd_share_take_quantity(const sd_share *share, const sd_parts *parts, size_t row, size_t sample,
                                 size_t quantity, sd_error *error);
/* Accounts and digests of the members as they are in the end. */
sd_status sd_share_conclude(const sd_share *share, const sd_ensemble *ensemble, int threads, sd_error *error);

/* The arrays one after the other, for files: 0 after the last.  Those that begin with samples have, of a run in the
 * middle, so many of them; or one more, of which what comes before it is there. */
typedef struct {
  const char *name, *text, *units;
  void *data;
  enum { SD_SHARE_SAMPLES, SD_SHARE_BEFORE_SAMPLES, SD_SHARE_AT_END } of;
  int rank, whole;
  size_t shape[4];
} sd_share_array;
int sd_share_at(const sd_share *share, size_t index, sd_share_array *array);
/* How many there are. */
size_t sd_share_arrays(const sd_specification *spec);

/* Of a member at a sample: E - E0, and the state where moments are kept. */
static inline double sd_shared_numbers(const sd_specification *spec) {
  return 1 + (spec->moments ? sd_coordinates_of(spec->problem->family).numbers : 0);
}

static inline size_t sd_share_numbers(const sd_share_array *a) {
  size_t count = 1;
  for (int i = 0; i < a->rank; i++) count *= a->shape[i];
  return count;
}

#endif
