/* The stand-in's devices: how many there are and what they say of themselves. */
#include "standin_state.h"

using namespace standin;

extern "C" cudaError_t cudaGetDeviceCount(int *count) {
  return call(__func__, NOTHING, [&] {
    if (!count) return cudaErrorInvalidValue;
    *count = state().device_count > 0 ? state().device_count : 0;
    return availability();
  });
}

extern "C" cudaError_t cudaSetDevice(int device) {
  return call(__func__, NOTHING, [&] {
    if (cudaError_t error = availability()) return error;
    if (device < 0 || device >= state().device_count) return cudaErrorInvalidDevice;
    if (state().devices[(size_t)device]->lost) return LOST;
    current_device = device;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetDevice(int *device) {
  return call(__func__, DEVICE, [&] { return *device = current_device, cudaSuccess; });
}

static void fill_properties(cudaDeviceProp &p, int device) {
  memset(&p, 0, sizeof p);
  snprintf(p.name, sizeof p.name, "emulated: PTX on the CPU");
  p.uuid.bytes[15] = (char)device;
  p.totalGlobalMem = state().memory;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = MAX_SHARED;
  p.sharedMemPerMultiprocessor = 64 << 10;
  p.regsPerBlock = p.regsPerMultiprocessor = REGISTERS;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsPerMultiProcessor = MAX_THREADS;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = MAX_THREADS;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 << 10;
  p.major = (int)state().capability / 10;
  p.minor = (int)state().capability % 10;
  p.multiProcessorCount = MULTIPROCESSORS;
  p.maxBlocksPerMultiProcessor = 16;
  p.concurrentKernels = p.unifiedAddressing = p.hostRegisterSupported = 1;
  p.asyncEngineCount = 2;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.pciBusID = device + 1;
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return call("cudaGetDeviceProperties", NOTHING, [&] {
    if (cudaError_t error = availability()) return error;
    if (device < 0 || device >= state().device_count) return cudaErrorInvalidDevice;
    if (state().devices[(size_t)device]->lost) return LOST;
    fill_properties(*properties, device);
    return cudaSuccess;
  });
}

static bool attribute(int &value, cudaDeviceAttr which) {
  static const std::map<int, int> known = {{cudaDevAttrMaxThreadsPerBlock, MAX_THREADS},
                                           {cudaDevAttrMaxBlockDimX, MAX_THREADS},
                                           {cudaDevAttrMaxBlockDimY, MAX_THREADS},
                                           {cudaDevAttrMaxBlockDimZ, 64},
                                           {cudaDevAttrMaxGridDimX, 0x7fffffff},
                                           {cudaDevAttrMaxGridDimY, 65535},
                                           {cudaDevAttrMaxGridDimZ, 65535},
                                           {cudaDevAttrMaxSharedMemoryPerBlock, MAX_SHARED},
                                           {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 64 << 10},
                                           {cudaDevAttrTotalConstantMemory, 64 << 10},
                                           {cudaDevAttrWarpSize, 32},
                                           {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
                                           {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
                                           {cudaDevAttrClockRate, 1000000},
                                           {cudaDevAttrMemoryClockRate, 1000000},
                                           {cudaDevAttrGlobalMemoryBusWidth, 64},
                                           {cudaDevAttrL2CacheSize, 1 << 20},
                                           {cudaDevAttrMultiProcessorCount, MULTIPROCESSORS},
                                           {cudaDevAttrMaxThreadsPerMultiProcessor, MAX_THREADS},
                                           {cudaDevAttrComputeMode, 0},
                                           {cudaDevAttrConcurrentKernels, 1},
                                           {cudaDevAttrEccEnabled, 0},
                                           {cudaDevAttrAsyncEngineCount, 2},
                                           {cudaDevAttrUnifiedAddressing, 1},
                                           {cudaDevAttrIntegrated, 0},
                                           {cudaDevAttrCanMapHostMemory, 0},
                                           {cudaDevAttrManagedMemory, 0},
                                           {cudaDevAttrMemoryPoolsSupported, 0},
                                           {cudaDevAttrHostRegisterSupported, 1},
                                           {cudaDevAttrSingleToDoublePrecisionPerfRatio, 32},
                                           {cudaDevAttrMaxBlocksPerMultiprocessor, 16}};
  int capability = (int)state().capability;
  if (which == cudaDevAttrComputeCapabilityMajor) return value = capability / 10, true;
  if (which == cudaDevAttrComputeCapabilityMinor) return value = capability % 10, true;
  auto at = known.find(which);
  if (at != known.end()) value = at->second;
  return at != known.end();
}

extern "C" cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int device) {
  return call(__func__, NOTHING, [&] {
    if (cudaError_t error = availability()) return error;
    if (device < 0 || device >= state().device_count) return cudaErrorInvalidDevice;
    if (state().devices[(size_t)device]->lost) return LOST;
    return attribute(*value, which) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaDeviceSynchronize(void) {
  return call(__func__, DEVICE, [&] { return force_device(current_device), device_error(current_device); });
}

extern "C" cudaError_t cudaDeviceReset(void) {
  return call(__func__, NOTHING, [&] {
    if (cudaError_t error = availability()) return error;
    if (state().devices[(size_t)current_device]->lost) return LOST;
    force_device(current_device);
    clear_device(current_device);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaRuntimeGetVersion(int *version) {
  return call(__func__, NOTHING, [&] { return *version = CUDART_VERSION, cudaSuccess; });
}

extern "C" cudaError_t cudaDriverGetVersion(int *version) {
  return call(__func__, NOTHING,
              [&] { return *version = state().device_count < 0 ? 11000 : CUDART_VERSION, cudaSuccess; });
}
