/* test_config.c - study files: what they say, where they say it, and that a plan takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/plan.h"
#include "studies.h"

#include <float.h>

static void test_every_key(void **state) {
  (void)state;
  sd_study study = good(full);
  assert_int_equal(study.count, 6);
  static const struct {
    const char *key, *value;
    int line;
  } same[] = {{"method", "eln,vlv@4,rk4,rk2", 8},
              {"bodies", "1000000", 10},
              {"sigma-attitude", "0.1", 11},
              {"sigma-velocity", "1", 12},
              {"seed", "9223372036854775807", 13},
              {"steps", "1000", 17},
              {"every", "10", 18},
              {"threads", "2", 19},
              {"isa", "auto", 20},
              {"backend", "cpu", 21},
              {"final", "3", 22},
              {"trajectories", "4", 23}};
  for (size_t r = 0; r < study.count; r++) {
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
      expect(find(&study.run[r], same[i].key), same[i].value, same[i].line);
    expect(find_parameter(&study.run[r], "attitude"), "attitude=1,2,3", 27);
    assert_null(find(&study.run[r], "title"));
    assert_null(find(&study.run[r], "time"));
    for (size_t i = 0; i < study.run[r].count; i++) /* each key once, but param */
      assert_true(!strcmp(study.run[r].setting[i].key, "param") ||
                  find(&study.run[r], study.run[r].setting[i].key) == &study.run[r].setting[i]);
  }
  sd_study_destroy(&study);
  assert_null(study.run);
  sd_study_destroy(&study); /* again: nothing left to free */
}

static void test_product(void **state) {
  (void)state;
  sd_study study = good(full);
  static const char *const problem[] = {"stress", "free"}, *const step[] = {"0.25", "0.125", "1"};
  for (size_t i = 0; i < 6; i++) {
    expect(find(&study.run[i], "problem"), problem[i / 3], (int)(6 + i / 3));
    expect(find(&study.run[i], "step"), step[i % 3], (int)(14 + i % 3));
  }
  sd_study_destroy(&study);
}

static void test_parameters_of_one_problem(void **state) {
  (void)state;
  sd_study study = good(full);
  expect(find_parameter(&study.run[0], "J"), "J=1,1,1.5", 31);
  expect(find_parameter(&study.run[0], "alpha"), "alpha=0.3", 30);
  expect(find_parameter(&study.run[3], "J"), "J=2,2.5,4", 26);
  assert_null(find_parameter(&study.run[3], "alpha"));
  assert_int_equal(study.run[0].count, study.run[3].count + 1);
  sd_study_destroy(&study);
  /* the same in other words */
  study = good("problem = 'stress'\nparam.J = 7\nparam.stress = { alpha = 1, J = 8 }\nparam.rtol = 1e-3");
  assert_int_equal(study.count, 1);
  expect(find_parameter(&study.run[0], "J"), "J=8", 3);
  expect(find_parameter(&study.run[0], "alpha"), "alpha=1", 3);
  expect(find_parameter(&study.run[0], "rtol"), "rtol=0.001", 4);
  sd_study_destroy(&study);
}

static void test_default_study(void **state) {
  (void)state;
  static const char *const empty[] = {"",
                                      "\n\n",
                                      "# nothing",
                                      "title = 'only a title'",
                                      "[param]\n",
                                      "\xEF\xBB\xBF", /* a byte order mark */
                                      "# \xC3\xA9\ntitle = \"\xC3\xA9\"",
                                      "description = \"\"\"\\\n \xC3\xA9 '.................\"\"\"\"\""};
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    sd_study study = good(empty[i]);
    assert_int_equal(study.count, 1);
    assert_int_equal(study.run[0].count, 0);
    sd_study_destroy(&study);
  }
}

