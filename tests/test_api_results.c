/* test_api_results.c - results as a user of the library has them, by spindrift.h alone: arrays with names, documents
 * and files on disk and in memory, files read back, and simulations that are looked at on their way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "directory.h"
#include "settings.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

static sd_plan *plan_of(const char *problem, const char *methods) {
  static const char *const pairs[] = {"members", "37", "steps",        "60", "every", "7",
                                      "final",   "5",  "seed",         "77", "step",  "0.3333333333333333",
                                      "threads", "2",  "trajectories", "3",  "isa",   "scalar"};
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i += 2) set(plan, pairs[i], pairs[i + 1]);
  set(plan, "problem", problem);
  set(plan, "method", methods);
  return plan;
}

static sd_result *run(sd_plan *plan) {
  sd_result *result;
  sd_status status = sd_run(plan, &result);
  if (!result) fail_msg("%d: %s", status, sd_plan_message(plan));
  sd_plan_destroy(plan);
  return result;
}

static char *json_of(const sd_result *const *results, size_t count) {
  char *text;
  size_t size;
  assert_int_equal(sd_results_json(results, count, &text, &size), SD_OK);
  assert_int_equal(strlen(text), size);
  return text;
}

/* ---- arrays with names ---- */

/* Every quantity of every sample, by the list and by its view. */
static void check_series(const sd_result *result, size_t m) {
  size_t samples = sd_result_sample_count(result, m), quantities = 0, numbers = 0;
  sd_quantity_info q = {.size = sizeof q};
  for (; sd_list_quantity(quantities, &q); quantities++) {
    sd_view v = {.size = sizeof v};
    assert_int_equal(sd_result_series(result, m, q.name, &v), SD_OK);
    assert_string_equal(v.id, q.name);
    assert_int_equal(v.rank, q.count > 1 ? 2 : 1);
    assert_int_equal(v.shape[0], samples);
    assert_true(q.whole ? v.whole && !v.data : v.data && !v.whole);
    assert_true(*q.units && *q.text && *q.dataset);
    numbers += q.count;
    if (q.level) assert_int_equal(v.shape[1], SD_QUANTILES);
  }
  assert_int_equal(numbers * sizeof(double), sizeof(sd_sample));
  sd_view mean = {.size = sizeof mean}, quantile = mean, members = mean;
  assert_int_equal(sd_result_series(result, m, "mean", &mean), SD_OK);
  assert_int_equal(sd_result_series(result, m, "quantile", &quantile), SD_OK);
  assert_int_equal(sd_result_series(result, m, "members", &members), SD_OK);
  for (size_t i = 0; i < samples; i++) {
    const sd_sample *s = sd_result_sample(result, m, i);
    assert_memory_equal(&mean.data[i * mean.stride[0]], &s->mean, sizeof s->mean);
    assert_int_equal(members.whole[i * members.stride[0]], s->members);
    for (size_t k = 0; k < SD_QUANTILES; k++)
      assert_memory_equal(&quantile.data[i * quantile.stride[0] + k * quantile.stride[1]], &s->quantile[k], 8);
  }
}

/* By index: the same arrays, in the order of the list. */
static void check_series_by_index(const sd_result *result, size_t m) {
  sd_quantity_info q = {.size = sizeof q};
  sd_view v = {.size = sizeof v}, named = v;
  size_t i = 0;
  for (; sd_list_quantity(i, &q); i++) {
    assert_int_equal(sd_result_series_at(result, m, i, &v), SD_OK);
    assert_int_equal(sd_result_series(result, m, q.name, &named), SD_OK);
    assert_string_equal(v.id, q.name);
    assert_ptr_equal(v.data, named.data);
    assert_ptr_equal(v.whole, named.whole);
    assert_int_equal(v.stride[0], named.stride[0]);
  }
  assert_int_equal(sd_result_series_count(result), i); /* a member with one body has no further accounts */
  assert_int_equal(sd_result_series_at(result, m, i, &v), SD_BAD_INPUT);
}

static void check_statuses(const sd_result *result, size_t m) {
  sd_view v = {.size = sizeof v}, older = {.size = offsetof(sd_view, small)};
  assert_int_equal(sd_result_final_statuses(result, m, &older), SD_BAD_INPUT);
  assert_int_equal(sd_result_final_statuses(result, m, &v), SD_OK);
  assert_true(v.small && !v.data && !v.whole);
  assert_int_equal(v.shape[0], sd_result_final_count(result));
  for (size_t i = 0; i < v.shape[0]; i++)
    assert_string_equal(sd_list_member_status(v.small[i * v.stride[0]]), sd_result_final_status(result, m, i));
  assert_string_equal(sd_list_member_status(0), "ok");
  assert_null(sd_list_member_status(200));
}

