/* command_run.c - spindrift run: the runs of a study, or the one of the options; progress on stderr, results on stdout.
 */
#include "commands.h"
#include "config.h"
#include "escape.h"
#include "interrupt.h"
#include "map.h"
#include "meter.h"
#include "plotting.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plan of one run: the first so many of the study's settings, then the command line's, which win.  `line` is that
 * of a setting which is refused, or 0. */
static sd_status make_plan(sd_plan **made, const sd_request *r, const sd_study_run *run, size_t count, int *line) {
  sd_status status = sd_plan_create(made);
  *line = 0;
  for (size_t i = 0; i < count && !status; i++) {
    const sd_setting *s = &run->setting[i];
    status = sd_plan_set(*made, s->key, s->value);
    if (status) *line = s->line;
  }
  if (status) return status;
  sd_plan_next_source(*made);
  for (size_t i = 0; i < r->setting_count && !status; i++)
    status = sd_plan_set(*made, r->setting[i].key, r->setting[i].value);
  sd_plan_with_series(*made, r->display.series);
  return status ? status : sd_plan_resolve(*made); /* every run is checked before the first one starts */
}

/* Does the message begin with the setting's name?  A parameter has one of its own; of "KEY and KEY" either will do. */
static int is_named(const char *failure, const sd_setting *s) {
  size_t length = strlen(s->key), name = strcspn(s->value, "="), word = strcspn(failure, " ");
  if (!strncmp(failure + word, " and ", 5) && is_named(failure + word + 5, s)) return 1;
  if (strncmp(failure, s->key, length) || (failure[length] != ':' && failure[length] != ' ')) return 0;
  const char *rest = failure + length + 1;
  return strcmp(s->key, "param") || (!strncmp(rest, s->value, name) && (rest[name] == ':' || rest[name] == ' '));
}

/* The line of the setting that the message names and the command line does not, or 0. */
static int named_line(const sd_request *r, const sd_study_run *run, const char *failure) {
  for (size_t i = 0; i < run->count; i++)
    if (is_named(failure, &run->setting[i]) && !sd_request_sets(r, run->setting[i].key)) return run->setting[i].line;
  return 0;
}

/* That line; otherwise of the setting without which there would not be this failure, the last of the fewest that bring
 * it about, beside the command line; 0 if that does it alone. */
static int line_at_fault(const sd_request *r, const sd_study_run *run, const char *failure) {
  int named = named_line(r, run, failure);
  if (named) return named;
  for (size_t count = 0; count <= run->count; count++) {
    sd_plan *plan = NULL;
    int line;
    sd_status status = make_plan(&plan, r, run, count, &line);
    int found = status && plan && !strcmp(sd_plan_message(plan), failure);
    sd_plan_destroy(plan);
    if (found) return count ? run->setting[count - 1].line : 0;
  }
  return 0;
}

static void tell_line(const sd_request *r, int line, const char *failure, char message[512]) {
  if (line) snprintf(message, 512, "%.200s:%d: %.290s", r->file, line, failure);
  else snprintf(message, 512, "%s", failure);
}

static sd_status make_checked_plan(sd_plan **made, const sd_request *r, const sd_study_run *run, char message[512]) {
  int line;
  sd_status status = make_plan(made, r, run, run->count, &line);
  if (!status) return SD_OK;
  if (!*made) return status;
  const char *failure = sd_plan_message(*made);
  if (status == SD_BAD_INPUT && !line) line = line_at_fault(r, run, failure);
  tell_line(r, line, failure, message);
  return status;
}

sd_status sd_request_claim(const sd_request *r, sd_plan *const *plans, size_t count, sd_claim **claim,
                           char message[512]) {
  char failure[512];
  sd_status status = sd_claim_files(plans, count, r->file, claim, failure);
  int line = status && r->study ? named_line(r, &r->study->run[0], failure) : 0; /* all runs write to the same names */
  tell_line(r, line, failure, message);
  return status;
}

