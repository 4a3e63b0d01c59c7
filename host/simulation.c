#include "simulation.h"

#include "digest.h"
#include "event_log.h"
#include "kept.h"
#include "larger.h"
#include "moments.h"
#include "number.h"
#include "partials.h"
#include "plan.h"
#include "statistics.h"

#include "../kernels/witness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a user does between two calls is not counted. */
static void start_clock(sd_simulation *s) {
  s->begun = now() - s->seconds;
}
static sd_status stop_clock(sd_simulation *s, sd_status status) {
  s->seconds = now() - s->begun;
  return status;
}
double sd_simulation_seconds(const sd_simulation *s) {
  return now() - s->begun;
}

/* ---- the beginning ---- */

static sd_job make_job(const sd_simulation *s) {
  const sd_specification *spec = s->spec;
  const sd_method *method = &spec->methods[s->m];
  const sd_schedule *schedule = &s->result->schedule;
  const sd_numbers *common = &s->ensemble.variety.common;
  sd_job job = {.first_member = spec->first_member,
                .each = sd_is_swept(spec) ? spec->each : 0,
                .varied = s->ensemble.variety.map,
                .seed = spec->seed,
                .burns = spec->burns,
                .events = spec->events,
                .entries = spec->entries,
                .correlated = spec->covariance.given,
                .step = common->step,
                .stages = method->stages,
                .total_steps = spec->total_steps,
                .every = spec->sample_every,
                .first_half = schedule->first_half,
                .half_mean = {common->half_mean[0], common->half_mean[1]},
                .taper_mean = schedule->tapered.mean,
                .witness_length = s->series->witness_length,
                .witness_row = s->rows,
                .ledger_row = s->job.ledger_row,
                .coordinate_row = s->job.coordinate_row};
  if (s->ensemble.topology) job.topology = *s->ensemble.topology;
  job.skin = s->backend->skin;
  job.differing = s->ensemble.differences.map;
  job.largest_diameter = s->ensemble.differences.largest;
  memcpy(job.sigma, spec->sigma, sizeof job.sigma);
  memcpy(job.parameters, common->parameters, sizeof job.parameters);
  memcpy(job.constants, common->constants, sizeof job.constants);
  job.impulses = sd_cuts_of(spec->impulse, spec->impulses, spec->burn, spec->burns, common->step, job.impulse);
  memcpy(job.burn, spec->burn, sizeof job.burn);
  memcpy(job.event, spec->event, sizeof job.event);
  for (int k = 0; k < spec->events; k++) job.event_kicks |= spec->event[k].action == SD_EVENT_KICKS;
  memcpy(job.correlation, spec->correlation, sizeof job.correlation);
  memcpy(job.method, common->method, sizeof job.method);
  memcpy(job.stage, method->stage, (size_t)method->stages * sizeof *job.stage);
  job.simple = sd_is_simple(s->family, &job);
  return job;
}

/* States as they are now, of as many members as these have room for. */
static sd_status export_states(sd_simulation *s, const sd_states *states, size_t sample) {
  size_t first = s->first_point * s->spec->each, count = states->members > first ? states->members - first : 0;
  if (count > s->ensemble.bodies) count = s->ensemble.bodies;
  if (!count) return SD_OK;
  double *exported = calloc((states->numbers + 1) * count, sizeof(double));
  if (!exported) return sd_fail(s->error, SD_NO_MEMORY, "states of %zu members: out of memory", count);
  sd_status status = s->backend->export_states(s->backend, s->kernels, &s->job, count, exported, s->error);
  if (!status) sd_states_take(states, sample, first, count, exported);
  free(exported);
  return status;
}

static const sd_share *share_of(const sd_simulation *s) {
  return &s->result->shares[s->m];
}

