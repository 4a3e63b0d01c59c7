#include "snapshot.h"

#include "plan_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- results in a layout of their own ---- */

typedef struct {
  char method[32], digest[40];
  double number[24];
} packed_summary;

typedef struct {
  uint64_t body, status;
  double Q[9], W[3], energy_error;
} packed_state;

#define NUMBER(member) offsetof(sd_summary, member)
static const size_t summary_numbers[] = {
    NUMBER(step),              NUMBER(time),          NUMBER(energy_initial_mean),  NUMBER(slope_mean),
    NUMBER(slope_stderr),      NUMBER(slope_low),     NUMBER(slope_high),           NUMBER(slope_first_half),
    NUMBER(slope_second_half), NUMBER(trend_slope),   NUMBER(trend_low),            NUMBER(trend_high),
    NUMBER(slope_bound),       NUMBER(energy_max_abs_error), NUMBER(energy_rms_error), NUMBER(orthogonality_max),
    NUMBER(momentum_max_error), NUMBER(newton_mean),  NUMBER(newton_max),           NUMBER(seconds),
    NUMBER(ns_per_body_step)};
enum { SUMMARY_NUMBERS = sizeof summary_numbers / sizeof *summary_numbers };

static packed_summary pack_summary(const sd_summary *s) {
  packed_summary p = {0};
  memcpy(p.method, s->method, sizeof p.method);
  memcpy(p.digest, s->digest, sizeof s->digest);
  for (int i = 0; i < SUMMARY_NUMBERS; i++) memcpy(&p.number[i], (const char *)s + summary_numbers[i], sizeof(double));
  p.number[SUMMARY_NUMBERS] = (double)s->bodies;
  p.number[SUMMARY_NUMBERS + 1] = (double)s->failed;
  p.number[SUMMARY_NUMBERS + 2] = (double)s->verdict;
  return p;
}

static sd_summary unpack_summary(const packed_summary *p, const sd_plan *plan) {
  sd_summary s = {.problem = sd_problems[plan->problem].id};
  memcpy(s.method, p->method, sizeof s.method - 1);
  memcpy(s.digest, p->digest, sizeof s.digest - 1);
  for (int i = 0; i < SUMMARY_NUMBERS; i++) memcpy((char *)&s + summary_numbers[i], &p->number[i], sizeof(double));
  s.bodies = (size_t)p->number[SUMMARY_NUMBERS];
  s.failed = (size_t)p->number[SUMMARY_NUMBERS + 1];
  s.verdict = (sd_verdict)p->number[SUMMARY_NUMBERS + 2];
  return s;
}

static packed_state pack_state(const sd_final *f) {
  packed_state p = {
      .body = f->body, .status = (uint64_t)sd_body_status_number(f->status), .energy_error = f->energy_error};
  memcpy(p.Q, f->Q, sizeof p.Q);
  memcpy(p.W, f->W, sizeof p.W);
  return p;
}

static sd_final unpack_state(const packed_state *p) {
  sd_final f = {.body = (size_t)p->body, .status = sd_body_status_text((int)p->status), .energy_error = p->energy_error};
  memcpy(f.Q, p->Q, sizeof f.Q);
  memcpy(f.W, p->W, sizeof f.W);
  return f;
}

/* ---- which states of which method there are ---- */

/* The states that a method has left, finals of a finished one first. */
static size_t states_of(const sd_plan *plan, const sd_result *result, sd_position at, int64_t m) {
  if (m < at.method) return plan->finals + (size_t)result->schedule.samples * plan->recorded;
  return at.step ? (size_t)sd_samples_until(plan, &result->schedule, at.step) * plan->recorded : 0;
}

static sd_final *state_at(const sd_plan *plan, const sd_result *result, sd_position at, int64_t m, size_t i) {
  size_t finals = m < at.method ? plan->finals : 0;
  if (i < finals) return &result->finals[(size_t)m * plan->finals + i];
  return &result->trajectories[(size_t)(m * result->schedule.samples) * plan->recorded + (i - finals)];
}

/* ---- saving ---- */

enum { PER_METHOD = 2, OTHERS = 6 };

typedef struct {
  sd_block block[PER_METHOD * SD_METHODS_MAX + OTHERS];
  char tag[PER_METHOD * SD_METHODS_MAX + OTHERS][SD_CHECKPOINT_TAG_MAX + 1];
  size_t count;
  void *owned[SD_METHODS_MAX + 2];
  size_t owned_count;
} parcel;

static void add(parcel *p, const char *name, int64_t number, const void *data, size_t size) {
  if (number < 0) snprintf(p->tag[p->count], sizeof *p->tag, "%s", name);
  else snprintf(p->tag[p->count], sizeof *p->tag, "%s %d", name, (int)number);
  p->block[p->count] = (sd_block){p->tag[p->count], data, size};
  p->count++;
}

static void *own(parcel *p, void *data) {
  p->owned[p->owned_count++] = data;
  return data;
}

