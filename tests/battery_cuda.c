/* battery_cuda.c - the CUDA backend, executed: every method on every problem to the same bits as one lane of the
 * processor, for all sizes, blocks, orders of threads, numbers of devices and batches; and every CUDA call made to
 * fail.
 *
 * It is linked with the stand-in for the CUDA runtime and the translated PTX of tests/ptx. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/backend.h"
#include "lists.h"
#include "settings.h"
#include "ptx/standin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *only_methods; /* such as "vlv,rk45"; NULL: all of them */

typedef struct {
  const char *method, *problem;
  int bodies, steps, every, block, devices, reverse, trajectories;
  const char *memory;              /* MiB that the backend may use of a device */
  const char *attitude, *velocity; /* spread of the starts: large velocities fail */
  const char *fallback, *param;
  int watched; /* something happens to bodies, and 2: all forces act on them, which start by a covariance */
  int left;    /* they are left alone, also where there could be impulses: devices have kernels of their own for that */
  int plain;   /* without moments, which take longer than all the rest */
} setting;

enum { STATE = 32 }; /* numbers of a state at most, its status with them */

typedef struct {
  sd_status status;
  char message[512], digest[33];
  size_t failed, states;
  double *state; /* finals, then trajectories */
} outcome;

static sd_plan *make_plan(const setting *s, const char *backend) {
  sd_plan *plan;
  sd_method method;
  sd_error error = {0};
  const sd_family *family = problem_named(s->problem)->family;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", s->problem);
  set(plan, "method", s->method);
  set(plan, "backend", backend);
  set(plan, "isa", "scalar");
  const char *const asked[] = {s->attitude, s->velocity};
  set_spread(plan, family, asked, s->watched > 1);
  double h = s->watched ? 50 : problem_named(s->problem)->step;
  int steps = s->steps ? s->steps : 12;
  if (!s->plain) set_moments(plan, family, h, steps);
  if (family->impulses && !s->left) set(plan, "impulse", "t=33,dv=0.01,0.02,-0.01,size=0.1,angle=0.1");
  if (s->watched) set_events(plan);
  if (s->watched > 1) set_all_forces(plan);
  set_whole(plan, "bodies", s->bodies);
  set_whole(plan, "threads", 1);
  set_whole(plan, "steps", steps);
  set_whole(plan, "every", s->every ? s->every : 5);
  set_whole(plan, "final", s->bodies);
  set_whole(plan, "trajectories", s->trajectories);
  if (s->block) set_whole(plan, "block", s->block);
  if (s->memory) set(plan, "device-memory", s->memory);
  if (s->fallback) set(plan, "fallback", s->fallback);
  if (sd_find_method(s->method, family, &method, &error)) fail_msg("%s", error.message);
  if (s->param) set(plan, "param", s->param);
  if (method.entry->traits & SPHERICAL) set(plan, "param", "J=2,2,2");
  return plan;
}

static void keep_states(outcome *o, const sd_states *s) {
  for (size_t i = 0; i < s->samples * s->members; i++) {
    double *to = o->state + STATE * o->states++;
    memcpy(to, s->number + i * s->numbers, s->numbers * sizeof *to);
    to[STATE - 1] = s->status[i];
  }
}

static outcome run(const setting *s, const char *backend) {
  outcome o = {0};
  sd_plan *plan = make_plan(s, backend);
  sd_result *result;
  o.status = sd_run(plan, &result);
  snprintf(o.message, sizeof o.message, "%s", sd_plan_message(plan));
  if (result) {
    size_t finals = sd_result_final_count(result), recorded = sd_result_trajectory_count(result);
    size_t samples = sd_result_trajectory_samples(result);
    strcpy(o.digest, sd_result_digest(result));
    o.failed = sd_result_summary(result, 0)->failed;
    o.state = calloc(STATE * (finals + recorded * samples), sizeof *o.state);
    assert_non_null(o.state);
    assert_true(result->finals[0].numbers < STATE);
    keep_states(&o, &result->finals[0]);
    keep_states(&o, &result->trajectories[0]);
  }
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return o;
}

static outcome run_on_device(const setting *s) {
  standin_set_devices(s->devices ? s->devices : 1);
  standin_set_reverse(s->reverse);
  return run(s, "cuda");
}

