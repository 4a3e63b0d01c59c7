/* backend_cpu.c - threads over blocks of bodies.  Each block is integrated for the whole job by one thread, its state
 * in registers; which thread takes which block does not matter to the result. */
#include "backend.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  sd_kernel kernel;
  const sd_job *job;
  size_t block;
  atomic_size_t next;
} work;

static void *worker(void *data) {
  work *w = data;
  for (;;) {
    size_t at = atomic_fetch_add(&w->next, w->block);
    if (at >= w->job->count) return NULL;
    sd_job part = *w->job;
    part.first += at;
    part.count = part.count - at < w->block ? part.count - at : w->block;
    if (part.exported) part.exported += at;
    w->kernel(&part);
  }
}

/* About eight blocks for each thread, in whole lane groups. */
static size_t block_size(size_t count, int threads) {
  size_t block = count / ((size_t)threads * 8) / SD_GROUP_MAX * SD_GROUP_MAX;
  return block < SD_GROUP_MAX ? SD_GROUP_MAX : block > 4096 ? 4096 : block;
}

static sd_status cpu_run(sd_backend *self, sd_kernel kernel, const sd_job *job, sd_error *error) {
  work w = {.kernel = kernel, .job = job, .block = block_size(job->count, self->threads)};
  size_t blocks = (job->count + w.block - 1) / w.block;
  int extra = self->threads - 1;
  if ((size_t)extra >= blocks) extra = blocks ? (int)blocks - 1 : 0;
  pthread_t *threads = extra ? malloc((size_t)extra * sizeof *threads) : NULL;
  if (extra && !threads) return sd_fail(error, SD_NO_MEMORY, "%d threads: out of memory", extra);
  int started = 0; /* fewer threads than asked for are slower, not wrong */
  while (started < extra && !pthread_create(&threads[started], NULL, worker, &w)) started++;
  worker(&w);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  free(threads);
  return SD_OK;
}

static void cpu_destroy(sd_backend *self) {
  free(self);
}

sd_status sd_backend_cpu_create(sd_backend **backend, const sd_plan *plan, sd_error *error) {
  *backend = malloc(sizeof **backend);
  if (!*backend) return sd_fail(error, SD_NO_MEMORY, "backend: out of memory");
  **backend = (sd_backend){"cpu", plan->variant.name, plan->thread_count, cpu_run, cpu_destroy};
  return SD_OK;
}
