/* test_interruption.c - what an interruption, or a device that fails, leaves behind: whole numbers, and a run that can
 * go on. Linked with --wrap=sd_backend_for, so that the processor can play a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lists.h"

#include "../host/backend.h"
#include "../host/run.h"
#include "../host/snapshot.h"
#include "../host/words.h"
#include "checkpointed.h"

#include <math.h>

/* ---- a device that is played by the processor ---- */

static struct {
  int on;
  const char *call; /* that fails, */
  int skip;         /* after so many that did not, */
  sd_status status; /* with this */
  sd_control control;
  int stop_at_export; /* the flag is set when states are first exported */
  int stop_at_begin;  /* or when the first kernel is run */
  sd_backend device, *processor;
} play;

static sd_status strikes(const char *call, sd_error *error) {
  if (!play.call || strcmp(play.call, call) || play.skip-- > 0) return SD_OK;
  play.call = NULL;
  return sd_fail(error, play.status, "device 0: %s: it was told to", call);
}

static sd_status play_load(sd_backend *self, sd_ensemble *ensemble, int64_t rows, sd_error *error) {
  SD_TRY(strikes("load", error));
  SD_TRY(play.processor->load(play.processor, ensemble, rows, error));
  self->parts = play.processor->parts;
  return SD_OK;
}
static sd_status play_run(sd_backend *self, sd_kernel kernel, const sd_job *job, const sd_control *control,
                          sd_error *error) {
  (void)self;
  if (play.stop_at_begin) sd_control_stop(&play.control);
  SD_TRY(strikes("run", error));
  return play.processor->run(play.processor, kernel, job, control, error);
}
static sd_status play_export(sd_backend *self, const sd_kernels *kernels, const sd_job *job, size_t count,
                             double *exported, sd_error *error) {
  (void)self;
  if (play.stop_at_export) sd_control_stop(&play.control);
  return play.processor->export_states(play.processor, kernels, job, count, exported, error);
}
static sd_status play_store(sd_backend *self, sd_error *error) {
  (void)self;
  return play.processor->store(play.processor, error);
}
static void play_unload(sd_backend *self) {
  (void)self;
  play.processor->unload(play.processor);
}
static void play_destroy(sd_backend *self) {
  (void)self;
  play.processor->destroy(play.processor);
}

sd_status __real_sd_backend_for(sd_backend **backend, const sd_place *place, const sd_specification *spec,
                                char why[256], sd_error *error);
sd_status __wrap_sd_backend_for(sd_backend **backend, const sd_place *place, const sd_specification *spec,
                                char why[256], sd_error *error);
sd_status __wrap_sd_backend_for(sd_backend **backend, const sd_place *place, const sd_specification *spec,
                                char why[256], sd_error *error) {
  if (!play.on) return __real_sd_backend_for(backend, place, spec, why, error);
  SD_TRY(sd_backend_cpu_create(&play.processor, place, error));
  play.device = (sd_backend){.name = "played",
                             .variant = play.processor->variant,
                             .threads = play.processor->threads,
                             .load = play_load,
                             .run = play_run,
                             .export_states = play_export,
                             .store = play_store,
                             .unload = play_unload,
                             .destroy = play_destroy};
  *backend = &play.device;
  return SD_OK;
}

/* ---- interruption ---- */

