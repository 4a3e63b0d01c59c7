/* battery_chunks.c - a run is cut into chunks where the clock wants it: one step, seven, or all at once come to the
 * same bits in every slot and every sample, with bodies that are lost on the way. */
#include "harness.h"

enum { BODIES = 2 * SD_GROUP_MAX, STEPS = 150, EVERY = 11, SAMPLES = STEPS / EVERY + 2 };

typedef struct {
  double slots[HARNESS_SLOTS * BODIES];
  double samples[SAMPLES * (1 + SD_LEDGER_MAX) * BODIES]; /* and the ledgers of systems */
} outcome;

typedef struct {
  harness t;
  double step;
  int64_t steps;
  int wild;    /* bodies far from where the method is at home */
  int watched; /* something happens to them */
} setting;

static sd_job make_job(const setting *s, const sd_family *family, outcome *o) {
  sd_job job = {.slots = o->slots,
                .stride = BODIES,
                .seed = 3,
                .step = s->step,
                .stages = s->t.method.stages,
                .total_steps = s->steps,
                .every = EVERY,
                .first_half = 3,
                .half_mean = {1, 2},
                .series = o->samples,
                .series_stride = BODIES,
                .ledger_row = SAMPLES};
  for (int k = 0; family->start[k].name; k++) job.sigma[k] = strtod(family->start[k].wide, NULL) * (s->wild ? 100 : 1);
  memcpy(job.method, s->t.method_parameters, sizeof job.method);
  memcpy(job.parameters, s->t.parameters, sizeof job.parameters);
  memcpy(job.stage, s->t.method.stage, (size_t)s->t.method.stages * sizeof *job.stage);
  s->t.problem->constants(job.parameters, job.constants);
  if (family->impulses) {
    job.impulses = 2;
    for (int k = 0; k < 2; k++) {
      int64_t step = s->steps * (k + 1) / 4;
      job.impulse[k] = (sd_impulse){.time = ((double)step + 0.4 * k) * s->step,
                                    .change = {0.01, 0.02, -0.01},
                                    .size_error = 0.1,
                                    .angle_error = 0.1,
                                    .step = step - (k == 0)};
    }
  }
  if (s->watched) {
    const sd_event events[] = {
        {.condition = SD_AT_APOAPSIS,
         .action = SD_EVENT_KICKS,
         .times = 3,
         .sense = -1,
         .entry = 0,
         .frame = SD_FRAME_RTN,
         .change = {0.1, -0.2, 0},
         .size_error = 0.1,
         .angle_error = 0.1},
        {.condition = SD_AT_HEIGHT, .action = SD_EVENT_MARKS, .times = 3, .entry = 3, .place = {1700}},
        {.condition = SD_AT_DESCENDING, .action = SD_EVENT_ENDS, .times = 1, .sense = -1, .entry = 6}};
    job.events = 3;
    job.entries = 7;
    job.event_kicks = 1;
    memcpy(job.event, events, sizeof events);
  }
  return job;
}

static void run(const setting *s, const char *variant, int64_t chunk, outcome *o) {
  const sd_kernels *kernels = sd_find_kernels(s->t.method.entry, s->t.problem, variant);
  memset(o, 0, sizeof *o);
  sd_job job = make_job(s, s->t.problem->family, o);
  system_room room = room_for(s->t.problem, kernels, &job);
  kernels->begin(&job, 0, BODIES);
  while (job.to_step < s->steps) {
    job.from_step = job.to_step;
    job.to_step = s->steps - job.from_step < chunk ? s->steps : job.from_step + chunk;
    sd_advance_of(kernels, &job)(&job, 0, BODIES);
  }
  leave_room(&room);
}

/* Whether the slot is of what moves: an orbit has further ones for what it is compared with, a system for books in
 * which a motion that explodes leaves what it comes to. */
static int is_of_motion(const setting *s, const sd_kernels *kernels, size_t slot) {
  if (is_of(s->t.problem->family, "orbit")) return slot < 7; /* q, p, work */
  return !s->t.problem->fill || slot % (size_t)kernels->body_slots < SD_START_NUMBERS;
}

