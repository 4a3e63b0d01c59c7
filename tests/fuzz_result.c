/* fuzz_result.c - the reader of result files on anything at all, and on anything at all with a seal that fits. */
#define _GNU_SOURCE /* memfd_create */
#include "../host/plan.h"
#include "../host/record.h"
#include "../host/result_file.h"
#include "../host/seal.h"
#include "fuzz_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file has one line of its own for each failure. */
static void must_be_clear(const sd_error *error) {
  if (!*error->message || strchr(error->message, '\n')) abort();
}

/* What was read can be shown and destroyed. */
static void read_results(const sd_result_file *file, FILE *nowhere) {
  sd_error error = {0};
  size_t runs = sd_result_file_runs(file);
  sd_result **results = calloc(runs + 1, sizeof *results);
  if (!results) abort();
  if (sd_result_file_read(file, results, &error)) must_be_clear(&error);
  else if (sd_results_write_json((const sd_result *const *)results, runs, nowhere)) abort();
  for (size_t i = 0; i < runs; i++) sd_result_destroy(results[i]);
  free(results);
}

/* Everything that can be asked of it.  What succeeds can be used: a plan is resolved or refused, a summary printed. */
static void ask(const sd_result_file *file, FILE *nowhere) {
  sd_error error = {0};
  size_t runs = sd_result_file_runs(file);
  if (sd_result_file_info(file, nowhere, &error)) abort();
  read_results(file, nowhere);
  for (size_t i = 0; i < runs + 1 && i < 4; i++) {
    sd_plan *plan;
    char digest[33];
    error = (sd_error){0};
    if (sd_result_file_plan(file, i, &plan, digest, &error)) {
      if (plan) abort();
      must_be_clear(&error);
      continue;
    }
    if (i >= runs || strlen(digest) != 32 || *plan->place.output || *plan->place.checkpoint) abort();
    sd_plan_resolve(plan);
    sd_plan_destroy(plan);
  }
}

static void read_file(const char *path, FILE *nowhere) {
  sd_error error = {0};
  sd_result_file *file;
  if (sd_result_file_open(path, &file, &error)) {
    if (file) abort();
    must_be_clear(&error);
    return;
  }
  ask(file, nowhere);
  sd_result_file_close(file);
}

/* The file as it is, then with a seal that fits: over the record that it names, and over all there is. */
static void read_sealed(int fd, const char *path, const uint8_t *data, size_t size, FILE *nowhere) {
  sd_error error = {0};
  char head[SD_SEAL_SIZE + 1] = "";
  read_file(path, nowhere);
  if (size <= SD_SEAL_SIZE) return;
  memcpy(head, data, SD_SEAL_SIZE);
  const char *named = strstr(head, " record ");
  uint64_t records[] = {named ? strtoull(named + 8, NULL, 10) : 0, size - SD_SEAL_SIZE};
  for (int i = 0; i < 2; i++) {
    if (sd_seal_write(fd, records[i], path, &error)) abort();
    read_file(path, nowhere);
  }
}

/* A record that is right in all but what comes after the seal, which is its settings, or else its outcome. */
static void read_within(const char *path, const uint8_t *data, size_t size, int settings, FILE *nowhere) {
  static const char usual[] = "problem stress\nmethod vlv,eln\nmembers 3\nsteps 4\nfinal 2\ntrajectories 1\n";
  sd_error error = {0};
  if (size <= SD_SEAL_SIZE) return;
  size_t own = size - SD_SEAL_SIZE;
  FILE *file = fopen(path, "w+");
  if (!file || fseek(file, SD_SEAL_SIZE, SEEK_SET)) abort();
  fprintf(file, "record 1 complete 1\nsummary 0\nrun %032d methods 1 settings %zu outcome %zu starts 0 of 7\n%s", 0,
          settings ? own : strlen(usual), settings ? 0 : own, settings ? "" : usual);
  for (size_t i = SD_SEAL_SIZE; i < size; i++) putc(data[i] >= ' ' && data[i] <= '~' ? data[i] : '\n', file);
  fputs("end\n", file);
  long end = ftell(file);
  for (int i = 0; i < 4096; i++) putc(0, file); /* for arrays to be in */
  if (fflush(file) || sd_seal_write(fileno(file), (uint64_t)end - SD_SEAL_SIZE, path, &error)) abort();
  fclose(file);
  read_file(path, nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  int fd = memfd_create("result", MFD_CLOEXEC);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (!nowhere || fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  read_sealed(fd, path, data, size, nowhere);
  read_within(path, data, size, 1, nowhere);
  read_within(path, data, size, 0, nowhere);
  close(fd);
  return 0;
}
