/* test_config.c - study files: what they say, where they say it, and every way to get them wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/config.h"
#include "../host/plan.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

static char directory[64], path[96];

static int make_directory(void **state) {
  (void)state;
  strcpy(directory, "/tmp/spindrift-config-XXXXXX");
  if (!mkdtemp(directory)) return -1;
  snprintf(path, sizeof path, "%s/study.toml", directory);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  unlink(path);
  return rmdir(directory);
}

static void write_bytes(const char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static sd_status read_bytes(sd_study *study, const char *bytes, size_t length, sd_error *error) {
  *error = (sd_error){0};
  write_bytes(bytes, length);
  return sd_study_read(study, path, error);
}

/* A study that must be right. */
static sd_study good(const char *text) {
  sd_study study;
  sd_error error;
  if (read_bytes(&study, text, strlen(text), &error)) fail_msg("%s\nin\n%s", error.message, text);
  assert_string_equal(error.message, "");
  return study;
}

/* A study that must be refused: the message is "PATH" and then what `says` says, in one line. */
static void bad_bytes(const char *text, size_t length, const char *says) {
  sd_study study;
  sd_error error;
  sd_status status = read_bytes(&study, text, length, &error);
  size_t head = strlen(path);
  if (status != SD_BAD_INPUT || error.status != status || strncmp(error.message, path, head) ||
      strncmp(error.message + head, says, strlen(says)) || strchr(error.message, '\n'))
    fail_msg("status %d, message '%s', expected '...%s', of\n%.200s", status, error.message, says, text);
  assert_null(study.run);
  assert_int_equal(study.count, 0);
  sd_study_destroy(&study);
}

static void bad(const char *text, const char *says) {
  bad_bytes(text, strlen(text), says);
}

static const sd_setting *find(const sd_study_run *run, const char *key) {
  for (size_t i = 0; i < run->count; i++)
    if (!strcmp(run->setting[i].key, key)) return &run->setting[i];
  return NULL;
}

/* The setting of NAME=... among the parameters. */
static const sd_setting *find_parameter(const sd_study_run *run, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < run->count; i++) {
    const char *value = run->setting[i].value;
    if (!strcmp(run->setting[i].key, "param") && !strncmp(value, name, length) && value[length] == '=')
      return &run->setting[i];
  }
  return NULL;
}

static void expect(const sd_setting *setting, const char *value, int line) {
  assert_non_null(setting);
  assert_string_equal(setting->value, value);
  assert_int_equal(setting->line, line);
}

/* ---- what a study says ---- */

static const char *const full = "# everything: h \xE2\x89\xA4 1/4\n"
                                "title = \"all \xC3\xA9 keys\"\n"
                                "description = \"\"\"\n"
                                "  two lines, \xC3\xA9 and dots ....................................\n"
                                "\"\"\"\n"
                                "problem = [\"stress\",\n"
                                "           'free']\n"
                                "method = [\"eln\", \"vlv@4\",\n"
                                "  \"rk4,rk2\"]\n"
                                "bodies = 1e6\n"
                                "sigma-attitude = 0.1\n"
                                "sigma_velocity = 1\n"
                                "seed = 0x7fffffffffffffff\n"
                                "step = [0.25, # coarse\n"
                                "        0.125,\n"
                                "        1]\n"
                                "steps = 1_000\n"
                                "every = 10\n"
                                "threads = 2\n"
                                "isa = \"auto\"\n"
                                "backend = \"cpu\"\n"
                                "final = 3\n"
                                "trajectories = 4\n"
                                "\n"
                                "[param]\n"
                                "J = [2, 2.5, 4]\n"
                                "attitude = [1,\n"
                                "  2, 3]\n"
                                "[param.stress]\n"
                                "alpha = 0.3\n"
                                "J = [1, 1, 1.5]\n";

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

static uint64_t random_state = 1;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

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

/* ---- mistakes ---- */

