/* test_system_runs.c - systems of many bodies come to one digest whatever runs them: variant, threads, members or
 * bodies side by side, the skin of the neighbour lists, interruptions in the middle of an impact; with members that
 * fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"
#include "settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *name, *problem, *method;
  int members, steps, failing; /* whether some of them do */
  const char *settings[10][2];
} system_plan;

/* Sizes are beyond a lane group, and no multiple of one; the ring's axial mode, and so the ring, is unstable at 0.01.
 */
static const system_plan plans[] = {
    {"a ring at the wall", "torus", "rrp", 5, 150, 0, {{"sigma-tilt", "0.01"}}},
    {"a small ring, turning",
     "torus",
     "rattle@4",
     19,
     60,
     0,
     {{"param", "n=7"}, {"param", "J=0.8,1,1.3"}, {"sigma-spin", "1"}}},
    {"two blocks",
     "block",
     "vlv",
     3,
     150,
     0,
     {{"param", "nx=3"},
      {"param", "ny=3"},
      {"param", "nz=2"},
      {"param", "other=1"},
      {"param", "speed=20"},
      {"sigma-speed", "0.1"}}},
    {"a plate with dashpots",
     "plate",
     "eln",
     4,
     120,
     0,
     {{"param", "damping=3"}, {"param", "gravity=-1,0.5,0.2"}, {"param", "nx=5"}, {"param", "J=0.1,0.15,0.2"}}},
    {"a rod, first order", "rod", "rrp-euler", 6, 120, 0, {{"param", "speed=3"}, {"param", "damping=1"}}},
    {"a gas", "gas", "split", 3, 250, 0, {{"param", "n=100"}, {"param", "filling=0.4"}, {"param", "speed=8"}}},
    {"a crowd", "gas", "sw-e", 2, 40, 0, {{"param", "n=150"}, {"param", "filling=0.52"}, {"param", "speed=20"}}},
    {"bonds unlike one another",
     "block",
     "rattle",
     5,
     60,
     0,
     {{"param", "nx=4"}, {"param", "ny=3"}, {"param", "nz=3"}, {"sigma-stiffness", "0.2"}, {"sigma-speed", "0.1"}}},
    {"a burst", /* into more room than there are cells for: most fly far, some together */
     "block",
     "rattle",
     2,
     150,
     0,
     {{"param", "nx=7"},
      {"param", "ny=6"},
      {"param", "nz=6"},
      {"param", "Km=0"},
      {"param", "Ka=0"},
      {"param", "Ks=0"},
      {"param", "speed=0"},
      {"sigma-speed", "30"}}},
    {"dumbbells",
     "full-body",
     "free-exact",
     17,
     200,
     0,
     {{"sigma-speed", "0.1"}, {"sigma-tilt", "0.3"}, {"sigma-spin", "0.2"}}},
    {"an unstable ring", "torus", "rattle", 9, 200, 1, {{"step", "0.01"}, {"unstable", "yes"}, {"sigma-speed", "0.1"}}},
    {"an unstable ring, composed",
     "torus",
     "vlv@4",
     5,
     100,
     1,
     {{"step", "0.01"}, {"unstable", "yes"}, {"sigma-spin", "0.3"}}},
    {"spins too fast", "rod", "rrp", 37, 100, 1, {{"sigma-spin", "250"}, {"unstable", "yes"}}}};
enum { PLANS = sizeof plans / sizeof *plans };

/* How it is run, which changes nothing. */
typedef struct {
  const char *isa, *lanes, *skin, *checkpoint;
  int threads, pauses; /* pauses between chunks until it is interrupted; 0: never */
} way;

typedef struct {
  sd_status status;
  char digest[33];
  size_t failed;
} outcome;

static int on_progress(void *data, const sd_report *report) {
  (void)report;
  return --*(int *)data == 0;
}

static outcome run(const system_plan *p, way w) {
  sd_plan *plan;
  sd_result *result;
  outcome o = {0};
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", p->problem);
  set(plan, "method", p->method);
  for (int k = 0; p->settings[k][0]; k++) set(plan, p->settings[k][0], p->settings[k][1]);
  set_whole(plan, "members", p->members);
  set_whole(plan, "steps", p->steps);
  set_whole(plan, "every", 7);
  set(plan, "isa", w.isa);
  set(plan, "lanes", w.lanes);
  set(plan, "skin", w.skin);
  set_whole(plan, "threads", w.threads);
  if (w.checkpoint) set(plan, "checkpoint", w.checkpoint);
  if (w.pauses) sd_plan_on_progress(plan, on_progress, &w.pauses);
  o.status = sd_run(plan, &result);
  if (o.status != SD_OK && o.status != SD_BODIES_FAILED && o.status != SD_INTERRUPTED)
    fail_msg("%s: %s", p->name, sd_plan_message(plan));
  if (o.status != SD_INTERRUPTED) {
    strcpy(o.digest, sd_result_digest(result));
    o.failed = sd_result_summary(result, 0)->failed;
  }
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return o;
}

static const char *const lanes[] = {"members", "bodies"}, *const skins[] = {"0.05", "0.3", "1"};

/* The next of all ways, so that threads, variants, lanes and skins meet in many combinations. */
static way way_number(int n) {
  sd_variant variant = sd_variant_at(n / 2 % sd_variant_count());
  return (way){.isa = variant.usable ? variant.name : "scalar",
               .lanes = lanes[n % 2],
               .skin = skins[(n / 3 + n) % 3],
               .threads = 1 + n % 3};
}

static void check_same(const system_plan *p, const way *w, const outcome *a, const outcome *b) {
  if (a->status == b->status && a->failed == b->failed && !strcmp(a->digest, b->digest)) return;
  fail_msg("%s by %s, %s side by side, skin %s, %d threads: %s with %d failed, and not %s with %d", p->name, w->isa,
           w->lanes, w->skin, w->threads, b->digest, (int)b->failed, a->digest, (int)a->failed);
}

static const way plain = {.isa = "scalar", .lanes = "members", .skin = "0.3", .threads = 1};

static void test_every_way(void **state) {
  (void)state;
  for (int i = 0; i < PLANS; i++) {
    outcome expected = run(&plans[i], plain);
    if (plans[i].failing != (expected.failed > 0)) fail_msg("%s: %d fail", plans[i].name, (int)expected.failed);
    for (int n = 0; n < 6 * sd_variant_count(); n++) {
      way w = way_number(n);
      outcome o = run(&plans[i], w);
      check_same(&plans[i], &w, &expected, &o);
    }
  }
}

static void forget(const char *file) {
  char previous[64];
  snprintf(previous, sizeof previous, "%s.previous", file);
  unlink(file);
  unlink(previous);
}

/* Life after life, each in another way, from what the one before has left: the first ones end after a step or a few, in
 * the middle of the impact where there is one. */
static void test_interruptions(void **state) {
  (void)state;
  static const char *const file = "test_system_runs.ckpt";
  for (int i = 0; i < PLANS; i++) {
    outcome expected = run(&plans[i], plain), o = {.status = SD_INTERRUPTED};
    forget(file);
    int lives = 0;
    for (; o.status == SD_INTERRUPTED; lives++) {
      way w = way_number(lives + i);
      w.checkpoint = file;
      w.pauses = lives < 5 ? 1 + lives % 3 : 0;
      o = run(&plans[i], w);
      if (o.status != SD_INTERRUPTED) check_same(&plans[i], &w, &expected, &o);
    }
    if (lives < 4) fail_msg("%s: %d lives are too few", plans[i].name, lives);
    forget(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_way), cmocka_unit_test(test_interruptions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