/* The plan that a result has gives the same run again. */
static void check_plan(const sd_result *result) {
  char *text, *line;
  sd_plan *plan;
  assert_int_equal(sd_result_plan(result, &text), SD_OK);
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (char *rest = text; (line = strtok_r(rest, "\n", &rest));) {
    char *value = strchr(line, ' ');
    *value = 0;
    if (value[1]) set(plan, line, value + 1);
  }
  sd_free(text);
  sd_result *again = run(plan);
  assert_string_equal(sd_result_digest(again), sd_result_digest(result));
  sd_result_destroy(again);
}

static void check_statistics(const sd_result *result, size_t m, const char *id) {
  sd_family_info f = {.size = sizeof f};
  size_t family = 0;
  while (sd_list_family(family, &f) && strcmp(f.id, id)) family++;
  sd_statistic_info s = {.size = sizeof s};
  size_t count = 0;
  double value, slope;
  for (; sd_list_statistic(family, count, &s); count++) {
    assert_int_equal(sd_result_statistic(result, m, s.name, &value), SD_OK);
    assert_true(*s.units && *s.text && *s.place && s.place[strlen(s.place) - 1] != '.');
  }
  assert_true(count > 10);
  assert_int_equal(sd_result_statistic(result, m, "slope_mean", &slope), SD_OK);
  assert_memory_equal(&slope, &sd_result_summary(result, m)->slope_mean, sizeof slope);
}

static void test_arrays(void **state) {
  (void)state;
  static const char *const families[][3] = {{"so3", "stress", "vlv,rk45"}, {"orbit", "orbit-elliptic", "verlet,rk4"}};
  for (size_t f = 0; f < 2; f++) {
    sd_result *result = run(plan_of(families[f][1], families[f][2]));
    for (size_t m = 0; m < 2; m++) {
      check_series(result, m);
      check_statistics(result, m, families[f][0]);
      check_series_by_index(result, m);
      check_statuses(result, m);
    }
    assert_string_equal(sd_result_family(result), families[f][0]);
    check_plan(result);
    double value;
    sd_view small = {.size = offsetof(sd_view, text)}, v = {.size = sizeof v};
    assert_int_equal(sd_result_series(result, 0, "mean", &small), SD_BAD_INPUT);
    assert_int_equal(sd_result_series(result, 0, "none", &v), SD_BAD_INPUT);
    assert_int_equal(sd_result_series(result, 2, "mean", &v), SD_BAD_INPUT);
    assert_int_equal(sd_result_statistic(result, 0, "none", &value), SD_BAD_INPUT);
    assert_int_equal(sd_result_final(result, 2, 0, &v), SD_BAD_INPUT);
    sd_result_destroy(result);
  }
  sd_statistic_info s = {.size = sizeof s};
  assert_false(sd_list_statistic(1000, 0, &s));
}

/* Of systems the ledger is a series, too: what moves, bends and strains adds up to the energy at every sample. */
static void test_ledger(void **state) {
  (void)state;
  static const char *const kinds[] = {"translation", "rotation", "bending", "axial", "shear", "contact", "wall"};
  sd_plan *plan = plan_of("torus", "rrp");
  set(plan, "step", "0.001");
  set(plan, "members", "3");
  sd_result *result = run(plan);
  sd_view v = {.size = sizeof v};
  double first = sd_result_summary(result, 0)->energy_initial_mean;
  for (size_t i = 0; i < sd_result_sample_count(result, 0); i++) {
    double sum = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      assert_int_equal(sd_result_series(result, 0, kinds[k], &v), SD_OK);
      assert_string_equal(v.id, kinds[k]);
      assert_int_equal(v.rank, 1);
      sum += v.data[i * v.stride[0]];
    }
    assert_true(fabs(sum - first - sd_result_sample(result, 0, i)->mean) < 1e-12 * first);
  }
  assert_int_equal(sd_result_series(result, 0, "status", &v), SD_BAD_INPUT);
  sd_result_destroy(result);
}

