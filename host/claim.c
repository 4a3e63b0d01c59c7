/* claim.c - what runs are about to write, looked at before the first of them begins. */
#define _XOPEN_SOURCE 700
#include "checkpoint.h"
#include "file_lock.h"
#include "output_file.h"
#include "plan.h"
#include "plan_text.h"
#include "safe_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct sd_claim {
  sd_plan *const *plans;
  size_t count;
  const char *input; /* the file that they come from, or NULL */
  char *checkpoint;  /* as it was given, or "" */
  char *study;       /* the plans of all, for whoever resumes them */
  sd_file_lock output;
};

/* ---- names ---- */

static const char *const names_of_output[] = {"",
                                              ".partial",
                                              ".previous",
                                              ".previous.partial",
                                              ".lock",
                                              ".incomplete",
                                              ".incomplete.partial",
                                              ".incomplete.previous",
                                              ".incomplete.previous.partial"};
static const char *const names_of_checkpoint[] = {"", ".partial", ".previous", ".previous.partial", ".lock"};
enum {
  OUTPUT_NAMES = sizeof names_of_output / sizeof *names_of_output,
  CHECKPOINT_NAMES = sizeof names_of_checkpoint / sizeof *names_of_checkpoint
};

/* A name without its spelling: in which directory, and what it is called there. */
typedef struct {
  char *path, *name;
  dev_t device;
  ino_t directory;
} place;

static void leave(place *p) {
  free(p->path);
}

/* 0: in no directory that there is, and so in nobody's way. */
static int find_place(place *p, const char *path, const char *suffix) {
  struct stat about = {0};
  *p = (place){.path = sd_path_beside(path, suffix)};
  if (!p->path) return 0;
  char *slash = strrchr(p->path, '/');
  p->name = slash ? slash + 1 : p->path;
  char kept = *p->name;
  if (slash) *p->name = 0; /* up to the slash, for a moment */
  int found = !stat(slash ? p->path : ".", &about);
  *p->name = kept;
  p->device = about.st_dev;
  p->directory = about.st_ino;
  return found;
}

static int same_place(const char *a, const char *a_suffix, const char *b, const char *b_suffix) {
  place p, q;
  int found = find_place(&p, a, a_suffix) & find_place(&q, b, b_suffix);
  int same = found && p.device == q.device && p.directory == q.directory && !strcmp(p.name, q.name);
  leave(&p);
  leave(&q);
  return same;
}

static sd_status check_pair(const char *output, const char *checkpoint, sd_error *error) {
  for (int i = 0; i < OUTPUT_NAMES; i++)
    for (int k = 0; k < CHECKPOINT_NAMES; k++)
      if (same_place(output, names_of_output[i], checkpoint, names_of_checkpoint[k]))
        return sd_fail(error, SD_BAD_INPUT,
                       "output and checkpoint would both write %.200s%s; give one of them another name",
                       sd_path_shown(output), names_of_output[i]);
  return SD_OK;
}

static sd_status check_names(const sd_claim *c, sd_error *error) {
  const char *output = c->plans[0]->place.output;
  if (!*output) return SD_OK;
  for (int i = 1; i < OUTPUT_NAMES && c->input; i++) /* the file itself may be written again: it stays as .previous */
    if (same_place(output, names_of_output[i], c->input, ""))
      return sd_fail(error, SD_BAD_INPUT, "output: would write %.200s, which is read; give --output another name",
                     sd_path_shown(c->input));
  if (!*c->checkpoint) return SD_OK;
  SD_TRY(check_pair(output, c->checkpoint, error));
  for (size_t i = 0; i < c->count; i++) SD_TRY(check_pair(output, c->plans[i]->place.checkpoint, error));
  return SD_OK;
}

static sd_status out_of_memory(sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "out of memory");
}

