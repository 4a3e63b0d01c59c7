/* battery_systems_cuda.c - systems of many bodies on devices, executed: to the same bits as by one lane of the
 * processor, with a block of threads for each system and with a thread for each body; in blocks of all sizes, orders of
 * threads, numbers of devices, batches; interrupted, with members that are lost; and every CUDA call made to fail.
 *
 * It is linked with the stand-in for the CUDA runtime and the translated PTX of tests/ptx. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "system_plans.h"
#include "ptx/standin.h"

#include <stdlib.h>

static const char *const lanes[] = {"members", "bodies"};

/* The next of all ways, so that lanes, blocks, skins, devices and orders meet in many combinations. */
static way device_way(int n) {
  static const int blocks[] = {32, 128, 0, 64, 256};
  static const char *const skins[] = {"0.05", "0.3", "1"};
  standin_set_devices(1 + n / 2 % 2);
  standin_set_reverse(n / 4 % 2);
  return (way){.backend = "cuda",
               .isa = "scalar",
               .lanes = lanes[n % 2],
               .block = blocks[n % 5],
               .skin = skins[(n / 3 + n) % 3],
               .sort = n / 2 % 2 ? "no" : "yes",
               .threads = 1 + n % 2};
}

static void check_nothing_left(const system_plan *p) {
  if (standin_live_objects()) fail_msg("%s: %ld objects of the CUDA runtime are left", p->name, standin_live_objects());
}

static void compare(const system_plan *p, way w) {
  outcome expected = run(p, plain), o = run(p, w);
  check_same(p, &w, &expected, &o);
  check_nothing_left(p);
}

/* Every method on every problem, a few steps. */
static void test_every_pair(void **state) {
  (void)state;
  standin_reset();
  int turn = 0;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++) {
      if (sd_problem_at(p)->family != sd_method_at(m)->family || !sd_problem_at(p)->fill) continue;
      int spherical = (sd_method_at(m)->traits & SPHERICAL) != 0, described = sd_is_described(sd_problem_at(p));
      system_plan pair = {.name = sd_problem_at(p)->id,
                          .problem = sd_problem_at(p)->id,
                          .method = sd_method_at(m)->id,
                          .members = 1 + turn % 3,
                          .steps = 8,
                          .settings = {{"sigma-spin", "1"}, {"sigma-speed", "0.1"}}};
      if (!described)
        memcpy(pair.settings[2], (const char *[]){"param", spherical ? "J=2,2,2" : "J=2,2.5,3"},
               sizeof pair.settings[2]);
      compare(&pair, device_way(turn++));
    }
  assert_true(turn >= 100);
}

/* Each plan in one way; the next capability takes another. */
static void test_every_plan(void **state) {
  (void)state;
  const char *capability = getenv("STANDIN_CAPABILITY");
  standin_reset();
  for (int i = 0; i < PLANS; i++) compare(&plans[i], device_way(7 * i + (capability != NULL)));
}

/* From a file, sorted by places and as they come, either way. */
static void test_numbers_that_jump(void **state) {
  (void)state;
  char file[64];
  snprintf(file, sizeof file, "battery_systems.%ld.bodies", (long)getpid());
  standin_reset();
  write_jumping(file);
  system_plan jumping = jumping_in(file);
  for (int n = 0; n < 4; n++) compare(&jumping, device_way(n));
  unlink(file);
}

/* Neighbours are looked for as often as by the processor, in one piece and in batches. */
static void test_rebuilds(void **state) {
  (void)state;
  standin_reset();
  standin_set_devices(1);
  const system_plan gas = {
      "a thin gas", "gas", "split", 6, 250, 0, {{"param", "n=30"}, {"param", "filling=0.2"}, {"param", "speed=8"}}};
  outcome expected = run(&gas, (way){.isa = "scalar", .lanes = "bodies", .skin = "0.3", .threads = 1, .sort = "no"});
  assert_true(expected.rebuilds > 60); /* ten of each */
  for (int n = 0; n < 2; n++) {
    way w = {.backend = "cuda", .isa = "scalar", .lanes = lanes[n], .skin = "0.3", .threads = 1, .sort = "no"};
    outcome o = run(&gas, w);
    check_same(&gas, &w, &expected, &o);
    if (o.rebuilds != expected.rebuilds)
      fail_msg("%s side by side: %d, and not %d", lanes[n], (int)o.rebuilds, (int)expected.rebuilds);
    w.memory = "0.15";
    o = run(&gas, w);
    check_same(&gas, &w, &expected, &o);
    if (o.rebuilds < expected.rebuilds) fail_msg("in batches: %d, and not %d", (int)o.rebuilds, (int)expected.rebuilds);
  }
}

