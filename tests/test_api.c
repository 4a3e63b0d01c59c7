/* test_api.c - the public API as its users have it, spindrift.h alone: what it lists can be planned, run and asked. */
#include <spindrift.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static sd_plan *plan_with(const char *const (*settings)[2]) {
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (; (*settings)[0]; settings++)
    if (sd_plan_set(plan, (*settings)[0], (*settings)[1])) fail_msg("%s", sd_plan_message(plan));
  return plan;
}
#define PLAN(...) plan_with((const char *const[][2]){__VA_ARGS__, {NULL, NULL}})

static void set(sd_plan *plan, const char *key, const char *value) {
  if (sd_plan_set(plan, key, value)) fail_msg("%s=%s: %s", key, value, sd_plan_message(plan));
}

static sd_result *run(sd_plan *plan) {
  sd_result *result;
  sd_status status = sd_run(plan, &result);
  if (status && status != SD_BODIES_FAILED) fail_msg("%s", sd_plan_message(plan));
  assert_true(sd_result_complete(result));
  return result;
}

static const char *get(sd_plan *plan, const char *key) {
  const char *value;
  if (sd_plan_get(plan, key, &value)) fail_msg("%s: %s", key, sd_plan_message(plan));
  return value;
}

static void assert_has(sd_plan *plan, const char *key, const char *value) {
  assert_string_equal(get(plan, key), value);
}

static size_t family_at(const char *id, sd_family_info *family) {
  family->size = sizeof *family;
  for (size_t f = 0; sd_list_family(f, family); f++)
    if (!strcmp(family->id, id)) return f;
  fail_msg("no family %s", id);
  return 0;
}

/* ---- lists ---- */

static void test_every_entry_explains_itself(void **state) {
  (void)state;
  sd_family_info f = {.size = sizeof f};
  sd_array_info a = {.size = sizeof a};
  sd_start_info s = {.size = sizeof s};
  sd_trait_info t = {.size = sizeof t};
  sd_variant_info v = {.size = sizeof v};
  sd_option_info o = {.size = sizeof o};
  size_t families = 0, traits = 0, usable = 0;
  for (; sd_list_family(families, &f); families++) {
    assert_true(f.id && f.title && f.plural && f.methods && f.reference && f.order_steps && f.order_time > 0);
    size_t arrays = 0, starts = 0;
    for (; sd_list_array(families, arrays, &a); arrays++)
      assert_true(a.id && a.name && a.text && a.rows * a.columns > 0);
    for (; sd_list_start(families, starts, &s); starts++) {
      assert_true(s.name && s.text && s.count >= 0 && s.deviation >= 0);
      assert_true(sd_find_option(s.option, &o) && o.kind == SD_OPTION_SPREAD && strstr(o.text, s.name));
    }
    assert_true(arrays && starts);
  }
  assert_true(families >= 2);
  assert_false(sd_list_array(families, 0, &a) || sd_list_start(families, 0, &s));
  for (; sd_list_trait(traits, &t); traits++) assert_true(t.id && t.text);
  assert_in_range(traits, 5, 64);
  for (size_t i = 0; sd_list_variant(i, &v); i++) usable += v.name && v.lanes > 0 && v.usable;
  assert_true(usable);
  sd_processor_info p = {.size = sizeof p};
  sd_processor(&p);
  assert_true(p.threads >= 1 && *p.why);
}

static void check_parameter(const sd_parameter_info *p) {
  assert_true(p->name && p->text && p->count >= 1 && p->low <= p->high);
  for (int i = 0; i < p->count; i++) assert_true(p->value[i] >= p->low && p->value[i] <= p->high);
}