static void test_unknown_names(void **state) {
  (void)state;
  bad("\n\n\n\n\n\nbodeis = 3\n", ":7: bodeis: unknown key; did you mean 'bodies'?");
  bad("sigma_atitude = 1", ":1: sigma_atitude: unknown key; did you mean 'sigma-attitude'?");
  bad("bodies = 1\n[params]\nJ = 1", ":2: params: unknown key; did you mean 'param'?");
  bad("titl = 'x'", ":1: titl: unknown key; did you mean 'title'?");
  bad("Step = 0.1", ":1: Step: unknown key; did you mean 'step'?");
  bad("stress.J = 1", ":1: stress: unknown key; did you mean");
  bad("bodies = 1\njson = true", ":2: json: not for a study; give --json with the command");
  bad("[param]\nalhpa = 1", ":2: param.alhpa: unknown parameter; did you mean 'alpha'?");
  bad("[param]\n\"J=1,J\" = 1", ":2: param.J=1,J: unknown parameter; did you mean 'mu1'?");
  bad("problem = 'free'\n[param.free]\nalpha = 1", ":3: param.free.alpha: unknown parameter; did you mean");
  bad("[param.stres]\nalpha = 1", ":1: param.stres: unknown problem; did you mean 'stress'?");
  bad("problem = 'free'\n[param.stress]\nJ = 1", ":2: param.stress: 'problem' does not name stress");
  bad("[param.stress]\n", ":1: param.stress: 'problem' does not name stress");
  /* the first mistake in the file, not in the alphabet */
  bad("zzz = 1\naaa = 1", ":1: zzz: unknown key");
}

static void test_wrong_types(void **state) {
  (void)state;
  bad("bodies=1\nstep = '0.1'", ":2: step: expected a number or an array of numbers, found a string");
  bad("step = [0.1,\n'0.1']", ":2: step: expected a number or an array of numbers, found a string");
  bad("step = true", ":1: step: expected a number or an array of numbers, found a boolean");
  bad("step = 2020-01-01", ":1: step: expected a number or an array of numbers, found a date");
  bad("step = 12:00:00", ":1: step: expected a number or an array of numbers, found a time of day");
  bad("time = 2020-01-01T00:00:00Z", ":1: time: expected a number, found a date and time");
  bad("time = [1]", ":1: time: expected a number, found an array");
  bad("problem = 1", ":1: problem: expected a string or an array of strings, found a whole number");
  bad("problem = ['stress', 1.5]", ":1: problem: expected a string or an array of strings, found a floating-point");
  bad("[[problem]]\nid = 1", ":1: problem: expected a string or an array of strings, found a table");
  bad("[step]\nh = 1", ":1: step: expected a number or an array of numbers, found a table");
  bad("method = false", ":1: method: expected a string or an array of strings, found a boolean");
  bad("bodies = '10'", ":1: bodies: expected a whole number, found a string");
  bad("bodies = [10]", ":1: bodies: expected a whole number, found an array");
  bad("seed = 1.0", ":1: seed: expected a whole number or a string, found a floating-point number");
  bad("sigma_attitude = '1'", ":1: sigma_attitude: expected a number, found a string");
  bad("isa = 2", ":1: isa: expected a string, found a whole number");
  bad("isa = ['scalar']", ":1: isa: expected a string, found an array");
  bad("title = 3", ":1: title: expected a string, found a whole number");
  bad("description = ['a']", ":1: description: expected a string, found an array");
  bad("param = 3", ":1: param: expected a table of parameters, found a whole number");
  bad("[[param]]\nJ = 3", ":1: param: expected a table of parameters, found an array");
  bad("[param]\nstress = 3", ":2: param.stress: expected a table of parameters, found a whole number");
  bad("[param]\nJ = 'x'", ":2: param.J: expected a number or an array of up to three numbers, found a string");
  bad("[param.J]\nx = 1", ":1: param.J: expected a number or an array of up to three numbers, found a table");
  bad("problem = 'stress'\n[param.stress.J]\nx = 1", ":2: param.stress.J: expected a number or an array of up to");
}

