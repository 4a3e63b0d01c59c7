/* members.h - systems side by side, a member in each lane: one thread takes a lane group of members through all its
 * steps. Every pair is evaluated once, for the lower of its bodies, and given to both. */
#ifndef SD_ASSEMBLY_MEMBERS_H
#define SD_ASSEMBLY_MEMBERS_H

#include "books.h"
#include "../witness.h"
#include "gravity.h"
#include "halves.h"
#include "scatter.h"
#include "starts.h"

enum { SCRATCH_NUMBERS = LOAD_NUMBERS + PASSING_NUMBERS + ROW_NUMBERS };

FN row slot_row(const sd_job *job, size_t group, uint32_t b) {
  row r = {job->slots + (size_t)b * BODY_NUMBERS * job->stride + group, job->stride};
  return r;
}
FN row scratch_of(const sd_job *job, uint32_t b, int first) {
  row r = {job->scratch + ((size_t)b * SCRATCH_NUMBERS + (size_t)first) * SD_LANES, SD_LANES};
  return r;
}
FN row acting_of(const sd_job *job, uint32_t b) {
  return scratch_of(job, b, 0);
}
FN row passing_of(const sd_job *job, uint32_t b) {
  return scratch_of(job, b, LOAD_NUMBERS);
}
FN row kept_of(const sd_job *job, uint32_t b) {
  return scratch_of(job, b, LOAD_NUMBERS + PASSING_NUMBERS);
}
FN body_rows rows_of(const sd_job *job, uint32_t b) {
  row kept = kept_of(job, b);
  body_rows r = {kept, kept, kept, acting_of(job, b), passing_of(job, b)};
  return r;
}
FN size_t member_slot(const sd_job *job, int k) {
  return (size_t)job->topology.size.bodies * BODY_NUMBERS + (size_t)k;
}
FN uint32_t body_count(const sd_job *job) {
  return job->topology.size.bodies;
}

/* ---- the numbers of the lanes' members: a table of them, after the bodies ---- */

FN double *table_of_lanes(const sd_job *job) {
  return job->scratch + (size_t)job->topology.size.bodies * SCRATCH_NUMBERS * SD_LANES;
}
FN real number_of_lanes(const sd_job *job, size_t k) {
  return real_load(table_of_lanes(job) + k * SD_LANES);
}
FN void put_alike(const sd_job *job, size_t first, const double *from, size_t count) {
  for (size_t k = 0; k < count; k++) real_store(table_of_lanes(job) + (first + k) * SD_LANES, real_splat(from[k]));
}
/* Those of this group: kinds of bonds, of which there may be many, only if they are not the same for all. */
FN_APART void recall_numbers(const sd_job *job) {
  const sd_topology *t = &job->topology;
  const sd_differing *d = &job->differing;
  for (size_t k = 0; d->table && k < d->width; k++)
    for (size_t i = 0; i < SD_LANES; i++)
      table_of_lanes(job)[k * SD_LANES + i] = d->table[d->of[job->group + i] * d->width + k];
  if (d->table) return;
  put_alike(job, SD_OWN_STEP, &job->step, 1);
  put_alike(job, SD_OWN_METHOD, job->method, SD_METHOD_PARAMETERS_MAX);
  put_alike(job, SD_OWN_CONSTANTS, job->constants, SD_CONSTANTS);
  put_alike(job, SD_OWN_SPECIES, t->species, (size_t)t->size.species * SD_SPECIES_NUMBERS);
  put_alike(job, sd_own_points(&t->size), t->points, (size_t)t->size.species * t->size.points * SD_POINT_NUMBERS);
}
FN surroundings surroundings_of(const sd_job *job) {
  surroundings s = {table_of_lanes(job) + SD_OWN_CONSTANTS * SD_LANES, 1};
  return s;
}
FN size_t species_place(const sd_job *job, uint32_t b) {
  return SD_OWN_SPECIES + (size_t)job->topology.species_of[b] * SD_SPECIES_NUMBERS;
}
FN species species_at(const sd_job *job, uint32_t b) {
  real number[SD_SPECIES_NUMBERS], method[SD_METHOD_PARAMETERS_MAX];
  for (size_t k = 0; k < SD_SPECIES_NUMBERS; k++) number[k] = number_of_lanes(job, species_place(job, b) + k);
  for (size_t k = 0; k < SD_METHOD_PARAMETERS_MAX; k++) method[k] = number_of_lanes(job, SD_OWN_METHOD + k);
  return species_of_numbers(number, method);
}
FN real diameter_of(const sd_job *job, uint32_t b) {
  return number_of_lanes(job, species_place(job, b) + SD_SPECIES_DIAMETER);
}
FN bond bond_at(const sd_job *job, uint32_t index, int own) {
  real number[SD_BOND_NUMBERS];
  size_t kind = (size_t)job->topology.kind_of[index] * SD_BOND_NUMBERS;
  for (size_t k = 0; k < SD_BOND_NUMBERS; k++)
    number[k] = own ? number_of_lanes(job, job->differing.kind + kind + k) : real_splat(job->topology.kind[kind + k]);
  bond b = bond_seen(number, real_splat(1));
  if (!has_scatter(job)) return b;
  uint64_t member[SD_LANES], draw[SD_LANES];
  for (size_t i = 0; i < SD_LANES; i++) {
    member[i] = member_number(job, job->group + i);
    draw[i] = draw_of_bond(job, job->topology.low[index], job->topology.high[index]);
  }
  scatter_bond(job, member, draw, &b);
  return b;
}

