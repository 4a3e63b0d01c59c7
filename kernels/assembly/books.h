/* books.h - a ledger into a member's accounts and into the rows of the series. */
#ifndef SD_ASSEMBLY_BOOKS_H
#define SD_ASSEMBLY_BOOKS_H

#include "../accounts.h"
#include "rows.h"

/* What of a ledger is shown: all up to the impulse, then how far the momenta, less the impulse, have gone, and the
 * extremes. */
enum { SHOWN_LEDGER = IN_LINEAR + 4 };

FN real linear_change(const sd_job *job, size_t group, const ledger *l) {
  size_t at = (size_t)job->topology.size.bodies * BODY_NUMBERS + AT_LINEAR0;
  vec3 before = vec3_make(get(job, group, at), get(job, group, at + 1), get(job, group, at + 2));
  return vec3_largest(vec3_sub(ledger_vector(l, IN_LINEAR), before));
}

/* A sample's rows: the error of the energy is put there with the accounts. */
FN void enter_books(const sd_job *job, size_t group, const ledger *l, real defect, mask alive, int64_t step) {
  real linear = linear_change(job, group, l), angular = momentum_change(job, group, ledger_vector(l, IN_ANGULAR));
  account_for(job, group, ledger_energy(l), real_worst(linear, angular), defect, alive, step);
  if (!job->series) return;
  int64_t first = job->ledger_row + (sample_number(job, step) - job->first_sample) * SHOWN_LEDGER;
  for (int k = 0; k < IN_LINEAR; k++) put_row(job, group, first + k, l->number[k], alive);
  put_row(job, group, first + IN_LINEAR, linear, alive);
  put_row(job, group, first + IN_LINEAR + 1, angular, alive);
  put_row(job, group, first + IN_LINEAR + 2, l->number[IN_OVERLAP], alive);
  put_row(job, group, first + IN_LINEAR + 3, l->number[IN_STRAIN], alive);
}

FN void open_books(const sd_job *job, size_t group, const ledger *l, real defect) {
  size_t at = (size_t)job->topology.size.bodies * BODY_NUMBERS;
  real energy = ledger_energy(l);
  mask alive = real_finite(energy);
  open_accounts(job, group, energy, ledger_kinetic(l), ledger_vector(l, IN_ANGULAR), defect, alive);
  for (int k = 0; k < 3; k++) put(job, group, at + AT_LINEAR0 + (size_t)k, l->number[IN_LINEAR + k]);
  put(job, group, at + AT_LOST, real_nan());
  enter_books(job, group, l, defect, alive, 0);
}

/* ---- export: the family's arrays one after the other, E - E0, the status ---- */

typedef struct {
  double *at;
  size_t step;
} shelf;

FN void show(shelf *to, real x) {
  real_store(to->at, real_one_nan(x));
  to->at += to->step;
}
FN void show_numbers(shelf *to, row body, size_t next, uint32_t bodies, int first, int count) {
  for (uint32_t b = 0; b < bodies; b++, body.at += next)
    for (int k = first; k < first + count; k++) show(to, row_get(body, k));
}
/* The numbers of one body are `next` doubles after those of the one before. */
FN void show_member(const sd_job *job, size_t group, row body, size_t next, real energy) {
  uint32_t bodies = job->topology.size.bodies;
  shelf to = {job->exported + group, job->export_stride};
  show_numbers(&to, body, next, bodies, AT_X, 3);
  show_numbers(&to, body, next, bodies, AT_V, 3);
  row each = body;
  for (uint32_t b = 0; b < bodies; b++, each.at += next) {
    mat3 Q = quaternion_matrix(row_attitude(each));
    const real numbers[9] = {Q.x.x, Q.x.y, Q.x.z, Q.y.x, Q.y.y, Q.y.z, Q.z.x, Q.z.y, Q.z.z};
    for (int k = 0; k < 9; k++) show(&to, numbers[k]);
  }
  show_numbers(&to, body, next, bodies, AT_W, 3);
  show_numbers(&to, body, next, bodies, AT_Q, 4);
  show(&to, get(job, group, (size_t)bodies * BODY_NUMBERS + AT_LOST));
  show(&to, energy - get_account(job, group, SD_ENERGY0));
  show(&to, load_tally(job, group).status);
}

#endif
