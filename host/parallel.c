#include "parallel.h"

#include "processors.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  void (*part)(void *, size_t);
  void *data;
  size_t count;
  atomic_size_t next;
} work;

static void *worker(void *data) {
  work *w = data;
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) w->part(w->data, i);
  return NULL;
}

void sd_parallel(int threads, size_t count, void (*part)(void *, size_t), void *data) {
  work w = {.part = part, .data = data, .count = count};
  pthread_t others[SD_THREADS_MAX];
  int wanted = threads > SD_THREADS_MAX ? SD_THREADS_MAX : threads, started = 0;
  if ((size_t)wanted > count) wanted = (int)count;
  while (started < wanted - 1 && !pthread_create(&others[started], NULL, worker, &w)) started++;
  worker(&w);
  for (int i = 0; i < started; i++) pthread_join(others[i], NULL);
}
