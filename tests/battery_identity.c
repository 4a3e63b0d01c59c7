/* battery_identity.c - every variant, thread count and ensemble size gives the same bits, with lanes that converge at
 * different counts and lanes that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chart.h"
#include "../host/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINALS = 24, STATE_MOST = 80 };

typedef struct {
  sd_status status;
  char digest[33];
  size_t failed;
  unsigned char fate[FINALS];
  double final[FINALS][STATE_MOST];
} outcome;

typedef struct {
  const char *method, *problem, *isa, *lanes;
  int bodies, threads, steps;
  int wild;     /* every fifth body spins fast enough to fail somewhere */
  double shift; /* added to the wild bodies' velocity: changes them and them alone */
} setting;

/* Starts spread over the chart, the later half of whose numbers are velocities, so that Newton counts differ between
 * neighbours. */
static void set_starts(sd_plan *plan, const setting *s, const sd_method_entry *method) {
  const chart *c = chart_of(method);
  const harness t = harness_make(method->id, s->problem);
  size_t bodies = bodies_of(t.problem, t.parameters);
  for (int i = 0; i < s->bodies; i++) {
    double tangent[CHART_MAX] = {0}, speed = 0.05 * (1 + i % 9);
    int half = c->dimension / 2, wild = s->wild && i % 5 == 2;
    for (int k = 0; k < half; k++) {
      tangent[k] = 0.2 * sin(1.7 * i + 2 * k);
      tangent[half + k] = speed * cos(i + 2 * k) * (wild ? 300 : 1) + (wild ? s->shift * (k + 1) : 0);
    }
    harness_start start = c->displaced(&t, &c->start, tangent);
    assert_int_equal(sd_plan_set_starts(plan, (size_t)i, 1, start.number, sd_start_numbers(method->family, bodies)),
                     SD_OK);
  }
}

static outcome run(const setting *s) {
  outcome o;
  sd_plan *plan;
  sd_result *result;
  memset(&o, 0, sizeof o);
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", s->problem);
  set(plan, "method", s->method);
  set(plan, "isa", s->isa);
  char step[40];
  sd_error error = {0};
  const sd_family *family = problem_named(s->problem)->family;
  double h = chart_of(family->method)->step / 2;
  sd_format(step, sizeof step, "%.17g", h);
  set(plan, "step", step);
  set_whole(plan, "bodies", s->bodies);
  set_whole(plan, "threads", s->threads);
  set_whole(plan, "steps", s->steps);
  set_whole(plan, "every", 7);
  set_whole(plan, "final", FINALS);
  sd_method method;
  assert_int_equal(sd_find_method(s->method, family, &method, &error), SD_OK);
  set_moments(plan, family, h, s->steps);
  set_small(plan, problem_named(s->problem));
  if (method.entry->traits & SPHERICAL) set_spherical(plan, problem_named(s->problem));
  if (s->lanes) set(plan, "lanes", s->lanes);
  set_starts(plan, s, method.entry);
  o.status = sd_run(plan, &result);
  if (!result) fail_msg("%s on %s: %s", s->method, s->problem, sd_plan_message(plan));
  strcpy(o.digest, sd_result_digest(result));
  o.failed = sd_result_summary(result, 0)->failed;
  for (size_t i = 0; i < sd_result_final_count(result); i++) {
    assert_true(result->finals[0].numbers <= STATE_MOST);
    memcpy(o.final[i], final_of(result, 0, i), result->finals[0].numbers * sizeof(double));
    o.fate[i] = result->finals[0].status[i];
  }
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return o;
}

static int same_member(const outcome *a, const outcome *b, int i) {
  return a->fate[i] == b->fate[i] && !memcmp(a->final[i], b->final[i], sizeof a->final[i]);
}

static void check_same(const setting *s, const outcome *a, const outcome *b) {
  size_t count = s->bodies < FINALS ? (size_t)s->bodies : FINALS;
  for (size_t i = 0; i < count; i++)
    if (!same_member(a, b, (int)i))
      fail_msg("%s on %s, %s, %d bodies, %d threads: body %zu differs from scalar", s->method, s->problem, s->isa,
               s->bodies, s->threads, i);
  if (strcmp(a->digest, b->digest))
    fail_msg("%s on %s, %s, %d bodies, %d threads: digest %s, scalar %s", s->method, s->problem, s->isa, s->bodies,
             s->threads, a->digest, b->digest);
}

/* The ways in which members are side by side: systems have two. */
static int ways_of(const setting *s, const char *const **ways) {
  static const char *const one[] = {NULL}, *const two[] = {"members", "bodies"};
  int is_system = problem_named(s->problem)->fill != NULL;
  *ways = is_system ? two : one;
  return is_system ? 2 : 1;
}

