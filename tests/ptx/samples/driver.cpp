/* Runs kernels of signature (const u64 *a, const u64 *b, const u64 *c, u64 *out, u64 n) on the triples in a file:
   driver INPUT OUTPUT KERNEL... The output has the n results of each kernel in turn. The kernels come from PTX alone,
   so they are registered here as nvcc's code would do it. */
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
}

static void check(cudaError_t error, const char *what) {
  if (!error) return;
  fprintf(stderr, "driver: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

int main(int argc, char **argv) {
  FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
  std::vector<uint64_t> data(1 << 16);
  size_t n = fread(data.data(), 24, data.size() / 3, input);
  uint64_t *in, *out;
  check(cudaMalloc((void **)&in, 24 * n), "cudaMalloc");
  check(cudaMalloc((void **)&out, 8 * n), "cudaMalloc");
  check(cudaMemcpy(in, data.data(), 24 * n, cudaMemcpyHostToDevice), "cudaMemcpy");
  void **binary = __cudaRegisterFatBinary(nullptr);
  std::vector<char> stubs((size_t)argc);
  for (int i = 3; i < argc; i++) {
    __cudaRegisterFunction(binary, &stubs[(size_t)i], nullptr, argv[i], -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    const uint64_t *a = in, *b = in + n, *c = in + 2 * n;
    void *arguments[] = {&a, &b, &c, &out, &n};
    check(cudaLaunchKernel(&stubs[(size_t)i], dim3((unsigned)((n + 63) / 64), 1, 1), dim3(64, 1, 1), arguments, 0,
                           nullptr),
          argv[i]);
    check(cudaMemcpy(data.data(), out, 8 * n, cudaMemcpyDeviceToHost), argv[i]);
    fwrite(data.data(), 8, n, output);
  }
  return fclose(output) ? 1 : 0;
}
