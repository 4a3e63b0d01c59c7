#include "record.h"

#include "build_info.h"
#include "digest.h"
#include "kept.h"
#include "outcome.h"
#include "own.h"
#include "plan_text.h"
#include "rest.h"

#include <stdlib.h>
#include <string.h>

/* ---- a summary for people ---- */

static void say_method(sd_text *to, const sd_result *result, size_t m) {
  if (m >= sd_result_count(result)) {
    sd_text_add(to, "  %-14s not done\n", result->spec->methods[m].name);
    return;
  }
  const sd_summary *s = sd_result_summary(result, m);
  sd_text_add(to, "  %-14s %-9s  slope of E %+.3e  max|E-E0| %.2e", s->method, sd_verdict_text(s->verdict),
              s->drift_slope, s->energy_max_abs_error);
  if (s->failed) sd_text_add(to, "  %zu of %zu failed", s->failed, s->members);
  if (sd_result_final_count(result)) sd_text_add(to, "  final states");
  if (sd_result_trajectory_count(result)) sd_text_add(to, "  trajectories");
  sd_text_add(to, "\n");
}

static void say_run(sd_text *to, const sd_result *result, size_t index) {
  const sd_specification *spec = result->spec;
  char document[33];
  sd_text_add(to, "\nrun %zu: %s, %zu %s, %lld steps of %.15g, seed %llu (%s, %s, %d %s)\n  digest %s\n", index,
              spec->problem->id, spec->members, sd_member_word(spec, spec->members), (long long)spec->total_steps,
              spec->h, (unsigned long long)spec->seed, result->backend, result->variant, result->threads,
              sd_plural((size_t)result->threads, "thread", "threads"),
              sd_result_count(result) ? sd_result_digest(result) : "none");
  if (sd_described_by(spec))
    sd_document_digest(sd_described_by(spec), document), sd_text_add(to, "  system %s\n", document);
  const sd_source *s;
  for (int i = 0; (s = sd_own_source(spec->problem->family, i)); i++) {
    sd_document_digest(s->document, document);
    sd_text_add(to, "  %s %s, of one's own: %s\n", sd_source_kind_text(s->kind), s->id, document);
  }
  for (int m = 0; m < spec->method_count; m++) say_method(to, result, (size_t)m);
}

static char *compose_summary(const sd_result *const *results, size_t count, const char *created) {
  sd_text text = {0};
  char digest[33];
  sd_digest_of_digests(results, count, digest);
  sd_text_add(&text, "written %s by spindrift %s (%s, %s)\ndigest %s\n", created, SPINDRIFT_VERSION, SPINDRIFT_COMPILER,
              SPINDRIFT_FLAGS, *digest ? digest : "none");
  for (size_t i = 0; i < count; i++) say_run(&text, results[i], i);
  char *made = sd_text_take(&text);
  for (char *c = made; c && *c; c++)
    if (!sd_is_printable(*c)) *c = '?'; /* flags may name a directory */
  return made;
}

/* ---- composing ---- */

static void add_start(sd_text *to, const sd_starts *s, size_t i) {
  sd_text_add(to, "%016llx", (unsigned long long)s->member[i]);
  for (size_t k = 0; k < s->width; k++) sd_add_real(to, s->number[i * s->width + k]);
  sd_text_add(to, "\n");
}

/* All of its methods' settings, and what came of those that were done. */
static void add_run(sd_text *to, const sd_result *result, const uint64_t *places) {
  const sd_specification *spec = result->spec;
  const sd_starts *starts = &spec->starts;
  char *settings = sd_specification_text(spec, (size_t)spec->method_count), *outcome = sd_outcome_text(result, places);
  const char *digest = sd_result_count(result) ? sd_result_digest(result) : "00000000000000000000000000000000";
  to->failed |= !settings || !outcome;
  if (!to->failed)
    sd_text_add(to, "run %s methods %zu settings %zu outcome %zu starts %zu of %zu\n%s%s", digest,
                sd_result_count(result), strlen(settings), strlen(outcome), starts->count, starts->width, settings,
                outcome);
  for (size_t i = 0; i < starts->count && !to->failed; i++) add_start(to, starts, i);
  free(settings);
  free(outcome);
}

char *sd_record_compose(const sd_result *const *results, size_t count, const char *created, const uint64_t *places,
                        size_t *size) {
  sd_text text = {0};
  char *summary = compose_summary(results, count, created);
  text.failed = !summary;
  if (summary)
    sd_text_add(&text, "record %zu complete %d\nsummary %zu\n%s", count, sd_results_complete(results, count),
                strlen(summary), summary);
  for (size_t i = 0; i < count && !text.failed; i++) {
    add_run(&text, results[i], places);
    places += sd_result_count(results[i]) * sd_kept_count(results[i]);
  }
  sd_text_add(&text, "end\n");
  free(summary);
  *size = text.length;
  return sd_text_take(&text);
}

