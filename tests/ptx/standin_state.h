/* What the parts of the stand-in share: its state, and how every call of the runtime begins and ends. */
#ifndef STANDIN_STATE_H
#define STANDIN_STATE_H

#include "execute.h"
#include "standin.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace standin {

using namespace ptx;

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
  std::map<const void *, Found> loaded; // kernels of libraries, by their handles
  std::map<std::string, Counted> counted;

  State();
};

State &state();

extern thread_local int current_device;
extern thread_local cudaError_t last_error;

using Lock = std::lock_guard<std::recursive_mutex>;

__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/* standin.cpp: calls */

enum Needs { NOTHING, DEVICE, RELEASE };

cudaError_t availability();
cudaError_t device_error(int device);
cudaError_t injected(const char *name); // whether this call is the one that is to fail
void trace(const char *name, cudaError_t result);
void clear_device(int index);

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

/* standin_streams.cpp */

Op enqueue(Stream &stream, std::function<void()> work);
void force(const Op &wanted); // runs an operation and first all that it needs
void force_device(int device);
void force_all();
Stream *find_stream(cudaStream_t handle); // null if there is none

/* standin_memory.cpp */

uint64_t allocate(Device &d, size_t bytes, Space space); // at an address that was never used

/* standin_kernels.cpp */

cudaError_t find_symbol(const void *symbol, uint64_t &address, size_t &size);

/* standin_counts.cpp */

int write_counts(const char *file);
void write_counts_at_exit();

} // namespace standin

#endif
