/* hdf5_topology.h - what the bodies of a system are, and what binds them, in an HDF5 file. */
#ifndef SD_HDF5_TOPOLOGY_H
#define SD_HDF5_TOPOLOGY_H

#include "hdf5_put.h"
#include "topology.h"

/* A group `topology`: of bodies species, mass, diameter, inertia; of bonds the two bodies, as H5MD's connectivity has
 * them, length at rest and stiffness. */
void sd_hdf5_put_topology(sd_hdf5_writer *w, hid_t run, const sd_topology *topology);

#endif
