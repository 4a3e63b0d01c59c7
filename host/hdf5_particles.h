/* hdf5_particles.h - the trajectories of systems once more, in the places where readers of H5MD (1.1) look for them. */
#ifndef SD_HDF5_PARTICLES_H
#define SD_HDF5_PARTICLES_H

#include "hdf5_put.h"
#include "run.h"

/* /particles/runR.METHOD.memberM: a box without boundaries, the arrays that each body has, and what the bodies are; and
 * /connectivity/runR.METHOD.memberM, the bonds.  No number is there a second time: they are links to the run's, and
 * virtual datasets, which are one member's part of them.  At most so many members of a method have them. */
enum { SD_HDF5_PARTICLES_MOST = 64 };
void sd_hdf5_put_particles(sd_hdf5_writer *w, hid_t file, const sd_result *result, size_t run);

#endif
