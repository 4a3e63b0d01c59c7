#include "moments.h"

#include "parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mean rotation ---- */

enum { N = 4 };

/* One rotation of Jacobi's method: makes a[p][q] zero, and turns the columns of v along. */
static void annihilate(double a[N][N], double v[N][N], int p, int q) {
  if (a[p][q] == 0) return;
  double cotangent = (a[q][q] - a[p][p]) / (2 * a[p][q]), size = fabs(cotangent);
  double t = 1 / (size + sqrt(size * size + 1)); /* of the smaller angle; 0 where its square is beyond all bounds */
  if (cotangent < 0) t = -t;
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < N; k++) {
    double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < N; k++) {
    double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
    x = v[k][p], y = v[k][q];
    v[k][p] = c * x - s * y;
    v[k][q] = s * x + c * y;
  }
  a[p][q] = a[q][p] = 0;
}

/* Of both signs, the one that is shown. */
static void choose_sign(double vector[N]) {
  int k = 0;
  while (k < N - 1 && vector[k] == 0) k++;
  for (int i = 0; i < N && vector[k] < 0; i++)
    if (i != k) vector[i] = -vector[i];
  vector[k] = fabs(vector[k]);
}

void sd_largest_eigenvector(const double lower[10], double vector[4]) {
  enum { SWEEPS = 12 }; /* the last ones find nothing left to do: it converges quadratically */
  double a[N][N], v[N][N] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  int at = 0, largest = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) a[i][j] = a[j][i] = lower[at++];
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < N; p++)
      for (int q = p + 1; q < N; q++) annihilate(a, v, p, q);
  for (int i = 1; i < N; i++)
    if (a[i][i] > a[largest][largest]) largest = i;
  double norm2 = 0;
  for (int i = 0; i < N; i++) norm2 += v[i][largest] * v[i][largest];
  for (int i = 0; i < N; i++) vector[i] = v[i][largest] / sqrt(norm2);
  choose_sign(vector);
}

/* ---- one sample ---- */

typedef struct {
  const sd_parts *parts;
  const sd_coordinates *coordinates;
  size_t sheet;
  double *scratch; /* a number for each block */
} observation;

static sd_series_job *sheet_of(const observation *o, size_t part) {
  return &o->parts->part[part]->sheet[o->sheet];
}

static sd_status ask(const observation *o, sd_question question, sd_error *error) {
  sd_part *const *part = o->parts->part;
  for (size_t i = 0; i < o->parts->count; i++) SD_TRY(part[i]->ask(part[i], o->sheet, question, 0, 1, error));
  for (size_t i = 0; i < o->parts->count; i++) SD_TRY(part[i]->wait(part[i], error));
  return SD_OK;
}

/* Sum k over all members. */
static double joined(const observation *o, int k) {
  size_t n = 0;
  for (size_t i = 0; i < o->parts->count; i++) {
    const sd_series_job *sheet = sheet_of(o, i);
    memcpy(o->scratch + n, sheet->sums + (size_t)k * sheet->blocks, sheet->blocks * sizeof *o->scratch);
    n += sheet->blocks;
  }
  return sd_tree_join(o->scratch, n);
}

static void find_centre(const observation *o, double members, double *centre) {
  const sd_coordinates *c = o->coordinates;
  int sum = 0;
  for (int k = 0; k < c->numbers;) {
    if (c->rotations >> k & 1) {
      double lower[10];
      for (int i = 0; i < 10; i++) lower[i] = joined(o, sum++) / members;
      sd_largest_eigenvector(lower, centre + k);
      k += 4;
    } else centre[k++] = joined(o, sum++) / members;
  }
}

/* Displacements are from a centre that is their mean but for rounding, or where it is one of rotations: what their own
 * mean is besides is taken off the products' (T. F. Chan, G. H. Golub, R. J. LeVeque, Am. Stat. 37 (1983) 242-247,
 * doi:10.1080/00031305.1983.10483115). */
static void find_covariance(const observation *o, double members, double *covariance) {
  int n = o->coordinates->tangent, sum = n;
  double from[SD_TANGENT_MAX];
  for (int i = 0; i < n; i++) from[i] = joined(o, i);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double products = joined(o, sum++) - from[i] * (from[j] / members);
      if (i == j && products < 0) products = 0;
      covariance[i * n + j] = covariance[j * n + i] = products / (members - 1);
    }
}

static sd_status find(const observation *o, uint16_t row, size_t members, double *moments, sd_error *error) {
  const sd_coordinates *c = o->coordinates;
  double *covariance = moments + c->numbers;
  for (int k = 0; k < c->numbers + c->tangent * c->tangent; k++) moments[k] = NAN;
  if (!members) return SD_OK;
  for (size_t i = 0; i < o->parts->count; i++) sheet_of(o, i)->row[0] = row;
  SD_TRY(ask(o, SD_ASK_CENTRE, error));
  find_centre(o, (double)members, moments);
  if (members < 2) return SD_OK;
  for (size_t i = 0; i < o->parts->count; i++)
    memcpy(sheet_of(o, i)->centre, moments, (size_t)c->numbers * sizeof *moments);
  SD_TRY(ask(o, SD_ASK_SPREAD, error));
  find_covariance(o, (double)members, covariance);
  return SD_OK;
}

/* ---- all of them, a sheet's work one after the other ---- */

typedef struct {
  const sd_parts *parts;
  const sd_coordinates *coordinates;
  const uint16_t *rows;
  const size_t *members;
  size_t samples, blocks;
  double *moments, *scratch;
  atomic_size_t next;
  atomic_flag failed;
  sd_error trouble; /* of the first that failed */
} work;

static void find_on_sheet(void *data, size_t sheet) {
  work *w = data;
  sd_error trouble = {0};
  observation o = {w->parts, w->coordinates, sheet, w->scratch + sheet * w->blocks};
  size_t numbers = (size_t)(w->coordinates->numbers + w->coordinates->tangent * w->coordinates->tangent);
  for (size_t at; (at = atomic_fetch_add(&w->next, 1)) < w->samples;) {
    if (!find(&o, w->rows[at], w->members[at], w->moments + at * numbers, &trouble)) continue;
    if (!atomic_flag_test_and_set(&w->failed)) w->trouble = trouble;
    return;
  }
}

sd_status sd_find_moments(const sd_parts *parts, const sd_coordinates *coordinates, const uint16_t *rows,
                          const size_t *members, size_t samples, double *moments, sd_error *error) {
  work w = {.parts = parts,
            .coordinates = coordinates,
            .rows = rows,
            .members = members,
            .samples = samples,
            .blocks = sd_blocks_of(parts->members),
            .moments = moments,
            .failed = ATOMIC_FLAG_INIT};
  size_t sheets = samples < parts->sheets ? samples : parts->sheets;
  if (parts->members * samples < 1024) sheets = 1; /* threads have their price */
  w.scratch = malloc(sheets * w.blocks * sizeof *w.scratch);
  if (!w.scratch) return sd_fail(error, SD_NO_MEMORY, "moments of %zu members: out of memory", parts->members);
  sd_parallel((int)sheets, sheets, find_on_sheet, &w);
  free(w.scratch);
  return w.trouble.status ? sd_fail(error, w.trouble.status, "%s", w.trouble.message) : SD_OK;
}
