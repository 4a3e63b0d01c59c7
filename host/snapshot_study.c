/* snapshot_study.c - a checkpoint alone: the plans in it, and what is in it for people. */
#include "escape.h"
#include "number.h"
#include "plan_text.h"
#include "safe_file.h"
#include "snapshot.h"
#include "snapshot_layout.h"
#include "text.h"
#include "words.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

/* ---- the plans ---- */

static sd_status take_starts(const char *name, const sd_checkpoint *file, sd_plan *plan, sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(file, "starts", &block, error));
  sd_status status = sd_get_starts(block.data, block.size, plan);
  if (!status) return SD_OK;
  const char *message = sd_plan_message(plan);
  if (!*message) return sd_snapshot_nonsense(name, "starts", error);
  return sd_fail(error, status, "checkpoint %s: %.300s", sd_path_shown(name), message);
}

static size_t plans_in(const char *text) {
  size_t count = 1;
  for (; *text; text++) count += *text == '\f';
  return count;
}

/* The text is taken apart where it stands. */
static sd_status take_plans(const char *name, char *text, sd_stored_study *study, sd_error *error) {
  size_t count = plans_in(text);
  study->plans = calloc(count, sizeof *study->plans);
  if (!study->plans) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  for (; study->count < count; study->count++) {
    char *end = text + strcspn(text, "\f");
    *end = 0;
    SD_TRY(sd_plan_from_text(sd_path_shown(name), text, &study->plans[study->count], error));
    text = end + 1;
  }
  return SD_OK;
}

static sd_status take_until(const char *name, const sd_checkpoint *file, sd_stored_study *study, sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(file, "until", &block, error));
  const unsigned char *from = block.data;
  int fits = block.size == SD_UNTIL_BYTES && sd_get_until(&from, &study->until);
  return fits ? SD_OK : sd_snapshot_nonsense(name, "until", error);
}

/* Its own plan stands at its place, as it was asked for; the run may be longer by now. */
static sd_status take_place(const char *name, const sd_checkpoint *file, const char *texts, sd_stored_study *study,
                            sd_error *error) {
  sd_block block;
  char *own;
  SD_TRY(sd_checkpoint_find(file, "place", &block, error));
  const unsigned char *from = block.data;
  uint64_t place = block.size == 8 ? sd_get_word(&from) : 0;
  if (!place || place > plans_in(texts)) return sd_snapshot_nonsense(name, "place", error);
  study->place = (size_t)place;
  for (; place > 1; place--) texts = strchr(texts, '\f') + 1;
  if (study->until.doublings) return SD_OK;
  SD_TRY(sd_snapshot_text(name, file, "plan", &own, error));
  size_t length = strcspn(texts, "\f");
  int same = strlen(own) == length && !memcmp(own, texts, length);
  free(own);
  return same ? SD_OK : sd_snapshot_nonsense(name, "study", error);
}

/* Any bytes but none that end a text. */
static sd_status take_output(const char *name, const sd_checkpoint *file, sd_stored_study *study, sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(file, "output", &block, error));
  if (block.size && memchr(block.data, 0, block.size)) return sd_snapshot_nonsense(name, "output", error);
  study->output = calloc(1, block.size + 1);
  if (!study->output) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  if (block.size) memcpy(study->output, block.data, block.size);
  return SD_OK;
}

sd_status sd_stored_study_take(const char *name, const sd_checkpoint *file, sd_stored_study *study, sd_error *error) {
  char *texts;
  *study = (sd_stored_study){0};
  SD_TRY(sd_snapshot_text(name, file, "study", &texts, error));
  sd_status status = take_until(name, file, study, error);
  if (!status) status = take_place(name, file, texts, study, error);
  if (!status) status = take_output(name, file, study, error);
  if (!status) status = take_plans(name, texts, study, error);
  if (!status) status = take_starts(name, file, study->plans[study->place - 1], error);
  free(texts);
  if (status) sd_stored_study_destroy(study);
  return status;
}

sd_status sd_stored_study_read(const char *path, sd_stored_study *study, sd_error *error) {
  sd_checkpoint *file;
  int previous;
  *study = (sd_stored_study){0};
  SD_TRY(sd_checkpoint_load(path, &file, &previous, error));
  sd_status status = sd_stored_study_take(path, file, study, error);
  sd_checkpoint_destroy(file);
  return status;
}

void sd_stored_study_destroy(sd_stored_study *study) {
  for (size_t i = 0; i < study->count; i++) sd_plan_destroy(study->plans[i]);
  free(study->plans);
  free(study->output);
  *study = (sd_stored_study){0};
}

/* ---- for people ---- */

static const char system_key[] = "system ";

static int is_of_system(const char *line, size_t length) {
  size_t key = sizeof system_key - 1;
  return length >= key && !memcmp(line, system_key, key);
}

/* Of the text that describes a system, which may be long, the first lines. */
static void print_lines(FILE *to, sd_block block) {
  enum { SHOWN = 3 };
  const char *text = block.data;
  size_t hidden = 0, shown = 0;
  for (size_t at = 0; at < block.size;) {
    size_t end = at;
    while (end < block.size && text[end] != '\n') end++;
    if (is_of_system(text + at, end - at) && shown++ >= SHOWN) hidden++;
    else sd_print_escaped(to, text + at, end - at), putc('\n', to);
    at = end + 1;
  }
  if (hidden) fprintf(to, "%s... and %zu more %s\n", system_key, hidden, sd_plural(hidden, "line", "lines"));
}

