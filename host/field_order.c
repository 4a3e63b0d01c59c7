#include "field_order.h"

#include <math.h>
#include <stdlib.h>

/* ---- places ---- */

typedef struct {
  double x[3];
  uint32_t body;
} spot;

static int by_place(const void *a, const void *b) { /* z, y, x */
  const spot *s = a, *t = b;
  for (int k = 2; k >= 0; k--)
    if (s->x[k] != t->x[k]) return s->x[k] < t->x[k] ? -1 : 1;
  return s->body < t->body ? -1 : s->body > t->body;
}

/* A body's slots begin as its start does.  What is nowhere is somewhere here. */
static spot *spots_of(const sd_ensemble *e) {
  spot *all = malloc(e->bodies_each * sizeof *all);
  size_t numbers = (size_t)e->kernels->body_slots;
  for (size_t b = 0; all && b < e->bodies_each; b++) {
    all[b].body = (uint32_t)b;
    for (size_t k = 0; k < 3; k++) {
      double x = e->slots[(b * numbers + SD_START_POSITION + k) * e->stride];
      all[b].x[k] = isfinite(x) ? x : 0;
    }
  }
  return all;
}

typedef struct {
  double low[3], high[3];
} box;

static box box_of(const spot *all, size_t count) {
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      b.low[k] = fmin(all[i].x[k], b.low[k]);
      b.high[k] = fmax(all[i].x[k], b.high[k]);
    }
  return b;
}

/* How far apart near ones are: bonded ones as their bonds are long, others as if they filled their room evenly. */
static double spacing_of(const sd_topology *t, box room) {
  double sum = 0, largest = 0, volume = 1;
  for (uint32_t k = 0; k < t->size.bonds; k++) sum += t->kind[(size_t)t->kind_of[k] * SD_BOND_NUMBERS + SD_BOND_LENGTH];
  if (t->size.bonds) return sum / t->size.bonds;
  for (uint32_t k = 0; k < t->size.species; k++)
    largest = fmax(t->species[k * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER], largest);
  for (int k = 0; k < 3; k++) volume *= room.high[k] - room.low[k] + largest;
  return cbrt(volume / t->size.bodies);
}

/* Are bodies that follow one another, in the mean?  In a lattice row by row they are some two spacings from one
 * another.
 */
static int are_far_apart(const spot *all, size_t count, double spacing) {
  enum { FAR = 4 };
  double way = 0;
  for (size_t i = 1; i < count; i++) {
    double x = all[i].x[0] - all[i - 1].x[0], y = all[i].x[1] - all[i - 1].x[1], z = all[i].x[2] - all[i - 1].x[2];
    way += sqrt(x * x + y * y + z * z);
  }
  return way > FAR * spacing * (double)count;
}

/* Rows along x, a spacing wide; a lattice has its own in their middle. */
static void sort_by_rows(spot *all, size_t count, box room, double spacing) {
  for (size_t i = 0; i < count; i++)
    for (int k = 1; k < 3; k++) all[i].x[k] = floor((all[i].x[k] - room.low[k]) / spacing + 0.5);
  qsort(all, count, sizeof *all, by_place);
}

/* ---- what bodies are, in their order ---- */

static int make_room(sd_field_order *o, const sd_topology *t) {
  size_t pitch = t->size.pitch, slots = pitch * t->size.degree;
#define ARRAY(array, count) (o->array || (o->array = malloc(((count) + 1) * sizeof *o->array)))
  return ARRAY(name, pitch) && ARRAY(at, pitch) && ARRAY(species_of, pitch) && ARRAY(partner, slots) &&
         ARRAY(partner_kind, slots) && ARRAY(kind_now, t->size.kinds) &&
         ARRAY(kind, (size_t)t->size.kinds * SD_BOND_NUMBERS);
}

static void name_bodies(sd_field_order *o, const sd_topology *t, const spot *all) {
  for (uint32_t p = 0; p < t->size.pitch; p++) { /* lanes without a body stay where they are */
    o->name[p] = p < t->size.bodies ? all[p].body : p;
    o->at[o->name[p]] = p;
  }
  for (uint32_t p = 0; p < t->size.pitch; p++) o->species_of[p] = t->species_of[o->name[p]];
}

/* A kind is where it is first used; members' own kinds stay where they are. */
static uint32_t kind_now(sd_field_order *o, const sd_topology *t, uint32_t kind, uint32_t *used) {
  if (o->own_kinds) return kind;
  if (o->kind_now[kind] == UINT32_MAX) {
    const double *from = t->kind + (size_t)kind * SD_BOND_NUMBERS;
    for (size_t k = 0; k < SD_BOND_NUMBERS; k++) o->kind[(size_t)*used * SD_BOND_NUMBERS + k] = from[k];
    o->kind_now[kind] = (*used)++;
  }
  return o->kind_now[kind];
}

/* Partners stay in the order of their numbers. */
static void list_partners(sd_field_order *o, const sd_topology *t) {
  size_t pitch = t->size.pitch;
  uint32_t used = 0;
  for (uint32_t k = 0; k < t->size.kinds; k++) o->kind_now[k] = UINT32_MAX;
  for (uint32_t p = 0; p < pitch; p++) {
    uint32_t body = o->name[p], count = 0;
    for (size_t d = 0; d < t->size.degree; d++) {
      uint32_t partner = t->partner[d * pitch + body];
      if (partner == body) continue;
      o->partner[count * pitch + p] = o->at[partner];
      o->partner_kind[count++ * pitch + p] = kind_now(o, t, t->partner_kind[d * pitch + body], &used);
    }
    for (; count < t->size.degree; count++) o->partner[count * pitch + p] = p, o->partner_kind[count * pitch + p] = 0;
  }
  for (uint32_t p = 0; p < pitch; p += SD_GROUP_MAX)
    sd_align_partners(o->partner + p, o->partner_kind + p, pitch, t->size.degree, p, SD_GROUP_MAX);
}

sd_status sd_field_order_find(sd_field_order *o, sd_sort wanted, const sd_ensemble *e, int *sorted, sd_error *error) {
  const sd_topology *t = e->topology;
  sd_status status = SD_OK;
  *sorted = 0;
  if (wanted == SD_SORT_NO) return SD_OK;
  spot *all = spots_of(e);
  if (!all) return sd_fail(error, SD_NO_MEMORY, "order of %zu bodies: out of memory", e->bodies_each);
  box room = box_of(all, e->bodies_each);
  double spacing = spacing_of(t, room);
  if (spacing > 0 && (wanted == SD_SORT_YES || are_far_apart(all, e->bodies_each, spacing))) {
    *sorted = make_room(o, t);
    if (*sorted) {
      sort_by_rows(all, e->bodies_each, room, spacing);
      name_bodies(o, t, all);
      o->own_kinds = e->differences.map.kind > 0;
      list_partners(o, t);
    } else status = sd_fail(error, SD_NO_MEMORY, "order of %zu bodies: out of memory", e->bodies_each);
  }
  free(all);
  return status;
}

sd_topology sd_field_order_topology(const sd_field_order *o, const sd_topology *given) {
  sd_topology t = *given;
  t.species_of = o->species_of;
  t.partner = o->partner;
  t.partner_kind = o->partner_kind;
  if (!o->own_kinds) t.kind = o->kind;
  return t;
}

void sd_field_order_destroy(sd_field_order *o) {
  void *const all[] = {o->name, o->at, o->species_of, o->partner, o->partner_kind, o->kind_now, o->kind};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
