#include "relay.h"

#include "parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- sheets ---- */

sd_status sd_sheet_create(sd_series_job *sheet, const sd_coordinates *coordinates, size_t members, size_t block,
                          size_t rows, sd_error *error) {
  *sheet = (sd_series_job){
      .columns = members, .blocks = (members + block - 1) / block, .block = block, .coordinates = *coordinates};
  size_t size = sd_sheet_lay_out(sheet, NULL, rows, members + 1);
  void *memory = calloc(1, size);
  if (!memory) return sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", members);
  sd_sheet_lay_out(sheet, memory, rows, members + 1);
  return SD_OK;
}

void sd_sheet_destroy(sd_series_job *sheet) {
  free(sheet->partial); /* where its memory begins */
  sheet->partial = NULL;
}

int sd_sheet_piece(sd_series_job *s, sd_question question, sd_direction direction, size_t first, size_t last,
                   size_t index, sd_piece *piece) {
  size_t rows = last - first;
  int states = question == SD_ASK_CENTRE || question == SD_ASK_SPREAD;
  int sliced = question == SD_ASK_POPULATION || question == SD_ASK_VALUES, values = question == SD_ASK_VALUES;
  const struct {
    int here;
    void *at;
    size_t size;
  } asked[] = {{1, s->row + first, rows * sizeof *s->row},
               {question == SD_ASK_SQUARES, s->mean + first, rows * sizeof *s->mean},
               {question == SD_ASK_SPREAD, s->centre, sizeof s->centre},
               {sliced, s->lowest + first, rows * sizeof *s->lowest},
               {sliced, s->scale + first, rows * sizeof *s->scale},
               {values, s->wanted + first * SD_SLICES, rows * SD_SLICES},
               {values, s->gathered_at + first, (rows + 1) * sizeof *s->gathered_at}},
    answered[] = {{!sliced && !states, s->partial + first * s->blocks, rows * s->blocks * sizeof *s->partial},
                  {sliced && !values, s->population + first * SD_SLICES, rows * SD_SLICES * sizeof *s->population},
                  {states, s->sums, (size_t)sd_moment_sums(&s->coordinates) * s->blocks * sizeof *s->sums},
                  {values, s->gathered, values ? s->gathered_at[last] * sizeof *s->gathered : 0}},
    *list = direction == SD_OF_QUESTION ? asked : answered;
  size_t count = direction == SD_OF_QUESTION ? sizeof asked / sizeof *asked : sizeof answered / sizeof *answered;
  for (size_t i = 0; i < count; i++) {
    if (!list[i].here || index--) continue;
    *piece = (sd_piece){list[i].at, list[i].size};
    return 1;
  }
  return 0;
}

/* ---- the relay ---- */

typedef struct {
  sd_relay *relay;
  sd_question question;
  size_t first, last;
  atomic_flag failed;
  sd_error trouble;
} work;

/* Rows from..to-1 of the relay's sheet, on a sheet of a part. */
static void put_question(const sd_series_job *from, sd_series_job *to, size_t first, size_t rows) {
  memcpy(to->row, from->row + first, rows * sizeof *to->row);
  memcpy(to->centre, from->centre, sizeof to->centre);
  memcpy(to->mean, from->mean + first, rows * sizeof *to->mean);
  memcpy(to->lowest, from->lowest + first, rows * sizeof *to->lowest);
  memcpy(to->scale, from->scale + first, rows * sizeof *to->scale);
  memcpy(to->wanted, from->wanted + first * SD_SLICES, rows * SD_SLICES);
}

static sd_status ask_and_wait(sd_part *part, size_t sheet, sd_question question, size_t rows, sd_error *error) {
  SD_TRY(part->ask(part, sheet, question, 0, rows, error));
  return part->wait(part, error);
}

/* The wanted values of one row, after those of the parts before.  How many a part has of them is known if it has all.
 */