/* After the last step: what is exported then is whole, and the run is done. */
static void test_stop_while_states_are_exported(void **state) {
  (void)state;
  sd_plan *plan = make_plan("vlv");
  sd_result *wanted, *result;
  set(plan, "trajectories", "0");
  assert_int_equal(run_once(plan, &wanted), SD_OK);
  play.on = play.stop_at_export = 1;
  sd_plan_control(plan, &play.control);
  assert_int_equal(run_once(plan, &result), SD_OK);
  assert_true(sd_control_stopped(&play.control));
  assert_true(sd_result_complete(result));
  assert_string_equal(sd_result_digest(result), sd_result_digest(wanted));
  assert_same_states(&result->finals[0], &wanted->finals[0]);
  sd_result_destroy(wanted);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

/* Trajectories are exported at every sample: the flag, once set, ends the run at the next pause, and the samples are
 * whole. */
static void test_stop_while_bodies_begin(void **state) {
  (void)state;
  sd_plan *plan = make_plan("vlv");
  sd_result *result;
  play.on = play.stop_at_begin = 1;
  sd_plan_control(plan, &play.control);
  assert_int_equal(run_once(plan, &result), SD_INTERRUPTED);
  assert_int_equal(sd_result_count(result), 0);
  const double *Q = trajectory_of(result, 0, 0, 0); /* begun and exported, whatever the flag said */
  double squares = 0;
  for (int i = 0; i < 9; i++) squares += Q[i] * Q[i];
  assert_true(fabs(squares - 3) < 1e-12);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

/* Whether steps were left out is for the backend to say, also when they were the last ones. */
static void test_stop_in_the_only_step(void **state) {
  (void)state;
  sd_plan *plan = make_plan("vlv");
  sd_result *result;
  set(plan, "steps", "1");
  set(plan, "every", "1");
  play.on = play.stop_at_begin = 1;
  sd_plan_control(plan, &play.control);
  assert_int_equal(run_once(plan, &result), SD_INTERRUPTED);
  assert_int_equal(sd_result_count(result), 0);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static int at_the_end_of_a_method(void *data, const sd_report *report) {
  (void)data;
  return report->done == 0.5;
}

/* A wish to stop at the end of a method is not forgotten, nor is the method. */
static void test_stop_between_methods(void **state) {
  (void)state;
  for (int saved = 0; saved < 2; saved++) {
    sd_plan *plan = make_plan("vlv,eln");
    sd_result *result;
    if (saved) set(plan, "checkpoint", path);
    sd_plan_on_progress(plan, at_the_end_of_a_method, NULL);
    assert_int_equal(run_once(plan, &result), SD_INTERRUPTED);
    assert_int_equal(sd_result_count(result), 1);
    assert_false(sd_result_complete(result));
    sd_result_destroy(result);
    sd_plan_destroy(plan);
  }
}

/* ---- a device that fails ---- */

static void check_fallback(const char *call, int skip, sd_status with) {
  char wanted[33];
  sd_plan *plan = make_plan("vlv,eln");
  play.on = 0;
  digest_of(plan, wanted);
  play.on = 1;
  set(plan, "fallback", "cpu");
  play.call = call, play.skip = skip, play.status = with;
  sd_result *result;
  sd_status status = run_once(plan, &result);
  if (status) fail_msg("%s number %d with %d: %s", call, skip, with, sd_plan_message(plan));
  assert_null(play.call); /* it has struck */
  assert_string_equal(sd_result_digest(result), wanted);
  assert_non_null(strstr(result->why, "the processor went on"));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static void test_fallback(void **state) {
  (void)state;
  static const sd_status failures[] = {SD_DEVICE, SD_NO_MEMORY};
  for (int i = 0; i < 2; i++) {
    check_fallback("load", 0, failures[i]);
    check_fallback("load", 1, failures[i]);
    check_fallback("run", 0, failures[i]);
    check_fallback("run", 2, failures[i]);
  }
}

static void test_no_fallback(void **state) {
  (void)state;
  static const sd_status failures[] = {SD_DEVICE, SD_NO_MEMORY};
  for (int i = 0; i < 2; i++) {
    sd_plan *plan = make_plan("vlv");
    sd_result *result;
    play.on = 1;
    play.call = "run", play.skip = 1, play.status = failures[i];
    assert_int_equal(sd_run(plan, &result), failures[i]);
    assert_non_null(strstr(sd_plan_message(plan), "device 0: run"));
    assert_null(result);
    sd_plan_destroy(plan);
  }
}

static int64_t steps_saved(void) {
  sd_checkpoint *file;
  sd_block block;
  sd_error error = {0};
  int used;
  assert_int_equal(sd_checkpoint_load(path, &file, &used, &error), SD_OK);
  assert_int_equal(sd_checkpoint_find(file, "position", &block, &error), SD_OK);
  const unsigned char *from = (const unsigned char *)block.data + 8;
  int64_t saved = (int64_t)sd_get_word(&from);
  sd_checkpoint_destroy(file);
  return saved;
}

/* With a checkpoint the processor, too, does whole chunks: what it leaves is gone on from to the same digest. */
static void test_fallback_then_stop(void **state) {
  (void)state;
  char wanted[33], digest[33];
  sd_plan *plan = make_plan("vlv");
  set(plan, "bodies", "300"); /* several blocks, some of which a flag could leave out */
  digest_of(plan, wanted);
  set(plan, "fallback", "cpu");
  set(plan, "checkpoint", path);
  play.on = play.stop_at_begin = 1; /* the device fails at once, and the flag is set by then */
  play.call = "run", play.skip = 0, play.status = SD_DEVICE;
  play.control = (sd_control){0};
  sd_plan_control(plan, &play.control);
  sd_result *result;
  assert_int_equal(run_once(plan, &result), SD_INTERRUPTED);
  sd_result_destroy(result);
  assert_null(play.call);
  assert_true(steps_saved() >= 1);
  play.on = 0;
  play.control = (sd_control){0};
  digest_of(plan, digest);
  assert_string_equal(digest, wanted);
  sd_plan_destroy(plan);
}

/* A run that goes on from a checkpoint, and then falls back, does so from the checkpoint, not from the beginning. */
static int64_t least_done;
static int note_least(void *data, const sd_report *report) {
  (void)data;
  int64_t part = (int64_t)(report->done * 60 + 0.5);
  if (part < least_done) least_done = part;
  return 0;
}

static void test_fallback_from_a_checkpoint(void **state) {
  (void)state;
  char wanted[33];
  sd_plan *plan = make_plan("vlv");
  digest_of(plan, wanted);
  leave_checkpoint(plan, 0.1);
  int64_t saved = steps_saved();
  assert_true(saved > 2);
  set(plan, "fallback", "cpu");
  play.on = 1;
  play.call = "run", play.skip = 0, play.status = SD_DEVICE;
  least_done = 1000;
  sd_plan_on_progress(plan, note_least, NULL);
  sd_result *result;
  assert_int_equal(run_once(plan, &result), SD_OK);
  assert_string_equal(sd_result_digest(result), wanted);
  assert_true(least_done > saved);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

static int set_up(void **state) {
  memset(&play, 0, sizeof play);
  return make_directory(state);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, remove_directory)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_stop_while_states_are_exported),
                                     TEST(test_stop_while_bodies_begin),
                                     TEST(test_stop_in_the_only_step),
                                     TEST(test_stop_between_methods),
                                     TEST(test_fallback),
                                     TEST(test_no_fallback),
                                     TEST(test_fallback_then_stop),
                                     TEST(test_fallback_from_a_checkpoint)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
