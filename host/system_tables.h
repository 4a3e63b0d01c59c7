/* system_tables.h - a system in HDF5, as the text that says the same (system_text.h).
 *
 *   bodies/position   N x 3, and of the other datasets a row for each body, or one for all:
 *   bodies/velocity 3, quaternion 4 (w, x, y, z), omega 3 (body frame), mass, inertia 3, diameter, points P x 4
 *   bonds/pair        M x 2, bodies from 0 on; and
 *   bonds/stiffness   3 (bending, axial, shear); NaN: the parameters'
 *   attributes        the problem's parameters, a row for each where there are several of a name
 *
 * Bodies with the same mass, inertia, diameter and points are of one species, whose name says where it is first met. */
#ifndef SD_SYSTEM_TABLES_H
#define SD_SYSTEM_TABLES_H

#include "document.h"

/* A system's text from a file: as it is, or made of HDF5's datasets. */
sd_status sd_system_read(const char *path, sd_document **made, sd_error *error);

#endif
