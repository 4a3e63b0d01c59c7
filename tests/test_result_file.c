/* test_result_file.c - result files: they repeat their runs, hold the numbers in their places, and show any damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"

#include "../host/checkpoint.h"
#include "../host/hdf5_file.h"
#include "../host/seal.h"
#include "failing_calls.h"
#include "results.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/stat.h>

static sd_result_file *opened(void) {
  sd_error error = {0};
  sd_result_file *file;
  if (sd_result_file_open(path, &file, &error)) fail_msg("%s", error.message);
  return file;
}

/* The file's plan comes to the digest that stands in the file. */
static void repeat(size_t index, const char *digest) {
  sd_error error = {0};
  sd_plan *plan;
  sd_result *again;
  char stored[33];
  sd_result_file *file = opened();
  if (sd_result_file_plan(file, index, &plan, stored, &error)) fail_msg("%s", error.message);
  sd_result_file_close(file);
  assert_string_equal(stored, digest);
  sd_run(plan, &again);
  if (!again) fail_msg("%s", sd_plan_message(plan));
  assert_string_equal(sd_result_digest(again), digest);
  sd_result_destroy(again);
  sd_plan_destroy(plan);
}

static void test_result_repeats(void **state) {
  (void)state;
  sd_error error = {0};
  sd_plan *plan;
  char digest[33];
  sd_result *first = small_result("18446744073709551615", "vlv,rk45,vlv@4");
  sd_result *second = small_result("0x8000000000000001", "vlv,rk45,vlv@4");
  const sd_result *const list[] = {first, second};
  if (sd_results_write_hdf5(list, 2, path, &error)) fail_msg("%s", error.message);
  sd_result_file *file = opened();
  assert_int_equal(sd_result_file_runs(file), 2);
  assert_true(sd_file_begins_with(path, SD_SEAL_MAGIC));
  assert_string_not_equal(sd_result_digest(first), sd_result_digest(second));
  repeat(0, sd_result_digest(first));
  repeat(1, sd_result_digest(second));
  assert_int_equal(sd_result_file_plan(file, 2, &plan, digest, &error), SD_BAD_INPUT);
  assert_clear(&error, "there is no run 2");
  assert_null(plan);
  sd_result_file_close(file);
  sd_result_destroy(first);
  sd_result_destroy(second);
}

static int stop_at_half(void *data, const sd_report *report) {
  (void)data;
  return report->done > 0.4;
}

static void test_incomplete_result(void **state) {
  (void)state;
  const char *const pairs[] = {"method", "vlv,rk45,eln", "bodies", "3", "steps", "20", "threads", "1", NULL};
  sd_status status;
  sd_result *result = run_settings(pairs, &status, stop_at_half);
  assert_int_equal(status, SD_INTERRUPTED);
  assert_int_equal(sd_result_count(result), 1);
  write_result(result);
  repeat(0, sd_result_digest(result));
  sd_result_destroy(result);
}

static void test_info(void **state) {
  (void)state;
  sd_error error = {0};
  sd_result *result = small_result("7", "vlv,rk45,vlv@4");
  write_result(result);
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  sd_result_file *file = opened();
  assert_int_equal(sd_result_file_info(file, stream, &error), SD_OK);
  sd_result_file_close(file);
  fclose(stream);
  const char *const says[] = {"checksum good",
                              sd_result_digest(result),
                              "stress, 5 bodies, 7 steps of 0.33333333333",
                              "seed 7",
                              "vlv@4",
                              "rk45",
                              "trajectories"};
  for (size_t i = 0; i < sizeof says / sizeof *says; i++)
    if (!strstr(text, says[i])) fail_msg("'%s' is not in\n%s", says[i], text);
  free(text);
  sd_result_destroy(result);
}

static double *read_dataset(hid_t file, const char *name, size_t numbers) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  assert_int_equal(H5Sget_simple_extent_npoints(space), numbers);
  double *values = malloc(numbers * sizeof *values);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return values;
}

