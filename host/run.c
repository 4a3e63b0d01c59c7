/* run.c - the story: for each method, begin the bodies, advance them chunk by chunk, look at what they did. */
#include "run.h"

#include "backend.h"
#include "digest.h"
#include "ensemble.h"
#include "file_lock.h"
#include "output_file.h"
#include "partials.h"
#include "snapshot.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One method on its bodies. */
typedef struct {
  sd_plan *plan;
  int m;
  const sd_kernels *kernels;
  sd_backend *backend;
  sd_result *result;
  sd_ensemble ensemble;
  sd_series *series;
  sd_job job;
  int64_t rows;        /* of samples that the backend has room for */
  double begun, saved; /* saved: or tried to */
  int stopping;        /* once this method is done */
} leg;

enum { ROW_BYTES = 1 << 25 }; /* of the sample rows */

static sd_job make_job(const leg *l) {
  const sd_plan *plan = l->plan;
  const sd_method *method = &plan->methods[l->m];
  const sd_schedule *s = &l->result->schedule;
  sd_job job = {.origin = plan->first_body,
                .seed = plan->seed,
                .impulses = plan->impulses,
                .step = plan->h,
                .stages = method->stages,
                .total_steps = plan->total_steps,
                .every = plan->sample_every,
                .first_half = s->first_half,
                .half_mean = {s->half[0].mean, s->half[1].mean}};
  memcpy(job.sigma, plan->sigma, sizeof job.sigma);
  memcpy(job.parameters, plan->parameters, sizeof job.parameters);
  memcpy(job.impulse, plan->impulse, sizeof job.impulse);
  memcpy(job.method, plan->method_parameters[l->m], sizeof job.method);
  memcpy(job.stage, method->stage, (size_t)method->stages * sizeof *job.stage);
  plan->problem->constants(job.parameters, job.constants);
  return job;
}

/* States of the first members as they are now. */
static sd_status export_states(leg *l, const sd_states *states, size_t sample) {
  size_t count = states->members;
  if (!count) return SD_OK;
  double *exported = calloc((states->numbers + 1) * count, sizeof(double));
  if (!exported) return sd_fail(&l->plan->error, SD_NO_MEMORY, "states of %zu bodies: out of memory", count);
  sd_status status = l->backend->export_states(l->backend, l->kernels, &l->job, count, exported, &l->plan->error);
  if (!status) sd_states_take(states, sample, exported);
  free(exported);
  return status;
}

static double sample_time(const sd_plan *plan, int64_t sample) {
  int64_t step = sample * plan->sample_every;
  return (double)(step < plan->total_steps ? step : plan->total_steps) * plan->h;
}

/* Samples first .. last-1 have just been taken: reduces their rows, records the trajectories (then it is one sample).
 */
static sd_status take_samples(leg *l, int64_t first, int64_t last) {
  uint16_t rows[SD_ROWS_MOST];
  double times[SD_ROWS_MOST];
  sd_sample *samples = l->series->sample + l->series->count;
  size_t kept = 0;
  for (int64_t k = first; k < last; k++) {
    if (!sd_series_keeps(l->series, &l->result->schedule, k)) continue;
    rows[kept] = (uint16_t)(k - first);
    times[kept++] = sample_time(l->plan, k);
  }
  if (kept) SD_TRY(sd_reduce_rows(&l->backend->parts, rows, kept, samples, &l->plan->error));
  for (size_t i = 0; i < kept; i++) samples[i].time = times[i];
  l->series->count += kept;
  if (first == last || !l->plan->recorded) return SD_OK;
  return export_states(l, &l->result->trajectories[l->m], (size_t)first);
}

static sd_status report_progress(const leg *l) {
  sd_plan *plan = l->plan;
  if (!plan->progress) return SD_OK;
  double part = (double)l->job.from_step / (double)plan->total_steps, taken = now() - l->begun;
  const sd_sample *last = l->series->count ? &l->series->sample[l->series->count - 1] : NULL;
  double all = (double)plan->total_steps * (double)plan->bodies;
  sd_report report = {.method = plan->methods[l->m].name,
                      .done = (l->m + part) / plan->method_count,
                      .body_steps = (l->m + part) * all,
                      .body_steps_total = plan->method_count * all,
                      .body_steps_per_second = part * all / taken};
  if (last && last->members) report.worst_error = fmax(-last->lowest, last->highest);
  if (last) report.failed = plan->bodies - last->members;
  if (*l->result->trouble) report.trouble = l->result->trouble;
  return plan->progress(plan->progress_data, &report) ? sd_fail(&plan->error, SD_INTERRUPTED, "interrupted") : SD_OK;
}

