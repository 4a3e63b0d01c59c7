#include "systems_cuda.h"

#include "cuda_calls.h"
#include "field_cuda.h"
#include "parallel.h"

#include <stdlib.h>
#include <string.h>

/* What one device has: members first .. first + count - 1, in batches. */
typedef struct {
  sd_field_place on;
  size_t first, count, batch;
  sd_ensemble members;    /* those that the field has, */
  sd_bodies_field *field; /* which stays where it has all */
  uint64_t rebuilds;      /* of those that did not */
  sd_error error;
  sd_status status;
} share;

struct sd_cuda_systems {
  const sd_ensemble *ensemble;
  double *samples; /* rows of ensemble->stride */
  sd_part part, *only[1];
  share *shares;
  size_t count;
  sd_sort sort;
};

/* ---- a batch of a share ---- */

typedef enum { BEGIN, ADVANCE, EXPORT, STORE } order_kind;

/* What is to be done with every member, or for EXPORT with the first `wanted`. */
typedef struct {
  sd_cuda_systems *systems;
  order_kind kind;
  const sd_job *job;
  const sd_control *control;
  size_t wanted;
  double *exported;
} order;

static int stays(const share *s) {
  return s->batch == s->count;
}

static sd_status make_field(const sd_cuda_systems *all, share *s, size_t at, size_t count, sd_error *error) {
  s->members = *all->ensemble;
  s->members.slots += s->first + at;
  s->members.bodies = count;
  s->members.column = s->first + at;
  return sd_field_create_on(&s->field, &s->members, &s->on, error);
}
static void drop_field(share *s) {
  if (s->field) s->rebuilds += sd_field_cost(s->field).rebuilds;
  sd_field_destroy(s->field);
  s->field = NULL;
}

static sd_job job_for(const order *o, const share *s, size_t at) {
  const sd_ensemble *e = o->systems->ensemble;
  size_t first = s->first + at;
  sd_job job = {0};
  if (o->job) job = *o->job;
  job.slots = e->slots + first;
  job.stride = job.series_stride = e->stride;
  job.origin += first;
  job.series = o->systems->samples + first;
  if (job.varied.number) job.varied.number += first;
  if (job.differing.table) job.differing.of += first;
  job.exported = o->exported ? o->exported + first : NULL;
  job.export_stride = o->wanted;
  return job;
}

static sd_status follow(const order *o, const share *s, size_t at, size_t count, sd_error *error) {
  sd_job job = job_for(o, s, at);
  size_t first = s->first + at, shown = o->wanted > first ? o->wanted - first : 0;
  switch (o->kind) {
  case BEGIN: return sd_field_begin(s->field, &job, error);
  case ADVANCE: return sd_field_advance(s->field, &job, o->control, error);
  case EXPORT: return shown ? sd_field_export(s->field, &job, shown < count ? shown : count, error) : SD_OK;
  default: return sd_field_store(s->field, error);
  }
}

/* Members that do not stay are brought in before, and out after. */
static sd_status follow_for_a_while(const order *o, share *s, size_t at, size_t count, sd_error *error) {
  if (o->kind == STORE) return SD_OK; /* they are */
  sd_status status = make_field(o->systems, s, at, count, error);
  if (!status && o->kind != BEGIN) status = sd_field_load(s->field, error);
  if (!status) status = follow(o, s, at, count, error);
  if (!status && o->kind != EXPORT) status = sd_field_store(s->field, error);
  drop_field(s);
  return status;
}

static void follow_on_share(void *data, size_t i) {
  const order *o = data;
  share *s = &o->systems->shares[i];
  s->error = (sd_error){0};
  s->status = SD_OK;
  for (size_t at = 0; at < s->count && !s->status; at += s->batch) {
    size_t count = s->count - at < s->batch ? s->count - at : s->batch;
    s->status = stays(s) ? follow(o, s, at, count, &s->error) : follow_for_a_while(o, s, at, count, &s->error);
  }
}

/* All devices at once; what the first of them complains of is told. */
static sd_status give(order o, sd_error *error) {
  sd_cuda_systems *all = o.systems;
  sd_parallel((int)all->count, all->count, follow_on_share, &o);
  for (size_t i = 0; i < all->count; i++)
    if (all->shares[i].status) return sd_fail(error, all->shares[i].status, "%s", all->shares[i].error.message);
  return SD_OK;
}