static sd_status gather(sd_part *part, size_t sheet, sd_series_job *all, size_t row, uint64_t *at, sd_error *error) {
  sd_series_job *s = &part->sheet[sheet];
  if (part->count == all->columns)
    memcpy(s->population, all->population + row * SD_SLICES, SD_SLICES * sizeof *s->population);
  else SD_TRY(ask_and_wait(part, sheet, SD_ASK_POPULATION, 1, error));
  s->gathered_at[0] = s->gathered_at[1] = 0;
  for (size_t k = 0; k < SD_SLICES; k++)
    if (s->wanted[k]) s->gathered_at[1] += s->population[k];
  SD_TRY(ask_and_wait(part, sheet, SD_ASK_VALUES, 1, error));
  memcpy(all->gathered + all->gathered_at[row] + *at, s->gathered, s->gathered_at[1] * sizeof *s->gathered);
  *at += s->gathered_at[1];
  return SD_OK;
}

static sd_status answer_row(const sd_relay *relay, size_t sheet, sd_question question, size_t row, sd_error *error) {
  sd_series_job all = relay->sheet;
  uint64_t at = 0;
  size_t block = 0;
  uint32_t *population = all.population + row * SD_SLICES;
  if (question == SD_ASK_POPULATION) memset(population, 0, SD_SLICES * sizeof *population);
  for (size_t i = 0; i < relay->inner->count; i++) {
    sd_part *part = relay->inner->part[i];
    sd_series_job *s = &part->sheet[sheet];
    sd_partial *partial = all.partial + row * all.blocks + block;
    put_question(&all, s, row, 1);
    block += s->blocks;
    if (question == SD_ASK_VALUES) {
      SD_TRY(gather(part, sheet, &all, row, &at, error));
      continue;
    }
    if (question == SD_ASK_SQUARES) memcpy(s->partial, partial, s->blocks * sizeof *partial);
    SD_TRY(ask_and_wait(part, sheet, question, 1, error));
    if (question == SD_ASK_POPULATION)
      for (size_t k = 0; k < SD_SLICES; k++) population[k] += s->population[k];
    else if (question == SD_ASK_CENTRE || question == SD_ASK_SPREAD)
      for (size_t k = 0; k < (size_t)sd_moment_sums(&all.coordinates); k++)
        memcpy(all.sums + k * all.blocks + block - s->blocks, s->sums + k * s->blocks, s->blocks * sizeof *s->sums);
    else memcpy(partial, s->partial, s->blocks * sizeof *partial);
  }
  return SD_OK;
}

static void answer_rows(void *data, size_t index, int worker) {
  work *w = data;
  sd_error trouble = {0};
  if (!answer_row(w->relay, (size_t)worker, w->question, w->first + index, &trouble)) return;
  if (!atomic_flag_test_and_set(&w->failed)) w->trouble = trouble;
}

static sd_status relay_ask(sd_part *base, size_t sheet, sd_question question, size_t first, size_t last,
                           sd_error *error) {
  sd_relay *self = (sd_relay *)base;
  (void)sheet, (void)error;
  self->asked.question = question, self->asked.first = first, self->asked.last = last;
  return SD_OK;
}

static sd_status relay_wait(sd_part *base, sd_error *error) {
  sd_relay *self = (sd_relay *)base;
  work w = {self, self->asked.question, self->asked.first, self->asked.last, ATOMIC_FLAG_INIT, {0}};
  sd_parallel_by((int)self->inner->sheets, w.last - w.first, answer_rows, &w);
  self->asked.last = self->asked.first;
  return w.trouble.status ? sd_fail(error, w.trouble.status, "%s", w.trouble.message) : SD_OK;
}

static sd_status relay_copy_row(sd_part *base, size_t row, double *samples, sd_error *error) {
  const sd_relay *self = (const sd_relay *)base;
  for (size_t i = 0; i < self->inner->count; i++) {
    sd_part *part = self->inner->part[i];
    SD_TRY(part->copy_row(part, row, samples + part->first, error));
  }
  return SD_OK;
}

sd_status sd_relay_create(sd_relay *r, const sd_parts *inner, const sd_coordinates *coordinates, size_t first,
                          size_t block, size_t rows, sd_error *error) {
  *r = (sd_relay){.inner = inner,
                  .base = {.first = first,
                           .count = inner->members,
                           .room = inner->members,
                           .sheet = &r->sheet,
                           .ask = relay_ask,
                           .wait = relay_wait,
                           .copy_row = relay_copy_row}};
  return sd_sheet_create(&r->sheet, coordinates, inner->members, block, rows, error);
}

void sd_relay_destroy(sd_relay *r) {
  sd_sheet_destroy(&r->sheet);
}