static void test_wrong_values(void **state) {
  (void)state;
  bad("\nstep = []", ":2: step: the array is empty");
  bad("problem = []", ":1: problem: the array is empty");
  bad("method = [ ]", ":1: method: the array is empty");
  bad("param.J = []", ":1: param.J: the array is empty");
  bad("step = [[0.1]]", ":1: step: expected a number or an array of numbers, found a nested array");
  bad("problem = ['a', ['b']]", ":1: problem: expected a string or an array of strings, found a nested array");
  bad("param.J = [1, [2], 3]", ":1: param.J: expected a number or an array of up to three numbers, found a nested");
  bad("param.J = [1, 2, 3, 4]", ":1: param.J: expected at most three numbers, found 4");
  bad("step = inf", ":1: step: expected a finite number");
  bad("step = [0.1,\n -inf]", ":2: step: expected a finite number");
  bad("sigma-attitude = nan", ":1: sigma-attitude: expected a finite number");
  bad("param.J = [1, 2, +nan]", ":1: param.J: expected a finite number");
  bad("problem = ''", ":1: problem: the string is empty");
  bad("method = ['vlv', '']", ":1: method: the string is empty");
  bad("problem = 'str\tess'", ":1: problem: a control character in the string");
  bad("problem = \"stress\\u0000\"", ":1: problem: a control character in the string");
  bad("seed = \"1\\n\"", ":1: seed: a control character in the string");
}

static void test_given_twice(void **state) {
  (void)state;
  bad("step = 1\nbodies = 2\nstep = 2", ":3: Error while parsing key-value pair: cannot redefine existing integer");
  bad("[param]\nJ = 1\n[param]\n", ":3: Error while parsing table header: cannot redefine existing table 'param'");
  bad("sigma-attitude = 1\n\nsigma_attitude = 1", ":3: sigma_attitude: given already, in line 1");
  bad("sigma_attitude = 1\nsigma-attitude = 1", ":2: sigma-attitude: given already, in line 1");
  bad("time = 10\nsteps = 5", ":2: steps: there is time, in line 1; keep one");
  bad("steps = 5\ntime = 10", ":2: time: there is steps, in line 1; keep one");
}

static void test_syntax(void **state) {
  (void)state;
  bad("bodies = 1\nstep\n", ":2: Error while parsing key-value pair: expected '=', saw '\\n'");
  bad("bodies = 1\nstep = [1, 2", ":2: Error while parsing array: encountered end-of-file");
  bad("bodies = 1\n\nstep = 0.1.2", ":3: Error while parsing");
  bad("time = 1e999", ":1: Error while parsing floating-point");
  bad("seed = 9223372036854775808", ":1: Error while parsing decimal integer");
  bad("bodies = 010", ":1: Error while parsing decimal integer: leading zeroes");
  bad("problem = \"stress\nstep = 1", ":1: Error while parsing string");
  bad("bodies = 1\nbodi\xC3\xA9s = 1", ":2: a letter that is not ASCII, outside quotes and comments");
  bad("seed = 1'\xC3\xA9'", ":1: a quote in the middle of a word");
  bad("step = [1,\n\xC2\xA0 2]", ":2: a letter that is not ASCII, outside quotes and comments");
  bad("\xFF\xFE", ":1: the byte 0xFF is not UTF-8"); /* UTF-16 */
  bad("= 1", ":1: Error while parsing root table");
  bad("spindrift run", ":1: Error while parsing key-value pair");
  bad("bodies = 1\n[\nparam]", ":2: not TOML");
  bad("\nstep = [0.1,\n 0.2 }", ":3: Error while parsing array");
  bad("\nstep = [0.1,\n}", ":3: not TOML");
  bad("\n\ntime = 2020-01-01 # a date", ":3: ");
  bad_bytes("bodies = 1\n\0", 12, ":2: Error while parsing root table");
}

/* Keys of any length, and with anything in them, leave a message of one line. */
static void test_strange_keys(void **state) {
  (void)state;
  bad("\"bod\\nies\" = 3", ":1: bod ies: unknown key; did you mean 'bodies'?");
  bad("\"bodies\\u0000\" = 3", ":1: bodies : unknown key; did you mean 'bodies'?");
  bad("\"\" = 3", ":1: : unknown key; did you mean");
  bad("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee = 1",
      ":1: aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...: unknown key");
  bad("\"bodi\xC3\xA9s\" = 1", ":1: bodi\xC3\xA9s: unknown key; did you mean 'bodies'?");
  bad("'aaaaaaaaaabbbbbbbbbbccccccccccddddddddd\xC3\xA9s' = 1", /* no letter is cut in two */
      ":1: aaaaaaaaaabbbbbbbbbbccccccccccddddddddd...: unknown key");
}