static void test_one_value_or_an_array(void **state) {
  (void)state;
  static const char *const texts[] = {"problem = 'free'\nmethod = 'vlv'\nstep = 0.5",
                                      "problem = ['free']\nmethod = ['vlv']\nstep = [0.5]",
                                      "problem = 'free'\r\nmethod = [ 'vlv', ]\r\nstep = 5e-1\r\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    sd_study study = good(texts[i]);
    assert_int_equal(study.count, 1);
    assert_int_equal(study.run[0].count, 3);
    expect(find(&study.run[0], "problem"), "free", 1);
    expect(find(&study.run[0], "method"), "vlv", 2);
    expect(find(&study.run[0], "step"), "0.5", 3);
    sd_study_destroy(&study);
  }
}

static void test_seeds(void **state) {
  (void)state;
  static const char *const seeds[][2] = {{"seed = 0", "0"},
                                         {"seed = 9223372036854775807", "9223372036854775807"},
                                         {"seed = 0xff", "255"},
                                         {"seed = -1", "-1"}, /* for sd_plan_set to refuse */
                                         {"seed = '0xffffffffffffffff'", "0xffffffffffffffff"}};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    sd_study study = good(seeds[i][0]);
    expect(find(&study.run[0], "seed"), seeds[i][1], 1);
    sd_study_destroy(&study);
  }
}

/* A whole number may be written as a float; what is no whole number is for sd_plan_set to refuse. */
static void test_whole_numbers(void **state) {
  (void)state;
  static const char *const bodies[][2] = {
      {"1000", "1000"}, {"1e6", "1000000"}, {"1_000.0", "1000"}, {"1e9", "1000000000"}, {"1.5", "1.5"}};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char text[64];
    snprintf(text, sizeof text, "bodies = %s\n", bodies[i][0]);
    sd_study study = good(text);
    expect(find(&study.run[0], "bodies"), bodies[i][1], 1);
    sd_study_destroy(&study);
  }
}

/* ---- letters come through ---- */

#define E_ACUTE "\xC3\xA9"
#define LESS_OR_EQUAL "\xE2\x89\xA4"
#define WAVE "\xF0\x9F\x8C\x8A"
#define NO_BREAK_SPACE "\xC2\xA0"

static void test_letters(void **state) {
  (void)state;
  static const char *const output[][2] = {{"\"" E_ACUTE LESS_OR_EQUAL WAVE ".h5\"", E_ACUTE LESS_OR_EQUAL WAVE ".h5"},
                                          {"'" E_ACUTE LESS_OR_EQUAL WAVE ".h5'", E_ACUTE LESS_OR_EQUAL WAVE ".h5"},
                                          {"\"\\u00e9\\U0001F30A\"", E_ACUTE WAVE},
                                          {"\"\\\\" E_ACUTE "\\\"\"", "\\" E_ACUTE "\""},
                                          {"'\\" E_ACUTE "\"\\u00e9'", "\\" E_ACUTE "\"\\u00e9"},
                                          {"\"\"\"\n" E_ACUTE "\"\"b\"\"\"", E_ACUTE "\"\"b"},
                                          {"'''\n" E_ACUTE "''\"\"\"'''", E_ACUTE "''\"\"\""},
                                          {"'''" E_ACUTE "'''''", E_ACUTE "''"},
                                          {"\"\"\"" E_ACUTE "\"\"\"\"\"", E_ACUTE "\"\""},
                                          {"\"\"\"a\\\n  " NO_BREAK_SPACE E_ACUTE "\"\"\"",
                                           "a" NO_BREAK_SPACE E_ACUTE}, /* TOML skips spaces of ASCII alone */
                                          {"\"?" E_ACUTE "?\" # " E_ACUTE " '", "?" E_ACUTE "?"}};
  for (size_t i = 0; i < sizeof output / sizeof *output; i++) {
    char text[128];
    int lines = 3;
    for (const char *c = output[i][0]; *c; c++) lines += *c == '\n';
    snprintf(text, sizeof text, "# " E_ACUTE "\noutput = %s\nbodies = 3", output[i][0]);
    sd_study study = good(text);
    expect(find(&study.run[0], "output"), output[i][1], 2);
    expect(find(&study.run[0], "bodies"), "3", lines);
    sd_study_destroy(&study);
  }
}

