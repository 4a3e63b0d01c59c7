/* run.c - the story: for each method, begin a simulation, advance it to the end, conclude it; saved now and then. */
#include "run.h"

#include "backend.h"
#include "duration.h"
#include "file_lock.h"
#include "own.h"
#include "plan.h"
#include "ranks.h"
#include "simulation.h"

#include <string.h>

/* One method of the run. */
typedef struct {
  sd_simulation simulation;
  sd_plan *plan;
  int m;
  double saved;   /* when, in seconds of the simulation; or tried to */
  double unsaved; /* seconds of batches that are done */
  int stopping;   /* once this method is done */
} leg;

/* What cannot be saved does not end the run: it is noted, and tried again when it is next due. */
static void save_snapshot(const sd_plan *plan, sd_result *result, sd_position at, const sd_ensemble *ensemble,
                          const sd_point_rows *seen) {
  sd_error error = {0};
  const sd_place *place = &plan->place;
  sd_until until = plan->settings.until;
  until.every = plan->settings.every;
  sd_provenance provenance = {plan->study, plan->number, *place->output ? place->output : plan->begun_with, until};
  sd_snapshot_save(place->checkpoint, &provenance, result, at, ensemble, seen, &error);
  memcpy(result->trouble, error.message, sizeof result->trouble);
  if (error.status) return;
  result->checkpoint_lost = 0;
  result->saved[0] = at.method;
  result->saved[1] = at.step;
}

/* The method's bodies, series and trajectories as they are now, and all that was done before it. */
static sd_status save(leg *l) {
  const sd_simulation *s = &l->simulation;
  sd_position at = {s->m, s->job.from_step, sd_simulation_seconds(s), s->first_point};
  SD_TRY(s->backend->store(s->backend, s->error));
  save_snapshot(l->plan, s->result, at, &s->ensemble, &s->seen);
  l->saved = sd_simulation_seconds(s);
  l->unsaved = 0;
  return SD_OK;
}

/* An interruption whose checkpoint could not be saved: what is there in its place. */
static sd_status interrupted_unsaved(sd_plan *plan, const sd_result *result) {
  char older[160] = "nothing of the run is saved";
  const sd_specification *spec = result->spec;
  if (result->saved[0] >= 0 && result->saved[0] < spec->method_count)
    snprintf(older, sizeof older, "last saved: %.40s, step %lld of %lld", spec->methods[result->saved[0]].name,
             (long long)result->saved[1], (long long)spec->total_steps);
  plan->error = (sd_error){0};
  return sd_fail(&plan->error, SD_INTERRUPTED, "interrupted, and this state could not be saved: %.300s; %s",
                 result->trouble, older);
}

static void tell_saved(const sd_plan *plan, const char *path) {
  if (plan->watch.saved) plan->watch.saved(plan->watch.saved_data, path);
}

/* Somebody wants it to end, or the clock does. */
static sd_status stop(sd_plan *plan) {
  char limit[32];
  plan->error = (sd_error){0};
  if (!sd_plan_is_overdue(plan)) return sd_fail(&plan->error, SD_INTERRUPTED, "interrupted");
  return sd_fail(&plan->error, SD_INTERRUPTED, "max-time %s is over",
                 sd_duration_text(plan->place.seconds_most, limit));
}

/* Is it time to save, or to stop? */
static sd_status between_chunks(void *data) {
  leg *l = data;
  sd_plan *plan = l->plan;
  const sd_simulation *s = &l->simulation;
  const sd_result *result = s->result;
  sd_status status = sd_simulation_report(s);
  if (!status && sd_plan_is_overdue(plan)) status = stop(plan);
  if (!*plan->place.checkpoint && sd_control_take_save(plan->watch.control)) tell_saved(plan, NULL);
  if (s->job.from_step == s->spec->total_steps) { /* the method is done but for its statistics */
    l->stopping = status == SD_INTERRUPTED;
    plan->error = (sd_error){0};
    return SD_OK;
  }
  if (!*plan->place.checkpoint) return status;
  int asked = sd_control_take_save(plan->watch.control);
  if (!status && !asked && l->unsaved + sd_simulation_seconds(s) - l->saved < plan->place.checkpoint_every)
    return SD_OK;
  sd_error told = plan->error;
  plan->error = (sd_error){0};
  SD_TRY(save(l));
  if (status == SD_INTERRUPTED && *result->trouble) return interrupted_unsaved(plan, result);
  if (asked && !*result->trouble) tell_saved(plan, plan->place.checkpoint);
  plan->error = told;
  return status;
}

