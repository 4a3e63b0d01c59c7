/* A stand-in for the CUDA runtime: devices are memory of this process, kernels are translated PTX (see device.h).

   It is meant to be harder on its user than a device is. Work in a stream is done as late as possible, memory starts as
   poison, device pointers mean nothing to the host, and every access is checked. One lock is held during each call.

   Here: its settings, how a call begins and ends, and what tests can ask of it. */
#include "standin_state.h"

#include <cstdarg>

namespace standin {

/* Never destroyed: objects of nvcc unregister themselves at exit. */
State &state() {
  static State *s = new State;
  return *s;
}

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

__attribute__((format(printf, 1, 2))) void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("standin: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static void make_devices(State &s) {
  s.devices.clear();
  for (int i = 0; i < s.device_count; i++) {
    s.devices.emplace_back(new Device);
    Device &d = *s.devices.back();
    d.next_address = DEVICE_STRIDE * (uint64_t)(i + 1) + (1 << 20);
    d.next_constant = d.next_address + CONST_PART;
    d.default_stream.device = i;
  }
}

static bool parse_failure(const char *text, Failure &failure) {
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

static void clear_all() {
  State &s = state();
  for (int i = 0; i < (int)s.devices.size(); i++) clear_device(i);
  for (auto &[address, bytes] : s.pinned) free(reinterpret_cast<void *>(address));
  s.pinned.clear();
  s.registered.clear();
}

} // namespace standin

using namespace standin;

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
