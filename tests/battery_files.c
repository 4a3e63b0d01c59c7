/* battery_files.c - result files of every problem of every family: HDF5 has the arrays that the family declares, with
 * the bits of the result, and the plan that comes back from the file repeats the run. */
#include "chart.h"
#include "directory.h"
#include "results.h"

#include <hdf5.h>

enum { NUMBERS_MOST = 100000 };

/* One member has a start of its own, off that of the chart. */
static void set_start(sd_plan *plan, const sd_problem_entry *problem) {
  const sd_family *family = problem->family;
  const chart *c = chart_of(family->method);
  const harness t = harness_make(family->method->id, problem->id);
  size_t bodies = bodies_of(problem, t.parameters);
  const double tangent[CHART_MAX] = {0.1, 0.01, -0.02};
  harness_start start = c->displaced(&t, &c->start, tangent);
  assert_int_equal(sd_plan_set_starts(plan, 1, 1, start.number, sd_start_numbers(family, bodies)), SD_OK);
}

static sd_result *run(const sd_problem_entry *problem) {
  static const char *const settings[][2] = {{"members", "5"}, {"steps", "20"},       {"every", "3"},
                                            {"final", "3"},   {"trajectories", "2"}, {"seed", "7"},
                                            {"threads", "1"}, {"backend", "cpu"}};
  sd_plan *plan;
  sd_result *result;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  assert_int_equal(sd_plan_set(plan, "problem", problem->id), SD_OK);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (sd_plan_set(plan, settings[i][0], settings[i][1])) fail_msg("%s", sd_plan_message(plan));
  set_moments(plan, problem->family, problem->step, 20);
  set_small(plan, problem);
  set_start(plan, problem);
  if (sd_run(plan, &result)) fail_msg("%s: %s", problem->id, sd_plan_message(plan));
  sd_plan_destroy(plan);
  return result;
}

/* The dataset has the array's own axes after those of samples and members, and its numbers. */
static void check_array(hid_t file, const char *name, const sd_view *view) {
  static double found[NUMBERS_MOST];
  hsize_t size[4] = {0};
  size_t count = 1;
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (dataset < 0) fail_msg("there is no %s", name);
  hid_t space = H5Dget_space(dataset);
  assert_int_equal(H5Sget_simple_extent_ndims(space), view->rank);
  H5Sget_simple_extent_dims(space, size, NULL);
  for (int i = 0; i < view->rank; i++) {
    if (size[i] != view->shape[i]) fail_msg("%s: axis %d has %d", name, i, (int)size[i]);
    count *= view->shape[i];
  }
  assert_true(count <= NUMBERS_MOST);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
  for (size_t n = 0; n < count; n++) {
    size_t place = 0, rest = n;
    for (int i = view->rank - 1; i >= 0; i--) place += rest % view->shape[i] * view->stride[i], rest /= view->shape[i];
    if (memcmp(&found[n], &view->data[place], sizeof *found)) fail_msg("%s: number %zu is another", name, n);
  }
  H5Sclose(space);
  H5Dclose(dataset);
}

static void check_method(hid_t file, const sd_result *result, size_t m) {
  const char *method = sd_result_summary(result, m)->method;
  char name[160];
  for (size_t a = 0; a < sd_result_array_count(result); a++) {
    sd_view view = {.size = sizeof view};
    assert_int_equal(sd_result_final(result, m, a, &view), SD_OK);
    snprintf(name, sizeof name, "runs/0/methods/%s/final/%s", method, view.name);
    check_array(file, name, &view);
    assert_int_equal(sd_result_trajectory(result, m, a, &view), SD_OK);
    snprintf(name, sizeof name, "runs/0/methods/%s/trajectories/%s/value", method, view.name);
    check_array(file, name, &view);
  }
}

static void check_moments(hid_t file, const sd_result *result, size_t m) {
  static const char *const names[] = {"state_mean", "state_covariance"};
  char name[160];
  for (size_t i = 0; i < 2 && sd_coordinates_of(result->spec->problem->family).numbers; i++) {
    sd_view view = {.size = sizeof view};
    assert_int_equal(sd_result_series(result, m, names[i], &view), SD_OK);
    snprintf(name, sizeof name, "runs/0/methods/%s/moments/%s", sd_result_summary(result, m)->method, view.name);
    check_array(file, name, &view);
    assert_int_equal(sd_result_at(result, m, names[i], &view), SD_OK);
    assert_int_equal(view.shape[0], 2);
    snprintf(name, sizeof name, "runs/0/methods/%s/at/%s", sd_result_summary(result, m)->method, view.name);
    check_array(file, name, &view);
  }
}

static void check_repeats(const sd_result *result) {
  sd_result_file *file;
  sd_error error = {0};
  sd_plan *plan;
  sd_result *again;
  char digest[33];
  if (sd_result_file_open(path, &file, &error)) fail_msg("%s", error.message);
  if (sd_result_file_plan(file, 0, &plan, digest, &error)) fail_msg("%s", error.message);
  sd_result_file_close(file);
  assert_string_equal(digest, sd_result_digest(result));
  if (sd_run(plan, &again)) fail_msg("%s", sd_plan_message(plan));
  assert_string_equal(sd_result_digest(again), digest);
  sd_result_destroy(again);
  sd_plan_destroy(plan);
}

static void test_every_problem(void **state) {
  (void)state;
  for (int p = 0; p < sd_problem_count(); p++) {
    sd_result *result = run(sd_problem_at(p));
    write_result(result);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t m = 0; m < sd_result_count(result); m++) check_method(file, result, m), check_moments(file, result, m);
    H5Fclose(file);
    check_repeats(result);
    sd_result_destroy(result);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_every_problem, make_directory, remove_directory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