static void test_methods_and_problems_are_of_families(void **state) {
  (void)state;
  sd_family_info f;
  sd_method_info m = {.size = sizeof m};
  sd_problem_info p = {.size = sizeof p};
  sd_parameter_info q = {.size = sizeof q};
  size_t methods = 0, problems = 0, parameters = 0;
  for (; sd_list_method(methods, &m); methods++) {
    family_at(m.family, &f);
    assert_true(m.id && *m.title && m.doi && m.order >= 1);
    for (size_t k = 0; sd_list_method_parameter(methods, k, &q); k++, parameters++) check_parameter(&q);
  }
  assert_true(methods > 10 && parameters);
  for (; sd_list_problem(problems, &p); problems++) {
    family_at(p.family, &f);
    assert_true(p.id && *p.title && p.doi && p.step > 0 && p.time > 0);
    for (size_t k = 0; sd_list_problem_parameter(problems, k, &q); k++) check_parameter(&q);
  }
  assert_true(problems > 4);
  assert_false(sd_list_method_parameter(methods, 0, &q) || sd_list_problem_parameter(problems, 0, &q));
}

/* A program of an older version knows fewer members, one of a newer version more. */
static void test_structs_of_other_versions(void **state) {
  (void)state;
  struct {
    sd_method_info m;
    char more[8];
  } grown = {.m.size = sizeof grown, .more = "garbage"};
  sd_method_info short_one = {.size = offsetof(sd_method_info, title), .title = "untouched"}, none = {.size = 0};
  assert_true(sd_list_method(0, &grown.m) && sd_list_method(0, &short_one));
  assert_string_equal(short_one.id, grown.m.id);
  assert_string_equal(short_one.title, "untouched");
  assert_string_equal(grown.more, "");
  assert_int_equal(grown.m.size, sizeof grown);
  assert_false(sd_list_method(0, &none));
  assert_null(none.id);
}

/* ---- plans from the lists ---- */

/* Every method on every problem of its family, with starts widely spread and its parameters written out; the states
 * have the arrays that the family lists. */