static void check_same(const setting *s, const outcome *a, const outcome *b) {
  char what[200];
  snprintf(what, sizeof what, "%s on %s, %d bodies, block %d, %d devices, memory %s%s", s->method, s->problem,
           s->bodies, s->block, s->devices, s->memory ? s->memory : "all", s->reverse ? ", backwards" : "");
  if (!*b->digest) fail_msg("%s: %s", what, b->message);
  for (size_t i = 0; i < a->states; i++)
    if (memcmp(a->state + STATE * i, b->state + STATE * i, STATE * sizeof(double)))
      fail_msg("%s: state %zu differs", what, i);
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->status, b->status);
  if (strcmp(a->digest, b->digest)) fail_msg("%s: digest %s, processor %s", what, b->digest, a->digest);
  if (standin_live_objects()) fail_msg("%s: %ld objects of the CUDA runtime are left", what, standin_live_objects());
}

static int is_asked_for(const char *method) {
  size_t length = strlen(method);
  for (const char *p = only_methods; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (strcspn(p, ",") == length && !strncmp(p, method, length)) return 1;
  return !only_methods;
}

static size_t compare(const setting *s) {
  if (!is_asked_for(s->method)) return 0;
  outcome processor = run(s, "cpu"), device = run_on_device(s);
  check_same(s, &processor, &device);
  free(processor.state);
  free(device.state);
  return processor.failed;
}

/* Every pair; sizes, blocks, orders, devices and batches take turns. */
static void test_every_pair(void **state) {
  (void)state;
  static const int bodies[] = {33, 1, 300, 32, 31}, blocks[] = {0, 32, 256}, devices[] = {1, 2, 3};
  int turn = 0;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++, turn++) {
      if (sd_problem_at(p)->family != sd_method_at(m)->family) continue;
      if (sd_problem_at(p)->fill) continue; /* systems have a battery of their own */
      setting s = {.method = sd_method_at(m)->id,
                   .problem = sd_problem_at(p)->id,
                   .bodies = bodies[turn % 5],
                   .block = blocks[turn / 2 % 3],
                   .devices = devices[turn / 3 % 3],
                   .reverse = turn % 2,
                   .left = p % 2};
      s.memory = turn % 4 == 0 ? "0.1" : NULL;
      s.plain = turn % 7 > 0;
      compare(&s);
    }
}

static void test_all_sizes_and_ways(void **state) {
  (void)state;
  static const char *const methods[] = {"vlv", "eln@4", "rk45"};
  static const int bodies[] = {1, 31, 32, 33, 1000};
  for (int m = 0; m < 3; m++)
    for (int n = 0; n < 5; n++)
      for (int devices = 1; devices <= 3; devices++)
        for (int way = 0; way < 4; way++) {
          setting s = {.method = methods[m], .problem = "stress", .bodies = bodies[n], .devices = devices};
          s.plain = m > 0 || way > 1;
          s.reverse = way % 2;
          s.memory = way / 2 ? "0.1" : NULL; /* MiB: batches of 256 bodies */
          s.block = (int[]){0, 64, 512, 32}[way];
          s.trajectories = way == 3 ? 20 : 0;
          compare(&s);
        }
}

/* Bodies that fail, in all ways that they do. */
static void test_failing_bodies(void **state) {
  (void)state;
  size_t failed = 0;
  for (int m = 0; m < sd_method_count(); m++) {
    if (!is_of(sd_method_at(m)->family, "so3")) continue;
    setting s = {.method = sd_method_at(m)->id, .problem = "stress", .bodies = 40, .steps = 15, .velocity = "60"};
    s.plain = m % 8 > 0;
    failed += compare(&s);
    s.problem = "coulomb-wall";
    failed += compare(&s);
    s.velocity = "1e6"; /* in the first step */
    s.problem = "stress";
    failed += compare(&s);
  }
  assert_true(failed > 100 || only_methods); /* otherwise this test looks at nothing */
}

/* A wrong last bit in a small term of a series, or in a branch that few bodies take, shows in few of many numbers;
 * bodies turned all the way round take every branch; over many rows, the extremes come from everywhere in a block. */
static void test_many_numbers(void **state) {
  (void)state;
  for (int p = 0; p < sd_problem_count(); p++) {
    int orbit = is_of(sd_problem_at(p)->family, "orbit");
    if (!orbit && !is_of(sd_problem_at(p)->family, "so3")) continue;
    setting s = {.method = orbit ? "midpoint" : "vlv",
                 .problem = sd_problem_at(p)->id,
                 .bodies = 1000,
                 .steps = 60,
                 .every = 30};
    s.attitude = orbit ? NULL : "2";
    s.param = orbit ? "drag=1e-6" : "attitude=9,-40,30";
    compare(&s);
    s.method = "rk45";
    s.bodies = 200;
    s.plain = 1;
    compare(&s);
  }
  setting fast = {.method = "verlet", .problem = "orbit-elliptic", .bodies = 200, .steps = 20, .every = 1};
  fast.param = "p0=0,0,0"; /* the exact solutions of these take all the ways there are to find one */
  fast.velocity = "1e6";
  fast.attitude = "100";
  compare(&fast);
  fast.left = 1;
  compare(&fast);
  setting rows = {.method = "vlv", .problem = "stress", .bodies = 600, .steps = 60, .every = 1, .plain = 1};
  compare(&rows);
  setting starts = {.method = "vlv", .problem = "stress", .bodies = 20000, .steps = 1, .every = 1, .attitude = "1"};
  compare(&starts);
}

