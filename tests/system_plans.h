/* system_plans.h - systems of many bodies for tests of how they are run, and a run of one; after cmocka.h. */
#ifndef TESTS_SYSTEM_PLANS_H
#define TESTS_SYSTEM_PLANS_H

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
     {{"param", "damping=3"},
      {"param", "gravity=-1,0.5,0.2"},
      {"param", "nx=5"},
      {"param", "J=0.1,0.15,0.2"},
      {"spread", "D=0.02"},
      {"spread", "damping=0.3"},
      {"spread", "gravity.1=0.1"}}},
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
     {{"sigma-speed", "0.1"},
      {"sigma-tilt", "0.3"},
      {"sigma-spin", "0.2"},
      {"spread", "length.1=0.05"},
      {"spread", "share=0.02"}}},
    {"an unstable ring",
     "torus",
     "rattle",
     9,
     200,
     1,
     {{"step", "0.01"}, {"unstable", "yes"}, {"sigma-speed", "0.1"}, {"spread", "Ka=30"}, {"spread", "Dt=0.1"}}},
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
  const char *backend; /* or NULL, for the processor */
  int block;           /* of a device, */
  const char *memory;  /* and how much of its memory may be used, in MiB */
  int fallback;        /* where it fails, the processor goes on */
  const char *sort;    /* or NULL: where it is worth it */
} way;

typedef struct {
  sd_status status;
  char digest[33], message[512], devices[160];
  size_t failed;
  uint64_t rebuilds; /* of neighbours, of all members */
  uint64_t states;   /* a hash of those that are shown of the first members */
} outcome;

static int on_progress(void *data, const sd_report *report) {
  (void)report;
  return --*(int *)data == 0;
}

static uint64_t hash_states(uint64_t hash, const sd_states *s) { /* FNV-1a */
  const unsigned char *byte = (const unsigned char *)s->number;
  for (size_t i = 0; i < s->samples * s->members * s->numbers * sizeof *s->number; i++)
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
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
  set_whole(plan, "every", p->steps < 7 ? p->steps : 7);
  set(plan, "isa", w.isa);
  set(plan, "lanes", w.lanes);
  set(plan, "skin", w.skin);
  set_whole(plan, "threads", w.threads);
  set(plan, "backend", w.backend ? w.backend : "cpu");
  if (w.block) set_whole(plan, "block", w.block);
  if (w.memory) set(plan, "device-memory", w.memory);
  if (w.fallback) set(plan, "fallback", "cpu");
  if (w.sort) set(plan, "sort", w.sort);
  set_whole(plan, "final", p->members < 3 ? p->members : 3);
  if (w.checkpoint) set(plan, "checkpoint", w.checkpoint);
  if (w.pauses) sd_plan_on_progress(plan, on_progress, &w.pauses);
  o.status = sd_run(plan, &result);
  snprintf(o.message, sizeof o.message, "%s", sd_plan_message(plan));
  if (o.status == SD_OK || o.status == SD_BODIES_FAILED) {
    strcpy(o.digest, sd_result_digest(result));
    snprintf(o.devices, sizeof o.devices, "%s", result->devices);
    o.failed = sd_result_summary(result, 0)->failed;
    o.rebuilds = result->neighbours[0].rebuilds;
    o.states = hash_states(UINT64_C(0xcbf29ce484222325), &result->finals[0]);
  }
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return o;
}

static void check_same(const system_plan *p, const way *w, const outcome *a, const outcome *b) {
  if (!*a->digest || !*b->digest) fail_msg("%s: %s%s", p->name, a->message, b->message);
  if (a->status == b->status && a->failed == b->failed && a->states == b->states && !strcmp(a->digest, b->digest))
    return;
  fail_msg("%s by %s, %s side by side, skin %s, sort %s, %d threads, block %d: %s with %d failed%s, and not %s with %d",
           p->name, w->backend ? w->backend : w->isa, w->lanes, w->skin, w->sort ? w->sort : "auto", w->threads,
           w->block, b->digest, (int)b->failed, a->states == b->states ? "" : ", other states", a->digest,
           (int)a->failed);
}

static const way plain = {.isa = "scalar", .lanes = "members", .skin = "0.3", .threads = 1};

/* A block of two species whose numbers jump about, some of them loose, from a file. */
static void write_jumping(const char *file) {
  enum { NX = 9, NY = 7, NZ = 5, ALL = NX * NY * NZ, JUMP = 62 };
  static const int step[3] = {1, NX, NX * NY}, along[3] = {NX, NY, NZ};
  int number[ALL];
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  fputs("species bead mass 1 J 0.1 0.12 0.15 diameter 1\nspecies ball mass 1.5 J 0.2 0.2 0.3 diameter 1.1\n", f);
  for (int b = 0; b < ALL; b++) {
    int at = b * JUMP % ALL;
    number[at] = b;
    fprintf(f, "body %s %d %d %d %g %g %g\n", b % 3 ? "bead" : "ball", at % NX, at / NX % NY, at / step[2],
            0.5 * (b % 5) - 1, 0.4 * (b % 7) - 1.2, 0.3 * (b % 3) - 0.3);
  }
  for (int at = 0; at < ALL; at++)
    for (int k = 0; k < 3; k++)
      if (at / step[k] % along[k] < along[k] - 1 && at / NX % 3)
        fprintf(f, "bond %d %d\n", number[at], number[at + step[k]]);
  assert_int_equal(fclose(f), 0);
}

/* Members of it, which differ in bonds, too; a gas that mixes is among the plans. */
static system_plan jumping_in(const char *file) {
  return (system_plan){"numbers that jump about",
                       file,
                       "rattle",
                       2,
                       40,
                       0,
                       {{"sigma-stiffness", "0.2"},
                        {"sigma-speed", "0.1"},
                        {"param", "damping=0.5"},
                        {"step", "0.002"},
                        {"spread", "Km=2"}}};
}

static void forget(const char *file) {
  char previous[64];
  snprintf(previous, sizeof previous, "%s.previous", file);
  unlink(file);
  unlink(previous);
}

#endif