/* What cannot be saved does not end the run: it is noted, and tried again when it is next due. */
static void save_snapshot(const sd_plan *plan, sd_result *result, sd_position at, const sd_ensemble *ensemble) {
  sd_error error = {0};
  sd_snapshot_save(plan, result, at, ensemble, &error);
  memcpy(result->trouble, error.message, sizeof result->trouble);
  if (error.status) return;
  result->checkpoint_lost = 0;
  result->saved[0] = at.method;
  result->saved[1] = at.step;
}

/* The method's bodies, series and trajectories as they are now, and all that was done before it. */
static sd_status save(leg *l) {
  sd_position at = {l->m, l->job.from_step, now() - l->begun};
  SD_TRY(l->backend->store(l->backend, &l->plan->error));
  save_snapshot(l->plan, l->result, at, &l->ensemble);
  l->saved = now();
  return SD_OK;
}

/* An interruption whose checkpoint could not be saved: what is there in its place. */
static sd_status interrupted_unsaved(sd_plan *plan, const sd_result *result) {
  char older[160] = "nothing of the run is saved";
  if (result->saved[0] >= 0 && result->saved[0] < plan->method_count)
    snprintf(older, sizeof older, "last saved: %.40s, step %lld of %lld", plan->methods[result->saved[0]].name,
             (long long)result->saved[1], (long long)plan->total_steps);
  plan->error = (sd_error){0};
  return sd_fail(&plan->error, SD_INTERRUPTED, "interrupted, and this state could not be saved: %.300s; %s",
                 result->trouble, older);
}

static void tell_saved(const sd_plan *plan, const char *path) {
  if (plan->saved) plan->saved(plan->saved_data, path);
}

/* Is it time to save, or to stop? */
static sd_status between_chunks(leg *l) {
  sd_plan *plan = l->plan;
  sd_status status = report_progress(l);
  if (!status && sd_control_stopped(plan->control)) status = sd_fail(&plan->error, SD_INTERRUPTED, "interrupted");
  if (!*plan->checkpoint && sd_control_take_save(plan->control)) tell_saved(plan, NULL);
  if (l->job.from_step == plan->total_steps) { /* the method is done but for its statistics */
    l->stopping = status == SD_INTERRUPTED;
    plan->error = (sd_error){0};
    return SD_OK;
  }
  if (!*plan->checkpoint) return status;
  int asked = sd_control_take_save(plan->control);
  if (!status && !asked && now() - l->saved < plan->checkpoint_every) return SD_OK;
  sd_error told = plan->error;
  plan->error = (sd_error){0};
  SD_TRY(save(l));
  if (status == SD_INTERRUPTED && *l->result->trouble) return interrupted_unsaved(plan, l->result);
  if (asked && !*l->result->trouble) tell_saved(plan, plan->checkpoint);
  plan->error = told;
  return status;
}

/* All steps, in chunks of about a fifth of a second so that progress and interruption stay responsive, and of no more
 * samples than there are rows for.  Only here may a flag cut the work short, and not where there is a checkpoint: what
 * is saved must not be half done. */
static sd_status advance(leg *l) {
  const sd_control *control = *l->plan->checkpoint ? NULL : l->plan->control;
  const double target = 0.2;
  double chunk = 1; /* a single step of many bodies, or of many substeps, may take long */
  sd_job *job = &l->job;
  while (job->from_step < job->total_steps) {
    double left = (double)(job->total_steps - job->from_step), begun = now();
    job->to_step = job->from_step + (int64_t)(chunk < left ? chunk : left);
    job->first_sample = job->from_step / job->every + 1;
    int64_t room = (job->first_sample + l->rows - 1) * job->every;
    if (job->to_step > room) job->to_step = room;
    SD_TRY(l->backend->run(l->backend, l->kernels->advance, job, control, &l->plan->error));
    SD_TRY(take_samples(l, job->first_sample, sd_samples_until(l->plan, &l->result->schedule, job->to_step)));
    double taken = now() - begun, factor = taken > 0 ? target / taken : 8;
    chunk = (double)(job->to_step - job->from_step) * (factor > 8 ? 8 : factor);
    if (chunk < 1) chunk = 1;
    job->from_step = job->to_step;
    SD_TRY(between_chunks(l));
  }
  return SD_OK;
}

