/* memory.c - how much memory a run will take: the same sums that its parts make when they ask for it. */
#include "ensemble.h"
#include "plan.h"
#include "points.h"
#include "series.h"
#include "share.h"
#include "states.h"

#include <math.h>

/* Numbers of their own that systems have, at most. */
static double bytes_of_tables(const sd_specification *spec) {
  if (!spec->topology || !sd_is_varied(spec)) return 0;
  const sd_topology_sizes *size = &sd_topology_of(spec->topology)->size;
  double width = (double)sd_own_kinds(size) + (double)size->kinds * SD_BOND_NUMBERS;
  return width * sizeof(double) * (double)sd_batch_members(spec) / (double)sd_members_alike(spec);
}

/* Systems have their bodies side by side, once more as a stretch began, and what passes between them. */
static double bytes_of_bodies(const sd_specification *spec, const sd_kernels *k) {
  enum { LISTS = 16 * sizeof(uint32_t) }; /* of neighbours and cells */
  double bodies = (double)sd_bodies_each(spec);
  return bodies * (double)sd_batch_members(spec) * (sizeof(double) * (k->body_slots + k->scratch) + LISTS) +
         bodies * SD_START_NUMBERS * sizeof(double) + bytes_of_tables(spec);
}

/* What is seen of the points of a batch, and what came of all. */
static double bytes_of_points(const sd_specification *spec, double samples) {
  double columns = spec->each > 1 ? 4 : 2, kept = fmin(samples, SD_SERIES_MOST);
  return sd_is_swept(spec) ? kept * columns * (double)sd_batch_points(spec) * sizeof(double) +
                                 (double)spec->points * spec->method_count * sizeof(sd_point)
                           : 0;
}

/* One method at a time has its members in memory. */
static double bytes_of_members(const sd_plan *plan, const sd_specification *spec) {
  double most = 0;
  for (int m = 0; m < spec->method_count; m++) {
    const sd_kernels *k = sd_find_kernels(spec->methods[m].entry, spec->problem, plan->place.variant.name);
    size_t bodies = sd_bodies_each(spec);
    sd_ensemble e = {.stride = sd_batch_members(spec),
                     .state_slots = k ? sd_member_slots(k, bodies) : 0,
                     .log_slots = sd_log_slots(spec)};
    most = fmax(most, (double)sd_ensemble_bytes(&e) + (k ? bytes_of_bodies(spec, k) : 0));
  }
  return most;
}

/* Series and states are kept of all methods. */
static double bytes_of_results(const sd_specification *spec, double samples) {
  double series = fmin(samples, SD_SERIES_MOST) * sizeof(sd_sample);
  double states = (double)spec->finals + (double)spec->recorded * samples;
  double shares =
      spec->mergeable && !sd_is_swept(spec)
          ? (fmin(samples, SD_SERIES_MOST) * sd_shared_numbers(spec) + SD_ACCOUNT_SLOTS) * (double)spec->members
          : 0;
  double logs = (double)spec->members * (double)sd_log_numbers(spec) * sizeof(double);
  return spec->method_count *
         (series + logs + shares * sizeof(double) +
          states * (double)sd_state_numbers(spec->problem->family, sd_bodies_of(spec)) * sizeof(double));
}

double sd_plan_memory(sd_plan *plan) {
  if (!plan->resolved && sd_plan_resolve(plan)) return 0;
  const sd_specification *spec = plan->specification;
  double samples = (double)(spec->total_steps / spec->sample_every + 1);
  double row = (double)sd_batch_members(spec) * sizeof(double),
         rows = fmax(2 * row, fmin(SD_ROWS_BYTES, samples * row));
  return bytes_of_members(plan, spec) + rows + bytes_of_results(spec, samples) + bytes_of_points(spec, samples);
}
