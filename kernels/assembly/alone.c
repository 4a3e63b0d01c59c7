/* alone.c - what is done for one member of a system whose lanes are bodies, by the host: its start, its accounts, its
 * cells. Compiled with one lane, which is the member. */
#include "family.h"

#include "../series_job.h"
#include "alone.h"
#include "books.h"
#include "cells.h"
#include "starts.h"

static ledger ledger_from(const double *number) {
  ledger l;
  memcpy(l.number, number, sizeof l.number);
  return l;
}

static void draw(const sd_job *job, size_t member, uint32_t first, uint32_t count) {
  for (uint32_t b = first; b < first + count; b++) {
    row r = {job->slots + (size_t)b * BODY_NUMBERS * job->stride + member, job->stride};
    draw_body(job, r, member, b);
  }
}
static const double *join_blocks(const sd_job *job, size_t member) {
  enum { BLOCK = SD_REDUCE_BLOCK };
  size_t blocks = (job->topology.size.bodies + BLOCK - 1) / BLOCK, room = (job->field.bodies + BLOCK - 1) / BLOCK;
  double *first = job->field.ledger + member * room * BODY_QUANTITIES;
  join_along_tree(first, blocks, BODY_QUANTITIES, 1);
  return first;
}
static void open_member(const sd_job *job, size_t member, const double *number) {
  ledger l = ledger_from(number);
  open_books(job, member, &l, number[LEDGER_NUMBERS]);
}
static void enter_member(const sd_job *job, size_t member, const double *number, int64_t step) {
  ledger l = ledger_from(number);
  enter_books(job, member, &l, number[LEDGER_NUMBERS], alive_by(load_tally(job, member)), step);
}
static void witness(const sd_job *job, size_t member, const double *number, int64_t at) {
  ledger l = ledger_from(number);
  put_row(job, member, at, ledger_energy(&l) - get_account(job, member, SD_ENERGY0), alive_by(load_tally(job, member)));
}
static void lose(const sd_job *job, size_t member, uint32_t trouble, double time) {
  double status = trouble & SD_TROUBLE_NOT_CONVERGED ? SD_MEMBER_NOT_CONVERGED : SD_MEMBER_NOT_FINITE;
  if (trouble & SD_TROUBLE_OUTSIDE) status = SD_MEMBER_OUTSIDE_DOMAIN;
  put_account(job, member, SD_STATUS, status);
  put(job, member, (size_t)job->topology.size.bodies * BODY_NUMBERS + AT_LOST, time);
}
static double lost_at(const sd_job *job, size_t member) {
  return get(job, member, (size_t)job->topology.size.bodies * BODY_NUMBERS + AT_LOST);
}
static void count_iterations(const sd_job *job, size_t member, double iterations, double most) {
  tally t = load_tally(job, member);
  t.iterations = t.iterations + iterations;
  t.most = real_max(most, t.most);
  store_tally(job, member, t);
}
static void export_member(const sd_job *job, size_t member, const double *number) {
  ledger l = ledger_from(number);
  row first = {job->slots + member, job->stride};
  show_member(job, member, first, BODY_NUMBERS * job->stride, ledger_energy(&l));
}

/* ---- its bodies into its cells ---- */

/* The range of x without a few far ones, if that is much smaller: a body beyond the last cell is counted to it, which
 * keeps neighbours in neighbouring cells, and one that has escaped does not widen the cells of the others. */
static void leave_far_ones(const double *x, uint32_t bodies, double *low, double *high) {
  enum { SLICES = 64, ZOOMS = 16, FEW = 256 };
  for (int zoom = 0; zoom < ZOOMS; zoom++) {
    uint32_t count[SLICES] = {0}, below = 0, above = 0, first = 0, last = SLICES - 1;
    double slice = (*high - *low) * (1.0 / SLICES), from = *low;
    for (uint32_t b = 0; b < bodies; b++) {
      double at = (x[b] - from) / slice;
      count[!(at > 0) ? 0 : at >= SLICES ? SLICES - 1 : (int)at]++;
    }
    while (first < last && (below += count[first]) <= bodies / FEW) first++;
    while (last > first && (above += count[last]) <= bodies / FEW) last--;
    if (last - first > SLICES / 2) return;
    *low = from + first * slice;
    *high = from + (last + 1) * slice;
  }
}

static void lay_cells(const sd_job *job, sd_cells *c, size_t base) {
  double low[3], high[3], room = 1, side = (1 + job->skin) * job->largest_diameter;
  uint32_t bodies = job->topology.size.bodies;
  for (int a = 0; a < 3; a++) {
    const double *x = job->field.now + (size_t)(AT_X + a) * job->field.pitch + base;
    low[a] = 1e300, high[a] = -1e300;
    for (uint32_t b = 0; b < bodies; b++) {
      if (x[b] < low[a]) low[a] = x[b];
      if (x[b] > high[a]) high[a] = x[b];
    }
    room *= 1 + (high[a] - low[a]) / side;
  }
  for (int a = 0; a < 3 && room > bodies + 64.0; a++)
    leave_far_ones(job->field.now + (size_t)(AT_X + a) * job->field.pitch + base, bodies, low + a, high + a);
  lay_cells_between(job, c, low, high);
}

static void bin(const sd_job *job, size_t member) {
  sd_cells *c = job->field.cells + member;
  size_t base = member * job->field.bodies;
  uint32_t bodies = job->topology.size.bodies;
  if (!has_contacts(job)) return;
  job->field.rebuilds[member]++;
  lay_cells(job, c, base);
  uint32_t cells = cell_count(c);
  for (uint32_t k = 0; k <= cells; k++) c->start[k] = 0;
  for (uint32_t b = 0; b < bodies; b++) c->start[cell_of(job, c, base + b) + 1]++;
  for (uint32_t k = 0; k < cells; k++) c->start[k + 1] += c->start[k];
  for (uint32_t b = bodies; b-- > 0;) { /* backwards: each cell ends where the next begins, and fills from its end */
    uint32_t cell = cell_of(job, c, base + b);
    c->body[--c->start[cell + 1]] = b;
  }
  for (uint32_t k = 0; k < cells; k++) c->start[k] = c->start[k + 1]; /* which is where it begins, now */
  c->start[cells] = bodies;
}

const sd_alone sd_assembly_alone = {.draw = draw,
                                    .join = join_blocks,
                                    .open = open_member,
                                    .enter = enter_member,
                                    .witness = witness,
                                    .lose = lose,
                                    .lost_at = lost_at,
                                    .count = count_iterations,
                                    .export_state = export_member,
                                    .bin = bin};
