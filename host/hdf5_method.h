/* hdf5_method.h - what one method of a run leaves, as a group of a result file: statistics, series, moments, states,
 * trajectories, the points of a sweep. */
#ifndef SD_HDF5_METHOD_H
#define SD_HDF5_METHOD_H

#include "hdf5_put.h"
#include "run.h"

enum { SD_HDF5_AXIS = 3 }; /* of vectors and matrices in space */

/* Notes where its arrays come to lie, and goes on to the places of the next method's. */
void sd_hdf5_put_method(sd_hdf5_writer *w, hid_t methods, const sd_result *result, size_t method);

#endif