static void check_pair(const sd_method_info *m, const sd_problem_info *p, size_t problem) {
  sd_family_info f;
  sd_array_info a = {.size = sizeof a};
  sd_start_info s = {.size = sizeof s};
  sd_parameter_info q = {.size = sizeof q};
  sd_view view = {.size = sizeof view};
  size_t family = family_at(m->family, &f), arrays = 0;
  sd_plan *plan = PLAN({"problem", p->id}, {"method", m->id}, {"members", "3"}, {"steps", "4"}, {"final", "3"});
  for (size_t i = 0; sd_list_start(family, i, &s); i++) set(plan, s.option, s.wide);
  for (size_t i = 0; sd_list_problem_parameter(problem, i, &q); i++) {
    char text[128];
    int used = snprintf(text, sizeof text, "%s=", q.name);
    for (int k = 0; k < q.count; k++)
      used += snprintf(text + used, sizeof text - (size_t)used, "%s%.17g", k ? "," : "", q.value[k]);
    set(plan, "param", text);
  }
  if (sd_plan_resolve(plan)) set(plan, "param", f.fit);
  sd_result *result = run(plan);
  assert_string_equal(sd_result_summary(result, 0)->method, m->id);
  for (; sd_list_array(family, arrays, &a); arrays++) {
    assert_int_equal(sd_result_final(result, 0, arrays, &view), SD_OK);
    assert_string_equal(view.id, a.id);
    size_t numbers = 1;
    for (int k = 1; k < view.rank; k++) numbers *= view.shape[k];
    int own = (a.rows > 1) + (a.columns > 1); /* axes; in a system those of all bodies have one more */
    size_t bodies = a.per_body && view.rank > 1 + own ? view.shape[1] : 1;
    assert_int_equal(numbers, bodies * (size_t)(a.rows * a.columns));
  }
  assert_int_equal(sd_result_array_count(result), arrays + 1);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static void test_every_pair_runs(void **state) {
  (void)state;
  sd_method_info m = {.size = sizeof m};
  sd_problem_info p = {.size = sizeof p};
  size_t pairs = 0;
  for (size_t i = 0; sd_list_method(i, &m); i++)
    for (size_t k = 0; sd_list_problem(k, &p); k++) {
      if (strcmp(m.family, p.family)) continue;
      check_pair(&m, &p, k);
      pairs++;
    }
  assert_true(pairs > 50);
}

static void test_composed_methods_of_a_plan(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv,vlv@4,vlv@8"});
  sd_method_info m = {.size = sizeof m};
  static const char *const ids[] = {"vlv", "vlv@4", "vlv@8"};
  static const int orders[] = {2, 4, 8};
  assert_false(sd_plan_method(plan, 0, &m)); /* not yet resolved */
  assert_int_equal(sd_plan_resolve(plan), SD_OK);
  for (size_t i = 0; i < 3; i++) {
    assert_true(sd_plan_method(plan, i, &m));
    assert_string_equal(m.id, ids[i]);
    assert_int_equal(m.order, orders[i]);
  }
  assert_false(sd_plan_method(plan, 3, &m));
  sd_plan_destroy(plan);
}

/* ---- what a plan has ---- */

static void test_get(void **state) {
  (void)state;
  sd_problem_info p = {.size = sizeof p};
  const char *none;
  sd_list_problem(0, &p);
  sd_plan *plan = PLAN({"problem", p.id}, {"bodies", "1e3"}, {"step", "0.1"}, {"time", "2.5"}, {"seed", "0xff"});
  assert_has(plan, "problem", p.id);
  assert_has(plan, "members", "1000");
  assert_has(plan, "bodies", "1000");
  assert_has(plan, "steps", "25");
  assert_has(plan, "every", "1");
  assert_has(plan, "seed", "255");
  assert_has(plan, "step", "0.10000000000000001");
  assert_has(plan, "time", "2.5");
  assert_has(plan, "fallback", "none");
  assert_has(plan, "output", "");
  assert_has(plan, "block", "");
  assert_has(plan, "impulse", "");
  assert_true(atoi(get(plan, "threads")) >= 1);
  set(plan, "output", "there.h5");
  assert_has(plan, "output", "there.h5");
  set(plan, "bodies", "7"); /* what was found before is found anew */
  assert_has(plan, "members", "7");
  sd_plan_next_source(plan);
  set(plan, "steps", "50");
  assert_has(plan, "time", "5");
  assert_int_equal(sd_plan_get(plan, "colour", &none), SD_BAD_INPUT);
  assert_non_null(strstr(sd_plan_message(plan), "colour"));
  sd_plan_next_source(plan);
  set(plan, "time", "2.55");
  assert_int_equal(sd_plan_get(plan, "members", &none), SD_BAD_INPUT);
  assert_null(none);
  assert_non_null(strstr(sd_plan_message(plan), "whole"));
  sd_plan_destroy(plan);
}

/* A plan set from what another one says of itself is the same plan. */
static void test_what_is_got_can_be_set(void **state) {
  (void)state;
  sd_option_info o = {.size = sizeof o};
  sd_problem_info p = {.size = sizeof p};
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    sd_plan *plan = PLAN({"problem", p.id}, {"members", "5"}, {"steps", "7"}), *again;
    assert_int_equal(sd_plan_create(&again), SD_OK);
    for (size_t k = 0; sd_list_option(k, &o); k++) {
      char *values = strdup(get(plan, o.key)), *rest = values;
      for (char *line; *values && (line = strsep(&rest, "\n"));) set(again, o.key, line);
      free(values);
    }
    for (size_t k = 0; sd_list_option(k, &o); k++) assert_has(again, o.key, get(plan, o.key));
    sd_result *one = run(plan), *two = run(again);
    assert_string_equal(sd_result_digest(one), sd_result_digest(two));
    sd_result_destroy(one);
    sd_result_destroy(two);
    sd_plan_destroy(plan);
    sd_plan_destroy(again);
  }
}

static const double starts[2][7] = {{1, 0, 0, 0, 1, 2, 3}, {0.6, 0.8, 0, 0, -1, 0.5, 0}};

static void test_copy(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv"}, {"members", "4"}, {"steps", "9"}, {"output", "a.h5"}), *copy;
  assert_int_equal(sd_plan_set_starts(plan, 1, 2, &starts[0][0], 7), SD_OK);
  assert_int_equal(sd_plan_copy(plan, &copy), SD_OK);
  sd_result *one = run(plan);
  set(plan, "members", "2"); /* the copy is its own */
  set(plan, "output", "b.h5");
  sd_plan_destroy(plan);
  assert_has(copy, "output", "a.h5");
  sd_result *two = run(copy);
  assert_string_equal(sd_result_digest(one), sd_result_digest(two));
  sd_result_destroy(one);
  sd_result_destroy(two);
  sd_plan_destroy(copy);
}

