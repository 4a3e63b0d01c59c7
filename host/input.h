/* input.h - numbers that a user gives in an HDF5 file.
 *
 * HDF5 follows the addresses and lengths of a damaged file further than is good for the process.  So it reads in a
 * process of its own (hdf5_input.c), which hands over what it found; if that one crashes, or does not come to an end,
 * the file is refused as any other that is damaged.  What is read are datasets and attributes of numbers, as doubles,
 * and of this one file. */
#ifndef SD_INPUT_H
#define SD_INPUT_H

#include "status.h"

enum { SD_INPUT_RANK = 3, SD_INPUT_NAME = 128 };

typedef struct {
  const char *name; /* "mass"; of a group "bodies/mass"; of an attribute "@mass" */
  int rank;
  size_t size[SD_INPUT_RANK];
  const double *number;
} sd_input_array;

typedef struct {
  sd_input_array *array; /* those of one group in the order of their names */
  size_t count;
  void *bytes; /* where their names and numbers are */
} sd_input;

/* What to look for: the datasets of the group `starts`, or without one those of the root; or those of the groups
 * `bodies` and `bonds`, and the attributes of the root that are no text. */
typedef enum { SD_INPUT_STARTS, SD_INPUT_SYSTEM } sd_input_kind;

/* By its bytes, whatever its name is; what cannot be read is none. */
int sd_is_hdf5(const char *path);
/* SD_BAD_INPUT also where the library was built without HDF5. */
sd_status sd_input_read(const char *path, sd_input_kind kind, sd_input *input, sd_error *error);
void sd_input_destroy(sd_input *input);

/* Of the name, or NULL. */
const sd_input_array *sd_input_find(const sd_input *input, const char *name);
/* How many numbers there are in all, and in each row, which is what the first axis counts. */
size_t sd_input_numbers(const sd_input_array *array);
size_t sd_input_width(const sd_input_array *array);
/* Its shape for a message: 4 x 3. */
const char *sd_input_shape(const sd_input_array *array, char text[72]);
/* What an array is called in messages: "dataset bodies/mass". */
const char *sd_input_called(const sd_input_array *array, char text[SD_INPUT_NAME + 16]);

#endif