/* The ledger of a sample that is kept, from its rows. */
static sd_status take_ledger(sd_simulation *s, size_t at, int64_t row) {
  const sd_ledger_entry *entry = s->family->ledger;
  size_t count = (size_t)s->series->ledgers;
  uint16_t rows[SD_LEDGER_MAX];
  double means[SD_LEDGER_MAX], largest[SD_LEDGER_MAX], *to = s->series->ledger + at * count;
  for (size_t k = 0; k < count; k++) rows[k] = (uint16_t)((size_t)(s->job.ledger_row + row * (int64_t)count) + k);
  SD_TRY(sd_mean_rows(&s->backend->parts, rows, count, means, largest, s->error));
  for (size_t k = 0; k < count; k++) to[k] = entry[k].largest ? largest[k] : means[k];
  for (size_t k = 0; k < count && s->spec->mergeable; k++)
    SD_TRY(sd_share_take_quantity(share_of(s), &s->backend->parts, rows[k], at, 1 + k, s->error));
  return SD_OK;
}

/* Mean and covariance of the states at the samples that are kept next, whose rows these are. */
static sd_status take_moments(sd_simulation *s, const uint16_t *rows, size_t kept) {
  sd_series *series = s->series;
  const sd_coordinates *c = &series->coordinates;
  uint16_t first[SD_ROWS_MOST];
  size_t members[SD_ROWS_MOST];
  for (size_t i = 0; i < kept; i++) {
    first[i] = (uint16_t)(s->job.coordinate_row + rows[i] * c->numbers);
    members[i] = series->sample[series->count + i].members;
  }
  return sd_find_moments(&s->backend->parts, c, first, members, kept,
                         series->moments + series->count * sd_moment_numbers(c), s->error);
}

static sd_status keep_end(sd_simulation *s, int64_t row) {
  const sd_parts *parts = &s->backend->parts;
  free(s->at_end);
  s->at_end = malloc(s->ensemble.bodies * sizeof *s->at_end);
  if (!s->at_end) return sd_fail(s->error, SD_NO_MEMORY, "table of %zu members: out of memory", s->ensemble.bodies);
  for (size_t i = 0; i < parts->count; i++)
    SD_TRY(parts->part[i]->copy_row(parts->part[i], (size_t)row, s->at_end + parts->part[i]->first, s->error));
  return SD_OK;
}

/* Samples first .. last-1 have just been taken: reduces their rows, records the trajectories (then it is one sample).
 */
static sd_status take_samples(sd_simulation *s, int64_t first, int64_t last) {
  uint16_t rows[SD_ROWS_MOST];
  double times[SD_ROWS_MOST];
  sd_sample *samples = s->series->sample + s->series->count;
  size_t kept = 0;
  for (int64_t k = first; k < last; k++) {
    if (!sd_series_keeps(s->series, &s->result->schedule, k)) continue;
    rows[kept] = (uint16_t)(k - first);
    times[kept++] = sd_result_trajectory_time(s->result, (size_t)k);
  }
  if (s->spec->table && first < last && last == s->result->schedule.samples) SD_TRY(keep_end(s, last - 1 - first));
  if (sd_is_swept(s->spec)) {
    for (size_t i = 0; i < kept; i++) SD_TRY(sd_point_rows_take(&s->seen, &s->backend->parts, rows[i], s->error));
    return SD_OK;
  }
  if (kept) SD_TRY(sd_reduce_rows(&s->backend->parts, rows, kept, samples, s->error));
  for (size_t i = 0; i < kept; i++) samples[i].time = times[i];
  for (size_t i = 0; i < kept && s->series->ledgers; i++) SD_TRY(take_ledger(s, s->series->count + i, rows[i]));
  if (kept && s->job.coordinate_row) SD_TRY(take_moments(s, rows, kept));
  for (size_t i = 0; i < kept && s->spec->mergeable; i++) {
    size_t states = (size_t)(s->job.coordinate_row + rows[i] * s->series->coordinates.numbers);
    SD_TRY(sd_share_take(share_of(s), &s->backend->parts, rows[i], s->series->count + i, s->error));
    SD_TRY(sd_share_take_states(share_of(s), &s->backend->parts, states, s->series->count + i, s->error));
  }
  s->series->count += kept;
  if (first == last || !s->spec->recorded) return SD_OK;
  return export_states(s, &s->result->trajectories[s->m], (size_t)first);
}

