#include "partials.h"

#include "parallel.h"
#include "quantiles.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are on the same sheet of every part, and the points that they become. */
typedef struct {
  const sd_parts *parts;
  size_t sheet, count;
  sd_sample *point[SD_ROWS_MOST];
  double *scratch; /* for one number of each member */
} observation;

static sd_series_job *sheet_of(const observation *o, size_t part) {
  return &o->parts->part[part]->sheet[o->sheet];
}

/* Of every part, all at the same time. */
static sd_status ask(const observation *o, sd_question question, size_t first, size_t last, sd_error *error) {
  sd_part *const *part = o->parts->part;
  for (size_t i = 0; i < o->parts->count; i++) SD_TRY(part[i]->ask(part[i], o->sheet, question, first, last, error));
  for (size_t i = 0; i < o->parts->count; i++) SD_TRY(part[i]->wait(part[i], error));
  return SD_OK;
}

static void put_row(const observation *o, size_t at, uint16_t row) {
  for (size_t i = 0; i < o->parts->count; i++) sheet_of(o, i)->row[at] = row;
}

/* ---- moments ---- */

/* One number of each block of a row, in the order of the members, joined; `offset` is its place in sd_partial. */
static double joined(const observation *o, size_t row, size_t offset) {
  size_t n = 0;
  for (size_t i = 0; i < o->parts->count; i++) {
    const sd_series_job *sheet = sheet_of(o, i);
    const sd_partial *partial = sheet->partial + row * sheet->blocks;
    for (size_t b = 0; b < sheet->blocks; b++)
      memcpy(&o->scratch[n++], (const char *)&partial[b] + offset, sizeof *o->scratch);
  }
  return sd_tree_join(o->scratch, n);
}

static void find_extremes(const observation *o, size_t row, sd_sample *point) {
  point->lowest = INFINITY;
  point->highest = -INFINITY;
  for (size_t i = 0; i < o->parts->count; i++) {
    const sd_series_job *sheet = sheet_of(o, i);
    const sd_partial *partial = sheet->partial + row * sheet->blocks;
    for (size_t b = 0; b < sheet->blocks; b++) {
      point->lowest = partial[b].lowest < point->lowest ? partial[b].lowest : point->lowest;
      point->highest = partial[b].highest > point->highest ? partial[b].highest : point->highest;
    }
  }
}

/* A point without statistics, of a sample that `members` members have reached. */
static void clear(sd_sample *point, size_t members) {
  point->members = members;
  point->mean = point->deviation = point->lowest = point->highest = NAN;
  for (int q = 0; q < SD_QUANTILES; q++) point->quantile[q] = NAN;
}

static size_t members_of(const observation *o, size_t row) {
  return (size_t)joined(o, row, offsetof(sd_partial, count));
}
static double mean_of(const observation *o, size_t row, size_t members) {
  return members ? joined(o, row, offsetof(sd_partial, sum)) / (double)members : NAN;
}

static sd_status find_moments(const observation *o, sd_error *error) {
  SD_TRY(ask(o, SD_ASK_MOMENTS, 0, o->count, error));
  for (size_t r = 0; r < o->count; r++) {
    sd_sample *point = o->point[r];
    clear(point, members_of(o, r));
    point->mean = mean_of(o, r, point->members);
    if (point->members) find_extremes(o, r, point);
    for (size_t i = 0; i < o->parts->count; i++) sheet_of(o, i)->mean[r] = point->mean;
  }
  SD_TRY(ask(o, SD_ASK_SQUARES, 0, o->count, error));
  for (size_t r = 0; r < o->count; r++) {
    double n = (double)o->point[r]->members;
    if (n > 1) o->point[r]->deviation = sqrt(joined(o, r, offsetof(sd_partial, squares)) / (n - 1));
  }
  return SD_OK;
}

/* ---- quantiles ---- */

/* How many values of each row are in each slice of its range. */
static sd_status count_slices(const observation *o, sd_error *error) {
  for (size_t r = 0; r < o->count; r++) {
    const sd_sample *point = o->point[r];
    double scale;
    sd_row_kind_of(point->lowest, point->highest, &scale);
    for (size_t i = 0; i < o->parts->count; i++) {
      sheet_of(o, i)->lowest[r] = point->lowest;
      sheet_of(o, i)->scale[r] = scale;
    }
  }
  return ask(o, SD_ASK_POPULATION, 0, o->count, error);
}