static sd_status create_leg(leg *l, const sd_snapshot *from) {
  sd_plan *plan = l->plan;
  SD_TRY(sd_ensemble_create(&l->ensemble, plan, l->kernels, &plan->error));
  if (from) SD_TRY(sd_snapshot_restore(from, &l->ensemble, &plan->error));
  else SD_TRY(sd_series_create(l->series, &l->result->schedule, &plan->error));
  l->rows = (int64_t)(ROW_BYTES / (l->ensemble.stride * sizeof(double)));
  if (l->rows > SD_ROWS_MOST) l->rows = SD_ROWS_MOST;
  if (l->rows > l->result->schedule.samples) l->rows = l->result->schedule.samples;
  if (plan->recorded || l->rows < 1) l->rows = 1;
  l->job = make_job(l);
  l->job.from_step = from ? from->at.step : 0;
  if (from) l->begun -= from->at.seconds;
  return l->backend->load(l->backend, &l->ensemble, l->rows, &plan->error);
}

static sd_status integrate(leg *l) {
  sd_plan *plan = l->plan;
  sd_summary *summary = &l->result->summaries[l->m];
  strcpy(summary->method, plan->methods[l->m].name);
  summary->problem = plan->problem->id;
  summary->step = plan->h;
  summary->time = plan->total_time;
  if (!l->job.from_step) {
    SD_TRY(l->backend->run(l->backend, l->kernels->begin, &l->job, NULL, &plan->error));
    SD_TRY(take_samples(l, 0, 1));
  }
  SD_TRY(advance(l));
  SD_TRY(export_states(l, &l->result->finals[l->m], 0));
  SD_TRY(l->backend->store(l->backend, &plan->error));
  summary->seconds = now() - l->begun; /* with all that went to a device and came back */
  summary->ns_per_body_step = summary->seconds * 1e9 / ((double)plan->bodies * (double)plan->total_steps);
  return sd_summarise(&l->ensemble, &l->result->schedule, l->series, plan->total_steps, plan->methods[l->m].stages,
                      l->backend->threads, summary, &plan->error);
}

static sd_status digest(const leg *l) {
  sd_digest members;
  SD_TRY(sd_digest_members(&l->ensemble, l->backend->threads, &members, &l->plan->error));
  return sd_digest_method(l->plan, l->m, &members, l->series, &l->result->summaries[l->m], &l->plan->error);
}

/* From a snapshot of its middle, or from its beginning. */
static sd_status run_method(sd_plan *plan, int m, sd_backend *backend, sd_result *result, const sd_snapshot *from) {
  leg l = {.plan = plan, .m = m, .backend = backend, .result = result, .series = &result->series[m], .begun = now()};
  l.saved = l.begun;
  l.kernels = sd_find_kernels(plan->methods[m].entry, plan->problem, backend->variant);
  sd_status status = create_leg(&l, from);
  if (!status) status = integrate(&l);
  if (!status) status = digest(&l);
  if (!status) result->done++;
  sd_position after = {m + 1, 0, 0};
  if (!status && *plan->checkpoint) {
    int asked = sd_control_take_save(plan->control); /* since its last chunk */
    save_snapshot(plan, result, after, NULL);
    if (asked && !*result->trouble) tell_saved(plan, plan->checkpoint);
  }
  backend->unload(backend);
  sd_ensemble_destroy(&l.ensemble);
  if (!status && l.stopping && m + 1 < plan->method_count) return sd_fail(&plan->error, SD_INTERRUPTED, "interrupted");
  return status;
}

static sd_status copy_starts(sd_starts *to, const sd_starts *from, sd_error *error) {
  *to = (sd_starts){.count = from->count, .room = from->count, .width = from->width};
  if (!from->count) return SD_OK;
  to->member = malloc(from->count * sizeof *to->member);
  to->number = malloc(from->count * from->width * sizeof *to->number);
  if (!to->member || !to->number) return sd_fail(error, SD_NO_MEMORY, "result: out of memory");
  memcpy(to->member, from->member, from->count * sizeof *to->member);
  memcpy(to->number, from->number, from->count * from->width * sizeof *to->number);
  return SD_OK;
}

