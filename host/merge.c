/* merge.c - results of runs that are parts of one ensemble, or of one sweep, made into the result of one run of all.
 *
 * Each part has what its members have to do with the whole (share.h); what joins them is what joins the parts of a run:
 * rows of samples by partials.h, moments by moments.h, accounts by statistics.h, digests along the tree.  Rows are in
 * memory one sample at a time.  Points of a sweep only have to be put in their order. */
#include "digest.h"
#include "moments.h"
#include "options.h"
#include "partials.h"
#include "plan.h"
#include "plan_text.h"
#include "points.h"
#include "result_file.h"
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
  sd_result_file *file;
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

/* Parts are ranges of members, or of the points of a sweep. */
static size_t first_of(const sd_specification *spec) {
  return sd_is_swept(spec) ? spec->first_point : spec->first_member;
}
static size_t count_of(const sd_specification *spec) {
  return sd_is_swept(spec) ? spec->points : spec->members;
}
/* Members of the whole before those of a part. */
static size_t members_before(const merger *g, size_t i) {
  const sd_specification *spec = spec_of(g, i);
  size_t before = first_of(spec) - first_of(spec_of(g, 0));
  return sd_is_swept(spec) ? before * spec->each : before;
}

/* ---- do they belong together? ---- */

static int is_own_line(const char *text, int swept) {
  sd_option o;
  for (size_t i = 0; sd_option_at(i, &o); i++) {
    size_t n = o.own ? strlen(o.key) : 0;
    if (n && !strncmp(text, o.key, n) && text[n] == ' ') return !swept || o.own != SD_OF_MEMBERS;
  }
  return 0;
}

/* The next line of a plan that is the whole's as well as the part's. */
static const char *skip_own_lines(const char *text, int swept) {
  while (is_own_line(text, swept)) text += strcspn(text, "\n") + 1;
  return text;
}

