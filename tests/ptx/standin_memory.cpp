/* The stand-in's memory: of devices, pinned, registered; copies are checked as to place and direction. */
#include "standin_state.h"

namespace standin {

static bool is_device_address(const void *p) {
  return (uintptr_t)p >= DEVICE_STRIDE;
}

static size_t device_of(const void *p) {
  return (size_t)((uintptr_t)p / DEVICE_STRIDE) - 1;
}

static size_t rounded(size_t bytes) {
  return (bytes + ALLOCATION_UNIT - 1) / ALLOCATION_UNIT * ALLOCATION_UNIT;
}

/* Gives out `bytes` at an address that was never used, followed by a gap. */
uint64_t allocate(Device &d, size_t bytes, Space space) {
  unsigned char *host = static_cast<unsigned char *>(aligned_alloc(256, rounded(bytes)));
  if (!host) return 0;
  fill_poison(host, bytes);
  uint64_t &next = space == CONST ? d.next_constant : d.next_address;
  uint64_t base = next;
  next += rounded(bytes) + 4096;
  d.memory[base] = {base, bytes, host};
  return base;
}

static void release(Device &d, uint64_t base) {
  free(d.memory[base].host);
  d.memory.erase(base);
}

/* Where a range is kept in this process, or null if it is not within one allocation. */
static unsigned char *resolve(const void *p, size_t bytes) {
  if (!is_device_address(p)) return static_cast<unsigned char *>(const_cast<void *>(p));
  if (device_of(p) >= state().devices.size()) return nullptr;
  const Span *span = find_span(state().devices[device_of(p)]->memory, (uint64_t)(uintptr_t)p, bytes);
  return span ? span->host + ((uintptr_t)p - span->base) : nullptr;
}

static const std::pair<const uintptr_t, size_t> *find_range(const std::map<uintptr_t, size_t> &ranges, const void *p) {
  auto after = ranges.upper_bound((uintptr_t)p);
  if (after == ranges.begin()) return nullptr;
  auto &range = *std::prev(after);
  return (uintptr_t)p - range.first < range.second ? &range : nullptr;
}

/* Host memory that a device can copy from and to by itself; sets `outside` if the range runs over its end. */
static bool is_pinned(const void *p, size_t bytes, bool &outside) {
  auto *range = find_range(state().pinned, p);
  if (!range) range = find_range(state().registered, p);
  if (!range) return false;
  outside = (uintptr_t)p - range->first + bytes > range->second;
  return true;
}

/* A copy of `rows` rows of `width` bytes. */
struct Copy {
  void *to;
  size_t to_pitch;
  const void *from;
  size_t from_pitch, width, rows;

  size_t to_bytes() const {
    return to_pitch * (rows - 1) + width;
  }
  size_t from_bytes() const {
    return from_pitch * (rows - 1) + width;
  }

