/* command_files.c - spindrift resume, rerun, info, verify: what can be done with a checkpoint or a result file. */
#include "checkpoint.h"
#include "commands.h"
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
  for (size_t i = 0; i < r->setting_count; i++)
    if (sd_plan_set(plan, r->setting[i].key, r->setting[i].value))
      return sd_fail(error, SD_BAD_INPUT, "%s", sd_plan_message(plan));
  plan->with_series = r->series;
  if (sd_plan_resolve(plan)) return sd_fail(error, SD_BAD_INPUT, "%s", sd_plan_message(plan));
  return SD_OK;
}

static void give_up(sd_plan **plans, size_t count) {
  for (size_t i = 0; plans && i < count; i++) sd_plan_destroy(plans[i]);
  free(plans);
}

/* ---- resume ---- */

int sd_command_resume(const sd_request *r) {
  char first[1100], note[512], **texts = NULL;
  size_t count = 0;
  sd_error error = {0};
  if (needs_file(r, "checkpoint")) return 2;
  snprintf(first, sizeof first, "%.1000s.1", r->file); /* of a study with several runs */
  int several = !sd_checkpoint_exists(r->file) && sd_checkpoint_exists(first);
  if (sd_snapshot_plans(several ? first : r->file, &texts, &count, note, &error)) {
    free(texts);
    return complain(&error);
  }
  sd_plan **plans = calloc(count, sizeof *plans);
  sd_status status = plans ? SD_OK : sd_fail(&error, SD_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < count && !status; i++) {
    status = sd_plan_from_text(r->file, texts[i], &plans[i], &error);
    if (!status) snprintf(plans[i]->checkpoint, sizeof plans[i]->checkpoint, "%s", r->file);
    if (!status) status = take_options(r, plans[i], &error);
  }
  if (texts) free(texts[0]);
  free(texts);
  if (!status) return sd_run_plans(r, plans, count, NULL);
  give_up(plans, count);
  return complain(&error);
}

/* ---- rerun ---- */

/* The plan of one body of the ensemble, with its trajectory. */
static sd_status single_out(const sd_request *r, sd_plan *plan, sd_error *error) {
  char *end, text[32];
  unsigned long long body = strtoull(r->body, &end, 10);
  if (end == r->body || *end || strchr(r->body, '-') || body >= plan->bodies)
    return sd_fail(error, SD_BAD_INPUT, "body: '%s' is not one of the %zu bodies, 0 to %zu", r->body, plan->bodies,
                   plan->bodies - 1);
  size_t kept = 0;
  for (size_t i = 0; i < plan->start_count; i++)
    if (plan->starts[i].body == body) {
      plan->starts[kept] = plan->starts[i];
      plan->starts[kept++].body = 0;
    }
  plan->start_count = kept;
  snprintf(text, sizeof text, "%llu", (unsigned long long)plan->first_body + body);
  SD_TRY(sd_plan_set(plan, "first-body", text));
  SD_TRY(sd_plan_set(plan, "bodies", "1"));
  SD_TRY(sd_plan_set(plan, "final", "1"));
  return sd_plan_set(plan, "trajectories", r->trajectory ? "1" : "0");
}

int sd_command_rerun(const sd_request *r) {
  size_t count = 0;
  sd_error error = {0};
  sd_result_file *file = NULL;
  if (needs_file(r, "result file")) return 2;
  sd_status status = sd_result_file_open(r->file, &file, &error);
  if (!status) count = sd_result_file_runs(file);
  sd_plan **plans = status ? NULL : calloc(count ? count : 1, sizeof *plans);
  char(*digests)[33] = status ? NULL : calloc(count ? count : 1, sizeof *digests);
  if (!status && (!plans || !digests)) status = sd_fail(&error, SD_NO_MEMORY, "out of memory");
  if (!status && !count) status = sd_fail(&error, SD_BAD_INPUT, "%s holds no run", r->file);
  for (size_t i = 0; i < count && !status; i++) {
    status = sd_result_file_plan(file, i, &plans[i], digests[i], &error);
    if (!status && r->body) {
      status = single_out(r, plans[i], &error);
      if (status) sd_fail(&error, status, "%s", sd_plan_message(plans[i]));
    }
    if (!status) status = take_options(r, plans[i], &error);
  }
  sd_result_file_close(file);
  int ended = 0;
  if (!status) ended = sd_run_plans(r, plans, count, r->body ? NULL : (const char(*)[33])digests);
  else give_up(plans, count);
  free(digests);
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
  if (!r->quiet) printf("%s: every byte is as it was written\n", r->file);
  return 0;
}
