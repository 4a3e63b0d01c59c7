/* output_hdf5.h - results as an HDF5 file that h5py, xarray and HDFView read without us, and back.
 *
 *   /                        attributes: format, spindrift, compiler, flags, digest, complete, created
 *   /h5md                    version, author, creator as H5MD has them
 *   /runs                    attribute count
 *   /runs/R                  attributes: digest, complete, backend, variant, devices, threads
 *   /runs/R/plan             attributes: every setting as a number or a text; `settings`, the lines that repeat the run
 *     param/NAME               the problem's and the methods' parameters
 *     starts/body attitude velocity      starts of single bodies, if there are any
 *   /runs/R/methods/ID       attributes: method, title, doi, verdict, seconds, ...
 *     statistics/NAME          one number each
 *     energy_error/            E - E0 over the ensemble: step, time, value (the mean), deviation, quantile, ...
 *     final/                   body, status, attitude, velocity, energy_error
 *     trajectories/attitude velocity energy_error      each with step, time, body, value
 *
 * Every dataset has the attributes `units` and `description`; axes are dimension scales.  Time series have H5MD's form:
 * a group with step, time, value.  The first 512 bytes vouch for the rest: see seal.h. */
#ifndef SD_OUTPUT_HDF5_H
#define SD_OUTPUT_HDF5_H

#include "safe_file.h"

/* Replaces the file, whole or not at all. */
sd_status sd_results_write_hdf5(const sd_result *const *results, size_t count, const char *path, sd_error *error);
/* The same, and what becomes of the one that was there. */
sd_status sd_results_write_hdf5_as(sd_replacement replacement, const sd_result *const *results, size_t count,
                                   const char *path, sd_error *error);

/* ---- reading back: every function checks the whole file first (input_hdf5.c) ---- */

/* Is every byte as it was written? */
sd_status sd_result_file_verify(const char *path, sd_error *error);
sd_status sd_result_file_runs(const char *path, size_t *count, sd_error *error);
/* Does it have all that its plans ask for? */
sd_status sd_result_file_complete(const char *path, int *complete, sd_error *error);
/* A plan that repeats run `index` (of an incomplete run: the methods that were done), and the digest of that. */
sd_status sd_result_file_plan(const char *path, size_t index, sd_plan **plan, char digest[33], sd_error *error);
/* A summary for people. */
sd_status sd_result_file_info(const char *path, FILE *to, sd_error *error);

#endif