/* ---- neighbours: near_pairs[0] of them, near in any lane ---- */

FN uint32_t pair_of(uint32_t low, uint32_t high) {
  return low << 16 | high;
}

FN_APART void find_pairs(const sd_job *given) {
  const sd_job copy = *given, *job = &copy; /* which no store can change */
  uint32_t bodies = body_count(job), count = 0, *pairs = job->near_pairs;
  real reach = real_splat(job->skin * job->largest_diameter);
  for (uint32_t i = 0; i < bodies; i++) {
    vec3 x = row_vector(kept_of(job, i), AT_X);
    row_put_vector(passing_of(job, i), AT_REFERENCE, x);
    for (uint32_t j = i + 1; j < bodies; j++) {
      vec3 r = vec3_sub(x, row_vector(kept_of(job, j), AT_X));
      real within = 0.5 * (diameter_of(job, i) + diameter_of(job, j)) + reach;
      if (mask_any(mask_not(real_less(within * within, vec3_norm2(r))))) pairs[1 + count++] = pair_of(i, j);
    }
  }
  pairs[0] = count;
}

/* ---- forces ---- */

FN void add_vector(row r, int k, vec3 v) {
  row_put_vector(r, k, vec3_add(row_vector(r, k), v));
}
FN void take_vector(row r, int k, vec3 v) {
  row_put_vector(r, k, vec3_sub(row_vector(r, k), v));
}

FN void add_dashpot(const sd_job *job, uint32_t i, uint32_t j, vec3 r, mask where) {
  vec3 velocity = vec3_sub(row_vector(kept_of(job, i), AT_MIDDLE), row_vector(kept_of(job, j), AT_MIDDLE));
  vec3 pull = vec3_select(where, dashpot_pull(r, velocity, surrounding(surroundings_of(job), DASHPOT)), vec3_zero());
  add_vector(kept_of(job, i), AT_DASHPOT, pull);
  take_vector(kept_of(job, j), AT_DASHPOT, pull);
}

FN mask add_bonds(const sd_job *job, int dashpots, int own) {
  const sd_topology *t = &job->topology;
  mask outside = mask_none();
  for (uint32_t k = 0; k < t->size.bonds; k++) {
    uint32_t i = t->low[k], j = t->high[k];
    bond b = bond_at(job, k, own);
    placed here = row_placed(kept_of(job, i)), there = row_placed(kept_of(job, j));
    bond_pull p = bond_pulls(here, there, &b);
    outside = outside | p.outside;
    add_vector(acting_of(job, i), AT_FORCE, p.force);
    take_vector(acting_of(job, j), AT_FORCE, p.force);
    add_vector(acting_of(job, i), AT_TORQUE, p.moment);
    add_vector(acting_of(job, j), AT_TORQUE, p.other_moment);
    if (dashpots) add_dashpot(job, i, j, vec3_sub(here.x, there.x), mask_all_set());
  }
  return outside;
}

