/* results.h - small runs, their results in a file, and what the file says of itself; after directory.h. */
#ifndef RESULTS_H
#define RESULTS_H

#include "../host/output_hdf5.h"
#include "../host/result_file.h"
#include "../host/run.h"

static inline sd_result *run_settings(const char *const *pairs, sd_status *status, sd_progress progress) {
  sd_plan *plan;
  sd_result *result;
  static const double starts[2][7] = {{0.9, 0.1, -0.2, 1.0 / 3, 0.1, -1.0 / 7, 0.3},
                                      {0.9, 0.1, -0.2, 1.0 / 3, 0.1, -1.0 / 7, 0.3}};
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (; *pairs; pairs += 2)
    if (sd_plan_set(plan, pairs[0], pairs[1])) fail_msg("%s", sd_plan_message(plan));
  assert_int_equal(sd_plan_set_starts(plan, 1, 2, starts[0], 7), SD_OK);
  sd_plan_on_progress(plan, progress, NULL);
  *status = sd_run(plan, &result);
  if (!result) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return result;
}

/* Numbers that only come back whole if all their bits do; some bodies fail. */
static inline sd_result *small_result(const char *seed, const char *methods) {
  const char *const pairs[] = {"problem",
                               "stress",
                               "method",
                               methods,
                               "bodies",
                               "5",
                               "steps",
                               "7",
                               "every",
                               "2",
                               "step",
                               "0.33333333333333331",
                               "seed",
                               seed,
                               "sigma-attitude",
                               "0.10000000000000001",
                               "sigma-velocity",
                               "2.2250738585072014e-308",
                               "param",
                               "alpha=0.29999999999999999",
                               "param",
                               "J=2,3.0000000000000004,4",
                               "param",
                               "rtol=1.0000000000000001e-09",
                               "trajectories",
                               "2",
                               "final",
                               "3",
                               "threads",
                               "1",
                               NULL};
  sd_status status;
  return run_settings(pairs, &status, NULL);
}

static inline void write_result(const sd_result *result) {
  sd_error error = {0};
  const sd_result *const list[] = {result};
  if (sd_results_write_hdf5(list, 1, path, &error)) fail_msg("%s", error.message);
}

static inline sd_status verify(sd_error *error) {
  sd_result_file *file;
  sd_status status = sd_result_file_open(path, &file, error);
  if (!status) sd_result_file_close(file);
  else assert_null(file);
  return status;
}

#endif
