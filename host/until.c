/* until.c - a run that goes on until every method has its verdict: the same plan with twice the length, and again.
 *
 * What comes of it is what a run of the last length gives, to the bit: samples, halves and windows are that length's
 * own, so each length is run from the beginning, and all of them together take twice the time of the last.  A
 * checkpoint is of the length at work, and says how often that was doubled. */
#include "number.h"
#include "plan.h"
#include "plan_text.h"
#include "run.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { TIMES_AS_LONG = 64 }; /* as asked for, by default */

/* Members that failed will not come back: no length helps them. */
static int is_done(const sd_result *result) {
  for (size_t m = 0; m < result->done; m++) {
    const sd_summary *s = &result->summaries[m];
    if (s->verdict == SD_UNDECIDED && s->reason != SD_MEMBERS_FAILED) return 0;
  }
  return 1;
}

/* How often the length of the run was doubled that a checkpoint is of; 0 where there is none, or none that can be read,
 * as whoever goes on from it will say. */
static int doublings_so_far(const char *checkpoint) {
  sd_stored_study study;
  sd_error ignored = {0};
  if (!*checkpoint || !sd_checkpoint_exists(checkpoint) || sd_stored_study_read(checkpoint, &study, &ignored)) return 0;
  int doublings = study.until.doublings;
  sd_stored_study_destroy(&study);
  return doublings;
}

sd_status sd_plan_make_longer(const sd_plan *plan, int doublings, sd_plan **longer, sd_error *error) {
  char steps[32];
  int64_t asked = plan->specification->total_steps;
  if (asked > SD_STEPS_MOST >> doublings)
    return sd_fail(error, SD_BAD_INPUT, "steps: at most %g", (double)SD_STEPS_MOST);
  if (sd_plan_copy(plan, longer)) return sd_fail(error, SD_NO_MEMORY, "plan: out of memory");
  snprintf(steps, sizeof steps, "%lld", (long long)asked << doublings);
  (*longer)->study = plan->study;
  (*longer)->number = plan->number;
  (*longer)->settings.until.doublings = doublings;
  sd_plan_next_source(*longer);
  sd_status status = sd_plan_set(*longer, "steps", steps);
  if (!status) status = sd_plan_resolve(*longer);
  return status ? sd_fail(error, status, "%s", sd_plan_message(*longer)) : SD_OK;
}

static void add_note(sd_result *result, const char *format, const char *why) {
  size_t used = strlen(result->note), room = sizeof result->note - used;
  sd_format(result->note + used, room, "%sundecided up to time %.15g, ", used ? "; " : "", result->spec->total_time);
  used = strlen(result->note);
  snprintf(result->note + used, sizeof result->note - used, "%s%.280s", format, why);
}

/* Is there a longer one to be run? */
static int goes_on(const sd_plan *plan, const sd_result *result, sd_status status) {
  if (status && status != SD_BODIES_FAILED && status != SD_NOT_SAVED) return 0;
  if (is_done(result)) return 0;
  double most = plan->settings.until.most, time = result->spec->total_time;
  if (!(most > 0)) most = TIMES_AS_LONG * plan->specification->total_time;
  return 2 * time <= most * (1 + 1e-9);
}

/* The next length: in place of the one before only if it is complete, which the one before is. */
static sd_status run_longer(sd_plan *plan, int doublings, int anew, sd_result **created) {
  sd_plan *longer = NULL;
  sd_result *next = NULL;
  sd_error error = {0};
  sd_status status = sd_plan_make_longer(plan, doublings, &longer, &error);
  if (!status) {
    status = sd_run_once(longer, anew, &next);
    error = longer->error;
  }
  sd_plan_destroy(longer);
  plan->error = error;
  if (*created && !(next && sd_result_complete(next))) {
    add_note(*created, "and no longer: ", *error.message ? error.message : sd_status_text(status));
    sd_result_destroy(next);
    return status;
  }
  sd_result_destroy(*created);
  *created = next;
  return status;
}

static sd_status run_lengths(sd_plan *plan, sd_result **created) {
  int doublings = doublings_so_far(plan->place.checkpoint);
  sd_status status = run_longer(plan, doublings, 0, created);
  while (*created && goes_on(plan, *created, status)) {
    sd_status further = run_longer(plan, ++doublings, 1, created);
    if (further == SD_BAD_INPUT) return plan->error = (sd_error){0}, status; /* it is as long as it can be */
    status = further;
  }
  if (*created && status != SD_INTERRUPTED && !is_done(*created)) add_note(*created, "as far as --max-time goes", "");
  return status;
}

sd_status sd_run_until_decided(sd_plan *plan, sd_result **created) {
  char *asked = plan->study ? NULL : sd_plans_text(&plan, 1);
  if (!plan->study && !asked) return sd_fail(&plan->error, SD_NO_MEMORY, "plan: out of memory");
  if (asked) plan->study = asked;
  sd_status status = run_lengths(plan, created);
  if (asked) plan->study = NULL;
  free(asked);
  if (sd_status_has_result(status) || status == SD_CRASHED) return status;
  sd_result_destroy(*created); /* other failures come without */
  *created = NULL;
  return status;
}