static void test_events(void **state) {
  (void)state;
  for (int m = 0; m < sd_method_count(); m++) {
    setting s = {.method = sd_method_at(m)->id, .problem = "orbit-elliptic", .bodies = 40, .steps = 180, .watched = 1};
    s.devices = 1 + m % 2;
    s.left = m / 2 % 2;
    s.plain = m % 3 > 0;
    if (!is_of(sd_method_at(m)->family, "orbit")) continue;
    compare(&s);
    s.watched = 2;
    s.steps = 70;
    s.plain = 1;
    compare(&s);
  }
}

/* Rows that cannot be cut into slices: all values alike, or beyond all bounds. */
static void test_strange_rows(void **state) {
  (void)state;
  setting alike = {.method = "free-exact", .problem = "free", .bodies = 600, .velocity = "0"};
  compare(&alike);
  setting boundless = {.method = "rk2", .problem = "free", .bodies = 600, .steps = 20, .velocity = "1e6"};
  compare(&boundless);
}

/* ---- failing calls ---- */

static const setting small = {
    .method = "vlv", .problem = "stress", .bodies = 300, .steps = 6, .every = 6, .devices = 2, .trajectories = 3};

static outcome run_with_failure(const setting *s, const char *what) {
  standin_reset();
  assert_int_equal(standin_fail(what), 0);
  outcome o = run_on_device(s);
  if (standin_live_objects()) fail_msg("%s: %ld objects are left", what, standin_live_objects());
  standin_fail(NULL);
  return o;
}

/* Each call of a run fails once: the run either does without it, to the same digest, or ends with one clear line. */
static void fail_each_call(const setting *s, const char *suffix) {
  standin_reset();
  outcome good = run_on_device(s);
  long calls = standin_calls(NULL);
  assert_int_equal(good.status, SD_OK);
  assert_true(calls > 50);
  int ended = 0;
  for (long k = 1; k <= calls; k++) {
    char what[64];
    snprintf(what, sizeof what, "#%ld%s", k, suffix);
    outcome o = run_with_failure(s, what);
    if (o.status == SD_OK && strcmp(o.digest, good.digest)) fail_msg("%s: another digest", what);
    if (o.status && (!strstr(o.message, "device") || strchr(o.message, '\n') || *o.digest))
      fail_msg("%s: status %d, '%s'", what, (int)o.status, o.message);
    if (o.status != SD_OK && o.status != SD_DEVICE && o.status != SD_NO_MEMORY && o.status != SD_BAD_INPUT)
      fail_msg("%s: status %d", what, (int)o.status);
    ended += o.status != SD_OK;
    free(o.state);
  }
  assert_true(ended > calls / 2);
  free(good.state);
}

static void test_every_call_fails(void **state) {
  (void)state;
  fail_each_call(&small, "");
}
static void test_device_lost_at_every_call(void **state) {
  (void)state;
  setting s = small;
  s.plain = 1;
  fail_each_call(&s, ":lost");
}
static void test_every_call_fails_in_batches(void **state) {
  (void)state;
  setting s = small;
  s.memory = "0.1";
  s.devices = s.plain = 1;
  fail_each_call(&s, "");
}

/* Any allocation that fails is tried again with smaller batches. */
static void test_out_of_memory(void **state) {
  (void)state;
  setting s = {.method = "vlv", .problem = "stress", .bodies = 5000, .plain = 1};
  standin_reset();
  outcome good = run(&s, "cpu"), all = run_on_device(&s);
  check_same(&s, &good, &all);
  long calls = standin_calls("cudaMalloc");
  free(all.state);
  for (long k = 1; k <= calls; k++) {
    char what[64];
    snprintf(what, sizeof what, "cudaMalloc:%ld:2", k);
    outcome o = run_with_failure(&s, what);
    check_same(&s, &good, &o);
    free(o.state);
  }
  size_t enough = 0, batched = 0;
  for (size_t memory = 1 << 19; memory < 1 << 22; memory += memory / 2) { /* from too little to all */
    standin_reset();
    standin_set_memory(memory);
    outcome o = run_on_device(&s);
    if (o.status == SD_OK) check_same(&s, &good, &o);
    else assert_int_equal(o.status, SD_NO_MEMORY);
    assert_true(o.status == SD_OK || !enough);
    enough += o.status == SD_OK;
    batched += o.status == SD_OK && standin_calls("cudaMalloc") > calls;
    free(o.state);
  }
  standin_set_memory((size_t)1 << 28);
  assert_true(enough > 0 && batched > 0);
  free(good.state);
}

