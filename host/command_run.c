/* command_run.c - spindrift run: the runs of a study, or the one of the options; progress on stderr, results on stdout.
 */
#include "commands.h"
#include "config.h"
#include "escape.h"
#include "interrupt.h"
#include "number.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int show;
  size_t run, runs;
  int until; /* it may become longer than asked */
  struct timespec begun, shown;
  int in_trouble; /* and the user knows */
} progress_line;

static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

/* A checkpoint that cannot be saved, and that it can again, when it comes to that. */
static void tell_trouble(progress_line *line, const char *trouble) {
  char message[600];
  if (!trouble == !line->in_trouble) return;
  line->in_trouble = trouble != NULL;
  if (line->show) fputs("\r\033[K", stderr);
  snprintf(message, sizeof message, "%.500s; the run goes on and tries again", trouble ? trouble : "");
  sd_say(trouble ? message : "the checkpoint is saved again");
}

/* A bar of twenty characters, rewritten in place a few times a second. */
static int on_progress(void *data, const sd_report *r) {
  progress_line *line = data;
  tell_trouble(line, r->trouble);
  double done = ((double)line->run + r->done) / (double)line->runs;
  if (!line->show || (done < 1 && seconds_since(&line->shown) < 0.2)) return 0;
  clock_gettime(CLOCK_MONOTONIC, &line->shown);
  double taken = seconds_since(&line->begun), left = done > 0 ? taken * (1 - done) / done : 0;
  char bar[21], to[32] = "";
  for (int i = 0; i < 20; i++) bar[i] = i < (int)(20 * done) ? '#' : '.';
  bar[20] = 0;
  if (line->until) sd_format(to, sizeof to, " to time %g", r->time);
  sd_print(stderr, "\r[%s] %-12s%s %.0f/%.0f M body-steps, %.1f M/s, %.0f s left, |E-E0| %.1e, %zu failed", bar,
           r->method, to, 1e-6 * r->body_steps, 1e-6 * r->body_steps_total, 1e-6 * r->body_steps_per_second, left,
           r->worst_error, r->failed);
  fputs(done < 1 ? "\033[K" : "\r\033[K", stderr);
  fflush(stderr);
  return 0;
}

/* The plan of one run: the study's settings, then the command line's, which win. */
static sd_status make_plan(sd_plan **made, const sd_request *r, const sd_study_run *run, char message[512]) {
  sd_plan *plan;
  sd_status status = sd_plan_create(made);
  if (status) return status;
  plan = *made;
  for (size_t i = 0; i < run->count && !status; i++) {
    const sd_setting *s = &run->setting[i];
    status = sd_plan_set(plan, s->key, s->value);
    if (status) snprintf(message, 512, "%.200s:%d: %.250s", r->file, s->line, sd_plan_message(plan));
  }
  sd_plan_next_source(plan);
  for (size_t i = 0; i < r->setting_count && !status; i++) {
    status = sd_plan_set(plan, r->setting[i].key, r->setting[i].value);
    if (status) snprintf(message, 512, "%s", sd_plan_message(plan));
  }
  sd_plan_with_series(plan, r->display.series);
  if (!status) status = sd_plan_resolve(plan); /* every run is checked before the first one starts */
  if (status && !*message)
    snprintf(message, 512, "%s%s%s", r->file ? r->file : "", r->file ? ": " : "", sd_plan_message(plan));
  return status;
}

static sd_status write_results(const sd_request *r, sd_result **results, size_t count) {
  sd_status status = SD_OK;
  if (r->display.json) {
    status = sd_results_write_json((const sd_result *const *)results, count, stdout);
  } else {
    for (size_t i = 0; i < count && !status; i++) {
      if (i) putchar('\n');
      status = sd_result_write_table(results[i], stdout);
    }
  }
  return status; /* sd_cli sees what could not be written */
}