sd_status sd_cuda_systems_begin(sd_cuda_systems *all, const sd_job *job, sd_error *error) {
  return give((order){.systems = all, .kind = BEGIN, .job = job}, error);
}
sd_status sd_cuda_systems_advance(sd_cuda_systems *all, const sd_job *job, const sd_control *control, sd_error *error) {
  return give((order){.systems = all, .kind = ADVANCE, .job = job, .control = control}, error);
}
sd_status sd_cuda_systems_export(sd_cuda_systems *all, const sd_job *job, size_t count, double *exported,
                                 sd_error *error) {
  return give((order){.systems = all, .kind = EXPORT, .job = job, .wanted = count, .exported = exported}, error);
}
sd_status sd_cuda_systems_store(sd_cuda_systems *all, sd_error *error) {
  return give((order){.systems = all, .kind = STORE}, error);
}

/* ---- loading ---- */

static sd_status may_use(share *s, double memory, sd_error *error) {
  size_t free_bytes, total;
  CUDA(s->on.device, cudaSetDevice(s->on.device));
  CUDA(s->on.device, cudaMemGetInfo(&free_bytes, &total));
  s->on.memory = 0.9 * (double)free_bytes;
  if (memory > 0 && memory < s->on.memory) s->on.memory = memory;
  return SD_OK;
}

/* All of its members at a time, or half of them, and so on. */
static sd_status load_share(const sd_cuda_systems *all, share *s, sd_error *error) {
  sd_error trouble = {0};
  sd_status status;
  for (;;) {
    status = make_field(all, s, 0, s->batch, &trouble);
    if (status != SD_NO_MEMORY || s->batch == 1) break;
    drop_field(s);
    s->batch = (s->batch + 1) / 2;
  }
  if (status == SD_NO_MEMORY)
    return sd_fail(error, status, "device %d: not even one system of %zu bodies fits into its memory (%s)",
                   s->on.device, all->ensemble->bodies_each, trouble.message);
  if (status) return sd_fail(error, status, "%s", trouble.message);
  if (stays(s)) return sd_field_load(s->field, error);
  drop_field(s);
  return SD_OK;
}

static sd_status share_out(sd_cuda_systems *all, const sd_cuda_devices *devices, sd_error *error) {
  size_t members = all->ensemble->bodies, most = (size_t)devices->count;
  size_t count = members < most ? members : most, at = 0;
  all->shares = calloc(count, sizeof *all->shares);
  if (!all->shares) return sd_fail(error, SD_NO_MEMORY, "systems: out of memory");
  for (all->count = 0; all->count < count; all->count++) {
    share *s = &all->shares[all->count];
    s->on = (sd_field_place){.device = devices->device[all->count],
                             .block = devices->block,
                             .member_a_block = !all->ensemble->by_bodies,
                             .sort = all->sort};
    s->first = at;
    s->count = s->batch = members / count + (all->count < members % count);
    at += s->count;
  }
  return SD_OK;
}

sd_status sd_cuda_systems_load(sd_cuda_systems **made, sd_backend *backend, const sd_cuda_devices *devices,
                               const sd_ensemble *e, int64_t rows, sd_error *error) {
  sd_cuda_systems *all = *made = calloc(1, sizeof *all);
  if (!all) return sd_fail(error, SD_NO_MEMORY, "systems: out of memory");
  all->ensemble = e;
  all->sort = backend->sort;
  all->samples = calloc((size_t)rows * e->stride, sizeof *all->samples);
  if (!all->samples) return sd_fail(error, SD_NO_MEMORY, "samples of %zu systems: out of memory", e->bodies);
  size_t sheets = (size_t)(rows < backend->threads ? rows : backend->threads);
  all->only[0] = &all->part;
  backend->parts = (sd_parts){all->only, 1, e->bodies, sheets, 1};
  SD_TRY(
      sd_host_part_create(&all->part, all->samples, e->stride, 0, e->bodies, sheets, 1, &e->coordinates, NULL, error));
  SD_TRY(share_out(all, devices, error));
  for (size_t i = 0; i < all->count; i++) {
    SD_TRY(may_use(&all->shares[i], devices->memory, error));
    SD_TRY(load_share(all, &all->shares[i], error));
  }
  return SD_OK;
}

void sd_cuda_systems_destroy(sd_cuda_systems *all) {
  if (!all) return;
  for (size_t i = 0; i < all->count; i++) drop_field(&all->shares[i]);
  sd_host_part_destroy(&all->part);
  free(all->shares);
  free(all->samples);
  free(all);
}

uint64_t sd_cuda_systems_rebuilds(const sd_cuda_systems *all) {
  uint64_t sum = 0;
  for (size_t i = 0; i < all->count; i++)
    sum += all->shares[i].rebuilds + (all->shares[i].field ? sd_field_cost(all->shares[i].field).rebuilds : 0);
  return sum;
}

int sd_cuda_systems_devices(const sd_cuda_systems *all) {
  return (int)all->count;
}