FN void add_contacts(const sd_job *job, int dashpots) {
  real stiffness = surrounding(surroundings_of(job), CONTACT_STIFFNESS), diameter = diameter_of(job, 0),
       inverse = 1.0 / diameter;
  for (uint32_t k = 0, count = has_contacts(job) ? job->near_pairs[0] : 0; k < count; k++) {
    uint32_t i = job->near_pairs[1 + k] >> 16, j = job->near_pairs[1 + k] & 0xffff;
    vec3 r = vec3_sub(row_vector(kept_of(job, i), AT_X), row_vector(kept_of(job, j), AT_X));
    real length2 = vec3_norm2(r);
    if (job->topology.size.species > 1) {
      diameter = 0.5 * (diameter_of(job, i) + diameter_of(job, j));
      inverse = 1.0 / diameter;
    }
    mask touching = may_touch(length2, diameter);
    if (!mask_any(touching)) continue;
    vec3 force = vec3_select(touching, contact_push(r, length2, inverse, stiffness).force, vec3_zero());
    add_vector(acting_of(job, i), AT_FORCE, force);
    take_vector(acting_of(job, j), AT_FORCE, force);
    if (dashpots) add_dashpot(job, i, j, r, touching);
  }
}

FN fixed_point point_at(const sd_job *job, uint32_t b, uint32_t index, quaternion q) {
  const sd_topology *t = &job->topology;
  size_t first = sd_own_points(&t->size) + ((size_t)t->species_of[b] * t->size.points + index) * SD_POINT_NUMBERS;
  real number[SD_POINT_NUMBERS];
  for (size_t k = 0; k < SD_POINT_NUMBERS; k++) number[k] = number_of_lanes(job, first + k);
  return point_of(q, number);
}
FN attraction attraction_between(const sd_job *job, uint32_t i, uint32_t j) {
  placed low = row_placed(kept_of(job, i)), high = row_placed(kept_of(job, j));
  real strength = surrounding(surroundings_of(job), ATTRACTION);
  vec3 r = vec3_sub(low.x, high.x);
  attraction sum = no_attraction();
  for (uint32_t a = 0; a < job->topology.size.points; a++) {
    fixed_point here = point_at(job, i, a, low.q);
    for (uint32_t b = 0; b < job->topology.size.points; b++)
      attract(&sum, r, here, point_at(job, j, b, high.q), strength);
  }
  return sum;
}
FN void add_attractions(const sd_job *job) {
  for (uint32_t i = 0; i < body_count(job); i++)
    for (uint32_t j = i + 1; j < body_count(job); j++) {
      attraction a = attraction_between(job, i, j);
      add_vector(acting_of(job, i), AT_FORCE, a.force);
      take_vector(acting_of(job, j), AT_FORCE, a.force);
      add_vector(acting_of(job, i), AT_TORQUE, a.moment);
      add_vector(acting_of(job, j), AT_TORQUE, a.other_moment);
    }
}

