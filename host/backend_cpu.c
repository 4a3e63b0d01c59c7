/* backend_cpu.c - threads over blocks of bodies.  Each block is integrated for the whole job by one thread, its state
 * in registers; which thread takes which block does not matter to the result. */
#include "backend.h"

#include "parallel.h"

#include <stdlib.h>

typedef struct {
  sd_kernel kernel;
  const sd_job *job;
  size_t block;
  const volatile sig_atomic_t *stop;
} work;

static void run_block(void *data, size_t i) {
  const work *w = data;
  if (w->stop && *w->stop) return;
  size_t at = i * w->block;
  sd_job part = *w->job;
  part.first += at;
  part.count = part.count - at < w->block ? part.count - at : w->block;
  if (part.exported) part.exported += at;
  w->kernel(&part);
}

/* About eight blocks for each thread, in whole lane groups. */
static size_t block_size(size_t count, int threads) {
  size_t block = count / ((size_t)threads * 8) / SD_GROUP_MAX * SD_GROUP_MAX;
  return block < SD_GROUP_MAX ? SD_GROUP_MAX : block > 4096 ? 4096 : block;
}

static sd_status cpu_run(sd_backend *self, sd_kernel kernel, const sd_job *job, sd_error *error) {
  (void)error;
  work w = {kernel, job, block_size(job->count, self->threads), self->stop};
  sd_parallel(self->threads, (job->count + w.block - 1) / w.block, run_block, &w);
  return SD_OK;
}

static void cpu_destroy(sd_backend *self) {
  free(self);
}

sd_status sd_backend_cpu_create(sd_backend **backend, const sd_plan *plan, sd_error *error) {
  *backend = malloc(sizeof **backend);
  if (!*backend) return sd_fail(error, SD_NO_MEMORY, "backend: out of memory");
  **backend = (sd_backend){"cpu", plan->variant.name, plan->thread_count, plan->stop, cpu_run, cpu_destroy};
  return SD_OK;
}