static void spell(unsigned code, char letter[5]) {
  int at = 0;
  memset(letter, 0, 5);
  if (code < 0x800) letter[at++] = (char)(0xC0 | code >> 6);
  else if (code < 0x10000) letter[at++] = (char)(0xE0 | code >> 12);
  else letter[at++] = (char)(0xF0 | code >> 18), letter[at++] = (char)(0x80 | (code >> 12 & 63));
  if (code >= 0x800) letter[at++] = (char)(0x80 | (code >> 6 & 63));
  letter[at] = (char)(0x80 | (code & 63));
}

/* Letters of all parts of Unicode, many to a string: their own bytes again. */
static void test_many_letters(void **state) {
  (void)state;
  enum { MANY = 200 };
  char letter[5], letters[4 * MANY + 1] = "", text[sizeof letters + 32];
  int count = 0;
  for (unsigned code = 0xA0; code < 0x110000; code += code < 0x3000 ? 1 : 61) {
    if (code < 0xD800 || code >= 0xE000) {
      spell(code, letter);
      strcat(letters, letter);
      if (++count < MANY) continue;
    }
    snprintf(text, sizeof text, "checkpoint = '%s'\n", letters);
    sd_study study = good(text);
    expect(find(&study.run[0], "checkpoint"), letters, 1);
    sd_study_destroy(&study);
    strcpy(letters, "x"), count = 1;
  }
}

/* Terminals listen to these as they do to those of ASCII. */
static void test_control_letters(void **state) {
  (void)state;
  for (unsigned code = 0x80; code < 0xA0; code++) {
    char letter[5], text[64];
    spell(code, letter);
    snprintf(text, sizeof text, "checkpoint = '%s'\n", letter);
    bad(text, ":1: checkpoint: a control character in the string");
  }
}

static void test_bytes_that_are_no_letters(void **state) {
  (void)state;
  bad("# Latin \xE9\n", ":1: the byte 0xE9 is not UTF-8");
  bad("bodies = 1\n\noutput = 'caf\xE9'", ":3: the byte 0xE9 is not UTF-8");
  bad("output = \"\xC3\"", ":1: the byte 0xC3 is not UTF-8");
  bad("output = '\xA9'", ":1: the byte 0xA9 is not UTF-8");
  bad("output = '\xC0\xAF'", ":1: the byte 0xC0 is not UTF-8");         /* a slash, spelt too long */
  bad("output = '\xE0\x9F\xBF'", ":1: the byte 0xE0 is not UTF-8");     /* too long */
  bad("output = '\xF0\x8F\xBF\xBF'", ":1: the byte 0xF0 is not UTF-8"); /* too long */
  bad("output = '\xED\xA0\x80'", ":1: the byte 0xED is not UTF-8");     /* half of a pair */
  bad("output = '\xF4\x90\x80\x80'", ":1: the byte 0xF4 is not UTF-8"); /* beyond the last letter */
  bad("output = '\xF8\x88\x80\x80\x80'", ":1: the byte 0xF8 is not UTF-8");
  bad("output = '\xE2\x89", ":1: the byte 0xE2 is not UTF-8"); /* the file ends */
  bad("output = \"a\\" E_ACUTE "\"", ":1: a backslash before a letter that is not ASCII");
  bad("\noutput = \"" E_ACUTE, ":2: Error while parsing string");
  bad("output = '" E_ACUTE "\n'", ":1: Error while parsing");
  bad("output = \"\\u0085\"", ":1: output: a control character in the string");
}

/* ---- numbers keep their bits ---- */

static void check_round_trip(const double v[4]) {
  char text[256], *end;
  snprintf(text, sizeof text, "step = %.17e\n[param]\nJ = [%.17e, %.17e, %.17e]\n", v[0], v[1], v[2], v[3]);
  sd_study study = good(text);
  double step = strtod(find(&study.run[0], "step")->value, NULL);
  assert_memory_equal(&step, &v[0], sizeof step);
  const char *at = find_parameter(&study.run[0], "J")->value + 1;
  for (int i = 1; i < 4; i++) {
    assert_int_equal(*at, i == 1 ? '=' : ',');
    double value = strtod(at + 1, &end);
    assert_memory_equal(&value, &v[i], sizeof value);
    at = end;
  }
  assert_int_equal(*at, 0);
  sd_study_destroy(&study);
}

