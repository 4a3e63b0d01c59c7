/* part.c - partial results from samples in the host's memory: what series.cu does on a device. */
#include "part.h"

#include "../kernels/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sd_sheet_lay_out(sd_series_job *sheet, void *base, size_t rows, size_t room) {
  size_t at = 0;
#define ARRAY(name, count)                      \
  sheet->name = (void *)((uintptr_t)base + at); \
  at += ((count) * sizeof *sheet->name + 255) / 256 * 256
  ARRAY(partial, rows * sheet->blocks);
  ARRAY(mean, rows);
  ARRAY(lowest, rows);
  ARRAY(scale, rows);
  ARRAY(gathered_at, rows + 1);
  ARRAY(gathered_count, rows);
  ARRAY(population, rows * SD_SLICES);
  ARRAY(wanted, rows * SD_SLICES);
  ARRAY(gathered, room);
  ARRAY(sums, (size_t)sd_moment_sums(&sheet->coordinates) * sheet->blocks);
#undef ARRAY
  return at;
}

/* ---- answers ---- */

static const double *row_of(const sd_series_job *sheet, size_t row) {
  return sheet->samples + sheet->row[row] * sheet->stride;
}

static size_t block_length(const sd_series_job *sheet, size_t block) {
  size_t left = sheet->columns - block * sheet->block;
  return left < sheet->block ? left : sheet->block;
}

static void find_moments(const sd_series_job *sheet, size_t row) {
  const double *x = row_of(sheet, row);
  sd_partial *partial = sheet->partial + row * sheet->blocks;
  for (size_t b = 0; b < sheet->blocks; b++, x += sheet->block) {
    size_t length = block_length(sheet, b), present = 0;
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t i = 0; i < length; i++) present += x[i] == x[i];
    for (size_t i = 0; i < length; i++) {
      lowest = x[i] < lowest ? x[i] : lowest;
      highest = x[i] > highest ? x[i] : highest;
    }
    partial[b] =
        (sd_partial){.sum = sd_tree_sum(x, length), .lowest = lowest, .highest = highest, .count = (double)present};
  }
}

static void find_squares(const sd_series_job *sheet, size_t row) {
  const double *x = row_of(sheet, row);
  sd_partial *partial = sheet->partial + row * sheet->blocks;
  for (size_t b = 0; b < sheet->blocks; b++, x += sheet->block)
    partial[b].squares = sd_tree_sum_of_squares(x, block_length(sheet, b), sheet->mean[row]);
}

static void count_slices(const sd_series_job *sheet, size_t row) {
  const double *x = row_of(sheet, row);
  double lowest = sheet->lowest[row], scale = sheet->scale[row];
  uint32_t *population = sheet->population + row * SD_SLICES;
  memset(population, 0, SD_SLICES * sizeof *population);
  for (size_t i = 0; i < sheet->columns; i++)
    if (x[i] == x[i]) population[SD_SLICE(x[i], lowest, scale)]++;
}

static void gather_values(const sd_series_job *sheet, size_t row) {
  const double *x = row_of(sheet, row);
  double lowest = sheet->lowest[row], scale = sheet->scale[row];
  const unsigned char *wanted = sheet->wanted + row * SD_SLICES;
  double *to = sheet->gathered + sheet->gathered_at[row];
  for (size_t i = 0; i < sheet->columns; i++) {
    double value = x[i];
    if (value != value) continue;
    *to = value; /* without a branch that could go either way: the next one takes its place unless it is wanted */
    to += wanted[SD_SLICE(value, lowest, scale)];
  }
}

/* ---- states ---- */

/* Room for one block's terms of the centre, or of displacements and one of their products. */
typedef double block_terms[SD_MOMENT_SUMS_MAX][SD_REDUCE_BLOCK];

static void put_sum(const sd_series_job *sheet, int k, size_t block, const double *terms, size_t length) {
  sheet->sums[(size_t)k * sheet->blocks + block] = sd_tree_sum(terms, length);
}

