#include "digest.h"

#include "own.h"
#include "parallel.h"
#include "points.h"
#include "reduce.h"
#include "statistics_list.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

_Static_assert(SD_REDUCE_BLOCK == 256, "digests are by blocks of 256 members");

/* ---- numbers into a hash ---- */

static void add_words(XXH3_state_t *to, uint64_t *word, size_t count) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < count; i++) word[i] = __builtin_bswap64(word[i]);
#endif
  XXH3_128bits_update(to, word, count * sizeof *word);
}

static void add_whole(XXH3_state_t *to, uint64_t whole) {
  add_words(to, &whole, 1);
}

/* One NaN for all of them: their sign and payload differ between processors. */
static void add_reals(XXH3_state_t *to, const double *x, size_t count) {
  enum { SOME = 512 };
  uint64_t word[SOME];
  for (size_t at = 0; at < count; at += SOME) {
    size_t some = count - at < SOME ? count - at : SOME;
    memcpy(word, x + at, some * sizeof *word);
    for (size_t i = 0; i < some; i++)
      if (x[at + i] != x[at + i]) word[i] = UINT64_C(0x7ff8000000000000);
    add_words(to, word, some);
  }
}

static void add_list(XXH3_state_t *to, const double *x, size_t count) {
  add_whole(to, count);
  add_reals(to, x, count);
}

static void add_text(XXH3_state_t *to, const char *text) {
  XXH3_128bits_update(to, text, strlen(text) + 1);
}

static sd_digest canonical(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  sd_digest digest;
  XXH128_canonicalFromHash(&bytes, hash);
  memcpy(digest.byte, bytes.digest, sizeof digest.byte);
  return digest;
}

static void in_hexadecimal(sd_digest digest, char text[33]) {
  for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", digest.byte[i]);
}

/* An empty hash, or NULL without memory. */
static XXH3_state_t *begin(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state) XXH3_128bits_reset(state);
  return state;
}

static sd_digest end(XXH3_state_t *state) {
  sd_digest digest = canonical(XXH3_128bits_digest(state));
  XXH3_freeState(state);
  return digest;
}

static sd_status out_of_memory(sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "digest: out of memory");
}

/* ---- members ---- */

typedef struct {
  const sd_ensemble *part;
  sd_digest *blocks;
  atomic_int failed;
} work;

static void digest_block(void *data, size_t index) {
  work *w = data;
  const sd_ensemble *e = w->part;
  size_t first = index * SD_REDUCE_BLOCK, left = e->bodies - first;
  XXH3_state_t *state = begin();
  if (!state) {
    atomic_store(&w->failed, 1);
    return;
  }
  for (size_t k = 0; k < sd_slot_count(e); k++)
    add_reals(state, e->slots + k * e->stride + first, left < SD_REDUCE_BLOCK ? left : SD_REDUCE_BLOCK);
  w->blocks[index] = end(state);
}

sd_status sd_digest_blocks(const sd_ensemble *part, int threads, sd_digest *blocks, sd_error *error) {
  work w = {.part = part, .blocks = blocks};
  sd_parallel(threads, sd_blocks_of(part->bodies), digest_block, &w);
  return atomic_load(&w.failed) ? out_of_memory(error) : SD_OK;
}

sd_digest sd_digest_root(const sd_digest *blocks, size_t count) {
  if (count == 1) return blocks[0];
  size_t left = sd_tree_left(count);
  const sd_digest pair[2] = {sd_digest_root(blocks, left), sd_digest_root(blocks + left, count - left)};
  return canonical(XXH3_128bits(pair, sizeof pair));
}

sd_status sd_digest_members(const sd_ensemble *e, int threads, sd_digest *root, sd_error *error) {
  size_t count = sd_blocks_of(e->bodies);
  sd_digest *blocks = malloc(count * sizeof *blocks);
  sd_status status = blocks ? sd_digest_blocks(e, threads, blocks, error) : out_of_memory(error);
  if (!status) *root = sd_digest_root(blocks, count);
  free(blocks);
  return status;
}