/* One that is larger than any block: it has a thread for each of its bodies, on one device of two, and says so. */
static const system_plan large = {
    "a large gas", "gas", "rattle", 1, 14, 0, {{"param", "n=1100"}, {"param", "filling=0.5"}, {"param", "speed=30"}}};

static void test_large(void **state) {
  (void)state;
  standin_reset();
  standin_set_devices(2);
  standin_set_reverse(0);
  way w = {.backend = "cuda", .isa = "scalar", .lanes = "auto", .skin = "0.3", .threads = 1, .block = 128};
  outcome expected = run(&large, (way){.isa = "scalar", .lanes = "bodies", .skin = "0.3", .threads = 1});
  outcome o = run(&large, w);
  check_same(&large, &w, &expected, &o);
  if (!strstr(o.devices, "device 0") || !strstr(o.devices, "a thread for each body")) fail_msg("%s", o.devices);
  w.lanes = "members"; /* one block has all of them in turn */
  o = run(&large, w);
  check_same(&large, &w, &expected, &o);
  if (!strstr(o.devices, "a block of threads for each system")) fail_msg("%s", o.devices);
}

/* Many small ones are taken by blocks of threads. */
static void test_choice(void **state) {
  (void)state;
  standin_reset();
  standin_set_devices(1);
  system_plan p = {.name = "pairs", .problem = "full-body", .method = "vlv", .members = 40, .steps = 7};
  way w = {.backend = "auto", .isa = "scalar", .lanes = "auto", .skin = "0.3", .threads = 1};
  outcome expected = run(&p, plain), o = run(&p, w);
  check_same(&p, &w, &expected, &o);
  if (!strstr(o.devices, "a block of threads for each system")) fail_msg("%s", o.devices);
}

/* Life after life, on the processor and on devices in turn, in the middle of an impact where there is one. */
static void test_interruptions(void **state) {
  (void)state;
  char file[64]; /* of its own: the battery runs for several capabilities at a time */
  snprintf(file, sizeof file, "battery_systems.%ld.ckpt", (long)getpid());
  standin_reset();
  for (int i = 0; i < PLANS; i++) {
    outcome expected = run(&plans[i], plain), o = {.status = SD_INTERRUPTED};
    int lives = 0;
    forget(file);
    for (; o.status == SD_INTERRUPTED; lives++) {
      way w = device_way(lives + i);
      if ((lives + i) % 3 == 2) w.backend = "cpu";
      w.checkpoint = file;
      w.pauses = lives < 5 ? 1 + lives % 3 : 0;
      o = run(&plans[i], w);
      if (o.status != SD_INTERRUPTED) check_same(&plans[i], &w, &expected, &o);
    }
    if (lives < 4) fail_msg("%s: %d lives are too few", plans[i].name, lives);
    check_nothing_left(&plans[i]);
  }
  forget(file);
}

/* ---- failing calls, little memory ---- */

static const system_plan small = {"some rods",
                                  "rod",
                                  "vlv",
                                  5,
                                  3,
                                  0,
                                  {{"param", "n=5"}, {"param", "speed=20"}, {"sigma-speed", "1"}, {"sigma-spin", "1"}}};

static way small_way(int by_bodies) {
  return (way){.backend = "cuda", .isa = "scalar", .lanes = lanes[by_bodies], .skin = "0.3", .threads = 1};
}

static outcome run_with_failure(way w, const char *what) {
  standin_reset();
  assert_int_equal(standin_fail(what), 0);
  outcome o = run(&small, w);
  if (standin_live_objects()) fail_msg("%s: %ld objects are left", what, standin_live_objects());
  standin_fail(NULL);
  return o;
}