typedef struct {
  sd_plan **plans;
  sd_result **results;
  size_t runs, done; /* done: results there are */
} batch;

/* The worst that happened: an error, an interruption, failed bodies, nothing. */
static sd_status run_batch(const sd_request *r, batch *b, progress_line *line, char message[512]) {
  sd_status worst = SD_OK;
  for (size_t i = 0; i < b->runs; i++) {
    line->run = i;
    sd_plan_on_progress(b->plans[i], on_progress, line);
    sd_catch_signals(b->plans[i]);
    const char *until = "";
    line->until = !sd_plan_get(b->plans[i], "until-decided", &until) && !strcmp(until, "yes");
    sd_result *result;
    sd_status status = sd_run(b->plans[i], &result);
    if (result && *sd_result_note(result) && !r->display.quiet) sd_say(sd_result_note(result));
    if (result) b->results[b->done++] = result;
    line->in_trouble = 0; /* that of the next run is another checkpoint */
    if (status == SD_NOT_SAVED) {
      snprintf(message, 512, "%s", sd_plan_message(b->plans[i]));
      worst = status;
    } else if (status == SD_BODIES_FAILED) {
      if (!worst) worst = status;
    } else if (status) {
      snprintf(message, 512, "%s", sd_plan_message(b->plans[i]));
      return status;
    }
  }
  return worst;
}

/* What was to be said until then must not be lost if this fails too. */
static sd_status save_output(const batch *b, sd_status so_far, char message[512]) {
  char told[512];
  const char *output;
  if (!b->done) return so_far;
  sd_status status = sd_plan_get(b->plans[0], "output", &output);
  if (!status && !*output) return so_far;
  if (status) snprintf(told, sizeof told, "%s", sd_plan_message(b->plans[0]));
  else status = sd_results_save((const sd_result *const *)b->results, b->done, output, told);
  if (!status && *told) sd_say(told);
  if (!status) return so_far;
  if (*message) sd_say(message);
  memcpy(message, told, sizeof told);
  return status == SD_BAD_INPUT ? SD_IO : status; /* it was fit when the run began */
}

/* A run that was begun with an output file and resumed without: a file may not say where to write, so its user must. */
static void remind_of_output(const sd_request *r, sd_plan *plan) {
  char *text = NULL;
  size_t size;
  const char *begun_with = sd_plan_begun_with(plan), *output;
  if (!*begun_with || r->display.quiet || sd_plan_get(plan, "output", &output) || *output) return;
  FILE *line = open_memstream(&text, &size);
  if (!line) return;
  fputs("no result file was written, and the run was begun with one: type spindrift resume ", line);
  sd_print_shell_word(line, r->file);
  fputs(" --output ", line);
  sd_print_shell_word(line, begun_with);
  if (!fclose(line)) sd_say(text);
  free(text);
}

/* Do the results have the digests that they should? */
static sd_status compare(const sd_request *r, const batch *b, char message[512]) {
  size_t same = 0;
  for (size_t i = 0; i < b->done; i++) {
    const char *digest = sd_result_digest(b->results[i]), *expected = sd_plan_digest(b->plans[i]);
    int equal = !strcmp(digest, expected);
    if (!equal && !*message) snprintf(message, 512, "run %zu: digest %s, but the file has %s", i + 1, digest, expected);
    same += (size_t)equal;
  }
  if (same < b->done) return SD_FAILED;
  if (!r->display.quiet)
    fprintf(stderr, "spindrift: the same %s as in the file\n", sd_plural(b->done, "digest", "digests"));
  return SD_OK;
}

static int has_results(sd_status status) {
  return status == SD_BODIES_FAILED || status == SD_NOT_SAVED || status == SD_INTERRUPTED;
}

