/* ranks_serve.c - what the ranks do but for the first: they hold members, run kernels on them when told to, and answer
 * what they are asked. */
#include "backend.h"
#include "own.h"
#include "plan.h"
#include "ranks.h"
#include "relay.h"
#include "until.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  sd_plan *plan, *longer; /* longer: if the run is */
  sd_ranks *ranks;
  const sd_specification *spec; /* of the run */
  sd_backend *backend;
  int loaded;
  sd_ensemble ensemble;
  sd_relay relay;
  sd_order order;
  void *bytes; /* that came with it */
  sd_status told;
} servant;

/* ---- a run ---- */

static void unload(servant *s) {
  if (!s->loaded) return;
  s->backend->unload(s->backend);
  sd_relay_destroy(&s->relay);
  sd_ensemble_destroy(&s->ensemble);
  s->loaded = 0;
}

static void end_run(servant *s) {
  unload(s);
  if (s->backend) s->backend->destroy(s->backend);
  sd_plan_destroy(s->longer);
  s->backend = NULL;
  s->longer = NULL;
}

static sd_status begin_run(servant *s, sd_error *error) {
  char why[256], signature[33];
  int doublings = (int)s->order.number[0];
  sd_hello hello = {0};
  end_run(s);
  if (doublings) SD_TRY(sd_plan_make_longer(s->plan, doublings, &s->longer, error));
  s->spec = s->longer ? s->longer->specification : s->plan->specification;
  SD_TRY(sd_ranks_signature(s->spec, signature, error));
  if (s->order.size != sizeof signature || memcmp(signature, s->bytes, sizeof signature))
    return sd_fail(error, SD_BAD_INPUT, "its plan is another than that of rank 0");
  SD_TRY(sd_backend_for(&s->backend, &s->plan->place, s->spec, why, error));
  snprintf(hello.backend, sizeof hello.backend, "%s", s->backend->name);
  hello.threads = (uint64_t)s->backend->threads;
  return sd_ranks_answer(s->ranks, &hello, sizeof hello, error);
}

static sd_status load(servant *s, sd_error *error) {
  const uint64_t *number = s->order.number;
  sd_crowd crowd = {(int)number[0], (size_t)number[1], (size_t)number[2]};
  const sd_method *method = &s->spec->methods[crowd.m];
  const sd_kernels *kernels = sd_find_kernels(method->entry, s->spec->problem, s->backend->variant);
  size_t rows = number[3] < SD_ROWS_MOST ? (size_t)number[3] : SD_ROWS_MOST;
  size_t block = sd_is_swept(s->spec) ? SD_REDUCE_BLOCK : (size_t)number[4];
  unload(s);
  if (!kernels)
    return sd_fail(error, SD_BAD_INPUT, "%s are not for backend %s yet", s->spec->problem->family->plural,
                   s->backend->name);
  s->loaded = 1;
  s->ensemble = (sd_ensemble){0};
  s->relay = (sd_relay){0};
  SD_TRY(sd_ensemble_create(&s->ensemble, s->spec, crowd, kernels, sd_lanes_are_bodies(s->backend, s->spec), error));
  sd_ensemble *e = &s->ensemble;
  e->grain = block;
  if (s->order.size != sd_slot_count(e) * e->bodies * sizeof(double))
    return sd_fail(error, SD_FAILED, "members of another size came: is this another build?");
  const double *from = s->bytes;
  for (size_t k = 0; k < sd_slot_count(e); k++, from += e->bodies)
    memcpy(e->slots + k * e->stride, from, e->bodies * sizeof *from);
  SD_TRY(s->backend->load(s->backend, e, (int64_t)number[3], error));
  SD_TRY(sd_relay_create(&s->relay, &s->backend->parts, &e->coordinates, 0, block, rows, error));
  return sd_ranks_answer(s->ranks, NULL, 0, error);
}

/* What is of these members in a job that came from elsewhere. */
static sd_job job_here(const servant *s) {
  sd_job job;
  const sd_ensemble *e = &s->ensemble;
  const sd_numbers *common = &e->variety.common;
  memcpy(&job, s->bytes, sizeof job);
  if (!job.each) job.first_member = s->spec->first_member + e->crowd.first;
  else job.origin = e->crowd.first % job.each; /* of a point */
  job.varied = e->variety.map;
  job.topology = e->topology ? *e->topology : (sd_topology){0};
  job.differing = e->differences.map;
  job.step = common->step;
  memcpy(job.half_mean, common->half_mean, sizeof job.half_mean);
  memcpy(job.parameters, common->parameters, sizeof job.parameters);
  memcpy(job.constants, common->constants, sizeof job.constants);
  memcpy(job.method, common->method, sizeof job.method);
  job.simple = sd_is_simple(s->spec->problem->family, &job);
  return job;
}

static sd_status run(servant *s, sd_error *error) {
  sd_job job = job_here(s);
  const sd_kernels *k = s->ensemble.kernels;
  sd_kernel kernel = s->order.number[0] ? k->begin : sd_advance_of(k, &job);
  double begun = sd_seconds();
  SD_TRY(s->backend->run(s->backend, kernel, &job, NULL, error));
  const sd_neighbour_cost *cost = &s->backend->neighbours;
  sd_effort effort = {sd_seconds() - begun, cost->seconds, cost->rebuilds};
  return sd_ranks_answer(s->ranks, &effort, sizeof effort, error);
}

/* ---- what it says of its members ---- */

