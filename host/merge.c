/* merge.c - results of runs that are parts of one ensemble, made into the result of one run of all of it.
 *
 * Each part has what its members have to do with the whole (share.h); what joins them is what joins the parts of a run:
 * rows of samples by partials.h, accounts by statistics.h, digests along the tree. */
#include "digest.h"
#include "partials.h"
#include "plan.h"
#include "plan_text.h"
#include "run.h"
#include "safe_file.h"
#include "statistics.h"
#include "words.h"

#include "../kernels/witness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One file of those that are merged. */
typedef struct {
  const char *name;
  sd_result **results; /* of its runs */
  size_t runs;
} source;

/* The same run of all files, in the order of their members. */
typedef struct {
  source *sources;
  size_t count, run;
  int threads;
  sd_result *whole;
  sd_error *error;
} merger;

static const sd_result *result_of(const merger *g, size_t i) {
  return g->sources[i].results[g->run];
}
static const sd_specification *spec_of(const merger *g, size_t i) {
  return result_of(g, i)->spec;
}

/* ---- do they belong together? ---- */

/* The next line of a plan that is the whole's as well as the part's. */
static const char *skip_own_lines(const char *text) {
  while (!strncmp(text, "members ", 8) || !strncmp(text, "first-member ", 13) || !strncmp(text, "trajectories ", 13) ||
         !strncmp(text, "final ", 6))
    text += strcspn(text, "\n") + 1;
  return text;
}

static sd_status compare_plans(const char *first, const char *second, const merger *g, size_t i) {
  for (;;) {
    first = skip_own_lines(first), second = skip_own_lines(second);
    size_t n = strcspn(first, "\n"), k = strcspn(second, "\n");
    if (n != k || memcmp(first, second, n))
      return sd_fail(g->error, SD_BAD_INPUT, "%s is of another plan than %s: it has '%.*s' where that has '%.*s'",
                     g->sources[i].name, g->sources[0].name, k < 60 ? (int)k : 60, second, n < 60 ? (int)n : 60, first);
    if (!first[n]) return SD_OK;
    first += n + 1, second += k + 1;
  }
}

static sd_status check_plan(const merger *g, size_t i) {
  const sd_specification *first = spec_of(g, 0), *own = spec_of(g, i);
  const char *name = g->sources[i].name;
  if (!sd_result_complete(result_of(g, i)))
    return sd_fail(g->error, SD_BAD_INPUT, "%s is not complete: go on with its run first", name);
  if (!own->mergeable)
    return sd_fail(g->error, SD_BAD_INPUT, "%s does not have what merging needs: run it with --mergeable", name);
  char *one = sd_specification_text(first, (size_t)first->method_count),
       *two = sd_specification_text(own, (size_t)own->method_count);
  sd_status status = one && two ? compare_plans(one, two, g, i) : sd_fail(g->error, SD_NO_MEMORY, "out of memory");
  free(one);
  free(two);
  return status;
}

static int by_first_member(const void *a, const void *b) {
  const source *one = a, *two = b;
  size_t first = one->results[0]->spec->first_member, second = two->results[0]->spec->first_member;
  return first < second ? -1 : first > second;
}

/* A part ends where the next one begins, at a block of the whole. */
static sd_status check_border(const merger *g, size_t i) {
  const sd_specification *before = spec_of(g, i - 1), *own = spec_of(g, i);
  const char *last = g->sources[i - 1].name, *name = g->sources[i].name;
  size_t end = before->first_member + before->members, offset = end - spec_of(g, 0)->first_member;
  if (own->first_member > end)
    return sd_fail(g->error, SD_BAD_INPUT, "members %zu to %zu are in no file: %s ends before them, %s begins after",
                   end, own->first_member - 1, last, name);
  if (own->first_member < end)
    return sd_fail(g->error, SD_BAD_INPUT, "member %zu is in two files: %s and %s", own->first_member, last, name);
  if (offset % SD_REDUCE_BLOCK)
    return sd_fail(g->error, SD_BAD_INPUT,
                   "%s ends after %zu members: only the last file may end at other than a multiple of %d", last, offset,
                   SD_REDUCE_BLOCK);
  return SD_OK;
}

static sd_status check_run(const merger *g) {
  for (size_t i = 0; i < g->count; i++) SD_TRY(check_plan(g, i));
  for (size_t i = 1; i < g->count; i++) SD_TRY(check_border(g, i));
  return SD_OK;
}

/* ---- the plan of the whole ---- */

