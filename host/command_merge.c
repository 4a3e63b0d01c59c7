/* command_merge.c - spindrift merge: of the results of an array of jobs, the one result that a single job would have.
 */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

static sd_status show(const sd_request *r, const sd_result *const *results, size_t count) {
  if (r->display.json) return sd_results_write_titled_json(NULL, results, count, stdout);
  for (size_t i = 0; i < count; i++) {
    if (i) putchar('\n');
    SD_TRY(sd_result_write_table(results[i], stdout));
  }
  return SD_OK;
}

/* Some members failed: said as by run. */
static sd_status judge(const sd_result *const *results, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t m = 0; m < sd_result_count(results[i]); m++)
      if (sd_result_summary(results[i], m)->failed) return SD_BODIES_FAILED;
  return SD_OK;
}

int sd_command_merge(const sd_request *r) {
  sd_result **results;
  size_t count;
  char message[512] = "";
  const char *output;
  if (r->display.csv) return sd_say("csv: merge has tables and --json"), 2;
  if (r->file_count < 1) return sd_say("which result files? Their names are missing"), 2;
  sd_status status = sd_plan_get(r->plan, "output", &output);
  if (status) return sd_complain(r->plan, status);
  status = sd_results_merge(r->files, r->file_count, &results, &count, message);
  if (status) return sd_say(message), sd_exit_status(status);
  const sd_result *const *merged = (const sd_result *const *)results;
  if (*output) status = sd_results_save(merged, count, output, message);
  if (*message) sd_say(message);
  if (!status) status = judge(merged, count);
  show(r, merged, count);
  for (size_t i = 0; i < count; i++) sd_result_destroy(results[i]);
  sd_free(results);
  return sd_exit_status(status);
}
