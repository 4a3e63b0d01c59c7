#include "share.h"

#include "partials.h"
#include "safe_file.h"
#include "words.h"

#include <stdlib.h>

enum { ARRAYS = 4 }; /* that there are without states */

size_t sd_share_arrays(const sd_specification *spec) {
  return spec->moments ? ARRAYS + 1 : ARRAYS;
}

int sd_share_at(const sd_share *s, size_t index, sd_share_array *a) {
  const sd_share_array arrays[ARRAYS + 1] = {
      {"energy_error", "E - E0 of every member", "energy", s->row, SD_SHARE_SAMPLES, 2, 0, {s->samples, s->members}},
      {"partials",
       "of the witness before the sample, then of the ledger, over blocks of 256 members: sum, count, largest",
       "any",
       s->partial,
       SD_SHARE_BEFORE_SAMPLES,
       4,
       0,
       {s->samples, s->quantities, s->blocks, SD_SHARE_NUMBERS}},
      {"accounts",
       "accounts of every member at the end",
       "any",
       s->account,
       SD_SHARE_AT_END,
       2,
       0,
       {SD_ACCOUNT_SLOTS, s->members}},
      {"digests", "of blocks of 256 members", "1", s->digest, SD_SHARE_AT_END, 2, 1, {s->blocks, 2}},
      {"states",
       "the state of every member, number by number",
       "of each number",
       s->state,
       SD_SHARE_SAMPLES,
       3,
       0,
       {s->samples, s->numbers, s->members}}};
  if (index >= ARRAYS + (s->numbers > 0) || !s->members) return 0;
  *a = arrays[index];
  return 1;
}

static sd_status create(sd_share *s, const sd_specification *spec, const sd_series *series, int with_rows,
                        sd_error *error) {
  *s = (sd_share){0};
  if (!spec->mergeable || sd_is_swept(spec)) return SD_OK;
  *s = (sd_share){.members = spec->members,
                  .blocks = sd_blocks_of(spec->members),
                  .samples = series->room,
                  .quantities = 1 + (size_t)series->ledgers,
                  .numbers = (size_t)series->coordinates.numbers};
  if (with_rows) {
    s->row = calloc(s->samples * s->members, sizeof *s->row);
    s->state = calloc(s->samples * s->numbers * s->members + 1, sizeof *s->state);
  }
  s->partial = calloc(s->samples * s->quantities * s->blocks * SD_SHARE_NUMBERS, sizeof *s->partial);
  s->account = calloc(SD_ACCOUNT_SLOTS * s->members, sizeof *s->account);
  s->digest = calloc(2 * s->blocks, sizeof *s->digest);
  if (((s->row && s->state) || !with_rows) && s->partial && s->account && s->digest) return SD_OK;
  sd_share_destroy(s);
  return sd_fail(error, SD_NO_MEMORY,
                 "mergeable: no memory for %zu samples of %zu members; raise --every or run fewer members in a job",
                 series->room, spec->members);
}

sd_status sd_share_create(sd_share *s, const sd_specification *spec, const sd_series *series, sd_error *error) {
  return create(s, spec, series, 1, error);
}
sd_status sd_share_create_without_rows(sd_share *s, const sd_specification *spec, const sd_series *series,
                                       sd_error *error) {
  return create(s, spec, series, 0, error);
}

void sd_share_destroy(sd_share *s) {
  free(s->row);
  free(s->state);
  free(s->partial);
  free(s->account);
  free(s->digest);
  *s = (sd_share){0};
}

/* Number `row` of rows of a number for each member, in memory or in a file. */
static int fetch_row(const sd_share *s, const double *rows, uint64_t place, size_t row, double *to) {
  size_t bytes = s->members * sizeof *to;
  if (rows) return memcpy(to, rows + row * s->members, bytes), 0;
  if (sd_read_all(s->fd, to, bytes, place + row * bytes)) return -1;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < s->members; i++) {
    const unsigned char *from = (const unsigned char *)(to + i);
    sd_get_reals(&from, to + i, 1);
  }
#endif
  return 0;
}

int sd_share_row(const sd_share *s, size_t sample, double *to) {
  return fetch_row(s, s->row, s->row_at, sample, to);
}
int sd_share_states(const sd_share *s, size_t sample, size_t k, double *to) {
  return fetch_row(s, s->state, s->state_at, sample * s->numbers + k, to);
}

static sd_status copy_row(const sd_parts *parts, size_t row, double *to, sd_error *error) {
  for (size_t i = 0; i < parts->count; i++) {
    sd_part *part = parts->part[i];
    SD_TRY(part->copy_row(part, row, to + part->first, error));
  }
  return SD_OK;
}

sd_status sd_share_take(const sd_share *s, const sd_parts *parts, size_t row, size_t sample, sd_error *error) {
  return copy_row(parts, row, s->row + sample * s->members, error);
}

sd_status sd_share_take_states(const sd_share *s, const sd_parts *parts, size_t row, size_t sample, sd_error *error) {
  for (size_t k = 0; k < s->numbers; k++)
    SD_TRY(copy_row(parts, row + k, s->state + (sample * s->numbers + k) * s->members, error));
  return SD_OK;
}

sd_status sd_share_take_quantity(const sd_share *s, const sd_parts *parts, size_t row, size_t sample, size_t quantity,
                                 sd_error *error) {
  double *to = s->partial + (sample * s->quantities + quantity) * s->blocks * SD_SHARE_NUMBERS;
  sd_partial *blocks = malloc(s->blocks * sizeof *blocks);
  sd_status status = blocks ? sd_block_moments(parts, row, blocks, error)
                            : sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", s->members);
  for (size_t b = 0; b < s->blocks && !status; b++, to += SD_SHARE_NUMBERS) {
    to[SD_SHARE_SUM] = blocks[b].sum;
    to[SD_SHARE_COUNT] = blocks[b].count;
    to[SD_SHARE_LARGEST] = blocks[b].highest;
  }
  free(blocks);
  return status;
}

sd_status sd_share_conclude(const sd_share *s, const sd_ensemble *e, int threads, sd_error *error) {
  sd_digest *blocks = malloc(s->blocks * sizeof *blocks);
  sd_status status =
      blocks ? sd_digest_blocks(e, threads, blocks, error) : sd_fail(error, SD_NO_MEMORY, "digest: out of memory");
  for (size_t b = 0; b < s->blocks && !status; b++) {
    const unsigned char *from = blocks[b].byte;
    for (size_t k = 0; k < 2; k++) s->digest[2 * b + k] = (size_t)sd_get_word(&from);
  }
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++)
    memcpy(s->account + (size_t)k * s->members, sd_account_slot(e, k), s->members * sizeof *s->account);
  free(blocks);
  return status;
}