/* How many members are lost; none, lost or not, has a state that is not finite. */
static int lost(const setting *s, const char *variant, const outcome *o) {
  const sd_kernels *kernels = sd_find_kernels(s->t.method.entry, s->t.problem, variant);
  size_t bodies = bodies_of(s->t.problem, s->t.parameters), state = sd_member_slots(kernels, bodies);
  size_t numbers = state - (s->t.problem->fill ? (size_t)kernels->state_slots : 0);
  int count = 0;
  for (size_t i = 0; i < BODIES; i++) {
    count += o->slots[(state + SD_STATUS) * BODIES + i] != SD_MEMBER_OK;
    for (size_t k = 0; k < numbers; k++)
      if (is_of_motion(s, kernels, k) && !isfinite(o->slots[k * BODIES + i]))
        fail_msg("%s on %s: body %zu keeps a state that is not finite", s->t.method.name, s->t.problem->id, i);
  }
  return count;
}

/* The variants take turns, so that each has every method on some problems; that they agree, battery_identity says. */
static const char *next_variant(void) {
  static int turn;
  const char *usable[8];
  int count = 0;
  for (int v = 0; v < sd_variant_count() && count < 8; v++)
    if (sd_variant_at(v).usable) usable[count++] = sd_variant_at(v).name;
  int now = turn++;
  return usable[(now + now / count) % count];
}

static int compare(const setting *s) {
  static outcome whole, cut;
  const char *variant = next_variant();
  run(s, variant, s->steps, &whole);
  for (int64_t chunk = 1; chunk <= 7; chunk += 6) {
    run(s, variant, chunk, &cut);
    if (memcmp(&whole, &cut, sizeof whole))
      fail_msg("%s on %s, %s, step %g: chunks of %d differ from the whole", s->t.method.name, s->t.problem->id, variant,
               s->step, (int)chunk);
  }
  return lost(s, variant, &whole);
}

static void test_every_method(void **state) {
  (void)state;
  int losing = 0, pairs = 0;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++) {
      if (sd_problem_at(p)->family != sd_method_at(m)->family) continue;
      setting s = {harness_make(sd_method_at(m)->id, sd_problem_at(p)->id), sd_problem_at(p)->step, STEPS, 0, 0};
      compare(&s);
      s.wild = 1;
      s.step *= sd_problem_at(p)->fill ? 100 : 8; /* the steps of bonded systems are far within what is stable */
      s.steps = 60;
      losing += compare(&s) > 0;
      pairs++;
    }
  assert_true(losing * 2 > pairs); /* otherwise too little is lost for this to say much */
}

static void test_compositions(void **state) {
  (void)state;
  static const char *const names[][2] = {{"vlv@8", "stress"}, {"rattle@4", "top-slow"}, {"verlet@6", "orbit-elliptic"}};
  for (int i = 0; i < 3; i++) {
    setting s = {harness_make(names[i][0], names[i][1]), 0, 60, 1, 0};
    s.step = 8 * s.t.problem->step;
    compare(&s);
  }
}

/* Events in the middle of chunks, at their ends, on the way to being lost. */
static void test_events(void **state) {
  (void)state;
  int ended = 0;
  for (int m = 0; m < sd_method_count(); m++) {
    if (!is_of(sd_method_at(m)->family, "orbit")) continue;
    setting s = {harness_make(sd_method_at(m)->id, "orbit-elliptic"), 60, STEPS, 0, 1};
    ended += compare(&s);
    s.wild = 1;
    s.step *= 8;
    compare(&s);
  }
  assert_true(ended > 10);
}

/* Attractors that move: forces and energy depend on the time, wherever a chunk begins. */
static void test_moving_attractors(void **state) {
  (void)state;
  for (int m = 0; m < sd_method_count(); m++) {
    if (!is_of(sd_method_at(m)->family, "orbit")) continue;
    setting s = {harness_make(sd_method_at(m)->id, "orbit-elliptic"), 60, STEPS, 0, 0};
    const sd_parameter *p = s.t.problem->parameter;
    double *value = s.t.parameters;
    for (; strcmp(p->name, "mu1"); value += p++->count) continue;
    const double attractor[7] = {100, 3000, 0, 0, 0, 0, 1e-3}; /* mu1, at1, turn1 */
    memcpy(value, attractor, sizeof attractor);
    compare(&s);
  }
}

/* More substeps in one interval than a count of Newton iterations would ever be: the body is well. */
static void test_many_substeps(void **state) {
  (void)state;
  static const char *const problems[2] = {"stress", "orbit-elliptic"};
  for (int i = 0; i < 2; i++) {
    setting s = {harness_make("rk45", problems[i]), i ? 400000 : 63, 12, 0, 0};
    s.t.method_parameters[0] = 1e-12;
    assert_int_equal(compare(&s), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method), cmocka_unit_test(test_compositions),
                                     cmocka_unit_test(test_events), cmocka_unit_test(test_moving_attractors),
                                     cmocka_unit_test(test_many_substeps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
