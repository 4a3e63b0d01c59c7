/* test_system_runs.c - systems of many bodies come to one digest whatever runs them: variant, threads, members or
 * bodies side by side, the skin of the neighbour lists, how bodies stand in memory, interruptions in the middle of an
 * impact; with members that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "system_plans.h"

static const char *const lanes[] = {"members", "bodies"}, *const skins[] = {"0.05", "0.3", "1"},
                         *const sorts[] = {"yes", "no", "auto"};

/* The next of all ways, so that threads, variants, lanes and skins meet in many combinations. */
static way way_number(int n) {
  sd_variant variant = sd_variant_at(n / 2 % sd_variant_count());
  return (way){.isa = variant.usable ? variant.name : "scalar",
               .lanes = lanes[n % 2],
               .skin = skins[(n / 3 + n) % 3],
               .sort = sorts[n / 2 % 3],
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_way), cmocka_unit_test(test_interruptions),
                                     cmocka_unit_test(test_numbers_that_jump)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