/* With a start of its own or without: the numbers that it had among the others. */
static void test_single_out(void **state) {
  (void)state;
  static const char *const members[] = {"100", "102", "103"};
  for (int i = 0; i < 3; i++) {
    sd_plan *all = PLAN({"method", "vlv"}, {"members", "4"}, {"first-member", "100"}, {"steps", "9"}, {"final", "4"}),
            *one;
    size_t at = (size_t)atoi(members[i]) - 100;
    assert_int_equal(sd_plan_set_starts(all, 2, 2, &starts[0][0], 7), SD_OK);
    assert_int_equal(sd_plan_copy(all, &one), SD_OK);
    assert_int_equal(sd_plan_single_out(one, members[i]), SD_OK);
    assert_int_equal(sd_plan_single_out(all, "104"), SD_BAD_INPUT);
    assert_int_equal(sd_plan_single_out(all, "x"), SD_BAD_INPUT);
    assert_non_null(strstr(sd_plan_message(all), "100 to 103"));
    sd_result *of_all = run(all), *of_one = run(one);
    sd_view whole = {.size = sizeof whole}, part = {.size = sizeof part};
    assert_int_equal(sd_result_final_count(of_one), 1);
    for (size_t a = 0; a < sd_result_array_count(of_all); a++) {
      sd_result_final(of_all, 0, a, &whole);
      sd_result_final(of_one, 0, a, &part);
      size_t numbers = 1;
      for (int k = 1; k < part.rank; k++) numbers *= part.shape[k];
      assert_memory_equal(whole.data + at * whole.stride[0], part.data, numbers * sizeof(double));
    }
    sd_result_destroy(of_all);
    sd_result_destroy(of_one);
    sd_plan_destroy(all);
    sd_plan_destroy(one);
  }
}

static void test_spare_parameters(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv"}, {"param", "nonsense=1"}, {"steps", "2"}, {"members", "1"});
  assert_int_equal(sd_plan_resolve(plan), SD_BAD_INPUT);
  sd_plan_allow_spare(plan, 1);
  assert_int_equal(sd_plan_resolve(plan), SD_OK);
  sd_plan_destroy(plan);
}

/* ---- files ---- */

static char message[512];

static void test_repeat(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv"}, {"members", "4"}, {"steps", "9"}), **plans;
  size_t count;
  sd_result *result = run(plan), *again;
  assert_int_equal(sd_results_save((const sd_result *const *)&result, 1, "run.h5", message), SD_OK);
  assert_int_equal(sd_file_verify("run.h5", message), SD_OK);
  assert_int_equal(sd_plans_repeat("run.h5", &plans, &count, message), SD_OK);
  assert_int_equal(count, 1);
  assert_string_equal(sd_plan_digest(plans[0]), sd_result_digest(result));
  again = run(plans[0]);
  assert_string_equal(sd_result_digest(again), sd_result_digest(result));
  sd_result_destroy(again);
  sd_result_destroy(result);
  sd_plans_destroy(plans, count);
  sd_plan_destroy(plan);
  assert_int_equal(sd_plans_repeat("none.h5", &plans, &count, message), SD_IO);
  assert_true(!plans && !count && strstr(message, "none.h5"));
}

static void check_claims(sd_plan **plans) {
  sd_claim *claim, *second;
  assert_int_equal(sd_claim_files(plans, 2, NULL, &claim, message), SD_OK);
  assert_has(plans[0], "checkpoint", "c.1");
  assert_has(plans[1], "checkpoint", "c.2");
  sd_plan *other = PLAN({"output", "out.h5"});
  assert_int_equal(sd_claim_files(&other, 1, NULL, &second, message), SD_BAD_INPUT); /* it is locked */
  assert_true(!second && strstr(message, "out.h5"));
  for (int i = 0; i < 2; i++) sd_result_destroy(run(plans[i]));
  sd_claim_release(claim);
  assert_int_equal(sd_claim_files(&other, 1, NULL, &second, message), SD_OK);
  sd_claim_release(second);
  sd_plan_destroy(other);
}