/* The witnesses that the job has just had: each of the interval before the sample of its number. */
static sd_status take_witnesses(sd_simulation *s) {
  const sd_job *job = &s->job;
  uint16_t rows[SD_ROWS_MOST];
  double means[SD_ROWS_MOST];
  size_t count = 0;
  while (sd_witness_step(job->witness_length, job->first_witness + (int64_t)count) <= job->to_step) {
    rows[count] = (uint16_t)((size_t)job->witness_row + count);
    count++;
  }
  if (sd_is_swept(s->spec)) {
    for (size_t i = 0; i < count; i++)
      SD_TRY(
          sd_point_rows_take_witness(&s->seen, &s->backend->parts, rows[i], (size_t)job->first_witness + i, s->error));
    return SD_OK;
  }
  if (count) SD_TRY(sd_mean_rows(&s->backend->parts, rows, count, means, NULL, s->error));
  for (size_t i = 0; i < count; i++) {
    int64_t interval = job->first_witness + (int64_t)i;
    sd_sample *sample = &s->series->sample[interval];
    sample->witness_time = (double)sd_witness_step(job->witness_length, interval) * job->step;
    sample->witness = means[i];
    if (!s->spec->mergeable) continue;
    SD_TRY(sd_share_take_quantity(share_of(s), &s->backend->parts, rows[i], (size_t)interval, 0, s->error));
  }
  return SD_OK;
}

/* The state at a given time, in a step that comes next or where the last one ended: seen, and gone back from. */
static sd_status look(sd_simulation *s, int k, double time) {
  sd_series *series = s->series;
  size_t place = series->room + (size_t)k;
  sd_sample *sample = &series->sample[place];
  const uint16_t row = 0, first = (uint16_t)s->job.coordinate_row;
  sd_job job = s->job;
  job.looks = 1, job.look = time;
  job.first_sample = job.to_step = job.from_step + 1;
  job.every = 1, job.witness_length = 0;
  SD_TRY(s->backend->run(s->backend, sd_advance_of(s->kernels, &job), &job, NULL, s->error));
  SD_TRY(sd_reduce_rows(&s->backend->parts, &row, 1, sample, s->error));
  sample->time = time;
  return sd_find_moments(&s->backend->parts, &series->coordinates, &first, &sample->members, 1,
                         sd_moments_of(series, place), s->error);
}

/* All of them that begin with the step that the run is at. */
static sd_status look_around(sd_simulation *s) {
  for (int k = 0; k < s->spec->at.count; k++) {
    sd_look at = sd_look_at(s->spec->at.time[k], s->spec->h);
    if (at.step == s->job.from_step) SD_TRY(look(s, k, at.time));
  }
  return SD_OK;
}

/* The step up to which nothing is to be looked at, or one that is sooner. */
static int64_t until_look(const sd_simulation *s, int64_t step) {
  for (int k = 0; k < s->spec->at.count; k++) {
    sd_look at = sd_look_at(s->spec->at.time[k], s->spec->h);
    if (at.step > s->job.from_step && at.step < step) step = at.step;
  }
  return step;
}

/* How many samples the backend is to have rows for; `all` has room for their witnesses, ledgers and states, too. */
static int64_t choose_rows(sd_simulation *s, int64_t *all) {
  int64_t most = (int64_t)(SD_ROWS_BYTES / (s->ensemble.stride * sizeof(double))), kept = s->series->every;
  if (most > SD_ROWS_MOST) most = SD_ROWS_MOST;
  int64_t rows = s->series->witness_length ? (most - 2) * kept / (kept + 1) : most;
  if (rows > s->result->schedule.samples) rows = s->result->schedule.samples;
  if (s->spec->recorded || rows < 1) rows = 1;
  int64_t more = s->series->ledgers + s->series->coordinates.numbers; /* for each */
  rows = rows / (more + 1) > 0 ? rows / (more + 1) : 1;
  *all = rows + (s->series->witness_length ? (rows + kept - 2) / kept + 1 : 0);
  s->job.ledger_row = *all;
  s->job.coordinate_row = s->series->coordinates.numbers ? *all + rows * s->series->ledgers : 0;
  *all += rows * more;
  return rows;
}