static sd_status run_and_show(const sd_request *r, batch *b, int compares, char message[512]) {
  progress_line line = {.show =
                            !r->display.quiet && (r->display.progress == SD_PROGRESS_ALWAYS ||
                                                  (r->display.progress == SD_PROGRESS_AUTO && isatty(STDERR_FILENO)))};
  clock_gettime(CLOCK_MONOTONIC, &line.begun);
  line.runs = b->runs;
  const char *skipped = sd_plan_skipped(b->plans[0]);
  if (*skipped && !r->display.quiet) fprintf(stderr, "spindrift: not run, for spherical bodies only: %s\n", skipped);
  sd_status status = run_batch(r, b, &line, message);
  if (line.show && status == SD_INTERRUPTED) fputc('\n', stderr);
  if (status && !has_results(status)) return status;
  status = save_output(b, status, message); /* files first: whoever reads the rest may have gone */
  write_results(r, b->results, b->done);
  remind_of_output(r, b->plans[0]);
  if (!compares || (status && status != SD_BODIES_FAILED)) return status;
  sd_status same = compare(r, b, message);
  return same ? same : status;
}

int sd_run_plans(const sd_request *r, sd_plan **plans, size_t count, int compares) {
  char message[512] = "";
  sd_claim *claim = NULL;
  batch b = {plans, calloc(count, sizeof *b.results), count, 0};
  sd_status status = b.results ? sd_claim_files(plans, count, r->file, &claim, message) : SD_NO_MEMORY;
  if (!status) status = run_and_show(r, &b, compares, message);
  sd_claim_release(claim);
  if (status && status != SD_BODIES_FAILED) sd_say(*message ? message : sd_status_text(status));
  for (size_t i = 0; i < b.done; i++) sd_result_destroy(b.results[i]);
  free(b.results);
  sd_plans_destroy(plans, count);
  return sd_exit_status(status);
}

/* What makes a run of a study another than the others; to be freed, or NULL without memory. */
static char *identity(sd_plan *plan) {
  static const char *const keys[] = {"problem", "step", "param"};
  sd_text text = {0};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const char *value;
    text.failed |= sd_plan_get(plan, keys[i], &value) != SD_OK;
    if (value) sd_text_add(&text, "%s\n", value);
  }
  return sd_text_take(&text);
}

/* The plans of a study, checked, all before the first one is run.  An option of the command line may have made two runs
 * one. */
static sd_status make_plans(const sd_request *r, const sd_study *study, sd_plan **plans, char **identities,
                            size_t *runs, char message[512]) {
  for (size_t i = 0; i < study->count; i++) {
    size_t at = *runs, same = 0;
    sd_status made = make_plan(&plans[at], r, &study->run[i], message);
    ++*runs;
    if (made) return made;
    identities[at] = identity(plans[at]);
    if (!identities[at]) return SD_NO_MEMORY;
    while (strcmp(identities[same], identities[at])) same++;
    if (same == at) continue;
    --*runs;
    sd_plan_destroy(plans[at]);
    free(identities[at]);
    plans[at] = NULL, identities[at] = NULL;
  }
  return SD_OK;
}

int sd_command_run(const sd_request *r) {
  sd_study_run options_only = {0};
  sd_study study = {&options_only, 1};
  sd_error error = {0};
  char message[512] = "";
  size_t runs = 0;
  sd_status status = r->file ? sd_study_read(&study, r->file, &error) : SD_OK;
  if (status) return sd_say(error.message), sd_exit_status(status);
  sd_plan **plans = calloc(study.count, sizeof *plans);
  char **identities = calloc(study.count, sizeof *identities);
  status = plans && identities ? make_plans(r, &study, plans, identities, &runs, message) : SD_NO_MEMORY;
  for (size_t i = 0; identities && i < study.count; i++) free(identities[i]);
  free(identities);
  if (r->file) sd_study_destroy(&study);
  if (!status) return sd_run_plans(r, plans, runs, 0);
  sd_say(*message ? message : sd_status_text(status));
  sd_plans_destroy(plans, runs);
  return sd_exit_status(status);
}
