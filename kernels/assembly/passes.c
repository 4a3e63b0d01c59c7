/* passes.c - the passes that do not depend on the method, compiled once for a variant: forces, neighbours, ledger. */
#define SD_NARROW /* a pair of bodies fills the registers once */
#include "family.h"

#include "../series_job.h"
#include "../slots.h"
#include "cells.h"
#include "gravity.h"
#include "neighbours.h"
#include "scatter.h"

/* ---- forces ---- */

/* Whether the numbers of bodies are lower than those of others. */
FN void are_lower(const sd_job *job, const uint32_t *self, const uint32_t *body, double *lower) {
  uint32_t own[SD_LANES], other[SD_LANES];
  names_of(job, self, own);
  names_of(job, body, other);
  for (int i = 0; i < SD_LANES; i++) lower[i] = own[i] < other[i];
}
/* Those have the energy of a pair. */
FN mask have_energy(const sd_job *job, const uint32_t *self, const uint32_t *body) {
  double lower[SD_LANES];
  are_lower(job, self, body, lower);
  return real_load(lower) != 0.0;
}

FN_RARE void scatter_seen(const sd_job *job, size_t member, const uint32_t *own, const uint32_t *other, bond *b) {
  uint64_t number = member_number(job, member), members[SD_LANES], draw[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) {
    int is_low = own[i] < other[i];
    members[i] = number;
    draw[i] = draw_of_bond(job, is_low ? own[i] : other[i], is_low ? other[i] : own[i]);
  }
  scatter_bond(job, members, draw, b);
}
FN bond bonds_seen(const sd_job *job, const numbers_here *n, size_t member, size_t slot, const uint32_t *self,
                   const others *o) {
  real number[SD_BOND_NUMBERS];
  double sign[SD_LANES];
  uint32_t own[SD_LANES], other[SD_LANES];
  table_rows(n->kind, SD_BOND_NUMBERS, job->topology.partner_kind + slot, number);
  names_of(job, self, own);
  names_of(job, o->body, other);
  for (int i = 0; i < SD_LANES; i++) sign[i] = own[i] < other[i] ? 1 : -1;
  bond b = bond_seen(number, real_load(sign));
  if (has_scatter(job)) scatter_seen(job, member, own, other, &b);
  return b;
}
FN void bodies_from(const sd_job *job, size_t place, uint32_t *self) {
  for (int i = 0; i < SD_LANES; i++) self[i] = body_at(job, place) + (uint32_t)i;
}

FN vec3 dashpots_of(const sd_job *job, const numbers_here *n, size_t place, size_t base, const others *o, vec3 r,
                    mask where) {
  vec3 here = row_vector(here_row(job, place), AT_MIDDLE),
       there = vector_of(job->field.now + base, job->field.pitch, AT_MIDDLE, o);
  return vec3_select(where, dashpot_pull(r, vec3_sub(here, there), surrounding(n->around, DASHPOT)), vec3_zero());
}

FN void gather_bonds(load *l, const sd_job *job, const numbers_here *n, size_t place, const uint32_t *self,
                     int dashpots) {
  const sd_topology *t = &job->topology;
  size_t base = place - body_at(job, place);
  placed here = row_placed(here_row(job, place));
  mask outside = mask_none();
  for (uint32_t d = 0; d < t->size.degree; d++) {
    size_t slot = (size_t)d * t->size.pitch + body_at(job, place);
    others o = others_from(job, t->partner + slot, self);
    if (!o.any) continue;
    mask bonded = mask_not(index_is(o.body, self));
    bond b = bonds_seen(job, n, member_of(job, place), slot, self, &o);
    placed there = placed_of(job, base, &o);
    bond_pull p = bond_pulls(here, there, &b);
    outside = outside | (p.outside & bonded);
    l->force = vec3_add(l->force, vec3_select(bonded, p.force, vec3_zero()));
    l->moment = vec3_add(l->moment, vec3_select(bonded, p.moment, vec3_zero()));
    if (dashpots)
      l->dashpot = vec3_add(l->dashpot, dashpots_of(job, n, place, base, &o, vec3_sub(here.x, there.x), bonded));
  }
  if (mask_any(outside)) flags_raise(job->field.trouble + member_of(job, place), SD_TROUBLE_OUTSIDE);
}