sd_status sd_result_create(sd_result **created, sd_plan *plan) {
  sd_result *result = *created = calloc(1, sizeof *result);
  if (!result) return sd_fail(&plan->error, SD_NO_MEMORY, "result: out of memory");
  size_t methods = (size_t)plan->method_count;
  result->plan = *plan; /* the texts and the study are the plan's own, which may end before the result */
  result->plan.checkpoint = result->plan.output = result->plan.begun_with = NULL;
  result->plan.study = NULL;
  result->plan.starts = (sd_starts){0};
  result->saved[0] = -1;
  SD_TRY(copy_starts(&result->plan.starts, &plan->starts, &plan->error));
  result->schedule = sd_schedule_make(plan->h, plan->total_steps, plan->sample_every);
  result->summaries = calloc(methods, sizeof *result->summaries);
  result->series = calloc(methods, sizeof *result->series);
  result->finals = calloc(methods, sizeof *result->finals);
  result->trajectories = calloc(methods, sizeof *result->trajectories);
  if (!result->summaries || !result->series || !result->finals || !result->trajectories)
    return sd_fail(&plan->error, SD_NO_MEMORY, "result: out of memory");
  size_t samples = plan->recorded ? (size_t)result->schedule.samples : 0;
  for (size_t m = 0; m < methods; m++) {
    SD_TRY(sd_states_create(&result->finals[m], plan->problem->family, 1, plan->finals, &plan->error));
    SD_TRY(sd_states_create(&result->trajectories[m], plan->problem->family, samples, plan->recorded, &plan->error));
  }
  return SD_OK;
}

/* A device that has failed, or has no room for the bodies: may the processor go on?  If it is the host that has no
 * memory, the processor will say so. */
static int falls_back(const sd_plan *plan, int m, const sd_backend *backend, const sd_result *result,
                      sd_status status) {
  int of_device = strcmp(backend->name, "cpu") && (status == SD_DEVICE || status == SD_NO_MEMORY);
  return plan->fallback && of_device && result->done == (size_t)m;
}

/* What is left of the plan is the processor's own, from the snapshot on if there is one of this method. */
static sd_status fall_back(sd_plan *plan, int m, sd_backend **backend, sd_result *result, const sd_snapshot *from) {
  snprintf(result->why, sizeof result->why, "%.200s; the processor went on", plan->error.message);
  plan->error = (sd_error){0};
  sd_series_destroy(&result->series[m]);
  (*backend)->destroy(*backend);
  SD_TRY(sd_backend_cpu_create(backend, plan, &plan->error));
  return from ? sd_snapshot_rewind(plan, result, from, &plan->error) : SD_OK;
}

/* The checkpoint, or the one before it, that the run goes on from. */
static void note_loaded(sd_result *result, const sd_snapshot *snapshot) {
  if (!snapshot->file) return;
  result->checkpoint_lost = *sd_checkpoint_remark(snapshot->file) != 0;
  result->saved[0] = snapshot->at.method;
  result->saved[1] = snapshot->at.step;
}

static sd_status run_all(sd_plan *plan, sd_result *result, sd_backend **running) {
  sd_snapshot snapshot;
  sd_status status = sd_snapshot_load(plan, result, &snapshot, &plan->error);
  note_loaded(result, &snapshot);
  for (int m = (int)result->done; m < plan->method_count && !status; m++) {
    int midway = snapshot.file && m == snapshot.at.method && snapshot.at.step;
    const sd_snapshot *from = midway ? &snapshot : NULL;
    status = run_method(plan, m, *running, result, from);
    if (!falls_back(plan, m, *running, result, status)) continue;
    status = fall_back(plan, m, running, result, from);
    if (!status) status = run_method(plan, m, *running, result, from);
  }
  sd_snapshot_close(&snapshot);
  for (size_t m = 0; m < result->done; m++)
    if (m) sd_digest_join(result->digest, result->summaries[m].digest);
    else memcpy(result->digest, result->summaries[m].digest, sizeof result->digest);
  const sd_backend *backend = *running;
  if (!backend) return status;
  result->backend = backend->name;
  result->variant = backend->variant;
  result->threads = backend->threads;
  memcpy(result->devices, backend->devices, sizeof result->devices);
  for (size_t m = 0; m < result->done && !status; m++)
    if (result->summaries[m].failed) status = SD_BODIES_FAILED;
  if ((!status || status == SD_BODIES_FAILED) && *result->trouble)
    status = sd_fail(&plan->error, SD_NOT_SAVED,
                     "the results are complete, but the checkpoint is not up to date: %.400s", result->trouble);
  return status;
}

sd_status sd_run(sd_plan *plan, sd_result **created) {
  *created = NULL;
  SD_TRY(sd_plan_resolve(plan));
  sd_backend *backend = NULL;
  sd_file_lock lock = SD_NO_LOCK;
  sd_status status = sd_result_create(created, plan);
  if (!status) status = sd_backend_create(&backend, plan, (*created)->why, &plan->error);
  if (!status && *plan->checkpoint) {
    status = sd_file_lock_take(&lock, plan->checkpoint, &plan->error);
    if (!status) status = sd_checkpoint_check(plan->checkpoint, &plan->error);
  }
  if (!status) status = run_all(plan, *created, &backend);
  sd_file_lock_release(&lock);
  if (backend) backend->destroy(backend);
  if (!status || status == SD_BODIES_FAILED || status == SD_NOT_SAVED || status == SD_INTERRUPTED) return status;
  sd_result_destroy(*created);
  *created = NULL;
  return status;
}

