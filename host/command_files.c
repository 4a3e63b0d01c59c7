/* command_files.c - spindrift resume, rerun, info, verify: what can be done with a checkpoint or a result file. */
#include "checkpoint.h"
#include "commands.h"
#include "escape.h"
#include "plan_text.h"
#include "result_file.h"
#include "safe_file.h"
#include "seal.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

static int complain(const sd_error *error) {
  sd_say(error->message);
  return sd_exit_status(error->status);
}

static int needs_file(const sd_request *r, const char *what) {
  char message[128];
  if (r->file) return 0;
  snprintf(message, sizeof message, "which %s? Its name is missing", what);
  sd_say(message);
  return 2;
}

/* The options of the command line on top of a plan from a file: where to run it, what to show of it. */
static sd_status take_options(const sd_request *r, sd_plan *plan, sd_error *error) {
  sd_status status = SD_OK;
  for (size_t i = 0; i < r->setting_count && !status; i++)
    status = sd_plan_set(plan, r->setting[i].key, r->setting[i].value);
  plan->with_series = r->display.series;
  if (!status) status = sd_plan_resolve(plan);
  return status ? sd_fail(error, status, "%s", sd_plan_message(plan)) : SD_OK;
}

static void give_up(sd_plan **plans, size_t count) {
  for (size_t i = 0; plans && i < count; i++) sd_plan_destroy(plans[i]);
  free(plans);
}

/* ---- resume ---- */

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

static sd_status prepare(const sd_request *r, const sd_stored_study *study, char *name, sd_error *error) {
  if (study->count > 1) SD_TRY(cut_place(name, study, error));
  else if (strcmp(name, r->file))
    return sd_fail(error, SD_BAD_INPUT,
                   "%s: there is no such checkpoint; %s is none of a study, and can be resumed by itself",
                   sd_path_shown(r->file), sd_path_shown(name));
  for (size_t i = 0; i < study->count; i++) {
    sd_plan *plan = study->plans[i];
    sd_status status = sd_plan_keep(plan, &plan->checkpoint, name);
    if (!status) status = sd_plan_keep(plan, &plan->begun_with, study->output);
    if (status) return sd_fail(error, status, "%s", sd_plan_message(plan));
    SD_TRY(take_options(r, plan, error));
  }
  return SD_OK;
}

int sd_command_resume(const sd_request *r) {
  sd_stored_study study = {0};
  sd_error error = {0};
  if (needs_file(r, "checkpoint")) return 2;
  char *name = find_checkpoint(r->file);
  sd_status status = name ? sd_stored_study_read(name, &study, &error) : sd_fail(&error, SD_NO_MEMORY, "out of memory");
  if (!status) status = prepare(r, &study, name, &error);
  free(name);
  sd_plan **plans = study.plans;
  size_t count = study.count;
  if (!status) study.plans = NULL, study.count = 0; /* they are taken over */
  sd_stored_study_destroy(&study);
  return status ? complain(&error) : sd_run_plans(r, plans, count, NULL);
}

/* ---- rerun ---- */

/* The plan of one member of the ensemble, by its number there, with its trajectory. */
static sd_status single_out(const sd_request *r, sd_plan *plan, sd_error *error) {
  char *end, text[32];
  const char *asked = r->display.member;
  unsigned long long member = strtoull(asked, &end, 10), first = plan->first_body;
  if (end == asked || *end || strchr(asked, '-') || member < first || member - first >= plan->bodies)
    return sd_fail(error, SD_BAD_INPUT, "member: '%.60s' is not one of the %zu members, %llu to %llu", asked,
                   plan->bodies, first, first + plan->bodies - 1);
  sd_starts *s = &plan->starts;
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (s->member[i] != member - first) continue;
    memmove(s->number + kept * s->width, s->number + i * s->width, s->width * sizeof *s->number);
    s->member[kept++] = 0;
  }
  s->count = kept;
  snprintf(text, sizeof text, "%llu", member);
  sd_status status = sd_plan_set(plan, "first-member", text);
  if (!status) status = sd_plan_set(plan, "members", "1");
  if (!status) status = sd_plan_set(plan, "final", "1");
  if (!status) status = sd_plan_set(plan, "trajectories", r->display.trajectory ? "1" : "0");
  return status ? sd_fail(error, status, "%s", sd_plan_message(plan)) : SD_OK;
}