/* NAME.2 for the second run. */
static sd_status number_checkpoint(sd_plan *plan, const char *base, size_t number, sd_error *error) {
  size_t room = strlen(base) + 32;
  char *name = malloc(room);
  if (!name) return out_of_memory(error);
  snprintf(name, room, "%s.%zu", base, number);
  sd_status status = sd_plan_keep(plan, &plan->place.checkpoint, name);
  free(name);
  return status ? out_of_memory(error) : SD_OK;
}

static sd_status name_checkpoints(sd_claim *c, sd_error *error) {
  if (!*c->checkpoint) return SD_OK;
  c->study = sd_plans_text(c->plans, c->count);
  if (!c->study) return out_of_memory(error);
  for (size_t i = 0; i < c->count; i++) {
    c->plans[i]->study = c->study;
    c->plans[i]->number = i + 1;
    if (c->count > 1) SD_TRY(number_checkpoint(c->plans[i], c->checkpoint, i + 1, error));
  }
  return SD_OK;
}

/* ---- files ---- */

/* What is wrong with a file is wrong with the option that names it. */
static sd_status blame(const char *option, const sd_error *found, sd_error *error) {
  return found->status ? sd_fail(error, found->status, "%s: %.490s", option, found->message) : SD_OK;
}

/* The run itself takes the lock again, and keeps it. */
static sd_status check_checkpoint(const char *path, sd_error *error) {
  sd_file_lock lock;
  sd_error found = {0};
  if (!sd_file_lock_take(&lock, path, &found)) sd_checkpoint_check(path, &found);
  sd_file_lock_release(&lock);
  return blame("checkpoint", &found, error);
}

static sd_status take_output(sd_claim *c, const char *path, sd_error *error) {
  sd_error found = {0};
  if (!sd_file_lock_take(&c->output, path, &found)) sd_output_check(path, &found);
  return blame("output", &found, error);
}

/* What is to be compiled is compiled before the first of them is run. */
static sd_status prepare_plans(const sd_claim *c, sd_error *error) {
  for (size_t i = 0; i < c->count; i++) {
    sd_status status = sd_plan_prepare(c->plans[i]);
    if (status) return sd_fail(error, status, "%s", sd_plan_message(c->plans[i]));
  }
  return SD_OK;
}

static sd_status take_files(sd_claim *c, sd_error *error) {
  const char *output = c->plans[0]->place.output;
  SD_TRY(prepare_plans(c, error));
  SD_TRY(name_checkpoints(c, error));
  SD_TRY(check_names(c, error));
  for (size_t i = 0; i < c->count && *c->checkpoint; i++)
    SD_TRY(check_checkpoint(c->plans[i]->place.checkpoint, error));
  return *output ? take_output(c, output, error) : SD_OK;
}

sd_status sd_claim_files(sd_plan *const *plans, size_t count, const char *input, sd_claim **made, char message[512]) {
  sd_error error = {0};
  sd_claim *c = *made = count ? malloc(sizeof *c) : NULL;
  if (c) {
    *c = (sd_claim){.plans = plans, .count = count, .input = input, .output = SD_NO_LOCK};
    c->checkpoint = strdup(plans[0]->place.checkpoint);
  }
  if (!count) sd_fail(&error, SD_BAD_INPUT, "there is no plan to be run");
  else if (!c || !c->checkpoint) out_of_memory(&error);
  else take_files(c, &error);
  for (size_t i = 0; i < count && !error.status; i++) sd_plan_start_clock(plans[i]);
  memcpy(message, error.message, sizeof error.message);
  if (!error.status) return SD_OK;
  sd_claim_release(c);
  *made = NULL;
  return error.status;
}

void sd_claim_release(sd_claim *c) {
  if (!c) return;
  for (size_t i = 0; i < c->count; i++) c->plans[i]->study = NULL, c->plans[i]->number = 1, c->plans[i]->deadline = 0;
  sd_file_lock_release(&c->output);
  free(c->checkpoint);
  free(c->study);
  free(c);
}
