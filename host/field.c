#define _DEFAULT_SOURCE /* madvise */
#include "field_engine.h"

#include "guard.h"
#include "own.h"

#include "../kernels/series_job.h"
#include "../kernels/witness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { STRETCH = 256 };

/* So many bodies at a time go through a step while they are in the cache; their arrays of what acts on them are a
 * little farther apart. */
enum { SOME = 16 * SD_GROUP_MAX, SOME_APART = SOME + 3 * SD_GROUP_MAX };

/* ---- memory ---- */

static sd_status out_of_memory(const sd_bodies_field *f, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%zu members of %zu bodies: out of memory; use fewer", f->members, f->bodies);
}

/* Zeros; in large pages, where the system has them, of which far fewer are looked up. */
static void *zeros(size_t count, size_t size) {
  char *memory = calloc(count, size);
#if defined(MADV_HUGEPAGE)
  const uintptr_t page = (uintptr_t)2 << 20;
  uintptr_t first = ((uintptr_t)memory + page - 1) / page * page,
            end = ((uintptr_t)memory + count * size) / page * page;
  if (memory && first < end) madvise(memory + (first - (uintptr_t)memory), end - first, MADV_HUGEPAGE);
#endif
  return memory;
}

static sd_status make_near(sd_bodies_field *f, uint32_t most, sd_error *error) {
  free(f->of.near);
  f->of.near_most = most;
  f->of.near = zeros((size_t)most * f->of.pitch + 1, sizeof *f->of.near);
  return f->of.near ? SD_OK : out_of_memory(f, error);
}

#define ARRAY(name, count) (name = zeros((count), sizeof *name))

/* Of a worker, and far enough from the next one's. */
static size_t iterations_apart(const sd_bodies_field *f) {
  return 2 * f->members + SD_GROUP_MAX;
}

static int allocate_here(sd_bodies_field *f) {
  size_t pitch = f->of.pitch, cells = sd_cells_room(f->bodies), workers = (size_t)sd_team_size(f->team);
  int all = ARRAY(f->kept, (size_t)f->common->numbers * pitch) && ARRAY(f->of.moved, 2 * f->members);
  all = all && ARRAY(f->other, (size_t)f->common->rows * pitch);
  all = all && ARRAY(f->of.acting, (size_t)f->common->acting * pitch);
  all = all && ARRAY(f->acting_here, workers * (size_t)f->common->acting * SOME_APART);
  all = all && ARRAY(f->iterations_here, workers * iterations_apart(f));
  all = all && ARRAY(f->of.passing, (size_t)f->own->passing * pitch) && ARRAY(f->of.near_count, pitch);
  all = all && ARRAY(f->of.cells, f->members) && ARRAY(f->cell_memory, f->members * (cells + f->bodies));
  for (size_t i = 0; all && i < f->members; i++) {
    f->of.cells[i].start = f->cell_memory + i * (cells + f->bodies);
    f->of.cells[i].body = f->of.cells[i].start + cells;
  }
  return all;
}

/* Arrays a multiple of a page apart would all want the same lines of a cache. */
static size_t spread_over_cache(size_t places) {
  enum { PAGE = 4096 / sizeof(double), APART = 3 * SD_GROUP_MAX };
  return (places + PAGE - 1 - APART) / PAGE * PAGE + APART;
}