  void perform() const {
    unsigned char *t = resolve(to, to_bytes()), *f = resolve(from, from_bytes());
    if (!t || !f) throw Fault{Fault::ILLEGAL_ADDRESS, "a copy whose memory is gone"};
    for (size_t i = 0; i < rows; i++) memcpy(t + i * to_pitch, f + i * from_pitch, width);
  }
};

static bool direction_fits(const Copy &copy, cudaMemcpyKind kind) {
  bool to = is_device_address(copy.to), from = is_device_address(copy.from);
  switch (kind) {
  case cudaMemcpyHostToHost: return !to && !from;
  case cudaMemcpyHostToDevice: return to && !from;
  case cudaMemcpyDeviceToHost: return !to && from;
  case cudaMemcpyDeviceToDevice: return to && from;
  case cudaMemcpyDefault: return true;
  default: return false;
  }
}

static cudaError_t check_copy(const Copy &copy, cudaMemcpyKind kind) {
  if (copy.width > copy.to_pitch || copy.width > copy.from_pitch) return cudaErrorInvalidPitchValue;
  bool outside = false;
  if (!copy.to || !copy.from || !direction_fits(copy, kind)) {
    complain("copy %p <- %p: not in direction %d", copy.to, copy.from, (int)kind);
    return cudaErrorInvalidValue;
  }
  bool bad = !resolve(copy.to, copy.to_bytes()) || !resolve(copy.from, copy.from_bytes());
  is_pinned(copy.to, copy.to_bytes(), outside);
  bad = bad || outside;
  is_pinned(copy.from, copy.from_bytes(), outside);
  if (!bad && !outside) return cudaSuccess;
  complain("copy %p <- %p, %zu rows of %zu bytes: outside of an allocation", copy.to, copy.from, copy.rows, copy.width);
  return cudaErrorInvalidValue;
}

/* From pageable memory the bytes are taken at once, to pageable memory the call waits: as the runtime documents it. */
static cudaError_t copy_async(Copy copy, cudaMemcpyKind kind, cudaStream_t handle) {
  Stream *stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = device_error(stream->device)) return error;
  if (copy.width == 0 || copy.rows == 0) return cudaSuccess;
  if (cudaError_t error = check_copy(copy, kind)) return error;
  bool outside;
  bool from_pageable = !is_device_address(copy.from) && !is_pinned(copy.from, 1, outside);
  bool to_pageable = !is_device_address(copy.to) && !is_pinned(copy.to, 1, outside);
  if (from_pageable || to_pageable) state().pageable_copies++;
  auto taken = std::make_shared<std::vector<unsigned char>>();
  if (from_pageable) {
    taken->resize(copy.width * copy.rows);
    Copy{taken->data(), copy.width, copy.from, copy.from_pitch, copy.width, copy.rows}.perform();
    copy.from = taken->data();
    copy.from_pitch = copy.width;
  }
  Op op = enqueue(*stream, [copy, taken] { copy.perform(); });
  if (!to_pageable) return cudaSuccess;
  force(op);
  return device_error(stream->device);
}

static cudaError_t copy_now(const Copy &copy, cudaMemcpyKind kind) {
  Stream &stream = *find_stream(nullptr);
  if (copy.width == 0 || copy.rows == 0) return cudaSuccess;
  if (cudaError_t error = check_copy(copy, kind)) return error;
  force(enqueue(stream, [copy] { copy.perform(); }));
  return device_error(stream.device);
}

static cudaError_t set_async(void *to, int value, size_t bytes, cudaStream_t handle) {
  Stream *stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = device_error(stream->device)) return error;
  if (bytes == 0) return cudaSuccess;
  if (!is_device_address(to) || !resolve(to, bytes)) {
    complain("memset %p, %zu bytes: outside of an allocation", to, bytes);
    return cudaErrorInvalidValue;
  }
  enqueue(*stream, [=] { memset(resolve(to, bytes), value, bytes); });
  return cudaSuccess;
}

static cudaError_t pin(void **p, size_t bytes) {
  if (!p) return cudaErrorInvalidValue;
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  *p = malloc(bytes);
  if (!*p) return cudaErrorMemoryAllocation;
  fill_poison(static_cast<unsigned char *>(*p), bytes);
  state().pinned[(uintptr_t)*p] = bytes;
  return cudaSuccess;
}

} // namespace standin

using namespace standin;

