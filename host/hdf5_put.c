#include "hdf5_put.h"

#include <hdf5_hl.h>

hid_t sd_hdf5_make_group(sd_hdf5_writer *w, hid_t parent, const char *name) {
  return sd_hdf5_made(w, H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void sd_hdf5_put_attribute(sd_hdf5_writer *w, hid_t object, const char *name, hid_t type, hsize_t count,
                           const void *value) {
  hid_t space = sd_hdf5_made(w, count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL));
  hid_t attribute = sd_hdf5_made(w, H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  sd_hdf5_done(w, H5Awrite(attribute, type, value));
  H5Aclose(attribute);
  H5Sclose(space);
}

/* Of variable length: Python has no other way to tell text from bytes. */
void sd_hdf5_put_texts(sd_hdf5_writer *w, hid_t object, const char *name, hsize_t count, const char *const *texts) {
  hid_t type = sd_hdf5_made(w, H5Tcopy(H5T_C_S1));
  sd_hdf5_done(w, H5Tset_size(type, H5T_VARIABLE));
  sd_hdf5_done(w, H5Tset_cset(type, H5T_CSET_UTF8));
  sd_hdf5_put_attribute(w, object, name, type, count, texts);
  H5Tclose(type);
}

void sd_hdf5_put_text(sd_hdf5_writer *w, hid_t object, const char *name, const char *text) {
  sd_hdf5_put_texts(w, object, name, 1, &(const char *){text ? text : ""});
}

void sd_hdf5_put_real(sd_hdf5_writer *w, hid_t object, const char *name, double value) {
  sd_hdf5_put_attribute(w, object, name, H5T_NATIVE_DOUBLE, 1, &value);
}

void sd_hdf5_put_integer(sd_hdf5_writer *w, hid_t object, const char *name, int64_t value) {
  sd_hdf5_put_attribute(w, object, name, H5T_NATIVE_INT64, 1, &value);
}

void sd_hdf5_put_unsigned(sd_hdf5_writer *w, hid_t object, const char *name, uint64_t value) {
  sd_hdf5_put_attribute(w, object, name, H5T_NATIVE_UINT64, 1, &value);
}

/* ---- datasets ---- */

enum { WORTH_COMPRESSING = 4096 }; /* bytes */

sd_hdf5_shape sd_hdf5_scalar(const char *name, hid_t type, const char *units, const char *description) {
  return (sd_hdf5_shape){.name = name, .type = type, .units = units, .description = description};
}

sd_hdf5_shape sd_hdf5_column(const char *name, hid_t type, size_t count, const char *units, const char *description) {
  return (sd_hdf5_shape){name, type, 1, {count}, {4096}, units, description, 0};
}

static hid_t storage_of(sd_hdf5_writer *w, const sd_hdf5_shape *s) {
  hid_t storage = sd_hdf5_made(w, H5Pcreate(H5P_DATASET_CREATE));
  hsize_t chunk[SD_HDF5_RANK_MOST], bytes = H5Tget_size(s->type);
  for (int i = 0; i < s->rank; i++) {
    chunk[i] = s->chunk[i] && s->chunk[i] < s->size[i] ? s->chunk[i] : s->size[i];
    bytes *= s->size[i];
  }
  sd_hdf5_done(w, H5Pset_obj_track_times(storage, 0)); /* the same results make the same bytes */
  if (s->rank && !s->in_one_piece && bytes >= WORTH_COMPRESSING && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    sd_hdf5_done(w, H5Pset_chunk(storage, s->rank, chunk));
    sd_hdf5_done(w, H5Pset_shuffle(storage));
    sd_hdf5_done(w, H5Pset_deflate(storage, 1));
  }
  return storage;
}

hid_t sd_hdf5_make_dataset(sd_hdf5_writer *w, hid_t group, const sd_hdf5_shape *s) {
  hid_t space = sd_hdf5_made(w, s->rank ? H5Screate_simple(s->rank, s->size, NULL) : H5Screate(H5S_SCALAR));
  hid_t storage = storage_of(w, s);
  hid_t dataset = sd_hdf5_made(w, H5Dcreate2(group, s->name, s->type, space, H5P_DEFAULT, storage, H5P_DEFAULT));
  sd_hdf5_put_text(w, dataset, "units", s->units);
  sd_hdf5_put_text(w, dataset, "description", s->description);
  H5Pclose(storage);
  H5Sclose(space);
  return dataset;
}

hid_t sd_hdf5_put_dataset(sd_hdf5_writer *w, hid_t group, const sd_hdf5_shape *s, const void *values) {
  hid_t dataset = sd_hdf5_make_dataset(w, group, s);
  sd_hdf5_done(w, H5Dwrite(dataset, s->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  return dataset;
}

hid_t sd_hdf5_as_axis(sd_hdf5_writer *w, hid_t dataset, const char *name) {
  sd_hdf5_done(w, H5DSset_scale(dataset, name));
  return dataset;
}

void sd_hdf5_attach(sd_hdf5_writer *w, hid_t dataset, hid_t axis, unsigned dimension) {
  sd_hdf5_done(w, H5DSattach_scale(dataset, axis, dimension));
}
