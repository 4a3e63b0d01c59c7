/* backend_cuda.c - one thread of a device integrates one body.
 *
 * Devices share the ensemble by ranges of bodies, in whole blocks of the reduction tree.  A device keeps its bodies for
 * the whole run where they fit; where they do not, batch after batch is copied in, advanced and copied out, two in
 * flight. The samples of all of a device's bodies are kept there, and the device answers what it is asked of them.
 * Every call's status is looked at: a failure names the device, the call and why. */
#include "backend.h"

#include "cuda_calls.h"
#include "number.h"
#include "points.h"
#include "systems_cuda.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MOST = 64, BLOCK = 128, EXPORT_BYTES = 1 << 17, IN_FLIGHT = 2, COMPANY = 32 };

/* What one device has. */
typedef struct {
  sd_part base;
  int device;
  size_t batch; /* of its bodies on the device at a time; all when it is count */
  double *slots[IN_FLIGHT], *samples, *exported;
  sd_series_job here, there; /* its sheet, in pinned memory of the host and on the device */
  void *here_memory, *there_memory;
  cudaStream_t stream[IN_FLIGHT];
} device_part;

typedef struct {
  sd_backend base;
  int block;
  double memory; /* bytes of each device to use; 0: what is free */
  int device[DEVICES_MOST], device_count;
  sd_ensemble *ensemble;
  int registered; /* the ensemble's memory is pinned */
  size_t rows;
  device_part part[DEVICES_MOST];
  sd_part *parts[DEVICES_MOST]; /* the same */
  int part_count;
  sd_cuda_systems *systems; /* where members are systems: these have all the rest */
} cuda_backend;

/* ---- calls ---- */

sd_status sd_cuda_failed(sd_error *error, int device, const char *call, cudaError_t code) {
  cudaGetLastError(); /* one that does not stay is done with */
  return sd_fail(error, code == cudaErrorMemoryAllocation ? SD_NO_MEMORY : SD_DEVICE, "device %d: %.*s: %s", device,
                 (int)strcspn(call, "("), call, cudaGetErrorString(code));
}

static sd_status copy_columns(const device_part *p, double *to, size_t to_stride, const double *from,
                              size_t from_stride, size_t columns, int slots, enum cudaMemcpyKind kind,
                              cudaStream_t stream, sd_error *error) {
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
  for (size_t i = 0; i < (size_t)count && i < room; i++) {
    sd_device *device = (sd_device *)((char *)devices + i * devices->size);
    device->size = devices->size;
    describe((int)i, device->text, sizeof device->text);
  }
  return (size_t)count;
}

/* Double-precision operations per clock of a multiprocessor, an fma being one, as the data sheets' FP64 rates give them
 * (bench/census names the cards). */
static int doubles_per_clock(int capability) {
  switch (capability) {
  case 80: return 32;
  case 90: return 64;
  case 89:
  case 120: return 2;
  default: return 0;
  }
}

double sd_device_peak(int device) {
  int major, minor, processors, kilohertz;
  int unknown = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ||
                cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) ||
                cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ||
                cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device);
  if (unknown) cudaGetLastError();
  int per_clock = unknown ? 0 : doubles_per_clock(10 * major + minor);
  return per_clock ? 1e3 * kilohertz * processors * per_clock : NAN;
}