static sd_status begin(sd_simulation *s, const sd_snapshot *from) {
  const sd_specification *spec = s->spec;
  int64_t rows;
  s->kernels = sd_find_kernels(spec->methods[s->m].entry, spec->problem, s->backend->variant);
  s->family = spec->problem->family;
  s->series = sd_is_swept(spec) ? &s->sampling : &s->result->series[s->m];
  s->chunk = 1; /* a single step of many bodies, or of many substeps, may take long */
  if (!s->kernels)
    return sd_fail(s->error, SD_BAD_INPUT, "%s are not for backend %s yet; use --backend cpu",
                   spec->problem->family->plural, s->backend->name);
  sd_crowd crowd = {s->m, s->first_point * spec->each, s->points * spec->each};
  SD_TRY(sd_ensemble_create(&s->ensemble, spec, crowd, s->kernels, sd_lanes_are_bodies(s->backend, spec), s->error));
  if (!from || sd_is_swept(spec)) SD_TRY(sd_series_create(s->series, &s->result->schedule, spec, s->error));
  if (!from) SD_TRY(sd_share_create(&s->result->shares[s->m], spec, s->series, s->error));
  if (sd_is_swept(spec))
    SD_TRY(sd_point_rows_begin(&s->seen, spec, s->series, &s->result->schedule, s->points, s->error));
  if (from) SD_TRY(sd_snapshot_restore(from, &s->ensemble, &s->seen, s->error));
  s->rows = choose_rows(s, &rows);
  s->job = make_job(s);
  s->job.from_step = from ? from->at.step : 0;
  SD_TRY(s->backend->load(s->backend, &s->ensemble, rows, s->error));
  if (s->job.from_step) return SD_OK;
  SD_TRY(s->backend->run(s->backend, s->kernels->begin, &s->job, NULL, s->error));
  SD_TRY(take_samples(s, 0, 1));
  return look_around(s);
}

sd_status sd_simulation_begin(sd_simulation *s, const sd_snapshot *from) {
  s->seconds = from ? from->at.seconds : 0;
  start_clock(s);
  return stop_clock(s, begin(s, from));
}

/* ---- the middle ---- */

sd_status sd_simulation_report(const sd_simulation *s) {
  const sd_specification *spec = s->spec;
  double batch = (double)s->job.from_step / (double)spec->total_steps;
  double part = ((double)s->first_point + batch * (double)s->points) / (double)spec->points;
  const sd_sample *last = s->series->count ? &s->series->sample[s->series->count - 1] : NULL;
  double all = (double)spec->total_steps * (double)(spec->members * sd_bodies_of(spec));
  sd_report report = {.size = sizeof report,
                      .method = spec->methods[s->m].name,
                      .done = (s->m + part) / spec->method_count,
                      .body_steps = (s->m + part) * all,
                      .body_steps_total = spec->method_count * all,
                      .body_steps_per_second =
                          batch * (double)s->points / (double)spec->points * all / sd_simulation_seconds(s),
                      .time = spec->total_time};
  if (last && last->members) report.worst_error = fmax(-last->lowest, last->highest);
  if (last && !sd_log_ends(spec)) report.failed = spec->members - last->members;
  if (*s->result->trouble) report.trouble = s->result->trouble;
  report.neighbour_rebuilds = (double)s->backend->neighbours.rebuilds / (double)s->ensemble.bodies;
  report.neighbour_share = s->backend->neighbours.seconds / sd_simulation_seconds(s);
  int stop = s->watch.progress && s->watch.progress(s->watch.progress_data, &report);
  return stop || sd_control_stopped(s->watch.control) ? sd_fail(s->error, SD_INTERRUPTED, "interrupted") : SD_OK;
}

/* Steps that take about a fifth of a second, so that progress and interruption stay responsive.  Within a chunk bodies
 * of a system end a step and begin the next while they are in the cache: where steps are long, a few may take 2 s. */