extern "C" cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  return call(__func__, DEVICE, [&] {
    size_t used = state().devices[(size_t)current_device]->used;
    *total = state().memory;
    *free_bytes = used < *total ? *total - used : 0;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMalloc(void **p, size_t bytes) {
  return call(__func__, DEVICE, [&] {
    if (!p) return cudaErrorInvalidValue;
    *p = nullptr;
    Device &d = *state().devices[(size_t)current_device];
    if (bytes == 0) return cudaSuccess;
    if (bytes > state().memory || rounded(bytes) > state().memory - d.used) return cudaErrorMemoryAllocation;
    uint64_t base = allocate(d, bytes, GLOBAL);
    if (!base) return cudaErrorMemoryAllocation;
    d.allocations[base] = true;
    d.used += rounded(bytes);
    *p = reinterpret_cast<void *>(base);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaFree(void *p) {
  return call(__func__, RELEASE, [&] {
    if (!p) return cudaSuccess;
    if (!is_device_address(p) || device_of(p) >= state().devices.size()) return cudaErrorInvalidValue;
    Device &d = *state().devices[device_of(p)];
    force_all(); // another device's stream may use it as well
    auto at = d.allocations.find((uintptr_t)p);
    if (at == d.allocations.end()) return cudaErrorInvalidValue;
    d.used -= rounded(d.memory[at->first].size);
    release(d, at->first);
    d.allocations.erase(at);
    return device_error((int)device_of(p));
  });
}

extern "C" cudaError_t cudaMallocHost(void **p, size_t bytes) {
  return call(__func__, DEVICE, [&] { return pin(p, bytes); });
}

extern "C" cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned) {
  return call(__func__, DEVICE, [&] { return pin(p, bytes); });
}

extern "C" cudaError_t cudaFreeHost(void *p) {
  return call(__func__, RELEASE, [&] {
    if (!p) return cudaSuccess;
    force_all();
    if (!state().pinned.erase((uintptr_t)p)) return cudaErrorInvalidValue;
    free(p);
    return device_error(current_device);
  });
}

extern "C" cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned) {
  return call(__func__, DEVICE, [&] {
    if (!p || !bytes || is_device_address(p)) return cudaErrorInvalidValue;
    const char *last = static_cast<const char *>(p) + bytes - 1;
    for (const auto *ranges : {&state().pinned, &state().registered}) {
      auto *range = find_range(*ranges, last);
      if (find_range(*ranges, p) || (range && range->first >= (uintptr_t)p))
        return cudaErrorHostMemoryAlreadyRegistered;
    }
    state().registered[(uintptr_t)p] = bytes;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaHostUnregister(void *p) {
  return call(__func__, RELEASE, [&] {
    force_all();
    if (!state().registered.erase((uintptr_t)p)) return cudaErrorHostMemoryNotRegistered;
    return device_error(current_device);
  });
}

extern "C" cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return call(__func__, DEVICE, [&] { return copy_now({to, bytes, from, bytes, bytes, 1}, kind); });
}

extern "C" cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return call(__func__, DEVICE, [&] { return copy_async({to, bytes, from, bytes, bytes, 1}, kind, stream); });
}

extern "C" cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                    size_t rows, cudaMemcpyKind kind) {
  return call(__func__, DEVICE, [&] { return copy_now({to, to_pitch, from, from_pitch, width, rows}, kind); });
}

extern "C" cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                         size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, DEVICE, [&] {
    return copy_async({to, to_pitch, from, from_pitch, width, rows}, kind, stream);
  });
}

extern "C" cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  return call(__func__, DEVICE, [&] { return set_async(to, value, bytes, nullptr); });
}

extern "C" cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return call(__func__, DEVICE, [&] { return set_async(to, value, bytes, stream); });
}

extern "C" cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
  return call(__func__, DEVICE, [&] {
    uint64_t address = 0;
    size_t size;
    cudaError_t error = find_symbol(symbol, address, size);
    *p = reinterpret_cast<void *>(address);
    return error;
  });
}

extern "C" cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                          cudaMemcpyKind kind) {
  return call(__func__, DEVICE, [&] {
    uint64_t address;
    size_t size;
    if (cudaError_t error = find_symbol(symbol, address, size)) return error;
    return copy_now({reinterpret_cast<void *>(address + offset), bytes, from, bytes, bytes, 1}, kind);
  });
}

extern "C" cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind) {
  return call(__func__, DEVICE, [&] {
    uint64_t address;
    size_t size;
    if (cudaError_t error = find_symbol(symbol, address, size)) return error;
    return copy_now({to, bytes, reinterpret_cast<void *>(address + offset), bytes, bytes, 1}, kind);
  });
}
