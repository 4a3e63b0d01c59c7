/* starts.h - starts of their own that some members have: as many numbers each as the family's start arrays. */
#ifndef SD_STARTS_H
#define SD_STARTS_H

#include "status.h"

typedef struct {
  size_t count, room, width;
  size_t *member;
  double *number; /* [count][width] */
} sd_starts;

/* Of the members first .. first + count - 1, as wide as those that are there, if any; SD_NO_MEMORY leaves these. */
sd_status sd_starts_add(sd_starts *starts, size_t first, size_t count, const double *numbers, size_t width);
/* Those of one member alone, which is then member 0. */
void sd_starts_single_out(sd_starts *starts, size_t member);
/* Into nothing; SD_NO_MEMORY leaves nothing. */
sd_status sd_starts_copy(sd_starts *to, const sd_starts *from);
int sd_starts_equal(const sd_starts *one, const sd_starts *other);
void sd_starts_destroy(sd_starts *starts);

#endif