static void test_exact_numbers(void **state) {
  (void)state;
  static const double edge[] = {0.1,
                                1.0 / 3,
                                0.0,
                                -0.0,
                                DBL_MAX,
                                -DBL_MAX,
                                DBL_MIN,
                                4.9e-324,
                                1e22,
                                1e23,
                                9007199254740992.0,
                                5e-324 * 3,
                                1 + DBL_EPSILON,
                                0.3,
                                1.7767e-300,
                                123456789.123456789};
  for (size_t i = 0; i + 4 <= sizeof edge / sizeof *edge; i++) check_round_trip(&edge[i]);
  for (int i = 0; i < 500; i++) {
    double v[4];
    for (int k = 0; k < 4; k++) {
      uint64_t bits = random_bits();
      if ((bits >> 52 & 2047) == 2047) bits ^= UINT64_C(1) << 62;
      memcpy(&v[k], &bits, sizeof bits);
    }
    check_round_trip(v);
  }
}

/* Whole numbers are not turned into floats on the way. */
static void test_short_numbers(void **state) {
  (void)state;
  sd_study study = good("step = [0.1, 0.125, 1e-3, 2]\ntime = 9007199254740993");
  static const char *const steps[] = {"0.1", "0.125", "0.001", "2"};
  for (int i = 0; i < 4; i++) expect(find(&study.run[i], "step"), steps[i], 1);
  expect(find(&study.run[0], "time"), "9007199254740993", 2);
  sd_study_destroy(&study);
}

/* ---- the plan takes what a study gives ---- */

static void check_plans(const sd_study *study) {
  for (size_t r = 0; r < study->count; r++) {
    sd_plan *plan;
    assert_int_equal(sd_plan_create(&plan), SD_OK);
    sd_status status = SD_OK;
    for (size_t i = 0; i < study->run[r].count && !status; i++)
      status = sd_plan_set(plan, study->run[r].setting[i].key, study->run[r].setting[i].value);
    if (!status) status = sd_plan_resolve(plan);
    if (status) fail_msg("run %zu: %s", r, sd_plan_message(plan));
    sd_plan_destroy(plan);
  }
}

static void test_plan_takes_it(void **state) {
  (void)state;
  sd_study study = good(full);
  check_plans(&study);
  sd_study_destroy(&study);
}

static void test_examples(void **state) {
  (void)state;
  static const struct {
    const char *path;
    size_t runs;
  } example[] = {{GOLDEN "/../../studies/drift.toml", 2},
                 {GOLDEN "/../../studies/tops.toml", 2},
                 {GOLDEN "/../../studies/compositions.toml", 5},
                 {GOLDEN "/../../studies/impulses.toml", 1}};
  for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
    sd_study study;
    sd_error error = {0};
    if (sd_study_read(&study, example[i].path, &error)) fail_msg("%s", error.message);
    assert_int_equal(study.count, example[i].runs);
    check_plans(&study);
    sd_study_destroy(&study);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_key),
      cmocka_unit_test(test_product),
      cmocka_unit_test(test_parameters_of_one_problem),
      cmocka_unit_test(test_default_study),
      cmocka_unit_test(test_one_value_or_an_array),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_whole_numbers),
      cmocka_unit_test(test_letters),
      cmocka_unit_test(test_many_letters),
      cmocka_unit_test(test_control_letters),
      cmocka_unit_test(test_bytes_that_are_no_letters),
      cmocka_unit_test(test_exact_numbers),
      cmocka_unit_test(test_short_numbers),
      cmocka_unit_test(test_plan_takes_it),
      cmocka_unit_test(test_examples),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