static void test_fallback(void **state) {
  (void)state;
  setting s = small;
  s.fallback = "cpu";
  outcome good = run(&s, "cpu"), o = run_with_failure(&s, "cudaLaunchKernel:5:lost");
  check_same(&s, &good, &o);
  free(good.state);
  free(o.state);
}

/* Interrupted on the processor, gone on with on a device in batches, and so on in turn. */
static int stop_at_once(void *data, const sd_report *report) {
  (void)data, (void)report;
  return 1;
}
static void test_restart(void **state) {
  (void)state;
  char file[64], previous[80]; /* of its own: the battery runs for several capabilities at a time */
  snprintf(file, sizeof file, "battery_cuda.%ld.ckpt", (long)getpid());
  snprintf(previous, sizeof previous, "%s.previous", file);
  static const char *const methods[][2] = {{"vlv", "stress"}, {"rk45", "stress"}, {"midpoint", "orbit-elliptic"}};
  standin_reset();
  for (int m = 0; m < 3; m++) {
    setting s = {
        .method = methods[m][0], .problem = methods[m][1], .bodies = 700, .steps = 300, .memory = "0.1", .devices = 2};
    outcome whole = run(&s, "cpu");
    remove(file);
    remove(previous);
    standin_set_devices(2);
    for (int life = 0;; life++) {
      sd_plan *plan = make_plan(&s, life % 2 ? "cuda" : "cpu");
      sd_result *result;
      set(plan, "checkpoint", file);
      if (life < 4) sd_plan_on_progress(plan, stop_at_once, NULL);
      sd_status status = sd_run(plan, &result);
      if (status != SD_INTERRUPTED) {
        assert_int_equal(status, whole.status);
        assert_string_equal(sd_result_digest(result), whole.digest);
        assert_int_equal(life, 4);
      }
      sd_result_destroy(result);
      sd_plan_destroy(plan);
      if (status != SD_INTERRUPTED) break;
    }
    free(whole.state);
  }
  remove(file);
  remove(previous);
}

static void test_no_device(void **state) {
  (void)state;
  setting s = small;
  standin_reset();
  for (int devices = 0; devices >= -1; devices--) {
    char why[256];
    standin_set_devices(devices);
    assert_int_equal(sd_devices(NULL, 0, why), 0);
    assert_non_null(strstr(why, "no CUDA device"));
    outcome cuda = run(&s, "cuda"), automatic = run(&s, "auto");
    assert_int_equal(cuda.status, SD_BAD_INPUT);
    assert_non_null(strstr(cuda.message, "no CUDA device"));
    assert_int_equal(automatic.status, SD_OK);
    free(automatic.state);
  }
  standin_set_devices(1);
}

/* Two multiprocessors at 1 GHz, which the stand-in has, of a kind that is known, of one that is not; no device at all.
 */
static void test_peak(void **state) {
  (void)state;
  const char *given = getenv("STANDIN_CAPABILITY");
  standin_set_capability(90);
  assert_true(sd_device_peak(0) == 2 * 1e9 * 64);
  standin_set_capability(75);
  assert_true(isnan(sd_device_peak(0)));
  standin_set_capability(given ? (unsigned)atoi(given) : 75);
  assert_true(isnan(sd_device_peak(-1)));
}

/* battery_cuda [TEST [METHOD,...]]: tests whose names fit a pattern, and of their comparisons those of some methods. */
int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  if (argc > 2) only_methods = argv[2];
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair),
                                     cmocka_unit_test(test_all_sizes_and_ways),
                                     cmocka_unit_test(test_failing_bodies),
                                     cmocka_unit_test(test_many_numbers),
                                     cmocka_unit_test(test_events),
                                     cmocka_unit_test(test_strange_rows),
                                     cmocka_unit_test(test_every_call_fails),
                                     cmocka_unit_test(test_device_lost_at_every_call),
                                     cmocka_unit_test(test_every_call_fails_in_batches),
                                     cmocka_unit_test(test_out_of_memory),
                                     cmocka_unit_test(test_fallback),
                                     cmocka_unit_test(test_restart),
                                     cmocka_unit_test(test_peak),
                                     cmocka_unit_test(test_no_device)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