/* After a method, or a batch of its points. */
static void save_between(sd_plan *plan, sd_result *result, sd_position at) {
  int asked = sd_control_take_save(plan->watch.control); /* since its last chunk */
  save_snapshot(plan, result, at, NULL, NULL);
  if (asked && !*result->trouble) tell_saved(plan, plan->place.checkpoint);
}

/* From a snapshot of its middle, or from its beginning.  Where there is a checkpoint, no flag may cut a chunk short:
 * what is saved must not be half done. */
static sd_status run_leg(leg *l, sd_backend *backend, sd_result *result, const sd_snapshot *from) {
  sd_plan *plan = l->plan;
  const sd_specification *spec = result->spec;
  size_t first = from ? from->at.point : result->points_done;
  l->simulation = (sd_simulation){.spec = spec,
                                  .watch = plan->watch,
                                  .error = &plan->error,
                                  .m = l->m,
                                  .first_point = first,
                                  .points = sd_batch_from(spec, first),
                                  .backend = backend,
                                  .result = result,
                                  .seen = l->simulation.seen, /* the batch before's */
                                  .cut = *plan->place.checkpoint ? NULL : plan->watch.control,
                                  .between = between_chunks,
                                  .data = l};
  sd_status status = sd_simulation_begin(&l->simulation, from);
  if (!status) status = sd_simulation_go(&l->simulation, spec->total_steps);
  if (!status) status = sd_simulation_conclude(&l->simulation);
  l->unsaved += sd_simulation_seconds(&l->simulation) - l->saved;
  l->saved = 0;
  sd_simulation_end(&l->simulation);
  return status;
}

static sd_status run_legs(leg *l, sd_backend *backend, sd_result *result, const sd_snapshot *from) {
  sd_plan *plan = l->plan;
  const int m = l->m;
  while (result->done == (size_t)m) {
    SD_TRY(run_leg(l, backend, result, from));
    from = NULL;
    int done = result->done > (size_t)m, due = done || l->stopping || l->unsaved >= plan->place.checkpoint_every;
    if (*plan->place.checkpoint && due) {
      save_between(plan, result, (sd_position){.method = m + done, .point = result->points_done});
      l->unsaved = 0;
    }
    if (l->stopping && !done)
      return *plan->place.checkpoint && *result->trouble ? interrupted_unsaved(plan, result) : stop(plan);
  }
  return l->stopping && m + 1 < result->spec->method_count ? stop(plan) : SD_OK;
}

static sd_status run_method(sd_plan *plan, int m, sd_backend *backend, sd_result *result, const sd_snapshot *from) {
  leg l = {.plan = plan, .m = m, .saved = from ? from->at.seconds : 0};
  sd_status status = run_legs(&l, backend, result, from);
  sd_point_rows_destroy(&l.simulation.seen);
  return status;
}

/* A device that has failed, or has no room for the bodies: may the processor go on?  If it is the host that has no
 * memory, the processor will say so. */
static int falls_back(const sd_plan *plan, int m, const sd_backend *backend, const sd_result *result,
                      sd_status status) {
  int of_device = strcmp(backend->name, "cpu") && (status == SD_DEVICE || status == SD_NO_MEMORY);
  return plan->place.fallback && of_device && result->done == (size_t)m;
}

/* What is left of the plan is the processor's own, from the snapshot on if there is one of this method. */
static sd_status fall_back(sd_plan *plan, int m, sd_backend **backend, sd_result *result, const sd_snapshot *from) {
  snprintf(result->why, sizeof result->why, "%.200s; the processor went on", plan->error.message);
  plan->error = (sd_error){0};
  sd_series_destroy(&result->series[m]);
  sd_share_destroy(&result->shares[m]);
  (*backend)->destroy(*backend);
  *backend = NULL;
  SD_TRY(sd_own_prepare(result->spec->problem, result->spec->methods, result->spec->method_count,
                        plan->place.variant.name, &plan->error));
  SD_TRY(sd_backend_cpu_create(backend, &plan->place, &plan->error));
  return from ? sd_snapshot_rewind(result, from, &plan->error) : SD_OK;
}