typedef struct {
  sd_plan **plans;
  char (*digests)[33]; /* that they had */
  size_t count;
  int resampled; /* one of them takes other samples than it did */
} repetition;

static sd_status read_runs(const sd_request *r, const sd_result_file *file, repetition *again, sd_error *error) {
  size_t count = sd_result_file_runs(file);
  if (!count) return sd_fail(error, SD_BAD_INPUT, "%s holds no run", sd_path_shown(r->file));
  again->plans = calloc(count, sizeof *again->plans);
  again->digests = calloc(count, sizeof *again->digests);
  if (!again->plans || !again->digests) return sd_fail(error, SD_NO_MEMORY, "out of memory");
  for (; again->count < count; again->count++) {
    sd_plan **plan = &again->plans[again->count];
    SD_TRY(sd_result_file_plan(file, again->count, plan, again->digests[again->count], error));
    int64_t every = (*plan)->every;
    sd_status status = *r->display.member ? single_out(r, *plan, error) : SD_OK;
    if (!status) status = take_options(r, *plan, error);
    if (status) return sd_plan_destroy(*plan), status;
    again->resampled |= (*plan)->sample_every != every;
  }
  return SD_OK;
}

int sd_command_rerun(const sd_request *r) {
  repetition again = {0};
  sd_error error = {0};
  sd_result_file *file = NULL;
  if (needs_file(r, "result file")) return 2;
  sd_status status =
      r->display.trajectory && !*r->display.member
          ? sd_fail(&error, SD_BAD_INPUT, "trajectory: of which member? Give --member I with --trajectory")
          : sd_result_file_open(r->file, &file, &error);
  if (!status) status = read_runs(r, file, &again, &error);
  sd_result_file_close(file);
  int compares = !*r->display.member && !again.resampled, ended = 0;
  if (!status && again.resampled && !*r->display.member && !r->display.quiet)
    sd_say("with other samples than the file has (--every) the digests must differ: nothing is compared");
  if (!status) ended = sd_run_plans(r, again.plans, again.count, compares ? (const char(*)[33])again.digests : NULL);
  else give_up(again.plans, again.count);
  free(again.digests);
  return status ? complain(&error) : ended;
}

/* ---- info, verify ---- */

static sd_status result_info(const char *path, sd_error *error) {
  sd_result_file *file;
  SD_TRY(sd_result_file_open(path, &file, error));
  sd_status status = sd_result_file_info(file, stdout, error);
  sd_result_file_close(file);
  return status;
}

int sd_command_info(const sd_request *r) {
  sd_error error = {0};
  if (needs_file(r, "file")) return 2;
  int result = sd_file_begins_with(r->file, SD_SEAL_MAGIC);
  sd_status status = result ? result_info(r->file, &error) : sd_snapshot_info(r->file, stdout, &error);
  return status ? complain(&error) : 0;
}

int sd_command_verify(const sd_request *r) {
  sd_error error = {0};
  sd_checkpoint *checkpoint = NULL;
  sd_result_file *file = NULL;
  int previous = 0;
  if (needs_file(r, "file")) return 2;
  int is_checkpoint = sd_file_begins_with(r->file, SD_CHECKPOINT_MAGIC);
  sd_status status = is_checkpoint ? sd_checkpoint_load(r->file, &checkpoint, &previous, &error)
                                   : sd_result_file_open(r->file, &file, &error);
  sd_result_file_close(file);
  if (!status && previous) status = sd_fail(&error, SD_BAD_INPUT, "%s", sd_checkpoint_remark(checkpoint));
  if (checkpoint) sd_checkpoint_destroy(checkpoint);
  if (status) return complain(&error);
  if (r->display.quiet) return 0;
  sd_print_escaped(stdout, r->file, strlen(r->file));
  puts(": every byte is as it was written");
  return 0;
}