/* What acts on a body: nothing at first, then what others do, then walls and gravity. */
FN void clear_load(const sd_job *job, uint32_t b, int dashpots) {
  row_put_vector(acting_of(job, b), AT_FORCE, vec3_zero());
  row_put_vector(acting_of(job, b), AT_TORQUE, vec3_zero());
  if (dashpots) row_put_vector(kept_of(job, b), AT_DASHPOT, vec3_zero());
}
FN_APART mask add_pairs(const sd_job *given, int dashpots) { /* the lanes in which a bond is beyond the model */
  const sd_job copy = *given, *job = &copy;
  mask outside = job->differing.kind ? add_bonds(job, dashpots, 1) : add_bonds(job, dashpots, 0);
  add_contacts(job, dashpots);
  if (attracts(job)) add_attractions(job);
  return outside;
}
FN void complete_load(const sd_job *job, uint32_t b, const species *s) {
  row kept = kept_of(job, b), acting = acting_of(job, b);
  load l = {row_vector(acting, AT_FORCE), row_vector(acting, AT_TORQUE), vec3_zero(), vec3_zero()};
  if (has_outside(job)) add_outside(&l, row_vector(kept, AT_X), s, surroundings_of(job), job);
  row_put_load(kept, acting, &l, row_attitude(kept), job, 0);
}
FN_APART void find_forces(const sd_job *given, int dashpots) {
  const sd_job copy = *given, *job = &copy;
  for (uint32_t b = 0; b < body_count(job); b++) clear_load(job, b, dashpots);
  add_pairs(job, dashpots);
  for (uint32_t b = 0; b < body_count(job); b++) {
    species s = species_at(job, b);
    complete_load(job, b, &s);
  }
}

/* ---- a step: a body's load is cleared and completed while the body is in the cache ---- */

FN mask first_halves(const sd_job *given, real h, step_log *log, tally *t) {
  const sd_job copy = *given, *job = &copy;
  double far = 0.5 * job->skin * job->largest_diameter;
  uint32_t middle = body_count(job) / 2; /* what all have in common with it brings nobody nearer */
  vec3 drift = vec3_scale(h, row_vector(kept_of(job, middle), AT_V));
  drift = vec3_add(drift,
                   vec3_sub(row_vector(kept_of(job, middle), AT_X), row_vector(passing_of(job, middle), AT_REFERENCE)));
  mask moved = mask_none();
  for (uint32_t b = 0; b < body_count(job); b++) {
    species s = species_at(job, b);
    body_rows r = rows_of(job, b);
    log->iterations = real_splat(0);
    first_half(&r, &s, h, job, log);
    clear_load(job, b, has_dashpots(job));
    t->iterations = t->iterations + log->iterations;
    t->most = real_max(log->iterations, t->most);
    if (!has_contacts(job)) continue;
    vec3 gone = vec3_sub(row_vector(r.kept, AT_X), row_vector(r.passing, AT_REFERENCE));
    moved = moved | mask_not(real_at_most(vec3_norm2(vec3_sub(gone, drift)), real_splat(far * far)));
  }
  return moved;
}
FN void second_halves(const sd_job *given, real h, step_log *log, tally *t) {
  const sd_job copy = *given, *job = &copy;
  for (uint32_t b = 0; b < body_count(job); b++) {
    species s = species_at(job, b);
    body_rows r = rows_of(job, b);
    log->iterations = real_splat(0);
    complete_load(job, b, &s);
    second_half(&r, &s, h, job, log);
    t->iterations = t->iterations + log->iterations;
    t->most = real_max(log->iterations, t->most);
  }
}
FN void step_of_members(const sd_job *job, real h, step_log *log, tally *t) {
  if (mask_any(first_halves(job, h, log, t))) find_pairs(job);
  log->outside = log->outside | (add_pairs(job, has_dashpots(job)) & log->alive);
  second_halves(job, h, log, t);
}

/* The group from its slots, and what is not stored of it. */
FN_APART void recall_members(const sd_job *given, size_t group) {
  const sd_job copy = *given, *job = &copy;
  for (uint32_t b = 0; b < body_count(job); b++)
    for (int k = 0; k < BODY_NUMBERS; k++) row_put(kept_of(job, b), k, row_get(slot_row(job, group, b), k));
  if (has_contacts(job)) find_pairs(job);
  find_forces(job, 0);
}
/* To its slots, in the lanes of m. */
FN_APART void store_members(const sd_job *given, size_t group, mask m) {
  const sd_job copy = *given, *job = &copy;
  for (uint32_t b = 0; b < body_count(job); b++) {
    row from = kept_of(job, b), to = slot_row(job, group, b);
    for (int k = 0; k < BODY_NUMBERS; k++) row_put(to, k, real_select(m, row_get(from, k), row_get(to, k)));
  }
}

