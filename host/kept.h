/* kept.h - the arrays of numbers that a result keeps of a method, in one list: the quantities of its samples, final
 * states, trajectories.  HDF5 has a dataset for each, the record of a result file its place, and users a view. */
#ifndef SD_KEPT_H
#define SD_KEPT_H

#include "run.h"

enum { SD_KEPT_RANK_MOST = 4 };

/* Rows of `width` numbers that lie together, one row `stride` numbers after the other. */
typedef struct {
  size_t index;  /* in the list */
  char path[64]; /* of the dataset, in the group of the method */
  enum { SD_KEPT_REALS, SD_KEPT_WHOLES, SD_KEPT_BYTES } kind;
  const char *id, *name, *units, *text;
  void *data;
  size_t rows, width, stride;
  int rank, outer; /* axes, and those of them that count rows; the others are of the numbers in a row */
  size_t shape[SD_KEPT_RANK_MOST];
  int any;      /* whole numbers, or bytes, that count nothing: none is wrong */
  int per_body; /* the axis after the outer ones counts the bodies of a member */
} sd_kept;

/* The list begins with the quantities of a sample, SD_SAMPLE_QUANTITIES of them, unless the run is a sweep; then come,
 * if there are any, those of the ledger, moments of the state, status and states at the end, trajectories, what came of
 * the points of a sweep, and of every member; logs, moments at given times, and what merging needs.  0 after the last.
 */
int sd_kept_at(const sd_result *result, size_t method, size_t index, sd_kept *array);
/* The places of the first moments, of the first array of final states, their status, and of trajectories. */
size_t sd_kept_moments(const sd_result *result);
size_t sd_kept_finals(const sd_result *result);
size_t sd_kept_trajectories(const sd_result *result);
size_t sd_kept_points(const sd_result *result);
/* That of the statuses in the table of members, after which its columns come; and of what merging needs. */
size_t sd_kept_logs(const sd_result *result);
size_t sd_kept_asked(const sd_result *result); /* moments at given times */
size_t sd_kept_table(const sd_result *result);
size_t sd_kept_shares(const sd_result *result);
/* How many there are. */
size_t sd_kept_count(const sd_result *result);

/* Array `index` of states: the family's, then the energy error; 0 after that.  Those of a trajectory have an axis for
 * the samples. */
int sd_kept_states(const sd_states *states, const sd_family *family, size_t index, int trajectory, sd_kept *array);

static inline size_t sd_kept_bytes(const sd_kept *a) { /* in a file */
  return a->rows * a->width * (a->kind == SD_KEPT_BYTES ? 1 : 8);
}

/* SD_BAD_INPUT for a view that has no room for it. */
sd_status sd_kept_view(const sd_kept *array, sd_view *view);

#endif
