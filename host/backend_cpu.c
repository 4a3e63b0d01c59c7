/* backend_cpu.c - threads over blocks of members.  Each block is integrated for the whole job by one thread; which
 * thread takes which block does not matter to the result.  Systems whose lanes are bodies are field.h's. */
#include "backend.h"

#include "field.h"
#include "guard.h"
#include "own.h"
#include "parallel.h"
#include "points.h"
#include "text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  sd_backend base;
  sd_ensemble *ensemble;
  double *samples;        /* rows of ensemble->stride */
  size_t group;           /* of members that are begun and stepped together */
  sd_part part, *only[1]; /* all of them */
  double *scratch;        /* of systems side by side, for each thread */
  uint32_t *near_pairs;
  size_t scratch_size, pairs_size;
  sd_bodies_field *field; /* of systems whose lanes are bodies */
} cpu_backend;

typedef struct {
  sd_kernel kernel;
  const sd_job *job;
  size_t count, block;
  const sd_control *control; /* NULL: all is to be done */
  atomic_int cut;            /* a block was left out */
  int guarded;               /* the kernel is the user's own, */
  atomic_int crashed;        /* and died of this signal */
  const cpu_backend *self;
} work;

/* One block's. */
typedef struct {
  sd_kernel kernel;
  const sd_job *job;
  size_t at, count;
} call;

static void run_call(void *data) {
  const call *c = data;
  c->kernel(c->job, c->at, c->count);
}

static void run_block(void *data, size_t i, int worker) {
  work *w = data;
  const cpu_backend *self = w->self;
  if (sd_control_stopped(w->control)) {
    atomic_store(&w->cut, 1);
    return;
  }
  call c = {.kernel = w->kernel, .job = w->job, .at = i * w->block};
  c.count = w->count - c.at < w->block ? w->count - c.at : w->block;
  sd_job job;
  if (self->scratch) {
    job = *w->job;
    job.scratch = self->scratch + (size_t)worker * self->scratch_size;
    job.near_pairs = self->near_pairs + (size_t)worker * self->pairs_size;
    c.job = &job;
  }
  if (!w->guarded) run_call(&c);
  else if (!atomic_load(&w->crashed)) {
    int crashed = sd_guarded(run_call, &c);
    if (crashed) atomic_store(&w->crashed, crashed);
  }
}

/* About eight blocks for each thread, in whole lane groups, and pairs of them where there are enough for that; of
 * systems, a lane group is enough. */
static size_t block_size(const cpu_backend *self, size_t count) {
  int threads = self->base.threads;
  if (self->scratch) return self->group;
  size_t pair = 2 * SD_GROUP_MAX, block = count / ((size_t)threads * 8) / pair * pair;
  size_t least = count / (size_t)threads < pair ? SD_GROUP_MAX : pair;
  return block < least ? least : block > 4096 ? 4096 : block;
}

static size_t in_whole_groups(const cpu_backend *self, size_t members) {
  return (members + self->group - 1) / self->group * self->group;
}

static sd_job job_here(const cpu_backend *self, const sd_job *given) {
  sd_job job = *given;
  job.slots = self->ensemble->slots;
  job.series = self->samples;
  job.stride = job.series_stride = self->ensemble->stride;
  return job;
}

static sd_status run_columns(const cpu_backend *self, sd_kernel kernel, const sd_job *given, size_t columns,
                             double *exported, const sd_control *control, sd_error *error) {
  sd_job job = job_here(self, given);
  char blame[256];
  job.exported = exported;
  job.export_stride = columns;
  work w = {.kernel = kernel,
            .job = &job,
            .count = columns,
            .block = block_size(self, columns),
            .control = control,
            .guarded = *sd_own_blame(self->ensemble->kernels, blame) != 0,
            .self = self};
  sd_parallel_by(self->base.threads, (columns + w.block - 1) / w.block, run_block, &w);
  if (atomic_load(&w.crashed))
    return sd_fail(error, SD_CRASHED, "%s crashed: %s", blame, sd_crash_text(atomic_load(&w.crashed)));
  return atomic_load(&w.cut) ? sd_fail(error, SD_INTERRUPTED, "interrupted") : SD_OK;
}

/* Room for a lane group of systems, for each thread. */
static sd_status make_scratch(cpu_backend *self, const sd_ensemble *e, sd_error *error) {
  size_t n = e->bodies_each, threads = (size_t)self->base.threads, lanes = (size_t)e->kernels->lanes;
  if (n > SD_SIDE_BY_SIDE_MOST)
    return sd_fail(error, SD_BAD_INPUT, "lanes members: at most %d bodies in a member, and this has %zu; use bodies",
                   SD_SIDE_BY_SIDE_MOST, n);
  const sd_differing *d = &e->differences.map;
  size_t table = d->table ? d->width : sd_own_kinds(&e->topology->size);
  self->scratch_size = (((size_t)e->kernels->scratch * n + table) * lanes + 63) / 64 * 64;
  self->pairs_size = (n * (n - 1) / 2 + 1 + 63) / 64 * 64;
  self->scratch = aligned_alloc(64, threads * self->scratch_size * sizeof *self->scratch);
  self->near_pairs = malloc(threads * self->pairs_size * sizeof *self->near_pairs);
  if (self->scratch && self->near_pairs) return SD_OK;
  return sd_fail(error, SD_NO_MEMORY, "%zu bodies side by side: out of memory", n);
}

