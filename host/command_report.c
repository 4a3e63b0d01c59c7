/* command_report.c - spindrift report: one page of HTML on the runs of a result file, with everything in it. */
#include "commands.h"
#include "number.h"
#include "page.h"
#include "tracks.h"

#include <page_parts.h> /* written by CMake: page_css and page_js */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file from elsewhere may have been given any name. */
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int is_default(const sd_option_info *o, const char *value) {
  char *end;
  if (!o->value) return 0;
  double number = sd_real_from(o->value, &end);
  return *end || end == o->value ? !strcmp(o->value, value) : number == sd_real_from(value, NULL);
}

/* What a plan comes to, as options: those that have a value of their own and do not only repeat another. */
static void add_command(sd_text *page, sd_plan *plan) {
  sd_option_info o = {.size = sizeof o};
  sd_text_add(page, "spindrift run");
  for (size_t i = 0; sd_list_option(i, &o); i++) {
    const char *value;
    if (!(o.about & SD_ABOUT_SCIENCE) || !strcmp(o.key, "steps") || sd_plan_get(plan, o.key, &value) || !*value)
      continue;
    if (is_default(&o, value) && strcmp(o.key, "problem")) continue;
    for (const char *line = value; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
      char one[512];
      snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
      sd_text_add(page, " --%s ", o.key);
      sd_text_add_html(page, one);
    }
  }
}

static void add_plans(sd_text *page, const char *path) {
  sd_plan **plans;
  size_t count;
  char message[512];
  sd_text_add(
      page,
      "<h2 id=\"plan\">Plan</h2>\n<p>The file repeats itself, and compares the digests:</p>\n<pre>spindrift rerun ");
  sd_text_add_html(page, base_of(path));
  sd_text_add(page, "</pre>\n");
  if (sd_plans_repeat(path, &plans, &count, message)) return;
  sd_text_add(page, "<p>Or, from nothing:</p>\n");
  for (size_t i = 0; i < count; i++) {
    sd_text_add(page, "<pre>");
    add_command(page, plans[i]);
    sd_text_add(page, "</pre>\n");
  }
  sd_plans_destroy(plans, count);
}

static void add_head(sd_text *page, const char *path, const sd_runs *runs) {
  const sd_summary *s = sd_result_summary(runs->result[0], 0);
  char digest[33];
  snprintf(digest, sizeof digest, "%s", sd_result_digest(runs->result[0]));
  for (size_t i = 1; i < runs->count; i++) sd_digest_join(digest, sd_result_digest(runs->result[i]));
  sd_text_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                    "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
  sd_text_add_html(page, base_of(path));
  sd_text_add(
      page,
      " - spindrift</title>\n<style>\n%.*s</style>\n</head>\n<body>\n<header><h1>%s: does the energy stay?</h1>\n",
      (int)sizeof page_css, (const char *)page_css, s->problem);
  sd_text_add(page, "<p class=\"soft\">");
  sd_text_add_html(page, base_of(path));
  sd_text_add(page, ", %zu %s, spindrift %s, digest <code>%s</code></p></header>\n<main>\n", runs->count,
              sd_plural(runs->count, "run", "runs"), SPINDRIFT_VERSION, digest);
}

static void add_run(sd_text *page, const sd_result *r, size_t number, size_t count) {
  const sd_summary *s = sd_result_summary(r, 0);
  sd_text_add(page,
              "<section aria-labelledby=\"run%zu\"><h2 id=\"run%zu\">%s%s: %zu members, step %.6g, time %.6g</h2>\n",
              number, number, count > 1 ? "Run: " : "", s->problem, s->members, s->step, s->time);
  if (!sd_result_complete(r))
    sd_text_add(page, "<p>This run was interrupted; these are the methods that were done.</p>\n");
  if (sd_result_points(r)) sd_page_sweep(page, r);
  else {
    sd_page_verdicts(page, r);
    sd_text_add(page, "<h3>Energy over time</h3>\n");
    sd_page_bands(page, r);
    sd_text_add(page, "<h3>Energy at the end</h3>\n");
    sd_page_ends(page, r);
    if (sd_tracks(r)) {
      sd_text_add(page, "<h3>Elements over time</h3>\n");
      sd_page_elements(page, r);
      sd_page_spread(page, r);
    }
  }
  sd_text_add(page, "<h3>Iterations and time</h3>\n");
  sd_page_iterations(page, r);
  sd_text_add(page, "</section>\n");
}

/* Several runs with different steps can be compared. */
static int differ_in_step(const sd_runs *runs) {
  for (size_t i = 1; i < runs->count; i++)
    if (sd_result_summary(runs->result[i], 0)->step != sd_result_summary(runs->result[0], 0)->step) return 1;
  return 0;
}

static void add_page(sd_text *page, const char *path, const sd_runs *runs) {
  add_head(page, path, runs);
  for (size_t i = 0; i < runs->count; i++) add_run(page, runs->result[i], i, runs->count);
  if (differ_in_step(runs)) {
    sd_text_add(page, "<h2>Error against cost</h2>\n");
    sd_page_work(page, runs);
  }
  int drawn = 0;
  for (size_t i = 0; i < runs->count && !drawn; i++) {
    if (!sd_result_trajectory_count(runs->result[i])) continue;
    sd_text_add(page, "<h2>Trajectories</h2>\n");
    drawn = sd_page_trajectories(page, runs->result[i]);
  }
  add_plans(page, path);
  sd_text_add(page, "</main>\n<script>\n%.*s</script>\n</body>\n</html>\n", (int)sizeof page_js, (const char *)page_js);
}

/* The page whole, or none: written beside it first. */
static int save(const char *path, const char *text) {
  char message[512], partial[4200];
  snprintf(partial, sizeof partial, "%.4000s.partial", path);
  FILE *file = fopen(partial, "w");
  int failed = !file || fputs(text, file) < 0;
  if (file && fclose(file)) failed = 1;
  if (!failed) failed = rename(partial, path) != 0;
  if (!failed) return printf("%s\n", path), 0;
  snprintf(message, sizeof message, "cannot write '%.300s': %s", path, strerror(errno));
  if (file) remove(partial);
  sd_say(message);
  return 1;
}

int sd_command_report(const sd_request *r) {
  char message[512], name[4096];
  sd_result **results;
  size_t count;
  sd_text page = {0};
  if (!r->file) return sd_say("which result file? Its name is missing"), 2;
  sd_status status = sd_results_read(r->file, &results, &count, message);
  if (status) return sd_say(message), sd_exit_status(status);
  size_t length = strlen(r->file), stem = length > 3 && !strcmp(r->file + length - 3, ".h5") ? length - 3 : length;
  snprintf(name, sizeof name, "%.*s.html", (int)(stem < 4000 ? stem : 4000), r->file);
  sd_runs runs = {(const sd_result *const *)results, count};
  int empty = !count || !sd_result_count(results[0]), failed = 1;
  if (!empty) add_page(&page, r->file, &runs);
  char *text = sd_text_take(&page);
  if (empty) sd_say("this file has no method that was done");
  else if (!text) sd_say("out of memory for the page");
  else failed = save(r->output ? r->output : name, text);
  free(text);
  for (size_t i = 0; i < count; i++) sd_result_destroy(results[i]);
  sd_free(results);
  return failed;
}
