/* backend.c - which backend a place is. */
#include "backend.h"

#include <math.h>
#include <string.h>

#if !SPINDRIFT_CUDA
size_t sd_devices(sd_device *devices, size_t room, char why[256]) {
  (void)devices, (void)room;
  snprintf(why, 256, "this build has no CUDA backend (configure with -DSPINDRIFT_CUDA=ON)");
  return 0;
}
double sd_device_peak(int device) {
  (void)device;
  return NAN;
}
static sd_status sd_backend_cuda_create(sd_backend **backend, const sd_place *place, sd_error *error) {
  (void)backend, (void)place;
  char why[256];
  sd_devices(NULL, 0, why);
  return sd_fail(error, SD_BAD_INPUT, "backend cuda: %s", why);
}
#endif

sd_status sd_backend_create(sd_backend **backend, const sd_place *place, char why[256], sd_error *error) {
  char missing[256];
  why[0] = 0;
  if (!strcmp(place->backend, "cpu")) return sd_backend_cpu_create(backend, place, error);
  if (!strcmp(place->backend, "cuda")) return sd_backend_cuda_create(backend, place, error);
  size_t devices = sd_devices(NULL, 0, missing);
  snprintf(why, 256, "backend auto: %s%.220s", devices ? "cuda, there is a device" : "cpu, ", devices ? "" : missing);
  return devices ? sd_backend_cuda_create(backend, place, error) : sd_backend_cpu_create(backend, place, error);
}