FN uint32_t most_near(const sd_job *job, size_t place) {
  uint32_t most = 0;
  for (int i = 0; i < SD_LANES; i++)
    most = job->field.near_count[place + (size_t)i] > most ? job->field.near_count[place + (size_t)i] : most;
  return most;
}

FN void gather_contacts(load *l, const sd_job *job, const numbers_here *n, size_t place, const uint32_t *self,
                        const species *alike, const species *s, int dashpots) {
  size_t base = place - body_at(job, place), pitch = job->field.pitch;
  real stiffness = surrounding(n->around, CONTACT_STIFFNESS), diameter = alike->diameter, inverse = 1.0 / diameter;
  vec3 x = row_vector(here_row(job, place), AT_X);
  for (uint32_t k = 0, most = most_near(job, place); k < most; k++) {
    others o = others_from(job, job->field.near + (size_t)k * pitch + place, self);
    vec3 r = vec3_sub(x, vector_of(job->field.now + base, pitch, AT_X, &o));
    real length2 = vec3_norm2(r);
    if (job->topology.size.species > 1) {
      diameter = 0.5 * (s->diameter + diameters_of(job, n, &o, alike));
      inverse = 1.0 / diameter;
    }
    mask touching = may_touch(length2, diameter) & mask_not(index_is(o.body, self));
    if (!mask_any(touching)) continue;
    l->force =
        vec3_add(l->force, vec3_select(touching, contact_push(r, length2, inverse, stiffness).force, vec3_zero()));
    if (dashpots) l->dashpot = vec3_add(l->dashpot, dashpots_of(job, n, place, base, &o, r, touching));
  }
}

/* Points of the lower body are the outer loop: for a lane whose own body is the higher one, its points are the inner.
 */
FN fixed_point points_of(const sd_job *job, const numbers_here *n, const uint32_t *body, const uint32_t *index,
                         quaternion q) {
  const sd_topology *t = &job->topology;
  real number[SD_POINT_NUMBERS];
  uint32_t at[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) at[i] = t->species_of[body[i]] * t->size.points + index[i];
  table_rows(n->points, SD_POINT_NUMBERS, at, number);
  return point_of(q, number);
}
FN attraction attraction_to(const sd_job *job, const numbers_here *n, size_t place, const uint32_t *self,
                            uint32_t other, real *energy) {
  size_t base = place - body_at(job, place);
  uint32_t points = job->topology.size.points;
  others o;
  double is_low[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) o.body[i] = other;
  are_lower(job, self, o.body, is_low);
  o.in_line = 0, o.first = other, o.any = 1;
  mask low = real_load(is_low) != 0.0;
  placed here = row_placed(here_row(job, place)), there = placed_of(job, base, &o);
  vec3 r = vec3_select(low, vec3_sub(here.x, there.x), vec3_sub(there.x, here.x));
  real strength = surrounding(n->around, ATTRACTION);
  attraction sum = no_attraction();
  for (uint32_t p = 0; p < points; p++)
    for (uint32_t q = 0; q < points; q++) {
      uint32_t mine[SD_LANES], theirs[SD_LANES];
      for (int i = 0; i < SD_LANES; i++) mine[i] = is_low[i] != 0 ? p : q, theirs[i] = is_low[i] != 0 ? q : p;
      fixed_point a = points_of(job, n, self, mine, here.q), b = points_of(job, n, o.body, theirs, there.q);
      fixed_point outer = {vec3_select(low, a.arm, b.arm), real_select(low, a.mass, b.mass)};
      fixed_point inner = {vec3_select(low, b.arm, a.arm), real_select(low, b.mass, a.mass)};
      attract(&sum, r, outer, inner, strength);
    }
  *energy = real_select(low, sum.energy, real_splat(0)); /* the lower body has it */
  sum.force = vec3_select(low, sum.force, vec3_negate(sum.force));
  sum.moment = vec3_select(low, sum.moment, sum.other_moment);
  return sum;
}
FN void gather_attractions(load *l, const sd_job *job, const numbers_here *n, size_t place, const uint32_t *self) {
  uint32_t none[SD_LANES];
  for (uint32_t j = 0; j < job->topology.size.bodies; j++) {
    real energy;
    uint32_t other = body_named(job, j);
    for (int i = 0; i < SD_LANES; i++) none[i] = other;
    mask another = mask_not(index_is(none, self));
    attraction a = attraction_to(job, n, place, self, other, &energy);
    l->force = vec3_add(l->force, vec3_select(another, a.force, vec3_zero()));
    l->moment = vec3_add(l->moment, vec3_select(another, a.moment, vec3_zero()));
  }
}

