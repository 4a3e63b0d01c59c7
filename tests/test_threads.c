/* test_threads.c - two threads, each with plans, results and files of its own, and one of them at a time in HDF5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/hdf5_file.h"
#include "directory.h"
#include "settings.h"

#include <pthread.h>
#include <time.h>

/* How many are in HDF5, and have been at most; the library's lock alone keeps these numbers right.  Many an HDF5 has a
 * lock of its own, and would not show that ours is missing. */
static int inside, most;

hid_t __real_sd_hdf5_create(sd_hdf5_channel *channel, hsize_t user_block);
hid_t __wrap_sd_hdf5_create(sd_hdf5_channel *channel, hsize_t user_block);
hid_t __wrap_sd_hdf5_create(sd_hdf5_channel *channel, hsize_t user_block) {
  if (++inside > most) most = inside;
  nanosleep(&(struct timespec){0, 2000000}, NULL);
  return __real_sd_hdf5_create(channel, user_block);
}

herr_t __real_sd_hdf5_close(sd_hdf5_channel *channel, hid_t file);
herr_t __wrap_sd_hdf5_close(sd_hdf5_channel *channel, hid_t file);
herr_t __wrap_sd_hdf5_close(sd_hdf5_channel *channel, hid_t file) {
  inside--;
  return __real_sd_hdf5_close(channel, file);
}

static sd_plan *plan_of(const char *method) {
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  set(plan, "method", method);
  set_whole(plan, "members", 37);
  set_whole(plan, "steps", 60);
  set_whole(plan, "final", 5);
  set_whole(plan, "threads", 2);
  return plan;
}

typedef struct {
  char path[512];
  const char *method;
  char digest[33];
  int failures;
} worker;

static pthread_barrier_t saving; /* at the same time, as far as that can be had */

static void *work(void *data) {
  worker *w = data;
  for (int i = 0; i < 4; i++) {
    sd_plan *plan = plan_of(w->method);
    sd_result *result, **read = NULL;
    char message[512], *text;
    size_t size, count = 0;
    void *bytes = NULL;
    w->failures += sd_run(plan, &result) != SD_OK;
    const sd_result *const list[] = {result};
    w->failures += sd_results_save(list, 1, w->path, message) != SD_OK;
    pthread_barrier_wait(&saving);
    for (int k = 0; k < 5 && !w->failures; k++) {
      sd_free(bytes);
      w->failures += sd_results_hdf5(list, 1, &bytes, &size, message) != SD_OK;
    }
    w->failures += sd_results_json(list, 1, &text, &size) != SD_OK;
    w->failures += sd_results_read(w->path, &read, &count, message) != SD_OK;
    w->failures += count != 1 || strcmp(sd_result_digest(read[0]), sd_result_digest(result));
    strcpy(w->digest, sd_result_digest(result));
    if (count) sd_result_destroy(read[0]);
    sd_free(read);
    sd_free(text);
    sd_free(bytes);
    sd_result_destroy(result);
    sd_plan_destroy(plan);
  }
  return NULL;
}

/* Each with plans, results and files of its own; the library keeps them apart in HDF5. */
static void test_threads(void **state) {
  (void)state;
  static const char *const methods[] = {"vlv", "eln"};
  worker workers[2] = {0};
  pthread_t thread[2];
  assert_int_equal(pthread_barrier_init(&saving, NULL, 2), 0);
  for (int i = 0; i < 2; i++) {
    workers[i].method = methods[i];
    snprintf(workers[i].path, sizeof workers[i].path, "%.500s.%d", path, i);
    assert_int_equal(pthread_create(&thread[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(thread[i], NULL);
  }
  pthread_barrier_destroy(&saving);
  assert_int_equal(most, 1);
  assert_int_equal(inside, 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(workers[i].failures, 0);
    sd_plan *plan = plan_of(methods[i]);
    sd_result *result;
    assert_int_equal(sd_run(plan, &result), SD_OK);
    assert_string_equal(workers[i].digest, sd_result_digest(result));
    sd_result_destroy(result);
    sd_plan_destroy(plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_threads, make_directory, remove_directory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
