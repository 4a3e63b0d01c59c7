/* studies.h - study files that a test writes and reads, right ones and wrong ones; after cmocka.h. */
#ifndef STUDIES_H
#define STUDIES_H

#include "../host/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64], path[96];

static inline int make_directory(void **state) {
  (void)state;
  strcpy(directory, "/tmp/spindrift-config-XXXXXX");
  if (!mkdtemp(directory)) return -1;
  snprintf(path, sizeof path, "%s/study.toml", directory);
  return 0;
}

static inline int remove_directory(void **state) {
  (void)state;
  unlink(path);
  return rmdir(directory);
}

static inline void write_bytes(const char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static inline sd_status read_bytes(sd_study *study, const char *bytes, size_t length, sd_error *error) {
  *error = (sd_error){0};
  write_bytes(bytes, length);
  return sd_study_read(study, path, error);
}

/* A study that must be right. */
static inline sd_study good(const char *text) {
  sd_study study;
  sd_error error;
  if (read_bytes(&study, text, strlen(text), &error)) fail_msg("%s\nin\n%s", error.message, text);
  assert_string_equal(error.message, "");
  return study;
}

/* A study that must be refused: the message is "PATH" and then what `says` says, in one line. */
static inline void bad_bytes(const char *text, size_t length, const char *says) {
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

static inline void bad(const char *text, const char *says) {
  bad_bytes(text, strlen(text), says);
}

static inline const sd_setting *find(const sd_study_run *run, const char *key) {
  for (size_t i = 0; i < run->count; i++)
    if (!strcmp(run->setting[i].key, key)) return &run->setting[i];
  return NULL;
}

/* The setting of NAME=... among the parameters. */
static inline const sd_setting *find_parameter(const sd_study_run *run, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < run->count; i++) {
    const char *value = run->setting[i].value;
    if (!strcmp(run->setting[i].key, "param") && !strncmp(value, name, length) && value[length] == '=')
      return &run->setting[i];
  }
  return NULL;
}

static inline void expect(const sd_setting *setting, const char *value, int line) {
  assert_non_null(setting);
  assert_string_equal(setting->value, value);
  assert_int_equal(setting->line, line);
}

/* A study with every key. */
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

static uint64_t random_state = 1;

static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

#endif