/* The partners of the bodies ahead that are not near by number, and the lists of those that come after. */
FN void look_ahead(const sd_job *job, size_t place) {
  const sd_topology *t = &job->topology;
  const sd_field *f = &job->field;
  uint32_t body = body_at(job, place) + AHEAD;
  if (body + AHEAD >= t->size.pitch) return;
  for (uint32_t d = 0; d < t->size.degree; d++) {
    const uint32_t *slot = t->partner + (size_t)d * t->size.pitch + body;
    prefetch(slot + AHEAD);
    prefetch(t->partner_kind + (size_t)d * t->size.pitch + body + AHEAD);
    if (*slot + AHEAD > body && *slot < body + AHEAD) continue;
    row far = here_row(job, place - body_at(job, place) + *slot);
    prefetch_row(far, AT_X, 3);
    prefetch_row(far, AT_Q, 4);
  }
  prefetch_row(here_row(job, place + AHEAD), AT_X, 3);
  prefetch_row(here_row(job, place + AHEAD), AT_Q, 4);
  for (uint32_t k = 0, most = f->near_count[place]; k < most; k++)
    prefetch(f->near + (size_t)k * f->pitch + place + AHEAD);
  prefetch(f->near_count + place + AHEAD);
}

FN void gather_some(const sd_job *job, size_t first, size_t count, int dashpots, int differ) {
  species alike = species_alike(job);
  for (size_t place = first; place < first + count; place += SD_LANES) {
    if (trouble_of(job, place) & SD_TROUBLE_LOST) continue;
    uint32_t self[SD_LANES];
    bodies_from(job, place, self);
    look_ahead(job, place);
    numbers_here n = numbers_at(job, place, differ);
    species s = species_of_places(job, place, differ, &alike);
    if (differ) alike = s; /* where there is but one species */
    row here = here_row(job, place);
    load l = no_load();
    gather_bonds(&l, job, &n, place, self, dashpots);
    if (has_contacts(job)) gather_contacts(&l, job, &n, place, self, &alike, &s, dashpots);
    if (attracts(job)) gather_attractions(&l, job, &n, place, self);
    if (has_outside(job)) add_outside(&l, row_vector(here, AT_X), &s, n.around, job);
    row_put_load(kept_row(job, place), acting_row(job, place), &l, row_attitude(here), job, dashpots);
  }
}

#if defined(SD_ON_DEVICE)
FN void gather_forces(const sd_job *job, size_t first, size_t count, int dashpots) {
  gather_some(job, first, count, dashpots, members_differ(job));
}
#else
/* The rarer one is a function of its own, as both loops would share what is not in registers. */
static __attribute__((noinline)) void gather_differing(const sd_job *job, size_t first, size_t count, int dashpots) {
  gather_some(job, first, count, dashpots, 1);
}
FN void gather_forces(const sd_job *job, size_t first, size_t count, int dashpots) {
  if (members_differ(job)) gather_differing(job, first, count, dashpots);
  else gather_some(job, first, count, dashpots, 0);
}
#endif

FN void settle(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  for (size_t place = first; place < first + count; place += SD_LANES)
    row_put_vector(here_row(job, place), AT_MIDDLE, row_vector(kept_row(job, place), AT_V));
}
FN void forces(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  gather_forces(job, first, count, has_dashpots(job));
}
/* Those of a state that has just been put in its place: the dashpots' came with it. */
FN void first_forces(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  gather_forces(job, first, count, 0);
}

/* Is the state still one?  What was not finite once stays so until somebody looks. */
FN void check(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  for (size_t place = first; place < first + count; place += SD_LANES) {
    if (trouble_of(job, place) & SD_TROUBLE_LOST) continue;
    if (mask_any(mask_not(row_is_finite(kept_row(job, place), job)) & bodies_there(job, place)))
      flags_raise(job->field.trouble + member_of(job, place), SD_TROUBLE_NOT_FINITE);
  }
}

/* ---- neighbours, from the cells around each body ---- */