static sd_status set_whole(sd_plan *plan, const char *key, size_t value) {
  char text[24];
  snprintf(text, sizeof text, "%zu", value);
  return sd_plan_set(plan, key, text);
}

/* Single members count from the beginning of their part. */
static sd_status set_starts(const merger *g, sd_plan *plan) {
  for (size_t i = 0; i < g->count; i++) {
    const sd_starts *s = &spec_of(g, i)->starts;
    size_t offset = spec_of(g, i)->first_member - spec_of(g, 0)->first_member;
    for (size_t k = 0; k < s->count; k++)
      SD_TRY(sd_plan_set_starts(plan, offset + s->member[k], 1, s->number + k * s->width, s->width));
  }
  return SD_OK;
}

/* States of as many members as every part was asked for; one that is smaller has kept all of its own. */
static size_t first_states(const merger *g, size_t offset_in_spec) {
  size_t all = 0;
  for (size_t i = 0; i < g->count; i++) {
    const sd_specification *spec = spec_of(g, i);
    size_t kept = *(const size_t *)((const char *)spec + offset_in_spec);
    if (kept < spec->members) return kept;
    all += kept;
  }
  return all;
}

static sd_status fill_plan(const merger *g, sd_plan *plan) {
  const sd_specification *last = spec_of(g, g->count - 1);
  size_t first = spec_of(g, 0)->first_member;
  SD_TRY(set_whole(plan, "members", last->first_member + last->members - first));
  SD_TRY(set_whole(plan, "final", first_states(g, offsetof(sd_specification, finals))));
  SD_TRY(set_whole(plan, "trajectories", first_states(g, offsetof(sd_specification, recorded))));
  SD_TRY(sd_plan_set(plan, "mergeable", "no"));
  SD_TRY(set_starts(g, plan));
  return sd_plan_resolve(plan);
}

static sd_status create_whole(merger *g) {
  const sd_specification *first = spec_of(g, 0);
  sd_plan *plan = NULL;
  char *text = sd_specification_text(first, (size_t)first->method_count);
  sd_status status =
      text ? sd_plan_from_text("merge", text, &plan, g->error) : sd_fail(g->error, SD_NO_MEMORY, "out of memory");
  free(text);
  if (status) return status;
  status = fill_plan(g, plan);
  if (status) sd_fail(g->error, status, "merge: %.300s", sd_plan_message(plan));
  else status = sd_result_create(&g->whole, sd_plan_specification(plan), g->error);
  sd_plan_destroy(plan);
  return status;
}

/* ---- the series ---- */

static sd_status out_of_memory(const merger *g) {
  return sd_fail(g->error, SD_NO_MEMORY, "merging %zu members: out of memory", g->whole->spec->members);
}

static const sd_share *share_of(const merger *g, size_t i, size_t m) {
  return &result_of(g, i)->shares[m];
}

/* Rows of the samples, as parts have them. */
static sd_status reduce_samples(const merger *g, sd_part *part, sd_part **list, uint16_t *rows, size_t m) {
  sd_series *series = &g->whole->series[m];
  size_t sheets = (size_t)g->threads, at = 0;
  for (size_t i = 0; i < g->count; at += share_of(g, i++, m)->members) {
    const sd_share *s = share_of(g, i, m);
    SD_TRY(sd_host_part_create(&part[i], s->row, s->members, at, s->members, sheets, 1, &(sd_coordinates){0}, NULL,
                               g->error));
    list[i] = &part[i];
  }
  for (int64_t k = 0; k < g->whole->schedule.samples; k++)
    if (sd_series_keeps(series, &g->whole->schedule, k))
      series->sample[series->count++].time = sd_result_trajectory_time(g->whole, (size_t)k);
  for (size_t i = 0; i < series->count; i++) rows[i] = (uint16_t)i;
  sd_parts parts = {list, g->count, at, sheets, 1};
  return sd_reduce_rows(&parts, rows, series->count, series->sample, g->error);
}

static sd_status merge_samples(const merger *g, size_t m) {
  sd_part *part = calloc(g->count, sizeof *part), **list = calloc(g->count, sizeof *list);
  uint16_t *rows = calloc(g->whole->series[m].room, sizeof *rows);
  sd_status status = part && list && rows ? reduce_samples(g, part, list, rows, m) : out_of_memory(g);
  for (size_t i = 0; part && i < g->count; i++) sd_host_part_destroy(&part[i]);
  free(part);
  free(list);
  free(rows);
  return status;
}