/* ---- a method ---- */

/* What is of the user's own is known by its text. */
static void add_source(XXH3_state_t *to, const sd_family *family, sd_source_kind kind, const char *id) {
  const sd_source *source = sd_own_source_of(family, kind, id);
  char digest[33];
  if (!source) return;
  sd_document_digest(source->document, digest);
  add_text(to, digest);
}

/* Nothing, where there is nothing: most runs are not swept. */
static void add_sweep(XXH3_state_t *to, const sd_sweep *s) {
  for (const sd_axis *a = s->axis; a < s->axis + s->axes; a++) {
    const double ends[] = {a->low, a->high};
    add_text(to, a->name);
    add_reals(to, ends, 2);
    add_whole(to, a->count);
    add_whole(to, (uint64_t)a->is_log);
  }
  for (const sd_scatter *d = s->scatter; d < s->scatter + s->scatters; d++) {
    add_text(to, d->name);
    add_reals(to, &d->sigma, 1);
  }
  if (*s->columns) add_text(to, s->columns);
}

static void add_part_of_sweep(XXH3_state_t *to, const sd_specification *spec) {
  if (!sd_is_part_of_sweep(spec)) return;
  add_whole(to, spec->first_point);
  add_whole(to, spec->points);
}

/* How many values of the parameters count. */
static size_t values_that_count(const sd_specification *spec) {
  int always = spec->problem->family->parameters_always, values = 0, last = always;
  for (const sd_parameter *p = spec->problem->parameter; p->name; values += p++->count)
    for (int i = 0; i < p->count; i++)
      if (values + i >= always && spec->parameters[values + i] != p->value[i]) last = values + i + 1;
  return (size_t)(always ? last : values);
}

static void add_specification(XXH3_state_t *to, const sd_specification *spec, int m) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  size_t starts = 0; /* the family's arrays, each with its deviation */
  while (spec->problem->family->start[starts].name) starts++;
  while (starts && !spec->problem->family->start[starts - 1].count && spec->sigma[starts - 1] == 0) starts--;
  add_text(to, spec->problem->id);
  add_text(to, spec->methods[m].name);
  add_whole(to, spec->members);
  add_whole(to, spec->first_member);
  add_whole(to, (uint64_t)spec->total_steps);
  add_whole(to, (uint64_t)spec->sample_every);
  add_whole(to, spec->seed);
  add_reals(to, &spec->h, 1);
  add_reals(to, &spec->resolve, 1);
  add_list(to, spec->sigma, starts);
  add_list(to, spec->parameters, values_that_count(spec));
  add_list(to, spec->method_parameters[m], (size_t)sd_parameters_of(spec->methods[m].entry, table));
  add_whole(to, (uint64_t)spec->impulses);
  add_sweep(to, &spec->sweep);
  add_part_of_sweep(to, spec);
  if (sd_described_by(spec)) {
    char document[33];
    sd_document_digest(sd_described_by(spec), document);
    add_text(to, document);
  }
  add_source(to, spec->problem->family, SD_SOURCE_OF_PROBLEM, spec->problem->id);
  add_source(to, spec->problem->family, SD_SOURCE_OF_METHOD, spec->methods[m].entry->id);
  for (int k = 0; k < spec->impulses; k++) {
    const sd_impulse *i = &spec->impulse[k];
    const double numbers[] = {i->time, i->change[0], i->change[1], i->change[2], i->size_error, i->angle_error};
    add_reals(to, numbers, sizeof numbers / sizeof *numbers);
    if (i->frame) add_whole(to, (uint64_t)i->frame);
  }
  for (int k = 0; k < spec->burns; k++) {
    const sd_burn *b = &spec->burn[k];
    const double numbers[] = {b->from, b->until,      b->force[0],    b->force[1], b->force[2],
                              b->flow, b->size_error, b->angle_error, b->frame};
    add_list(to, numbers, sizeof numbers / sizeof *numbers);
  }
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    const double numbers[] = {e->condition, e->action,    e->times,      e->body,       e->frame,
                              e->place[0],  e->place[1],  e->place[2],   e->after,      e->change[0],
                              e->change[1], e->change[2], e->size_error, e->angle_error};
    add_list(to, numbers, sizeof numbers / sizeof *numbers);
  }
  if (spec->covariance.given) {
    add_whole(to, (uint64_t)spec->covariance.frame);
    add_list(to, spec->covariance.number, SD_COVARIANCE_NUMBERS);
  }
}