/* ---- what is observed ---- */

FN ledger ledger_of_body(const sd_job *job, uint32_t b, uint32_t *bonds, uint32_t *contacts) {
  const sd_topology *t = &job->topology;
  real stiffness = surrounding(surroundings_of(job), CONTACT_STIFFNESS);
  species s = species_at(job, b);
  row kept = kept_of(job, b);
  moving m = row_moving(kept, job);
  ledger l = ledger_alone(&m, &s, surroundings_of(job), job);
  for (; *bonds < t->size.bonds && t->low[*bonds] == b; ++*bonds) {
    bond k = job->differing.kind ? bond_at(job, *bonds, 1) : bond_at(job, *bonds, 0);
    ledger_add_bond(&l, bond_energies(row_placed(kept), row_placed(kept_of(job, t->high[*bonds])), &k));
  }
  for (; has_contacts(job) && *contacts < job->near_pairs[0] && job->near_pairs[1 + *contacts] >> 16 == b;
       ++*contacts) {
    uint32_t j = job->near_pairs[1 + *contacts] & 0xffff;
    vec3 r = vec3_sub(m.x, row_vector(kept_of(job, j), AT_X));
    real length2 = vec3_norm2(r), diameter = 0.5 * (s.diameter + diameter_of(job, j));
    mask touching = may_touch(length2, diameter);
    push p = contact_push(r, length2, 1.0 / diameter, stiffness);
    p.energy = real_select(touching, p.energy, real_splat(0));
    p.overlap = real_select(touching, p.overlap, real_splat(0));
    ledger_add_contact(&l, p);
  }
  for (uint32_t j = b + 1; attracts(job) && j < t->size.bodies; j++)
    l.number[IN_GRAVITY] = l.number[IN_GRAVITY] + attraction_between(job, b, j).energy;
  return l;
}

/* The sums over the bodies along the tree that splits at the largest power of two below their number. */
FN_APART ledger ledger_of_members(const sd_job *job) {
  enum { LEVELS = 32 };
  ledger stack[LEVELS];
  uint32_t bodies = body_count(job), bonds = 0, contacts = 0;
  int depth = 0;
  for (uint32_t b = 0; b < bodies; b++) {
    stack[depth++] = ledger_of_body(job, b, &bonds, &contacts);
    for (uint32_t done = b + 1; done % 2 == 0; done /= 2, depth--)
      stack[depth - 2] = ledger_joined(stack[depth - 2], &stack[depth - 1]);
  }
  for (; depth > 1; depth--) stack[depth - 2] = ledger_joined(stack[depth - 2], &stack[depth - 1]);
  return stack[0];
}

/* How long an attitude's quaternion is, at worst. */
FN real defect_of_members(const sd_job *job) {
  real worst = real_splat(0);
  for (uint32_t b = 0; b < body_count(job); b++)
    worst = real_worst(attitude_defect(row_attitude(kept_of(job, b))), worst);
  return worst;
}

/* ---- the kernels ---- */

FN void begin_members(const sd_job *given, size_t first, size_t count) {
  sd_job here = *given, *job = &here;
  for (size_t group = first; group < first + count; group += SD_LANES) {
    here.group = group;
    uint32_t bodies = body_count(job);
    for (uint32_t b = 0; b < bodies; b++) draw_body(job, slot_row(job, group, b), group, b);
    recall_numbers(job);
    recall_members(job, group);
    for (uint32_t b = 0; b < bodies; b++) row_put_vector(kept_of(job, b), AT_MIDDLE, row_vector(kept_of(job, b), AT_V));
    if (has_dashpots(job)) find_forces(job, 1);
#ifdef SD_BEGIN
    for (uint32_t b = 0; b < bodies; b++) {
      row kept = kept_of(job, b);
      species s = species_at(job, b);
      state rotor = rotor_state(kept, kept, acting_of(job, b));
      SD_BEGIN(&rotor, &s.rotor);
      row_put_rotor(kept, kept, &rotor);
    }
#endif
    store_members(job, group, mask_all_set());
    ledger l = ledger_of_members(job);
    open_books(job, group, &l, defect_of_members(job));
  }
}