static sd_status compare_plans(const char *first, const char *second, const merger *g, size_t i) {
  int swept = sd_is_swept(spec_of(g, 0));
  for (;;) {
    first = skip_own_lines(first, swept), second = skip_own_lines(second, swept);
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
  if (!status && sd_is_swept(own) && !sd_starts_equal(&first->starts, &own->starts))
    return sd_fail(g->error, SD_BAD_INPUT, "%s has other starts than %s", name, g->sources[0].name);
  return status;
}

static int by_first(const void *a, const void *b) {
  const source *one = a, *two = b;
  size_t first = first_of(one->results[0]->spec), second = first_of(two->results[0]->spec);
  return first < second ? -1 : first > second;
}

/* A part ends where the next one begins; of members, at a block of the whole. */
static sd_status check_border(const merger *g, size_t i) {
  const sd_specification *before = spec_of(g, i - 1), *own = spec_of(g, i);
  const char *last = g->sources[i - 1].name, *name = g->sources[i].name, *one = sd_is_swept(own) ? "point" : "member";
  size_t end = first_of(before) + count_of(before), offset = end - first_of(spec_of(g, 0));
  if (first_of(own) > end)
    return sd_fail(g->error, SD_BAD_INPUT, "%ss %zu to %zu are in no file: %s ends before them, %s begins after", one,
                   end, first_of(own) - 1, last, name);
  if (first_of(own) < end)
    return sd_fail(g->error, SD_BAD_INPUT, "%s %zu is in two files: %s and %s", one, first_of(own), last, name);
  if (offset % SD_REDUCE_BLOCK && !sd_is_swept(own))
    return sd_fail(g->error, SD_BAD_INPUT,
                   "%s ends after %zu members: only the last file may end at other than a multiple of %d", last, offset,
                   SD_REDUCE_BLOCK);
  return SD_OK;
}

/* A grid has a first and a last point. */
static sd_status check_ends(const merger *g) {
  const sd_specification *first = spec_of(g, 0), *last = spec_of(g, g->count - 1);
  size_t end = first_of(last) + count_of(last), all = sd_sweep_points(&first->sweep);
  if (first->first_point)
    return sd_fail(g->error, SD_BAD_INPUT, "points 0 to %zu are in no file: %s begins after them",
                   first->first_point - 1, g->sources[0].name);
  if (end < all)
    return sd_fail(g->error, SD_BAD_INPUT, "points %zu to %zu are in no file: %s ends before them", end, all - 1,
                   g->sources[g->count - 1].name);
  return SD_OK;
}

static sd_status check_run(const merger *g) {
  for (size_t i = 0; i < g->count; i++) SD_TRY(check_plan(g, i));
  for (size_t i = 1; i < g->count; i++) SD_TRY(check_border(g, i));
  return sd_is_swept(spec_of(g, 0)) ? check_ends(g) : SD_OK;
}

/* ---- the plan of the whole ---- */

static sd_status set_whole(sd_plan *plan, const char *key, size_t value) {
  char text[24];
  snprintf(text, sizeof text, "%zu", value);
  return sd_plan_set(plan, key, text);
}

/* Single members count from the beginning of their part; in a sweep, of their point, and those of all points are the
 * same. */
static sd_status set_starts(const merger *g, sd_plan *plan) {
  for (size_t i = 0; i < (sd_is_swept(spec_of(g, 0)) ? 1 : g->count); i++) {
    const sd_starts *s = &spec_of(g, i)->starts;
    size_t offset = members_before(g, i);
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
  if (sd_is_swept(last)) {
    SD_TRY(set_whole(plan, "first-point", 0));
    SD_TRY(set_whole(plan, "points", sd_sweep_points(&last->sweep)));
  } else SD_TRY(set_whole(plan, "members", members_before(g, g->count - 1) + last->members));
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

/* One sample of all members: E - E0, and after it the numbers of their states. */
typedef struct {
  double *row;
  size_t stride;
  sd_coordinates coordinates;
  sd_part part;
} sheet;

static sd_status create_sheet(const merger *g, size_t m, sheet *s) {
  const sd_specification *spec = g->whole->spec;
  sd_variant variant;
  *s = (sheet){.stride = sd_padded(spec->members), .coordinates = g->whole->series[m].coordinates};
  SD_TRY(sd_find_variant("auto", &variant, g->error));
  size_t rows = 1 + (size_t)s->coordinates.numbers;
  s->row = calloc(rows * s->stride, sizeof *s->row);
  if (!s->row) return out_of_memory(g);
  return sd_host_part_create(&s->part, s->row, s->stride, 0, spec->members, 1, 1, &s->coordinates,
                             sd_find_charts(spec->problem->family, variant.name), g->error);
}

static void destroy_sheet(sheet *s) {
  sd_host_part_destroy(&s->part);
  free(s->row);
}

static sd_status fill_sheet(const merger *g, size_t m, size_t sample, const sheet *s) {
  for (size_t i = 0; i < g->count; i++) {
    const sd_share *share = share_of(g, i, m);
    double *to = s->row + members_before(g, i);
    int failed = sd_share_row(share, sample, to);
    for (size_t k = 0; k < share->numbers; k++) failed |= sd_share_states(share, sample, k, to + (k + 1) * s->stride);
    if (failed) return sd_fail(g->error, SD_IO, "%s: cannot be read any more", g->sources[i].name);
  }
  return SD_OK;
}

static sd_status merge_sample(const merger *g, size_t m, size_t i, sheet *s) {
  sd_series *series = &g->whole->series[m];
  sd_parts parts = {(sd_part *const[]){&s->part}, 1, g->whole->spec->members, 1, 1};
  SD_TRY(fill_sheet(g, m, i, s));
  SD_TRY(sd_reduce_rows(&parts, (const uint16_t[]){0}, 1, &series->sample[i], g->error));
  if (!s->coordinates.numbers) return SD_OK;
  return sd_find_moments(&parts, &s->coordinates, (const uint16_t[]){1}, &series->sample[i].members, 1,
                         series->moments + i * sd_moment_numbers(&s->coordinates), g->error);
}

static sd_status merge_samples(const merger *g, size_t m) {
  sd_series *series = &g->whole->series[m];
  sheet s;
  for (int64_t k = 0; k < g->whole->schedule.samples; k++)
    if (sd_series_keeps(series, &g->whole->schedule, k))
      series->sample[series->count++].time = sd_result_trajectory_time(g->whole, (size_t)k);
  sd_status status = create_sheet(g, m, &s);
  for (size_t i = 0; i < series->count && !status; i++) status = merge_sample(g, m, i, &s);
  destroy_sheet(&s);
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
    size_t offset = members_before(g, i);
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
static const sd_states *logs_of(const sd_result *result, size_t m) {
  return &result->logs[m];
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
  for (size_t i = 0; i < g->count; at += share_of(g, i++, m)->members) {
    const sd_share *s = share_of(g, i, m);
    for (size_t k = 0; k < SD_ACCOUNT_SLOTS; k++)
      memcpy(accounts + k * e.stride + at, s->account + k * s->members, s->members * sizeof *accounts);
  }
  for (size_t i = 0; i < e.bodies; i++)
    if (!sd_has_member_status(&e, i)) return sd_fail(g->error, SD_BAD_INPUT, "accounts of member %zu make no sense", i);
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

static void merge_all_states(const merger *g, size_t m) {
  const sd_result *whole = g->whole;
  merge_states(g, &whole->finals[m], finals_of, m);
  merge_states(g, &whole->trajectories[m], trajectories_of, m);
  if (whole->spec->table) merge_states(g, &whole->tables[m], tables_of, m);
  if (whole->spec->events) merge_states(g, &whole->logs[m], logs_of, m);
}

/* ---- a method ---- */

static void begin_summary(const merger *g, size_t m) {
  const sd_specification *spec = g->whole->spec;
  sd_summary *summary = &g->whole->summaries[m];
  sd_summary_begin(summary, spec, m);
  for (size_t i = 0; i < g->count; i++) summary->seconds += result_of(g, i)->summaries[m].seconds;
  summary->ns_per_body_step =
      summary->seconds * 1e9 / ((double)(spec->members * sd_bodies_of(spec)) * (double)spec->total_steps);
}

static sd_status merge_sweep(const merger *g, size_t m) {
  sd_result *whole = g->whole;
  for (size_t i = 0; i < g->count; i++) {
    const sd_specification *spec = spec_of(g, i);
    memcpy(whole->points[m] + spec->first_point, result_of(g, i)->points[m], spec->points * sizeof **whole->points);
  }
  merge_all_states(g, m);
  begin_summary(g, m);
  sd_points_summarise(whole->points[m], whole->spec->points, &whole->summaries[m]);
  SD_TRY(sd_digest_points(whole->spec, (int)m, whole->points[m], &whole->summaries[m], g->error));
  whole->done++;
  return SD_OK;
}

static sd_status merge_ensemble(const merger *g, size_t m) {
  sd_result *whole = g->whole;
  size_t members = whole->spec->members, blocks = sd_blocks_of(members);
  SD_TRY(sd_series_create(&whole->series[m], &whole->schedule, whole->spec, g->error));
  SD_TRY(merge_samples(g, m));
  double *accounts = malloc(SD_ACCOUNT_SLOTS * members * sizeof *accounts), *sums = malloc(blocks * sizeof *sums);
  sd_digest *digests = malloc(blocks * sizeof *digests);
  sd_status status = accounts && sums && digests ? SD_OK : out_of_memory(g);
  if (!status) {
    merge_quantities(g, m, sums);
    merge_all_states(g, m);
    begin_summary(g, m);
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
  for (int m = 0; !status && m < g->whole->spec->method_count; m++)
    status = sd_is_swept(g->whole->spec) ? merge_sweep(g, (size_t)m) : merge_ensemble(g, (size_t)m);
  if (!status) describe(g);
  *merged = g->whole;
  return status;
}

/* ---- files ---- */

/* The file stays open: what is large is read when it is needed. */
static sd_status read_source(source *s, sd_error *error) {
  SD_TRY(sd_result_file_open(s->name, &s->file, error));
  s->runs = sd_result_file_runs(s->file);
  if (!s->runs) return sd_fail(error, SD_BAD_INPUT, "%s holds no run", sd_path_shown(s->name));
  s->results = calloc(s->runs, sizeof *s->results);
  if (!s->results) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(s->name));
  return sd_result_file_read_part(s->file, s->results, error);
}

static sd_status read_sources(source *sources, const char *const *paths, size_t count, sd_error *error) {
  for (size_t i = 0; i < count; i++) {
    sources[i].name = paths[i];
    SD_TRY(read_source(&sources[i], error));
    if (sources[i].runs != sources[0].runs)
      return sd_fail(error, SD_BAD_INPUT, "%s has %zu runs, and %s has %zu", sd_path_shown(paths[i]), sources[i].runs,
                     sd_path_shown(paths[0]), sources[0].runs);
  }
  qsort(sources, count, sizeof *sources, by_first);
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
  for (size_t i = 0; sources && i < count; i++) {
    destroy_results(sources[i].results, sources[i].runs);
    sd_result_file_close(sources[i].file);
  }
  free(sources);
  memcpy(message, error.message, sizeof error.message);
  if (status) destroy_results(results, all);
  *merged = status ? NULL : results;
  *runs = status ? 0 : all;
  return status;
}