static void add_sample(XXH3_state_t *to, const sd_sample *sample) {
  for (const sd_sample_quantity *q = sd_sample_quantities; q < sd_sample_quantities + SD_SAMPLE_QUANTITIES; q++) {
    const void *at = sd_sample_at(sample, q);
    if (q->whole) add_whole(to, *(const size_t *)at);
    else add_reals(to, at, (size_t)q->count);
  }
}

static void add_series(XXH3_state_t *to, const sd_series *series) {
  add_whole(to, series->count);
  for (size_t i = 0; i < series->count; i++) add_sample(to, &series->sample[i]);
  if (series->ledgers) add_list(to, series->ledger, series->count * (size_t)series->ledgers);
  size_t moments = sd_moment_numbers(&series->coordinates);
  if (moments) add_list(to, series->moments, series->count * moments);
  for (size_t i = 0; i < series->asked; i++) add_sample(to, &series->sample[series->room + i]);
  if (series->asked) add_list(to, sd_moments_of(series, series->room), series->asked * moments);
}

static void add_statistics(XXH3_state_t *to, const sd_summary *r) {
  add_whole(to, r->failed);
  add_whole(to, (uint64_t)r->verdict);
  add_whole(to, (uint64_t)r->reason);
  add_whole(to, SD_STATISTICS);
  for (int i = 0; i < SD_STATISTICS; i++) add_reals(to, &(double){sd_statistic_value(r, i)}, 1);
}

sd_status sd_digest_point(const sd_digest *members, const sd_summary *r, sd_digest *point, sd_error *error) {
  XXH3_state_t *state = begin();
  if (!state) return out_of_memory(error);
  XXH3_128bits_update(state, members->byte, sizeof members->byte);
  add_statistics(state, r);
  *point = end(state);
  return SD_OK;
}

sd_status sd_digest_method(const sd_specification *spec, int m, const sd_digest *members, const sd_series *series,
                           sd_summary *r, sd_error *error) {
  XXH3_state_t *state = begin();
  if (!state) return out_of_memory(error);
  add_specification(state, spec, m);
  XXH3_128bits_update(state, members->byte, sizeof members->byte);
  add_series(state, series);
  add_statistics(state, r);
  in_hexadecimal(end(state), r->digest);
  return SD_OK;
}

sd_status sd_digest_points(const sd_specification *spec, int m, const sd_point *points, sd_summary *r,
                           sd_error *error) {
  sd_digest *digests = malloc(spec->points * sizeof *digests);
  if (!digests) return out_of_memory(error);
  for (size_t p = 0; p < spec->points; p++) digests[p] = points[p].digest;
  sd_digest root = sd_digest_root(digests, spec->points);
  free(digests);
  return sd_digest_method(spec, m, &root, &(sd_series){.count = 0}, r, error);
}

void sd_digest_bytes(const void *bytes, size_t size, char text[33]) {
  in_hexadecimal(canonical(XXH3_128bits(bytes, size)), text);
}

void sd_digest_join(char digest[33], const char *next) {
  char link[65] = {0};
  snprintf(link, sizeof link, "%.32s%.32s", digest, next);
  in_hexadecimal(canonical(XXH3_128bits(link, 64)), digest);
}

void sd_digest_of_digests(const sd_result *const *results, size_t count, char text[33]) {
  memcpy(text, count ? sd_result_digest(results[0]) : "", count ? 33 : 1);
  for (size_t i = 1; i < count; i++) sd_digest_join(text, sd_result_digest(results[i]));
}