static double chunk_after(double steps, double seconds) {
  enum { FEW = 16 };
  double a_step = seconds / steps, most = 8 * steps;
  double wanted = larger(0.2 / a_step, smaller(FEW, 2 / a_step));
  return larger(1, smaller(wanted, most));
}

/* In chunks of no more samples than there are rows for. */
static sd_status go(sd_simulation *s, int64_t step) {
  sd_job *job = &s->job;
  sd_kernel kernel = sd_advance_of(s->kernels, job);
  while (job->from_step < step) {
    double left = (double)(step - job->from_step), begun = now();
    job->to_step = job->from_step + (int64_t)(s->chunk < left ? s->chunk : left);
    job->first_sample = job->from_step / job->every + 1;
    job->first_witness = sd_witness_after(job->witness_length, job->from_step);
    int64_t room = (job->first_sample + s->rows - 1) * job->every;
    job->to_step = until_look(s, job->to_step < room ? job->to_step : room);
    SD_TRY(s->backend->run(s->backend, kernel, job, s->cut, s->error));
    SD_TRY(take_samples(s, job->first_sample, sd_samples_until(s->spec, &s->result->schedule, job->to_step)));
    SD_TRY(take_witnesses(s));
    s->chunk = chunk_after((double)(job->to_step - job->from_step), now() - begun);
    job->from_step = job->to_step;
    SD_TRY(look_around(s));
    SD_TRY(s->between(s->data));
  }
  return SD_OK;
}

sd_status sd_simulation_go(sd_simulation *s, int64_t step) {
  start_clock(s);
  return stop_clock(s, go(s, step));
}

/* ---- the end ---- */

static sd_status digest(const sd_simulation *s) {
  sd_digest members;
  SD_TRY(sd_digest_members(&s->ensemble, s->backend->threads, &members, s->error));
  return sd_digest_method(s->spec, s->m, &members, s->series, &s->result->summaries[s->m], s->error);
}

/* When the first of a method's systems was lost, for people. */
static void note_losses(const sd_simulation *s) {
  const sd_summary *summary = &s->result->summaries[s->m];
  sd_job job = s->job;
  double first = INFINITY;
  job.slots = s->ensemble.slots;
  job.stride = s->ensemble.stride;
  if (!s->family->alone || !summary->failed) return;
  for (size_t i = 0; i < s->ensemble.bodies; i++) {
    double time = s->family->alone->lost_at(&job, i);
    first = time < first ? time : first;
  }
  char *note = s->result->note;
  size_t used = strlen(note);
  sd_format(note + used, sizeof s->result->note - used, "%s%s: %zu of %zu systems failed, the first at t = %g",
            used ? "; " : "", summary->method, summary->failed, summary->members, first);
}

/* Of a sweep, those of each point by that one's step. */
static void fill_table(const sd_simulation *s) {
  const sd_specification *spec = s->spec;
  for (size_t p = 0; p < s->points && spec->table; p++) {
    sd_ensemble own = s->ensemble;
    double h = sd_is_swept(spec) ? sd_step_of_point(spec, s->first_point + p) : spec->h;
    sd_schedule schedule = sd_schedule_make(h, spec->total_steps, spec->sample_every);
    own.bodies = spec->each;
    own.slots += p * spec->each;
    sd_fill_table(&own, &schedule, spec->total_steps, s->at_end + p * spec->each, &s->result->tables[s->m],
                  (s->first_point + p) * spec->each);
  }
}

/* The points of a batch; after the last of them, all together are what there is of the method. */
static sd_status conclude_batch(sd_simulation *s) {
  const sd_specification *spec = s->spec;
  sd_result *result = s->result;
  sd_summary *summary = &result->summaries[s->m];
  SD_TRY(sd_points_conclude(&s->seen, &s->ensemble, spec, s->m, s->first_point, s->backend->threads,
                            result->points[s->m] + s->first_point, s->error));
  double seconds = s->first_point ? summary->seconds : 0;
  sd_summary_begin(summary, spec, (size_t)s->m);
  summary->seconds = seconds + sd_simulation_seconds(s);
  result->points_done = s->first_point + s->points;
  if (result->points_done < spec->points) return SD_OK;
  summary->ns_per_body_step =
      summary->seconds * 1e9 / ((double)(spec->members * sd_bodies_of(spec)) * (double)spec->total_steps);
  sd_points_summarise(result->points[s->m], spec->points, summary);
  SD_TRY(sd_digest_points(spec, s->m, result->points[s->m], summary, s->error));
  result->points_done = 0;
  result->done++;
  return SD_OK;
}

