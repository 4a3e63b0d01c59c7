/* test_plan.c - the library's own view of bad input: a status, a message, and nothing printed; and what a plan keeps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/plan.h"
#include "../host/plan_text.h"
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the pairs key, value, ..., NULL and runs; returns the status, and the message in `message`. */
static sd_status attempt(char message[512], const char *const *pairs) {
  sd_plan *plan;
  sd_result *result = NULL;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  sd_status status = strcmp(pairs[0], "time") ? sd_plan_set(plan, "steps", "4") : SD_OK;
  if (!status) status = sd_plan_set(plan, "bodies", "2");
  for (; *pairs && !status; pairs += 2) status = sd_plan_set(plan, pairs[0], pairs[1]);
  if (!status) status = sd_run(plan, &result);
  snprintf(message, 512, "%s", sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

static void test_bad_input(void **state) {
  (void)state;
  static const struct {
    const char *pairs[7];
    const char *says;
  } bad[] = {{{"method", "vvl"}, "'vlv'"},
             {{"method", "vlv@5"}, "order 4, 6 or 8"},
             {{"method", "rk4@4"}, "symmetric"},
             {{"method", "bm4@6"}, "order 2"},
             {{"method", ","}, "empty name"},
             {{"method", ""}, "missing"},
             {{"problem", "stres"}, "'stress'"},
             {{"step", "0"}, "not positive"},
             {{"step", "-1"}, "not positive"},
             {{"step", "nan"}, "finite"},
             {{"step", "1e999"}, "finite"},
             {{"step", "0.1x"}, "not a number"},
             {{"time", "1", "step", "0.3"}, "whole number of steps"},
             {{"steps", "5", "time", "3"}, "contradict"},
             {{"bodies", "0"}, "out of range"},
             {{"bodies", "1e12"}, "out of range"},
             {{"bodies", "1.5"}, "whole"},
             {{"seed", "0x"}, "not a whole number"},
             {{"seed", "18446744073709551616"}, "0 to 18446744073709551615"},
             {{"first-body", "18446744073709551615"}, "out of range; expected 0 to 18446744073709551614"},
             {{"first-body", "18446744073709551614"}, "with 2 bodies expected 0 to 18446744073709551613"},
             {{"impulse", "t=1,t=2,dv=1,0,0"}, "gives t twice"},
             {{"impulse", "t=1,dv=1,0,0,dv=1,0,0"}, "gives dv twice"},
             {{"every", "5"}, "more than the 4 steps"},
             {{"threads", "0"}, "out of range"},
             {{"isa", "sse9"}, "scalar"},
             {{"backend", "abacus"}, "cpu"},
             {{"param", "J=1,1,3"}, "no body's inertia"},
             {{"param", "J=1,1"}, "expected 3"},
             {{"param", "J=0,0,0"}, "out of range"},
             {{"param", "alhpa=1"}, "'alpha'"},
             {{"param", "alpha"}, "NAME=VALUE"},
             {{"param", "alpha="}, "missing"},
             {{"method", "rrp"}, "spherical"},
             {{"method", "campello", "param", "J=2,2,2", "param", "phi=2"}, "out of range"},
             {{"colour", "red"}, "unknown option"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[512];
    sd_status status = attempt(message, bad[i].pairs);
    if (status != SD_BAD_INPUT || !strstr(message, bad[i].says))
      fail_msg("%s=%s: status %d, message '%s', expected '%s'", bad[i].pairs[0], bad[i].pairs[1], status, message,
               bad[i].says);
  }
}

static void test_good_input(void **state) {
  (void)state;
  static const char *const good[][7] = {{"method", "all"},
                                        {"method", "seed1,split@8"},
                                        {"param", "J=1,1,2"},
                                        {"method", "rrp", "param", "J=2,2,2"},
                                        {"seed", "0xffffffffffffffff"},
                                        {"seed", "010"},
                                        {"first-body", "18446744073709551613"},
                                        {"bodies", "1e2"},
                                        {"time", "0.3", "step", "0.1"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    char message[512];
    sd_status status = attempt(message, good[i]);
    if (status) fail_msg("%s=%s: status %d, '%s'", good[i][0], good[i][1], status, message);
  }
}

static void test_too_many_bodies_for_the_machine(void **state) {
  (void)state;
  char message[512];
  static const char *const pairs[] = {"bodies", "1e9", "method", "vlv", NULL, NULL};
  assert_int_equal(attempt(message, pairs), SD_NO_MEMORY);
  assert_non_null(strstr(message, "GiB"));
}

static int stop_at_once(void *data, const sd_report *report) {
  assert_true(report->done > 0 && report->done < 1);
  ++*(int *)data;
  return 1;
}

static void test_interruption(void **state) {
  (void)state;
  sd_plan *plan;
  sd_result *result;
  int calls = 0;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  sd_plan_on_progress(plan, stop_at_once, &calls);
  assert_int_equal(sd_run(plan, &result), SD_INTERRUPTED);
  assert_non_null(result);
  assert_int_equal(sd_result_count(result), 0);
  assert_false(sd_result_complete(result));
  sd_result_destroy(result);
  assert_int_equal(calls, 1);
  sd_plan_destroy(plan);
}

/* A plan can be changed and run again. */
static void test_second_run(void **state) {
  (void)state;
  sd_plan *plan;
  sd_result *first, *second;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  assert_int_equal(sd_plan_set(plan, "method", "eln"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "time", "8"), SD_OK);
  assert_int_equal(sd_plan_set(plan, "bodies", "3"), SD_OK);
  assert_int_equal(sd_run(plan, &first), SD_OK);
  assert_int_equal(sd_plan_set(plan, "step", "nonsense"), SD_BAD_INPUT);
  assert_int_equal(sd_plan_set(plan, "step", "0.25"), SD_OK);
  assert_int_equal(sd_run(plan, &second), SD_OK);
  assert_true(sd_result_summary(first, 0)->step == 0.125 && sd_result_summary(second, 0)->step == 0.25);
  assert_true(sd_result_summary(first, 0)->time == 8 && sd_result_summary(second, 0)->time == 8);
  assert_string_not_equal(sd_result_digest(first), sd_result_digest(second));
  sd_result_destroy(first);
  sd_result_destroy(second);
  sd_plan_destroy(plan);
}

/* ---- a value that is refused changes nothing ---- */

static const char *const bad_values[][2] = {{"problem", ""},
                                            {"problem", "0123456789012345678901234567890123456789"},
                                            {"method", ""},
                                            {"isa", ""},
                                            {"isa", "01234567890123456789"},
                                            {"backend", ""},
                                            {"devices", ""},
                                            {"checkpoint", ""},
                                            {"output", ""},
                                            {"param", ""},
                                            {"param", "alpha"},
                                            {"param", "=3"},
                                            {"param", "alpha=x"},
                                            {"param", "J=1,2,x"},
                                            {"param", "J=5,nan,5"},
                                            {"bodies", "0"},
                                            {"bodies", "3.5"},
                                            {"bodies", "-3"},
                                            {"bodies", "1e12"},
                                            {"first-body", "-1"},
                                            {"first-body", "18446744073709551616"},
                                            {"first-body", "0.5"},
                                            {"seed", "-3"},
                                            {"seed", "1.5"},
                                            {"seed", "0x10000000000000000"},
                                            {"sigma-attitude", "-1"},
                                            {"sigma-velocity", "1e7"},
                                            {"sigma-position", "x"},
                                            {"sigma-momentum", "-3"},
                                            {"sigma-nothing", "1"},
                                            {"step", "-3"},
                                            {"step", "nan"},
                                            {"step", "1e-999"},
                                            {"time", "-3"},
                                            {"time", "inf"},
                                            {"steps", "0"},
                                            {"steps", "7.5"},
                                            {"steps", "1e15"},
                                            {"every", "0"},
                                            {"every", "x"},
                                            {"final", "-1"},
                                            {"trajectories", "-1"},
                                            {"threads", "0"},
                                            {"threads", "5000"},
                                            {"block", "33"},
                                            {"block", "0"},
                                            {"device-memory", "-3"},
                                            {"device-memory", "0"},
                                            {"fallback", "gpu"},
                                            {"fallback", ""},
                                            {"checkpoint-every", "-3"},
                                            {"checkpoint-every", "soon"},
                                            {"impulse", ""},
                                            {"impulse", "t=1"},
                                            {"impulse", "dv=1,2,3"},
                                            {"impulse", "t=1,dv=1,2"},
                                            {"impulse", "t=1,dv=1,2,3,4"},
                                            {"impulse", "t=1,dv=0,0,0"},
                                            {"impulse", "t=-1,dv=1,2,3"},
                                            {"impulse", "t=1,dv=1,2,3,size=-1"},
                                            {"impulse", "t=1,dv=1,2,3,colour=1"},
                                            {"impulse", "t=1,t=2,dv=1,2,3"},
                                            {"impulse", "t=1,dv=1,2,3,dv=1,2,3"},
                                            {"impulse", "t=1,dv=1,2,3,size=1,size=1"},
                                            {"impulse", "t=1,dv=1,2,3,angle=1,size=1,angle=1"},
                                            {"colour", "red"}};
enum { BAD_VALUES = sizeof bad_values / sizeof *bad_values };

/* Every key has a value that is not its default. */
static sd_plan *unusual_plan(const char *problem) {
  sd_plan *plan;
  const sd_problem_entry *entry = NULL;
  sd_error error = {0};
  assert_int_equal(sd_find_problem(problem, &entry, &error), SD_OK);
  const sd_family *family = entry->family;
  int orbit = !strcmp(family->id, "orbit");
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", problem);
  set(plan, "method", orbit ? "verlet" : family->method->id);
  set(plan, "isa", "scalar");
  set(plan, "backend", "cpu");
  set(plan, "devices", "0");
  if (orbit || !strcmp(family->id, "so3")) set(plan, "param", orbit ? "drag=1e-6" : "J=1,2,2.5");
  set(plan, "bodies", "3");
  set(plan, "first-body", "7");
  set(plan, "seed", "9");
  for (const sd_start_array *a = family->start; a->name; a++) set(plan, a->key, a == family->start ? "0.25" : "0.125");
  set(plan, "step", "0.25");
  if (entry->fill) set(plan, "unstable", "yes");
  set(plan, "steps", "12");
  set(plan, "time", "3");
  set(plan, "every", "3");
  set(plan, "final", "2");
  set(plan, "trajectories", "1");
  set(plan, "threads", "2");
  set(plan, "block", "64");
  set(plan, "device-memory", "5");
  set(plan, "fallback", "cpu");
  set(plan, "checkpoint-every", "17");
  set(plan, "unstable", "yes");
  if (orbit) set(plan, "impulse", "t=2,dv=0.01,0,0,size=0.1");
  return plan;
}

static void digest_of(sd_plan *plan, char digest[33]) {
  sd_result *result;
  if (sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  strcpy(digest, sd_result_digest(result));
  sd_result_destroy(result);
}

static void test_refused_values_change_nothing(void **state) {
  (void)state;
  static const char *const problems[] = {"stress", "orbit-elliptic"};
  for (size_t p = 0; p < 2; p++) {
    char before[33], after[33];
    sd_plan *plan = unusual_plan(problems[p]);
    digest_of(plan, before);
    char *text = sd_specification_text(plan->specification, 1);
    sd_plan kept = *plan;
    for (int later = 0; later < 2; later++, sd_plan_next_source(plan), kept.settings.source++)
      for (size_t i = 0; i < BAD_VALUES; i++) {
        const char *key = bad_values[i][0], *value = bad_values[i][1];
        if (sd_plan_set(plan, key, value) != SD_BAD_INPUT) fail_msg("%s=%s was taken", key, value);
        if (!strstr(sd_plan_message(plan), key)) fail_msg("%s=%s: '%s'", key, value, sd_plan_message(plan));
        kept.error = plan->error;
        if (memcmp(&kept, plan, sizeof kept)) fail_msg("%s=%s was refused, and changed the plan", key, value);
      }
    digest_of(plan, after);
    assert_string_equal(before, after);
    char *same = sd_specification_text(plan->specification, 1);
    assert_string_equal(text, same);
    free(text);
    free(same);
    sd_plan_destroy(plan);
  }
}

/* ---- sources ---- */

static void resolve(sd_plan *plan) {
  if (sd_plan_resolve(plan)) fail_msg("%s", sd_plan_message(plan));
}

static void test_a_later_source_replaces_the_length(void **state) {
  (void)state;
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "step", "0.25");
  set(plan, "steps", "12");
  set(plan, "time", "5");
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT); /* of one source */
  assert_non_null(strstr(sd_plan_message(plan), "contradict each other; give one"));
  sd_plan_next_source(plan);
  set(plan, "step", "0.5"); /* no length */
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT);
  assert_int_equal(sd_plan_set(plan, "time", "-7"), SD_BAD_INPUT); /* refused: replaces nothing */
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT);
  assert_non_null(strstr(sd_plan_message(plan), "contradict each other; give one"));
  set(plan, "time", "7");
  resolve(plan);
  assert_int_equal(plan->specification->total_steps, 14);
  set(plan, "time", "8"); /* the last word of a source */
  resolve(plan);
  assert_int_equal(plan->specification->total_steps, 16);
  set(plan, "steps", "16"); /* the same in other words */
  resolve(plan);
  set(plan, "steps", "15");
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT);
  assert_non_null(strstr(sd_plan_message(plan), "contradict each other; give one"));
  sd_plan_next_source(plan);
  set(plan, "steps", "15");
  resolve(plan);
  assert_true(plan->specification->total_time == 7.5);
  sd_plan_destroy(plan);
}

