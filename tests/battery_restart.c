/* battery_restart.c - a run that is interrupted and goes on, as often as it likes and on whatever variant, comes to the
 * same bits as one that never stopped: digest, final states, trajectories, time series. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"
#include "systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *methods, *problem, *isa, *lanes;
  int bodies, threads, trajectories;
  int watched; /* something happens to bodies, and 2: all forces act on them, which start by a covariance */
  int lives;   /* interruptions before it may end */
} setting;

static const char *const file = "battery_restart.ckpt";

static void forget(void) {
  char previous[64];
  snprintf(previous, sizeof previous, "%s.previous", file);
  unlink(file);
  unlink(previous);
}

/* Interrupts at the so-manieth pause between chunks, of which a life has fewer each time around. */
typedef struct {
  int pauses;
} life;
static int on_progress(void *data, const sd_report *report) {
  (void)report;
  return --((life *)data)->pauses == 0;
}

static sd_status one_life(const setting *s, const char *checkpoint, int pauses, sd_result **result) {
  sd_plan *plan;
  life l = {pauses};
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", s->problem);
  set(plan, "method", s->methods);
  set(plan, "isa", s->isa);
  const sd_family *family = problem_named(s->problem)->family;
  set_spread(plan, family, NULL, s->watched > 1);
  set_moments(plan, family, problem_named(s->problem)->step, 700);
  if (family->impulses) set(plan, "impulse", "t=33,dv=0.01,0.02,-0.01,size=0.1,angle=0.1");
  if (s->watched) {
    set_events(plan);
    set(plan, "at", "3790,35,3800,9001.5");
  }
  if (s->watched > 1) set_all_forces(plan);
  set_small(plan, problem_named(s->problem));
  if (strstr(s->methods, "rrp") || strstr(s->methods, "campello")) set_spherical(plan, problem_named(s->problem));
  if (s->lanes && problem_named(s->problem)->fill) set(plan, "lanes", s->lanes);
  set_whole(plan, "bodies", s->bodies);
  set_whole(plan, "threads", s->threads);
  set_whole(plan, "steps", 700);
  set_whole(plan, "every", 13);
  set_whole(plan, "final", 5);
  set_whole(plan, "trajectories", s->trajectories);
  if (checkpoint) set(plan, "checkpoint", checkpoint);
  if (pauses) sd_plan_on_progress(plan, on_progress, &l);
  sd_status status = sd_run(plan, result);
  if (status != SD_OK && status != SD_BODIES_FAILED && status != SD_INTERRUPTED) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return status;
}

static void check_same(const sd_result *a, const sd_result *b) {
  assert_string_equal(sd_result_digest(a), sd_result_digest(b));
  assert_int_equal(sd_result_count(a), sd_result_count(b));
  for (size_t m = 0; m < sd_result_count(a); m++) {
    assert_int_equal(sd_result_sample_count(a, m), sd_result_sample_count(b, m));
    for (size_t i = 0; i < sd_result_sample_count(a, m); i++)
      assert_memory_equal(sd_result_sample(a, m, i), sd_result_sample(b, m, i), sizeof(sd_sample));
    assert_memory_equal(a->series[m].moments, b->series[m].moments,
                        a->series[m].count * sd_moment_numbers(&a->series[m].coordinates) * sizeof(double));
    assert_string_equal(sd_result_summary(a, m)->digest, sd_result_summary(b, m)->digest);
    assert_int_equal(sd_result_summary(a, m)->verdict, sd_result_summary(b, m)->verdict);
    assert_same_states(&a->finals[m], &b->finals[m]);
    if (a->spec->events) assert_same_states(&a->logs[m], &b->logs[m]);
    assert_same_states(&a->trajectories[m], &b->trajectories[m]);
  }
}

/* Life after life, on other variants and threads, each interrupted after a few chunks. */
static int compare(setting s) {
  sd_result *whole, *part;
  int lives = 0;
  s.isa = "scalar";
  s.threads = 1;
  one_life(&s, NULL, 0, &whole);
  forget();
  for (;; lives++) {
    s.isa =
        sd_variant_at(lives % sd_variant_count()).usable ? sd_variant_at(lives % sd_variant_count()).name : "scalar";
    s.threads = 1 + lives % 3;
    s.lanes = lives % 2 ? "members" : "bodies"; /* of systems: what the other way of running left */
    sd_status status = one_life(&s, file, lives < s.lives ? 1 + lives % 3 : 0, &part);
    if (status != SD_INTERRUPTED) break;
    sd_result_destroy(part);
  }
  check_same(whole, part);
  sd_result_destroy(part);
  assert_true(one_life(&s, file, 0, &part) != SD_INTERRUPTED); /* all is done: it comes from the file */
  check_same(whole, part);
  assert_non_null(strstr(sd_result_note(part), "all was done"));
  sd_result_destroy(part);
  sd_result_destroy(whole);
  forget();
  return lives;
}

static void test_every_pair(void **state) {
  (void)state;
  int lives = 0;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++) {
      if (sd_problem_at(p)->family != sd_method_at(m)->family) continue;
      int more =
          compare((setting){.methods = sd_method_at(m)->id, .problem = sd_problem_at(p)->id, .bodies = 21, .lives = 3});
      assert_int_equal(more, 3);
      lives += more;
    }
  assert_true(lives > 500);
}

static void test_events(void **state) {
  (void)state;
  for (int m = 0; m < sd_method_count(); m++) {
    setting s = {.methods = sd_method_at(m)->id, .problem = "orbit-elliptic", .bodies = 21, .lives = 3};
    for (s.watched = 1; s.watched <= 2 && is_of(sd_method_at(m)->family, "orbit"); s.watched++) compare(s);
  }
}

static void test_several_methods_and_trajectories(void **state) {
  (void)state;
  setting s = {.methods = "vlv,rk45,eln@4", .problem = "stress", .bodies = 40, .trajectories = 3, .lives = 40};
  assert_true(compare(s) > 30);
}

/* A checkpoint of another plan is refused, and the difference named. */
static void test_another_plan(void **state) {
  (void)state;
  static const char *const changes[][3] = {
      {"step", "0.25", "step 0.25"},   {"bodies", "9", "members 9"},        {"seed", "2", "seed 2"},
      {"method", "eln", "method eln"}, {"param", "alpha=0.4", "alpha=0.4"}, {"every", "7", "every 7"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    sd_plan *plan;
    sd_result *result;
    forget();
    for (int other = 0; other < 2; other++) {
      assert_int_equal(sd_plan_create(&plan), SD_OK);
      set(plan, "method", "vlv");
      set(plan, "bodies", "8");
      set(plan, "steps", "50");
      set(plan, "checkpoint", file);
      if (other) set(plan, changes[i][0], changes[i][1]);
      sd_status status = sd_run(plan, &result);
      assert_int_equal(status, other ? SD_BAD_INPUT : SD_OK);
      if (other && !strstr(sd_plan_message(plan), changes[i][2])) fail_msg("%s", sd_plan_message(plan));
      sd_result_destroy(result);
      sd_plan_destroy(plan);
    }
  }
  forget();
}

/* battery_restart [TEST]: those whose names fit a pattern. */
int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair), cmocka_unit_test(test_events),
                                     cmocka_unit_test(test_several_methods_and_trajectories),
                                     cmocka_unit_test(test_another_plan)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