/* Each call of a run, or every so many, fails once: the run either does without it, to the same digest, or ends with
 * one clear line. */
static void fail_each_call(way w, int next, const char *suffix) {
  standin_reset();
  outcome good = run(&small, w);
  long calls = standin_calls(NULL), ended = 0;
  assert_int_equal(good.status, SD_OK);
  assert_true(calls > 50);
  for (long k = 1; k <= calls; k += next) {
    char what[64];
    snprintf(what, sizeof what, "#%ld%s", k, suffix);
    outcome o = run_with_failure(w, what);
    if (o.status == SD_OK && strcmp(o.digest, good.digest)) fail_msg("%s: another digest", what);
    if (o.status && (!strstr(o.message, "device") || strchr(o.message, '\n'))) fail_msg("%s: '%s'", what, o.message);
    if (o.status != SD_OK && o.status != SD_DEVICE && o.status != SD_NO_MEMORY && o.status != SD_BAD_INPUT)
      fail_msg("%s: status %d", what, (int)o.status);
    ended += o.status != SD_OK;
  }
  assert_true(ended > calls / next / 2);
}

static void test_every_call_fails(void **state) {
  (void)state;
  standin_set_devices(1);
  standin_set_reverse(0);
  for (int by_bodies = 0; by_bodies < 2; by_bodies++) fail_each_call(small_way(by_bodies), 1, "");
  way in_batches = small_way(0);
  in_batches.memory = "0.04";
  fail_each_call(in_batches, 23, "");
  standin_set_devices(2);
  fail_each_call(small_way(0), 3, ":lost");
}

/* Any allocation that fails is tried again with fewer members; with less and less memory they come in batches, until
 * not even one fits. */
static void test_little_memory(void **state) {
  (void)state;
  standin_set_devices(1);
  standin_reset();
  outcome expected = run(&small, plain);
  way w = small_way(1);
  outcome o = run(&small, w);
  long calls = standin_calls("cudaMalloc");
  check_same(&small, &w, &expected, &o);
  for (long k = 1; k <= calls; k++) {
    char what[64];
    snprintf(what, sizeof what, "cudaMalloc:%ld:2", k);
    o = run_with_failure(w, what);
    check_same(&small, &w, &expected, &o);
  }
  int enough = 0, batched = 0, none = 0;
  for (int n = 0; n < 12; n++) {
    char memory[32];
    snprintf(memory, sizeof memory, "%.4f", 0.004 * (1 << n / 2) * (1 + n % 2 / 2.0));
    w.lanes = lanes[n % 2];
    w.memory = memory;
    standin_reset();
    o = run(&small, w);
    if (o.status == SD_OK) check_same(&small, &w, &expected, &o);
    else if (o.status != SD_NO_MEMORY || !strstr(o.message, "not even one")) fail_msg("%s", o.message);
    assert_true(o.status == SD_OK || !enough);
    none += o.status != SD_OK;
    enough += o.status == SD_OK;
    batched += o.status == SD_OK && standin_calls("cudaMalloc") > 2 * calls;
  }
  if (!none || !batched || enough < 3) fail_msg("%d without room, %d in batches of %d", none, batched, enough);
}

static void test_fallback(void **state) {
  (void)state;
  standin_set_devices(2);
  outcome expected = run(&small, plain);
  way w = small_way(1);
  w.fallback = 1;
  outcome o = run_with_failure(w, "cudaLaunchKernel:12:lost");
  check_same(&small, &w, &expected, &o);
}

int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair),
                                     cmocka_unit_test(test_every_plan),
                                     cmocka_unit_test(test_numbers_that_jump),
                                     cmocka_unit_test(test_rebuilds),
                                     cmocka_unit_test(test_large),
                                     cmocka_unit_test(test_choice),
                                     cmocka_unit_test(test_interruptions),
                                     cmocka_unit_test(test_every_call_fails),
                                     cmocka_unit_test(test_little_memory),
                                     cmocka_unit_test(test_fallback)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