static void test_a_later_source_replaces_all_impulses(void **state) {
  (void)state;
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "problem", "orbit-elliptic");
  for (int i = 0; i < SD_IMPULSES_MAX; i++) set(plan, "impulse", "t=2,dv=1,0,0");
  assert_int_equal(sd_plan_set(plan, "impulse", "t=3,dv=1,0,0"), SD_BAD_INPUT); /* one too many */
  sd_plan_next_source(plan);
  resolve(plan);
  assert_int_equal(plan->settings.impulses, SD_IMPULSES_MAX); /* nothing is replaced by nothing */
  assert_int_equal(sd_plan_set(plan, "impulse", "t=3,dv=1,0"), SD_BAD_INPUT);
  assert_int_equal(plan->settings.impulses, SD_IMPULSES_MAX);
  set(plan, "impulse", "t=9,dv=1,0,0");
  set(plan, "impulse", "t=5,dv=2,0,0");
  resolve(plan);
  assert_int_equal(plan->settings.impulses, 2);
  assert_true(plan->settings.impulse[0].time == 5 && plan->settings.impulse[1].time == 9);
  sd_plan_destroy(plan);
}

/* ---- numbers ---- */

static void check_same_digest(sd_plan *a, sd_plan *b) {
  char one[33], other[33];
  digest_of(a, one);
  digest_of(b, other);
  assert_string_equal(one, other);
  sd_plan_destroy(a);
  sd_plan_destroy(b);
}

