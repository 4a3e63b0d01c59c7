#include "field_cuda.h"

#include "cuda_calls.h"
#include "field_engine.h"

#include "../kernels/series_job.h"

#include <stdlib.h>
#include <string.h>

enum { BINNING = 256 }; /* threads that lay a member's cells and add up how many are in them */

/* What the device has: all arrays of `of` and `topology` are there; name and at are among those of `of` where bodies
 * are in another order than that of their numbers. */
typedef struct {
  sd_field_place on;
  cudaStream_t stream;
  sd_field of;
  sd_topology topology;
  sd_differing differing; /* tables of the members that are here */
  double *kept;
  uint32_t *cell_memory, *name, *at;
  double *iterations; /* on the host, as they came */
  double used;        /* bytes */
} device_field;

/* ---- memory ---- */

static sd_status make_array(device_field *d, void **array, size_t bytes, sd_error *error) {
  d->used += (double)bytes;
  if (d->used > d->on.memory)
    return sd_fail(error, SD_NO_MEMORY, "device %d: %.3g MiB are more than may be used of it", d->on.device,
                   d->used / 0x1p20);
  CUDA(d->on.device, cudaMalloc(array, bytes + sizeof(double)));
  CUDA(d->on.device, cudaMemsetAsync(*array, 0, bytes + sizeof(double), d->stream));
  return SD_OK;
}
#define ARRAY(array, count) SD_TRY(make_array(d, (void **)&(array), (count) * sizeof *(array), error))

static sd_status copy(const device_field *d, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                      sd_error *error) {
  CUDA(d->on.device, cudaMemcpyAsync(to, from, bytes, kind, d->stream));
  return SD_OK;
}
#define UPLOAD(to, from, count) SD_TRY(copy(d, to, from, (count) * sizeof *(to), cudaMemcpyHostToDevice, error))
#define DOWNLOAD(to, from, count) SD_TRY(copy(d, to, from, (count) * sizeof *(to), cudaMemcpyDeviceToHost, error))

static sd_status wait_for(const device_field *d, sd_error *error) {
  CUDA(d->on.device, cudaStreamSynchronize(d->stream));
  return SD_OK;
}

static sd_status make_topology(device_field *d, const sd_topology_sizes *n, sd_error *error) {
  sd_topology *to = &d->topology;
  to->size = *n;
  ARRAY(to->species_of, (size_t)n->pitch);
  ARRAY(to->species, (size_t)n->species * SD_SPECIES_NUMBERS);
  ARRAY(to->points, (size_t)n->species * n->points * SD_POINT_NUMBERS);
  ARRAY(to->kind, (size_t)n->kinds * SD_BOND_NUMBERS);
  ARRAY(to->partner, (size_t)n->degree * n->pitch);
  ARRAY(to->partner_kind, (size_t)n->degree * n->pitch);
  ARRAY(d->name, (size_t)n->pitch);
  ARRAY(d->at, (size_t)n->pitch);
  return SD_OK;
}
static sd_status upload_topology(device_field *d, const sd_topology *t, sd_error *error) {
  const sd_topology_sizes *n = &t->size;
  const sd_topology *to = &d->topology;
  UPLOAD(to->species_of, t->species_of, (size_t)n->pitch);
  UPLOAD(to->species, t->species, (size_t)n->species * SD_SPECIES_NUMBERS);
  UPLOAD(to->points, t->points, (size_t)n->species * n->points * SD_POINT_NUMBERS);
  UPLOAD(to->kind, t->kind, (size_t)n->kinds * SD_BOND_NUMBERS);
  UPLOAD(to->partner, t->partner, (size_t)n->degree * n->pitch);
  UPLOAD(to->partner_kind, t->partner_kind, (size_t)n->degree * n->pitch);
  return SD_OK;
}

/* Tables follow one another as members do: those of some members do, too. */
static sd_status make_tables(const sd_bodies_field *f, device_field *d, sd_error *error) {
  const sd_differing *from = &f->ensemble->differences.map;
  if (!from->table) return SD_OK;
  const uint32_t *of = from->of + f->ensemble->column;
  size_t tables = of[f->members - 1] - of[0] + 1, numbers = tables * from->width;
  uint32_t *places = malloc(f->members * sizeof *places);
  if (!places) return sd_fail(error, SD_NO_MEMORY, "tables of %zu systems: out of memory", f->members);
  for (size_t i = 0; i < f->members; i++) places[i] = of[i] - of[0];
  double *table = NULL;
  uint32_t *there = NULL;
  sd_status status = make_array(d, (void **)&table, numbers * sizeof *table, error);
  d->differing = (sd_differing){.table = table, .width = from->width, .kind = from->kind};
  if (!status) status = make_array(d, (void **)&there, f->members * sizeof *there, error);
  d->differing.of = there;
  if (!status)
    status = copy(d, table, from->table + of[0] * from->width, numbers * sizeof *table, cudaMemcpyHostToDevice, error);
  if (!status) status = copy(d, there, places, f->members * sizeof *places, cudaMemcpyHostToDevice, error);
  if (!status) status = wait_for(d, error);
  free(places);
  return status;
}

