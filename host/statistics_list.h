/* statistics_list.h - the lists of spindrift_statistics.def as tables, for all that writes, reads or digests what is in
 * them. */
#ifndef SD_STATISTICS_LIST_H
#define SD_STATISTICS_LIST_H

#include "spindrift.h"

#include "../kernels/catalogue.h"

/* A statistic of a summary. */
typedef struct {
  const char *name;  /* of the dataset in HDF5 */
  const char *place; /* in the JSON, up to the name of the statistic where that is the family's own */
  size_t offset;     /* in sd_summary, of a double */
  const char *units, *description;
} sd_statistic;

enum {
#define STATISTIC(member, place, units, description, reduction) SD_STATISTIC_##member,
#include "spindrift_statistics.def"
  SD_STATISTICS
};

extern const sd_statistic sd_statistics[SD_STATISTICS];

/* The same with what is the family's own filled in; its key in the JSON is then `name`. */
sd_statistic sd_statistic_of(const sd_family *family, int index);

static inline double *sd_statistic_at(sd_summary *summary, int index) {
  return (double *)((char *)summary + sd_statistics[index].offset);
}
static inline double sd_statistic_value(const sd_summary *summary, int index) {
  return *(const double *)((const char *)summary + sd_statistics[index].offset);
}

/* A column of the table of members; what is the family's own is filled in. */
typedef struct {
  const char *name, *units, *description;
} sd_column;

enum {
#define COLUMN(name, units, description, reduction) SD_COLUMN_##name,
#include "spindrift_statistics.def"
  SD_COLUMNS
};
sd_column sd_column_of(const sd_family *family, int index);

/* A quantity of a sample: a whole number, a real, or the quantiles. */
typedef struct {
  const char *id;   /* the member of sd_sample */
  const char *key;  /* in the JSON; NULL for the quantiles, which have one each */
  const char *name; /* of the dataset in HDF5 */
  size_t offset;    /* in sd_sample, of a size_t or of doubles */
  int count, whole;
  const char *units, *description;
} sd_sample_quantity;

enum {
#define SAMPLE_WHOLE(member, name, units, description) SD_SAMPLE_##member,
#define SAMPLE_REAL(member, name, units, description) SD_SAMPLE_##member,
#define SAMPLE_QUANTILES(member, name, units, description) SD_SAMPLE_##member,
#include "spindrift_statistics.def"
  SD_SAMPLE_QUANTITIES
};

enum { /* numbers of a sample, each quantile counted */
       SD_SAMPLE_NUMBERS = 0
#define SAMPLE_WHOLE(member, name, units, description) +1
#define SAMPLE_REAL(member, name, units, description) +1
#define SAMPLE_QUANTILES(member, name, units, description) +SD_QUANTILES
#include "spindrift_statistics.def"
};

extern const sd_sample_quantity sd_sample_quantities[SD_SAMPLE_QUANTITIES];
extern const double sd_quantile_levels[SD_QUANTILES];
extern const char *const sd_quantile_keys[SD_QUANTILES]; /* in the JSON */

static inline const void *sd_sample_at(const sd_sample *sample, const sd_sample_quantity *q) {
  return (const char *)sample + q->offset;
}

#endif