/* Marks the wanted slices of a row, from the populations of all parts. */
static sd_ranking choose_slices(const observation *o, size_t row) {
  size_t at = row * SD_SLICES;
  uint32_t all[SD_SLICES];
  unsigned char *wanted = sheet_of(o, 0)->wanted + at;
  memcpy(all, sheet_of(o, 0)->population + at, sizeof all);
  for (size_t i = 1; i < o->parts->count; i++)
    for (size_t k = 0; k < SD_SLICES; k++) all[k] += sheet_of(o, i)->population[at + k];
  sd_ranking ranks = sd_ranking_of(o->point[row]->members);
  sd_ranking_narrow(&ranks, all, wanted);
  for (size_t i = 1; i < o->parts->count; i++) memcpy(sheet_of(o, i)->wanted + at, wanted, SD_SLICES);
  return ranks;
}

/* Says where the wanted values of rows first .. last-1 are to go, with as large a last as a part has room for. */
static size_t place_rows(const sd_part *part, sd_series_job *sheet, const sd_ranking *ranks, size_t first,
                         size_t last) {
  uint64_t at = 0;
  for (size_t r = first; r < last; r++) {
    sheet->gathered_at[r] = at;
    for (int k = 0; k < ranks[r].slices; k++) at += sheet->population[r * SD_SLICES + (size_t)ranks[r].slice[k]];
    if (at > part->room) return r;
    sheet->gathered_at[r + 1] = at;
  }
  return last;
}

/* From the gathered values of one row. */
static void select_from(const observation *o, size_t row, const sd_ranking *ranks) {
  size_t n = 0;
  for (size_t i = 0; i < o->parts->count; i++) {
    const sd_series_job *sheet = sheet_of(o, i);
    size_t from = sheet->gathered_at[row], count = sheet->gathered_at[row + 1] - from;
    memcpy(o->scratch + n, sheet->gathered + from, count * sizeof *o->scratch);
    n += count;
  }
  sd_quantiles_select(ranks, o->scratch, n, o->point[row]->quantile);
}

static sd_status find_quantiles(const observation *o, sd_error *error) {
  sd_ranking ranks[SD_ROWS_MOST];
  SD_TRY(count_slices(o, error));
  for (size_t r = 0; r < o->count; r++) ranks[r] = choose_slices(o, r);
  for (size_t first = 0, last; first < o->count; first = last) {
    last = o->count;
    for (size_t i = 0; i < o->parts->count; i++)
      last = place_rows(o->parts->part[i], sheet_of(o, i), ranks, first, last);
    SD_TRY(ask(o, SD_ASK_VALUES, first, last, error));
    for (size_t r = first; r < last; r++) select_from(o, r, &ranks[r]);
  }
  return SD_OK;
}

/* A row with values beyond all bounds cannot be cut into slices: it is selected from as a whole. */
static sd_status find_quantiles_of_whole(const observation *o, size_t row, sd_sample *point, sd_error *error) {
  size_t n = 0;
  double *x = o->scratch;
  for (size_t i = 0; i < o->parts->count; i++) {
    sd_part *part = o->parts->part[i];
    SD_TRY(part->copy_row(part, row, x + part->first, error));
  }
  for (size_t i = 0; i < o->parts->members; i++)
    if (x[i] == x[i]) x[n++] = x[i];
  sd_ranking ranks = sd_ranking_of(n);
  sd_quantiles_select(&ranks, x, n, point->quantile);
  return SD_OK;
}

/* ---- rows ---- */

/* Rows that are cut into slices stay on the sheet, the others leave it. */
static sd_status reduce(observation *o, const uint16_t *rows, sd_sample *points, sd_error *error) {
  size_t count = o->count;
  for (size_t r = 0; r < count; r++) {
    put_row(o, r, rows[r]);
    o->point[r] = &points[r];
  }
  SD_TRY(find_moments(o, error));
  o->count = 0;
  for (size_t r = 0; r < count; r++) {
    sd_sample *point = &points[r];
    double scale;
    if (!point->members) continue;
    switch (sd_row_kind_of(point->lowest, point->highest, &scale)) {
    case SD_ROW_ALIKE:
      for (int q = 0; q < SD_QUANTILES; q++) point->quantile[q] = point->lowest;
      break;
    case SD_ROW_SLICED:
      put_row(o, o->count, rows[r]);
      o->point[o->count++] = point;
      break;
    case SD_ROW_WHOLE: SD_TRY(find_quantiles_of_whole(o, rows[r], point, error)); break;
    }
  }
  return o->count ? find_quantiles(o, error) : SD_OK;
}