typedef struct {
  sd_plan **plans;
  sd_result **results;
  size_t runs, done; /* done: results there are */
  char *farewell;    /* of a run that was ended early, or NULL */
} batch;

static const char *title_of(const sd_request *r) {
  return r->study ? r->study->title : NULL;
}

/* sd_cli sees what could not be written. */
static void write_results(const sd_request *r, const batch *b) {
  const sd_result *const *results = (const sd_result *const *)b->results;
  if (r->display.json) {
    sd_results_write_titled_json(title_of(r), results, b->done, stdout);
  } else if (r->display.csv) {
    sd_print_csv(stdout, b->plans, results, b->done);
  } else {
    if (title_of(r)) sd_print_escaped(stdout, title_of(r), strlen(title_of(r))), puts("\n");
    for (size_t i = 0; i < b->done; i++) {
      if (i) putchar('\n');
      if (sd_result_write_table(results[i], stdout)) return;
    }
  }
}

/* ---- ended early ---- */

/* Where it is to be done and what is to be written are not in the checkpoint: said again, as they were given. */
static void print_place(const sd_request *r, FILE *to) {
  enum { REPEATED = SD_ABOUT_MACHINE | SD_ABOUT_SAVING | SD_ABOUT_LENGTH };
  for (size_t i = 0; i < r->setting_count; i++) {
    sd_option_info o;
    if (!sd_line_option_find(r->setting[i].key, &o) || !(o.about & REPEATED) || !o.placeholder) continue;
    fprintf(to, " --%s ", o.key);
    sd_print_shell_word(to, r->setting[i].value);
  }
}

static void print_resume(const sd_request *r, sd_plan *plan, const char *checkpoint, FILE *to) {
  const char *output;
  fputs("spindrift resume ", to);
  sd_print_shell_word(to, checkpoint);
  if (!sd_plan_get(plan, "output", &output)) {
    if (!*output) output = sd_plan_begun_with(plan);
    if (*output) fputs(" --output ", to);
    if (*output) sd_print_shell_word(to, output);
  }
  print_place(r, to);
}

/* Why it ended, how far it was, what is saved of it, and what to type to go on; to be freed, or NULL without memory. */
static char *farewell(const sd_request *r, sd_plan *plan, const sd_result *result, double done) {
  char *text = NULL, why[512], *checkpoint;
  const char *value;
  size_t size;
  snprintf(why, sizeof why, "%s", sd_plan_message(plan));
  if (*sd_result_trouble(result) || sd_plan_get(plan, "checkpoint", &value)) return NULL;
  checkpoint = strdup(value);
  FILE *line = checkpoint ? open_memstream(&text, &size) : NULL;
  if (line) {
    fprintf(line, "%s with %d %% done; ", why, (int)(100 * done));
    if (*checkpoint) {
      fputs("saved in ", line);
      sd_print_shell_word(line, checkpoint);
      fputs("; to go on, type: ", line);
      print_resume(r, plan, checkpoint, line);
    } else {
      fputs("nothing is saved to go on from, as there is no --checkpoint", line);
    }
    if (fclose(line)) free(text), text = NULL;
  }
  free(checkpoint);
  return text;
}

/* ---- running ---- */

/* What ran it, unless that was said of the run before. */
static void tell_why(const sd_request *r, const batch *b, const sd_result *result) {
  const char *why = sd_result_why(result);
  if (!*why || r->display.quiet || (b->done && !strcmp(why, sd_result_why(b->results[b->done - 1])))) return;
  sd_say(why);
}

