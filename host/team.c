#include "team.h"

#include "guard.h"
#include "processors.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* How much of a worker's share is taken, in a line of the cache of its own. */
typedef struct {
  atomic_size_t pieces;
  char apart[128 - sizeof(atomic_size_t)];
} taken;

struct sd_team {
  int workers;
  taken *taken;
  pthread_t thread[SD_THREADS_MAX];
  pthread_mutex_t lock;
  pthread_cond_t called;
  long calls; /* under the lock */
  int ending;
  sd_team_work *work;
  void *data;
  int guarded;
  atomic_int here, done; /* of a meeting, and with the work */
  atomic_uint meetings;
  atomic_int crashed; /* of this signal */
};

/* What shares a core with one that waits should go on faster, not slower. */
static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* A wait is short where all have a processor; where they have not, the others get theirs. */
static void wait_a_little(int looks) {
  if (looks > 2000) sched_yield();
  else pause_briefly();
}

static void begin_pass(sd_team *t) {
  for (int i = 0; i < t->workers; i++) atomic_store_explicit(&t->taken[i].pieces, 0, memory_order_relaxed);
  atomic_store_explicit(&t->here, 0, memory_order_relaxed);
}

void sd_team_meet(sd_team *t) {
  unsigned meeting = atomic_load_explicit(&t->meetings, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&t->here, 1, memory_order_acq_rel) + 1 == t->workers) {
    begin_pass(t);
    atomic_store_explicit(&t->meetings, meeting + 1, memory_order_release);
  }
  for (int looks = 0; atomic_load_explicit(&t->meetings, memory_order_acquire) == meeting; looks++) {
    int crashed = atomic_load_explicit(&t->crashed, memory_order_relaxed);
    if (crashed) sd_guard_leave(crashed);
    wait_a_little(looks);
  }
}

size_t sd_team_take(sd_team *t, int whose, size_t pieces) {
  atomic_size_t *of = &t->taken[whose].pieces;
  if (atomic_load_explicit(of, memory_order_relaxed) >= pieces) return pieces;
  size_t piece = atomic_fetch_add_explicit(of, 1, memory_order_relaxed);
  return piece < pieces ? piece : pieces;
}

typedef struct {
  sd_team *team;
  int number;
} post;

static void work_at(void *data) {
  const post *p = data;
  p->team->work(p->team, p->team->data, p->number, p->team->workers);
}

static void do_share(post p) {
  int crashed = 0;
  if (p.team->guarded) crashed = sd_guarded(work_at, &p);
  else work_at(&p);
  if (crashed) atomic_store(&p.team->crashed, crashed);
}

static void *stand_by(void *data) {
  post p = *(post *)data;
  sd_team *t = p.team;
  free(data);
  for (long seen = 0;;) {
    pthread_mutex_lock(&t->lock);
    while (t->calls == seen && !t->ending) pthread_cond_wait(&t->called, &t->lock);
    int ending = t->ending;
    seen = t->calls;
    pthread_mutex_unlock(&t->lock);
    if (ending) return NULL;
    do_share(p);
    atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
  }
}

static int run(sd_team *t, sd_team_work *work, void *data, int guarded) {
  pthread_mutex_lock(&t->lock);
  t->work = work;
  t->data = data;
  t->guarded = guarded;
  t->calls++;
  pthread_cond_broadcast(&t->called);
  pthread_mutex_unlock(&t->lock);
  do_share((post){t, 0});
  for (int looks = 0; atomic_load_explicit(&t->done, memory_order_acquire) + 1 < t->workers; looks++)
    wait_a_little(looks);
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  begin_pass(t); /* whatever the last was left at */
  return atomic_exchange(&t->crashed, 0);
}

void sd_team_run(sd_team *t, sd_team_work *work, void *data) {
  run(t, work, data, 0);
}

int sd_team_run_guarded(sd_team *t, sd_team_work *work, void *data) {
  return run(t, work, data, 1);
}

sd_team *sd_team_create(int threads) {
  sd_team *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->taken = calloc(threads > 1 ? (size_t)threads : 1, sizeof *t->taken);
  if (!t->taken) {
    free(t);
    return NULL;
  }
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->called, NULL);
  t->workers = 1;
  pthread_mutex_lock(&t->lock); /* nobody looks at the number before all are there */
  while (t->workers < threads && t->workers < SD_THREADS_MAX) {
    post *p = malloc(sizeof *p);
    if (!p) break;
    *p = (post){t, t->workers};
    if (pthread_create(&t->thread[t->workers], NULL, stand_by, p)) {
      free(p);
      break;
    }
    t->workers++;
  }
  pthread_mutex_unlock(&t->lock);
  return t;
}

int sd_team_size(const sd_team *t) {
  return t->workers;
}

void sd_team_destroy(sd_team *t) {
  if (!t) return;
  pthread_mutex_lock(&t->lock);
  t->ending = 1;
  pthread_cond_broadcast(&t->called);
  pthread_mutex_unlock(&t->lock);
  for (int i = 1; i < t->workers; i++) pthread_join(t->thread[i], NULL);
  pthread_cond_destroy(&t->called);
  pthread_mutex_destroy(&t->lock);
  free(t->taken);
  free(t);
}