static sd_status fill(parcel *p, const sd_plan *plan, const sd_result *result, const sd_position *at,
                      const sd_ensemble *ensemble, sd_error *error) {
  char *text = own(p, sd_plan_text(plan, (size_t)plan->method_count));
  packed_summary *summaries = own(p, calloc(result->done + 1, sizeof *summaries));
  if (!text || !summaries) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  for (size_t m = 0; m < result->done; m++) summaries[m] = pack_summary(&result->summaries[m]);
  add(p, "plan", -1, text, strlen(text));
  add(p, "study", -1, plan->study ? plan->study : text, strlen(plan->study ? plan->study : text));
  add(p, "starts", -1, plan->starts, plan->start_count * sizeof *plan->starts);
  add(p, "position", -1, at, sizeof *at);
  add(p, "summaries", -1, summaries, result->done * sizeof *summaries);
  for (int64_t m = 0; m < at->method || (m == at->method && ensemble); m++) {
    size_t states = states_of(plan, result, *at, m);
    packed_state *state = own(p, calloc(states + 1, sizeof *state));
    if (!state) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
    for (size_t i = 0; i < states; i++) state[i] = pack_state(state_at(plan, result, *at, m, i));
    add(p, "series", m, result->series[m].point, result->series[m].count * sizeof(sd_point));
    add(p, "states", m, state, states * sizeof *state);
  }
  if (ensemble) add(p, "bodies", -1, ensemble->slots, sd_ensemble_bytes(ensemble));
  return SD_OK;
}

sd_status sd_snapshot_save(const sd_plan *plan, const sd_result *result, sd_position at, const sd_ensemble *ensemble,
                           sd_error *error) {
  parcel *p = calloc(1, sizeof *p);
  if (!p) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  sd_status status = fill(p, plan, result, &at, ensemble, error);
  if (!status)
    status = (result->checkpoint_lost ? sd_checkpoint_write_anew : sd_checkpoint_write)(plan->checkpoint, p->block, p->count,
                                                                                       error);
  for (size_t i = 0; i < p->owned_count; i++) free(p->owned[i]);
  free(p);
  return status;
}

/* ---- loading ---- */

static sd_status nonsense(const char *path, const char *what, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "checkpoint %s: its block '%s' does not fit its plan", path, what);
}

static char *text_of(sd_block block) {
  char *text = malloc(block.size + 1);
  if (!text) return NULL;
  memcpy(text, block.data, block.size);
  text[block.size] = 0;
  return text;
}

/* The first line that differs is named. */
static sd_status check_plan(const sd_plan *plan, sd_block stored, sd_error *error) {
  char *mine = sd_plan_text(plan, (size_t)plan->method_count), *theirs = text_of(stored);
  sd_status status = mine && theirs ? SD_OK : sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  for (char *a = mine, *b = theirs; !status && (*a || *b);) {
    size_t n = strcspn(a, "\n"), k = strcspn(b, "\n");
    if (n != k || strncmp(a, b, n))
      status = sd_fail(error, SD_BAD_INPUT,
                       "checkpoint %s is of another plan: it has '%.*s' where this run has '%.*s'; name another file, or "
                       "remove it and its .previous to begin anew",
                       plan->checkpoint, (int)k, b, (int)n, a);
    a += n + (a[n] == '\n');
    b += k + (b[k] == '\n');
  }
  free(mine);
  free(theirs);
  return status;
}

static sd_status load_method(const sd_plan *plan, sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  sd_block block;
  sd_series *series = &result->series[m];
  snprintf(tag, sizeof tag, "series %d", (int)m);
  SD_TRY(sd_checkpoint_find(s->file, tag, &block, error));
  SD_TRY(sd_series_create(series, &result->schedule, error));
  series->count = block.size / sizeof(sd_point);
  if (series->count > series->room || block.size % sizeof(sd_point)) return nonsense(plan->checkpoint, tag, error);
  memcpy(series->point, block.data, block.size);
  snprintf(tag, sizeof tag, "states %d", (int)m);
  SD_TRY(sd_checkpoint_find(s->file, tag, &block, error));
  size_t states = states_of(plan, result, s->at, m);
  if (block.size != states * sizeof(packed_state)) return nonsense(plan->checkpoint, tag, error);
  for (size_t i = 0; i < states; i++)
    *state_at(plan, result, s->at, m, i) = unpack_state((const packed_state *)block.data + i);
  return SD_OK;
}