/* "0,1", or all there are; of ranks on one machine each has its own, unless they are told otherwise. */
static sd_status choose_devices(cuda_backend *self, const char *given, const sd_ranks *ranks, sd_error *error) {
  char why[256], list[256], *rest = list;
  size_t present = sd_devices(NULL, 0, why);
  if (!present) return sd_fail(error, SD_BAD_INPUT, "backend cuda: %s", why);
  int shared = ranks && ranks->count > 1;
  for (size_t i = 0; !*given && !shared && i < present && i < DEVICES_MOST; i++)
    self->device[self->device_count++] = (int)i;
  if (!*given && shared) self->device[self->device_count++] = ranks->local % (int)present;
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

/* ---- what a part answers ---- */

static sd_status wait_for(const device_part *p, sd_error *error) {
  CUDA(p->device, cudaSetDevice(p->device));
  for (int i = 0; i < IN_FLIGHT; i++) CUDA(p->device, cudaStreamSynchronize(p->stream[i]));
  return SD_OK;
}

/* The arrays of a sheet from a row on. */
static sd_series_job sheet_from(const sd_series_job *sheet, size_t row) {
  sd_series_job from = *sheet;
  from.partial += row * from.blocks;
  from.mean += row;
  from.lowest += row;
  from.scale += row;
  from.population += row * SD_SLICES;
  from.wanted += row * SD_SLICES;
  from.gathered_at += row;
  from.gathered_count += row; /* sums are of one sample */
  return from;
}

#define UPLOAD(array, count) \
  CUDA(p->device,            \
       cudaMemcpyAsync(there.array, here.array, (count) * sizeof *here.array, cudaMemcpyHostToDevice, p->stream[0]))
#define DOWNLOAD(array, count) \
  CUDA(p->device,              \
       cudaMemcpyAsync(here.array, there.array, (count) * sizeof *here.array, cudaMemcpyDeviceToHost, p->stream[0]))
#define CLEAR(array, count) \
  CUDA(p->device, cudaMemsetAsync(there.array, 0, (count) * sizeof *there.array, p->stream[0]))

static sd_status device_ask(sd_part *base, size_t sheet, sd_question question, size_t first, size_t last,
                            sd_error *error) {
  const device_part *p = (const device_part *)base;
  sd_series_job here = sheet_from(&base->sheet[sheet], first), there = sheet_from(&p->there, first);
  size_t rows = last - first;
  memcpy(there.row, here.row + first, rows * sizeof *there.row);
  CUDA(p->device, cudaSetDevice(p->device));
  if (question == SD_ASK_SQUARES) UPLOAD(mean, rows);
  if (question == SD_ASK_POPULATION || question == SD_ASK_VALUES) {
    UPLOAD(lowest, rows);
    UPLOAD(scale, rows);
  }
  if (question == SD_ASK_POPULATION) CLEAR(population, rows * SD_SLICES);
  if (question == SD_ASK_VALUES) {
    UPLOAD(wanted, rows * SD_SLICES);
    UPLOAD(gathered_at, rows);
    CLEAR(gathered_count, rows);
  }
  memcpy(there.centre, here.centre, sizeof there.centre);
  void *arguments[] = {&there};
  dim3 grid = {(unsigned)there.blocks, (unsigned)rows, 1}, threads = {SD_REDUCE_BLOCK, 1, 1};
  CUDA(p->device, cudaLaunchKernel(sd_series_kernels_cuda[question], grid, threads, arguments, 0, p->stream[0]));
  if (question == SD_ASK_MOMENTS || question == SD_ASK_SQUARES) DOWNLOAD(partial, rows * there.blocks);
  if (question == SD_ASK_POPULATION) DOWNLOAD(population, rows * SD_SLICES);
  if (question == SD_ASK_VALUES && here.gathered_at[rows]) DOWNLOAD(gathered, here.gathered_at[rows]);
  if (question == SD_ASK_CENTRE || question == SD_ASK_SPREAD)
    DOWNLOAD(sums, (size_t)sd_moment_sums(&there.coordinates) * there.blocks);
  return SD_OK;
}

static sd_status device_wait(sd_part *base, sd_error *error) {
  return wait_for((const device_part *)base, error);
}

static sd_status device_copy_row(sd_part *base, size_t row, double *samples, sd_error *error) {
  const device_part *p = (const device_part *)base;
  CUDA(p->device, cudaSetDevice(p->device));
  CUDA(p->device, cudaMemcpyAsync(samples, p->samples + row * base->count, base->count * sizeof *samples,
                                  cudaMemcpyDeviceToHost, p->stream[0]));
  return wait_for(p, error);
}

/* ---- loading ---- */

static int resident(const device_part *p) {
  return p->batch == p->base.count;
}

static size_t sheet_size(const cuda_backend *self, const device_part *p) {
  sd_series_job sheet = p->here;
  return sd_sheet_lay_out(&sheet, NULL, self->rows, p->base.room);
}

static void release(device_part *p) {
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
  cudaFree(p->there_memory);
  cudaFreeHost(p->here_memory);
  p->samples = p->exported = NULL;
  p->there_memory = p->here_memory = NULL;
  cudaGetLastError();
}

/* Of a body on the device: its slots, and below them the numbers that it has of its own. */
static size_t column_bytes(const cuda_backend *self) {
  return (sd_slot_count(self->ensemble) + self->ensemble->variety.rows) * sizeof(double);
}

static sd_status allocate(cuda_backend *self, device_part *p, sd_error *error) {
  size_t column = column_bytes(self), rows = self->rows;
  size_t size = sheet_size(self, p);
  CUDA(p->device, cudaSetDevice(p->device));
  for (int i = 0; i < IN_FLIGHT; i++) CUDA(p->device, cudaStreamCreateWithFlags(&p->stream[i], cudaStreamNonBlocking));
  CUDA(p->device, cudaMalloc((void **)&p->samples, rows * p->base.count * sizeof(double)));
  CUDA(p->device, cudaMalloc((void **)&p->exported, EXPORT_BYTES));
  CUDA(p->device, cudaMalloc(&p->there_memory, size));
  CUDA(p->device, cudaMallocHost(&p->here_memory, size));
  p->there.samples = p->samples;
  sd_sheet_lay_out(&p->there, p->there_memory, rows, p->base.room);
  sd_sheet_lay_out(&p->here, p->here_memory, rows, p->base.room);
  for (int i = 0; i < (resident(p) ? 1 : IN_FLIGHT); i++)
    CUDA(p->device, cudaMalloc((void **)&p->slots[i], p->batch * column));
  return SD_OK;
}

/* All bodies, if they fit into what may be used, or as many as do, twice. */
static sd_status choose_batch(const cuda_backend *self, device_part *p, sd_error *error) {
  size_t free_bytes, total;
  CUDA(p->device, cudaSetDevice(p->device));
  CUDA(p->device, cudaMemGetInfo(&free_bytes, &total));
  double usable = 0.9 * (double)free_bytes, column = (double)column_bytes(self);
  if (self->memory > 0 && self->memory < usable) usable = self->memory;
  usable -= (double)(sheet_size(self, p) + self->rows * p->base.count * sizeof(double) + EXPORT_BYTES);
  p->batch = p->base.count;
  if (column * (double)p->base.count <= usable) return SD_OK;
  double fit = usable / (IN_FLIGHT * column);
  size_t blocks = fit > SD_REDUCE_BLOCK ? (size_t)(fit / SD_REDUCE_BLOCK) : 1;
  if (blocks * SD_REDUCE_BLOCK < p->base.count) p->batch = blocks * SD_REDUCE_BLOCK;
  return SD_OK;
}

static double *numbers_on(const cuda_backend *self, const device_part *p, int buffer) {
  return p->slots[buffer] + sd_slot_count(self->ensemble) * p->batch;
}

/* Bodies at .. at + columns - 1 of a part, with the numbers of their own. */
static sd_status bring_in(const cuda_backend *self, const device_part *p, size_t at, size_t columns, int buffer,
                          sd_error *error) {
  const sd_ensemble *e = self->ensemble;
  size_t first = p->base.first + at;
  SD_TRY(copy_columns(p, p->slots[buffer], p->batch, e->slots + first, e->stride, columns, (int)sd_slot_count(e),
                      cudaMemcpyHostToDevice, p->stream[buffer], error));
  if (!e->variety.rows) return SD_OK;
  return copy_columns(p, numbers_on(self, p, buffer), p->batch, e->variety.number + first, e->variety.map.stride,
                      columns, (int)e->variety.rows, cudaMemcpyHostToDevice, p->stream[buffer], error);
}

static sd_status load_part(cuda_backend *self, device_part *p, sd_error *error) {
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
  if (!resident(p)) return SD_OK;
  SD_TRY(bring_in(self, p, 0, p->base.count, 0, error));
  CUDA(p->device, cudaStreamSynchronize(p->stream[0]));
  return SD_OK;
}

static device_part make_part(int device, const sd_coordinates *coordinates, size_t first, size_t count) {
  device_part p = {.device = device};
  size_t room = count > 1 << 16 ? count : 1 << 16; /* for any row at least, and for many rows of a few bodies */
  p.base = (sd_part){.first = first,
                     .count = count,
                     .room = room,
                     .ask = device_ask,
                     .wait = device_wait,
                     .copy_row = device_copy_row};
  p.here = p.there =
      (sd_series_job){.stride = count, .columns = count, .blocks = sd_blocks_of(count), .coordinates = *coordinates};
  return p;
}

static void share_out(cuda_backend *self) {
  size_t bodies = self->ensemble->bodies, blocks = sd_blocks_of(bodies), at = 0;
  size_t devices = (size_t)self->device_count;
  self->part_count = 0;
  for (size_t i = 0; i < devices; i++) {
    size_t share = blocks / devices + (i < blocks % devices);
    size_t first = at * SD_REDUCE_BLOCK, end = (at + share) * SD_REDUCE_BLOCK;
    if (!share) break;
    device_part *p = &self->part[self->part_count++];
    *p = make_part(self->device[i], &self->ensemble->coordinates, first, (end < bodies ? end : bodies) - first);
    p->base.sheet = &p->here;
    self->parts[self->part_count - 1] = &p->base;
    at += share;
  }
  self->base.parts = (sd_parts){self->parts, (size_t)self->part_count, bodies, 1, self->rows};
}

static void cuda_unload(sd_backend *base) {
  cuda_backend *self = (cuda_backend *)base;
  for (int i = 0; i < self->part_count; i++) release(&self->part[i]);
  if (self->registered && cudaHostUnregister(self->ensemble->slots)) cudaGetLastError();
  self->registered = self->part_count = 0;
  sd_cuda_systems_destroy(self->systems);
  self->systems = NULL;
}

static void name_devices(cuda_backend *self, int count) {
  size_t size = sizeof self->base.devices;
  char text[160];
  describe(self->device[0], text, sizeof text);
  if (count == 1) snprintf(self->base.devices, size, "device %d: %.100s", self->device[0], text);
  else snprintf(self->base.devices, size, "%d devices, the first %.90s", count, text);
}

/* Which devices have some of them is told with the result. */
static sd_status load_systems(cuda_backend *self, const sd_ensemble *e, int64_t rows, sd_error *error) {
  const sd_cuda_devices devices = {self->device, self->device_count, (unsigned)self->block, self->memory};
  SD_TRY(sd_cuda_systems_load(&self->systems, &self->base, &devices, e, rows, error));
  name_devices(self, sd_cuda_systems_devices(self->systems));
  return SD_OK;
}

static sd_status cuda_load(sd_backend *base, sd_ensemble *ensemble, int64_t rows, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  self->ensemble = ensemble;
  self->rows = (size_t)rows;
  base->neighbours = (sd_neighbour_cost){0};
  if (ensemble->bodies_each) return load_systems(self, ensemble, rows, error);
  share_out(self);
  /* copies from pinned memory go beside the computation; where it cannot be pinned they just take their turn */
  self->registered = !cudaHostRegister(ensemble->slots, sd_ensemble_bytes(ensemble), cudaHostRegisterPortable);
  if (!self->registered) cudaGetLastError();
  for (int i = 0; i < self->part_count; i++) SD_TRY(load_part(self, &self->part[i], error));
  return SD_OK;
}

/* ---- running ---- */

static sd_status launch(const device_part *p, sd_kernel kernel, const sd_job *job, size_t columns, unsigned block,
                        cudaStream_t stream, sd_error *error) {
  const void *handle; /* C has no cast for it */
  memcpy(&handle, &kernel, sizeof handle);
  size_t from = 0;
  void *arguments[] = {(void *)job, &from, &columns};
  dim3 grid = {(unsigned)((columns + block - 1) / block), 1, 1}, threads = {block, 1, 1};
  CUDA(p->device, cudaLaunchKernel(handle, grid, threads, arguments, 0, stream));
  return SD_OK;
}

static sd_job job_at(const cuda_backend *self, const device_part *p, const sd_job *given, size_t at, int buffer) {
  sd_job job = *given;
  job.slots = p->slots[buffer];
  job.stride = p->batch;
  job.origin += p->base.first + at;
  job.series = p->samples + at;
  job.series_stride = p->base.count;
  if (job.varied.number) job.varied.number = numbers_on(self, p, buffer);
  job.varied.stride = p->batch;
  return job;
}

/* One batch of bodies: brought in and out unless they stay. */
static sd_status run_batch(const cuda_backend *self, const device_part *p, sd_kernel kernel, const sd_job *given,
                           size_t at, int buffer, sd_error *error) {
  const sd_ensemble *e = self->ensemble;
  size_t columns = p->base.count - at < p->batch ? p->base.count - at : p->batch;
  double *home = e->slots + p->base.first + at;
  sd_job job = job_at(self, p, given, at, buffer);
  int slots = (int)sd_slot_count(e);
  if (!resident(p)) SD_TRY(bring_in(self, p, at, columns, buffer, error));
  SD_TRY(launch(p, kernel, &job, columns, (unsigned)self->block, p->stream[buffer], error));
  if (!resident(p))
    SD_TRY(copy_columns(p, home, e->stride, p->slots[buffer], p->batch, columns, slots, cudaMemcpyDeviceToHost,
                        p->stream[buffer], error));
  return SD_OK;
}

static sd_status cuda_run(sd_backend *base, sd_kernel kernel, const sd_job *job, const sd_control *control,
                          sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  if (self->systems) {
    sd_status status = kernel == self->ensemble->kernels->begin
                           ? sd_cuda_systems_begin(self->systems, job, error)
                           : sd_cuda_systems_advance(self->systems, job, control, error);
    base->neighbours.rebuilds = sd_cuda_systems_rebuilds(self->systems);
    return status;
  }
  /* what has been launched runs to its end, whatever the control says */
  for (int i = 0; i < self->part_count; i++) {
    const device_part *p = &self->part[i];
    CUDA(p->device, cudaSetDevice(p->device));
    int turn = 0;
    for (size_t at = 0; at < p->base.count; at += p->batch)
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
static sd_status export_piece(const cuda_backend *self, const device_part *p, const sd_kernels *kernels,
                              const sd_job *given, size_t at, size_t within, size_t columns, double *exported,
                              size_t stride, sd_error *error) {
  sd_job job = job_at(self, p, given, at + within, 0);
  job.slots += within;
  if (job.varied.number) job.varied.number += within;
  job.exported = p->exported;
  job.export_stride = export_piece_of(kernels);
  SD_TRY(launch(p, kernels->export_state, &job, columns, (unsigned)self->block, p->stream[0], error));
  SD_TRY(copy_columns(p, exported + p->base.first + at + within, stride, p->exported, job.export_stride, columns,
                      kernels->shown + 2, cudaMemcpyDeviceToHost, p->stream[0], error));
  CUDA(p->device, cudaStreamSynchronize(p->stream[0]));
  return SD_OK;
}

static sd_status cuda_export(sd_backend *base, const sd_kernels *kernels, const sd_job *job, size_t count,
                             double *exported, sd_error *error) {
  cuda_backend *self = (cuda_backend *)base;
  if (self->systems) return sd_cuda_systems_export(self->systems, job, count, exported, error);
  for (int i = 0; i < self->part_count && self->part[i].base.first < count; i++) {
    const device_part *p = &self->part[i];
    size_t wanted = count - p->base.first < p->base.count ? count - p->base.first : p->base.count;
    CUDA(p->device, cudaSetDevice(p->device));
    for (size_t at = 0; at < wanted; at += p->batch) {
      size_t columns = wanted - at < p->batch ? wanted - at : p->batch;
      if (!resident(p)) SD_TRY(bring_in(self, p, at, columns, 0, error));
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
  if (self->systems) return sd_cuda_systems_store(self->systems, error);
  for (int i = 0; i < self->part_count; i++) {
    const device_part *p = &self->part[i];
    if (!resident(p)) continue;
    CUDA(p->device, cudaSetDevice(p->device));
    SD_TRY(copy_columns(p, e->slots + p->base.first, e->stride, p->slots[0], p->batch, p->base.count,
                        (int)sd_slot_count(e), cudaMemcpyDeviceToHost, p->stream[0], error));
  }
  for (int i = 0; i < self->part_count; i++) SD_TRY(wait_for(&self->part[i], error));
  return SD_OK;
}

/* ---- the backend ---- */

/* Fewer systems, side by side, do not keep the devices busy. */
static int is_for_bodies(const sd_backend *base, const sd_specification *spec) {
  return sd_batch_members(spec) < (size_t)COMPANY * (size_t)((const cuda_backend *)base)->device_count;
}

static void cuda_destroy(sd_backend *base) {
  cuda_unload(base);
  free(base);
}

sd_status sd_backend_cuda_create(sd_backend **backend, const sd_place *place, sd_error *error) {
  cuda_backend *self = calloc(1, sizeof *self);
  *backend = (sd_backend *)self;
  if (!self) return sd_fail(error, SD_NO_MEMORY, "backend: out of memory");
  self->base = (sd_backend){.name = "cuda",
                            .variant = "cuda",
                            .way = {"a block of threads for each system", "a thread for each body"},
                            .threads = place->threads,
                            .lanes = (sd_lanes)place->lanes,
                            .skin = place->skin,
                            .sort = (sd_sort)place->sort,
                            .load = cuda_load,
                            .run = cuda_run,
                            .export_states = cuda_export,
                            .store = cuda_store,
                            .unload = cuda_unload,
                            .is_for_bodies = is_for_bodies,
                            .destroy = cuda_destroy};
  self->block = place->block ? place->block : BLOCK;
  self->memory = place->device_memory * 0x1p20;
  SD_TRY(choose_devices(self, place->devices, place->ranks, error));
  name_devices(self, self->device_count);
  return SD_OK;
}