/* A study of two runs: each checkpoint has the plans of both. */
static void test_claim_and_resume(void **state) {
  (void)state;
  static const char *const names[] = {"c", "c.1", "c.2"};
  sd_plan *plans[2], **resumed;
  size_t count;
  for (int i = 0; i < 2; i++)
    plans[i] =
        PLAN({"method", "vlv"}, {"members", i ? "3" : "2"}, {"steps", "9"}, {"checkpoint", "c"}, {"output", "out.h5"});
  check_claims(plans);
  for (int i = 0; i < 3; i++) {
    if (sd_plans_resume(names[i], &resumed, &count, message)) fail_msg("%s", message);
    assert_int_equal(count, 2);
    assert_has(resumed[0], "checkpoint", "c");
    assert_has(resumed[0], "members", "2");
    assert_has(resumed[1], "members", "3");
    assert_string_equal(sd_plan_begun_with(resumed[1]), "out.h5");
    sd_plans_destroy(resumed, count);
  }
  assert_int_equal(sd_file_verify("c.2", message), SD_OK);
  FILE *to = tmpfile();
  assert_int_equal(sd_file_describe("c.2", to, message), SD_OK);
  long brief = ftell(to);
  assert_true(brief > 100);
  assert_int_equal(sd_file_describe_all("c.2", to, message), SD_OK);
  assert_true(ftell(to) > 3 * brief);
  fclose(to);
  for (int i = 0; i < 2; i++) sd_plan_destroy(plans[i]);
}

/* The clock ends one run after the other; what is left of the limit is no part of what was run. */
static void test_limit_of_the_clock(void **state) {
  (void)state;
  sd_plan *plan =
      PLAN({"method", "vlv"}, {"members", "64"}, {"steps", "1e9"}, {"backend", "cpu"}, {"max-time", "0.02s"});
  sd_result *result;
  assert_has(plan, "max-time", "0.02s");
  for (int again = 0; again < 2; again++) {
    assert_int_equal(sd_run(plan, &result), SD_INTERRUPTED);
    assert_string_equal(sd_plan_message(plan), "max-time 0.02s is over");
    assert_false(sd_result_complete(result));
    assert_string_equal(sd_result_why(result), "");
    sd_result_destroy(result);
  }
  set(plan, "max-time", "1d2h");
  set(plan, "until-decided", "yes");
  set(plan, "max-time", "1e9");
  assert_has(plan, "max-time", "1000000000\n93600s");
  assert_int_equal(sd_plan_set(plan, "max-time", "1d2"), SD_BAD_INPUT);
  sd_plan_destroy(plan);
}

static void test_memory(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv,eln"}, {"members", "1e6"}, {"steps", "1000"});
  double alone = sd_plan_memory(plan);
  assert_true(alone > 150e6 && alone < 330e6); /* both methods, one after the other */
  set(plan, "trajectories", "10");
  assert_true(sd_plan_memory(plan) > alone + 2 * 10 * 1000 * 12 * 8);
  set(plan, "every", "2000");
  assert_true(sd_plan_memory(plan) == 0);
  sd_plan_destroy(plan);
}

static void test_digests_join(void **state) {
  (void)state;
  sd_plan *plan = PLAN({"method", "vlv,eln"}, {"members", "4"}, {"steps", "9"});
  sd_result *result = run(plan);
  char digest[33];
  memcpy(digest, sd_result_summary(result, 0)->digest, sizeof digest);
  sd_digest_join(digest, sd_result_summary(result, 1)->digest);
  assert_string_equal(digest, sd_result_digest(result));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

/* ---- */

static int enter(void **state) {
  static char place[] = "/tmp/test_api.XXXXXX";
  *state = mkdtemp(place);
  return !*state || chdir(*state);
}

static int leave(void **state) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", (const char *)*state);
  return system(command);
}

/* ---- parameters of single members ---- */

static const double *final_of(const sd_result *result, sd_view *view) {
  view->size = sizeof *view;
  assert_int_equal(sd_result_final(result, 0, 0, view), SD_OK);
  return view->data;
}