static sd_status fill_result(const sd_plan *plan, sd_result *result, sd_snapshot *s, sd_error *error) {
  sd_block block, bodies;
  SD_TRY(sd_checkpoint_find(s->file, "plan", &block, error));
  SD_TRY(check_plan(plan, block, error));
  SD_TRY(sd_checkpoint_find(s->file, "starts", &block, error));
  if (block.size != plan->start_count * sizeof *plan->starts || (block.size && memcmp(block.data, plan->starts, block.size)))
    return sd_fail(error, SD_BAD_INPUT, "checkpoint %s is of another plan: its bodies have other starts", plan->checkpoint);
  SD_TRY(sd_checkpoint_find(s->file, "position", &block, error));
  if (block.size != sizeof s->at) return nonsense(plan->checkpoint, "position", error);
  memcpy(&s->at, block.data, sizeof s->at);
  if (s->at.method < 0 || s->at.method > plan->method_count || s->at.step < 0 || s->at.step > plan->total_steps)
    return nonsense(plan->checkpoint, "position", error);
  SD_TRY(sd_checkpoint_find(s->file, "summaries", &block, error));
  if (block.size != (size_t)s->at.method * sizeof(packed_summary)) return nonsense(plan->checkpoint, "summaries", error);
  result->done = (size_t)s->at.method;
  for (size_t m = 0; m < result->done; m++)
    result->summaries[m] = unpack_summary((const packed_summary *)block.data + m, plan);
  sd_error none = {0};
  int begun = !sd_checkpoint_find(s->file, "bodies", &bodies, &none);
  if (!begun) s->at.step = 0;
  for (int64_t m = 0; m < s->at.method + begun; m++) SD_TRY(load_method(plan, result, s, m, error));
  return SD_OK;
}

sd_status sd_snapshot_load(const sd_plan *plan, sd_result *result, sd_snapshot *s, sd_error *error) {
  *s = (sd_snapshot){0};
  if (!*plan->checkpoint || !sd_checkpoint_exists(plan->checkpoint)) return SD_OK;
  int previous;
  SD_TRY(sd_checkpoint_load(plan->checkpoint, &s->file, &previous, error));
  SD_TRY(fill_result(plan, result, s, error));
  int complete = s->at.method == plan->method_count;
  const char *remark = sd_checkpoint_remark(s->file);
  snprintf(result->note, sizeof result->note, "%.300s%s%s %.120s: %s", remark, *remark ? "; " : "",
           complete ? "all was done in" : "went on from", plan->checkpoint,
           complete ? "remove it and its .previous to run again" : plan->methods[s->at.method].name);
  if (complete) return SD_OK;
  size_t used = strlen(result->note);
  snprintf(result->note + used, sizeof result->note - used, ", step %lld of %lld", (long long)s->at.step,
           (long long)plan->total_steps);
  return SD_OK;
}

sd_status sd_snapshot_restore(const sd_snapshot *s, sd_ensemble *e, sd_error *error) {
  sd_block block;
  if (!s->file || !s->at.step) return SD_OK;
  SD_TRY(sd_checkpoint_find(s->file, "bodies", &block, error));
  if (block.size != sd_ensemble_bytes(e)) return nonsense("file", "bodies", error);
  memcpy(e->slots, block.data, block.size);
  return SD_OK;
}

void sd_snapshot_close(sd_snapshot *s) {
  if (s->file) sd_checkpoint_destroy(s->file);
  s->file = NULL;
}

/* ---- without a plan ---- */

sd_status sd_snapshot_plans(const char *path, char ***texts, size_t *count, char note[512], sd_error *error) {
  sd_checkpoint *file;
  sd_block block;
  int previous;
  SD_TRY(sd_checkpoint_load(path, &file, &previous, error));
  snprintf(note, 512, "%s", sd_checkpoint_remark(file));
  sd_status status = sd_checkpoint_find(file, "study", &block, error);
  char *all = status ? NULL : text_of(block);
  *count = 1;
  for (char *c = all; c && *c; c++) *count += *c == '\f';
  *texts = calloc(*count + 1, sizeof **texts);
  if (!status && (!all || !*texts)) status = sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  char *at = all;
  for (size_t i = 0; i < *count && !status; i++) { /* all in one piece of memory, the first one's */
    (*texts)[i] = at;
    at += strcspn(at, "\f");
    if (*at) *at++ = 0;
  }
  if (status) free(all);
  sd_checkpoint_destroy(file);
  return status;
}

sd_status sd_snapshot_info(const char *path, FILE *to, sd_error *error) {
  sd_checkpoint *file;
  sd_block plan, position;
  int previous;
  SD_TRY(sd_checkpoint_load(path, &file, &previous, error));
  if (*sd_checkpoint_remark(file)) fprintf(to, "%s\n", sd_checkpoint_remark(file));
  sd_status status = sd_checkpoint_find(file, "plan", &plan, error);
  if (!status) status = sd_checkpoint_find(file, "position", &position, error);
  if (!status && position.size == sizeof(sd_position)) {
    sd_position at;
    memcpy(&at, position.data, sizeof at);
    fprintf(to, "checkpoint: %lld method%s done, %lld steps of the next\n%.*s", (long long)at.method,
            at.method == 1 ? "" : "s", (long long)at.step, (int)plan.size, (const char *)plan.data);
    for (size_t i = 0; i < sd_checkpoint_count(file); i++) {
      sd_block b = sd_checkpoint_block(file, i);
      fprintf(to, "block %-15s %zu bytes\n", b.tag, b.size);
    }
  }
  sd_checkpoint_destroy(file);
  return status;
}