FN void insert(const sd_job *job, size_t place, uint32_t count, uint32_t body) { /* in the order of their numbers */
  uint32_t *list = job->field.near + place, name = name_of(job, body);
  size_t pitch = job->field.pitch;
  for (; count && name_of(job, list[(count - 1) * pitch]) > name; count--)
    list[count * pitch] = list[(count - 1) * pitch];
  list[count * pitch] = body;
}

FN double diameter_at(const sd_job *job, const numbers_here *n, uint32_t body) {
  return n->species[job->topology.species_of[body] * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER];
}

FN void leave_empty(const sd_job *job, size_t place, uint32_t count) { /* from there on */
  const sd_field *f = &job->field;
  f->near_count[place] = count < f->near_most ? count : f->near_most;
  for (uint32_t k = f->near_count[place]; k < f->near_most; k++)
    f->near[(size_t)k * f->pitch + place] = body_at(job, place);
}

FN void find_near(const sd_job *job, size_t place) {
  const sd_field *f = &job->field;
  const sd_cells *c = f->cells + member_of(job, place);
  size_t base = place - body_at(job, place);
  numbers_here n = numbers_at(job, place, members_differ(job));
  double x[3], diameter = diameter_at(job, &n, body_at(job, place)), reach = job->skin * job->largest_diameter;
  uint32_t low[3], high[3], count = 0;
  for (int a = 0; a < 3; a++) {
    x[a] = place_along(job, place, a);
    f->passing[(size_t)(AT_REFERENCE + a) * f->pitch + place] = x[a];
    uint32_t at = cell_along(c, a, x[a]);
    low[a] = at ? at - 1 : 0;
    high[a] = at + 1 < c->n[a] ? at + 1 : at;
  }
  for (uint32_t z = low[2]; z <= high[2]; z++)
    for (uint32_t y = low[1]; y <= high[1]; y++) {
      size_t line = ((size_t)z * c->n[1] + y) * c->n[0];
      for (uint32_t k = c->start[line + low[0]]; k < c->start[line + high[0] + 1]; k++) {
        uint32_t j = c->body[k];
        double distance2 = 0, within = 0.5 * (diameter + diameter_at(job, &n, j)) + reach;
        for (int a = 0; a < 3; a++) {
          double gap = x[a] - place_along(job, base + j, a);
          distance2 += gap * gap;
        }
        if (!(distance2 <= within * within) || base + j == place) continue;
        if (count < f->near_most) insert(job, place, count, j);
        count++;
      }
    }
  if (count > f->near_most) flags_raise(f->trouble + member_of(job, place), SD_TROUBLE_CROWDED);
  leave_empty(job, place, count);
}

/* Those of a lane group. */
FN void align_near(const sd_job *job, size_t place) {
#if SD_LANES > 1
  const sd_field *f = &job->field;
  uint32_t used = sd_align_partners(f->near + place, NULL, f->pitch, f->near_most, body_at(job, place), SD_LANES);
  for (int i = 0; i < SD_LANES; i++) f->near_count[place + (size_t)i] = used;
#else
  (void)job, (void)place;
#endif
}

FN void neighbours(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  for (size_t place = first; place < first + count && has_contacts(job); place += SD_LANES) {
    if (!job->field.moved[member_of(job, place)]) continue;
    for (size_t i = place; i < place + SD_LANES; i++)
      if (body_at(job, i) < job->topology.size.bodies) find_near(job, i);
      else leave_empty(job, i, 0);
    align_near(job, place);
  }
}

/* ---- the ledger: sums over blocks of bodies, each a subtree of the tree over all ---- */

