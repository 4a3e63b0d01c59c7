/* command_selftest.c - spindrift selftest: every variant of the processor, and every CUDA device, against one lane of
 * one thread: each method on each problem, bit for bit. */
#include "commands.h"
#include "digest.h"
#include "engine.h"
#include "interrupt.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 1024 };

/* A small ensemble of widely spread starts, so that neighbours need different numbers of iterations. */
static sd_status make_plan(sd_plan **made, const sd_request *r, const sd_engine *e, const sd_method_entry *method,
                           const char *problem) {
  SD_TRY(sd_plan_create(made));
  sd_plan *plan = *made;
  const sd_family *family = method->family;
  sd_plan_control(plan, r->plan->control);
  sd_plan_on_saved(plan, r->plan->saved, r->plan->saved_data);
  const char *settings[][2] = {{"problem", problem}, {"method", method->id},
                               {"members", "300"},   {"steps", "24"},
                               {"every", "5"},       {"threads", strcmp(e->unit, "scalar") ? "2" : "1"}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    SD_TRY(sd_plan_set(plan, settings[i][0], settings[i][1]));
  for (const sd_start_array *a = family->start; a->name; a++) SD_TRY(sd_plan_set(plan, a->key, a->wide));
  SD_TRY(sd_engine_take(e, plan));
  sd_status status = sd_plan_resolve(plan);
  return status ? sd_plan_set(plan, "param", family->fit) : SD_OK;
}

static sd_status digest_of(const sd_request *r, const sd_engine *e, const sd_method_entry *method, const char *problem,
                           char digest[33]) {
  sd_plan *plan = NULL;
  sd_result *result = NULL;
  sd_status status = make_plan(&plan, r, e, method, problem);
  if (!status) status = sd_run(plan, &result);
  if (result) memcpy(digest, sd_result_digest(result), 33);
  if (status == SD_BODIES_FAILED) status = SD_OK; /* that they fail alike is part of the test */
  if (status && plan) sd_fail(&r->plan->error, status, "%s", sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

/* All pairs on one engine.  The first engine's digests are kept in `reference`; later ones are held against them. */
static sd_status try_engine(const sd_request *r, const sd_engine *e, char (*reference)[33], int first, sd_json *j,
                            int *wrong) {
  char all[33] = "", digest[33], where[80] = "";
  int pairs = 0, same = 0;
  for (int m = 0; m < sd_method_count(); m++)
    for (int p = 0; p < sd_problem_count(); p++) {
      const sd_method_entry *method = sd_method_at(m);
      const sd_problem_entry *problem = sd_problem_at(p);
      if (problem->family != method->family) continue;
      SD_TRY(digest_of(r, e, method, problem->id, digest));
      if (first) memcpy(reference[pairs], digest, sizeof digest);
      int equal = !strcmp(digest, reference[pairs]);
      if (!equal && !*where) snprintf(where, sizeof where, "%s on %s", method->id, problem->id);
      same += equal;
      sd_digest_join(all, digest);
      pairs++;
    }
  *wrong += same != pairs;
  if (!r->display.json) {
    printf("%s  %d of %d  %s%s%s\n", all, same, pairs, e->text, *where ? "; first different: " : "", where);
    fflush(stdout);
    return SD_OK;
  }
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "engine", e->text);
  sd_json_text(j, "digest", all);
  sd_json_whole(j, "pairs", pairs);
  sd_json_whole(j, "same", same);
  if (*where) sd_json_text(j, "first_different", where);
  sd_json_close(j, '}');
  return SD_OK;
}

int sd_command_selftest(const sd_request *r) {
  static sd_engine engines[SD_ENGINES_MOST];
  static char reference[PAIRS_MOST][33];
  char why[256];
  int count = sd_engines(engines, why), wrong = 0;
  sd_status status = SD_OK;
  sd_json j = {.to = stdout};
  sd_catch_signals(r->plan);
  if (r->display.json) sd_json_open(&j, NULL, '[');
  else printf("%-32s  the same bits as %s\n", "digest of all", engines[0].text);
  for (int i = 0; i < count && !status && !ferror(stdout); i++) /* for nobody, if nobody reads */
    status = try_engine(r, &engines[i], reference, i == 0, &j, &wrong);
  if (r->display.json) sd_json_close(&j, ']');
  if (status) return sd_complain(r->plan, status);
  if (wrong && !r->display.json)
    printf("\nThese should all be equal.  Please report the lines above with the compiler and, for a device, its "
           "driver.\n");
  return wrong ? 1 : 0;
}
