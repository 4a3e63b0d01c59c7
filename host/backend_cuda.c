/* backend_cuda.c - one thread of a device integrates one body.
 *
 * Devices share the ensemble by ranges of bodies, in whole blocks of the reduction tree.  A device keeps its bodies for
 * the whole run where they fit; where they do not, batch after batch is copied in, advanced and copied out, two in
 * flight. The samples of all of a device's bodies are kept there and reduced there, to sums that the host joins along
 * the same tree as a processor's threads use.  Every call's status is looked at: a failure names the device, the call
 * and why. */
#include "backend.h"

#include "number.h"
#include "quantiles.h"
#include "reduce.h"
#include "series.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MOST = 64, BLOCK = 128, EXPORT_BYTES = 1 << 17, IN_FLIGHT = 2 };

/* The arrays of a reduction, laid out alike on the device and in pinned memory of the host. */
typedef struct {
  char *base;
  sd_partial *partial;
  double *mean, *lowest, *scale;
  uint32_t *population, *gathered_count;
  uint64_t *gathered_at;
  unsigned char *wanted;
  double *gathered;
} reduction;

/* What one device has. */
typedef struct {
  int device;
  size_t first, count; /* its bodies */
  size_t batch;        /* of them on the device at a time; all when it is count */
  double *slots[IN_FLIGHT], *samples, *exported;
  reduction there, here; /* on the device, on the host */
  cudaStream_t stream[IN_FLIGHT];
} part;

typedef struct {
  sd_backend base;
  int block;
  double memory; /* bytes of each device to use; 0: what is free */
  int device[DEVICES_MOST], device_count;
  sd_ensemble *ensemble;
  int registered; /* the ensemble's memory is pinned */
  size_t rows;
  part part[DEVICES_MOST];
  int part_count;
} cuda_backend;

/* ---- calls ---- */

static sd_status failed(sd_error *error, int device, const char *call, cudaError_t code) {
  cudaGetLastError(); /* one that does not stay is done with */
  return sd_fail(error, code == cudaErrorMemoryAllocation ? SD_NO_MEMORY : SD_DEVICE, "device %d: %.*s: %s", device,
                 (int)strcspn(call, "("), call, cudaGetErrorString(code));
}

#define CUDA(device, call)                                 \
  do {                                                     \
    cudaError_t code_ = (call);                            \
    if (code_) return failed(error, device, #call, code_); \
  } while (0)

static sd_status copy_columns(const part *p, double *to, size_t to_stride, const double *from, size_t from_stride,
                              size_t columns, int slots, enum cudaMemcpyKind kind, cudaStream_t stream,
                              sd_error *error) {
  CUDA(p->device, cudaMemcpy2DAsync(to, to_stride * sizeof *to, from, from_stride * sizeof *from, columns * sizeof *to,
                                    (size_t)slots, kind, stream));
  return SD_OK;
}

/* ---- devices ---- */

static void describe(int device, char *text, size_t size) {
  struct cudaDeviceProp p;
  snprintf(text, size, "cannot be asked what it is");
  if (cudaGetDeviceProperties(&p, device)) return;
  sd_format(text, size, "%.80s, compute capability %d.%d, %d multiprocessors, %.1f GiB", p.name, p.major, p.minor,
            p.multiProcessorCount, (double)p.totalGlobalMem / 0x1p30);
}

size_t sd_devices(sd_device *devices, size_t room, char why[256]) {
  int count = 0;
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code) {
    cudaGetLastError();
    int driver = 0;
    if (code == cudaErrorInsufficientDriver && !cudaDriverGetVersion(&driver) && !driver)
      snprintf(why, 256, "no CUDA device: there is no NVIDIA driver");
    else snprintf(why, 256, "no CUDA device: %s", cudaGetErrorString(code));
    return 0;
  }
  if (!count) snprintf(why, 256, "no CUDA device");
  for (size_t i = 0; i < (size_t)count && i < room; i++) describe((int)i, devices[i].text, sizeof devices[i].text);
  return (size_t)count;
}