sd_status sd_field_prepare(sd_bodies_field **made, const sd_ensemble *e, sd_sort sort, sd_error *error) {
  sd_bodies_field *f = *made = calloc(1, sizeof *f);
  if (!f) return sd_fail(error, SD_NO_MEMORY, "bodies: out of memory");
  f->own = e->kernels->passes;
  f->common = e->kernels->common;
  f->alone = e->alone;
  f->ensemble = e;
  f->sort = sort;
  f->topology = *e->topology;
  f->members = e->bodies;
  f->bodies = e->bodies_each;
  f->of.bodies = sd_field_places(1, f->bodies);
  f->places = sd_field_places(f->members, f->bodies);
  f->of.pitch = spread_over_cache(f->places);
  f->blocks = (f->of.bodies + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK;
  int all = ARRAY(f->of.number, (size_t)f->common->rows * f->of.pitch) && ARRAY(f->of.trouble, f->members);
  f->of.now = f->of.next = f->of.number;
  f->of.acting_pitch = f->of.pitch;
  all = all && ARRAY(f->iterations, 2 * f->members) && ARRAY(f->of.rebuilds, f->members);
  all = all && ARRAY(f->of.ledger, f->members * f->blocks * (size_t)f->common->quantities);
  return all ? SD_OK : out_of_memory(f, error);
}

void sd_field_destroy(sd_bodies_field *f) {
  if (!f) return;
  if (f->engine) f->engine->destroy(f);
  void *const all[] = {f->of.number, f->kept,     f->other,         f->of.acting,   f->acting_here, f->of.passing,
                       f->of.cells,  f->of.moved, f->of.trouble,    f->cell_memory, f->iterations,  f->iterations_here,
                       f->of.ledger, f->of.near,  f->of.near_count, f->of.rebuilds};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  sd_field_order_destroy(&f->order);
  free(f);
}

sd_neighbour_cost sd_field_cost(const sd_bodies_field *f) {
  sd_neighbour_cost cost = {0, f->seconds};
  for (size_t i = 0; i < f->members; i++) cost.rebuilds += f->of.rebuilds[i];
  return cost;
}

/* ---- between the slots of members and the places of bodies ---- */

static double *number_at(const sd_bodies_field *f, size_t k, size_t member, size_t body) {
  return f->of.number + k * f->of.pitch + member * f->of.bodies + body;
}

/* Where the one with this number stands. */
static size_t stands_at(const sd_bodies_field *f, size_t body) {
  return f->of.at ? f->of.at[body] : body;
}

static sd_status put_in_order(sd_bodies_field *f, sd_error *error) {
  int sorted;
  SD_TRY(sd_field_order_find(&f->order, f->sort, f->ensemble, &sorted, error));
  f->of.name = sorted ? f->order.name : NULL;
  f->of.at = sorted ? f->order.at : NULL;
  f->topology = sorted ? sd_field_order_topology(&f->order, f->ensemble->topology) : *f->ensemble->topology;
  f->rebuilds_at_load = sd_field_cost(f).rebuilds;
  return SD_OK;
}

sd_status sd_field_load(sd_bodies_field *f, sd_error *error) {
  const sd_ensemble *e = f->ensemble;
  size_t numbers = (size_t)f->common->numbers;
  SD_TRY(put_in_order(f, error));
  for (size_t i = 0; i < f->members; i++) {
    for (size_t b = 0; b < f->bodies; b++)
      for (size_t k = 0; k < numbers; k++)
        *number_at(f, k, i, stands_at(f, b)) = e->slots[(b * numbers + k) * e->stride + i];
    for (size_t b = f->bodies; b < f->of.bodies;
         b++) /* lanes without a body have a copy of the first, which nobody sees */
      for (size_t k = 0; k < numbers; k++) *number_at(f, k, i, b) = *number_at(f, k, i, 0);
    f->of.trouble[i] = sd_member_status(e, i) ? SD_TROUBLE_LOST : 0;
  }
  f->recalled = 0;
  return f->engine->send(f, error);
}

/* The first members. */
static sd_status store(sd_bodies_field *f, size_t members, sd_error *error) {
  const sd_ensemble *e = f->ensemble;
  size_t numbers = (size_t)f->common->numbers;
  SD_TRY(f->engine->fetch(f, error));
  for (size_t i = 0; i < members; i++)
    for (size_t b = 0; b < f->bodies; b++)
      for (size_t k = 0; k < numbers; k++)
        e->slots[(b * numbers + k) * e->stride + i] = *number_at(f, k, i, stands_at(f, b));
  return SD_OK;
}

sd_status sd_field_store(sd_bodies_field *f, sd_error *error) {
  return store(f, f->members, error);
}

/* Bodies without bonds mix: after some time others are near. */
static int has_mixed(const sd_bodies_field *f) {
  enum { OFTEN = 32 };
  uint64_t since = sd_field_cost(f).rebuilds - f->rebuilds_at_load;
  return f->sort != SD_SORT_NO && !f->topology.size.bonds && since >= OFTEN * f->members;
}

/* ---- what the threads of the processor do ---- */

typedef struct {
  sd_bodies_field *field;
  const sd_job *job;
  int64_t steps;
  int starting; /* forces of a state that is there for the first time: the dashpots', too */
} duty;

typedef struct {
  size_t first, count;
} share;

/* Of `all` things in whole groups, those of one worker. */
static share share_of(size_t all, size_t group, int worker, int workers) {
  size_t groups = (all + group - 1) / group, each = groups / (size_t)workers, more = groups % (size_t)workers;
  size_t w = (size_t)worker, first = (w * each + (w < more ? w : more)) * group;
  size_t count = (each + (w < more)) * group;
  return (share){first, first + count > all ? all - first : count};
}

static int any_moved(const sd_bodies_field *f, const uint32_t *moved) {
  for (size_t i = 0; i < f->members; i++)
    if (moved[i]) return 1;
  return 0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The next bodies of a pass that nobody has, a worker's own share first, then what others have left of theirs: one may
 * be held up.  All that is done with them is done while they are in the cache. */
static int take_some(sd_team *team, const sd_bodies_field *f, int worker, share *some) {
  int workers = sd_team_size(team);
  for (int i = 0; i < workers; i++) {
    int whose = (worker + i) % workers;
    share theirs = share_of(f->places, SD_GROUP_MAX, whose, workers);
    size_t pieces = (theirs.count + SOME - 1) / SOME, piece = sd_team_take(team, whose, pieces), done = piece * SOME;
    if (piece == pieces) continue;
    *some = (share){theirs.first + done, theirs.count - done < SOME ? theirs.count - done : SOME};
    return 1;
  }
  return 0;
}

/* New lists for the members that have moved; all are there when it ends. */
static void look_around(sd_team *team, sd_bodies_field *f, const sd_job *job, int worker) {
  double begun = now();
  for (size_t i = 0; i < f->members && !worker; i++)
    if (job->field.moved[i] && job->largest_diameter > 0) f->alone->bin(job, i);
  sd_team_meet(team);
  for (share some; take_some(team, f, worker, &some);) f->common->neighbours(job, some.first, some.count, 0);
  sd_team_meet(team);
  for (size_t i = 0; i < f->members && !worker; i++) job->field.moved[i] = 0;
  if (!worker) f->seconds += now() - begun;
  sd_team_meet(team); /* before anybody moves again */
}

/* The numbers as they are, which a stretch may have to go back to; and the first turn. */
static void keep_and_begin(sd_team *team, const sd_bodies_field *f, const sd_job *job, int worker) {
  for (share some; take_some(team, f, worker, &some);) {
    for (size_t k = 0; k < (size_t)f->common->numbers; k++) {
      size_t at = k * f->of.pitch + some.first;
      memcpy(f->kept + at, f->of.number + at, some.count * sizeof *f->kept);
    }
    f->own->turn(job, some.first, some.count, 0);
  }
}

/* Bodies end one stage and begin the next, and what acts on them never leaves the cache.  They go where nobody looks
 * yet. */
static void end_and_begin(sd_team *team, const sd_bodies_field *f, const sd_job *given, int worker, int stage,
                          int next) {
  sd_job job = *given;
  job.field.acting = f->acting_here + (size_t)worker * (size_t)f->common->acting * SOME_APART;
  job.field.acting_pitch = SOME_APART;
  for (share some; take_some(team, f, worker, &some);) {
    size_t at = some.first, count = some.count;
    job.field.acting_first = at;
    f->common->forces(&job, at, count, stage);
    f->own->finish(&job, at, count, stage);
    f->own->turn(&job, at, count, next);
  }
}

/* The last stage, after which what acts on bodies is kept, and whether they are still somewhere. */
static void end_and_check(sd_team *team, const sd_bodies_field *f, const sd_job *job, int worker, int stage) {
  for (share some; take_some(team, f, worker, &some);) {
    f->common->forces(job, some.first, some.count, stage);
    f->own->finish(job, some.first, some.count, stage);
    f->common->check(job, some.first, some.count, 0);
  }
}

/* The other one of two arrays, and of two lists of who has moved: one is looked at while the other is made. */
static void change_places(const sd_bodies_field *f, sd_field *of) {
  of->now = of->next;
  of->next = of->now == f->of.number ? f->other : f->of.number;
}
static uint32_t *other_moved(const sd_bodies_field *f, const uint32_t *moved) {
  return f->of.moved + (moved == f->of.moved ? f->members : 0);
}

static void step_together(sd_team *team, void *data, int worker, int workers) {
  duty *d = data;
  sd_bodies_field *f = d->field;
  sd_job job = *d->job;
  int64_t turns = d->steps * job.stages;
  int stage = 0;
  (void)workers;
  job.field.iterations = f->iterations_here + (size_t)worker * iterations_apart(f);
  job.field.next = turns % 2 ? f->of.number : f->other; /* so that the last are among the numbers */
  keep_and_begin(team, f, &job, worker);
  for (; turns > 0; turns--) {
    uint32_t *others = other_moved(f, job.field.moved);
    int next = stage + 1 < job.stages ? stage + 1 : 0;
    change_places(f, &job.field);
    sd_team_meet(team);
    if (any_moved(f, job.field.moved)) look_around(team, f, &job, worker);
    job.field.moved = others;
    if (turns > 1) end_and_begin(team, f, &job, worker, stage, next);
    else end_and_check(team, f, &job, worker, stage);
    stage = next;
  }
}

static void draw_together(sd_team *team, void *data, int worker, int workers) {
  duty *d = data;
  const sd_bodies_field *f = d->field;
  share mine = share_of(f->bodies, 1, worker, workers);
  (void)team;
  for (size_t i = 0; i < f->members && mine.count; i++)
    f->alone->draw(d->job, i, (uint32_t)mine.first, (uint32_t)mine.count);
}

/* What is not kept, of a state that was put in its place. */
static void recall_together(sd_team *team, void *data, int worker, int workers) {
  duty *d = data;
  const sd_bodies_field *f = d->field;
  share mine = share_of(f->places, SD_GROUP_MAX, worker, workers);
  if (d->starting) f->common->settle(d->job, mine.first, mine.count, 0);
  look_around(team, d->field, d->job, worker);
  (d->starting ? f->common->forces : f->common->first_forces)(d->job, mine.first, mine.count, 0);
  if (d->starting && f->own->begin) f->own->begin(d->job, mine.first, mine.count, 0);
}

static void add_up_together(sd_team *team, void *data, int worker, int workers) {
  duty *d = data;
  const sd_bodies_field *f = d->field;
  sd_job job = *d->job;
  share places = share_of(f->places, SD_GROUP_MAX, worker, workers);
  share blocks = share_of(f->members * f->blocks, 1, worker, workers);
  job.field.next = f->other;
  f->common->entries(&job, places.first, places.count, 0);
  sd_team_meet(team);
  if (blocks.count) f->common->ledger(&job, blocks.first, blocks.count, 0);
}

/* Kernels of the user's own may crash, on any of the threads. */
static sd_status together(sd_bodies_field *f, sd_team_work *work, duty *d, sd_error *error) {
  char blame[256];
  int crashed = 0;
  if (*sd_own_blame(f->ensemble->kernels, blame)) crashed = sd_team_run_guarded(f->team, work, d);
  else sd_team_run(f->team, work, d);
  return crashed ? sd_fail(error, SD_CRASHED, "%s crashed: %s", blame, sd_crash_text(crashed)) : SD_OK;
}

static sd_status stay(sd_bodies_field *f, sd_error *error) { /* numbers are here */
  (void)f, (void)error;
  return SD_OK;
}
static sd_status recall_here(sd_bodies_field *f, const sd_job *job, int starting, sd_error *error) {
  duty d = {.field = f, .job = job, .starting = starting};
  for (size_t i = 0; i < f->members; i++) f->of.moved[i] = 1;
  return together(f, recall_together, &d, error);
}
static void join_iterations(sd_bodies_field *f) {
  memset(f->iterations, 0, 2 * f->members * sizeof *f->iterations);
  for (int worker = 0; worker < sd_team_size(f->team); worker++) {
    double *all = f->iterations_here + (size_t)worker * iterations_apart(f);
    for (size_t i = 0; i < f->members; i++) {
      double *to = f->iterations + 2 * i;
      to[0] += all[2 * i];
      to[1] = all[2 * i + 1] > to[1] ? all[2 * i + 1] : to[1];
    }
    memset(all, 0, 2 * f->members * sizeof *all);
  }
}
static sd_status step_here(sd_bodies_field *f, const sd_job *job, int64_t steps, sd_error *error) {
  duty d = {.field = f, .job = job, .steps = steps};
  SD_TRY(together(f, step_together, &d, error));
  join_iterations(f);
  return SD_OK;
}
static sd_status add_up_here(sd_bodies_field *f, const sd_job *job, sd_error *error) {
  duty d = {.field = f, .job = job};
  return together(f, add_up_together, &d, error);
}
static sd_status go_back_here(sd_bodies_field *f, sd_error *error) {
  (void)error;
  memcpy(f->of.number, f->kept, (size_t)f->common->numbers * f->of.pitch * sizeof *f->kept);
  return SD_OK;
}
static sd_status put_back_here(sd_bodies_field *f, size_t i, sd_error *error) {
  (void)error;
  for (size_t k = 0; k < (size_t)f->common->numbers; k++)
    memcpy(number_at(f, k, i, 0), f->kept + k * f->of.pitch + i * f->of.bodies, f->of.bodies * sizeof *f->kept);
  return SD_OK;
}
static void destroy_here(sd_bodies_field *f) {
  sd_team_destroy(f->team);
}

static const sd_field_engine processor = {.make_near = make_near,
                                          .send = stay,
                                          .fetch = stay,
                                          .recall = recall_here,
                                          .step = step_here,
                                          .go_back = go_back_here,
                                          .put_back = put_back_here,
                                          .add_up = add_up_here,
                                          .destroy = destroy_here};

size_t sd_field_places(size_t members, size_t bodies) {
  return (bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX * members;
}

/* Who has little to do between two meetings waits for longer than it works. */
int sd_field_threads(size_t places, int threads) {
  size_t pieces = places < SOME ? 1 : places / SOME;
  return pieces < (size_t)threads ? (int)pieces : threads;
}

sd_status sd_field_create(sd_bodies_field **made, const sd_ensemble *e, sd_sort sort, int threads, sd_error *error) {
  SD_TRY(sd_field_prepare(made, e, sort, error));
  sd_bodies_field *f = *made;
  f->engine = &processor;
  f->team = sd_team_create(sd_field_threads(f->places, threads));
  return f->team && allocate_here(f) ? make_near(f, SD_NEAR_AT_FIRST, error) : out_of_memory(f, error);
}

/* ---- the story ---- */

static sd_job job_with(const sd_bodies_field *f, const sd_job *given) {
  sd_job job = *given;
  job.field = f->of;
  job.topology = f->topology;
  return job;
}

/* Room for as many neighbours as there are, if there was too little. */
static sd_status make_room(sd_bodies_field *f, sd_job *job, sd_error *error) {
  int crowded = 0;
  for (size_t i = 0; i < f->members; i++) {
    crowded |= (f->of.trouble[i] & SD_TROUBLE_CROWDED) != 0;
    f->of.trouble[i] &= ~(uint32_t)SD_TROUBLE_CROWDED;
  }
  if (!crowded) return SD_OK;
  SD_TRY(f->engine->make_near(f, 2 * f->of.near_most, error));
  job->field = f->of;
  return SD_INTERRUPTED; /* what was done is to be done again */
}

static sd_status recall(sd_bodies_field *f, sd_job *job, int starting, sd_error *error) {
  sd_status status = SD_OK;
  if (f->recalled) return status;
  do {
    SD_TRY(f->engine->recall(f, job, starting, error));
    status = make_room(f, job, error);
  } while (status == SD_INTERRUPTED);
  f->recalled = !status;
  return status;
}

static double step_of(const sd_job *job, size_t member) {
  const sd_differing *d = &job->differing;
  return d->table ? d->table[d->of[member] * d->width + SD_OWN_STEP] : job->step;
}

static sd_status lose_those_in_trouble(sd_bodies_field *f, const sd_job *job, int64_t stop, sd_error *error) {
  for (size_t i = 0; i < f->members; i++) {
    if (!f->of.trouble[i] || f->of.trouble[i] == SD_TROUBLE_LOST) continue;
    f->alone->lose(job, i, f->of.trouble[i], (double)stop * step_of(job, i));
    f->of.trouble[i] = SD_TROUBLE_LOST;
    SD_TRY(f->engine->put_back(f, i, error));
  }
  return SD_OK;
}

static sd_status go_back(sd_bodies_field *f, sd_error *error) {
  for (size_t i = 0; i < f->members; i++) f->of.trouble[i] &= (uint32_t)SD_TROUBLE_LOST;
  f->recalled = 0;
  return f->engine->go_back(f, error);
}

/* The iterations of a stretch go to the accounts. */
static void count_iterations(sd_bodies_field *f, const sd_job *job) {
  for (size_t i = 0; i < f->members; i++) {
    const double *all = f->iterations + 2 * i;
    if (f->of.trouble[i] != SD_TROUBLE_LOST && all[0] > 0) f->alone->count(job, i, all[0], all[1]);
  }
}

static int in_trouble(const sd_bodies_field *f) {
  for (size_t i = 0; i < f->members; i++)
    if (f->of.trouble[i] && f->of.trouble[i] != SD_TROUBLE_LOST) return 1;
  return 0;
}

/* On the processor, whatever engine goes on: by its threads, where there are any. */
static void draw(sd_bodies_field *f, const sd_job *job) {
  duty d = {.field = f, .job = job};
  if (f->team) sd_team_run(f->team, draw_together, &d);
  for (size_t i = 0; i < f->members && !f->team; i++) f->alone->draw(job, i, 0, (uint32_t)f->bodies);
}

sd_status sd_field_begin(sd_bodies_field *f, const sd_job *given, sd_error *error) {
  sd_job job = job_with(f, given);
  draw(f, &job);
  SD_TRY(sd_field_load(f, error));
  job = job_with(f, given); /* as they stand now */
  SD_TRY(recall(f, &job, 1, error));
  SD_TRY(f->engine->add_up(f, &job, error));
  for (size_t i = 0; i < f->members; i++) f->alone->open(&job, i, f->alone->join(&job, i));
  for (size_t i = 0; i < f->members; i++) f->of.trouble[i] = sd_member_status(f->ensemble, i) ? SD_TROUBLE_LOST : 0;
  return SD_OK;
}

/* Steps n .. stop - 1.  SD_INTERRUPTED: they are to be done again, all of them or one by one. */
static sd_status stretch(sd_bodies_field *f, sd_job *job, int64_t n, int64_t stop, sd_error *error) {
  SD_TRY(f->engine->step(f, job, stop - n, error));
  sd_status status = make_room(f, job, error);
  if (!status && (!in_trouble(f) || stop - n == 1)) {
    int lost = in_trouble(f);
    if (lost) SD_TRY(lose_those_in_trouble(f, job, stop, error));
    if (lost) f->recalled = 0;
    count_iterations(f, job);
    return lost ? recall(f, job, 0, error) : SD_OK;
  }
  if (status && status != SD_INTERRUPTED) return status;
  SD_TRY(go_back(f, error));
  SD_TRY(recall(f, job, 0, error));
  return SD_INTERRUPTED;
}

static sd_status look(sd_bodies_field *f, const sd_job *job, int64_t n, int64_t interval, int is_witness, int is_sample,
                      sd_error *error) {
  SD_TRY(f->engine->add_up(f, job, error));
  for (size_t i = 0; i < f->members; i++) {
    const double *ledger = f->alone->join(job, i);
    if (is_witness) f->alone->witness(job, i, ledger, job->witness_row + interval - job->first_witness);
    if (is_sample) f->alone->enter(job, i, ledger, n);
  }
  return SD_OK;
}

/* As kernels/trajectory.h goes through its steps. */
sd_status sd_field_advance(sd_bodies_field *f, const sd_job *given, const sd_control *control, sd_error *error) {
  if (has_mixed(f)) {
    SD_TRY(sd_field_store(f, error));
    SD_TRY(sd_field_load(f, error));
  }
  sd_job job = job_with(f, given);
  int64_t n = job.from_step, careful_until = 0;
  int64_t interval = sd_witness_after(job.witness_length, n), witness = sd_witness_step(job.witness_length, interval);
  SD_TRY(recall(f, &job, 0, error));
  while (n < job.to_step) {
    int64_t sample = (n / job.every + 1) * job.every, stop = sample < job.to_step ? sample : job.to_step;
    if (stop > witness) stop = witness;
    if (stop - n > STRETCH) stop = n + STRETCH;
    if (n < careful_until) stop = n + 1;
    if (sd_control_stopped(control)) return sd_fail(error, SD_INTERRUPTED, "interrupted");
    int crowd = (int)f->of.near_most;
    sd_status status = stretch(f, &job, n, stop, error);
    if (status == SD_INTERRUPTED) {
      if (crowd == (int)f->of.near_most) careful_until = stop;
      continue;
    }
    SD_TRY(status);
    n = stop;
    if (n == witness || n == sample || n == job.total_steps)
      SD_TRY(look(f, &job, n, interval, n == witness, n == sample || n == job.total_steps, error));
    if (n == witness) witness = sd_witness_step(job.witness_length, ++interval);
  }
  return SD_OK;
}

sd_status sd_field_export(sd_bodies_field *f, const sd_job *given, size_t members, sd_error *error) {
  sd_job job = job_with(f, given);
  SD_TRY(recall(f, &job, 0, error));
  SD_TRY(f->engine->add_up(f, &job, error));
  SD_TRY(store(f, members, error));
  for (size_t i = 0; i < members; i++) f->alone->export_state(&job, i, f->alone->join(&job, i));
  return SD_OK;
}
