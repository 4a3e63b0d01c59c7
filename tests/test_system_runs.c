/* test_system_runs.c - systems of many bodies come to one digest whatever runs them: variant, threads, members or
 * bodies side by side, the skin of the neighbour lists, how bodies stand in memory, interruptions in the middle of an
 * impact; with members that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/field.h"
#include "../host/field_order.h"
#include "system_plans.h"
#include "systems.h"

static const char *const lanes[] = {"members", "bodies"}, *const skins[] = {"0.05", "0.3", "1"},
                         *const sorts[] = {"yes", "no", "auto"};

/* The next of all ways, so that threads, variants, lanes and skins meet in many combinations. */
static way way_number(int n) {
  sd_variant variant = sd_variant_at(n / 2 % sd_variant_count());
  return (way){.isa = variant.usable ? variant.name : "scalar",
               .lanes = lanes[n % 2],
               .skin = skins[(n / 3 + n) % 3],
               .sort = sorts[(n / 6 + n / 2) % 3],
               .threads = 1 + n % 3};
}

static void check_every_way(const system_plan *p) {
  outcome expected = run(p, plain);
  if (p->failing != (expected.failed > 0)) fail_msg("%s: %d fail", p->name, (int)expected.failed);
  for (int n = 0; n < 6 * sd_variant_count(); n++) {
    way w = way_number(n);
    outcome o = run(p, w);
    check_same(p, &w, &expected, &o);
  }
}

static void test_every_way(void **state) {
  (void)state;
  for (int i = 0; i < PLANS; i++) check_every_way(&plans[i]);
}

/* Three times as many of those that are too few for threads to share. */
static void test_shared_by_threads(void **state) {
  (void)state;
  static const char *const names[] = {"a small ring, turning", "a plate with dashpots", "a gas", "dumbbells",
                                      "an unstable ring, composed"};
  for (int i = 0; i < PLANS; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      if (strcmp(plans[i].name, names[k])) continue;
      system_plan p = plans[i];
      p.members *= 3;
      way w = {.isa = "auto", .lanes = "bodies", .skin = "0.3", .threads = 1};
      outcome expected = run(&p, w);
      for (w.threads = 2; w.threads <= 3; w.threads++) {
        outcome o = run(&p, w);
        check_same(&p, &w, &expected, &o);
      }
    }
}

/* Life after life, each in another way, from what the one before has left: the first ones end after a step or a few, in
 * the middle of the impact where there is one. */
static void check_interruptions(const system_plan *p, int first_way) {
  static const char *const file = "test_system_runs.ckpt";
  outcome expected = run(p, plain), o = {.status = SD_INTERRUPTED};
  forget(file);
  int lives = 0;
  for (; o.status == SD_INTERRUPTED; lives++) {
    way w = way_number(lives + first_way);
    w.checkpoint = file;
    w.pauses = lives < 5 ? 1 + lives % 3 : 0;
    o = run(p, w);
    if (o.status != SD_INTERRUPTED) check_same(p, &w, &expected, &o);
  }
  if (lives < 4) fail_msg("%s: %d lives are too few", p->name, lives);
  forget(file);
}

static void test_interruptions(void **state) {
  (void)state;
  for (int i = 0; i < PLANS; i++) check_interruptions(&plans[i], i);
}

/* From a file: what `auto` sorts, too. */
static void test_numbers_that_jump(void **state) {
  (void)state;
  static const char *const file = "test_system_runs.bodies";
  write_jumping(file);
  system_plan jumping = jumping_in(file);
  check_every_way(&jumping);
  check_interruptions(&jumping, 0);
  unlink(file);
}