/* "0,1", or all there are. */
static sd_status choose_devices(cuda_backend *self, const char *given, sd_error *error) {
  char why[256], list[256], *rest = list;
  size_t present = sd_devices(NULL, 0, why);
  if (!present) return sd_fail(error, SD_BAD_INPUT, "backend cuda: %s", why);
  for (size_t i = 0; !*given && i < present && i < DEVICES_MOST; i++) self->device[self->device_count++] = (int)i;
  snprintf(list, sizeof list, "%s", given);
  for (char *item; *given && (item = sd_next_item(&rest));) {
    char *end;
    long number = strtol(item, &end, 10);
    if (end == item || *end || number < 0 || (size_t)number >= present)
      return sd_fail(error, SD_BAD_INPUT, "devices: '%s' is not one of the %zu devices, 0 to %zu", item, present,
                     present - 1);
    for (int i = 0; i < self->device_count; i++)
      if (self->device[i] == number) return sd_fail(error, SD_BAD_INPUT, "devices: %ld is named twice", number);
    if (self->device_count == DEVICES_MOST) return sd_fail(error, SD_BAD_INPUT, "devices: more than %d", DEVICES_MOST);
    self->device[self->device_count++] = (int)number;
  }
  return SD_OK;
}

/* ---- loading ---- */