/* What an older program has room for is filled, and nothing beyond; what a newer one has more is zeros. */
static void test_structs_of_another_size(void **state) {
  (void)state;
  struct {
    sd_quantity_info info;
    char beyond[16];
  } newer, older;
  memset(&newer, 0x5a, sizeof newer);
  memset(&older, 0x5a, sizeof older);
  newer.info.size = sizeof newer;
  older.info.size = offsetof(sd_quantity_info, units);
  assert_true(sd_list_quantity(0, &newer.info) && sd_list_quantity(0, &older.info));
  assert_string_equal(older.info.dataset, newer.info.dataset);
  for (size_t i = 0; i < sizeof newer.beyond; i++) assert_int_equal(newer.beyond[i], 0);
  const char *rest = (const char *)&older + older.info.size;
  for (size_t i = 0; i < sizeof older - older.info.size; i++) assert_int_equal(rest[i], 0x5a);
}

/* ---- documents ---- */

static void test_json(void **state) {
  (void)state;
  char message[512];
  sd_result *const pair[] = {run(plan_of("stress", "vlv,eln")), run(plan_of("free", "rk4"))};
  const sd_result *const *results = (const sd_result *const *)pair;
  char *text = json_of(results, 2);
  assert_int_equal(sd_results_save_json(results, 2, path, message), SD_OK);
  assert_string_equal(message, "");
  content c = read_content(path);
  assert_int_equal(c.size, strlen(text));
  assert_memory_equal(c.byte, text, c.size);
  free(c.byte);
  FILE *stream = tmpfile();
  assert_int_equal(sd_results_write_json(results, 2, stream), SD_OK);
  assert_int_equal(ftell(stream), (long)strlen(text));
  fclose(stream);
  sd_free(text);
  assert_int_equal(sd_results_save_json(results, 2, "/nowhere/at/all.json", message), SD_IO);
  assert_non_null(strstr(message, "/nowhere/at/all.json"));
  sd_result_destroy(pair[0]);
  sd_result_destroy(pair[1]);
}

/* The two have the second in them in which they were made. */
static void test_hdf5_in_memory(void **state) {
  (void)state;
  char message[512];
  int same = 0;
  sd_result *result = run(plan_of("stress", "vlv,eln"));
  const sd_result *const list[] = {result};
  for (int i = 0; i < 5 && !same; i++) {
    void *bytes;
    size_t size;
    assert_int_equal(sd_results_hdf5(list, 1, &bytes, &size, message), SD_OK);
    assert_int_equal(sd_results_save(list, 1, path, message), SD_OK);
    content c = read_content(path);
    assert_int_equal(c.size, size);
    same = !memcmp(bytes, c.byte, size);
    free(c.byte);
    sd_free(bytes);
  }
  assert_true(same);
  sd_result_destroy(result);
}

/* ---- read back ---- */

static void assert_same_view(const sd_view *a, const sd_view *b) {
  size_t at[4] = {0}, count = 1;
  assert_int_equal(a->rank, b->rank);
  assert_memory_equal(a->shape, b->shape, sizeof a->shape);
  for (int i = 0; i < a->rank; i++) count *= a->shape[i];
  for (size_t n = 0; n < count; n++) {
    size_t in_a = 0, in_b = 0, left = n;
    for (int i = a->rank; i-- > 0; left /= a->shape[i]) at[i] = left % a->shape[i];
    for (int i = 0; i < a->rank; i++) in_a += at[i] * a->stride[i], in_b += at[i] * b->stride[i];
    if (a->data) assert_memory_equal(&a->data[in_a], &b->data[in_b], sizeof(double));
    else assert_int_equal(a->whole[in_a], b->whole[in_b]);
  }
}

static void assert_same_method(const sd_result *a, const sd_result *b, size_t m) {
  sd_quantity_info q = {.size = sizeof q};
  sd_view x = {.size = sizeof x}, y = x;
  const sd_summary *s = sd_result_summary(a, m), *r = sd_result_summary(b, m);
  assert_memory_equal(&s->step, &r->step, sizeof *s - offsetof(sd_summary, step));
  assert_string_equal(s->method, r->method);
  assert_string_equal(s->problem, r->problem);
  for (size_t k = 0; sd_list_quantity(k, &q); k++) {
    assert_int_equal(sd_result_series(a, m, q.name, &x), SD_OK);
    assert_int_equal(sd_result_series(b, m, q.name, &y), SD_OK);
    assert_same_view(&x, &y);
  }
  for (size_t k = 0; k < sd_result_array_count(a); k++) {
    assert_int_equal(sd_result_final(a, m, k, &x), SD_OK);
    assert_int_equal(sd_result_final(b, m, k, &y), SD_OK);
    assert_same_view(&x, &y);
    assert_int_equal(sd_result_trajectory(a, m, k, &x), SD_OK);
    assert_int_equal(sd_result_trajectory(b, m, k, &y), SD_OK);
    assert_same_view(&x, &y);
  }
  for (size_t i = 0; i < sd_result_final_count(a); i++)
    assert_string_equal(sd_result_final_status(a, m, i), sd_result_final_status(b, m, i));
}