static void test_there_is_one_zero(void **state) {
  (void)state;
  static const char *const settings[][4] = {
      {"stress", "sigma-attitude", "0", "-0"},
      {"stress", "sigma-velocity", "0", "-0.0"},
      {"stress", "param", "attitude=0,0,0.5", "attitude=-0.0,0,0.5"},
      {"stress", "param", "velocity=1,0,0", "velocity=1,-0e5,-0x0p0"},
      {"orbit-elliptic", "param", "thrust=0", "thrust=-0"},
      {"orbit-elliptic", "impulse", "t=2,dv=0.1,0,0", "t=2,dv=0.1,-0,-0.0,size=-0,angle=-0"}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    sd_plan *plan[2];
    for (int k = 0; k < 2; k++) {
      plan[k] = unusual_plan(settings[i][0]);
      set(plan[k], settings[i][1], settings[i][2 + k]);
    }
    if (!strcmp(settings[i][1], "impulse")) assert_int_equal(plan[0]->settings.impulses, 2);
    check_same_digest(plan[0], plan[1]);
  }
}

static void test_there_is_one_zero_in_starts(void **state) {
  (void)state;
  const double rigid[2][7] = {{0.8, 0, 0.6, 0, 0, 1, 0}, {0.8, -0.0, 0.6, -0.0, -0.0, 1, -0.0}},
               orbit[2][6] = {{0, 1500, 0, 1.5, 0, 0}, {-0.0, 1500, -0.0, 1.5, -0.0, 0}};
  sd_plan *body[2], *point[2];
  for (int k = 0; k < 2; k++) {
    body[k] = unusual_plan("stress");
    assert_int_equal(sd_plan_set_starts(body[k], 1, 1, rigid[k], 7), SD_OK);
    point[k] = unusual_plan("orbit-elliptic");
    assert_int_equal(sd_plan_set_starts(point[k], 1, 1, orbit[k], 6), SD_OK);
  }
  check_same_digest(body[0], body[1]);
  check_same_digest(point[0], point[1]);
}

