/* What the runner must do with real kernels of nvcc, launched through nvcc's own stubs: right results, errors that are
   found, late streams, failures on demand, leaks. Prints "ok" or "FAIL" and a name per check. */
#include "standin.h"
#include "kernels.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static int failures;

static int capability() { // of the devices in this run
  const char *given = getenv("STANDIN_CAPABILITY");
  return given ? atoi(given) : 75;
}

static void check(bool ok, const char *name) {
  printf("%s %s\n", ok ? "ok" : "FAIL", name);
  failures += !ok;
}

template <class T> static T *device_array(size_t n, const T *from = nullptr) {
  T *p = nullptr;
  cudaMalloc((void **)&p, n * sizeof(T));
  if (from) cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

template <class T> static std::vector<T> fetch(const T *p, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

static bool is_poison(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return bits == 0x7ff4deadbeeff00d;
}

static void results() {
  standin_reset();
  Job job = {};
  double in[100];
  job.n = 100;
  for (int i = 0; i < 40; i++) job.coefficient[i] = 1.0 / (1 + i), job.order[i] = (7 * i) % 40;
  for (int i = 0; i < 100; i++) in[i] = 0.01 * i;
  job.in = device_array(100, in);
  job.out = device_array<double>(100);
  evaluate<<<2, 64>>>(job);
  std::vector<double> out = fetch(job.out, 100);
  bool same = true;
  for (int i = 0; i < 100; i++) {
    double local[40], sum = 0;
    for (int k = 0; k < 40; k++) local[(7 * k) % 40] = 1.0 / (1 + k);
    for (int k = 39; k >= 0; k--) sum = std::fma(sum, in[i], local[k]);
    volatile double square = sum * sum;
    same = same && out[i] == std::sqrt(square + 1.0) / (local[39] + 0.5 + (i & 3));
  }
  check(same, "parameters, a call, local memory, constants");
  unsigned long long counted = 0;
  cudaMemcpyFromSymbol(&counted, visits, sizeof counted);
  check(counted == 100, "an atomic on a global variable, read by its symbol");
  double other[4] = {-1, -2, -3, -4};
  cudaMemcpyToSymbol(table, other, sizeof other);
  evaluate<<<2, 64>>>(job);
  check(fetch(job.out, 100)[0] != out[0], "a constant set by its symbol");
  cudaFree((void *)job.in);
  cudaFree(job.out);
  check(cudaGetLastError() == cudaSuccess && standin_live_objects() == 0, "nothing left");
}

static void cooperation() {
  standin_reset();
  double in[512], sum = 0;
  for (int i = 0; i < 512; i++) in[i] = i, sum += i;
  double *d = device_array(512, in), *out = device_array<double>(512);
  sum_warps<<<1, 512>>>(d, out, 512);
  check(fetch(out, 1)[0] == sum + 512, "shuffles, barriers, shared atomics");
  unsigned *u = device_array<unsigned>(128);
  votes<<<1, 32>>>(u);
  std::vector<unsigned> v = fetch(u, 128);
  bool right = true;
  for (unsigned i = 0; i < 32; i++) {
    unsigned up = i >= 3 ? i - 3 : i, down = i % 16 + 2 < 16 ? i + 2 : i;
    right = right && v[i] == 0x49249249u && v[32 + i] == 3 && v[64 + i] == up + 100 * down + 70000 && v[96 + i] == 116;
  }
  check(right, "votes, kinds of shuffle, reducing barriers");
  uint4 *r = device_array<uint4>(4);
  random_words<<<1, 4>>>(r, 0);
  uint4 first = fetch(r, 4)[0];
  check(first.x == 0x6627e8d5 && first.y == 0xe169c58d && first.z == 0xbc57ac4c && first.w == 0x9b00dbd8,
        "Philox: the published words for counter and key zero");
  int values[16] = {10, 20, 30, 40, 50, 60, 70, 80};
  int *b = device_array(16, values);
  branches<<<1, 8>>>(b);
  std::vector<int> w = fetch(b, 16);
  const int expected[8] = {20, 57, 10 ^ 5, 15, -50, 480, 99, 99};
  check(memcmp(&w[8], expected, sizeof expected) == 0, "a branch table");
  reverse<<<1, 1, 8>>>(d, out);
  check(fetch(out, 1)[0] == 0 && cudaGetLastError() == cudaSuccess, "dynamic shared memory");
}

static void nan_bits() {
  standin_reset();
  const uint64_t bits[3] = {0x7ff8000000000123, 0x3ff0000000000000, 0xfff0000000000456};
  double *in = device_array(3, (const double *)bits), *out = device_array<double>(3);
  not_a_number<<<1, 1>>>(out, in);
  std::vector<uint64_t> v = fetch((const uint64_t *)out, 3);
  check(v[0] == 0x7fffffffffffffff && v[1] == bits[2] && v[2] == 0x7fffffffffffffff, "bits of NaN");
}

/* Runs something that must end in this error; the error must stay until the device is reset. */
template <class F> static void must_fail(cudaError_t expected, const char *name, F launch) {
  standin_reset();
  double *out = device_array<double>(64);
  launch(out);
  cudaError_t error = cudaDeviceSynchronize();
  bool sticky = expected == cudaSuccess || (cudaMalloc((void **)&out, 8) == expected && cudaGetLastError() == expected);
  check(error == expected && sticky, name);
  bool again = cudaDeviceReset() == cudaSuccess && cudaMalloc((void **)&out, 512) == cudaSuccess;
  fill<<<1, 64>>>(out, 3.0, 64);
  check(again && fetch(out, 64)[63] == 3.0, "the device after its reset");
}

static void errors_in_kernels() {
  const cudaError_t address = cudaErrorIllegalAddress, failure = cudaErrorLaunchFailure;
  must_fail(cudaSuccess, "in bounds", [](double *p) { wild<<<1, 1>>>(p, 63, 0, 0); });
  must_fail(address, "store past the end", [](double *p) { wild<<<1, 1>>>(p, 64, 0, 0); });
  must_fail(address, "load before the start", [](double *p) { wild<<<1, 1>>>(p, (size_t)-1, 0, 1); });
  must_fail(address, "load over the end", [](double *p) { wild<<<1, 1>>>(p, 1 << 20, 0, 1); });
  must_fail(cudaErrorMisalignedAddress, "misaligned store", [](double *p) { wild<<<1, 1>>>(p, 0, 4, 0); });
  must_fail(address, "null", [](double *) { wild<<<1, 1>>>(nullptr, 0, 0, 0); });
  must_fail(address, "host memory", [](double *) {
    double x;
    wild<<<1, 1>>>(&x, 0, 0, 0);
  });
  must_fail(address, "freed memory", [](double *p) {
    cudaFree(p);
    wild<<<1, 1>>>(p, 0, 0, 0);
  });
  must_fail(address, "local memory", [](double *p) { wild<<<1, 1>>>(p, 4, 0, 2); });
  must_fail(address, "shared memory", [](double *p) { wild<<<1, 1>>>(p, 4, 0, 3); });
  must_fail(address, "constants", [](double *p) { wild<<<1, 1>>>(p, 4, 0, 4); });
  must_fail(cudaSuccess, "constants in bounds", [](double *p) { wild<<<1, 1>>>(p, 3, 0, 4); });
  must_fail(cudaSuccess, "shared memory in order", [](double *p) { shared_memory<<<2, 64>>>(p, 0); });
  must_fail(failure, "read after write without a barrier", [](double *p) { shared_memory<<<1, 64>>>(p, 1); });
  must_fail(failure, "write after read without a barrier", [](double *p) { shared_memory<<<1, 64>>>(p, 2); });
  must_fail(failure, "two writers", [](double *p) { shared_memory<<<1, 64>>>(p, 3); });
  must_fail(failure, "atomic and plain", [](double *p) { shared_memory<<<1, 64>>>(p, 4); });
  must_fail(failure, "write and atomic", [](double *p) { pairs<<<1, 64>>>(p, 0); });
  must_fail(failure, "read and atomic", [](double *p) { pairs<<<1, 64>>>(p, 1); });
  must_fail(cudaSuccess, "atomics only", [](double *p) { pairs<<<1, 64>>>(p, 2); });
  must_fail(failure, "writers of one byte", [](double *p) { reverse<<<1, 64, 512>>>(p, p); });
  must_fail(cudaSuccess, "ordered within the warp", [](double *p) { warp_memory<<<1, 64>>>(p, 0); });
  must_fail(failure, "not ordered within the warp", [](double *p) { warp_memory<<<1, 64>>>(p, 1); });
  must_fail(failure, "ordered within the warp only", [](double *p) { warp_memory<<<1, 64>>>(p, 2); });
  must_fail(cudaSuccess, "all at the barrier", [](double *p) { divergent<<<1, 64>>>(p, 0); });
  must_fail(failure, "a thread has left the barrier", [](double *p) { divergent<<<1, 64>>>(p, 1); });
  must_fail(failure, "a thread has left the last barrier", [](double *p) { divergent<<<1, 64>>>(p, 6); });
  must_fail(failure, "threads pass by the barrier", [](double *p) { divergent<<<1, 64>>>(p, 2); });
  must_fail(failure, "a lane passes by the shuffle", [](double *p) { divergent<<<1, 64>>>(p, 3); });
  must_fail(failure, "a shuffle from outside of the mask", [](double *p) { divergent<<<1, 64>>>(p, 4); });
  must_fail(failure, "a lane of the mask does not exist", [](double *p) { divergent<<<1, 48>>>(p, 0); });
  must_fail(failure, "trap", [](double *p) { divergent<<<1, 64>>>(p, 5); });
}

static void after_an_error() {
  standin_reset();
  double *d = device_array<double>(64), *pinned;
  cudaMallocHost((void **)&pinned, 8);
  cudaMemset(d, 0, 512);
  wild<<<1, 1>>>(d, 64, 0, 0);
  cudaMemcpyAsync(pinned, d, 8, cudaMemcpyDeviceToHost, 0);
  cudaDeviceSynchronize();
  check(is_poison(pinned[0]), "nothing is done after an error");
  standin_reset();
  d = device_array<double>(64);
  pairs<<<1, 64>>>(d, 3);
  std::vector<double> v = fetch(d, 2);
  check(v[0] == (double)(int)0xbeeff00d && v[1] == (double)0x7ff4dead, "new shared memory is poison");
}

static void streams() {
  standin_reset();
  double *d = device_array<double>(64), *pinned;
  check(is_poison(fetch(d, 64)[5]), "new memory is poison");
  cudaMallocHost((void **)&pinned, 512);
  check(is_poison(pinned[3]), "new pinned memory is poison");
  cudaStream_t a, b;
  cudaEvent_t e, f;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  fill<<<1, 64, 0, a>>>(d, 1.0, 64);
  cudaMemcpyAsync(pinned, d, 512, cudaMemcpyDeviceToHost, a);
  check(is_poison(pinned[0]), "a forgotten synchronisation shows");
  check(is_poison(fetch(d, 1)[0]), "a blocking copy does not wait for another stream");
  cudaStreamSynchronize(b);
  check(is_poison(pinned[0]), "nor does another stream");
  cudaStreamSynchronize(a);
  check(pinned[0] == 1.0, "synchronised");
  cudaEventRecord(e, a);
  fill<<<1, 64, 0, a>>>(d, 2.0, 64);
  cudaEventRecord(f, a);
  fill<<<1, 64, 0, a>>>(d, 3.0, 64);
  cudaStreamWaitEvent(b, f, 0);
  cudaMemcpyAsync(pinned, d, 512, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  check(pinned[0] == 2.0, "a stream waits for an event and no further");
  float time = -1;
  check(cudaEventElapsedTime(&time, e, f) == cudaSuccess && time >= 0, "time between events");
  check(cudaStreamQuery(a) == cudaErrorNotReady && cudaStreamQuery(a) == cudaSuccess, "polling comes to an end");
  pinned[0] = 5;
  cudaMemcpyAsync(d, pinned, 512, cudaMemcpyHostToDevice, a);
  pinned[0] = 6;
  cudaStreamSynchronize(a);
  check(fetch(d, 1)[0] == 6, "pinned memory is read late");
  double pageable[64] = {7};
  cudaMemcpyAsync(d, pageable, 512, cudaMemcpyHostToDevice, a);
  pageable[0] = 8;
  cudaStreamSynchronize(a);
  check(fetch(d, 1)[0] == 7 && standin_pageable_copies() == 1, "pageable memory is read at once");
  cudaMemset(d, 0, 512);
  check(fetch(d, 1)[0] == 0, "memset and copy in the default stream");
  cudaMemcpy2DAsync(pinned, 16, d, 8, 8, 32, cudaMemcpyDeviceToHost, a);
  cudaEventRecord(e, a);
  cudaEventSynchronize(e);
  check(pinned[0] == 0 && pinned[62] == 0 && pinned[63] != 0, "rows");
  check(standin_live_objects() == 6, "six objects live");
  cudaFree(d), cudaFreeHost(pinned), cudaStreamDestroy(a), cudaStreamDestroy(b), cudaEventDestroy(e),
      cudaEventDestroy(f);
  check(standin_live_objects() == 0 && cudaGetLastError() == cudaSuccess, "and none");
}

static void blocking_streams() {
  standin_reset();
  double *d = device_array<double>(64);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<1, 64, 0, s>>>(d, 4.0, 64);
  check(fetch(d, 1)[0] == 4.0, "a blocking copy waits for a blocking stream");
  fill<<<1, 64>>>(d, 5.0, 64);
  double *pinned;
  cudaHostAlloc((void **)&pinned, 8, 0);
  cudaMemcpyAsync(pinned, d, 8, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  check(pinned[0] == 5.0, "and a blocking stream for the default stream");
}

static void misuse() {
  standin_reset();
  double host[64] = {}, *d = device_array<double>(64);
  check(cudaMemcpy(d, host, 520, cudaMemcpyHostToDevice) == cudaErrorInvalidValue, "copy over the end");
  check(cudaMemcpy(d, host, 8, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue, "copy in the wrong direction");
  check(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess,
        "the last error is told once");
  check(cudaFree(d + 1) == cudaErrorInvalidValue && cudaFree(host) == cudaErrorInvalidValue, "free of no allocation");
  check(cudaFree(d) == cudaSuccess && cudaFree(d) == cudaErrorInvalidValue, "free twice");
  check(cudaHostRegister(host, 512, 0) == cudaSuccess &&
            cudaHostRegister(host + 1, 8, 0) == cudaErrorHostMemoryAlreadyRegistered,
        "registered twice");
  check(cudaHostUnregister(host) == cudaSuccess && cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered,
        "unregistered twice");
  check(cudaLaunchKernel((const void *)host, 1, 1, nullptr, 0, 0) == cudaErrorInvalidDeviceFunction, "no kernel");
  fill<<<0, 64>>>(d, 1.0, 1);
  check(cudaGetLastError() == cudaErrorInvalidConfiguration, "an empty grid");
  fill<<<1, 1025>>>(d, 1.0, 1);
  check(cudaGetLastError() == cudaErrorInvalidConfiguration, "too many threads");
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamDestroy(s);
  check(cudaStreamSynchronize(s) == cudaErrorInvalidResourceHandle, "a stream that is gone");
  cudaFuncAttributes attributes;
  int blocks = 0;
  check(cudaFuncGetAttributes(&attributes, (const void *)sum_warps) == cudaSuccess &&
            attributes.sharedSizeBytes == 260 &&
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)sum_warps, 256, 0) == cudaSuccess &&
            blocks > 0,
        "attributes of a kernel");
}

static void devices() {
  void *p;
  int n = -1;
  standin_reset();
  standin_set_devices(0);
  check(cudaGetDeviceCount(&n) == cudaErrorNoDevice && n == 0 && cudaMalloc(&p, 8) == cudaErrorNoDevice, "no device");
  standin_set_devices(-1);
  check(cudaGetDeviceCount(&n) == cudaErrorInsufficientDriver, "an old driver");
  standin_set_devices(2);
  standin_set_memory(1 << 20);
  size_t left, total;
  check(cudaMalloc(&p, 1 << 20) == cudaSuccess && cudaMalloc(&p, 8) == cudaErrorMemoryAllocation, "memory is used up");
  check(cudaMemGetInfo(&left, &total) == cudaSuccess && left == 0 && total == 1 << 20, "and told so");
  double *first = nullptr, *second = nullptr;
  cudaSetDevice(1);
  cudaMalloc((void **)&second, 512);
  check(second && cudaSetDevice(2) == cudaErrorInvalidDevice, "two devices");
  cudaSetDevice(0);
  standin_set_memory(256 << 20);
  cudaMalloc((void **)&first, 512);
  fill<<<1, 64>>>(second, 1.0, 64);
  check(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "another device's memory");
  cudaSetDevice(1);
  fill<<<1, 64>>>(second, 1.0, 64);
  check(cudaDeviceSynchronize() == cudaSuccess, "a device's own memory, after the other one's error");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 1) == cudaSuccess &&
            strcmp(properties.name, "emulated: PTX on the CPU") == 0 &&
            properties.major * 10 + properties.minor == capability() && properties.multiProcessorCount == 2 &&
            properties.warpSize == 32,
        "properties");
  standin_set_devices(1);
}

/* A small program, as a backend would be. Returns whether it noticed a failure. */
static bool program(double &result) {
  double *d = nullptr, *h = nullptr;
  cudaStream_t s = nullptr;
  bool ok = cudaMalloc((void **)&d, 512) == cudaSuccess && cudaMallocHost((void **)&h, 512) == cudaSuccess &&
            cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess;
  if (ok) {
    fill<<<1, 64, 0, s>>>(d, 9.0, 64);
    ok = cudaGetLastError() == cudaSuccess && cudaMemcpyAsync(h, d, 512, cudaMemcpyDeviceToHost, s) == cudaSuccess &&
         cudaStreamSynchronize(s) == cudaSuccess;
  }
  if (ok) result = h[63];
  if (d && cudaFree(d) != cudaSuccess) ok = false;
  if (h && cudaFreeHost(h) != cudaSuccess) ok = false;
  if (s && cudaStreamDestroy(s) != cudaSuccess) ok = false;
  return ok;
}

static void failures_on_demand() {
  standin_reset();
  double result = 0;
  check(program(result) && result == 9.0, "a program without failure");
  long calls = standin_calls(nullptr);
  check(calls == 10 && standin_calls("cudaMalloc") == 1 && standin_calls("cudaLaunchKernel") == 1, "its calls");
  for (const char *code : {"", ":700", ":lost"}) {
    bool noticed = true, leaked = false;
    for (long k = 1; k <= calls; k++) {
      standin_reset();
      char what[40];
      snprintf(what, sizeof what, "#%ld%s", k, code);
      noticed = noticed && standin_fail(what) == 0 && !program(result);
      leaked = leaked || standin_live_objects() != 0;
    }
    check(noticed && !leaked, "each call fails in turn, is noticed, and nothing leaks");
  }
  standin_reset();
  standin_fail("cudaMalloc:2:2");
  void *a, *b, *c;
  check(cudaMalloc(&a, 8) == cudaSuccess && cudaMalloc(&b, 8) == cudaErrorMemoryAllocation &&
            cudaMalloc(&c, 8) == cudaSuccess,
        "the second of a kind fails, and only that");
  check(standin_live_objects() == 2, "a leak is seen");
  standin_reset();
  check(standin_live_objects() == 0 && standin_calls(nullptr) == 0, "a new start");
  standin_fail("cudaMalloc:1:lost");
  check(cudaMalloc(&a, 8) == cudaErrorUnknown && cudaMalloc(&a, 8) == cudaErrorUnknown &&
            cudaDeviceReset() == cudaErrorUnknown,
        "a lost device stays lost");
  check(standin_fail("cudaMalloc") == -1 && standin_fail("#0") == -1 && standin_fail("#1:x") == -1,
        "failures not understood");
}

static void host_threads() {
  standin_reset();
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&right, i] {
      double result = 0;
      for (int k = 0; k < 10; k++) right[(size_t)i] += program(result) && result == 9.0;
    });
  }
  for (std::thread &t : threads) t.join();
  check(right[0] + right[1] + right[2] + right[3] == 40 && standin_live_objects() == 0, "four host threads");
}

