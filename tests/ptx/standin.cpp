/* A stand-in for the CUDA runtime: devices are memory of this process, kernels are translated PTX (see device.h).

   It is meant to be harder on its user than a device is. Work in a stream is done as late as possible, memory starts as
   poison, device pointers mean nothing to the host, and every access is checked. One lock is held during each call. */
#include "standin.h"
#include "execute.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using namespace ptx;

namespace {

constexpr cudaError_t LOST = cudaErrorUnknown;
constexpr uint64_t ALLOCATION_UNIT = 512;
constexpr int MAX_THREADS = 1024, MAX_SHARED = 48 << 10, REGISTERS = 65536, MULTIPROCESSORS = 2;

/* One piece of work in a stream. It may run once all it needs has run. */
struct Operation {
  int device = 0;
  bool done = false;
  double finished = 0; // seconds
  std::vector<std::shared_ptr<Operation>> needs;
  std::function<void()> work;
};
using Op = std::shared_ptr<Operation>;

struct Stream {
  int device = 0;
  bool blocking = true; // ordered with the default stream
  Op last;
};

struct Event {
  int device = 0;
  bool timing = true;
  Op recorded;
};

struct Device {
  cudaError_t error = cudaSuccess; // stays until the device is reset
  bool lost = false;
  uint64_t next_address = 0, next_constant = 0;
  size_t used = 0;
  Memory memory;
  std::map<uint64_t, bool> allocations; // those made by cudaMalloc
  std::map<const Module *, std::vector<uint64_t>> variables;
  Stream default_stream;
};

struct Failure {
  std::string function; // empty: any
  long call = 0;        // 0: none
  cudaError_t code = cudaErrorUnknown;
  bool given = false, lost = false;
};

struct Counted {
  uint64_t launches = 0, threads = 0;
  const Module *module = nullptr;
  std::vector<uint64_t> blocks;
};

struct Binary { // what one object file registered
  std::vector<std::string> kernels;
};

struct Symbol {
  Binary *binary;
  std::string name;
};

struct State {
  std::recursive_mutex lock;
  int device_count = 1; // -1: the driver is too old
  size_t memory = 256 << 20;
  bool reverse = false;
  FILE *trace = nullptr;
  std::string count_file;
  Failure failure;
  long calls = 0, pageable_copies = 0;
  uint32_t capability = 75;
  std::map<std::string, long> calls_of;
  std::vector<std::unique_ptr<Device>> devices;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::map<uintptr_t, size_t> pinned, registered;
  std::map<const void *, Symbol> functions, variables;
  std::map<std::string, Counted> counted;

