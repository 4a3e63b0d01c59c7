/* run.c - the story: for each method, begin the bodies, advance them chunk by chunk, look at what they did. */
#include "run.h"

#include "backend.h"
#include "digest.h"
#include "ensemble.h"
#include "statistics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sd_job make_job(const sd_plan *plan, int m, const sd_ensemble *e, const sd_schedule *s) {
  sd_job job = {.slots = e->slots,
                .stride = e->stride,
                .count = (e->bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX,
                .parameters = plan->parameters,
                .step = plan->h,
                .stages = plan->methods[m].stages,
                .stage = plan->methods[m].stage,
                .total_steps = plan->total_steps,
                .every = plan->sample_every,
                .first_half = s->first_half,
                .half_mean = {s->half[0].mean, s->half[1].mean}};
  memcpy(job.method, plan->method_parameters[m], sizeof job.method);
  return job;
}

/* All steps, in chunks of about a fifth of a second so that progress and interruption stay responsive. */
static sd_status advance(sd_plan *plan, int m, sd_backend *backend, sd_kernel kernel, sd_job job) {
  const double target = 0.2;
  double chunk = 16;
  while (job.from_step < job.total_steps) {
    double left = (double)(job.total_steps - job.from_step), begun = now();
    job.to_step = job.from_step + (int64_t)(chunk < left ? chunk : left);
    SD_TRY(backend->run(backend, kernel, &job, &plan->error));
    double taken = now() - begun, factor = taken > 0 ? target / taken : 8;
    chunk = chunk * (factor > 8 ? 8 : factor);
    if (chunk < 1) chunk = 1;
    job.from_step = job.to_step;
    double done = ((double)m + (double)job.from_step / (double)job.total_steps) / plan->method_count;
    if (plan->progress && plan->progress(plan->progress_data, plan->methods[m].name, done))
      return sd_fail(&plan->error, SD_INTERRUPTED, "interrupted");
  }
  return SD_OK;
}

/* Final states of the first bodies. */
static sd_status export_finals(sd_plan *plan, sd_backend *backend, sd_kernel kernel, sd_job job, const sd_ensemble *e,
                               sd_final *finals) {
  if (!plan->finals) return SD_OK;
  job.count = (plan->finals + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  job.export_stride = job.count;
  job.exported = calloc(SD_EXPORT_SLOTS * job.count, sizeof(double));
  if (!job.exported) return sd_fail(&plan->error, SD_NO_MEMORY, "final states of %zu bodies: out of memory", plan->finals);
  sd_status status = backend->run(backend, kernel, &job, &plan->error);
  for (size_t i = 0; i < plan->finals; i++) {
    sd_final *f = &finals[i];
    const double *from = job.exported + i;
    *f = (sd_final){.body = i, .status = sd_body_status_text(sd_body_status(e, i))};
    for (int k = 0; k < 9; k++) f->Q[k] = from[(size_t)k * job.count];
    for (int k = 0; k < 3; k++) f->W[k] = from[(size_t)(9 + k) * job.count];
    f->energy_error = from[12 * job.count];
  }
  free(job.exported);
  return status;
}

static sd_status run_method(sd_plan *plan, int m, sd_backend *backend, sd_result *result, sd_digest *digest) {
  const sd_method *method = &plan->methods[m];
  const sd_row *row = sd_find_row(method->entry, plan->variant.name);
  sd_schedule schedule = sd_schedule_make(plan->h, plan->total_steps, plan->sample_every);
  sd_summary *summary = &result->summaries[m];
  sd_ensemble ensemble;
  SD_TRY(sd_ensemble_create(&ensemble, plan, row, &plan->error));
  sd_job job = make_job(plan, m, &ensemble, &schedule);

  double begun = now();
  sd_status status = backend->run(backend, row->begin[plan->problem], &job, &plan->error);
  if (!status) status = advance(plan, m, backend, row->advance[plan->problem], job);
  double seconds = now() - begun;
  if (!status)
    status = export_finals(plan, backend, row->export_state[plan->problem], job, &ensemble,
                           result->finals + (size_t)m * plan->finals);
  if (!status) status = sd_summarise(&ensemble, &schedule, plan->total_steps, summary, &plan->error);

  strcpy(summary->method, method->name);
  summary->problem = sd_problems[plan->problem].id;
  summary->step = plan->h;
  summary->time = plan->total_time;
  summary->seconds = seconds;
  summary->ns_per_body_step = seconds * 1e9 / ((double)plan->bodies * (double)plan->total_steps);
  if (!status) sd_digest_method(digest, plan, m, &ensemble, summary);
  sd_ensemble_destroy(&ensemble);
  return status;
}

sd_status sd_run(sd_plan *plan, sd_result **created) {
  *created = NULL;
  SD_TRY(sd_plan_resolve(plan));
  sd_result *result = calloc(1, sizeof *result);
  sd_backend *backend = NULL;
  if (!result) return sd_fail(&plan->error, SD_NO_MEMORY, "result: out of memory");
  size_t methods = (size_t)plan->method_count;
  result->summaries = calloc(methods, sizeof *result->summaries);
  result->finals = calloc(methods * plan->finals + 1, sizeof *result->finals);
  sd_digest digest;
  sd_status status = SD_OK;
  if (!result->summaries || !result->finals) status = sd_fail(&plan->error, SD_NO_MEMORY, "result: out of memory");
  if (!status) status = sd_backend_cpu_create(&backend, plan, &plan->error);
  if (!status) status = sd_digest_begin(&digest, &plan->error);
  if (!status) {
    for (int m = 0; m < plan->method_count && !status; m++) status = run_method(plan, m, backend, result, &digest);
    sd_digest_end(&digest, result->digest);
    result->backend = backend->name;
    result->isa = backend->isa;
    result->threads = backend->threads;
    result->plan = *plan;
    result->plan.starts = NULL;
  }
  if (backend) backend->destroy(backend);
  if (status) {
    sd_result_destroy(result);
    return status;
  }
  *created = result;
  for (size_t m = 0; m < methods; m++)
    if (result->summaries[m].failed) return SD_BODIES_FAILED;
  return SD_OK;
}

void sd_result_destroy(sd_result *result) {
  if (!result) return;
  free(result->summaries);
  free(result->finals);
  free(result);
}

size_t sd_result_count(const sd_result *result) {
  return (size_t)result->plan.method_count;
}
const sd_summary *sd_result_summary(const sd_result *result, size_t index) {
  return &result->summaries[index];
}
size_t sd_result_final_count(const sd_result *result) {
  return result->plan.finals;
}
const sd_final *sd_result_final(const sd_result *result, size_t index, size_t body) {
  return &result->finals[index * result->plan.finals + body];
}
const char *sd_result_digest(const sd_result *result) {
  return result->digest;
}