/* Read by HDF5 alone. */
static void test_numbers_in_their_places(void **state) {
  (void)state;
  const char *const pairs[] = {"method", "vlv,eln",      "bodies", "4200",  "steps", "300",     "every", "1", "step",
                               "0.1",    "trajectories", "35",     "final", "4150",  "threads", "1",     NULL};
  enum { SAMPLES = 301, BODIES = 35, FINALS = 4150 };
  sd_status status;
  sd_result *result = run_settings(pairs, &status, NULL);
  write_result(result);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  double *Q = read_dataset(file, "runs/0/methods/eln/trajectories/attitude/value", SAMPLES * BODIES * 9);
  double *W = read_dataset(file, "runs/0/methods/eln/trajectories/velocity/value", SAMPLES * BODIES * 3);
  double *E = read_dataset(file, "runs/0/methods/eln/trajectories/energy_error/value", SAMPLES * BODIES);
  double *time = read_dataset(file, "runs/0/methods/eln/trajectories/velocity/time", SAMPLES);
  for (size_t k = 0; k < SAMPLES; k++) {
    assert_true(time[k] == sd_result_trajectory_time(result, k));
    for (size_t b = 0; b < BODIES; b++) {
      const double *f = trajectory_of(result, 1, k, b);
      assert_memory_equal(Q + (k * BODIES + b) * 9, f, 9 * sizeof *f);
      assert_memory_equal(W + (k * BODIES + b) * 3, f + 9, 3 * sizeof *f);
      assert_memory_equal(E + k * BODIES + b, f + 12, sizeof *E);
    }
  }
  double *last = read_dataset(file, "runs/0/methods/vlv/final/attitude", FINALS * 9);
  for (size_t b = 0; b < FINALS; b++) assert_memory_equal(last + 9 * b, final_of(result, 0, b), 9 * sizeof *last);
  double *mean = read_dataset(file, "runs/0/methods/vlv/energy_error/value", SAMPLES);
  double *quantile = read_dataset(file, "runs/0/methods/vlv/energy_error/quantile", SAMPLES * SD_QUANTILES);
  double *step = read_dataset(file, "runs/0/methods/vlv/energy_error/step", SAMPLES);
  for (size_t k = 0; k < SAMPLES; k++) {
    const sd_sample *p = sd_result_sample(result, 0, k);
    assert_true(mean[k] == p->mean && step[k] == (double)k);
    assert_memory_equal(quantile + k * SD_QUANTILES, p->quantile, sizeof p->quantile);
  }
  double *slope = read_dataset(file, "runs/0/methods/eln/statistics/slope_mean", 1);
  assert_true(*slope == sd_result_summary(result, 1)->slope_mean);
  double *const all[] = {Q, W, E, time, last, mean, quantile, step, slope};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  H5Fclose(file);
  sd_result_destroy(result);
}

/* What two methods have with different values is of each of them. */
static void test_parameters_of_methods(void **state) {
  (void)state;
  const char *const pairs[] = {"method", "rk45,dop853",      "bodies", "5",          "steps", "3",
                               "param",  "dop853.rtol=1e-9", "param",  "atol=1e-11", NULL};
  static const struct {
    const char *name;
    double value;
  } wanted[] = {{"rk45.rtol", 1e-10}, {"dop853.rtol", 1e-9}, {"atol", 1e-11}};
  sd_status status;
  sd_result *result = run_settings(pairs, &status, NULL);
  write_result(result);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "runs/0/plan/param/%s", wanted[i].name);
    double *value = read_dataset(file, name, 1);
    assert_true(*value == wanted[i].value);
    free(value);
  }
  H5Fclose(file);
  sd_result_destroy(result);
}