/* The worst that happened: an error, an interruption, failed bodies, nothing. */
static sd_status run_batch(const sd_request *r, batch *b, sd_meter *meter, char message[512]) {
  sd_status worst = SD_OK;
  for (size_t i = 0; i < b->runs; i++) {
    meter->run = i;
    sd_plan_on_progress(b->plans[i], sd_meter_tell, meter);
    sd_catch_signals(b->plans[i]);
    const char *until = "";
    meter->until = !sd_plan_get(b->plans[i], "until-decided", &until) && !strcmp(until, "yes");
    sd_result *result;
    sd_status status = sd_run(b->plans[i], &result);
    if (status == SD_INTERRUPTED) sd_meter_clear(meter);
    if (result) tell_why(r, b, result);
    if (result && *sd_result_note(result) && !r->display.quiet) sd_say(sd_result_note(result));
    if (result && status == SD_INTERRUPTED) b->farewell = farewell(r, b->plans[i], result, meter->done);
    if (result) b->results[b->done++] = result;
    meter->in_trouble = 0; /* that of the next run is another checkpoint */
    if (status == SD_NOT_SAVED) {
      snprintf(message, 512, "%s", sd_plan_message(b->plans[i]));
      worst = status;
    } else if (status == SD_BODIES_FAILED) {
      if (!worst) worst = status;
    } else if (status) {
      if (!b->farewell) snprintf(message, 512, "%s", sd_plan_message(b->plans[i]));
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
  if (!status && !*told && so_far == SD_INTERRUPTED)
    snprintf(told, sizeof told, "what was done until then is in %.400s", output);
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

/* Of the first run that is a sweep. */
static sd_status draw_map(const sd_request *r, const batch *b, char message[512]) {
  sd_error error = {0};
  for (size_t i = 0; r->display.map && i < b->done; i++) {
    if (!sd_result_points(b->results[i]) || !sd_result_count(b->results[i])) continue;
    if (sd_map_draw(b->results[i], r->display.map_of, r->display.map, &error))
      snprintf(message, 512, "%s", error.message);
    return error.status;
  }
  return SD_OK;
}

static sd_status run_and_show(const sd_request *r, batch *b, int compares, char message[512]) {
  sd_meter meter = sd_meter_make(&r->display, b->runs);
  const char *skipped = sd_plan_skipped(b->plans[0]);
  if (*skipped && !r->display.quiet) fprintf(stderr, "spindrift: not run, for spherical bodies only: %s\n", skipped);
  sd_status status = run_batch(r, b, &meter, message);
  if (!sd_status_has_result(status) && !(status == SD_CRASHED && b->done)) return status;
  status = save_output(b, status, message); /* files first: whoever reads the rest may have gone */
  write_results(r, b);
  sd_status drawn = draw_map(r, b, message);
  if (drawn && (!status || status == SD_BODIES_FAILED)) status = drawn;
  if (!b->farewell) remind_of_output(r, b->plans[0]);
  if (!compares || (status && status != SD_BODIES_FAILED)) return status;
  sd_status same = compare(r, b, message);
  return same ? same : status;
}

/* Before hours of work: can there be a map at all? */
static sd_status check_map(const sd_request *r, sd_plan *const *plans, size_t count, char message[512]) {
  sd_error error = {0};
  const char *sweep = "";
  if (!r->display.map) return SD_OK;
  for (size_t i = 0; i < count && !*sweep; i++) sd_plan_get(plans[i], "sweep", &sweep);
  if (!*sweep) sd_fail(&error, SD_BAD_INPUT, "map: there is no --sweep to draw it of");
  else sd_picture_possible(r->display.map, &error);
  snprintf(message, 512, "%s", error.message);
  return error.status;
}

/* Whether the energy drifts under a method, at any point of a sweep. */
static int drifts(const sd_result *result, size_t m) {
  sd_view v = {.size = sizeof v};
  sd_verdict verdict = sd_result_summary(result, m)->verdict;
  int found = verdict == SD_DRIFTS_UP || verdict == SD_DRIFTS_DOWN;
  if (!sd_result_points(result) || sd_result_point(result, m, "verdict", &v)) return found;
  size_t stride = v.stride[v.rank - 1];
  for (size_t p = 0; p < sd_result_points(result); p++) found |= v.whole[p * stride] >= SD_DRIFTS_UP;
  return found;
}

/* Those under which the energy drifts, on stderr; returns whether there are any. */
static int tell_drift(const sd_request *r, const batch *b) {
  sd_text text = {0};
  int found = 0;
  for (size_t i = 0; i < b->done; i++)
    for (size_t m = 0; m < sd_result_count(b->results[i]); m++) {
      if (!drifts(b->results[i], m)) continue;
      sd_text_add(&text, "%s%s", found++ ? ", " : "the energy drifts under ",
                  sd_result_summary(b->results[i], m)->method);
    }
  char *whole = sd_text_take(&text);
  if (whole && found && !r->display.quiet) sd_say(whole);
  free(whole);
  return found;
}

static sd_status share_plans(sd_plan **plans, size_t count, char message[512]) {
  sd_ranks *ranks = sd_cli_ranks();
  for (size_t i = 0; ranks && i < count; i++) {
    sd_status status = sd_plan_on_ranks(plans[i], ranks);
    if (!status) status = sd_plan_resolve(plans[i]);
    if (status) return snprintf(message, 512, "%s", sd_plan_message(plans[i])), status;
  }
  return SD_OK;
}

int sd_run_plans(const sd_request *r, sd_plan **plans, size_t count, int compares) {
  char message[512] = "";
  sd_claim *claim = NULL;
  batch b = {.plans = plans, .results = calloc(count, sizeof *b.results), .runs = count};
  sd_status status = b.results ? check_map(r, plans, count, message) : SD_NO_MEMORY;
  if (!status) status = share_plans(plans, count, message);
  if (!status) status = sd_request_claim(r, plans, count, &claim, message);
  if (!status) status = run_and_show(r, &b, compares, message);
  sd_claim_release(claim);
  if (b.farewell) sd_say(b.farewell);
  if (status && status != SD_BODIES_FAILED && !(b.farewell && status == SD_INTERRUPTED))
    sd_say(*message ? message : sd_status_text(status));
  int done = !status || status == SD_BODIES_FAILED;
  int drifts = done && r->display.fail_on_drift && tell_drift(r, &b);
  for (size_t i = 0; i < b.done; i++) sd_result_destroy(b.results[i]);
  free(b.results);
  free(b.farewell);
  sd_plans_destroy(plans, count);
  return drifts ? SD_EXIT_DRIFT : sd_exit_status(status);
}

/* What makes a run of a study another than the others; to be freed, or NULL without memory. */
static char *identity(sd_plan *plan) {
  static const char *const keys[] = {"problem", "system", "code",  "members", "step",
                                     "seed",    "param",  "sweep", "spread"};
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
    sd_status made = make_checked_plan(&plans[at], r, &study->run[i], message);
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

/* Takes the plans over. */
static int run_or_try(const sd_request *r, sd_plan **plans, size_t count) {
  if (!r->display.dry_run) return sd_run_plans(r, plans, count, 0);
  int tried = sd_try_plans(r, plans, count);
  sd_plans_destroy(plans, count);
  return tried;
}

static int run_study(const sd_request *r, const sd_study *study) {
  char message[512] = "";
  size_t runs = 0;
  sd_plan **plans = calloc(study->count, sizeof *plans);
  char **identities = calloc(study->count, sizeof *identities);
  sd_status status = plans && identities ? make_plans(r, study, plans, identities, &runs, message) : SD_NO_MEMORY;
  for (size_t i = 0; identities && i < study->count; i++) free(identities[i]);
  free(identities);
  if (!status) return run_or_try(r, plans, runs);
  sd_say(*message ? message : sd_status_text(status));
  sd_plans_destroy(plans, runs);
  return sd_exit_status(status);
}

int sd_command_run(const sd_request *asked) {
  sd_study_run options_only = {0};
  sd_study study = {.run = &options_only, .count = 1};
  sd_error error = {0};
  sd_request r = *asked;
  if (!r.file) return run_study(&r, &study);
  if (sd_study_read(&study, r.file, &error)) return sd_say(error.message), sd_exit_status(error.status);
  r.study = &study;
  r.display.series |= study.series;
  int status = run_study(&r, &study);
  sd_study_destroy(&study);
  return status;
}
