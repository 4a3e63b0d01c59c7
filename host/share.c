#include "share.h"

#include "partials.h"
#include "words.h"

#include <stdlib.h>

int sd_share_at(const sd_share *s, size_t index, sd_share_array *a) {
  const sd_share_array arrays[SD_SHARE_ARRAYS] = {
      {"energy_error", "E - E0 of every member", "energy", s->row, 2, 0, {s->samples, s->members}},
      {"partials",
       "of the witness before the sample, then of the ledger, over blocks of 256 members: sum, count, largest",
       "any",
       s->partial,
       4,
       0,
       {s->samples, s->quantities, s->blocks, SD_SHARE_NUMBERS}},
      {"accounts", "accounts of every member at the end", "any", s->account, 2, 0, {SD_ACCOUNT_SLOTS, s->members}},
      {"digests", "of blocks of 256 members", "1", s->digest, 2, 1, {s->blocks, 2}}};
  if (index >= SD_SHARE_ARRAYS || !s->members) return 0;
  *a = arrays[index];
  return 1;
}

sd_status sd_share_create(sd_share *s, const sd_specification *spec, const sd_series *series, sd_error *error) {
  *s = (sd_share){0};
  if (!spec->mergeable) return SD_OK;
  *s = (sd_share){.members = spec->members,
                  .blocks = sd_blocks_of(spec->members),
                  .samples = series->room,
                  .quantities = 1 + (size_t)series->ledgers};
  s->row = calloc(s->samples * s->members, sizeof *s->row);
  s->partial = calloc(s->samples * s->quantities * s->blocks * SD_SHARE_NUMBERS, sizeof *s->partial);
  s->account = calloc(SD_ACCOUNT_SLOTS * s->members, sizeof *s->account);
  s->digest = calloc(2 * s->blocks, sizeof *s->digest);
  if (s->row && s->partial && s->account && s->digest) return SD_OK;
  sd_share_destroy(s);
  return sd_fail(error, SD_NO_MEMORY,
                 "mergeable: no memory for %zu samples of %zu members; raise --every or run fewer members in a job",
                 series->room, spec->members);
}

void sd_share_destroy(sd_share *s) {
  free(s->row);
  free(s->partial);
  free(s->account);
  free(s->digest);
  *s = (sd_share){0};
}

sd_status sd_share_take(const sd_share *s, const sd_parts *parts, size_t row, size_t sample, sd_error *error) {
  for (size_t i = 0; i < parts->count; i++) {
    sd_part *part = parts->part[i];
    SD_TRY(part->copy_row(part, row, s->row + sample * s->members + part->first, error));
  }
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