/* Orbits: their own starts, impulses and states. */
static void test_orbit_repeats(void **state) {
  (void)state;
  const char *const pairs[] = {"problem",
                               "orbit-elliptic",
                               "method",
                               "midpoint@4,rk45",
                               "bodies",
                               "5",
                               "steps",
                               "7",
                               "step",
                               "33.3",
                               "sigma-position",
                               "0.10000000000000001",
                               "impulse",
                               "t=100.1,dv=0.01,0.02,0.03",
                               "impulse",
                               "t=50,dv=0.1,0,0,size=0.3,angle=0.2",
                               "param",
                               "mu2=3",
                               "param",
                               "at2=1,2,3",
                               "param",
                               "rtol=1e-9",
                               "trajectories",
                               "2",
                               "final",
                               "3",
                               "threads",
                               "1",
                               NULL};
  const double start[6] = {1000, -200, 1.0 / 3, 0.1, -10.0 / 7, 0.3};
  sd_plan *plan;
  sd_result *result;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (const char *const *p = pairs; *p; p += 2)
    if (sd_plan_set(plan, p[0], p[1])) fail_msg("%s", sd_plan_message(plan));
  assert_int_equal(sd_plan_set_starts(plan, 1, 1, start, 6), SD_OK);
  if (sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  write_result(result);
  repeat(0, sd_result_digest(result));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double *q = read_dataset(file, "runs/0/methods/midpoint@4/final/position", 3 * 3);
  double *work = read_dataset(file, "runs/0/methods/midpoint@4/final/work", 3);
  for (size_t b = 0; b < 3; b++) assert_memory_equal(q + 3 * b, final_of(result, 0, b), 3 * sizeof *q);
  assert_true(work[0] != 0 && work[1] != 0);
  free(q);
  free(work);
  H5Fclose(file);
  sd_result_destroy(result);
}

/* Refused in one line. */
static void assert_refused(sd_status wanted, const char *says) {
  sd_error error = {0};
  sd_status status = verify(&error);
  if (status != wanted) fail_msg("status %d, '%s'", status, error.message);
  assert_clear(&error, says);
}

static void test_result_damage(void **state) {
  (void)state;
  sd_error error;
  sd_result *result = small_result("3", "vlv,rk45,vlv@4");
  write_result(result);
  content c = read_content(path);
  int fd = open(path, O_RDWR);
  for (size_t i = 0; i < c.size; i += i < SD_SEAL_SIZE ? 1 : 61) {
    unsigned char flipped = c.byte[i] ^ (unsigned char)(1 << i % 8);
    error = (sd_error){0};
    assert_int_equal(pwrite(fd, &flipped, 1, (off_t)i), 1);
    if (!verify(&error)) fail_msg("byte %zu flipped, and not found", i);
    if (strchr(error.message, '\n') || strstr(error.message, "newer")) fail_msg("byte %zu: %s", i, error.message);
    assert_int_equal(pwrite(fd, &c.byte[i], 1, (off_t)i), 1);
  }
  error = (sd_error){0};
  assert_int_equal(verify(&error), SD_OK);
  assert_int_equal(pwrite(fd, "", 1, (off_t)c.size), 1);
  assert_refused(SD_BAD_INPUT, "should have");
  for (size_t size = c.size; size-- > 0;) {
    error = (sd_error){0};
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    if (!verify(&error)) fail_msg("cut off at %zu of %zu bytes, and not found", size, c.size);
  }
  close(fd);
  free(c.byte);
  sd_result_destroy(result);
}

/* A file with this after its seal, and checksums that fit. */
static void seal_content(const char *bytes, size_t size, size_t record) {
  sd_error error = {0};
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_int_equal(pwrite(fd, bytes, size, SD_SEAL_SIZE), (ssize_t)size);
  assert_int_equal(sd_seal_write(fd, record, path, &error), SD_OK);
  close(fd);
}

static void test_foreign_files(void **state) {
  (void)state;
  assert_refused(SD_IO, "No such file");
  write_content(path, "", 0);
  assert_refused(SD_BAD_INPUT, "not a result file");
  write_content(path, "\211HDF\r\n\032\n and so on", 18);
  assert_refused(SD_BAD_INPUT, "not a result file");
  write_content(path, "spindrift-result 1 ", 19);
  assert_refused(SD_BAD_INPUT, "cut off");
  char noise[4096]; /* sealed, but nothing of ours */
  for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)(i * 37);
  seal_content(noise, sizeof noise, 1000);
  assert_refused(SD_BAD_INPUT, "its record cannot be read");
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_refused(SD_IO, "directory");
}