/* ---- sizes ---- */

/* Writes head, then `count` times piece, then tail. */
static char *repeated(const char *head, const char *piece, size_t count, const char *tail) {
  size_t length = strlen(piece);
  char *text = malloc(strlen(head) + count * length + strlen(tail) + 1), *to = text;
  assert_non_null(text);
  to += sprintf(to, "%s", head);
  for (size_t i = 0; i < count; i++, to += length) memcpy(to, piece, length);
  strcpy(to, tail);
  return text;
}

static void bad_repeated(const char *head, const char *piece, size_t count, const char *tail, const char *says) {
  char *text = repeated(head, piece, count, tail);
  bad(text, says);
  free(text);
}

static void test_too_much(void **state) {
  (void)state;
  bad_repeated("# ", "x", (1 << 20) - 1, "", ": more than 1 MiB");
  char *text = repeated("# ", "x", (1 << 20) - 2, "");
  sd_study study = good(text);
  sd_study_destroy(&study);
  free(text);
  text = repeated("step = [", "1,", 1000, "]");
  study = good(text);
  assert_int_equal(study.count, 1000);
  sd_study_destroy(&study);
  free(text);
  bad_repeated("step = [", "1,", 1001, "]", ": 1001 runs, of 1000 at most");
  bad_repeated("problem = ['a', 'b']\nstep = [", "1,", 501, "]", ": 1002 runs, of 1000 at most");
  bad_repeated("step = [", "1,", 500000, "]", ": 500000 runs, of 1000 at most");
  bad_repeated("problem = '", "a", 1024, "'", ":1: problem: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' is too long");
  bad_repeated("method = [", "'vlv',", 1024, "]", ":1: method: 'vlv,vlv,vlv,vlv,vlv,vlv,vlv,vlv,vlv,vlv,...' is too");
  bad_repeated("", "k", 1000000, " = 1", ":1: a word of more than 60 characters");
  bad_repeated("time = 2020-01", "_", 117, "-01 2", ":1: a word of more than 60 characters");
  bad_repeated("'", "k", 1000000, "' = 1", ":1: kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...: unknown key");
}

/* Depth, in every way to get it, must not cost the stack. */
static void test_too_deep(void **state) {
  (void)state;
  const char *says = ":1: a key of more than 16 parts";
  bad_repeated("", "a.", 500000, "a = 1", says);
  bad_repeated("[", "a.", 500000, "a]", says);
  bad_repeated("[", "a.", 17, "a]", says);
  bad_repeated("", "a.", 16, "a = 1", ":1: a: unknown key");
  bad_repeated("[[", "a . ", 200000, "a]]", says);
  bad_repeated("", "\"a\".", 200000, "a = 1", says);
  bad_repeated("", "'a'.", 200000, "a = 1", says);
  bad_repeated("x = {y = \"\"\"\"\\\"\"\"\"\", ", "a.", 400000, "a = 1}", says);
  bad_repeated("x = '''it's''''' # \"\n[", "a.", 400000, "a]", ":2: a key of more than 16 parts");
  bad_repeated("x = ", "[", 500000, "", ":1: Error while parsing");
  bad_repeated("x = ", "{a=", 300000, "", ":1: Error while parsing");
  bad_repeated("x = ", "{a.a.a.a.a.a.a.a=[", 50000, "", ":1: Error while parsing");
}

/* ---- the file itself ---- */

static void test_unreadable(void **state) {
  (void)state;
  sd_study study;
  sd_error error = {0};
  char nowhere[128], says[256];
  snprintf(nowhere, sizeof nowhere, "%s/nowhere.toml", directory);
  assert_int_equal(sd_study_read(&study, nowhere, &error), SD_BAD_INPUT);
  snprintf(says, sizeof says, "%s: cannot be read: No such file or directory", nowhere);
  assert_string_equal(error.message, says);
  sd_study_destroy(&study);
  error = (sd_error){0};
  assert_int_equal(sd_study_read(&study, directory, &error), SD_BAD_INPUT);
  snprintf(says, sizeof says, "%s: cannot be read: Is a directory", directory);
  assert_string_equal(error.message, says);
  error = (sd_error){0};
  assert_int_equal(sd_study_read(&study, "", &error), SD_BAD_INPUT);
  assert_string_equal(error.message, ": cannot be read: No such file or directory");
  write_bytes("", 0);
  chmod(path, 0);
  error = (sd_error){0};
  if (geteuid()) assert_int_equal(sd_study_read(&study, path, &error), SD_BAD_INPUT); /* root reads everything */
  chmod(path, 0600);
}

