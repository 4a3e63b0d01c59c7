/* plan_files.c - plans that come from files, to be run again or further; what files are, and whether they are whole. */
#include "checkpoint.h"
#include "escape.h"
#include "plan.h"
#include "result_file.h"
#include "safe_file.h"
#include "seal.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sd_plans_destroy(sd_plan **plans, size_t count) {
  for (size_t i = 0; plans && i < count; i++) sd_plan_destroy(plans[i]);
  free(plans);
}

/* For the caller: the message, and the plans unless there was a failure. */
static sd_status hand_over(const sd_error *error, sd_plan **made, size_t count, sd_plan ***plans, size_t *to_count,
                           char message[512]) {
  memcpy(message, error->message, sizeof error->message);
  if (error->status) sd_plans_destroy(made, count);
  *plans = error->status ? NULL : made;
  *to_count = error->status ? 0 : count;
  return error->status;
}

/* ---- once more ---- */

static sd_status read_runs(const char *path, const sd_result_file *file, sd_plan ***plans, size_t *count,
                           sd_error *error) {
  size_t runs = sd_result_file_runs(file);
  if (!runs) return sd_fail(error, SD_BAD_INPUT, "%s holds no run", sd_path_shown(path));
  *plans = calloc(runs, sizeof **plans);
  if (!*plans) return sd_fail(error, SD_NO_MEMORY, "out of memory");
  for (; *count < runs; ++*count) {
    char digest[33];
    sd_plan **plan = &(*plans)[*count];
    SD_TRY(sd_result_file_plan(file, *count, plan, digest, error));
    memcpy((*plan)->digest, digest, sizeof digest);
  }
  return SD_OK;
}

sd_status sd_plans_repeat(const char *path, sd_plan ***plans, size_t *count, char message[512]) {
  sd_error error = {0};
  sd_result_file *file = NULL;
  sd_plan **made = NULL;
  size_t runs = 0;
  if (!sd_result_file_open(path, &file, &error)) read_runs(path, file, &made, &runs, &error);
  sd_result_file_close(file);
  return hand_over(&error, made, runs, plans, count, message);
}

/* ---- further ---- */

/* FILE, or, if there is none, FILE.1: the first one of a study.  To be freed, or NULL. */
static char *find_checkpoint(const char *file) {
  size_t room = strlen(file) + 3;
  char *name = malloc(room);
  if (!name) return NULL;
  snprintf(name, room, "%s.1", file);
  if (sd_checkpoint_exists(file) || !sd_checkpoint_exists(name)) snprintf(name, room, "%s", file);
  return name;
}

/* The name that those of a study's checkpoints are made from: cuts off the place of this one. */
static sd_status cut_place(char *name, const sd_stored_study *study, sd_error *error) {
  char place[32];
  size_t length = strlen(name), more = (size_t)snprintf(place, sizeof place, ".%zu", study->place);
  if (length <= more || strcmp(name + length - more, place))
    return sd_fail(
        error, SD_BAD_INPUT,
        "%s is run %zu of the %zu of a study, and its name does not end in %s: it was renamed; give it and the "
        "others of the study their names back",
        sd_path_shown(name), study->place, study->count, place);
  name[length - more] = 0;
  return SD_OK;
}

static sd_status prepare(const char *asked, const sd_stored_study *study, char *name, sd_error *error) {
  if (study->count > 1) SD_TRY(cut_place(name, study, error));
  else if (strcmp(name, asked))
    return sd_fail(error, SD_BAD_INPUT,
                   "%s: there is no such checkpoint; %s is none of a study, and can be resumed by itself",
                   sd_path_shown(asked), sd_path_shown(name));
  for (size_t i = 0; i < study->count; i++) {
    sd_plan *plan = study->plans[i];
    plan->settings.until = (sd_until){.wanted = study->until.wanted, .most = study->until.most};
    plan->settings.every = study->until.every; /* as asked for: the text has that of one length */
    sd_status status = sd_plan_keep(plan, &plan->place.checkpoint, name);
    if (!status) status = sd_plan_keep(plan, &plan->begun_with, study->output);
    if (status) return sd_fail(error, status, "%s", sd_plan_message(plan));
  }
  return SD_OK;
}