/* ---- parsing ---- */

enum { NUMBERS_MOST = SD_PARAMETERS_MAX }; /* of a start */

static void take_run(sd_rest *r, sd_record_run *run) {
  size_t left = (size_t)(r->end - r->at);
  sd_take_word(r, "run ");
  sd_take_digest(r, run->digest);
  sd_take_word(r, " methods ");
  run->methods = sd_take_count(r, SD_METHODS_MAX);
  sd_take_word(r, " settings ");
  run->settings_size = sd_take_count(r, left);
  sd_take_word(r, " outcome ");
  run->outcome_size = sd_take_count(r, left);
  sd_take_word(r, " starts ");
  run->start_count = sd_take_count(r, left);
  sd_take_word(r, " of ");
  run->numbers = sd_take_count(r, NUMBERS_MOST);
  sd_take_word(r, "\n");
  run->settings = sd_take_bytes(r, run->settings_size);
  run->outcome = sd_take_bytes(r, run->outcome_size);
  size_t size = SD_BITS_SIZE * (1 + run->numbers); /* of a start */
  r->bad = r->bad || run->start_count > (size_t)(r->end - r->at) / size;
  run->starts = sd_take_bytes(r, r->bad ? 0 : run->start_count * size);
}

/* "run ", the digest, and the rest of the shortest line there can be. */
enum { RUN_LEAST = 4 + 32 + sizeof " methods 0 settings 0 outcome 0 starts 0 of 0\n" - 1 };

static sd_status take_all(sd_record *record, const char *name, size_t size, sd_error *error) {
  sd_rest r = {record->text, record->text + size, 0};
  for (const char *c = r.at; c < r.end && !r.bad; c++) r.bad = !sd_is_printable(*c);
  sd_take_word(&r, "record ");
  record->count = sd_take_count(&r, size / RUN_LEAST);
  sd_take_word(&r, " complete ");
  record->complete = (int)sd_take_count(&r, 1);
  sd_take_word(&r, "\nsummary ");
  record->summary_size = sd_take_count(&r, size);
  sd_take_word(&r, "\n");
  record->summary = sd_take_bytes(&r, record->summary_size);
  record->run = calloc(record->count + 1, sizeof *record->run);
  if (!record->run) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  for (size_t i = 0; i < record->count && !r.bad; i++) take_run(&r, &record->run[i]);
  sd_take_word(&r, "end\n");
  if (!r.bad && r.at == r.end) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s: its record cannot be read from byte %zu on", name,
                 (size_t)(r.at - record->text));
}

sd_status sd_record_parse(sd_record *record, const char *name, char *text, size_t size, sd_error *error) {
  *record = (sd_record){.text = text};
  sd_status status = take_all(record, name, size, error);
  if (status) sd_record_free(record);
  return status;
}

void sd_record_free(sd_record *record) {
  free(record->run);
  free(record->text);
  *record = (sd_record){0};
}

/* ---- a plan ---- */

static sd_status set_start(sd_rest *r, size_t width, const char *name, sd_plan *plan, sd_error *error) {
  double number[NUMBERS_MOST];
  size_t member = (size_t)sd_take_bits(r, ' ');
  for (size_t i = 0; i < width; i++) number[i] = sd_take_real(r, i + 1 < width ? ' ' : '\n');
  if (r->bad) return sd_fail(error, SD_BAD_INPUT, "%s: its starts cannot be read", name);
  sd_status status = sd_plan_set_starts(plan, member, 1, number, width);
  return status ? sd_fail(error, status, "%s: %.300s", name, sd_plan_message(plan)) : SD_OK;
}

static sd_status set_starts(const sd_record_run *run, const char *name, sd_plan *plan, sd_error *error) {
  sd_rest r = {run->starts, run->starts + run->start_count * SD_BITS_SIZE * (1 + run->numbers), 0};
  for (size_t i = 0; i < run->start_count; i++) SD_TRY(set_start(&r, run->numbers, name, plan, error));
  return SD_OK;
}

sd_status sd_record_plan(const sd_record *record, size_t index, int all, const char *name, sd_plan **plan,
                         sd_error *error) {
  const sd_record_run *run = &record->run[index];
  *plan = NULL;
  char *settings = calloc(1, run->settings_size + 1);
  if (!settings) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", name);
  memcpy(settings, run->settings, run->settings_size);
  sd_status status = sd_plan_from_text(name, settings, plan, error);
  free(settings);
  if (!status && run->start_count) status = set_starts(run, name, *plan, error);
  if (!status && !all) sd_plan_cut_methods(*plan, run->methods);
  if (!status) return SD_OK;
  sd_plan_destroy(*plan);
  *plan = NULL;
  return status;
}