/* No starts of three numbers each, or one that is gone, leave no room of their width to those of seven. */
static void test_starts_of_another_width(void **state) {
  (void)state;
  double seven[16][7] = {{0}}, three[3] = {1, 0, 0};
  for (int k = 0; k < 2; k++) {
    sd_plan *plan;
    assert_int_equal(sd_plan_create(&plan), SD_OK);
    assert_int_equal(sd_plan_set_starts(plan, 1, (size_t)k, three, 3), SD_OK);
    if (k) assert_int_equal(sd_plan_single_out(plan, "0"), SD_OK);
    for (int i = 0; i < 16; i++) seven[i][0] = 1;
    assert_int_equal(sd_plan_set_starts(plan, 0, 16, &seven[0][0], 7), SD_OK);
    sd_plan_destroy(plan);
  }
}

static void test_the_first_body_to_the_last_digit(void **state) {
  (void)state;
  char digest[3][33], lower[33];
  static const char *const first[] = {"9007199254740992", "9007199254740993", "9007199254740994"};
  for (int k = 0; k < 3; k++) {
    sd_plan *plan = unusual_plan("stress");
    set(plan, "first-body", first[k]);
    set(plan, "sigma-attitude", "0"); /* nothing but their numbers tells the bodies apart */
    set(plan, "sigma-velocity", "0");
    digest_of(plan, digest[k]);
    sd_plan_destroy(plan);
  }
  assert_string_not_equal(digest[0], digest[1]);
  assert_string_not_equal(digest[1], digest[2]);
  sd_plan *plan = unusual_plan("stress"); /* three bodies */
  set(plan, "first-body", "18446744073709551612");
  digest_of(plan, lower);
  set(plan, "first-body", "18446744073709551613");
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT);
  assert_non_null(strstr(sd_plan_message(plan), "first-body: with 3 bodies expected 0 to 18446744073709551612"));
  sd_plan_destroy(plan);
}

