/* command_files.c - spindrift resume, rerun, export, info, verify: what can be done with a checkpoint or a result file.
 */
#include "commands.h"
#include "escape.h"
#include "number.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int needs_file(const sd_request *r, const char *what) {
  char message[128];
  if (r->file) return 0;
  snprintf(message, sizeof message, "which %s? Its name is missing", what);
  sd_say(message);
  return 2;
}

static int complain(const char *message, sd_status status) {
  if (status) sd_say(message);
  return sd_exit_status(status);
}

/* The options of the command line on top of a plan from a file: where to run it, what to show of it. */
static sd_status take_options(const sd_request *r, sd_plan *plan) {
  for (size_t i = 0; i < r->setting_count; i++) SD_TRY(sd_plan_set(plan, r->setting[i].key, r->setting[i].value));
  sd_plan_with_series(plan, r->display.series);
  return sd_plan_resolve(plan);
}

/* ---- resume ---- */

int sd_command_resume(const sd_request *r) {
  sd_plan **plans;
  size_t count;
  char message[512];
  if (needs_file(r, "checkpoint")) return 2;
  sd_status status = sd_plans_resume(r->file, &plans, &count, message);
  for (size_t i = 0; i < count && !status; i++) {
    status = take_options(r, plans[i]);
    if (status) snprintf(message, sizeof message, "%s", sd_plan_message(plans[i]));
  }
  if (!status) return sd_run_plans(r, plans, count, 0);
  sd_plans_destroy(plans, count);
  return complain(message, status);
}

/* ---- rerun ---- */

/* One member of the ensemble, by its number there, with its trajectory. */
static sd_status single_out(const sd_request *r, sd_plan *plan) {
  SD_TRY(sd_plan_single_out(plan, r->display.member));
  SD_TRY(sd_plan_set(plan, "final", "1"));
  return sd_plan_set(plan, "trajectories", r->display.trajectory ? "1" : "0");
}

/* `resampled`: it takes other samples than it did. */
static sd_status prepare(const sd_request *r, sd_plan *plan, int *resampled) {
  long long before, every;
  SD_TRY(sd_whole_of(plan, "every", &before));
  if (r->display.member) SD_TRY(single_out(r, plan));
  SD_TRY(take_options(r, plan));
  SD_TRY(sd_whole_of(plan, "every", &every));
  *resampled |= every != before;
  return SD_OK;
}

int sd_command_rerun(const sd_request *r) {
  sd_plan **plans;
  size_t count;
  int resampled = 0;
  char message[512] = "";
  if (needs_file(r, "result file")) return 2;
  if (r->display.trajectory && !r->display.member)
    return complain("trajectory: of which member? Give --member I with --trajectory", SD_BAD_INPUT);
  sd_status status = sd_plans_repeat(r->file, &plans, &count, message);
  for (size_t i = 0; i < count && !status; i++) {
    status = prepare(r, plans[i], &resampled);
    if (status) snprintf(message, sizeof message, "%s", sd_plan_message(plans[i]));
  }
  if (status) return sd_plans_destroy(plans, count), complain(message, status);
  if (resampled && !r->display.member && !r->display.quiet)
    sd_say("with other samples than the file has (--every) the digests must differ: nothing is compared");
  return sd_run_plans(r, plans, count, !resampled && !r->display.member);
}

/* ---- export ---- */

static sd_status export_run(const sd_request *r, sd_result *const *results, size_t count, char message[512]) {
  uint64_t run = 0;
  if (r->display.run && (sd_whole_from(r->display.run, &run) != SD_WHOLE || run >= count)) {
    snprintf(message, 512, "run: '%.40s' is none of the runs in the file: there %s %zu, from 0 on", r->display.run,
             sd_plural(count, "is", "are"), count);
    return SD_BAD_INPUT;
  }
  return sd_result_export(results[run], r->method, r->member, r->display.format, r->output ? r->output : r->file,
                          message);
}

int sd_command_export(const sd_request *r) {
  sd_result **results;
  size_t count;
  char message[512] = "";
  if (needs_file(r, "result file")) return 2;
  if (!r->display.format) return complain("format: which one? Give --format xyz or --format vtk", SD_BAD_INPUT);
  sd_status status = sd_results_read(r->file, &results, &count, message);
  if (status) return complain(message, status);
  status = export_run(r, results, count, message);
  for (size_t i = 0; i < count; i++) sd_result_destroy(results[i]);
  sd_free(results);
  if (!status && !r->display.quiet) sd_say(message);
  return complain(message, status);
}

/* ---- info, verify ---- */

int sd_command_info(const sd_request *r) {
  char message[512];
  if (needs_file(r, "file")) return 2;
  if (r->display.source) return complain(message, sd_file_sources(r->file, stdout, message));
  sd_status status =
      r->display.verbose ? sd_file_describe_all(r->file, stdout, message) : sd_file_describe(r->file, stdout, message);
  return complain(message, status);
}

int sd_command_verify(const sd_request *r) {
  char message[512];
  if (needs_file(r, "file")) return 2;
  sd_status status = sd_file_verify(r->file, message);
  if (status || r->display.quiet) return complain(message, status);
  sd_print_escaped(stdout, r->file, strlen(r->file));
  puts(": every byte is as it was written");
  return 0;
}
