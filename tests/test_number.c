/* test_number.c - numbers from text and to text: every digit of the whole ones; and all of it, from options to files,
 * in a process whose locale writes 0,5 for 0.5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/config.h"
#include "../host/number.h"
#include "../host/plan.h"
#include "../host/plan_text.h"
#include "leaks_of_locales.h"
#include "settings.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- whole numbers ---- */

static void test_whole(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t value;
  } good[] = {{"0", 0},
              {"-0", 0},
              {"+7", 7},
              {"010", 10},
              {"0009", 9},
              {" 5", 5},
              {"1e6", 1000000},
              {"1E+3", 1000},
              {"1.5e3", 1500},
              {"12.50e1", 125},
              {"100e-2", 1},
              {"7.000", 7},
              {"5.", 5},
              {"0e999999999999", 0},
              {"0.0e-5", 0},
              {"0x10", 16},
              {"0XfF", 255},
              {"9007199254740993", 9007199254740993},
              {"9.007199254740993e15", 9007199254740993},
              {"18446744073709551615", UINT64_MAX},
              {"18446744073709551615.000", UINT64_MAX},
              {"1844674407370955161.5e1", UINT64_MAX},
              {"0xffffffffffffffff", UINT64_MAX},
              {"000000000000000000000000000000000000001", 1},
              {"1e19", 10000000000000000000u}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    uint64_t value = 99;
    sd_wholeness found = sd_whole_from(good[i].text, &value);
    if (found != SD_WHOLE || value != good[i].value)
      fail_msg("'%s': %d, %llu", good[i].text, found, (unsigned long long)value);
  }
}

static void test_not_whole(void **state) {
  (void)state;
  static const struct {
    const char *text;
    sd_wholeness found;
  } bad[] = {{"", SD_NOT_A_NUMBER},
             {"-", SD_NOT_A_NUMBER},
             {".", SD_NOT_A_NUMBER},
             {"e5", SD_NOT_A_NUMBER},
             {"1e", SD_NOT_A_NUMBER},
             {"1e+", SD_NOT_A_NUMBER},
             {"1.2.3", SD_NOT_A_NUMBER},
             {"0x", SD_NOT_A_NUMBER},
             {"0xg", SD_NOT_A_NUMBER},
             {"0x1p4", SD_NOT_A_NUMBER},
             {"1,5", SD_NOT_A_NUMBER},
             {"nan", SD_NOT_A_NUMBER},
             {"inf", SD_NOT_A_NUMBER},
             {"1 2", SD_NOT_A_NUMBER},
             {"--1", SD_NOT_A_NUMBER},
             {"5x", SD_NOT_A_NUMBER},
             {"1.5", SD_NOT_WHOLE},
             {"1e-1", SD_NOT_WHOLE},
             {"15e-1", SD_NOT_WHOLE},
             {"1e-999999999999", SD_NOT_WHOLE},
             {"-1.5", SD_NOT_WHOLE},
             {"9007199254740993.5", SD_NOT_WHOLE},
             {"-1", SD_BEYOND},
             {"-0x1", SD_BEYOND},
             {"18446744073709551616", SD_BEYOND},
             {"18446744073709551620", SD_BEYOND},
             {"1e20", SD_BEYOND},
             {"1e999999999999", SD_BEYOND},
             {"0x10000000000000000", SD_BEYOND},
             {"99999999999999999999999", SD_BEYOND}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t value;
    sd_wholeness found = sd_whole_from(bad[i].text, &value);
    if (found != bad[i].found) fail_msg("'%s': %d, expected %d", bad[i].text, found, bad[i].found);
  }
}

/* ---- a locale with commas ---- */

static char directory[] = "/tmp/spindrift-number-XXXXXX";

static const char *in_directory(const char *name) {
  static char path[4][128];
  static int next;
  char *one = path[next++ % 4];
  snprintf(one, sizeof *path, "%s/%s", directory, name);
  return one;
}

