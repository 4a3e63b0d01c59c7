/* series.cu - rows of samples reduced on a device: one block for SD_REDUCE_BLOCK columns of one row.
 *
 * Sums follow the host's tree over all bodies (host/reduce.h): within a block neighbours are added first, then pairs of
 * neighbours and so on; the host goes on from the blocks' sums.  Columns past the end add -0.0, which changes nothing.
 * Counting and gathering use integer atomics alone, and what is gathered is selected from by value, so that the order
 * in which the threads come does not matter. */
#define SD_LANES 1
#include "charts.h"

static __device__ double with_neighbour(double x, int distance) {
  return __shfl_xor_sync(0xffffffffu, x, distance);
}

enum { WARPS = SD_REDUCE_BLOCK / 32 };

/* Every combination here is commutative, so that both partners of an exchange get the same bits. */
template <typename combine> static __device__ double over_block(double x, double nothing, combine f) {
  __shared__ double of_warp[WARPS];
  for (int distance = 1; distance < 32; distance *= 2) x = f(x, with_neighbour(x, distance));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < WARPS ? of_warp[threadIdx.x] : nothing;
  for (int distance = 1; distance < WARPS; distance *= 2) x = f(x, with_neighbour(x, distance));
  __syncthreads(); /* of_warp may be used again */
  return x;        /* in thread 0 */
}
static __device__ double block_sum(double x) {
  return over_block(x, -0.0, [](double a, double b) { return a + b; });
}
static __device__ double block_min(double x) {
  return over_block(x, x, [](double a, double b) { return a < b ? a : b; });
}
static __device__ double block_max(double x) {
  return over_block(x, x, [](double a, double b) { return a > b ? a : b; });
}

struct cell { /* what a thread looks at */
  double x;
  bool inside, present;
};
static __device__ cell look(const sd_series_job &job) {
  size_t i = (size_t)blockIdx.x * SD_REDUCE_BLOCK + threadIdx.x;
  cell c = {0, i < job.columns, false};
  if (c.inside) c.x = job.samples[job.row[blockIdx.y] * job.stride + i];
  c.present = c.inside && c.x == c.x;
  return c;
}
static __device__ sd_partial *result_of(const sd_series_job &job) {
  return &job.partial[blockIdx.y * job.blocks + blockIdx.x];
}

extern "C" __global__ void sd_series_moments(const __grid_constant__ sd_series_job job) {
  const double infinite = __longlong_as_double(0x7ff0000000000000);
  cell c = look(job);
  double sum = block_sum(c.present ? c.x : c.inside ? 0.0 : -0.0), count = block_sum(c.present ? 1.0 : 0.0);
  double lowest = block_min(c.present ? c.x : infinite), highest = block_max(c.present ? c.x : -infinite);
  if (threadIdx.x) return;
  sd_partial *p = result_of(job);
  p->sum = sum;
  p->count = count;
  p->lowest = lowest;
  p->highest = highest;
}

extern "C" __global__ void sd_series_squares(const __grid_constant__ sd_series_job job) {
  cell c = look(job);
  double gap = c.x - job.mean[blockIdx.y], squares = block_sum(c.present ? gap * gap : c.inside ? 0.0 : -0.0);
  if (!threadIdx.x) result_of(job)->squares = squares;
}

extern "C" __global__ void sd_series_slices(const __grid_constant__ sd_series_job job) {
  __shared__ uint32_t population[SD_SLICES];
  for (int i = threadIdx.x; i < SD_SLICES; i += SD_REDUCE_BLOCK) population[i] = 0;
  __syncthreads();
  cell c = look(job);
  if (c.present) atomicAdd(&population[SD_SLICE(c.x, job.lowest[blockIdx.y], job.scale[blockIdx.y])], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < SD_SLICES; i += SD_REDUCE_BLOCK)
    if (population[i]) atomicAdd(&job.population[blockIdx.y * SD_SLICES + i], population[i]);
}

extern "C" __global__ void sd_series_gather(const __grid_constant__ sd_series_job job) {
  cell c = look(job);
  if (!c.present) return;
  int slice = SD_SLICE(c.x, job.lowest[blockIdx.y], job.scale[blockIdx.y]);
  if (job.wanted[blockIdx.y * SD_SLICES + slice])
    job.gathered[job.gathered_at[blockIdx.y] + atomicAdd(&job.gathered_count[blockIdx.y], 1u)] = c.x;
}

/* ---- states ---- */

static __device__ bool load_coordinates(const sd_series_job &job, double *x) {
  size_t i = (size_t)blockIdx.x * SD_REDUCE_BLOCK + threadIdx.x;
  bool inside = i < job.columns;
  for (int k = 0; k < job.coordinates.numbers; k++) x[k] = inside ? job.samples[(job.row[0] + k) * job.stride + i] : 0;
  return inside;
}
static __device__ void put_sum(const sd_series_job &job, int k, double term, bool inside) {
  double sum = block_sum(inside ? (term == term ? term : 0.0) : -0.0);
  if (!threadIdx.x) job.sums[k * job.blocks + blockIdx.x] = sum;
}

extern "C" __global__ void sd_series_centre(const __grid_constant__ sd_series_job job) {
  double x[SD_COORDINATES_MAX], terms[SD_MOMENT_SUMS_MAX];
  bool inside = load_coordinates(job, x);
  int made = centre_terms(&job.coordinates, x, terms);
  for (int k = 0; k < made; k++) put_sum(job, k, terms[k], inside);
}

extern "C" __global__ void sd_series_spread(const __grid_constant__ sd_series_job job) {
  double x[SD_COORDINATES_MAX], from[SD_TANGENT_MAX];
  bool inside = load_coordinates(job, x);
  int n = displacement_terms(&job.coordinates, job.centre, x, from), k = 0;
  for (; k < n; k++) put_sum(job, k, from[k], inside);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) put_sum(job, k++, from[i] * from[j], inside);
}

/* In the order of the questions. */
extern "C" const void *const sd_series_kernels_cuda[SD_QUESTIONS] = {
    (const void *)sd_series_moments, (const void *)sd_series_squares, (const void *)sd_series_slices,
    (const void *)sd_series_gather,  (const void *)sd_series_centre,  (const void *)sd_series_spread};
