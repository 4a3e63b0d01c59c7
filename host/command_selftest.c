/* command_selftest.c - spindrift selftest: every variant of the processor, and every CUDA device, against one lane of
 * one thread: each method on each problem, bit for bit. */
#include "commands.h"
#include "engine.h"
#include "interrupt.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 1024 };

/* A small ensemble of widely spread starts, so that neighbours need different numbers of iterations. */
static sd_status set_up(sd_plan *plan, const sd_engine *e, const char *method, const sd_problem_info *problem) {
  sd_family_info family;
  sd_start_info start = {.size = sizeof start};
  size_t f = sd_family_of(problem->family, &family);
  const char *settings[][2] = {{"problem", problem->id},
                               {"method", method},
                               {"members", family.systems ? "19" : "300"},
                               {"steps", family.systems ? "8" : "24"},
                               {"every", "5"},
                               {"threads", strcmp(e->unit, "scalar") ? "2" : "1"}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    SD_TRY(sd_plan_set(plan, settings[i][0], settings[i][1]));
  for (size_t i = 0; sd_list_start(f, i, &start); i++) SD_TRY(sd_plan_set(plan, start.option, start.wide));
  SD_TRY(sd_engine_take(e, plan));
  sd_status status = sd_plan_resolve(plan);
  return status == SD_BAD_INPUT ? sd_plan_set(plan, "param", family.fit) : status;
}

static sd_status digest_of(const sd_engine *e, const char *method, const sd_problem_info *problem, char digest[33],
                           sd_error *error) {
  sd_plan *plan = NULL;
  sd_result *result = NULL;
  sd_status status = sd_plan_create(&plan);
  if (status) return sd_fail(error, status, "out of memory");
  sd_catch_signals(plan);
  status = set_up(plan, e, method, problem);
  if (!status) status = sd_run(plan, &result);
  if (result) memcpy(digest, sd_result_digest(result), 33);
  if (status == SD_BODIES_FAILED) status = SD_OK; /* that they fail alike is part of the test */
  if (status) sd_fail(error, status, "%s", sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

/* What one engine made of all pairs. */
typedef struct {
  int pairs, same;
  char all[33], where[80]; /* the digest of all; the first that differs */
} account;

/* The first engine's digests are kept in `reference`; later ones are held against them. */
static sd_status try_pair(const sd_engine *e, const char *method, const sd_problem_info *problem, char (*reference)[33],
                          account *a, sd_error *error) {
  char digest[33];
  if (a->pairs == PAIRS_MOST) return sd_fail(error, SD_FAILED, "more than %d methods on problems", PAIRS_MOST);
  SD_TRY(digest_of(e, method, problem, digest, error));
  if (!*reference[a->pairs]) memcpy(reference[a->pairs], digest, sizeof digest);
  int equal = !strcmp(digest, reference[a->pairs]);
  if (!equal && !*a->where) snprintf(a->where, sizeof a->where, "%s on %s", method, problem->id);
  a->same += equal;
  a->pairs++;
  sd_digest_join(a->all, digest);
  return SD_OK;
}

static void show(const sd_request *r, const sd_engine *e, const account *a, sd_json *j) {
  if (!r->display.json) {
    printf("%s  %d of %d  %s%s%s\n", a->all, a->same, a->pairs, e->text, *a->where ? "; first different: " : "",
           a->where);
    fflush(stdout);
    return;
  }
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "engine", e->text);
  sd_json_text(j, "digest", a->all);
  sd_json_whole(j, "pairs", a->pairs);
  sd_json_whole(j, "same", a->same);
  if (*a->where) sd_json_text(j, "first_different", a->where);
  sd_json_close(j, '}');
}

/* All pairs on one engine. */
static sd_status try_engine(const sd_request *r, const sd_engine *e, char (*reference)[33], sd_json *j, int *wrong,
                            sd_error *error) {
  account a = {0};
  sd_method_info method = {.size = sizeof method};
  sd_problem_info problem = {.size = sizeof problem};
  for (size_t m = 0; sd_list_method(m, &method); m++)
    for (size_t p = 0; sd_list_problem(p, &problem); p++) {
      if (strcmp(problem.family, method.family)) continue;
      SD_TRY(try_pair(e, method.id, &problem, reference, &a, error));
    }
  *wrong += a.same != a.pairs;
  show(r, e, &a, j);
  return SD_OK;
}

int sd_command_selftest(const sd_request *r) {
  static sd_engine engines[SD_ENGINES_MOST];
  static char reference[PAIRS_MOST][33];
  char why[256];
  int count = sd_engines(engines, why), wrong = 0;
  sd_error error = {0};
  sd_json j = {.to = stdout};
  if (r->display.json) sd_json_open(&j, NULL, '[');
  else printf("%-32s  the same bits as %s\n", "digest of all", engines[0].text);
  for (int i = 0; i < count && !error.status && !ferror(stdout); i++) /* for nobody, if nobody reads */
    try_engine(r, &engines[i], reference, &j, &wrong, &error);
  if (r->display.json) sd_json_close(&j, ']');
  if (error.status) return sd_say(error.message), sd_exit_status(error.status);
  if (wrong && !r->display.json)
    printf("\nThese should all be equal.  Please report the lines above with the compiler and, for a device, its "
           "driver.\n");
  return wrong ? 1 : 0;
}
