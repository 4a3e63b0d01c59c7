/* cuda_calls.h - calls of the CUDA runtime.  Every call's status is looked at: a failure names the device, the call and
 * why. */
#ifndef SD_CUDA_CALLS_H
#define SD_CUDA_CALLS_H

#include "status.h"

#include <cuda_runtime_api.h>

sd_status sd_cuda_failed(sd_error *error, int device, const char *call, cudaError_t code);

#define CUDA(device, call)                                         \
  do {                                                             \
    cudaError_t code_ = (call);                                    \
    if (code_) return sd_cuda_failed(error, device, #call, code_); \
  } while (0)

#endif