sd_status sd_plans_resume(const char *path, sd_plan ***plans, size_t *count, char message[512]) {
  sd_stored_study study = {0};
  sd_error error = {0};
  char *name = find_checkpoint(path);
  sd_status status = name ? sd_stored_study_read(name, &study, &error) : sd_fail(&error, SD_NO_MEMORY, "out of memory");
  if (!status) prepare(path, &study, name, &error);
  free(name);
  sd_plan **made = study.plans;
  size_t runs = study.count;
  study.plans = NULL, study.count = 0; /* they are taken over */
  sd_stored_study_destroy(&study);
  return hand_over(&error, made, runs, plans, count, message);
}

/* ---- files ---- */

static sd_status describe_result(const char *path, FILE *to, sd_error *error) {
  sd_result_file *file;
  SD_TRY(sd_result_file_open(path, &file, error));
  sd_status status = sd_result_file_info(file, to, error);
  sd_result_file_close(file);
  return status;
}

static sd_status describe(const char *path, int verbose, FILE *to, char message[512]) {
  sd_error error = {0};
  if (sd_file_begins_with(path, SD_SEAL_MAGIC)) describe_result(path, to, &error);
  else sd_snapshot_info(path, verbose, to, &error);
  memcpy(message, error.message, sizeof error.message);
  return error.status;
}

sd_status sd_file_describe(const char *path, FILE *to, char message[512]) {
  return describe(path, 0, to, message);
}
sd_status sd_file_describe_all(const char *path, FILE *to, char message[512]) {
  return describe(path, 1, to, message);
}

/* To a terminal nothing that it would obey. */
static void print_source(const sd_source *s, int several, FILE *to) {
  const char *bytes = sd_document_bytes(s->document);
  size_t size = sd_document_size(s->document);
  if (several) fprintf(to, "/* ---- %s %s ---- */\n", sd_source_kind_text(s->kind), s->id);
  if (!isatty(fileno(to))) {
    fwrite(bytes, 1, size, to);
    return;
  }
  for (size_t at = 0; at < size; at++) {
    size_t end = strcspn(bytes + at, "\n");
    sd_print_escaped(to, bytes + at, end);
    putc('\n', to);
    at += end;
  }
}

sd_status sd_file_sources(const char *path, FILE *to, char message[512]) {
  sd_plan **plans;
  size_t count;
  int found = 0;
  SD_TRY(sd_file_begins_with(path, SD_CHECKPOINT_MAGIC) ? sd_plans_resume(path, &plans, &count, message)
                                                        : sd_plans_repeat(path, &plans, &count, message));
  for (size_t i = 0; i < count && !found; i++) { /* those of a study's first run that has some */
    found = plans[i]->settings.owns;
    for (int k = 0; k < found; k++) print_source(&plans[i]->settings.own[k], found > 1, to);
  }
  sd_plans_destroy(plans, count);
  if (!found) snprintf(message, 512, "%s has no code in it: problem and methods are built in", sd_path_shown(path));
  return found ? SD_OK : SD_BAD_INPUT;
}

static sd_status verify_result(const char *path, sd_error *error) {
  sd_result_file *file;
  SD_TRY(sd_result_file_open(path, &file, error));
  sd_result_file_close(file);
  return SD_OK;
}

static sd_status verify_checkpoint(const char *path, sd_error *error) {
  sd_checkpoint *file;
  int previous;
  SD_TRY(sd_checkpoint_load(path, &file, &previous, error));
  if (previous) sd_fail(error, SD_BAD_INPUT, "%s", sd_checkpoint_remark(file));
  sd_checkpoint_destroy(file);
  return error->status;
}

sd_status sd_file_verify(const char *path, char message[512]) {
  sd_error error = {0};
  if (sd_file_begins_with(path, SD_CHECKPOINT_MAGIC)) verify_checkpoint(path, &error);
  else verify_result(path, &error);
  memcpy(message, error.message, sizeof error.message);
  return error.status;
}
