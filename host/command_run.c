/* command_run.c - spindrift run: the runs of a study, or the one of the options; progress on stderr, results on stdout. */
#include "commands.h"
#include "config.h"
#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int show;
  size_t run, runs;
  struct timespec begun, shown;
} progress_line;

static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

/* A bar of twenty characters, rewritten in place a few times a second. */
static int on_progress(void *data, const sd_report *r) {
  progress_line *line = data;
  double done = ((double)line->run + r->done) / (double)line->runs;
  if (!line->show || (done < 1 && seconds_since(&line->shown) < 0.2)) return 0;
  clock_gettime(CLOCK_MONOTONIC, &line->shown);
  double taken = seconds_since(&line->begun), left = done > 0 ? taken * (1 - done) / done : 0;
  char bar[21];
  for (int i = 0; i < 20; i++) bar[i] = i < (int)(20 * done) ? '#' : '.';
  bar[20] = 0;
  fprintf(stderr, "\r[%s] %-12s %.0f/%.0f M body-steps, %.1f M/s, %.0f s left, |E-E0| %.1e, %zu failed", bar, r->method,
          1e-6 * r->body_steps, 1e-6 * r->body_steps_total, 1e-6 * r->body_steps_per_second, left, r->worst_error,
          r->failed);
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
  int length_given = 0; /* a --time or --steps of the command line replaces either of the study's */
  int impulses_given = 0; /* and its impulses replace the study's */
  for (size_t i = 0; i < r->setting_count; i++) {
    length_given |= !strcmp(r->setting[i].key, "time") || !strcmp(r->setting[i].key, "steps");
    impulses_given |= !strcmp(r->setting[i].key, "impulse");
  }
  for (size_t i = 0; i < run->count && !status; i++) {
    const sd_setting *s = &run->setting[i];
    if (length_given && (!strcmp(s->key, "time") || !strcmp(s->key, "steps"))) continue;
    if (impulses_given && !strcmp(s->key, "impulse")) continue;
    status = sd_plan_set(plan, s->key, s->value);
    if (status) snprintf(message, 512, "%.200s:%d: %.250s", r->study, s->line, sd_plan_message(plan));
  }
  for (size_t i = 0; i < r->setting_count && !status; i++) {
    status = sd_plan_set(plan, r->setting[i].key, r->setting[i].value);
    if (status) snprintf(message, 512, "%s", sd_plan_message(plan));
  }
  plan->with_series = r->series;
  if (!status) status = sd_plan_resolve(plan); /* every run is checked before the first one starts */
  if (status && !*message) snprintf(message, 512, "%s%s%s", r->study ? r->study : "", r->study ? ": " : "", sd_plan_message(plan));
  return status;
}

static sd_status write_results(const sd_request *r, sd_result **results, size_t count) {
  sd_status status = SD_OK;
  if (r->json) {
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
static sd_status run_batch(batch *b, progress_line *line, char message[512]) {
  sd_status worst = SD_OK;
  for (size_t i = 0; i < b->runs; i++) {
    line->run = i;
    sd_plan_on_progress(b->plans[i], on_progress, line);
    sd_catch_signals(b->plans[i]);
    sd_status status = sd_run(b->plans[i], &b->results[b->done]);
    if (b->results[b->done]) b->done++;
    if (status == SD_BODIES_FAILED) worst = status;
    else if (status) {
      snprintf(message, 512, "%s", sd_plan_message(b->plans[i]));
      return status;
    }
  }
  return worst;
}

static int same_run(const sd_plan *a, const sd_plan *b) {
  return a->problem == b->problem && a->h == b->h && !memcmp(a->parameters, b->parameters, sizeof a->parameters);
}

static sd_status run_study(const sd_request *r, const sd_study *study, batch *b, char message[512]) {
  progress_line line = {.show = !r->quiet && (r->progress > 0 || (r->progress == 0 && isatty(STDERR_FILENO)))};
  clock_gettime(CLOCK_MONOTONIC, &line.begun);
  b->plans = calloc(study->count, sizeof *b->plans);
  b->results = calloc(study->count, sizeof *b->results);
  if (!b->plans || !b->results) return SD_NO_MEMORY;
  b->runs = 0;
  for (size_t i = 0; i < study->count; i++) {
    sd_status made = make_plan(&b->plans[b->runs], r, &study->run[i], message);
    b->runs++;
    if (made) return made;
    for (size_t k = 0; k + 1 < b->runs; k++) /* an option of the command line may have made two runs one */
      if (same_run(b->plans[k], b->plans[b->runs - 1])) {
        sd_plan_destroy(b->plans[--b->runs]);
        b->plans[b->runs] = NULL;
        break;
      }
  }
  line.runs = b->runs;
  if (*b->plans[0]->skipped && !r->quiet)
    fprintf(stderr, "spindrift: not run, for spherical bodies only: %s\n", b->plans[0]->skipped);
  sd_status status = run_batch(b, &line, message);
  if (line.show && status == SD_INTERRUPTED) fputc('\n', stderr);
  return status;
}

int sd_command_run(const sd_request *r) {
  sd_study_run options_only = {0};
  sd_study study = {&options_only, 1};
  sd_error error = {0};
  batch b = {0};
  char message[512] = "";
  sd_status status = r->study ? sd_study_read(&study, r->study, &error) : SD_OK;
  if (status) return sd_say(error.message), sd_exit_status(status);
  status = run_study(r, &study, &b, message);
  if (!status || status == SD_BODIES_FAILED || status == SD_INTERRUPTED) write_results(r, b.results, b.done);
  if (status && status != SD_BODIES_FAILED) sd_say(*message ? message : sd_status_text(status));
  for (size_t i = 0; i < b.runs; i++) {
    if (b.results) sd_result_destroy(b.results[i]);
    if (b.plans) sd_plan_destroy(b.plans[i]);
  }
  free(b.results);
  free(b.plans);
  if (r->study) sd_study_destroy(&study);
  return sd_exit_status(status);
}