typedef struct {
  const sd_parts *parts;
  const uint16_t *rows;
  size_t count;
  sd_sample *points;
  double *scratch;
  atomic_size_t next; /* row */
  atomic_flag failed;
  sd_error trouble; /* of the first that failed */
} work;

/* Fills one sheet after the other with rows, until there are none left. */
static void reduce_on_sheet(void *data, size_t sheet) {
  work *w = data;
  size_t most = w->parts->sheet_rows;
  sd_error trouble = {0};
  observation o = {.parts = w->parts, .sheet = sheet, .scratch = w->scratch + sheet * w->parts->members};
  for (size_t at; (at = atomic_fetch_add(&w->next, most)) < w->count;) {
    o.count = w->count - at < most ? w->count - at : most;
    if (!reduce(&o, w->rows + at, w->points + at, &trouble)) continue;
    if (!atomic_flag_test_and_set(&w->failed)) w->trouble = trouble;
    return;
  }
}

sd_status sd_reduce_rows(const sd_parts *parts, const uint16_t *rows, size_t count, sd_sample *points,
                         sd_error *error) {
  work w = {.parts = parts, .rows = rows, .count = count, .points = points, .failed = ATOMIC_FLAG_INIT};
  size_t sheets = (count + parts->sheet_rows - 1) / parts->sheet_rows;
  if (sheets > parts->sheets) sheets = parts->sheets;
  if (parts->members * count < 4096) sheets = 1; /* threads have their price */
  w.scratch = malloc(sheets * parts->members * sizeof *w.scratch);
  if (!w.scratch) return sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", parts->members);
  sd_parallel((int)sheets, sheets, reduce_on_sheet, &w);
  free(w.scratch);
  return w.trouble.status ? sd_fail(error, w.trouble.status, "%s", w.trouble.message) : SD_OK;
}

static size_t blocks_in(const sd_parts *parts) {
  size_t blocks = 0;
  for (size_t i = 0; i < parts->count; i++) blocks += parts->part[i]->sheet[0].blocks;
  return blocks;
}

/* A sum for each row is little: one sheet does. */
sd_status sd_mean_rows(const sd_parts *parts, const uint16_t *rows, size_t count, double *means, double *largest,
                       sd_error *error) {
  observation o = {.parts = parts, .scratch = malloc(blocks_in(parts) * sizeof *o.scratch)};
  sd_status status =
      o.scratch ? SD_OK : sd_fail(error, SD_NO_MEMORY, "samples of %zu members: out of memory", parts->members);
  for (size_t at = 0; at < count && !status; at += o.count) {
    o.count = count - at < parts->sheet_rows ? count - at : parts->sheet_rows;
    for (size_t r = 0; r < o.count; r++) put_row(&o, r, rows[at + r]);
    status = ask(&o, SD_ASK_MOMENTS, 0, o.count, error);
    for (size_t r = 0; r < o.count && !status; r++) {
      sd_sample point = {.highest = NAN};
      size_t members = members_of(&o, r);
      means[at + r] = mean_of(&o, r, members);
      if (members) find_extremes(&o, r, &point);
      if (largest) largest[at + r] = point.highest;
    }
  }
  free(o.scratch);
  return status;
}

sd_status sd_block_moments(const sd_parts *parts, size_t row, sd_partial *blocks, sd_error *error) {
  observation o = {.parts = parts, .count = 1};
  put_row(&o, 0, (uint16_t)row);
  SD_TRY(ask(&o, SD_ASK_MOMENTS, 0, 1, error));
  for (size_t i = 0; i < parts->count; i++) {
    const sd_series_job *sheet = sheet_of(&o, i);
    memcpy(blocks, sheet->partial, sheet->blocks * sizeof *blocks);
    blocks += sheet->blocks;
  }
  return SD_OK;
}