static sd_status conclude(sd_simulation *s) {
  const sd_specification *spec = s->spec;
  sd_summary *summary = &s->result->summaries[s->m];
  SD_TRY(export_states(s, &s->result->finals[s->m], 0));
  SD_TRY(s->backend->store(s->backend, s->error));
  fill_table(s);
  sd_log_fill(&s->ensemble, spec, &s->result->logs[s->m], s->first_point * spec->each);
  if (sd_is_swept(spec)) return conclude_batch(s);
  sd_summary_begin(summary, spec, (size_t)s->m);
  summary->seconds = sd_simulation_seconds(s); /* with all that went to a device and came back */
  summary->ns_per_body_step =
      summary->seconds * 1e9 / ((double)(spec->members * sd_bodies_of(spec)) * (double)spec->total_steps);
  SD_TRY(sd_summarise(&s->ensemble, &s->result->schedule, s->series, spec->total_steps,
                      sd_stages_of(&spec->methods[s->m]), spec->resolve, s->backend->threads, summary, s->error));
  SD_TRY(digest(s));
  s->result->neighbours[s->m] = s->backend->neighbours;
  if (spec->mergeable) SD_TRY(sd_share_conclude(share_of(s), &s->ensemble, s->backend->threads, s->error));
  note_losses(s);
  s->result->done++;
  return SD_OK;
}

sd_status sd_simulation_conclude(sd_simulation *s) {
  start_clock(s);
  return stop_clock(s, conclude(s));
}

void sd_simulation_end(sd_simulation *s) {
  s->backend->unload(s->backend);
  sd_ensemble_destroy(&s->ensemble);
  sd_series_destroy(&s->sampling);
  free(s->at_end);
  s->at_end = NULL;
}

/* ---- one that a user has ---- */

static sd_status between(void *data) {
  sd_simulation *s = data;
  sd_status status = sd_simulation_report(s);
  if (s->job.from_step < s->job.total_steps) return status;
  *s->error = (sd_error){0}; /* all is done: there is nothing to interrupt */
  return SD_OK;
}

/* The method's place among those of a run; the first one where no name is given. */
static sd_status find_method(const sd_specification *spec, const char *name, int *m, sd_error *error) {
  for (*m = 0; *m < spec->method_count; ++*m)
    if (!name || !strcmp(spec->methods[*m].name, name)) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "method %s is not one of the plan's", name);
}

/* What is specified of this method alone, of which the result has a copy. */
static sd_status create_result(const sd_specification *spec, int m, sd_result **result, sd_error *error) {
  sd_specification alone = *spec;
  alone.methods[0] = spec->methods[m];
  memcpy(alone.method_parameters[0], spec->method_parameters[m], sizeof alone.method_parameters[0]);
  alone.method_count = 1;
  return sd_result_create(result, &alone, error);
}

sd_status sd_simulation_create(sd_plan *plan, const char *method, sd_simulation **created) {
  int m;
  *created = NULL;
  SD_TRY(sd_plan_prepare(plan));
  SD_TRY(find_method(plan->specification, method, &m, &plan->error));
  if (sd_is_swept(plan->specification))
    return sd_fail(&plan->error, SD_BAD_INPUT, "sweep: a simulation is of one ensemble");
  sd_simulation *s = calloc(1, sizeof *s);
  if (!s) return sd_fail(&plan->error, SD_NO_MEMORY, "simulation: out of memory");
  sd_status status = create_result(plan->specification, m, &s->result, &plan->error);
  if (!status) status = sd_backend_for(&s->backend, &plan->place, s->result->spec, s->result->why, &plan->error);
  if (!status) {
    s->spec = s->result->spec;
    s->points = 1;
    s->result->with_series = plan->with_series;
    s->watch = plan->watch;
    s->error = &s->own_error;
    s->between = between;
    s->data = s;
    status = sd_simulation_begin(s, NULL);
    plan->error = s->own_error;
  }
  if (!status) *created = s;
  else sd_simulation_destroy(s);
  return status;
}