static void check_read_back(sd_result *const *written, size_t count) {
  char message[512], *before = json_of((const sd_result *const *)written, count);
  sd_result **read;
  size_t there;
  if (sd_results_save((const sd_result *const *)written, count, path, message)) fail_msg("%s", message);
  if (sd_results_read(path, &read, &there, message)) fail_msg("%s", message);
  assert_int_equal(there, count);
  char *after = json_of((const sd_result *const *)read, count);
  assert_string_equal(before, after);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(sd_result_count(read[i]), sd_result_count(written[i]));
    assert_int_equal(sd_result_complete(read[i]), sd_result_complete(written[i]));
    assert_string_equal(sd_result_digest(read[i]), sd_result_digest(written[i]));
    for (size_t m = 0; m < sd_result_count(read[i]); m++) assert_same_method(written[i], read[i], m);
    sd_result_destroy(read[i]);
    sd_result_destroy(written[i]);
  }
  sd_free(read);
  sd_free(before);
  sd_free(after);
}

static int stop_at_half(void *data, const sd_report *report) {
  (void)data;
  assert_int_equal(report->size, sizeof *report);
  return report->done > 0.5;
}

/* With members that failed, starts of their own, no states, one sample less than there are, and an interruption. */
static void test_read_back(void **state) {
  (void)state;
  static const double start[7] = {0.9, 0.1, -0.2, 1.0 / 3, 0.1, -1.0 / 7, 0.3};
  sd_plan *plan = plan_of("stress", "vlv,rk45,vlv@4");
  assert_int_equal(sd_plan_set_starts(plan, 1, 1, start, 7), SD_OK);
  set(plan, "param", "rtol=1.0000000000000001e-09");
  sd_plan_with_series(plan, 1);
  sd_plan *failing = plan_of("stress", "eln,tln");
  set(failing, "step", "3");
  set(failing, "sigma-velocity", "5");
  sd_plan *long_one = plan_of("orbit-elliptic", "verlet");
  set(long_one, "steps", "45000");
  set(long_one, "every", "1");
  set(long_one, "members", "1");
  set(long_one, "trajectories", "0");
  set(long_one, "final", "0");
  sd_result *const results[] = {run(plan), run(failing), run(long_one)};
  assert_true(sd_result_summary(results[1], 0)->failed + sd_result_summary(results[1], 1)->failed > 0);
  check_read_back(results, 3);
  empty_directory(); /* it would not take the place of a complete one */
  plan = plan_of("stress", "vlv,eln,rk45");
  set(plan, "param", "rtol=1e-9");
  sd_plan_on_progress(plan, stop_at_half, NULL);
  sd_result *const partial[] = {run(plan)};
  assert_int_equal(sd_result_count(partial[0]), 1);
  check_read_back(partial, 1);
}

static void test_cannot_be_read(void **state) {
  (void)state;
  char message[512];
  sd_result **read;
  size_t count;
  assert_int_equal(sd_results_read(path, &read, &count, message), SD_IO);
  assert_null(read);
  assert_int_equal(count, 0);
  assert_non_null(strstr(message, "No such file"));
  write_content(path, "something else", 14);
  assert_int_equal(sd_results_read(path, &read, &count, message), SD_BAD_INPUT);
  assert_non_null(strstr(message, "not a result file"));
}

/* ---- simulations ---- */