static void compare_variants(setting s, const int *threads, int thread_counts) {
  const char *const *way;
  int ways = ways_of(&s, &way);
  s.isa = "scalar";
  s.threads = 1;
  s.lanes = way[0];
  outcome scalar = run(&s);
  for (int v = 0; v < sd_variant_count() * ways; v++) {
    sd_variant variant = sd_variant_at(v / ways);
    if (!variant.usable) continue;
    s.lanes = way[v % ways];
    for (int t = 0; t < thread_counts; t++) {
      s.isa = variant.name;
      s.threads = threads[t];
      outcome o = run(&s);
      check_same(&s, &o, &scalar);
    }
  }
}

static const char *problem_for(int method) {
  return chart_of(sd_method_at(method))->problem;
}

static const int one_to_three[] = {1, 2, 3};

/* Every method on every problem, compositions too. */
static void test_every_pair(void **state) {
  (void)state;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++) {
      if (sd_problem_at(p)->family != sd_method_at(m)->family) continue;
      setting s = {.method = sd_method_at(m)->id, .problem = sd_problem_at(p)->id, .bodies = 37, .steps = 30};
      compare_variants(s, one_to_three, p == 0 ? 3 : 1);
    }
  for (int m = 0; m < sd_method_count(); m++) {
    char name[40];
    if (!can_be_composed(sd_method_at(m))) continue;
    snprintf(name, sizeof name, "%s@%d", sd_method_at(m)->id, 4 + 2 * (m % 3));
    compare_variants((setting){.method = name, .problem = problem_for(m), .bodies = 19, .steps = 20}, one_to_three, 1);
  }
}

static void test_ensemble_sizes(void **state) {
  (void)state;
  static const char *const methods[] = {"eln", "vlv", "rattle", "tln", "rk4"};
  for (int m = 0; m < 5; m++)
    for (int bodies = 1; bodies <= 100; bodies++) {
      setting s = {.method = methods[m], .problem = "stress", .bodies = bodies, .steps = 15};
      compare_variants(s, one_to_three + bodies % 3, 1);
    }
}

/* A body is the same body whatever ensemble it is in. */
static void test_bodies_are_themselves(void **state) {
  (void)state;
  for (int m = 0; m < sd_method_count(); m++) {
    setting s = {.method = sd_method_at(m)->id, .problem = problem_for(m), .isa = "auto", .threads = 2, .steps = 30};
    s.bodies = 100;
    outcome many = run(&s);
    s.bodies = 7;
    outcome few = run(&s);
    for (int i = 0; i < 7; i++) assert_true(same_member(&many, &few, i));
  }
}

/* Failing bodies: counted, flagged, the same on every variant, and without effect on their neighbours. */
static void test_failures(void **state) {
  (void)state;
  int failing = 0;
  for (int m = 0; m < sd_method_count(); m++) {
    setting s = {.method = sd_method_at(m)->id, .problem = problem_for(m), .bodies = 37, .steps = 30, .wild = 1};
    compare_variants(s, one_to_three, 2);
    s.isa = "auto";
    s.threads = 1;
    outcome a = run(&s);
    s.shift = 11;
    outcome b = run(&s);
    for (int i = 0; i < FINALS; i++)
      if (i % 5 != 2 && !same_member(&a, &b, i)) fail_msg("%s: body %d depends on its neighbours", s.method, i);
    size_t flagged = 0;
    for (int i = 0; i < FINALS; i++) {
      flagged += a.fate[i] != SD_MEMBER_OK;
      for (int k = 0; k < 6; k++) assert_true(isfinite(a.final[i][k])); /* frozen before the step that failed */
    }
    assert_true(a.failed >= flagged);
    assert_int_equal(a.status, a.failed ? SD_BODIES_FAILED : SD_OK);
    failing += a.failed > 0;
  }
  assert_true(failing >= 5); /* otherwise this test looks at nothing */
}

static void test_domain_of_rrp(void **state) {
  (void)state;
  setting s = {.method = "rrp", .problem = "stress", .isa = "auto", .bodies = 20, .threads = 1, .steps = 30, .wild = 1};
  outcome o = run(&s);
  assert_int_equal(o.failed, 4);
  for (int i = 0; i < 20; i++) assert_int_equal(o.fate[i], i % 5 == 2 ? SD_MEMBER_OUTSIDE_DOMAIN : SD_MEMBER_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair), cmocka_unit_test(test_ensemble_sizes),
                                     cmocka_unit_test(test_bodies_are_themselves), cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_domain_of_rrp)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