/* The mean of a quantity of a sample, or the largest: as partials.h has them from blocks. */
static double quantity(const merger *g, size_t m, size_t sample, size_t which, int largest, double *sums) {
  double members = 0, most = -INFINITY;
  size_t n = 0;
  for (size_t i = 0; i < g->count; i++) {
    const sd_share *s = share_of(g, i, m);
    const double *from = s->partial + (sample * s->quantities + which) * s->blocks * SD_SHARE_NUMBERS;
    for (size_t b = 0; b < s->blocks; b++, from += SD_SHARE_NUMBERS) {
      sums[n++] = from[SD_SHARE_SUM];
      members += from[SD_SHARE_COUNT];
      most = from[SD_SHARE_LARGEST] > most ? from[SD_SHARE_LARGEST] : most;
    }
  }
  if (!(members > 0)) return NAN;
  return largest ? most : sd_tree_join(sums, n) / members;
}

static void merge_quantities(const merger *g, size_t m, double *sums) {
  sd_series *series = &g->whole->series[m];
  const sd_specification *spec = g->whole->spec;
  const sd_ledger_entry *entry = spec->problem->family->ledger;
  for (size_t i = 0; i < series->count; i++) {
    int64_t step = i ? sd_witness_step(series->witness_length, (int64_t)i) : INT64_MAX;
    if (step <= spec->total_steps) {
      series->sample[i].witness_time = (double)step * spec->h;
      series->sample[i].witness = quantity(g, m, i, 0, 0, sums);
    }
    for (size_t k = 0; k < (size_t)series->ledgers; k++)
      series->ledger[i * (size_t)series->ledgers + k] = quantity(g, m, i, 1 + k, entry[k].largest, sums);
  }
}

/* ---- the end ---- */

static void merge_states(const merger *g, const sd_states *to, const sd_states *(*of)(const sd_result *, size_t),
                         size_t m) {
  for (size_t i = 0; i < g->count; i++) {
    const sd_states *from = of(result_of(g, i), m);
    size_t offset = spec_of(g, i)->first_member - spec_of(g, 0)->first_member;
    for (size_t s = 0; s < to->samples; s++)
      for (size_t k = 0; k < from->members && offset + k < to->members; k++) {
        memcpy(sd_state_at(to, s, offset + k), sd_state_at(from, s, k), to->numbers * sizeof(double));
        *sd_state_status(to, s, offset + k) = *sd_state_status(from, s, k);
      }
  }
}

static const sd_states *finals_of(const sd_result *result, size_t m) {
  return &result->finals[m];
}
static const sd_states *tables_of(const sd_result *result, size_t m) {
  return &result->tables[m];
}
static const sd_states *trajectories_of(const sd_result *result, size_t m) {
  return &result->trajectories[m];
}

/* Members of which there are accounts alone. */
static sd_status summarise(const merger *g, size_t m, double *accounts) {
  sd_result *whole = g->whole;
  const sd_specification *spec = whole->spec;
  sd_summary *summary = &whole->summaries[m];
  sd_ensemble e = {
      .slots = accounts, .stride = spec->members, .bodies = spec->members, .bodies_each = sd_bodies_each(spec)};
  size_t at = 0;
  sd_summary_begin(summary, spec, m);
  for (size_t i = 0; i < g->count; at += share_of(g, i++, m)->members) {
    const sd_share *s = share_of(g, i, m);
    summary->seconds += result_of(g, i)->summaries[m].seconds;
    for (size_t k = 0; k < SD_ACCOUNT_SLOTS; k++)
      memcpy(accounts + k * e.stride + at, s->account + k * s->members, s->members * sizeof *accounts);
  }
  for (size_t i = 0; i < e.bodies; i++)
    if (!sd_has_member_status(&e, i)) return sd_fail(g->error, SD_BAD_INPUT, "accounts of member %zu make no sense", i);
  summary->ns_per_body_step =
      summary->seconds * 1e9 / ((double)(spec->members * sd_bodies_of(spec)) * (double)spec->total_steps);
  return sd_summarise(&e, &whole->schedule, &whole->series[m], spec->total_steps, sd_stages_of(&spec->methods[m]),
                      spec->resolve, g->threads, summary, g->error);
}

static sd_status digest(const merger *g, size_t m, sd_digest *blocks) {
  size_t n = 0;
  for (size_t i = 0; i < g->count; i++) {
    const sd_share *s = share_of(g, i, m);
    for (size_t b = 0; b < s->blocks; b++, n++) {
      unsigned char *to = blocks[n].byte;
      for (size_t k = 0; k < 2; k++) sd_put_word(&to, s->digest[2 * b + k]);
    }
  }
  sd_digest root = sd_digest_root(blocks, n);
  return sd_digest_method(g->whole->spec, (int)m, &root, &g->whole->series[m], &g->whole->summaries[m], g->error);
}

