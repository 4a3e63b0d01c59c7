/* output_hdf5.h - results as an HDF5 file that h5py, xarray and HDFView read without us.
 *
 *   /                        attributes: format, spindrift, compiler, flags, digest, complete, created
 *   /h5md                    version, author, creator as H5MD has them
 *   /runs                    attribute count
 *   /runs/R                  attributes: digest, complete, backend, variant, devices, threads
 *   /runs/R/plan             attributes: every setting as a number or a text; `settings`, the lines that repeat the run
 *     param/NAME               the problem's and the methods' parameters
 *     starts/body NAME         starts of single members by the family's arrays, if there are any
 *   /runs/R/topology         of systems: species, mass, diameter, inertia of each body; bonds, their lengths and
 *                              stiffnesses
 *   /runs/R/methods/ID       attributes: method, title, doi, verdict, because, seconds, ...
 *     statistics/NAME          one number each
 *     energy_error/            E - E0 over the ensemble: step, time, value (the mean), deviation, quantile, ...
 *     final/                   body, status, the arrays of the family, energy_error
 *     trajectories/NAME        the same arrays, each with step, time, body, value
 *   /particles, /connectivity  of systems: trajectories and bonds as H5MD has them (hdf5_particles.h)
 *
 * Every dataset has the attributes `units` and `description`; axes are dimension scales.  Time series have H5MD's form:
 * a group with step, time, value.  In front of all this stand the first 512 bytes, which vouch for the rest (seal.h),
 * and what we read back ourselves (record.h). */
#ifndef SD_OUTPUT_HDF5_H
#define SD_OUTPUT_HDF5_H

#include "safe_file.h"

/* SD_BAD_INPUT where the library was built without HDF5, to be told before a long run. */
sd_status sd_hdf5_built_in(const char *path, sd_error *error);
/* Replaces the file, whole or not at all. */
sd_status sd_results_write_hdf5(const sd_result *const *results, size_t count, const char *path, sd_error *error);
/* The same, and what becomes of the one that was there. */
sd_status sd_results_write_hdf5_as(sd_replacement replacement, const sd_result *const *results, size_t count,
                                   const char *path, sd_error *error);

#endif
