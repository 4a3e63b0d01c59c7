/* relay.h - all that a backend holds, as one part with one sheet for many rows: what a rank is to the others. */
#ifndef SD_RELAY_H
#define SD_RELAY_H

#include "backend.h"

typedef struct {
  sd_part base;
  sd_series_job sheet;
  const sd_parts *inner; /* of the backend */
  struct {
    sd_question question;
    size_t first, last;
  } asked; /* and not yet answered: whoever asks many has them all at work before it waits for one */
} sd_relay;

/* A sheet for so many rows of `members` members, by blocks; to be freed. */
sd_status sd_sheet_create(sd_series_job *sheet, const sd_coordinates *coordinates, size_t members, size_t block,
                          size_t rows, sd_error *error);
void sd_sheet_destroy(sd_series_job *sheet);

/* Of the members that the backend has loaded, the first of which is `first` of the whole. */
sd_status sd_relay_create(sd_relay *relay, const sd_parts *inner, const sd_coordinates *coordinates, size_t first,
                          size_t block, size_t rows, sd_error *error);
void sd_relay_destroy(sd_relay *relay);

/* What of a sheet is part of a question about rows first .. last-1, or of its answer: arrays one after the other, each
 * a range of bytes; 0 after the last. */
typedef enum { SD_OF_QUESTION, SD_OF_ANSWER } sd_direction;
typedef struct {
  void *bytes;
  size_t size;
} sd_piece;
int sd_sheet_piece(sd_series_job *sheet, sd_question question, sd_direction direction, size_t first, size_t last,
                   size_t index, sd_piece *piece);

#endif