/* Advanced in odd pieces and looked at, it ends as a run does; the trajectories are what was seen on the way. */
static void check_simulation(const char *problem, const char *methods, const char *method) {
  sd_plan *plan = plan_of(problem, methods), *alone = plan_of(problem, method);
  sd_result *whole = run(alone), *result;
  sd_simulation *s;
  sd_view seen = {.size = sizeof seen}, kept = seen, last = seen;
  if (sd_simulation_create(plan, method, &s)) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan); /* it needs no more */
  assert_int_equal(sd_simulation_step(s), 0);
  assert_int_equal(sd_simulation_advance(s, 5), SD_OK);
  assert_int_equal(sd_simulation_advance_to(s, 14 * 0.3333333333333333), SD_OK);
  assert_int_equal(sd_simulation_step(s), 14);
  assert_true(sd_simulation_time(s) == sd_result_trajectory_time(whole, 2));
  assert_int_equal(sd_simulation_look(s, 3), SD_OK);
  assert_int_equal(sd_simulation_members(s), 3);
  for (size_t a = 0; a < sd_result_array_count(whole); a++) {
    assert_int_equal(sd_simulation_states(s, a, &seen), SD_OK);
    assert_int_equal(sd_result_trajectory(whole, 0, a, &kept), SD_OK);
    kept.data += 2 * kept.stride[0]; /* sample 2, step 14 */
    kept.rank--;
    for (int i = 0; i < 3; i++) kept.shape[i] = kept.shape[i + 1], kept.stride[i] = kept.stride[i + 1];
    kept.shape[3] = kept.stride[3] = 0;
    assert_same_view(&seen, &kept);
  }
  assert_int_equal(sd_simulation_states(s, sd_result_array_count(whole), &seen), SD_BAD_INPUT);
  assert_int_equal(sd_simulation_advance(s, 1000), SD_BAD_INPUT);
  assert_non_null(strstr(sd_simulation_message(s), "there are 46"));
  assert_int_equal(sd_simulation_advance(s, -1), SD_BAD_INPUT);
  assert_int_equal(sd_simulation_advance_to(s, 1), SD_BAD_INPUT);
  assert_int_equal(sd_simulation_advance_to(s, 14.1), SD_BAD_INPUT);
  assert_non_null(strstr(sd_simulation_message(s), "whole number of steps"));
  assert_int_equal(sd_simulation_advance(s, 1), SD_OK);
  sd_status status = sd_simulation_finish(s, &result);
  if (!result) fail_msg("%d: %s", status, sd_simulation_message(s));
  assert_string_equal(sd_result_digest(result), sd_result_digest(whole));
  assert_int_equal(sd_result_count(result), 1);
  assert_true(sd_result_complete(result));
  assert_int_equal(sd_simulation_look(s, 1000), SD_OK);
  assert_int_equal(sd_simulation_members(s), 37);
  assert_string_equal(sd_simulation_status(s, 36), "ok");
  assert_int_equal(sd_simulation_states(s, 0, &seen), SD_OK);
  assert_int_equal(sd_result_final(result, 0, 0, &last), SD_OK);
  seen.shape[0] = 5;
  assert_same_view(&seen, &last);
  sd_result *again;
  assert_int_equal(sd_simulation_finish(s, &again), SD_BAD_INPUT);
  assert_null(again);
  sd_simulation_destroy(s);
  sd_result_destroy(result);
  sd_result_destroy(whole);
}

static void test_simulation(void **state) {
  (void)state;
  check_simulation("stress", "vlv,rk45,eln", "rk45");
  check_simulation("orbit-circular", "verlet,midpoint@4", "midpoint@4");
}

static int stop_after(void *data, const sd_report *report) {
  (void)report;
  return --*(int *)data == 0;
}

/* Interrupted, it goes on; a simulation may be left at any point. */
static void test_interrupted_simulation(void **state) {
  (void)state;
  sd_plan *plan = plan_of("stress", "vlv");
  sd_simulation *s;
  sd_result *result, *whole = run(plan_of("stress", "vlv"));
  assert_int_equal(sd_simulation_create(plan, "eln", &s), SD_BAD_INPUT);
  assert_null(s);
  assert_non_null(strstr(sd_plan_message(plan), "eln"));
  assert_int_equal(sd_simulation_create(plan, NULL, &s), SD_OK);
  sd_simulation_destroy(s);
  int left = 100, interruptions = 0;
  sd_status status;
  sd_control control = {0, 0};
  sd_plan_on_progress(plan, stop_after, &left);
  sd_plan_control(plan, &control);
  assert_int_equal(sd_simulation_create(plan, NULL, &s), SD_OK);
  assert_int_equal(sd_simulation_advance(s, 10), SD_OK);
  sd_control_stop(&control);
  assert_int_equal(sd_simulation_advance(s, 1), SD_INTERRUPTED);
  assert_int_equal(sd_simulation_step(s), 11);
  control = (sd_control){0, 0};
  for (left = 1; (status = sd_simulation_finish(s, &result)) == SD_INTERRUPTED; interruptions++) left = 1;
  assert_int_equal(status, SD_OK);
  assert_true(interruptions > 0);
  assert_string_equal(sd_result_digest(result), sd_result_digest(whole));
  sd_simulation_destroy(s);
  sd_simulation_destroy(NULL);
  sd_result_destroy(result);
  sd_result_destroy(whole);
  sd_plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_arrays),         TEST(test_ledger),         TEST(test_structs_of_another_size),
      TEST(test_json),           TEST(test_hdf5_in_memory), TEST(test_read_back),
      TEST(test_cannot_be_read), TEST(test_simulation),     TEST(test_interrupted_simulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