/* Two names of one option agree within a source; a later source has its own word, by either name. */
static void test_two_names_of_one_option(void **state) {
  (void)state;
  static const char *const names[][2] = {{"members", "bodies"}, {"first-member", "first-body"}};
  for (int n = 0; n < 4; n++) {
    const char *one = names[n / 2][n % 2], *other = names[n / 2][1 - n % 2];
    sd_plan *plan;
    assert_int_equal(sd_plan_create(&plan), SD_OK);
    const size_t *value = n < 2 ? &plan->settings.members : &plan->settings.first_member;
    set(plan, one, "5");
    set(plan, one, "6"); /* the same name again has the last word */
    set(plan, other, "6");
    assert_int_equal(sd_plan_set(plan, one, "7"), SD_BAD_INPUT);
    assert_non_null(strstr(sd_plan_message(plan), one));
    assert_non_null(strstr(sd_plan_message(plan), other));
    assert_non_null(strstr(sd_plan_message(plan), "give one of the two"));
    assert_int_equal(*value, 6);
    sd_plan_next_source(plan);
    set(plan, one, "7");
    assert_int_equal(*value, 7);
    sd_plan_destroy(plan);
  }
}

/* Every line of the list can be found by its names, explains itself, and has a default that it would accept; what files
 * have of a plan makes it again. */