/* How far the run is of whose plan it is, which may be a longer one than was asked for; if that can be believed. */
static sd_status take_position(const char *name, const sd_checkpoint *file, sd_plan *plan, sd_position *at,
                               sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(file, "position", &block, error));
  const unsigned char *from = block.data;
  sd_status status = sd_plan_resolve(plan);
  if (status) return sd_fail(error, status, "%s: %.300s", sd_path_shown(name), sd_plan_message(plan));
  int fits = block.size == SD_POSITION_BYTES && sd_get_position(&from, sd_plan_specification(plan), at);
  return fits ? SD_OK : sd_snapshot_nonsense(name, "position", error);
}

static void print_plan(const char *name, const sd_specification *spec, FILE *to) {
  sd_print_escaped(to, name, strlen(name));
  sd_print(to, ": checkpoint of %s, %zu %s, step %g, time %g (%lld steps), seed %llu, methods ", spec->problem->id,
           spec->members, sd_member_word(spec, spec->members), spec->h, spec->total_time, (long long)spec->total_steps,
           (unsigned long long)spec->seed);
  for (int m = 0; m < spec->method_count; m++) fprintf(to, "%s%s", m ? "," : "", spec->methods[m].name);
  putc('\n', to);
}

static void print_progress(const sd_specification *spec, const sd_position *at, FILE *to) {
  double part = (double)at->step / (double)spec->total_steps;
  int percent = (int)(100 * ((double)at->method + part) / spec->method_count);
  fprintf(to, "%d %% done: %lld of %d methods done, %lld steps of the next\n", percent, (long long)at->method,
          spec->method_count, (long long)at->step);
}

/* Its name may be a stranger's, and so may that of the output: as words of a shell's line. */
static void print_resume(const char *name, const sd_stored_study *study, FILE *to) {
  fputs("to go on, type: spindrift resume ", to);
  sd_print_shell_word(to, name);
  if (*study->output) fputs(" --output ", to);
  if (*study->output) sd_print_shell_word(to, study->output);
  putc('\n', to);
}

static void print_study(const sd_stored_study *study, FILE *to) {
  if (study->count > 1) fprintf(to, "run %zu of the %zu of a study\n", study->place, study->count);
  if (study->until.wanted)
    fprintf(to, "until every method has a verdict: doubled %d %s so far\n", study->until.doublings,
            sd_plural((size_t)study->until.doublings, "time", "times"));
  if (!*study->output) return;
  fputs("begun with --output ", to);
  sd_print_shell_word(to, study->output);
  putc('\n', to);
}

static sd_status print_run(const char *name, const sd_checkpoint *file, const sd_stored_study *study, FILE *to,
                           sd_error *error) {
  sd_position at;
  sd_plan *plan;
  char *text;
  SD_TRY(sd_snapshot_text(name, file, "plan", &text, error));
  sd_status status = sd_plan_from_text(sd_path_shown(name), text, &plan, error);
  free(text);
  if (!status) status = take_position(name, file, plan, &at, error);
  if (!status) {
    print_plan(name, sd_plan_specification(plan), to);
    print_progress(sd_plan_specification(plan), &at, to);
    print_study(study, to);
    print_resume(name, study, to);
  }
  sd_plan_destroy(plan);
  return status;
}

static void print_blocks(const sd_checkpoint *file, FILE *to) {
  sd_block plan;
  sd_error absent = {0};
  if (!sd_checkpoint_find(file, "plan", &plan, &absent)) print_lines(to, plan);
  for (size_t i = 0; i < sd_checkpoint_count(file); i++) {
    sd_block b = sd_checkpoint_block(file, i);
    fputs("block ", to);
    sd_print_escaped(to, b.tag, strlen(b.tag));
    fprintf(to, "%*s %zu bytes\n", strlen(b.tag) < 15 ? (int)(15 - strlen(b.tag)) : 0, "", b.size);
  }
}

sd_status sd_snapshot_describe(const char *name, const sd_checkpoint *file, int verbose, FILE *to, sd_error *error) {
  sd_stored_study study;
  sd_status status = sd_stored_study_take(name, file, &study, error);
  if (!status) {
    status = print_run(name, file, &study, to, error);
    sd_stored_study_destroy(&study);
  }
  if (verbose) print_blocks(file, to);
  return status;
}

/* When it was written, in the one time that is the same wherever the file is looked at. */
static sd_status print_time(const char *path, const char *suffix, FILE *to, sd_error *error) {
  struct stat about;
  struct tm when;
  char text[64], *file = sd_path_beside(path, suffix);
  if (!file) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  if (!stat(file, &about) && gmtime_r(&about.st_mtime, &when) &&
      strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when))
    fprintf(to, "saved %s UTC\n", text);
  free(file);
  return SD_OK;
}

sd_status sd_snapshot_info(const char *path, int verbose, FILE *to, sd_error *error) {
  sd_checkpoint *file;
  int previous;
  SD_TRY(sd_checkpoint_load(path, &file, &previous, error));
  const char *remark = sd_checkpoint_remark(file);
  sd_print_escaped(to, remark, strlen(remark));
  if (*remark) putc('\n', to);
  sd_status status = sd_snapshot_describe(path, file, 0, to, error);
  if (!status) status = print_time(path, previous ? ".previous" : "", to, error);
  if (verbose) print_blocks(file, to);
  sd_checkpoint_destroy(file);
  return status;
}