static size_t blocks_of(const part *p) {
  return (p->count + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK;
}
static int resident(const part *p) {
  return p->batch == p->count;
}

static size_t gather_room(const part *p) { /* for any row at least, and for many rows of a few bodies */
  return p->count > 1 << 16 ? p->count : 1 << 16;
}

/* Arrays at base, or, without one, only how long they are together. */
static size_t lay_out(reduction *r, char *base, size_t rows, const part *p) {
  size_t at = 0;
#define ARRAY(name, count)       \
  r->name = (void *)(base + at); \
  at += ((count) * sizeof *r->name + 255) / 256 * 256
  r->base = base;
  ARRAY(partial, rows * blocks_of(p));
  ARRAY(mean, rows);
  ARRAY(lowest, rows);
  ARRAY(scale, rows);
  ARRAY(gathered_at, rows);
  ARRAY(gathered_count, rows);
  ARRAY(population, rows * SD_SLICES);
  ARRAY(wanted, rows * SD_SLICES);
  ARRAY(gathered, gather_room(p));
#undef ARRAY
  return at;
}

static void release(part *p) {
  if (cudaSetDevice(p->device)) cudaGetLastError(); /* nothing more can be done about a lost device */
  for (int i = 0; i < IN_FLIGHT; i++) {
    if (p->stream[i]) cudaStreamSynchronize(p->stream[i]);
    if (p->stream[i]) cudaStreamDestroy(p->stream[i]);
    cudaFree(p->slots[i]);
    p->slots[i] = NULL;
    p->stream[i] = NULL;
  }
  cudaFree(p->samples);
  cudaFree(p->exported);
  cudaFree(p->there.base);
  cudaFreeHost(p->here.base);
  p->samples = p->exported = NULL;
  p->there.base = p->here.base = NULL;
  cudaGetLastError();
}

static sd_status allocate(cuda_backend *self, part *p, sd_error *error) {
  size_t column = sd_slot_count(self->ensemble) * sizeof(double), rows = self->rows;
  reduction measure;
  size_t size = lay_out(&measure, NULL, rows, p);
  CUDA(p->device, cudaSetDevice(p->device));
  for (int i = 0; i < IN_FLIGHT; i++) CUDA(p->device, cudaStreamCreateWithFlags(&p->stream[i], cudaStreamNonBlocking));
  CUDA(p->device, cudaMalloc((void **)&p->samples, rows * p->count * sizeof(double)));
  CUDA(p->device, cudaMalloc((void **)&p->exported, EXPORT_BYTES));
  CUDA(p->device, cudaMalloc((void **)&p->there.base, size));
  CUDA(p->device, cudaMallocHost((void **)&p->here.base, size));
  lay_out(&p->there, p->there.base, rows, p);
  lay_out(&p->here, p->here.base, rows, p);
  for (int i = 0; i < (resident(p) ? 1 : IN_FLIGHT); i++)
    CUDA(p->device, cudaMalloc((void **)&p->slots[i], p->batch * column));
  return SD_OK;
}

/* All bodies, if they fit into what may be used, or as many as do, twice. */
static sd_status choose_batch(const cuda_backend *self, part *p, sd_error *error) {
  reduction measure;
  size_t free_bytes, total;
  CUDA(p->device, cudaSetDevice(p->device));
  CUDA(p->device, cudaMemGetInfo(&free_bytes, &total));
  double usable = 0.9 * (double)free_bytes, column = (double)(sd_slot_count(self->ensemble) * sizeof(double));
  if (self->memory > 0 && self->memory < usable) usable = self->memory;
  usable -= (double)(lay_out(&measure, NULL, self->rows, p) + self->rows * p->count * sizeof(double) + EXPORT_BYTES);
  p->batch = p->count;
  if (column * (double)p->count <= usable) return SD_OK;
  double fit = usable / (IN_FLIGHT * column);
  size_t blocks = fit > SD_REDUCE_BLOCK ? (size_t)(fit / SD_REDUCE_BLOCK) : 1;
  if (blocks * SD_REDUCE_BLOCK < p->count) p->batch = blocks * SD_REDUCE_BLOCK;
  return SD_OK;
}

static sd_status load_part(cuda_backend *self, part *p, sd_error *error) {
  SD_TRY(choose_batch(self, p, error));
  for (;;) {
    sd_error trouble = {0};
    sd_status status = allocate(self, p, &trouble);
    if (status) release(p);
    if (status == SD_NO_MEMORY && p->batch > SD_REDUCE_BLOCK) {
      p->batch = (p->batch / 2 + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK * SD_REDUCE_BLOCK;
      continue;
    }
    if (status == SD_NO_MEMORY)
      return sd_fail(error, status, "device %d: not even %zu bodies at a time fit into its memory (%s)", p->device,
                     p->batch, trouble.message);
    if (status) return sd_fail(error, status, "%s", trouble.message);
    break;
  }
  const sd_ensemble *e = self->ensemble;
  if (!resident(p)) return SD_OK;
  SD_TRY(copy_columns(p, p->slots[0], p->batch, e->slots + p->first, e->stride, p->count, (int)sd_slot_count(e),
                      cudaMemcpyHostToDevice, p->stream[0], error));
  CUDA(p->device, cudaStreamSynchronize(p->stream[0]));
  return SD_OK;
}

static void share_out(cuda_backend *self) {
  size_t bodies = self->ensemble->bodies, blocks = (bodies + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK, at = 0;
  size_t devices = (size_t)self->device_count;
  self->part_count = 0;
  for (size_t i = 0; i < devices; i++) {
    size_t share = blocks / devices + (i < blocks % devices), end = (at + share) * SD_REDUCE_BLOCK;
    if (!share) break;
    part *p = &self->part[self->part_count++];
    *p = (part){.device = self->device[i], .first = at * SD_REDUCE_BLOCK};
    p->count = (end < bodies ? end : bodies) - p->first;
    at += share;
  }
}

static void cuda_unload(sd_backend *base) {
  cuda_backend *self = (cuda_backend *)base;
  for (int i = 0; i < self->part_count; i++) release(&self->part[i]);
  if (self->registered && cudaHostUnregister(self->ensemble->slots)) cudaGetLastError();
  self->registered = self->part_count = 0;
}

static sd_status cuda_load(sd_backend *base, sd_ensemble *ensemble, int64_t rows, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  self->ensemble = ensemble;
  self->rows = (size_t)rows;
  share_out(self);
  /* copies from pinned memory go beside the computation; where it cannot be pinned they just take their turn */
  self->registered = !cudaHostRegister(ensemble->slots, sd_ensemble_bytes(ensemble), cudaHostRegisterPortable);
  if (!self->registered) cudaGetLastError();
  for (int i = 0; i < self->part_count; i++) SD_TRY(load_part(self, &self->part[i], error));
  return SD_OK;
}

/* ---- running ---- */

static sd_status launch(const part *p, sd_kernel kernel, const sd_job *job, size_t columns, unsigned block,
                        cudaStream_t stream, sd_error *error) {
  const void *handle; /* C has no cast for it */
  memcpy(&handle, &kernel, sizeof handle);
  size_t from = 0;
  void *arguments[] = {(void *)job, &from, &columns};
  dim3 grid = {(unsigned)((columns + block - 1) / block), 1, 1}, threads = {block, 1, 1};
  CUDA(p->device, cudaLaunchKernel(handle, grid, threads, arguments, 0, stream));
  return SD_OK;
}

static sd_job job_at(const part *p, const sd_job *given, size_t at, int buffer) {
  sd_job job = *given;
  job.slots = p->slots[buffer];
  job.stride = p->batch;
  job.origin += p->first + at;
  job.series = p->samples + at;
  job.series_stride = p->count;
  return job;
}

/* One batch of bodies: brought in and out unless they stay. */
static sd_status run_batch(const cuda_backend *self, const part *p, sd_kernel kernel, const sd_job *given, size_t at,
                           int buffer, sd_error *error) {
  const sd_ensemble *e = self->ensemble;
  size_t columns = p->count - at < p->batch ? p->count - at : p->batch;
  double *home = e->slots + p->first + at;
  sd_job job = job_at(p, given, at, buffer);
  int slots = (int)sd_slot_count(e);
  if (!resident(p))
    SD_TRY(copy_columns(p, p->slots[buffer], p->batch, home, e->stride, columns, slots, cudaMemcpyHostToDevice,
                        p->stream[buffer], error));
  SD_TRY(launch(p, kernel, &job, columns, (unsigned)self->block, p->stream[buffer], error));
  if (!resident(p))
    SD_TRY(copy_columns(p, home, e->stride, p->slots[buffer], p->batch, columns, slots, cudaMemcpyDeviceToHost,
                        p->stream[buffer], error));
  return SD_OK;
}

static sd_status wait_for(const part *p, sd_error *error) {
  CUDA(p->device, cudaSetDevice(p->device));
  for (int i = 0; i < IN_FLIGHT; i++) CUDA(p->device, cudaStreamSynchronize(p->stream[i]));
  return SD_OK;
}

static sd_status cuda_run(sd_backend *base, sd_kernel kernel, const sd_job *job, const sd_control *control,
                          sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  (void)control; /* what has been launched runs to its end */
  for (int i = 0; i < self->part_count; i++) {
    const part *p = &self->part[i];
    CUDA(p->device, cudaSetDevice(p->device));
    int turn = 0;
    for (size_t at = 0; at < p->count; at += p->batch)
      SD_TRY(run_batch(self, p, kernel, job, at, turn++ % IN_FLIGHT, error));
  }
  for (int i = 0; i < self->part_count; i++) SD_TRY(wait_for(&self->part[i], error));
  return SD_OK;
}

/* Columns of exported states that the buffer for them has room for. */
static size_t export_piece_of(const sd_kernels *kernels) {
  return EXPORT_BYTES / sizeof(double) / (size_t)(kernels->shown + 2);
}

/* Some columns of a batch that is on the device, through the buffer for exports. */
static sd_status export_piece(const cuda_backend *self, const part *p, const sd_kernels *kernels, const sd_job *given,
                              size_t at, size_t within, size_t columns, double *exported, size_t stride,
                              sd_error *error) {
  sd_job job = job_at(p, given, at + within, 0);
  job.slots += within;
  job.exported = p->exported;
  job.export_stride = export_piece_of(kernels);
  SD_TRY(launch(p, kernels->export_state, &job, columns, (unsigned)self->block, p->stream[0], error));
  SD_TRY(copy_columns(p, exported + p->first + at + within, stride, p->exported, job.export_stride, columns,
                      kernels->shown + 2, cudaMemcpyDeviceToHost, p->stream[0], error));
  CUDA(p->device, cudaStreamSynchronize(p->stream[0]));
  return SD_OK;
}

static sd_status cuda_export(sd_backend *base, const sd_kernels *kernels, const sd_job *job, size_t count,
                             double *exported, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  const sd_ensemble *e = self->ensemble;
  for (int i = 0; i < self->part_count && self->part[i].first < count; i++) {
    const part *p = &self->part[i];
    size_t wanted = count - p->first < p->count ? count - p->first : p->count;
    CUDA(p->device, cudaSetDevice(p->device));
    for (size_t at = 0; at < wanted; at += p->batch) {
      size_t columns = wanted - at < p->batch ? wanted - at : p->batch;
      if (!resident(p))
        SD_TRY(copy_columns(p, p->slots[0], p->batch, e->slots + p->first + at, e->stride, columns,
                            (int)sd_slot_count(e), cudaMemcpyHostToDevice, p->stream[0], error));
      for (size_t within = 0, piece = export_piece_of(kernels); within < columns; within += piece)
        SD_TRY(export_piece(self, p, kernels, job, at, within, columns - within < piece ? columns - within : piece,
                            exported, count, error));
    }
  }
  return SD_OK;
}

static sd_status cuda_store(sd_backend *base, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  const sd_ensemble *e = self->ensemble;
  for (int i = 0; i < self->part_count; i++) {
    const part *p = &self->part[i];
    if (!resident(p)) continue;
    CUDA(p->device, cudaSetDevice(p->device));
    SD_TRY(copy_columns(p, e->slots + p->first, e->stride, p->slots[0], p->batch, p->count, (int)sd_slot_count(e),
                        cudaMemcpyDeviceToHost, p->stream[0], error));
  }
  for (int i = 0; i < self->part_count; i++) SD_TRY(wait_for(&self->part[i], error));
  return SD_OK;
}

/* ---- reducing rows of samples ---- */

typedef struct {
  cuda_backend *self;
  size_t count;
  uint16_t row[SD_ROWS_MOST];
  sd_point *point[SD_ROWS_MOST];
} observation;

static sd_series_job series_job(const part *p, const uint16_t *rows, size_t count) {
  const reduction *r = &p->there;
  sd_series_job job = {p->samples, p->count,      p->count,  blocks_of(p), r->partial,     r->mean,           r->lowest,
                       r->scale,   r->population, r->wanted, r->gathered,  r->gathered_at, r->gathered_count, {0}};
  memcpy(job.row, rows, count * sizeof *rows);
  return job;
}

static sd_status reduce_on(const part *p, const void *kernel, const sd_series_job *job, size_t rows, sd_error *error) {
  void *arguments[] = {(void *)job};
  dim3 grid = {(unsigned)job->blocks, (unsigned)rows, 1}, threads = {SD_REDUCE_BLOCK, 1, 1};
  CUDA(p->device, cudaLaunchKernel(kernel, grid, threads, arguments, 0, p->stream[0]));
  return SD_OK;
}

#define UPLOAD(p, array, count)                                                                           \
  CUDA((p)->device, cudaMemcpyAsync((p)->there.array, (p)->here.array, (count) * sizeof *(p)->here.array, \
                                    cudaMemcpyHostToDevice, (p)->stream[0]))
#define DOWNLOAD(p, array, count)                                                                         \
  CUDA((p)->device, cudaMemcpyAsync((p)->here.array, (p)->there.array, (count) * sizeof *(p)->here.array, \
                                    cudaMemcpyDeviceToHost, (p)->stream[0]))

/* A kernel on the rows of every part, with its inputs, if it has some, and its partial results back on the host. */
static sd_status partials(const observation *o, const void *kernel, int with_means, sd_error *error) {
  for (int i = 0; i < o->self->part_count; i++) {
    const part *p = &o->self->part[i];
    sd_series_job job = series_job(p, o->row, o->count);
    CUDA(p->device, cudaSetDevice(p->device));
    for (size_t r = 0; r < o->count && with_means; r++) p->here.mean[r] = o->point[r]->mean;
    if (with_means) UPLOAD(p, mean, o->count);
    SD_TRY(reduce_on(p, kernel, &job, o->count, error));
    DOWNLOAD(p, partial, o->count * job.blocks);
  }
  for (int i = 0; i < o->self->part_count; i++) SD_TRY(wait_for(&o->self->part[i], error));
  return SD_OK;
}

/* The blocks' sums of one row, of all parts in the order of the bodies, joined. */
static double joined(const observation *o, size_t row, size_t member, double *sums) {
  size_t n = 0;
  for (int i = 0; i < o->self->part_count; i++) {
    const part *p = &o->self->part[i];
    for (size_t b = 0; b < blocks_of(p); b++)
      memcpy(&sums[n++], (const char *)&p->here.partial[row * blocks_of(p) + b] + member, sizeof *sums);
  }
  return sd_tree_join(sums, n);
}

static sd_status moments(const observation *o, double *sums, sd_error *error) {
  SD_TRY(partials(o, sd_series_kernels_cuda.moments, 0, error));
  for (size_t r = 0; r < o->count; r++) {
    size_t n = (size_t)joined(o, r, offsetof(sd_partial, count), sums);
    sd_point *point = o->point[r];
    *point = sd_point_blank(n);
    if (!n) continue;
    point->mean = joined(o, r, offsetof(sd_partial, sum), sums) / (double)n;
    point->lowest = INFINITY;
    point->highest = -INFINITY;
    for (int i = 0; i < o->self->part_count; i++) {
      const part *p = &o->self->part[i];
      for (const sd_partial *x = p->here.partial + r * blocks_of(p), *end = x + blocks_of(p); x < end; x++) {
        point->lowest = x->lowest < point->lowest ? x->lowest : point->lowest;
        point->highest = x->highest > point->highest ? x->highest : point->highest;
      }
    }
  }
  SD_TRY(partials(o, sd_series_kernels_cuda.squares, 1, error));
  for (size_t r = 0; r < o->count; r++) {
    double n = (double)o->point[r]->bodies;
    if (n > 1) o->point[r]->deviation = sqrt(joined(o, r, offsetof(sd_partial, squares), sums) / (n - 1));
  }
  return SD_OK;
}

/* How many values of each row are in each slice of its range, on every part. */
static sd_status slices(const observation *o, sd_error *error) {
  for (int i = 0; i < o->self->part_count; i++) {
    const part *p = &o->self->part[i];
    sd_series_job job = series_job(p, o->row, o->count);
    CUDA(p->device, cudaSetDevice(p->device));
    for (size_t r = 0; r < o->count; r++) {
      p->here.lowest[r] = o->point[r]->lowest;
      sd_row_kind_of(o->point[r]->lowest, o->point[r]->highest, &p->here.scale[r]);
    }
    UPLOAD(p, lowest, o->count);
    UPLOAD(p, scale, o->count);
    CUDA(p->device, cudaMemsetAsync(p->there.population, 0, o->count * SD_SLICES * sizeof(uint32_t), p->stream[0]));
    SD_TRY(reduce_on(p, sd_series_kernels_cuda.slices, &job, o->count, error));
    DOWNLOAD(p, population, o->count * SD_SLICES);
  }
  for (int i = 0; i < o->self->part_count; i++) SD_TRY(wait_for(&o->self->part[i], error));
  return SD_OK;
}

static size_t wanted_on(const part *p, size_t row) {
  size_t count = 0;
  for (size_t i = row * SD_SLICES; i < (row + 1) * SD_SLICES; i++)
    count += p->here.wanted[i] ? p->here.population[i] : 0;
  return count;
}

/* Marks the wanted slices of every row, from the populations of all parts. */
static void choose_slices(const observation *o, sd_ranks *ranks) {
  for (size_t r = 0; r < o->count; r++) {
    uint32_t population[SD_SLICES] = {0};
    unsigned char *wanted = o->self->part[0].here.wanted + r * SD_SLICES;
    for (int i = 0; i < o->self->part_count; i++)
      for (size_t k = 0; k < SD_SLICES; k++) population[k] += o->self->part[i].here.population[r * SD_SLICES + k];
    ranks[r] = sd_ranks_of(o->point[r]->bodies);
    sd_ranks_narrow(&ranks[r], population, wanted);
    for (int i = 1; i < o->self->part_count; i++)
      memcpy(o->self->part[i].here.wanted + r * SD_SLICES, wanted, SD_SLICES);
  }
}

/* The values in wanted slices of rows first .. last-1, on every part, brought to the host. */
static sd_status gather(const observation *o, size_t first, size_t last, sd_error *error) {
  for (int i = 0; i < o->self->part_count; i++) {
    const part *p = &o->self->part[i];
    size_t total = 0, rows = last - first;
    sd_series_job job = series_job(p, o->row + first, rows);
    job.lowest += first;
    job.scale += first;
    job.wanted += first * SD_SLICES;
    for (size_t r = 0; r < rows; r++) {
      p->here.gathered_at[r] = total;
      total += wanted_on(p, first + r);
    }
    CUDA(p->device, cudaSetDevice(p->device));
    UPLOAD(p, gathered_at, rows);
    CUDA(p->device, cudaMemsetAsync(p->there.gathered_count, 0, rows * sizeof(uint32_t), p->stream[0]));
    SD_TRY(reduce_on(p, sd_series_kernels_cuda.gather, &job, rows, error));
    if (total) DOWNLOAD(p, gathered, total);
  }
  for (int i = 0; i < o->self->part_count; i++) SD_TRY(wait_for(&o->self->part[i], error));
  return SD_OK;
}

/* Rows from `first` on, as many as every part has room to gather. */
static size_t rows_that_fit(const observation *o, size_t first) {
  size_t last = o->count;
  for (int i = 0; i < o->self->part_count; i++) {
    size_t row = first, total = 0;
    while (row < last && (total += wanted_on(&o->self->part[i], row)) <= gather_room(&o->self->part[i])) row++;
    last = row;
  }
  return last;
}

static sd_status quantiles(const observation *o, double *values, sd_error *error) {
  sd_ranks ranks[SD_ROWS_MOST];
  SD_TRY(slices(o, error));
  choose_slices(o, ranks);
  for (int i = 0; i < o->self->part_count; i++) {
    const part *p = &o->self->part[i];
    CUDA(p->device, cudaSetDevice(p->device));
    UPLOAD(p, wanted, o->count * SD_SLICES);
  }
  for (size_t first = 0, last; first < o->count; first = last) {
    last = rows_that_fit(o, first);
    SD_TRY(gather(o, first, last, error));
    for (size_t r = first; r < last; r++) {
      size_t n = 0;
      for (int i = 0; i < o->self->part_count; i++) {
        const part *p = &o->self->part[i];
        size_t count = wanted_on(p, r);
        memcpy(values + n, p->here.gathered + p->here.gathered_at[r - first], count * sizeof *values);
        n += count;
      }
      sd_quantiles_select(&ranks[r], values, n, o->point[r]->quantile);
    }
  }
  return SD_OK;
}

/* A row with values beyond all bounds cannot be cut into slices: it is selected from as a whole. */
static sd_status quantiles_of_whole(cuda_backend *self, uint16_t row, sd_point *point, double *values,
                                    sd_error *error) {
  size_t n = 0, bodies = self->ensemble->bodies;
  for (int i = 0; i < self->part_count; i++) {
    const part *p = &self->part[i];
    CUDA(p->device, cudaSetDevice(p->device));
    CUDA(p->device, cudaMemcpyAsync(values + p->first, p->samples + row * p->count, p->count * sizeof *values,
                                    cudaMemcpyDeviceToHost, p->stream[0]));
    SD_TRY(wait_for(p, error));
  }
  for (size_t i = 0; i < bodies; i++)
    if (values[i] == values[i]) values[n++] = values[i];
  sd_ranks ranks = sd_ranks_of(n);
  sd_quantiles_select(&ranks, values, n, point->quantile);
  return SD_OK;
}

static sd_status reduce_with(const observation *all, double *scratch, sd_error *error) {
  observation regular = {.self = all->self};
  SD_TRY(moments(all, scratch, error));
  for (size_t r = 0; r < all->count; r++) {
    sd_point *point = all->point[r];
    double scale;
    if (!point->bodies) continue;
    switch (sd_row_kind_of(point->lowest, point->highest, &scale)) {
    case SD_ROW_ALIKE:
      for (int q = 0; q < SD_QUANTILES; q++) point->quantile[q] = point->lowest;
      break;
    case SD_ROW_SLICED:
      regular.row[regular.count] = all->row[r];
      regular.point[regular.count++] = point;
      break;
    case SD_ROW_WHOLE: SD_TRY(quantiles_of_whole(all->self, all->row[r], point, scratch, error)); break;
    }
  }
  return regular.count ? quantiles(&regular, scratch, error) : SD_OK;
}

static sd_status cuda_reduce(sd_backend *base, const uint16_t *rows, size_t count, sd_point *points, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  observation o = {.self = self, .count = count};
  double *scratch = malloc(self->ensemble->bodies * sizeof *scratch);
  if (!scratch) return sd_fail(error, SD_NO_MEMORY, "samples of %zu bodies: out of memory", self->ensemble->bodies);
  memcpy(o.row, rows, count * sizeof *rows);
  for (size_t r = 0; r < count; r++) o.point[r] = &points[r];
  sd_status status = reduce_with(&o, scratch, error);
  free(scratch);
  return status;
}

/* ---- the backend ---- */

static void cuda_destroy(sd_backend *base) {
  cuda_unload(base);
  free(base);
}

static void name_devices(cuda_backend *self) {
  size_t size = sizeof self->base.devices;
  char text[160];
  describe(self->device[0], text, sizeof text);
  if (self->device_count == 1) snprintf(self->base.devices, size, "device %d: %.140s", self->device[0], text);
  else snprintf(self->base.devices, size, "%d devices, the first %.120s", self->device_count, text);
}

sd_status sd_backend_cuda_create(sd_backend **backend, const sd_plan *plan, sd_error *error) {
  cuda_backend *self = calloc(1, sizeof *self);
  *backend = (sd_backend *)self;
  if (!self) return sd_fail(error, SD_NO_MEMORY, "backend: out of memory");
  self->base = (sd_backend){.name = "cuda",
                            .variant = "cuda",
                            .threads = plan->thread_count,
                            .load = cuda_load,
                            .run = cuda_run,
                            .reduce = cuda_reduce,
                            .export_states = cuda_export,
                            .store = cuda_store,
                            .unload = cuda_unload,
                            .destroy = cuda_destroy};
  self->block = plan->block ? plan->block : BLOCK;
  self->memory = plan->device_memory * 0x1p20;
  SD_TRY(choose_devices(self, plan->devices, error));
  name_devices(self);
  return SD_OK;
}