/* As trajectory.h has it: in stretches, each from a stored state, to which a group goes back when a lane fails, to find
 * the step in which it did. */
enum { STRETCH = 256 };

FN mask members_finite(const sd_job *job) {
  mask finite = mask_all_set();
  for (uint32_t b = 0; b < body_count(job); b++) finite = finite & row_is_finite(kept_of(job, b), job);
  return finite;
}

FN void advance_members(const sd_job *given, size_t first, size_t count) {
  sd_job here = *given, *job = &here;
  for (size_t group = first; group < first + count; group += SD_LANES) {
    here.group = group;
    tally t = load_tally(job, group);
    step_log log = {alive_by(t), mask_none(), mask_none(), real_splat(0)};
    int64_t n = job->from_step, careful_until = 0;
    int64_t interval = sd_witness_after(job->witness_length, n);
    int64_t witness = sd_witness_step(job->witness_length, interval);
    recall_numbers(job);
    recall_members(job, group);
    const real step = number_of_lanes(job, SD_OWN_STEP);
    while (n < job->to_step) {
      int64_t sample = (n / job->every + 1) * job->every, stop = sample < job->to_step ? sample : job->to_step;
      if (stop > witness) stop = witness;
      if (stop - n > STRETCH) stop = n + STRETCH;
      if (n < careful_until) stop = n + 1;
      const tally then = t;
      log.failed = log.outside = mask_none();
      for (int64_t k = n; k < stop && mask_any(log.alive); k++)
        for (int i = 0; i < job->stages; i++)
          step_of_members(job, real_select(log.alive, step * job->stage[i], real_splat(0)), &log, &t);
      mask ok = log.alive & mask_not(log.failed | log.outside) & members_finite(job);
      if (!mask_every(ok)) {
        mask fresh = log.alive & mask_not(ok);
        if (mask_any(fresh) && stop - n > 1) {
          careful_until = stop;
          recall_members(job, group);
          t = then;
          continue;
        }
        real status = real_select(log.failed, real_splat(SD_MEMBER_NOT_CONVERGED), real_splat(SD_MEMBER_NOT_FINITE));
        status = real_select(log.outside, real_splat(SD_MEMBER_OUTSIDE_DOMAIN), status);
        t.status = real_select(fresh, status, t.status);
        put(job, group, member_slot(job, AT_LOST),
            real_select(fresh, time_of(job, group, stop), get(job, group, member_slot(job, AT_LOST))));
        log.alive = ok;
        store_members(job, group, ok);
        t.iterations = real_select(ok, t.iterations, then.iterations);
        t.most = real_select(ok, t.most, then.most);
        recall_members(job, group);
      } else store_members(job, group, ok);
      n = stop;
      store_tally(job, group, t);
      if (n != witness && n != sample && n != job->total_steps) continue;
      ledger l = ledger_of_members(job);
      real energy = ledger_energy(&l);
      if (n == witness) {
        put_row(job, group, job->witness_row + interval - job->first_witness,
                energy - get_account(job, group, SD_ENERGY0), log.alive);
        witness = sd_witness_step(job->witness_length, ++interval);
      }
      if (n == sample || n == job->total_steps) enter_books(job, group, &l, defect_of_members(job), log.alive, n);
    }
  }
}

FN void export_members(const sd_job *given, size_t first, size_t count) {
  sd_job here = *given, *job = &here;
  for (size_t group = first; group < first + count; group += SD_LANES) {
    here.group = group;
    recall_numbers(job);
    recall_members(job, group);
    ledger l = ledger_of_members(job);
    show_member(job, group, kept_of(job, 0), SCRATCH_NUMBERS * SD_LANES, ledger_energy(&l));
  }
}

#endif
