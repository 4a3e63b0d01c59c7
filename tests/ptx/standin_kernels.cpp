/* The stand-in's kernels: what nvcc's objects register, launches, and the variables of their modules. */
#include "standin_state.h"

namespace standin {

/* The module's variables on a device, made when first needed. */
static const std::vector<uint64_t> &variables_of(Device &d, const Module &module) {
  auto [at, is_new] = d.variables.insert({&module, {}});
  if (!is_new) return at->second;
  for (uint32_t i = 0; i < module.variable_count; i++) {
    const Variable &v = module.variables[i];
    uint64_t address = allocate(d, v.size, v.space);
    unsigned char *host = d.memory[address].host;
    memset(host, 0, v.size);
    if (v.given) memcpy(host, v.init, v.given);
    at->second.push_back(address);
  }
  return at->second;
}

static Found find_function(const void *stub) {
  auto own = state().loaded.find(stub);
  if (own != state().loaded.end()) return own->second;
  auto at = state().functions.find(stub);
  if (at == state().functions.end()) return {nullptr, nullptr};
  Found found = find_kernel(at->second.name, state().capability);
  if (!found.kernel)
    complain("kernel %s was not translated for compute capability %u or less", at->second.name.c_str(),
             state().capability);
  return found;
}

static uint64_t *count_launch(const Found &found, uint64_t threads) {
  std::string name = found.kernel->name;
  const Module *first = state().counted[name].module;
  if (first && first != found.module) name += ".sm_" + std::to_string(found.module->target);
  Counted &c = state().counted[name];
  c.module = found.module;
  c.blocks.resize(found.module->block_count);
  c.launches++;
  c.threads += threads;
  return c.blocks.data();
}

static cudaError_t check_shape(const Kernel &kernel, dim3 grid, dim3 block, size_t shared) {
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!threads || threads > kernel.max_threads || block.z > 64) return cudaErrorInvalidConfiguration;
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) {
    return cudaErrorInvalidConfiguration;
  }
  return kernel.static_shared + shared > MAX_SHARED ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                          cudaStream_t handle) {
  Found found = find_function(stub);
  if (!found.kernel)
    return state().functions.count(stub) ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidDeviceFunction;
  Stream *stream = find_stream(handle);
  if (!stream || stream->device != current_device) return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = check_shape(*found.kernel, grid, block, shared)) return error;
  auto l = std::make_shared<Launch>();
  Device &d = *state().devices[(size_t)stream->device];
  l->kernel = found.kernel;
  l->memory = &d.memory;
  for (int i = 0; i < 3; i++) {
    l->grid[i] = i == 0 ? grid.x : i == 1 ? grid.y : grid.z;
    l->block[i] = i == 0 ? block.x : i == 1 ? block.y : block.z;
  }
  l->dynamic_shared = shared;
  l->parameters.resize(found.kernel->parameter_bytes);
  for (uint32_t i = 0; i < found.kernel->parameter_count; i++) {
    const Parameter &p = found.kernel->parameters[i];
    memcpy(l->parameters.data() + p.offset, arguments[i], p.size);
  }
  enqueue(*stream, [l, found, &d] {
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    l->variables = variables_of(d, *found.module).data();
    l->count = count_launch(found, blocks * l->block[0] * l->block[1] * l->block[2]);
    l->reverse = state().reverse;
    run(*l);
  });
  return cudaSuccess;
}

/* A variable of a module by the address of its shadow on the host. */
cudaError_t find_symbol(const void *symbol, uint64_t &address, size_t &size) {
  auto at = state().variables.find(symbol);
  if (at == state().variables.end()) return cudaErrorInvalidSymbol;
  for (const std::string &kernel : at->second.binary->kernels) {
    const Module *module = find_kernel(kernel, state().capability).module;
    if (!module) continue;
    const std::vector<uint64_t> &addresses = variables_of(*state().devices[(size_t)current_device], *module);
    for (uint32_t i = 0; i < module->variable_count; i++) {
      if (at->second.name != module->variables[i].name) continue;
      address = addresses[i];
      size = module->variables[i].size;
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidSymbol; // also for one that no kernel uses
}

} // namespace standin

using namespace standin;

static thread_local struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

extern "C" cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream) {
  return call(__func__, DEVICE, [&] { return launch(stub, grid, block, arguments, shared, stream); });
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *stub) {
  return call(__func__, DEVICE, [&] {
    const Kernel *kernel = find_function(stub).kernel;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = kernel->static_shared;
    attributes->localSizeBytes = kernel->local_bytes;
    attributes->numRegs = (int)kernel->registers;
    attributes->maxThreadsPerBlock = (int)kernel->max_threads;
    int by_registers = REGISTERS / attributes->numRegs / 32 * 32;
    if (by_registers < attributes->maxThreadsPerBlock) attributes->maxThreadsPerBlock = by_registers;
    attributes->ptxVersion = attributes->binaryVersion = 75;
    attributes->maxDynamicSharedSizeBytes = MAX_SHARED - (int)kernel->static_shared;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads,
                                                                     size_t shared) {
  return call(__func__, DEVICE, [&] {
    const Kernel *kernel = find_function(stub).kernel;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (threads <= 0) return cudaErrorInvalidValue;
    int warps = (threads + 31) / 32;
    size_t bytes = kernel->static_shared + shared;
    int most = 16;
    for (int limit : {MAX_THREADS / (32 * warps), REGISTERS / ((int)kernel->registers * 32 * warps),
                      bytes ? (int)((64 << 10) / bytes) : most}) {
      if (limit < most) most = limit;
    }
    *blocks = most;
    return cudaSuccess;
  });
}

/* ---- called by the code that nvcc generates ---- */

extern "C" {

void **__cudaRegisterFatBinary(void *) {
  return reinterpret_cast<void **>(new Binary); // as long as the process
}

void __cudaRegisterFatBinaryEnd(void **) {
}
void __cudaUnregisterFatBinary(void **) {
}
char __cudaInitModule(void **) {
  return 1;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *, const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
  Lock lock(state().lock);
  Binary *binary = reinterpret_cast<Binary *>(handle);
  binary->kernels.push_back(name);
  state().functions[stub] = {binary, name};
}

void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t, int, int) {
  Lock lock(state().lock);
  state().variables[host] = {reinterpret_cast<Binary *>(handle), name};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<cudaStream_t *>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments, shared, stream);
}

} // extern "C"
