/* test_config_errors.c - study files: every way to get them wrong, and files that are damaged, unreadable or too large.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "studies.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

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
  bad("bodies = '10'", ":1: bodies: expected a whole number or an array of these, found a string");
  bad("bodies = [10, [11]]", ":1: bodies: expected a whole number or an array of these, found a nested array");
  bad("every = [10]", ":1: every: expected a whole number, found an array");
  bad("seed = 1.0", ":1: seed: expected a whole number, a string or an array of these, found a floating-point number");
  bad("series = 1", ":1: series: expected a boolean, found a whole number");
  bad("max-time = true", ":1: max-time: expected a number or a string, found a boolean");
  bad("members = [1, 2]\nbodies = [3, 4]", ":2: bodies: there is members, in line 1; keep one");
  bad("sigma_attitude = '1'", ":1: sigma_attitude: expected a number, found a string");
  bad("isa = 2", ":1: isa: expected a string, found a whole number");
  bad("isa = ['scalar']", ":1: isa: expected a string, found an array");
  bad("title = 3", ":1: title: expected a string, found a whole number");
  bad("description = ['a']", ":1: description: expected a string, found an array");
  bad("param = 3", ":1: param: expected a table of parameters, found a whole number");
  bad("[[param]]\nJ = 3", ":1: param: expected a table of parameters, found an array");
  bad("[param]\nstress = 3", ":2: param.stress: expected a table of parameters, found a whole number");
  bad("[param]\nJ = 'x'", ":2: param.J: expected a number or an array of up to four numbers, found a string");
  bad("[param.J]\nx = 1", ":1: param.J: expected a number or an array of up to four numbers, found a table");
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
  bad("param.J = [1, [2], 3]", ":1: param.J: expected a number or an array of up to four numbers, found a nested");
  bad("param.J = [1, 2, 3, 4, 5]", ":1: param.J: expected at most four numbers, found 5");
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
  bad_repeated("step = [1, 2]\nseed = [1, 2]\nproblem = ['a', 'b']\nmembers = [", "1,", 126, "]",
               ": 1008 runs, of 1000 at most");
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unknown_names), cmocka_unit_test(test_wrong_types), cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_given_twice),   cmocka_unit_test(test_syntax),      cmocka_unit_test(test_strange_keys),
      cmocka_unit_test(test_too_much),      cmocka_unit_test(test_too_deep),    cmocka_unit_test(test_unreadable),
      cmocka_unit_test(test_long_path),     cmocka_unit_test(test_truncated),   cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