void sd_simulation_destroy(sd_simulation *s) {
  if (!s) return;
  if (s->spec) sd_simulation_end(s);
  sd_point_rows_destroy(&s->seen);
  if (s->backend) s->backend->destroy(s->backend);
  sd_states_destroy(&s->shown);
  sd_result_destroy(s->result);
  free(s);
}

const char *sd_simulation_message(const sd_simulation *s) {
  return s->own_error.message;
}
int64_t sd_simulation_step(const sd_simulation *s) {
  return s->job.from_step;
}
double sd_simulation_time(const sd_simulation *s) {
  return (double)s->job.from_step * s->job.step;
}

static sd_status advance_until(sd_simulation *s, int64_t step) {
  s->own_error = (sd_error){0};
  if (!s->result) return sd_fail(s->error, SD_BAD_INPUT, "simulation: it is finished");
  return sd_simulation_go(s, step);
}

sd_status sd_simulation_advance(sd_simulation *s, int64_t steps) {
  int64_t left = s->job.total_steps - s->job.from_step;
  s->own_error = (sd_error){0};
  if (steps < 0 || steps > left)
    return sd_fail(s->error, SD_BAD_INPUT, "simulation: %lld steps are none that are left; there are %lld",
                   (long long)steps, (long long)left);
  return advance_until(s, s->job.from_step + steps);
}

sd_status sd_simulation_advance_to(sd_simulation *s, double time) {
  double ratio = time / s->job.step, whole = nearbyint(ratio);
  s->own_error = (sd_error){0};
  if (!(fabs(ratio - whole) <= 1e-9 * fabs(whole)))
    return sd_fail(s->error, SD_BAD_INPUT, "simulation: time %.15g is not a whole number of steps of %.15g", time,
                   s->job.step);
  if (whole < (double)s->job.from_step || whole > (double)s->job.total_steps)
    return sd_fail(s->error, SD_BAD_INPUT, "simulation: time %.15g is not between now, %.15g, and the end, %.15g", time,
                   sd_simulation_time(s), (double)s->job.total_steps * s->job.step);
  return advance_until(s, (int64_t)whole);
}

sd_status sd_simulation_look(sd_simulation *s, size_t members) {
  sd_states now = {0};
  size_t wanted = members < s->ensemble.bodies ? members : s->ensemble.bodies;
  s->own_error = (sd_error){0};
  sd_status status = sd_states_create(&now, s->family, sd_bodies_of(s->spec), 1, wanted, s->error);
  if (!status) status = export_states(s, &now, 0);
  if (status) return sd_states_destroy(&now), status;
  sd_states_destroy(&s->shown);
  s->shown = now;
  return SD_OK;
}

size_t sd_simulation_members(const sd_simulation *s) {
  return s->shown.members;
}
sd_status sd_simulation_states(const sd_simulation *s, size_t array, sd_view *view) {
  sd_kept a;
  return sd_kept_states(&s->shown, s->family, array, 0, &a) ? sd_kept_view(&a, view) : SD_BAD_INPUT;
}
const char *sd_simulation_status(const sd_simulation *s, size_t member) {
  return sd_member_status_text(*sd_state_status(&s->shown, 0, member));
}

sd_status sd_simulation_finish(sd_simulation *s, sd_result **result) {
  *result = NULL;
  SD_TRY(advance_until(s, s->job.total_steps));
  SD_TRY(sd_simulation_conclude(s));
  sd_status status = sd_result_conclude(s->result, s->backend);
  *result = s->result;
  s->result = NULL;
  return status;
}
