/* passes.h - the bodies of a system side by side, one in each lane: all are turned, then the forces on all are
 * gathered, then all are finished.  A body evaluates its own side of every pair.
 *
 * Places are those of sd_field.  A member that was lost stands still.  One that comes into trouble goes on until the
 * host sees it, so that what its other bodies report does not depend on which of them came first. */
#ifndef SD_ASSEMBLY_PASSES_H
#define SD_ASSEMBLY_PASSES_H

#include "halves.h"
#include "neighbours.h"

FN void count_iterations(const sd_job *job, size_t place, const step_log *log) {
  if (!mask_any(log->iterations != 0.0)) return;
#if defined(SD_ON_DEVICE)
  double *all = job->field.iterations + place, *most = all + job->field.pitch;
  *all = *all + log->iterations;
  *most = real_max(log->iterations, *most);
#else
  double *all = job->field.iterations + 2 * member_of(job, place), *most = all + 1, each[SD_LANES];
  real_store(each, real_select(bodies_there(job, place), log->iterations, real_splat(0)));
  for (int i = 0; i < SD_LANES; i++) *all += each[i], *most = each[i] > *most ? each[i] : *most;
#endif
}
FN void report_log(const sd_job *job, size_t place, const step_log *log, mask there) {
  uint32_t flags = 0;
  if (mask_any(log->failed & there)) flags |= SD_TROUBLE_NOT_CONVERGED;
  if (mask_any(log->outside & there)) flags |= SD_TROUBLE_OUTSIDE;
  if (flags) flags_raise(job->field.trouble + member_of(job, place), flags);
}

FN body_rows rows_at(const sd_job *job, size_t place) {
  body_rows r = {kept_row(job, place),
                 here_row(job, place),
                 {job->field.next + place, job->field.pitch},
                 acting_row(job, place),
                 passing_row(job, place)};
  return r;
}

FN void turn_some(const sd_job *job, size_t first, size_t count, int stage, int differ) {
  real h = real_splat(job->step * job->stage[stage]);
  double far = 0.5 * job->skin * job->largest_diameter;
  species alike = species_alike(job);
  for (size_t place = first; place < first + count; place += SD_LANES) {
    if (trouble_of(job, place) & SD_TROUBLE_LOST) continue;
    mask there = bodies_there(job, place);
    step_log log = {there, mask_none(), mask_none(), real_splat(0)};
    species s = species_of_places(job, place, differ, &alike);
    if (differ) h = real_splat(own_table(job, place)[SD_OWN_STEP] * job->stage[stage]);
    body_rows r = rows_at(job, place);
    first_half(&r, &s, h, job, &log);
    report_log(job, place, &log, there);
    count_iterations(job, place, &log);
    if (has_contacts(job) && mask_any(has_moved(r.ahead, r.passing, real_splat(far * far)) & there))
      flags_raise(job->field.moved + member_of(job, place), 1);
  }
}

FN void finish_some(const sd_job *job, size_t first, size_t count, int stage, int differ) {
  real h = real_splat(job->step * job->stage[stage]);
  species alike = species_alike(job);
  for (size_t place = first; place < first + count; place += SD_LANES) {
    if (trouble_of(job, place) & SD_TROUBLE_LOST) continue;
    mask there = bodies_there(job, place);
    step_log log = {there, mask_none(), mask_none(), real_splat(0)};
    species s = species_of_places(job, place, differ, &alike);
    if (differ) h = real_splat(own_table(job, place)[SD_OWN_STEP] * job->stage[stage]);
    body_rows r = rows_at(job, place), then = rows_at(job, place + AHEAD < job->field.pitch ? place + AHEAD : place);
    prefetch_row(then.kept, AT_V, 3);
    prefetch_row(then.kept, AT_W, 3);
    prefetch_row(then.ahead, AT_X, 3);
    prefetch_row(then.ahead, AT_Q, 4);
    prefetch_row(then.passing, 0, PASSING_NUMBERS);
    second_half(&r, &s, h, job, &log);
    report_log(job, place, &log, there);
    count_iterations(job, place, &log);
  }
}

FN void turn_bodies(const sd_job *job, size_t first, size_t count, int stage) {
  WHERE_MEMBERS_DIFFER(job, turn_some, job, first, count, stage);
}
FN void finish_bodies(const sd_job *job, size_t first, size_t count, int stage) {
  WHERE_MEMBERS_DIFFER(job, finish_some, job, first, count, stage);
}

/* What a method remembers, at the start. */
#ifdef SD_BEGIN
FN void begin_bodies(const sd_job *job, size_t first, size_t count) {
  int differ = members_differ(job);
  species alike = species_alike(job);
  for (size_t place = first; place < first + count; place += SD_LANES) {
    species s = species_of_places(job, place, differ, &alike);
    row kept = kept_row(job, place);
    state rotor = rotor_state(kept, kept, acting_row(job, place));
    SD_BEGIN(&rotor, &s.rotor);
    row_put_rotor(kept, kept, &rotor);
  }
}
#endif

#endif
