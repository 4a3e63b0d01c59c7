/* The kernels of behaviour.cu: right ones, and some with one error each. */
#include <curand_kernel.h>

#include <cstdint>

struct Job {
  const double *in;
  double *out;
  size_t n;
  double coefficient[40];
  int order[40];
};

__constant__ double table[4] = {0.5, 1.5, 2.5, 3.5};
__device__ unsigned long long visits;

__global__ void compiled_for(int *out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__ / 10;
#endif
}

__device__ __noinline__ double polynomial(const Job *job, double x, double *last) {
  double sum = 0, local[40];
  for (int i = 0; i < 40; i++) local[job->order[i]] = job->coefficient[i];
  for (int i = 39; i >= 0; i--) sum = __fma_rn(sum, x, local[i]);
  *last = local[39];
  return sum;
}

__global__ void evaluate(__grid_constant__ const Job job) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= job.n) return;
  double last, y = polynomial(&job, job.in[i], &last);
  job.out[i] = sqrt(y * y + 1.0) / (last + table[i & 3]);
  atomicAdd(&visits, 1ull);
}

__global__ void sum_warps(const double *in, double *out, int n) {
  __shared__ double partial[32];
  __shared__ int count;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? in[i] : 0.0;
  if (threadIdx.x == 0) count = 0;
  for (int mask = 16; mask; mask >>= 1) v += __shfl_xor_sync(~0u, v, mask);
  __syncthreads();
  atomicAdd(&count, 1);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < blockDim.x / 32; w++) v += partial[w];
    out[blockIdx.x] = v + count;
  }
}

__global__ void votes(unsigned *out) {
  unsigned i = threadIdx.x;
  out[i] = __ballot_sync(~0u, i % 3 == 0);
  out[32 + i] = __any_sync(~0u, i == 5) + 2 * __all_sync(~0u, i < 32) + 4 * __all_sync(~0u, i < 31);
  out[64 + i] = __shfl_up_sync(~0u, i, 3) + 100 * __shfl_down_sync(~0u, i, 2, 16) + 10000 * __shfl_sync(~0u, i, 7);
  out[96 + i] = __syncthreads_count(i % 2) + 100 * __syncthreads_or(i == 9) + 1000 * __syncthreads_and(i < 9);
}

__global__ void random_words(uint4 *out, unsigned long long seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand4(&state);
}

__global__ void branches(int *out) {
  int i = threadIdx.x, r;
  switch (i) {
  case 0: r = out[i + 1]; break;
  case 1: r = i * 17 + out[3]; break;
  case 2: r = out[0] ^ 5; break;
  case 3: r = out[2] / (i - 1); break;
  case 4: r = -out[4]; break;
  case 5: r = out[5] << 3; break;
  default: r = 99;
  }
  out[i + 8] = r;
}

extern __shared__ double dynamic[];

__global__ void reverse(const double *in, double *out) {
  __shared__ char odd[3];
  odd[threadIdx.x % 3] = 0; // unordered writes, unless one thread makes them
  dynamic[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x] + odd[0];
}

/* mode 0 is right, the others each have one error. */
__global__ void shared_memory(double *out, int mode) {
  __shared__ double s[64];
  unsigned i = threadIdx.x;
  s[i] = i;
  if (mode != 1) __syncthreads();
  double v = s[63 - i];
  if (mode != 2) __syncthreads();
  s[i] = v + 1;
  if (mode == 3) s[0] = i;
  if (mode == 4) atomicAdd((int *)&s[0], 1);
  out[i] = s[i];
}

/* One pair of accesses that are not ordered; mode 3 only reads what nobody wrote. */
__global__ void pairs(double *out, int mode) {
  __shared__ int s[64];
  unsigned i = threadIdx.x;
  volatile int *plain = s;
  if (mode == 0 && i == 0) plain[0] = 1;
  if (mode == 1 && i == 0) out[0] = plain[0];
  if (mode == 2 || (mode < 2 && i == 40)) atomicAdd(&s[0], 1);
  if (mode == 3) out[i] = plain[i];
}

__global__ void warp_memory(double *out, int mode) {
  __shared__ double s[64];
  unsigned i = threadIdx.x, base = i / 32 * 32;
  s[i] = i;
  if (mode != 1) __syncwarp();
  out[i] = s[base + 31 - i % 32];
  if (mode == 2) out[i] = s[63 - i];
}

__global__ void divergent(double *out, int mode) {
  unsigned i = threadIdx.x;
  double v = i;
  if ((mode == 1 || mode == 6) && i == 7) return;
  if (mode != 2 || i < 40) __syncthreads();
  if (mode == 6) return;
  if (mode != 3 || i != 9) v = __shfl_xor_sync(~0u, v, 1);
  if (mode == 4 && i < 16) v = __shfl_xor_sync(0xffffu, v, 16);
  if (mode == 5 && i == 3) __trap();
  out[i] = v;
}

__global__ void wild(double *out, size_t index, int offset, int mode) {
  double local[4] = {1, 2, 3, 4};
  __shared__ double s[4];
  char *p = (char *)(out + index) + offset;
  if (mode == 0) *(double *)p = 1;
  if (mode == 1) out[0] = *(volatile double *)p;
  if (mode == 2) local[index] = 5, out[0] = local[index / 2];
  if (mode == 3) s[index] = 5;
  if (mode == 4) out[0] = table[index];
  if (mode == 5) out[0] = ((volatile double *)s)[index];
}

__global__ void fill(double *out, double value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void not_a_number(double *out, const double *in) {
  out[0] = in[0] * in[1], out[1] = in[2], out[2] = fmin(in[0], in[2]);
}