static void test_every_option(void **state) {
  (void)state;
  sd_option o, found;
  size_t count = 0;
  for (; sd_option_at(count, &o); count++) {
    assert_true(sd_option_find(o.key, &found) && !strcmp(found.key, o.key));
    if (o.synonym) assert_true(sd_option_find(o.synonym, &found) && !strcmp(found.key, o.key));
    assert_true(o.text && *o.text && o.about);
    if (!o.placeholder) assert_string_equal(o.words, "no|yes"); /* a switch */
    sd_plan *plan;
    assert_int_equal(sd_plan_create(&plan), SD_OK);
    if (o.value) assert_int_equal(sd_plan_set(plan, o.key, o.value), SD_OK);
    sd_plan_destroy(plan);
  }
  assert_true(count > 24);
  for (int i = 0; i < sd_problem_count(); i++) {
    sd_plan *plan = unusual_plan(sd_problem_at(i)->id), *again;
    sd_error error = {0};
    for (const sd_start_array *a = sd_problem_at(i)->family->start; a->name; a++) set(plan, a->key, "0.1234567890123");
    assert_int_equal(sd_plan_resolve(plan), SD_OK);
    char *text = sd_specification_text(plan->specification, (size_t)plan->specification->method_count);
    assert_int_equal(sd_plan_from_text("test", text, &again, &error), SD_OK);
    assert_int_equal(sd_plan_resolve(again), SD_OK);
    char *same = sd_specification_text(again->specification, (size_t)again->specification->method_count);
    assert_string_equal(text, same);
    for (size_t k = 0; sd_option_at(k, &o); k++) {
      sd_resolved before = sd_specification_number(plan->specification, &o),
                  after = sd_specification_number(again->specification, &o);
      assert_true(before.kind == after.kind && before.real == after.real && before.whole == after.whole);
    }
    free(text);
    free(same);
    sd_plan_destroy(plan);
    sd_plan_destroy(again);
  }
}

/* A family that wants more than plans and jobs have room for is refused when it is registered. */
static void test_parameters_fit(void **state) {
  (void)state;
  enum { MANY = SD_PARAMETERS_MAX + 2 };
  static sd_method_parameter of_method[MANY];
  static sd_parameter of_problem[MANY];
  static const sd_start_array start[] = {{.name = NULL}};
  static const sd_method_entry method = {.id = "method"};
  static const sd_problem_entry problem = {.id = "problem", .parameter = of_problem};
  static const sd_family family = {.id = "greedy",
                                   .start = start,
                                   .method = &method,
                                   .method_count = 1,
                                   .method_parameter = of_method,
                                   .problem = &problem,
                                   .problem_count = 1};
  for (int greedy = 0; greedy < 2; greedy++) {
    memset(of_method, 0, sizeof of_method);
    memset(of_problem, 0, sizeof of_problem);
    for (int i = 0; i < (greedy ? SD_PARAMETERS_MAX + 1 : 1); i++)
      of_problem[i] = (sd_parameter){.name = "p", .count = 1};
    for (int i = 0; i < (greedy ? 1 : SD_METHOD_PARAMETERS_MAX + 1); i++) of_method[i].method = "method";
    sd_error error = {0};
    int before = sd_family_count();
    assert_int_equal(sd_register_family(&family, &error), SD_BAD_INPUT);
    assert_non_null(strstr(error.message, greedy ? "problem has more" : "method has more"));
    assert_int_equal(sd_family_count(), before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_input),
                                     cmocka_unit_test(test_good_input),
                                     cmocka_unit_test(test_too_many_bodies_for_the_machine),
                                     cmocka_unit_test(test_interruption),
                                     cmocka_unit_test(test_second_run),
                                     cmocka_unit_test(test_refused_values_change_nothing),
                                     cmocka_unit_test(test_a_later_source_replaces_the_length),
                                     cmocka_unit_test(test_a_later_source_replaces_all_impulses),
                                     cmocka_unit_test(test_there_is_one_zero),
                                     cmocka_unit_test(test_there_is_one_zero_in_starts),
                                     cmocka_unit_test(test_starts_of_another_width),
                                     cmocka_unit_test(test_the_first_body_to_the_last_digit),
                                     cmocka_unit_test(test_two_names_of_one_option),
                                     cmocka_unit_test(test_every_option),
                                     cmocka_unit_test(test_parameters_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