static void counts(const char *file) {
  check(standin_write_counts(file) == 0, "counts are written");
  FILE *f = fopen(file, "r");
  std::vector<char> text(1 << 16);
  size_t n = f ? fread(text.data(), 1, text.size() - 1, f) : 0;
  text[n] = 0;
  const char *kernel = strstr(text.data(), "12not_a_number");
  check(kernel && strstr(kernel, "\"launches\": 1, \"threads\": 1") &&
            strstr(kernel, "\"add\": 0, \"mul\": 1, \"fma\": 0, \"div\": 0, \"rcp\": 0, \"sqrt\": 0, \"compare\": 1") &&
            strstr(kernel, capability() < 100
                               ? "\"load\": {\"global\": 40, \"local\": 0, \"shared\": 0, \"param_const\": 16"
                               : "\"load\": {\"global\": 32, \"local\": 0, \"shared\": 0, \"param_const\": 16") &&
            strstr(kernel, "\"store\": {\"global\": 24"),
        "counts of a kernel");
  const char *sum = strstr(text.data(), "9sum_warps");
  check(sum && strstr(sum, "\"barrier\": 1024,\n    \"warp\": 5120,\n    \"atomic\": 512"), "counts of a block");
  if (f) fclose(f);
}

/* Of the PTX for 7.5 and for `highest` the one that a driver would take, and none where there is none. */
static void images(int highest) {
  const unsigned played[5] = {70, 75, 90, 120, 121};
  const int expected[5] = {0, 75, 75, highest, highest};
  cudaDeviceProp properties;
  int *out, right = 0;
  check(cudaMalloc(&out, sizeof *out) == cudaSuccess, "a device to ask");
  for (int i = 0; i < 5; i++) {
    int found = 0;
    standin_set_capability(played[i]);
    compiled_for<<<1, 1>>>(out);
    cudaError_t error = cudaGetLastError();
    if (!error) cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost);
    cudaGetDeviceProperties(&properties, 0);
    right += found == expected[i] && error == (found ? cudaSuccess : cudaErrorNoKernelImageForDevice) &&
             properties.major * 10 + properties.minor == (int)played[i];
  }
  standin_set_capability((unsigned)capability());
  cudaFree(out);
  check(right == 5, "the PTX that a device takes");
}

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  results();
  cooperation();
  nan_bits();
  errors_in_kernels();
  after_an_error();
  streams();
  blocking_streams();
  misuse();
  devices();
  failures_on_demand();
  host_threads();
  if (argc > 2) images(atoi(argv[2]));
  if (argc > 1) counts(argv[1]);
  return failures > 0;
}