static sd_status lay_out_cells(const sd_bodies_field *f, device_field *d, sd_error *error) {
  size_t room = sd_cells_room(f->bodies), each = room + f->bodies;
  ARRAY(d->cell_memory, f->members * each);
  ARRAY(d->of.cells, f->members);
  sd_cells *cells = calloc(f->members, sizeof *cells);
  if (!cells) return sd_fail(error, SD_NO_MEMORY, "cells of %zu systems: out of memory", f->members);
  for (size_t i = 0; i < f->members; i++) {
    cells[i].start = d->cell_memory + i * each;
    cells[i].body = cells[i].start + room;
  }
  sd_status status = copy(d, d->of.cells, cells, f->members * sizeof *cells, cudaMemcpyHostToDevice, error);
  if (!status) status = wait_for(d, error);
  free(cells);
  return status;
}

static sd_status make_near(sd_bodies_field *f, uint32_t most, sd_error *error) {
  device_field *d = f->device;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  CUDA(d->on.device, cudaFree(d->of.near));
  d->of.near = NULL;
  d->used -= (double)((size_t)d->of.near_most * f->of.pitch * sizeof *d->of.near);
  f->of.near_most = d->of.near_most = most;
  ARRAY(d->of.near, (size_t)most * f->of.pitch);
  return SD_OK;
}

static sd_status allocate(sd_bodies_field *f, sd_error *error) {
  device_field *d = f->device;
  size_t pitch = f->of.pitch;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  CUDA(d->on.device, cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
  d->of.pitch = d->of.acting_pitch = pitch;
  d->of.bodies = f->of.bodies;
  ARRAY(d->of.number, (size_t)f->common->rows * pitch);
  d->of.now = d->of.next = d->of.number; /* passes are apart here: a body turns in its place */
  ARRAY(d->kept, (size_t)f->common->numbers * pitch);
  ARRAY(d->of.acting, (size_t)f->common->acting * pitch);
  ARRAY(d->of.passing, (size_t)f->own->passing * pitch);
  ARRAY(d->of.near_count, pitch);
  ARRAY(d->of.moved, f->members);
  ARRAY(d->of.trouble, f->members);
  ARRAY(d->of.rebuilds, f->members);
  ARRAY(d->of.iterations, 2 * pitch);
  d->iterations = calloc(2 * pitch, sizeof *d->iterations);
  if (!d->iterations) return sd_fail(error, SD_NO_MEMORY, "iterations of %zu bodies: out of memory", pitch);
  ARRAY(d->of.ledger, f->members * f->blocks * (size_t)f->common->quantities);
  SD_TRY(lay_out_cells(f, d, error));
  SD_TRY(make_topology(d, &f->topology.size, error));
  SD_TRY(make_tables(f, d, error));
  SD_TRY(make_near(f, SD_NEAR_AT_FIRST, error));
  return wait_for(d, error);
}

static void destroy(sd_bodies_field *f) {
  device_field *d = f->device;
  if (!d) return;
  if (cudaSetDevice(d->on.device)) cudaGetLastError(); /* nothing more can be done about a lost device */
  if (d->stream) cudaStreamSynchronize(d->stream);
  if (d->stream) cudaStreamDestroy(d->stream);
  const sd_topology *t = &d->topology;
  void *const all[] = {d->of.acting,
                       d->of.number,
                       d->kept,
                       d->of.passing,
                       d->of.near_count,
                       d->of.moved,
                       d->of.trouble,
                       d->of.iterations,
                       d->of.ledger,
                       d->cell_memory,
                       d->of.cells,
                       d->of.near,
                       t->species_of,
                       t->species,
                       t->points,
                       t->kind,
                       t->partner,
                       t->partner_kind,
                       d->name,
                       d->at,
                       d->of.rebuilds,
                       (void *)d->differing.table,
                       (void *)d->differing.of};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) cudaFree(all[i]);
  cudaGetLastError();
  free(d->iterations);
  free(d);
  f->device = NULL;
}