/* A chart takes whole lane groups: rows are as long as that. */
static size_t chart_block(sd_chart chart, const sd_series_job *sheet, size_t row, size_t block, block_terms terms) {
  size_t length = block_length(sheet, block), groups = (length + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  const double *from = row_of(sheet, row) + block * sheet->block;
  chart(&sheet->coordinates, sheet->centre, from, sheet->stride, groups, *terms);
  return length;
}

static void sum_for_centre(const sd_series_job *sheet, size_t row) {
  block_terms terms;
  for (size_t b = 0; b < sheet->blocks; b++) {
    size_t length = chart_block(sheet->charts->centre, sheet, row, b, terms);
    for (int k = 0; k < sd_centre_sums(&sheet->coordinates); k++) put_sum(sheet, k, b, terms[k], length);
  }
}

static void sum_displacements(const sd_series_job *sheet, size_t row) {
  block_terms terms;
  double product[SD_REDUCE_BLOCK];
  int n = sheet->coordinates.tangent;
  for (size_t b = 0; b < sheet->blocks; b++) {
    size_t length = chart_block(sheet->charts->displacement, sheet, row, b, terms);
    int k = 0;
    for (; k < n; k++) put_sum(sheet, k, b, terms[k], length);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        for (size_t m = 0; m < length; m++) product[m] = terms[i][m] * terms[j][m];
        put_sum(sheet, k++, b, product, length);
      }
  }
}

static sd_status host_ask(sd_part *self, size_t sheet, sd_question question, size_t first, size_t last,
                          sd_error *error) {
  static void (*const answer[])(const sd_series_job *, size_t) = {
      [SD_ASK_MOMENTS] = find_moments, [SD_ASK_SQUARES] = find_squares,  [SD_ASK_POPULATION] = count_slices,
      [SD_ASK_VALUES] = gather_values, [SD_ASK_CENTRE] = sum_for_centre, [SD_ASK_SPREAD] = sum_displacements};
  (void)error;
  for (size_t row = first; row < last; row++) answer[question](&self->sheet[sheet], row);
  return SD_OK;
}

static sd_status host_wait(sd_part *self, sd_error *error) { /* all is answered at once */
  (void)self, (void)error;
  return SD_OK;
}

static sd_status host_copy_row(sd_part *self, size_t row, double *samples, sd_error *error) {
  const sd_series_job *sheet = self->sheet;
  (void)error;
  memcpy(samples, sheet->samples + row * sheet->stride, self->count * sizeof *samples);
  return SD_OK;
}

/* ---- the part ---- */

sd_status sd_host_part_create(sd_part *part, const double *samples, size_t stride, size_t first, size_t count,
                              size_t sheets, size_t sheet_rows, const sd_coordinates *coordinates,
                              const sd_charts *charts, sd_error *error) {
  return sd_host_part_create_by(SD_REDUCE_BLOCK, part, samples, stride, first, count, sheets, sheet_rows, coordinates,
                                charts, error);
}

sd_status sd_host_part_create_by(size_t block, sd_part *part, const double *samples, size_t stride, size_t first,
                                 size_t count, size_t sheets, size_t sheet_rows, const sd_coordinates *coordinates,
                                 const sd_charts *charts, sd_error *error) {
  sd_series_job sheet = {.samples = samples,
                         .stride = stride,
                         .columns = count,
                         .blocks = (count + block - 1) / block,
                         .block = block,
                         .coordinates = *coordinates,
                         .charts = charts};
  size_t room = count + 1; /* gathering, the last that is not wanted is written, too */
  size_t size = sd_sheet_lay_out(&sheet, NULL, sheet_rows, room);
  *part = (sd_part){
      .first = first, .count = count, .room = count, .ask = host_ask, .wait = host_wait, .copy_row = host_copy_row};
  part->sheet = malloc(sheets * (sizeof sheet + size));
  if (!part->sheet) return sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", count);
  for (size_t i = 0; i < sheets; i++) {
    part->sheet[i] = sheet;
    sd_sheet_lay_out(&part->sheet[i], (char *)(part->sheet + sheets) + i * size, sheet_rows, room);
  }
  return SD_OK;
}

void sd_host_part_destroy(sd_part *part) {
  free(part->sheet);
  part->sheet = NULL;
}