/* Space that HDF5 has given out and not written is part of the file all the same. */
static void test_unwritten_space(void **state) {
  (void)state;
  const hsize_t size = 100000;
  for (int fails = 0; fails < 2; fails++) {
    struct stat about;
    sd_hdf5_channel channel = {.fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600)};
    hid_t file = sd_hdf5_create(&channel, SD_SEAL_SIZE), space = H5Screate_simple(1, &size, NULL);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_alloc_time(storage, H5D_ALLOC_TIME_EARLY) >= 0);
    assert_true(H5Pset_fill_time(storage, H5D_FILL_TIME_NEVER) >= 0);
    H5Dclose(H5Dcreate2(file, "unwritten", H5T_NATIVE_UINT8, space, H5P_DEFAULT, storage, H5P_DEFAULT));
    H5Pclose(storage);
    H5Sclose(space);
    if (fails) fault.call = "ftruncate", fault.times = 1, fault.reason = EIO;
    assert_true(sd_hdf5_close(&channel, file) >= 0);
    assert_int_equal(channel.failure, fails ? EIO : 0);
    no_fault();
    assert_int_equal(fstat(channel.fd, &about), 0);
    if (!fails) assert_true(about.st_size > (off_t)size);
    close(channel.fd);
  }
}

/* Sealed, with a record that fits a plan, but for one thing. */
static void test_outcomes_that_lie(void **state) {
  (void)state;
  static const struct {
    const char *file, *says; /* NULL: it can be read */
  } cases[] = {{"one", NULL},
               {"orbit", NULL},
               {"two", NULL},
               {"absurd-place", "its energy_error/time does not fit its plan"},
               {"place-beyond", "its energy_error/time does not fit its plan"},
               {"absurd-final", "its size does not fit its plan"},
               {"absurd-failed", "what came of its run cannot be read"},
               {"wrong-status", "its final/status does not fit its plan"},
               {"starts", "what came of its run cannot be read"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[512], message[512];
    sd_result **results;
    size_t count;
    snprintf(name, sizeof name, "%s/../corpus/result/%s", GOLDEN, cases[i].file);
    sd_status status = sd_results_read(name, &results, &count, message);
    if (status != (cases[i].says ? SD_BAD_INPUT : SD_OK)) fail_msg("%s: %d, '%s'", cases[i].file, status, message);
    if (cases[i].says && !strstr(message, cases[i].says)) fail_msg("%s: '%s'", cases[i].file, message);
    for (size_t k = 0; k < count; k++) sd_result_destroy(results[k]);
    sd_free(results);
  }
}

static void write_head_of_format(const char *format) {
  char line[SD_SEAL_SIZE];
  int length = snprintf(line, sizeof line, "spindrift-result %s something else, of which we know nothing", format);
  snprintf(line + length, sizeof line - (size_t)length, " line %016llx\n",
           (unsigned long long)XXH3_64bits(line, (size_t)length));
  write_content(path, line, sizeof line);
}

static void test_other_formats(void **state) {
  (void)state;
  write_head_of_format("6");
  assert_refused(SD_FAILED, "format 6, of a newer spindrift");
  write_head_of_format("99999999999999999999999999");
  assert_refused(SD_FAILED, "of a newer spindrift");
  write_head_of_format("1");
  assert_refused(SD_FAILED, "format 1, of an older spindrift");
  write_head_of_format("3");
  assert_refused(SD_FAILED, "format 3, of an older spindrift");
  write_head_of_format("4");
  assert_refused(SD_FAILED, "format 4, of an older spindrift: it was written by spindrift 0.2.0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_result_repeats),
      TEST(test_orbit_repeats),
      TEST(test_parameters_of_methods),
      TEST(test_incomplete_result),
      TEST(test_info),
      TEST(test_numbers_in_their_places),
      TEST(test_result_damage),
      TEST(test_foreign_files),
      TEST(test_other_formats),
      TEST(test_unwritten_space),
      TEST(test_outcomes_that_lie),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
