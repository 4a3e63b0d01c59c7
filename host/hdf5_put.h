/* hdf5_put.h - groups, attributes, datasets and axes of an HDF5 file, with one failure for all: what follows it is
 * without effect, and the caller looks once, at `failed`. */
#ifndef SD_HDF5_PUT_H
#define SD_HDF5_PUT_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int failed;
  uint64_t *place;                 /* in the file, of the arrays of the method at work */
  hid_t rows, columns, components; /* axes of matrices and vectors, for the whole file */
} sd_hdf5_writer;

/* Notes a failure of what HDF5 made or did. */
static inline hid_t sd_hdf5_made(sd_hdf5_writer *w, hid_t id) {
  w->failed |= id < 0;
  return id;
}
static inline void sd_hdf5_done(sd_hdf5_writer *w, herr_t result) {
  w->failed |= result < 0;
}

hid_t sd_hdf5_make_group(sd_hdf5_writer *w, hid_t parent, const char *name);

void sd_hdf5_put_attribute(sd_hdf5_writer *w, hid_t object, const char *name, hid_t type, hsize_t count,
                           const void *value);
void sd_hdf5_put_text(sd_hdf5_writer *w, hid_t object, const char *name, const char *text);
void sd_hdf5_put_texts(sd_hdf5_writer *w, hid_t object, const char *name, hsize_t count, const char *const *texts);
void sd_hdf5_put_real(sd_hdf5_writer *w, hid_t object, const char *name, double value);
void sd_hdf5_put_integer(sd_hdf5_writer *w, hid_t object, const char *name, int64_t value);
void sd_hdf5_put_unsigned(sd_hdf5_writer *w, hid_t object, const char *name, uint64_t value);

enum { SD_HDF5_RANK_MOST = 4 };

typedef struct {
  const char *name;
  hid_t type; /* on disk and in memory */
  int rank;
  hsize_t size[SD_HDF5_RANK_MOST], chunk[SD_HDF5_RANK_MOST]; /* chunk: 0 where the whole axis goes into one */
  const char *units, *description;
  int in_one_piece; /* uncompressed, so that it can be read without HDF5 */
} sd_hdf5_shape;

/* One number, and one number for each of `count`. */
sd_hdf5_shape sd_hdf5_scalar(const char *name, hid_t type, const char *units, const char *description);
sd_hdf5_shape sd_hdf5_column(const char *name, hid_t type, size_t count, const char *units, const char *description);

/* An empty dataset, or one with its values; to be closed by H5Dclose. */
hid_t sd_hdf5_make_dataset(sd_hdf5_writer *w, hid_t group, const sd_hdf5_shape *shape);
hid_t sd_hdf5_put_dataset(sd_hdf5_writer *w, hid_t group, const sd_hdf5_shape *shape, const void *values);

/* Makes the dataset an axis, which others can have along one of their dimensions. */
hid_t sd_hdf5_as_axis(sd_hdf5_writer *w, hid_t dataset, const char *name);
void sd_hdf5_attach(sd_hdf5_writer *w, hid_t dataset, hid_t axis, unsigned dimension);

#endif