/* A path of any length leaves room for what is wrong; a path with a line break does not break the line. */
static void test_long_path(void **state) {
  (void)state;
  sd_study study;
  sd_error error = {0};
  char *far = repeated("", "/", 3000, path);
  write_bytes("bodeis = 1", 10);
  assert_int_equal(sd_study_read(&study, far, &error), SD_BAD_INPUT);
  assert_int_equal(strncmp(error.message, "...//", 5), 0);
  assert_non_null(strstr(error.message, "study.toml:1: bodeis: unknown key; did you mean 'bodies'?"));
  free(far);
  error = (sd_error){0};
  assert_int_equal(sd_study_read(&study, "no\nsuch", &error), SD_BAD_INPUT);
  assert_int_equal(strncmp(error.message, "no such: cannot", 15), 0);
}

/* ---- damage ---- */

/* Any outcome will do that is a study, or none and a message of one line. */
static void survive(const char *bytes, size_t length) {
  sd_study study;
  sd_error error;
  sd_status status = read_bytes(&study, bytes, length, &error);
  assert_true(status == SD_OK || status == SD_BAD_INPUT);
  assert_int_equal(status == SD_OK, study.count > 0);
  assert_int_equal(status == SD_OK, error.message[0] == 0);
  assert_null(strchr(error.message, '\n'));
  for (size_t r = 0; r < study.count; r++)
    for (size_t i = 0; i < study.run[r].count; i++) {
      const sd_setting *setting = &study.run[r].setting[i];
      assert_true(*setting->key && *setting->value && setting->line > 0);
    }
  sd_study_destroy(&study);
}

static void test_truncated(void **state) {
  (void)state;
  for (size_t length = 0; length <= strlen(full); length++) survive(full, length);
}

static void test_damaged(void **state) {
  (void)state;
  size_t length = strlen(full);
  char *bytes = malloc(length);
  assert_non_null(bytes);
  static const char syntax[] = "\"'[]{}.,=#\n\\_-0e";
  for (int trial = 0; trial < 4000; trial++) {
    memcpy(bytes, full, length);
    for (uint64_t flips = 1 + random_bits() % 8; flips; flips--) {
      size_t at = random_bits() % length;
      if (trial % 2) bytes[at] = syntax[random_bits() % (sizeof syntax - 1)];
      else bytes[at] = (char)((unsigned char)bytes[at] ^ (1u << random_bits() % 8));
    }
    survive(bytes, length);
  }
  free(bytes);
}

/* Less and less memory for a file that takes a lot.  A sanitizer needs the address space for itself. */
static void test_out_of_memory(void **state) {
  (void)state;
#ifdef SANITIZED
  skip();
#else
  char *text = repeated("step = [", "1,", 500000, "]");
  write_bytes(text, strlen(text));
  free(text);
  for (rlim_t megabytes = 32; megabytes >= 12; megabytes -= 4) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
      sd_study study;
      sd_error error = {0};
      struct rlimit limit = {megabytes << 20, megabytes << 20};
      if (setrlimit(RLIMIT_AS, &limit)) _exit(2);
      sd_status status = sd_study_read(&study, path, &error);
      _exit(status != SD_NO_MEMORY || !strstr(error.message, "study.toml: out of memory") || study.run || study.count);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (!WIFEXITED(how) || WEXITSTATUS(how)) fail_msg("with %d MiB: %#x", (int)megabytes, (unsigned)how);
  }
#endif
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
      cmocka_unit_test(test_unknown_names),
      cmocka_unit_test(test_wrong_types),
      cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_given_twice),
      cmocka_unit_test(test_syntax),
      cmocka_unit_test(test_strange_keys),
      cmocka_unit_test(test_too_much),
      cmocka_unit_test(test_too_deep),
      cmocka_unit_test(test_unreadable),
      cmocka_unit_test(test_long_path),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_plan_takes_it),
      cmocka_unit_test(test_examples),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