static sd_status cpu_load(sd_backend *base, sd_ensemble *ensemble, int64_t rows, sd_error *error) {
  cpu_backend *self = (cpu_backend *)base;
  self->ensemble = ensemble;
  self->group = ensemble->bodies_each ? (size_t)ensemble->kernels->lanes : SD_GROUP_MAX;
  self->samples = calloc((size_t)rows * ensemble->stride, sizeof(double));
  if (!self->samples) return sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", ensemble->bodies);
  size_t sheets = (size_t)(rows < base->threads ? rows : base->threads); /* a thread reduces a row at a time */
  self->only[0] = &self->part;
  base->parts = (sd_parts){self->only, 1, ensemble->bodies, sheets, 1};
  base->neighbours = (sd_neighbour_cost){0};
  if (ensemble->bodies_each && !ensemble->by_bodies) SD_TRY(make_scratch(self, ensemble, error));
  if (ensemble->by_bodies) {
    SD_TRY(sd_field_create(&self->field, ensemble, base->sort, base->threads, error));
    SD_TRY(sd_field_load(self->field, error));
  }
  return sd_host_part_create_by(ensemble->grain ? ensemble->grain : SD_REDUCE_BLOCK, &self->part, self->samples,
                                ensemble->stride, 0, ensemble->bodies, sheets, 1, &ensemble->coordinates,
                                ensemble->kernels->charts, error);
}

static sd_status cpu_run(sd_backend *base, sd_kernel kernel, const sd_job *job, const sd_control *control,
                         sd_error *error) {
  const cpu_backend *self = (const cpu_backend *)base;
  if (self->field) {
    sd_job here = job_here(self, job);
    sd_status status = kernel == self->ensemble->kernels->begin ? sd_field_begin(self->field, &here, error)
                                                                : sd_field_advance(self->field, &here, control, error);
    base->neighbours = sd_field_cost(self->field);
    return status;
  }
  return run_columns(self, kernel, job, in_whole_groups(self, self->ensemble->bodies), NULL, control, error);
}

static sd_status cpu_export(sd_backend *base, const sd_kernels *kernels, const sd_job *job, size_t count,
                            double *exported, sd_error *error) {
  const cpu_backend *self = (const cpu_backend *)base;
  if (self->field) {
    sd_job here = job_here(self, job);
    here.exported = exported;
    here.export_stride = count;
    return sd_field_export(self->field, &here, count, error);
  }
  size_t columns = in_whole_groups(self, count);
  size_t slots = sd_member_shown(kernels, self->ensemble->bodies_each) + 2;
  double *wide = malloc(slots * columns * sizeof(double));
  if (!wide) return sd_fail(error, SD_NO_MEMORY, "states of %zu members: out of memory", count);
  sd_status status = run_columns(self, kernels->export_state, job, columns, wide, NULL, error);
  for (size_t k = 0; k < slots; k++) memcpy(exported + k * count, wide + k * columns, count * sizeof(double));
  free(wide);
  return status;
}

static sd_status cpu_store(sd_backend *base, sd_error *error) { /* the others never left */
  const cpu_backend *self = (const cpu_backend *)base;
  return self->field ? sd_field_store(self->field, error) : SD_OK;
}

static void cpu_unload(sd_backend *base) {
  cpu_backend *self = (cpu_backend *)base;
  free(self->samples);
  self->samples = NULL;
  free(self->scratch);
  free(self->near_pairs);
  sd_field_destroy(self->field);
  self->scratch = NULL;
  self->near_pairs = NULL;
  self->field = NULL;
  sd_host_part_destroy(&self->part);
}

/* By the lanes that a thread goes through in a step, bodies or not.  Side by side, systems have each pair evaluated
 * once, which is worth a third of it; meeting costs what so many groups do (docs/systems.md). */
static int is_for_bodies(const sd_backend *base, const sd_specification *spec) {
  enum { MEETING = 64 };
  const sd_kernels *kernels = sd_find_kernels(spec->methods[0].entry, spec->problem, base->variant);
  size_t lanes = kernels ? (size_t)kernels->lanes : 1, threads = (size_t)base->threads;
  size_t members = sd_batch_members(spec), bodies = sd_bodies_each(spec);
  size_t groups = (members + lanes - 1) / lanes, alone = (groups + threads - 1) / threads * lanes * bodies;
  size_t places = sd_field_places(members, bodies), sharing = (size_t)sd_field_threads(places, base->threads);
  size_t together = places / sharing + (sharing > 1 ? MEETING * lanes : 0);
  return 3 * together < 2 * alone;
}

static void cpu_destroy(sd_backend *base) {
  cpu_unload(base);
  free(base);
}

sd_status sd_backend_cpu_create(sd_backend **backend, const sd_place *place, sd_error *error) {
  cpu_backend *self = calloc(1, sizeof *self);
  *backend = (sd_backend *)self;
  if (!self) return sd_fail(error, SD_NO_MEMORY, "backend: out of memory");
  self->base = (sd_backend){.name = "cpu",
                            .variant = place->variant.name,
                            .way = {"a lane for each system", "a lane for each body"},
                            .threads = place->threads,
                            .lanes = (sd_lanes)place->lanes,
                            .skin = place->skin,
                            .sort = (sd_sort)place->sort,
                            .load = cpu_load,
                            .run = cpu_run,
                            .export_states = cpu_export,
                            .store = cpu_store,
                            .unload = cpu_unload,
                            .is_for_bodies = is_for_bodies,
                            .destroy = cpu_destroy};
  snprintf(self->base.devices, sizeof self->base.devices, "%s, %d %s", place->variant.name, place->threads,
           sd_plural((size_t)place->threads, "thread", "threads"));
  return SD_OK;
}