void sd_result_destroy(sd_result *result) {
  if (!result) return;
  for (int m = 0; m < result->plan.method_count; m++) {
    if (result->series) sd_series_destroy(&result->series[m]);
    if (result->finals) sd_states_destroy(&result->finals[m]);
    if (result->trajectories) sd_states_destroy(&result->trajectories[m]);
  }
  free(result->series);
  sd_starts_destroy(&result->plan.starts);
  free(result->summaries);
  free(result->finals);
  free(result->trajectories);
  free(result);
}

/* ---- reading ---- */

size_t sd_result_count(const sd_result *result) {
  return result->done;
}
int sd_result_complete(const sd_result *result) {
  return result->done == (size_t)result->plan.method_count;
}
const sd_summary *sd_result_summary(const sd_result *result, size_t index) {
  return &result->summaries[index];
}
size_t sd_result_sample_count(const sd_result *result, size_t method) {
  return result->series[method].count;
}
const sd_sample *sd_result_sample(const sd_result *result, size_t method, size_t index) {
  return &result->series[method].sample[index];
}
size_t sd_result_final_count(const sd_result *result) {
  return result->plan.finals;
}
size_t sd_result_trajectory_count(const sd_result *result) {
  return result->plan.recorded;
}
size_t sd_result_trajectory_samples(const sd_result *result) {
  return (size_t)result->schedule.samples;
}

/* ---- arrays of states ---- */

static const sd_array energy_error = {"energy_error", "energy_error", 0, 1, 1, "energy", "E - E0"};

/* Array `index` of the family's, or the energy error after them; NULL beyond. */
static const sd_array *array_at(const sd_family *family, size_t index, size_t *first) {
  const sd_array *a = family->array;
  for (*first = 0; a->id && index; index--) *first += (size_t)sd_array_numbers(a++);
  return a->id ? a : index ? NULL : &energy_error;
}

size_t sd_result_array_count(const sd_result *result) {
  size_t count = 1;
  for (const sd_array *a = result->plan.problem->family->array; a->id; a++) count++;
  return count;
}

static sd_status view_states(const sd_result *result, const sd_states *s, size_t index, int with_samples,
                             sd_view *view) {
  size_t first, own = view->size;
  const sd_array *a = array_at(result->plan.problem->family, index, &first);
  if (!a || own < sizeof *view) return SD_BAD_INPUT;
  *view = (sd_view){.size = own, .id = a->id, .name = a->name, .units = a->units, .text = a->text};
  view->data = s->number + first;
  int rank = 0;
  if (with_samples) view->shape[rank] = s->samples, view->stride[rank++] = s->members * s->numbers;
  view->shape[rank] = s->members, view->stride[rank++] = s->numbers;
  if (a->rows > 1) view->shape[rank] = (size_t)a->rows, view->stride[rank++] = (size_t)a->columns;
  if (a->columns > 1) view->shape[rank] = (size_t)a->columns, view->stride[rank++] = 1;
  view->rank = rank;
  return SD_OK;
}

sd_status sd_result_final(const sd_result *result, size_t index, size_t array, sd_view *view) {
  return view_states(result, &result->finals[index], array, 0, view);
}
sd_status sd_result_trajectory(const sd_result *result, size_t index, size_t array, sd_view *view) {
  return view_states(result, &result->trajectories[index], array, 1, view);
}
const char *sd_result_final_status(const sd_result *result, size_t index, size_t member) {
  return sd_member_status_text(*sd_state_status(&result->finals[index], 0, member));
}
double sd_result_trajectory_time(const sd_result *result, size_t sample) {
  return sample_time(&result->plan, (int64_t)sample);
}
const char *sd_result_note(const sd_result *result) {
  return result->note;
}
const char *sd_result_trouble(const sd_result *result) {
  return result->trouble;
}
sd_status sd_results_save(const sd_result *const *results, size_t count, const char *path, char message[512]) {
  sd_error error = {0};
  sd_status status = sd_output_save(results, count, path, message, &error);
  if (status) snprintf(message, 512, "%s", error.message);
  return status;
}
const char *sd_result_digest(const sd_result *result) {
  return result->digest;
}