static sd_status merge_method(const merger *g, size_t m) {
  sd_result *whole = g->whole;
  size_t members = whole->spec->members, blocks = sd_blocks_of(members);
  SD_TRY(sd_series_create(&whole->series[m], &whole->schedule, whole->spec, g->error));
  SD_TRY(merge_samples(g, m));
  double *accounts = malloc(SD_ACCOUNT_SLOTS * members * sizeof *accounts), *sums = malloc(blocks * sizeof *sums);
  sd_digest *digests = malloc(blocks * sizeof *digests);
  sd_status status = accounts && sums && digests ? SD_OK : out_of_memory(g);
  if (!status) {
    merge_quantities(g, m, sums);
    merge_states(g, &whole->finals[m], finals_of, m);
    merge_states(g, &whole->trajectories[m], trajectories_of, m);
    if (whole->spec->table) merge_states(g, &whole->tables[m], tables_of, m);
    status = summarise(g, m, accounts);
  }
  if (!status) status = digest(g, m, digests);
  whole->done += !status;
  free(accounts);
  free(sums);
  free(digests);
  return status;
}

/* What ran it is what ran the first part. */
static void describe(const merger *g) {
  sd_result *to = g->whole;
  const sd_result *from = result_of(g, 0);
  memcpy(to->backend, from->backend, sizeof to->backend);
  memcpy(to->variant, from->variant, sizeof to->variant);
  memcpy(to->devices, from->devices, sizeof to->devices);
  to->threads = from->threads;
  to->with_series = from->with_series;
  snprintf(to->note, sizeof to->note, "merged from %zu files", g->count);
  sd_result_join_digests(to);
}

static sd_status merge_run(merger *g, sd_result **merged) {
  SD_TRY(check_run(g));
  sd_status status = create_whole(g);
  for (int m = 0; !status && m < g->whole->spec->method_count; m++) status = merge_method(g, (size_t)m);
  if (!status) describe(g);
  *merged = g->whole;
  return status;
}

/* ---- files ---- */

static sd_status read_sources(source *sources, const char *const *paths, size_t count, sd_error *error) {
  char message[512];
  for (size_t i = 0; i < count; i++) {
    sources[i].name = paths[i];
    sd_status status = sd_results_read(paths[i], &sources[i].results, &sources[i].runs, message);
    if (status) return sd_fail(error, status, "%s", message);
    if (!sources[i].runs) return sd_fail(error, SD_BAD_INPUT, "%s holds no run", sd_path_shown(paths[i]));
    if (sources[i].runs != sources[0].runs)
      return sd_fail(error, SD_BAD_INPUT, "%s has %zu runs, and %s has %zu", sd_path_shown(paths[i]), sources[i].runs,
                     sd_path_shown(paths[0]), sources[0].runs);
  }
  qsort(sources, count, sizeof *sources, by_first_member);
  return SD_OK;
}

static void destroy_results(sd_result **results, size_t count) {
  for (size_t i = 0; results && i < count; i++) sd_result_destroy(results[i]);
  free(results);
}

sd_status sd_results_merge(const char *const *paths, size_t count, sd_result ***merged, size_t *runs,
                           char message[512]) {
  sd_error error = {0};
  source *sources = calloc(count + 1, sizeof *sources);
  sd_result **results = NULL;
  sd_status status = sources ? SD_OK : sd_fail(&error, SD_NO_MEMORY, "out of memory");
  if (!status && !count) status = sd_fail(&error, SD_BAD_INPUT, "merge: there is nothing to be merged");
  if (!status) status = read_sources(sources, paths, count, &error);
  size_t all = status ? 0 : sources[0].runs;
  if (!status) results = calloc(all, sizeof *results);
  if (!status && !results) status = sd_fail(&error, SD_NO_MEMORY, "out of memory");
  for (size_t run = 0; run < all && !status; run++) {
    merger g = {.sources = sources, .count = count, .run = run, .threads = 1, .error = &error};
    status = merge_run(&g, &results[run]);
  }
  for (size_t i = 0; sources && i < count; i++) destroy_results(sources[i].results, sources[i].runs);
  free(sources);
  memcpy(message, error.message, sizeof error.message);
  if (status) destroy_results(results, all);
  *merged = status ? NULL : results;
  *runs = status ? 0 : all;
  return status;
}