static void test_members_with_parameters_of_their_own(void **context) {
  static const double rows[3][2] = {{0.1, 2.5}, {NAN, 3}, {0.3, 3.5}};
  static const char *const alpha[] = {"alpha=0.1", "alpha=0.3", "alpha=0.3"};
  static const char *const inertia[] = {"J=2,2,2.5", "J=2,2,3", "J=2,2,3.5"};
  sd_view all, one;
  (void)context;
  sd_plan *plan = PLAN({"method", "vlv"}, {"members", "3"}, {"steps", "40"}, {"final", "3"});
  assert_int_equal(sd_plan_set_members(plan, "alpha,J.3", 0, 3, &rows[0][0], 2), SD_OK);
  sd_result *result = run(plan);
  final_of(result, &all);
  for (size_t i = 0; i < 3; i++) {
    char number[2] = {(char)('0' + i), 0};
    sd_plan *alone = PLAN({"method", "vlv"}, {"members", "1"}, {"steps", "40"}, {"final", "1"},
                          {"first-member", number}, {"param", alpha[i]}, {"param", inertia[i]});
    sd_result *own = run(alone);
    assert_memory_equal(all.data + i * all.stride[0], final_of(own, &one), 9 * sizeof(double));
    sd_result_destroy(own);
    sd_plan_destroy(alone);
  }
  assert_int_equal(sd_plan_set_members(plan, "alpha", 0, 1, &rows[0][0], 1), SD_BAD_INPUT);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static void test_points_of_a_sweep(void **context) {
  sd_view slope = {.size = sizeof slope}, verdict = slope, none = slope;
  sd_axis_info axis = {.size = sizeof axis};
  (void)context;
  sd_plan *plan = PLAN({"method", "eln"}, {"steps", "200"}, {"sweep", "alpha=0.1:0.5:3"}, {"sweep", "J.3=1:4:2:log"});
  sd_result *result = run(plan);
  assert_int_equal(sd_result_points(result), 6);
  assert_true(sd_result_axis(result, 1, &axis));
  assert_string_equal(axis.name, "J.3");
  assert_true(axis.equal_factors && axis.count == 2 && !sd_result_axis(result, 2, &axis));
  assert_true(sd_result_axis_value(result, 0, 1) > 0.29 && sd_result_axis_value(result, 1, 1) == 4);
  assert_int_equal(sd_result_point(result, 0, "drift_slope", &slope), SD_OK);
  assert_int_equal(sd_result_point(result, 0, "verdict", &verdict), SD_OK);
  assert_int_equal(sd_result_point(result, 0, "nothing", &none), SD_BAD_INPUT);
  assert_int_equal(sd_result_series(result, 0, "mean", &none), SD_BAD_INPUT);
  assert_true(slope.rank == 2 && slope.shape[0] == 3 && slope.shape[1] == 2 && verdict.whole && !verdict.data);
  sd_plan *alone =
      PLAN({"method", "eln"}, {"steps", "200"}, {"members", "1"}, {"param", "alpha=0.5"}, {"param", "J=2,2,4"});
  sd_result *own = run(alone);
  double mine = slope.data[2 * slope.stride[0] + slope.stride[1]];
  assert_memory_equal(&mine, &sd_result_summary(own, 0)->drift_slope, sizeof mine);
  sd_simulation *simulation;
  assert_int_equal(sd_simulation_create(plan, NULL, &simulation), SD_BAD_INPUT);
  sd_result_destroy(own);
  sd_plan_destroy(alone);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_entry_explains_itself),
      cmocka_unit_test(test_methods_and_problems_are_of_families),
      cmocka_unit_test(test_structs_of_other_versions),
      cmocka_unit_test(test_every_pair_runs),
      cmocka_unit_test(test_composed_methods_of_a_plan),
      cmocka_unit_test(test_get),
      cmocka_unit_test(test_what_is_got_can_be_set),
      cmocka_unit_test(test_copy),
      cmocka_unit_test(test_single_out),
      cmocka_unit_test(test_spare_parameters),
      cmocka_unit_test(test_repeat),
      cmocka_unit_test(test_claim_and_resume),
      cmocka_unit_test(test_limit_of_the_clock),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_digests_join),
      cmocka_unit_test(test_members_with_parameters_of_their_own),
      cmocka_unit_test(test_points_of_a_sweep),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