static sd_status ask(servant *s, sd_error *error) {
  sd_question question = (sd_question)s->order.number[0];
  size_t first = (size_t)s->order.number[1], last = (size_t)s->order.number[2];
  sd_part *part = &s->relay.base;
  sd_piece piece;
  const char *from = s->bytes;
  for (size_t i = 0; sd_sheet_piece(&s->relay.sheet, question, SD_OF_QUESTION, first, last, i, &piece); i++) {
    memcpy(piece.bytes, from, piece.size);
    from += piece.size;
  }
  SD_TRY(part->ask(part, 0, question, first, last, error));
  SD_TRY(part->wait(part, error));
  sd_sheet_piece(&s->relay.sheet, question, SD_OF_ANSWER, first, last, 0, &piece);
  return sd_ranks_answer(s->ranks, piece.bytes, piece.size, error);
}

static sd_status out_of_memory(const servant *s, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%zu members: out of memory", s->ensemble.bodies);
}

static sd_status copy_row(servant *s, sd_error *error) {
  size_t size = s->ensemble.bodies * sizeof(double);
  double *samples = malloc(size);
  if (!samples) return out_of_memory(s, error);
  sd_part *part = &s->relay.base;
  sd_status status = part->copy_row(part, (size_t)s->order.number[0], samples, error);
  if (!status) status = sd_ranks_answer(s->ranks, samples, size, error);
  free(samples);
  return status;
}

static sd_status export_states(servant *s, sd_error *error) {
  const sd_kernels *k = s->ensemble.kernels;
  size_t count = (size_t)s->order.number[0];
  size_t size = (sd_member_shown(k, s->ensemble.bodies_each) + 2) * count * sizeof(double);
  double *exported = malloc(size);
  if (!exported) return out_of_memory(s, error);
  sd_job job = job_here(s);
  sd_status status = s->backend->export_states(s->backend, k, &job, count, exported, error);
  if (!status) status = sd_ranks_answer(s->ranks, exported, size, error);
  free(exported);
  return status;
}

static sd_status store(servant *s, sd_error *error) {
  const sd_ensemble *e = &s->ensemble;
  size_t slots = sd_slot_count(e), size = slots * e->bodies * sizeof(double);
  double *columns = malloc(size);
  if (!columns) return out_of_memory(s, error);
  sd_status status = s->backend->store(s->backend, error);
  for (size_t k = 0; k < slots; k++)
    memcpy(columns + k * e->bodies, e->slots + k * e->stride, e->bodies * sizeof *columns);
  if (!status) status = sd_ranks_answer(s->ranks, columns, size, error);
  free(columns);
  return status;
}

static sd_status empty(servant *s, sd_error *error) {
  unload(s);
  return sd_ranks_answer(s->ranks, NULL, 0, error);
}

static sd_status end(servant *s, sd_error *error) {
  end_run(s);
  uint64_t sent = s->ranks->sent;
  s->ranks->sent = 0;
  return sd_ranks_answer(s->ranks, &sent, sizeof sent, error);
}

/* ---- orders ---- */

/* An order that was not carried out has no answer yet: why. */
static sd_status carry_out(servant *s, sd_error *lost) {
  static sd_status (*const duty[])(servant *, sd_error *) = {
      [SD_ORDER_BEGIN] = begin_run, [SD_ORDER_LOAD] = load,    [SD_ORDER_RUN] = run,
      [SD_ORDER_ASK] = ask,         [SD_ORDER_ROW] = copy_row, [SD_ORDER_EXPORT] = export_states,
      [SD_ORDER_STORE] = store,     [SD_ORDER_UNLOAD] = empty, [SD_ORDER_END] = end};
  sd_error error = {0};
  uint64_t what = s->order.what;
  int needs_members = what == SD_ORDER_RUN || (what >= SD_ORDER_ASK && what <= SD_ORDER_STORE);
  if ((needs_members && !s->loaded) || (what == SD_ORDER_LOAD && !s->backend))
    sd_fail(&error, SD_FAILED, "it has no members");
  else duty[what](s, &error);
  return error.status ? sd_ranks_answer_failure(s->ranks, &error, lost) : SD_OK;
}

static sd_status next_order(servant *s, sd_error *lost) {
  free(s->bytes);
  s->bytes = NULL;
  SD_TRY(sd_ranks_receive(s->ranks, 0, &s->order, sizeof s->order, lost));
  if (s->order.what > SD_ORDER_LEAVE) return sd_fail(lost, SD_FAILED, "rank 0 is of another build");
  if (!s->order.size) return SD_OK;
  s->bytes = malloc(s->order.size);
  if (!s->bytes) return sd_fail(lost, SD_NO_MEMORY, "members of this rank: out of memory");
  return sd_ranks_receive(s->ranks, 0, s->bytes, s->order.size, lost);
}

sd_status sd_ranks_serve(sd_plan *plan) {
  servant s = {.plan = plan, .ranks = plan->place.ranks};
  sd_error lost = {0};
  s.ranks->sent = 0;
  while (!next_order(&s, &lost) && s.order.what < SD_ORDER_RETURN)
    if (carry_out(&s, &lost)) break;
  end_run(&s);
  free(s.bytes);
  if (lost.status) return sd_fail(&plan->error, lost.status, "%s", lost.message);
  s.ranks->over = s.order.what == SD_ORDER_LEAVE;
  if (s.ranks->over) return sd_fail(&plan->error, SD_FAILED, "rank 0 has gone");
  return (sd_status)s.order.number[0];
}