/* ---- launches ---- */

static sd_status launch(const device_field *d, sd_pass pass, const sd_job *job, size_t units, size_t blocks,
                        unsigned threads, int number, sd_error *error) {
  const void *handle; /* C has no cast for it */
  memcpy(&handle, &pass, sizeof handle);
  size_t from = 0;
  void *arguments[] = {(void *)job, &from, &units, &number};
  dim3 grid = {(unsigned)blocks, 1, 1}, block = {threads, 1, 1};
  CUDA(d->on.device, cudaLaunchKernel(handle, grid, block, arguments, 0, d->stream));
  return SD_OK;
}
static sd_status over_places(const sd_bodies_field *f, sd_pass pass, const sd_job *job, int stage, sd_error *error) {
  const device_field *d = f->device;
  size_t places = f->members * f->of.bodies, block = d->on.block;
  return launch(d, pass, job, places, (places + block - 1) / block, (unsigned)block, stage, error);
}
static sd_status over_members(const sd_bodies_field *f, sd_pass pass, const sd_job *job, unsigned threads, int number,
                              sd_error *error) {
  return launch(f->device, pass, job, f->members, f->members, threads, number, error);
}

/* New lists for the members that have moved, which the device knows. */
static sd_status look_around(const sd_bodies_field *f, const sd_job *job, sd_error *error) {
  const device_field *d = f->device;
  SD_TRY(over_members(f, f->common->lay, job, BINNING, 0, error));
  SD_TRY(over_places(f, f->common->count, job, 0, error));
  SD_TRY(over_members(f, f->common->scan, job, BINNING, 0, error));
  SD_TRY(over_places(f, f->common->fill, job, 0, error));
  SD_TRY(over_places(f, f->common->neighbours, job, 0, error));
  CUDA(d->on.device, cudaMemsetAsync(d->of.moved, 0, f->members * sizeof *d->of.moved, d->stream));
  return SD_OK;
}

static sd_status step_by_passes(const sd_bodies_field *f, const sd_job *job, int64_t steps, sd_error *error) {
  for (int64_t n = 0; n < steps; n++)
    for (int stage = 0; stage < job->stages; stage++) {
      SD_TRY(over_places(f, f->own->turn, job, stage, error));
      SD_TRY(look_around(f, job, error));
      SD_TRY(over_places(f, f->common->forces, job, stage, error));
      SD_TRY(over_places(f, f->own->finish, job, stage, error));
    }
  return over_places(f, f->common->check, job, 0, error);
}

/* No more threads than a member has bodies, in whole warps. */
static unsigned threads_of_member(const sd_bodies_field *f) {
  const device_field *d = f->device;
  size_t warps = (f->bodies + 31) / 32;
  return warps * 32 < d->on.block ? (unsigned)warps * 32 : d->on.block;
}

/* ---- the engine ---- */

/* What the story has changed goes there first. */
static sd_status job_there(const sd_bodies_field *f, const sd_job *given, sd_job *job, sd_error *error) {
  const device_field *d = f->device;
  *job = *given;
  job->field = d->of;
  job->topology = d->topology;
  job->differing = d->differing;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  UPLOAD(d->of.trouble, f->of.trouble, f->members);
  return SD_OK;
}

static sd_status send(sd_bodies_field *f, sd_error *error) {
  device_field *d = f->device;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  SD_TRY(upload_topology(d, &f->topology, error));
  d->of.name = f->of.name ? d->name : NULL;
  d->of.at = f->of.at ? d->at : NULL;
  if (f->of.name) UPLOAD(d->name, f->of.name, f->of.bodies);
  if (f->of.at) UPLOAD(d->at, f->of.at, f->of.bodies);
  UPLOAD(d->of.number, f->of.number, (size_t)f->common->numbers * f->of.pitch);
  return wait_for(d, error);
}

static sd_status fetch(sd_bodies_field *f, sd_error *error) {
  device_field *d = f->device;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  DOWNLOAD(f->of.number, d->of.number, (size_t)f->common->numbers * f->of.pitch);
  return wait_for(d, error);
}

/* What the story looks at when something was done. */
static sd_status download_flags(sd_bodies_field *f, sd_error *error) {
  const device_field *d = f->device;
  DOWNLOAD(f->of.trouble, d->of.trouble, f->members);
  DOWNLOAD(f->of.rebuilds, d->of.rebuilds, f->members);
  return SD_OK;
}