FN ledger ledger_at(const sd_job *job, size_t place, const species *alike, int differ) {
  const sd_topology *t = &job->topology;
  size_t base = place - body_at(job, place), pitch = job->field.pitch;
  uint32_t self[SD_LANES];
  bodies_from(job, place, self);
  numbers_here n = numbers_at(job, place, differ);
  species s = species_of_places(job, place, differ, alike);
  row kept = kept_row(job, place);
  moving m = row_moving(kept, job);
  ledger l = ledger_alone(&m, &s, n.around, job);
  for (uint32_t d = 0; d < t->size.degree; d++) {
    size_t slot = (size_t)d * t->size.pitch + body_at(job, place);
    others o = others_from(job, t->partner + slot, self);
    if (!o.any) continue;
    mask mine = have_energy(job, self, o.body);
    bond b = bonds_seen(job, &n, member_of(job, place), slot, self, &o);
    bond_energy e = bond_energies(row_placed(kept), placed_of(job, base, &o), &b);
    real *const parts[] = {&e.bending, &e.axial, &e.shear, &e.strain};
    for (int k = 0; k < 4; k++) *parts[k] = real_select(mine, *parts[k], real_splat(0));
    ledger_add_bond(&l, e);
  }
  for (uint32_t k = 0, most = has_contacts(job) ? most_near(job, place) : 0; k < most; k++) {
    others o = others_from(job, job->field.near + (size_t)k * pitch + place, self);
    vec3 r = vec3_sub(m.x, vector_of(job->field.now + base, pitch, AT_X, &o));
    real length2 = vec3_norm2(r), diameter = 0.5 * (s.diameter + diameters_of(job, &n, &o, &s));
    mask touching = may_touch(length2, diameter) & have_energy(job, self, o.body);
    push p = contact_push(r, length2, 1.0 / diameter, surrounding(n.around, CONTACT_STIFFNESS));
    p.energy = real_select(touching, p.energy, real_splat(0));
    p.overlap = real_select(touching, p.overlap, real_splat(0));
    ledger_add_contact(&l, p);
  }
  for (uint32_t j = 0; attracts(job) && j < t->size.bodies; j++) {
    real energy; /* nothing but the lower ones' */
    attraction_to(job, &n, place, self, body_named(job, j), &energy);
    l.number[IN_GRAVITY] = l.number[IN_GRAVITY] + energy;
  }
  return l;
}

/* ---- on a processor; passes.cu has them for a device ---- */

#if !defined(SD_ON_DEVICE)

/* Where bodies go when they turn is free between steps: there each has its entries, at its number. */
static void enter(const sd_job *job, size_t place, const uint32_t *name, int k, real x) {
  double lanes[SD_LANES], *to = job->field.next + (size_t)k * job->field.pitch + place - body_at(job, place);
  real_store(lanes, x);
  for (int i = 0; i < SD_LANES; i++) to[name[i]] = lanes[i];
}
FN void enter_some(const sd_job *job, size_t first, size_t count, int differ) {
  species alike = species_alike(job);
  for (size_t place = first; place < first + count; place += SD_LANES) {
    uint32_t self[SD_LANES], name[SD_LANES];
    bodies_from(job, place, self);
    names_of(job, self, name);
    ledger l = ledger_at(job, place, &alike, differ);
    for (int k = 0; k < LEDGER_NUMBERS; k++) enter(job, place, name, k, l.number[k]);
    enter(job, place, name, LEDGER_NUMBERS, attitude_defect(row_attitude(kept_row(job, place))));
  }
}

static void ledger_entries(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  WHERE_MEMBERS_DIFFER(job, enter_some, job, first, count);
}

/* first and count are whole blocks of one member's bodies, and what is left of them. */
static void ledger_blocks(const sd_job *job, size_t first, size_t count, int stage) {
  enum { BLOCK = SD_REDUCE_BLOCK };
  (void)stage;
  size_t blocks = (job->field.bodies + BLOCK - 1) / BLOCK, pitch = job->field.pitch;
  for (size_t block = first; block < first + count; block++) {
    size_t from = block % blocks * BLOCK, left = job->topology.size.bodies - from;
    double *number = job->field.next + block / blocks * job->field.bodies + from;
    join_along_tree(number, left < BLOCK ? left : BLOCK, 1, pitch);
    for (size_t k = 0; k < BODY_QUANTITIES; k++) job->field.ledger[block * BODY_QUANTITIES + k] = number[k * pitch];
  }
}

#define SYMBOL_(variant) sd_assembly_passes_##variant
#define SYMBOL(variant) SYMBOL_(variant)
extern const sd_passes SYMBOL(SD_VARIANT);
const sd_passes SYMBOL(SD_VARIANT) = {.settle = settle,
                                      .forces = forces,
                                      .first_forces = first_forces,
                                      .neighbours = neighbours,
                                      .entries = ledger_entries,
                                      .ledger = ledger_blocks,
                                      .check = check,
                                      .numbers = BODY_NUMBERS,
                                      .rows = ROW_NUMBERS,
                                      .acting = LOAD_NUMBERS,
                                      .quantities = BODY_QUANTITIES};

#endif
