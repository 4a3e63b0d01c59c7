#include "parallel.h"

#include "processors.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  void (*part)(void *, size_t, int);
  void *data;
  size_t count;
  atomic_size_t next;
  atomic_int workers;
} work;

static void *worker(void *data) {
  work *w = data;
  int number = atomic_fetch_add(&w->workers, 1);
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) w->part(w->data, i, number);
  return NULL;
}

void sd_parallel_by(int threads, size_t count, void (*part)(void *, size_t, int), void *data) {
  work w = {.part = part, .data = data, .count = count};
  pthread_t others[SD_THREADS_MAX];
  int wanted = threads > SD_THREADS_MAX ? SD_THREADS_MAX : threads, started = 0;
  if ((size_t)wanted > count) wanted = (int)count;
  while (started < wanted - 1 && !pthread_create(&others[started], NULL, worker, &w)) started++;
  worker(&w);
  for (int i = 0; i < started; i++) pthread_join(others[i], NULL);
}

typedef struct {
  void (*part)(void *, size_t);
  void *data;
} plain;

static void do_plain(void *data, size_t i, int number) {
  const plain *p = data;
  (void)number;
  p->part(p->data, i);
}

void sd_parallel(int threads, size_t count, void (*part)(void *, size_t), void *data) {
  plain p = {part, data};
  sd_parallel_by(threads, count, do_plain, &p);
}