  State();
};

/* Never destroyed: objects of nvcc unregister themselves at exit. */
State &state() {
  static State *s = new State;
  return *s;
}

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

using Lock = std::lock_guard<std::recursive_mutex>;

__attribute__((format(printf, 1, 2))) void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("standin: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

/* ---------------------------------------------------------------------------------------------------------- settings
 */

void make_devices(State &s) {
  s.devices.clear();
  for (int i = 0; i < s.device_count; i++) {
    s.devices.emplace_back(new Device);
    Device &d = *s.devices.back();
    d.next_address = DEVICE_STRIDE * (uint64_t)(i + 1) + (1 << 20);
    d.next_constant = d.next_address + CONST_PART;
    d.default_stream.device = i;
  }
}

bool parse_failure(const char *text, Failure &failure) {
  std::string rest = text;
  if (rest.empty()) return false;
  size_t colon = rest[0] == '#' ? 0 : rest.find(':');
  if (colon == std::string::npos) return false;
  failure.function = rest.substr(0, colon);
  char *end;
  failure.call = strtol(rest.c_str() + colon + 1, &end, 10);
  if (failure.call < 1) return false;
  if (*end == 0) return true;
  if (*end++ != ':') return false;
  failure.given = true;
  failure.lost = strcmp(end, "lost") == 0;
  failure.code = failure.lost ? LOST : (cudaError_t)strtol(end, &end, 10);
  return failure.lost || (*end == 0 && failure.code != cudaSuccess);
}

void write_counts_at_exit();

State::State() {
  const char *text;
  if ((text = getenv("STANDIN_DEVICES"))) device_count = strcmp(text, "driver") == 0 ? -1 : atoi(text);
  if ((text = getenv("STANDIN_MEMORY"))) memory = strtoull(text, nullptr, 10);
  if ((text = getenv("STANDIN_CAPABILITY"))) capability = (uint32_t)atoi(text);
  if ((text = getenv("STANDIN_REVERSE"))) reverse = atoi(text) != 0;
  if ((text = getenv("STANDIN_TRACE")) && !(trace = fopen(text, "w"))) complain("cannot write %s", text);
  if ((text = getenv("STANDIN_COUNT"))) {
    count_file = text;
    atexit(write_counts_at_exit);
  }
  if ((text = getenv("STANDIN_FAIL")) && !parse_failure(text, failure)) {
    complain("STANDIN_FAIL=%s is not understood", text);
    abort();
  }
  make_devices(*this);
}

/* ------------------------------------------------------------------------------------------------------------- calls
 */

enum Needs { NOTHING, DEVICE, RELEASE };

cudaError_t device_error(int device) {
  const Device &d = *state().devices[(size_t)device];
  return d.lost ? LOST : d.error;
}

/* Whether this call is the one that is to fail. */
cudaError_t injected(const char *name) {
  State &s = state();
  const Failure &f = s.failure;
  long number = f.function.empty() ? s.calls : f.function == name ? s.calls_of[name] : 0;
  if (!f.call || number != f.call) return cudaSuccess;
  if (f.lost && current_device < (int)s.devices.size()) s.devices[(size_t)current_device]->lost = true;
  if (f.given) return f.code;
  return strstr(name, "Malloc") || strstr(name, "Alloc") ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

cudaError_t availability() {
  if (state().device_count < 0) return cudaErrorInsufficientDriver;
  return state().device_count == 0 ? cudaErrorNoDevice : cudaSuccess;
}

void trace(const char *name, cudaError_t result) {
  State &s = state();
  if (!s.trace) return;
  fprintf(s.trace, "%ld %s %d %d\n", s.calls, name, current_device, (int)result);
  fflush(s.trace);
}

/* Every entry point goes through here: counting, failure on demand, the device's own errors, and then the work. */
template <class Body> cudaError_t call(const char *name, Needs needs, Body body) {
  State &s = state();
  Lock lock(s.lock);
  if (current_device >= (int)s.devices.size()) current_device = 0; // a test has set another number of devices
  s.calls++;
  s.calls_of[name]++;
  cudaError_t error = injected(name);
  if (!error && needs != NOTHING) error = availability();
  if (!error && needs != NOTHING) error = device_error(current_device);
  if (!error || (needs == RELEASE && !availability())) {
    cudaError_t own = body();
    if (!error) error = own;
  }
  if (error && error != cudaErrorNotReady) last_error = error;
  trace(name, error);
  return error;
}

/* ------------------------------------------------------------------------------------------------------------ streams
 */

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void execute(Operation &op) {
  Device &d = *state().devices[(size_t)op.device];
  if (!d.lost && !d.error && op.work) {
    try {
      op.work();
    } catch (const Fault &fault) {
      complain("%s", fault.message.c_str());
      d.error = fault.reason == Fault::ILLEGAL_ADDRESS ? cudaErrorIllegalAddress
                : fault.reason == Fault::MISALIGNED    ? cudaErrorMisalignedAddress
                                                       : cudaErrorLaunchFailure;
    }
  }
  op.work = nullptr;
  op.needs.clear();
  op.done = true;
  op.finished = seconds();
}

/* Runs an operation and first all that it needs. */
void force(const Op &wanted) {
  if (!wanted || wanted->done) return;
  std::vector<Op> stack{wanted};
  while (!stack.empty()) {
    Op op = stack.back(), missing;
    for (const Op &need : op->needs) {
      if (!need->done) missing = need;
    }
    if (missing) {
      stack.push_back(missing);
    } else {
      if (!op->done) execute(*op);
      stack.pop_back();
    }
  }
}

void need(Operation &op, const Op &earlier) {
  if (earlier && !earlier->done) op.needs.push_back(earlier);
}

/* The default stream waits for all earlier work in blocking streams, and they for its. */
Op enqueue(Stream &stream, std::function<void()> work) {
  State &s = state();
  Op op = std::make_shared<Operation>();
  op->device = stream.device;
  op->work = std::move(work);
  need(*op, stream.last);
  Stream &default_stream = s.devices[(size_t)stream.device]->default_stream;
  if (&stream == &default_stream) {
    for (Stream *other : s.streams) {
      if (other->device == stream.device && other->blocking) need(*op, other->last);
    }
  } else if (stream.blocking) {
    need(*op, default_stream.last);
  }
  stream.last = op;
  return op;
}

void force_device(int device) {
  force(state().devices[(size_t)device]->default_stream.last);
  for (Stream *stream : state().streams) {
    if (stream->device == device) force(stream->last);
  }
}

void force_all() {
  for (int i = 0; i < (int)state().devices.size(); i++) force_device(i);
}

/* The stream behind a handle, or null if there is none. */
Stream *find_stream(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy) return &state().devices[(size_t)current_device]->default_stream;
  Stream *stream = reinterpret_cast<Stream *>(handle);
  return state().streams.count(stream) ? stream : nullptr;
}

Event *find_event(cudaEvent_t handle) {
  Event *event = reinterpret_cast<Event *>(handle);
  return state().events.count(event) ? event : nullptr;
}

/* ------------------------------------------------------------------------------------------------------------- memory
 */

bool is_device_address(const void *p) {
  return (uintptr_t)p >= DEVICE_STRIDE;
}

size_t device_of(const void *p) {
  return (size_t)((uintptr_t)p / DEVICE_STRIDE) - 1;
}

size_t rounded(size_t bytes) {
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

void release(Device &d, uint64_t base) {
  free(d.memory[base].host);
  d.memory.erase(base);
}

/* Where a range is kept in this process, or null if it is not within one allocation. */
unsigned char *resolve(const void *p, size_t bytes) {
  if (!is_device_address(p)) return static_cast<unsigned char *>(const_cast<void *>(p));
  if (device_of(p) >= state().devices.size()) return nullptr;
  const Span *span = find_span(state().devices[device_of(p)]->memory, (uint64_t)(uintptr_t)p, bytes);
  return span ? span->host + ((uintptr_t)p - span->base) : nullptr;
}

const std::pair<const uintptr_t, size_t> *find_range(const std::map<uintptr_t, size_t> &ranges, const void *p) {
  auto after = ranges.upper_bound((uintptr_t)p);
  if (after == ranges.begin()) return nullptr;
  auto &range = *std::prev(after);
  return (uintptr_t)p - range.first < range.second ? &range : nullptr;
}

/* Host memory that a device can copy from and to by itself; sets `outside` if the range runs over its end. */
bool is_pinned(const void *p, size_t bytes, bool &outside) {
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

bool direction_fits(const Copy &copy, cudaMemcpyKind kind) {
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

cudaError_t check_copy(const Copy &copy, cudaMemcpyKind kind) {
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
cudaError_t copy_async(Copy copy, cudaMemcpyKind kind, cudaStream_t handle) {
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

cudaError_t copy_now(const Copy &copy, cudaMemcpyKind kind) {
  Stream &stream = *find_stream(nullptr);
  if (copy.width == 0 || copy.rows == 0) return cudaSuccess;
  if (cudaError_t error = check_copy(copy, kind)) return error;
  force(enqueue(stream, [copy] { copy.perform(); }));
  return device_error(stream.device);
}

cudaError_t set_async(void *to, int value, size_t bytes, cudaStream_t handle) {
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

cudaError_t pin(void **p, size_t bytes) {
  if (!p) return cudaErrorInvalidValue;
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  *p = malloc(bytes);
  if (!*p) return cudaErrorMemoryAllocation;
  fill_poison(static_cast<unsigned char *>(*p), bytes);
  state().pinned[(uintptr_t)*p] = bytes;
  return cudaSuccess;
}

/* ------------------------------------------------------------------------------------------------------------ kernels
 */

/* The module's variables on a device, made when first needed. */
const std::vector<uint64_t> &variables_of(Device &d, const Module &module) {
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

Found find_function(const void *stub) {
  auto at = state().functions.find(stub);
  if (at == state().functions.end()) return {nullptr, nullptr};
  Found found = find_kernel(at->second.name, state().capability);
  if (!found.kernel)
    complain("kernel %s was not translated for compute capability %u or less", at->second.name.c_str(),
             state().capability);
  return found;
}

uint64_t *count_launch(const Found &found, uint64_t threads) {
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

cudaError_t check_shape(const Kernel &kernel, dim3 grid, dim3 block, size_t shared) {
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!threads || threads > kernel.max_threads || block.z > 64) return cudaErrorInvalidConfiguration;
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) {
    return cudaErrorInvalidConfiguration;
  }
  return kernel.static_shared + shared > MAX_SHARED ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t handle) {
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

/* ----------------------------------------------------------------------------------------------------------- counting
 */

/* In the order of enum Kind, grouped as in the file. */
const char *const KIND_NAMES[KINDS] = {
    "f64 add",      "f64 mul",      "f64 fma",     "f64 div",      "f64 rcp",
    "f64 sqrt",     "f64 compare",  "f64 other",   "integer",      "convert",
    "move",         "branch",       "call",        "barrier",      "warp",
    "atomic",       "load global",  "load local",  "load shared",  "load param_const",
    "load generic", "store global", "store local", "store shared", "store generic"};

void write_kernel_counts(FILE *f, const std::string &name, const Counted &c) {
  fprintf(f, "  \"%s\": {\n    \"launches\": %llu, \"threads\": %llu", name.c_str(), (unsigned long long)c.launches,
          (unsigned long long)c.threads);
  std::string group;
  for (int kind = 0; kind < KINDS; kind++) {
    uint64_t sum = 0;
    for (size_t b = 0; b < c.blocks.size(); b++) sum += c.blocks[b] * c.module->profile[b][kind];
    std::string label = KIND_NAMES[kind];
    size_t blank = label.find(' ');
    std::string own_group = blank == std::string::npos ? "" : label.substr(0, blank);
    if (own_group != group && !group.empty()) fputs("}", f);
    fputs(own_group != group || own_group.empty() ? ",\n    " : ", ", f);
    if (own_group != group && !own_group.empty()) fprintf(f, "\"%s\": {", own_group.c_str());
    group = own_group;
    fprintf(f, "\"%s\": %llu", label.c_str() + (blank == std::string::npos ? 0 : blank + 1), (unsigned long long)sum);
  }
  fputs("}\n  }", f);
}

int write_counts(const char *file) {
  FILE *f = fopen(file, "w");
  if (!f) return -1;
  const char *separator = "{\n";
  for (const auto &[name, c] : state().counted) {
    if (!c.module->profile) continue;
    fputs(separator, f);
    write_kernel_counts(f, name, c);
    separator = ",\n";
  }
  fputs(*separator == '{' ? "{}\n" : "\n}\n", f);
  return fclose(f) == 0 ? 0 : -1;
}

void write_counts_at_exit() {
  Lock lock(state().lock);
  if (write_counts(state().count_file.c_str())) complain("cannot write %s", state().count_file.c_str());
}

/* -------------------------------------------------------------------------------------------------------- giving back
 */

void clear_device(int index) {
  State &s = state();
  Device &d = *s.devices[(size_t)index];
  for (auto at = s.streams.begin(); at != s.streams.end();) {
    Stream *stream = *at;
    if (stream->device == index) delete stream, at = s.streams.erase(at);
    else ++at;
  }
  for (auto at = s.events.begin(); at != s.events.end();) {
    Event *event = *at;
    if (event->device == index) delete event, at = s.events.erase(at);
    else ++at;
  }
  for (auto &[base, span] : d.memory) free(span.host);
  d.memory.clear();
  d.allocations.clear();
  d.variables.clear();
  d.used = 0;
  d.default_stream.last = nullptr;
  d.error = cudaSuccess;
}

void clear_all() {
  State &s = state();
  for (int i = 0; i < (int)s.devices.size(); i++) clear_device(i);
  for (auto &[address, bytes] : s.pinned) free(reinterpret_cast<void *>(address));
  s.pinned.clear();
  s.registered.clear();
}

thread_local struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

} // namespace

/* =========================================================================================================== for tests
 */

extern "C" void standin_reset(void) {
  State &s = state();
  Lock lock(s.lock);
  clear_all();
  make_devices(s);
  s.failure = Failure();
  s.calls = s.pageable_copies = 0;
  s.calls_of.clear();
  last_error = cudaSuccess;
  current_device = 0;
}

extern "C" int standin_fail(const char *what) {
  Lock lock(state().lock);
  Failure failure;
  if (what && !parse_failure(what, failure)) return -1;
  state().failure = failure;
  return 0;
}

extern "C" void standin_set_devices(int count) {
  Lock lock(state().lock);
  clear_all();
  state().device_count = count;
  make_devices(state());
  current_device = 0;
}

extern "C" void standin_set_memory(size_t bytes) {
  Lock lock(state().lock);
  state().memory = bytes;
}

extern "C" void standin_set_reverse(int reverse) {
  Lock lock(state().lock);
  state().reverse = reverse != 0;
}

extern "C" void standin_set_capability(unsigned capability) {
  Lock lock(state().lock);
  state().capability = capability;
}

extern "C" int standin_set_trace(const char *file) {
  State &s = state();
  Lock lock(s.lock);
  if (s.trace) fclose(s.trace);
  s.trace = file ? fopen(file, "w") : nullptr;
  return file && !s.trace ? -1 : 0;
}

extern "C" long standin_calls(const char *function) {
  State &s = state();
  Lock lock(s.lock);
  if (!function) return s.calls;
  auto at = s.calls_of.find(function);
  return at == s.calls_of.end() ? 0 : at->second;
}

extern "C" struct standin_live standin_live(void) {
  State &s = state();
  Lock lock(s.lock);
  struct standin_live live = {
      0, (long)s.pinned.size(), (long)s.registered.size(), (long)s.streams.size(), (long)s.events.size(), 0};
  for (auto &d : s.devices) {
    live.device_allocations += (long)d->allocations.size();
    live.device_bytes += d->used;
  }
  return live;
}

extern "C" long standin_live_objects(void) {
  struct standin_live live = standin_live();
  return live.device_allocations + live.pinned_allocations + live.registrations + live.streams + live.events;
}

extern "C" long standin_pageable_copies(void) {
  Lock lock(state().lock);
  return state().pageable_copies;
}

extern "C" int standin_write_counts(const char *file) {
  Lock lock(state().lock);
  return write_counts(file);
}

/* ============================================================================================================= devices
 */

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

/* ============================================================================================================== memory
 */

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

/* ================================================================================================== streams and events
 */

static cudaError_t create_stream(cudaStream_t *handle, bool blocking) {
  if (!handle) return cudaErrorInvalidValue;
  Stream *stream = new Stream;
  stream->device = current_device;
  stream->blocking = blocking;
  state().streams.insert(stream);
  *handle = reinterpret_cast<cudaStream_t>(stream);
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return call(__func__, DEVICE, [&] { return create_stream(stream, true); });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return call(__func__, DEVICE, [&] { return create_stream(stream, !(flags & cudaStreamNonBlocking)); });
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call(__func__, RELEASE, [&] {
    Stream *stream = find_stream(handle);
    if (!stream || !handle) return cudaErrorInvalidResourceHandle;
    force(stream->last);
    int device = stream->device;
    state().streams.erase(stream);
    delete stream;
    return device_error(device);
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    force(stream->last);
    return device_error(stream->device);
  });
}

/* A query does the work of one operation, so that polling comes to an end, but tells of it only the next time. */
static cudaError_t query(const Op &op, int device) {
  if (cudaError_t error = device_error(device)) return error;
  if (!op || op->done) return cudaSuccess;
  force(op);
  return cudaErrorNotReady;
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    return stream ? query(stream->last, stream->device) : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    Event *event = find_event(event_handle);
    if (!stream || !event) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = device_error(stream->device)) return error;
    if (event->recorded) need(*enqueue(*stream, nullptr), event->recorded);
    return cudaSuccess;
  });
}

static cudaError_t create_event(cudaEvent_t *handle, unsigned flags) {
  if (!handle) return cudaErrorInvalidValue;
  Event *event = new Event;
  event->device = current_device;
  event->timing = !(flags & cudaEventDisableTiming);
  state().events.insert(event);
  *handle = reinterpret_cast<cudaEvent_t>(event);
  return cudaSuccess;
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return call(__func__, DEVICE, [&] { return create_event(event, 0); });
}

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call(__func__, DEVICE, [&] { return create_event(event, flags); });
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call(__func__, RELEASE, [&] {
    Event *event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    int device = event->device;
    state().events.erase(event);
    delete event;
    return device_error(device);
  });
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    Stream *stream = find_stream(stream_handle);
    if (!event || !stream || event->device != stream->device) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = device_error(stream->device)) return error;
    event->recorded = enqueue(*stream, nullptr);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    force(event->recorded);
    return device_error(event->device);
  });
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    return event ? query(event->recorded, event->device) : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from_handle, cudaEvent_t to_handle) {
  return call("cudaEventElapsedTime", DEVICE, [&] {
    Event *from = find_event(from_handle), *to = find_event(to_handle);
    if (!from || !to || !from->timing || !to->timing) return cudaErrorInvalidResourceHandle;
    if (!from->recorded || !to->recorded) return cudaErrorInvalidResourceHandle;
    if (!from->recorded->done || !to->recorded->done) return cudaErrorNotReady;
    *milliseconds = (float)(1e3 * (to->recorded->finished - from->recorded->finished));
    return cudaSuccess;
  });
}

/* ============================================================================================================= kernels
 */

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

/* ============================================================================================================== errors
 */

/* The last error of this thread; that of a broken device does not go away. */
static cudaError_t peek() {
  cudaError_t error = availability() ? cudaSuccess : device_error(current_device);
  return error ? error : last_error;
}

extern "C" cudaError_t cudaGetLastError(void) {
  cudaError_t error = call(__func__, NOTHING, [&] { return peek(); });
  last_error = cudaSuccess;
  return error;
}

extern "C" cudaError_t cudaPeekAtLastError(void) {
  return call(__func__, NOTHING, [&] { return peek(); });
}

static const struct {
  cudaError_t code;
  const char *name, *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

extern "C" const char *cudaGetErrorString(cudaError_t code) {
  for (const auto &e : ERRORS) {
    if (e.code == code) return e.text;
  }
  return "unrecognized error code";
}

extern "C" const char *cudaGetErrorName(cudaError_t code) {
  for (const auto &e : ERRORS) {
    if (e.code == code) return e.name;
  }
  return "unrecognized error code";
}

/* =============================================================================== called by the code that nvcc
 * generates */

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