static sd_status recall(sd_bodies_field *f, const sd_job *given, int starting, sd_error *error) {
  device_field *d = f->device;
  sd_job job;
  SD_TRY(job_there(f, given, &job, error));
  CUDA(d->on.device, cudaMemsetAsync(d->of.moved, 1, f->members * sizeof *d->of.moved, d->stream));
  if (starting) SD_TRY(over_places(f, f->common->settle, &job, 0, error));
  SD_TRY(look_around(f, &job, error));
  SD_TRY(over_places(f, starting ? f->common->forces : f->common->first_forces, &job, 0, error));
  if (starting && f->own->begin) SD_TRY(over_places(f, f->own->begin, &job, 0, error));
  SD_TRY(download_flags(f, error));
  return wait_for(d, error);
}

/* Those of a member's bodies. */
static void join_iterations(sd_bodies_field *f) {
  const device_field *d = f->device;
  for (size_t i = 0; i < f->members; i++) {
    const double *all = d->iterations + i * f->of.bodies, *each = all + f->of.pitch;
    double sum = 0, most = 0;
    for (size_t b = 0; b < f->bodies; b++) {
      sum += all[b];
      most = each[b] > most ? each[b] : most;
    }
    f->iterations[2 * i] = sum;
    f->iterations[2 * i + 1] = most;
  }
}

static sd_status step(sd_bodies_field *f, const sd_job *given, int64_t steps, sd_error *error) {
  device_field *d = f->device;
  size_t bytes = (size_t)f->common->numbers * f->of.pitch * sizeof *d->kept;
  sd_job job;
  SD_TRY(job_there(f, given, &job, error));
  SD_TRY(copy(d, d->kept, d->of.number, bytes, cudaMemcpyDeviceToDevice, error));
  CUDA(d->on.device, cudaMemsetAsync(d->of.iterations, 0, 2 * f->of.pitch * sizeof *d->of.iterations, d->stream));
  SD_TRY(d->on.member_a_block ? over_members(f, f->own->stretch, &job, threads_of_member(f), (int)steps, error)
                              : step_by_passes(f, &job, steps, error));
  SD_TRY(download_flags(f, error));
  DOWNLOAD(d->iterations, d->of.iterations, 2 * f->of.pitch);
  SD_TRY(wait_for(d, error));
  join_iterations(f);
  return SD_OK;
}

static sd_status go_back(sd_bodies_field *f, sd_error *error) {
  device_field *d = f->device;
  size_t bytes = (size_t)f->common->numbers * f->of.pitch * sizeof *d->kept;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  return copy(d, d->of.number, d->kept, bytes, cudaMemcpyDeviceToDevice, error);
}

static sd_status put_back(sd_bodies_field *f, size_t member, sd_error *error) {
  device_field *d = f->device;
  size_t pitch = f->of.pitch * sizeof *d->kept, first = member * f->of.bodies;
  CUDA(d->on.device, cudaSetDevice(d->on.device));
  CUDA(d->on.device,
       cudaMemcpy2DAsync(d->of.number + first, pitch, d->kept + first, pitch, f->of.bodies * sizeof *d->kept,
                         (size_t)f->common->numbers, cudaMemcpyDeviceToDevice, d->stream));
  return SD_OK;
}

static sd_status add_up(sd_bodies_field *f, const sd_job *given, sd_error *error) {
  device_field *d = f->device;
  size_t blocks = f->members * f->blocks;
  sd_job job;
  SD_TRY(job_there(f, given, &job, error));
  SD_TRY(launch(d, f->common->ledger, &job, blocks, blocks, SD_REDUCE_BLOCK, 0, error));
  DOWNLOAD(f->of.ledger, d->of.ledger, blocks * (size_t)f->common->quantities);
  return wait_for(d, error);
}

static const sd_field_engine device_engine = {.make_near = make_near,
                                              .send = send,
                                              .fetch = fetch,
                                              .recall = recall,
                                              .step = step,
                                              .go_back = go_back,
                                              .put_back = put_back,
                                              .add_up = add_up,
                                              .destroy = destroy};

sd_status sd_field_create_on(sd_bodies_field **made, const sd_ensemble *e, const sd_field_place *on, sd_error *error) {
  SD_TRY(sd_field_prepare(made, e, on->sort, error));
  device_field *d = (*made)->device = calloc(1, sizeof *d);
  if (!d) return sd_fail(error, SD_NO_MEMORY, "bodies: out of memory");
  (*made)->engine = &device_engine;
  d->on = *on;
  return allocate(*made, error);
}