/* A block whose bodies are in their order, or have jumped to the places of others: in which order do they stand? */
static void test_order(void **state) {
  (void)state;
  enum { SIDE = 8, ALL = SIDE * SIDE * SIDE, JUMP = 77 };
  const sd_problem_entry *block = problem_named("block");
  double parameters[SD_PARAMETERS_MAX], *p = parameters;
  for (const sd_parameter *each = block->parameter; each->name; p += each++->count)
    memcpy(p, each->value, (size_t)each->count * sizeof *p);
  for (int k = 0; k < 3; k++) *parameter_named(block, parameters, (const char *[]){"nx", "ny", "nz"}[k]) = SIDE;
  sd_shared_topology *topology = topology_for(block, parameters);
  const sd_topology *t = sd_topology_of(topology);
  const sd_kernels kernels = {.body_slots = SD_START_NUMBERS};
  double slots[ALL * SD_START_NUMBERS];
  sd_ensemble e = {.slots = slots, .stride = 1, .bodies = 1, .bodies_each = ALL, .kernels = &kernels, .topology = t};
  sd_field_order order = {0};
  sd_error error = {0};
  for (int jump = 1; jump <= JUMP; jump += JUMP - 1)
    for (sd_sort sort = SD_SORT_AUTO; sort <= SD_SORT_NO; sort++) {
      int sorted, expected = sort == SD_SORT_YES || (sort == SD_SORT_AUTO && jump == JUMP);
      for (int b = 0; b < ALL; b++)
        memcpy(slots + b * SD_START_NUMBERS, t->start + jump * b % ALL * SD_START_NUMBERS,
               sizeof *slots * SD_START_NUMBERS);
      assert_int_equal(sd_field_order_find(&order, sort, &e, &sorted, &error), SD_OK);
      if (sorted != expected) fail_msg("jumps of %d, sort %d: %d", jump, (int)sort, sorted);
      for (uint32_t b = 0; sorted && b < ALL; b++) {
        assert_int_equal(order.at[b], (uint32_t)jump * b % ALL);
        assert_int_equal(order.name[order.at[b]], b);
      }
    }
  sd_field_order_destroy(&order);
  sd_topology_let_go(topology);
}

/* What `auto` takes, and how many threads share it: a small system is one's own. */
static void test_lanes_that_are_chosen(void **state) {
  (void)state;
  static const struct {
    const char *problem, *size; /* along each axis, or all in all */
    int members, threads, by_bodies;
  } cases[] = {{"full-body", NULL, 1, 2, 0}, {"full-body", NULL, 64, 1, 0}, {"block", "10", 1, 1, 0},
               {"block", "10", 1, 2, 1},     {"block", "10", 2, 2, 0},      {"block", "11", 1, 1, 1}};
  static const char *const axes[] = {"nx", "ny", "nz"};
  char size[3][8];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    system_plan p = {"chosen", cases[i].problem, "vlv", cases[i].members, 1, 0, {{0}}};
    for (int k = 0; k < 3 && cases[i].size; k++) {
      snprintf(size[k], sizeof size[k], "%s=%s", axes[k], cases[i].size);
      p.settings[k][0] = "param", p.settings[k][1] = size[k];
    }
    outcome o = run(&p, (way){.isa = "scalar", .lanes = "auto", .skin = "0.3", .threads = cases[i].threads});
    const char *expected = cases[i].by_bodies ? "; a lane for each body" : "; a lane for each system";
    if (!strstr(o.devices, expected))
      fail_msg("%s %s, %d members, %d threads: %s%s, and not%s", cases[i].problem, cases[i].size ? cases[i].size : "",
               cases[i].members, cases[i].threads, o.devices, o.message, expected);
  }
  assert_int_equal(sd_field_threads(sd_field_places(1, 2), 8), 1);
  assert_int_equal(sd_field_threads(sd_field_places(4, 80), 8), 1);
  assert_int_equal(sd_field_threads(sd_field_places(8, 64), 8), 2);
  assert_int_equal(sd_field_threads(sd_field_places(1, 1000), 2), 2);
  assert_int_equal(sd_field_threads(sd_field_places(1, 1000), 8), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_way),     cmocka_unit_test(test_shared_by_threads),
      cmocka_unit_test(test_interruptions), cmocka_unit_test(test_numbers_that_jump),
      cmocka_unit_test(test_order),         cmocka_unit_test(test_lanes_that_are_chosen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