/* One that is installed, or one made for the purpose. */
static int enter_comma_locale(void) {
  static const char *const known[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (setlocale(LC_ALL, known[i])) return *localeconv()->decimal_point == ',';
  char command[256];
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s >/dev/null 2>&1", in_directory("de_DE.UTF-8"));
  if (system(command) == -1) return 0; /* its warnings make it fail where it has done what was asked */
  setenv("LOCPATH", directory, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
}

static int make_directory(void **state) {
  (void)state;
  return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state) {
  (void)state;
  char command[128];
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -rf %s", directory);
  return system(command);
}

/* All that comes of one plan: texts that must not depend on the locale. */
typedef struct {
  char digest[33], *plan, *json, *table, message[512];
} story;

static int stop_at_once(void *data, const sd_report *report) {
  (void)report;
  return ++*(int *)data == 2;
}

static char *contents(FILE *file) {
  static const size_t most = 1 << 20;
  char *text = calloc(1, most);
  assert_non_null(text);
  rewind(file);
  assert_true(fread(text, 1, most - 1, file) > 0);
  fclose(file);
  return text;
}

/* Times differ from run to run. */
static void without_times(char *text, const char *key) {
  for (char *at = text; (at = strstr(at, key));) {
    at += strlen(key);
    memmove(at, at + strcspn(at, "\n"), strlen(at + strcspn(at, "\n")) + 1);
  }
}

static void configure(sd_plan *plan, const char *checkpoint) {
  set(plan, "problem", "orbit-elliptic");
  set(plan, "method", "verlet,rk4");
  set(plan, "step", "10.5");
  set(plan, "time", "31500");
  set(plan, "bodies", "5");
  set(plan, "final", "2");
  set(plan, "sigma-position", "0.25");
  set(plan, "param", "drag=1.5e-6");
  set(plan, "impulse", "t=33.5,dv=0.01,0.02,-0.01,size=0.1,angle=0.1");
  set(plan, "checkpoint", checkpoint);
}

/* Interrupted, then gone on with from the checkpoint, whose plan must agree with the options to the last bit. */
static story tell(const char *checkpoint) {
  story s = {0};
  sd_plan *plan;
  sd_result *result;
  int calls = 0;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  configure(plan, checkpoint);
  sd_plan_on_progress(plan, stop_at_once, &calls);
  assert_int_equal(sd_run(plan, &result), SD_INTERRUPTED);
  sd_result_destroy(result);
  sd_plan_on_progress(plan, NULL, NULL);
  if (sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  assert_non_null(strstr(sd_result_note(result), checkpoint)); /* it did go on from there */
  strcpy(s.digest, sd_result_digest(result));
  s.plan = sd_specification_text(plan->specification, (size_t)plan->specification->method_count);
  FILE *json = tmpfile(), *table = tmpfile();
  assert_true(json && table);
  assert_int_equal(sd_result_write_json(result, json), SD_OK);
  assert_int_equal(sd_result_write_table(result, table), SD_OK);
  s.json = contents(json);
  s.table = contents(table);
  without_times(s.json, "seconds\":");
  without_times(s.json, "ns_per_body_step\":");
  sd_result_destroy(result);
  assert_int_equal(sd_plan_set(plan, "param", "drag=-1.5"), SD_OK);
  assert_int_equal(sd_run(plan, &result), SD_BAD_INPUT);
  strcpy(s.message, sd_plan_message(plan));
  sd_plan_destroy(plan);
  return s;
}

static void forget(story *s) {
  free(s->plan);
  free(s->json);
  free(s->table);
}

/* The last column is a time. */
static void compare_tables(const char *a, const char *b) {
  for (; *a && *b; a += strcspn(a, "\n") + 1, b += strcspn(b, "\n") + 1) {
    size_t length = strcspn(a, "\n");
    if (strncmp(a, b, length < 80 ? length : 80)) fail_msg("%.100s\n%.100s", a, b);
  }
}

static void test_a_run(void **state) {
  (void)state;
  story plain = tell(in_directory("plain.ckpt"));
  if (!enter_comma_locale()) {
    forget(&plain);
    print_message("no locale with a comma is installed and localedef made none: not tested\n");
    skip();
  }
  char probe[16];
  snprintf(probe, sizeof probe, "%.1f", 0.5);
  assert_string_equal(probe, "0,5"); /* the locale is in force */
  story comma = tell(in_directory("comma.ckpt"));
  snprintf(probe, sizeof probe, "%.1f", 0.5);
  assert_string_equal(probe, "0,5"); /* and still is */
  setlocale(LC_ALL, "C");
  assert_string_equal(plain.digest, comma.digest);
  assert_string_equal(plain.plan, comma.plan);
  assert_string_equal(plain.json, comma.json);
  assert_string_equal(plain.message, comma.message);
  compare_tables(plain.table, comma.table);
  forget(&plain);
  forget(&comma);
}

/* A plan that one locale wrote is read in the other. */
static void test_a_plan_as_text(void **state) {
  (void)state;
  sd_plan *plan, *again;
  sd_error error = {0};
  if (!enter_comma_locale()) skip();
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  configure(plan, in_directory("text.ckpt"));
  assert_int_equal(sd_plan_resolve(plan), SD_OK);
  char *text = sd_specification_text(plan->specification, (size_t)plan->specification->method_count);
  setlocale(LC_ALL, "C");
  if (sd_plan_from_text("it", text, &again, &error)) fail_msg("%s", error.message);
  assert_int_equal(sd_plan_resolve(again), SD_OK);
  const sd_specification *spec = again->specification;
  assert_true(spec->h == 10.5 && spec->sigma[0] == 0.25 && spec->impulse[0].time == 33.5);
  free(text);
  sd_plan_destroy(plan);
  sd_plan_destroy(again);
}

static void test_a_study(void **state) {
  (void)state;
  sd_study study;
  sd_error error = {0};
  if (!enter_comma_locale()) skip();
  FILE *file = fopen(in_directory("study.toml"), "w");
  assert_non_null(file);
  fputs("step = [0.125, 1e-3]\nparam.J = [1.5, 2.25, 3]\n", file);
  assert_int_equal(fclose(file), 0);
  sd_status status = sd_study_read(&study, in_directory("study.toml"), &error);
  setlocale(LC_ALL, "C");
  if (status) fail_msg("%s", error.message);
  assert_int_equal(study.count, 2);
  assert_string_equal(study.run[0].setting[0].value, "0.125");
  assert_string_equal(study.run[1].setting[0].value, "0.001");
  assert_string_equal(study.run[0].setting[1].value, "J=1.5,2.25,3");
  sd_study_destroy(&study);
}

/* A thread that has a locale of its own keeps it. */
static void *with_its_own_locale(void *data) {
  char text[32], probe[16];
  locale_t own = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
  locale_t before = uselocale(own);
  int right = own != (locale_t)0;
  for (int i = 0; i < 1000 && right; i++) {
    double value = i + 0.5;
    right = sd_real_from(sd_real_text(value, 6, text), NULL) == value && !strchr(text, ',') &&
            uselocale((locale_t)0) == own;
    snprintf(probe, sizeof probe, "%.1f", value);
    right = right && strchr(probe, ',');
  }
  uselocale(before);
  if (own) freelocale(own);
  *(int *)data = right;
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t thread[THREADS];
  int right[THREADS] = {0};
  if (!enter_comma_locale()) skip();
  setlocale(LC_ALL, "C");
  locale_t german = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
  if (!german) skip(); /* another one is installed */
  freelocale(german);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, with_its_own_locale, &right[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) assert_true(right[i]);
  char probe[16];
  snprintf(probe, sizeof probe, "%.1f", 0.5);
  assert_string_equal(probe, "0.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole),   cmocka_unit_test(test_not_whole),
                                     cmocka_unit_test(test_a_run),   cmocka_unit_test(test_a_plan_as_text),
                                     cmocka_unit_test(test_a_study), cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