/* The checkpoint, or the one before it, that the run goes on from. */
static void note_loaded(sd_result *result, const sd_snapshot *snapshot) {
  if (!snapshot->file) return;
  result->checkpoint_lost = *sd_checkpoint_remark(snapshot->file) != 0;
  result->saved[0] = snapshot->at.method;
  result->saved[1] = snapshot->at.step;
}

static sd_status run_all(sd_plan *plan, int anew, sd_result *result, sd_backend **running) {
  sd_snapshot snapshot;
  sd_status status = sd_snapshot_load(anew ? "" : plan->place.checkpoint, result, &snapshot, &plan->error);
  note_loaded(result, &snapshot);
  for (int m = (int)result->done; m < result->spec->method_count && !status; m++) {
    int midway = snapshot.file && m == snapshot.at.method && snapshot.at.step;
    const sd_snapshot *from = midway ? &snapshot : NULL;
    status = run_method(plan, m, *running, result, from);
    if (!falls_back(plan, m, *running, result, status)) continue;
    if (from && result->points_done > from->at.point) from = NULL;
    status = fall_back(plan, m, running, result, from);
    if (!status) status = run_method(plan, m, *running, result, from);
  }
  sd_snapshot_close(&snapshot);
  if (!*running) return status;
  sd_status failed = sd_result_conclude(result, *running);
  if (!status) status = failed;
  if ((!status || status == SD_BODIES_FAILED) && *result->trouble)
    status = sd_fail(&plan->error, SD_NOT_SAVED,
                     "the results are complete, but the checkpoint is not up to date: %.400s", result->trouble);
  return status;
}

static void end_backend(sd_backend *backend, sd_result *result) {
  sd_backend_end_run(backend);
  if (result) {
    result->ranks = backend->ranks;
    result->handed_out = backend->handed_out;
    result->sent = backend->sent;
  }
  backend->destroy(backend);
}

sd_status sd_run_once(sd_plan *plan, int anew, sd_result **created) {
  *created = NULL;
  sd_backend *backend = NULL;
  sd_file_lock lock = SD_NO_LOCK;
  sd_status status = sd_result_create(created, plan->specification, &plan->error);
  if (!status) (*created)->with_series = plan->with_series;
  if (!status) status = sd_backend_for(&backend, &plan->place, (*created)->spec, (*created)->why, &plan->error);
  if (!status && sd_is_ranked(plan->place.ranks))
    status = sd_backend_ranks_create(&backend, backend, &plan->place, (*created)->spec, plan->settings.until.doublings,
                                     &plan->error);
  if (!status && *plan->place.checkpoint) {
    status = sd_file_lock_take(&lock, plan->place.checkpoint, &plan->error);
    if (!status) status = sd_checkpoint_check(plan->place.checkpoint, &plan->error);
  }
  if (!status) status = run_all(plan, anew, *created, &backend);
  sd_file_lock_release(&lock);
  if (backend) end_backend(backend, *created);
  if (sd_status_has_result(status) || (status == SD_CRASHED && (*created)->done)) return status;
  sd_result_destroy(*created);
  *created = NULL;
  return status;
}

sd_status sd_plan_machine(sd_plan *plan, char words[160]) {
  sd_backend *backend = NULL;
  char why[256];
  SD_TRY(sd_plan_prepare(plan));
  sd_status status = sd_backend_for(&backend, &plan->place, plan->specification, why, &plan->error);
  if (!status) sd_backend_words(backend, plan->specification, words);
  if (backend) backend->destroy(backend);
  return status;
}

/* All ranks have the plan ready; the first one runs it, with the others at its service. */
sd_status sd_run(sd_plan *plan, sd_result **created) {
  sd_ranks *ranks = plan->place.ranks;
  *created = NULL;
  SD_TRY(sd_plan_prepare(plan));
  if (sd_is_ranked(ranks) && ranks->mine) return sd_ranks_serve(plan);
  int claimed = plan->deadline > 0;
  if (!claimed) sd_plan_start_clock(plan);
  sd_status status = plan->settings.until.wanted ? sd_run_until_decided(plan, created) : sd_run_once(plan, 0, created);
  if (!claimed) plan->deadline = 0;
  sd_ranks_dismiss(ranks, status);
  return status;
}
