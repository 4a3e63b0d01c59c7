/* systems_cuda.h - ensembles of systems of many bodies on devices: each has some of the members, a field of them
 * (field_cuda.h), or batch after batch where its memory is too small for all.  Accounts and samples stay with the host.
 */
#ifndef SD_SYSTEMS_CUDA_H
#define SD_SYSTEMS_CUDA_H

#include "backend.h"

typedef struct sd_cuda_systems sd_cuda_systems;

typedef struct {
  const int *device;
  int count;
  unsigned block;
  double memory; /* bytes of each to use; 0: what is free */
} sd_cuda_devices;

/* The backend's parts are filled in. */
sd_status sd_cuda_systems_load(sd_cuda_systems **made, sd_backend *backend, const sd_cuda_devices *devices,
                               const sd_ensemble *ensemble, int64_t rows, sd_error *error);
void sd_cuda_systems_destroy(sd_cuda_systems *systems);

int sd_cuda_systems_devices(const sd_cuda_systems *systems);       /* that have some of it */
uint64_t sd_cuda_systems_rebuilds(const sd_cuda_systems *systems); /* of neighbours' lists, of all members so far */

sd_status sd_cuda_systems_begin(sd_cuda_systems *systems, const sd_job *job, sd_error *error);
sd_status sd_cuda_systems_advance(sd_cuda_systems *systems, const sd_job *job, const sd_control *control,
                                  sd_error *error);
sd_status sd_cuda_systems_export(sd_cuda_systems *systems, const sd_job *job, size_t count, double *exported,
                                 sd_error *error);
sd_status sd_cuda_systems_store(sd_cuda_systems *systems, sd_error *error);

#endif
