#include "differing.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  sd_differences *to;
  const sd_specification *spec;
  const sd_topology *common;
  const sd_start_columns *starts;
  size_t width, room; /* of a table with its kinds; tables that there is room for */
} work;

static sd_status out_of_memory(const work *w, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%zu members that differ: out of memory", w->starts->stride);
}

/* ---- tables ---- */

static void fill(const work *w, const sd_numbers *n, const sd_topology *t, double *to) {
  const sd_topology_sizes *size = &t->size;
  to[SD_OWN_STEP] = n->step;
  memcpy(to + SD_OWN_METHOD, n->method, sizeof n->method);
  w->spec->problem->constants(n->parameters, to + SD_OWN_CONSTANTS);
  memcpy(to + SD_OWN_SPECIES, t->species, (size_t)size->species * SD_SPECIES_NUMBERS * sizeof *to);
  memcpy(to + sd_own_points(size), t->points, (size_t)size->species * size->points * SD_POINT_NUMBERS * sizeof *to);
  memcpy(to + sd_own_kinds(size), t->kind, (size_t)size->kinds * SD_BOND_NUMBERS * sizeof *to);
}

/* The table of a member, which is the last one's if it is no other. */
static sd_status add_table(work *w, const sd_numbers *n, const sd_topology *t, sd_error *error) {
  sd_differences *d = w->to;
  size_t bytes = w->width * sizeof *d->table;
  if (d->tables == w->room) {
    size_t room = w->room ? 2 * w->room : 16;
    double *table = realloc(d->table, room * bytes);
    if (!table) return out_of_memory(w, error);
    d->table = table;
    w->room = room;
  }
  double *next = d->table + d->tables * w->width;
  fill(w, n, t, next);
  if (!d->tables || memcmp(next - w->width, next, bytes) != 0) d->tables++;
  return SD_OK;
}

/* Kinds that all members have are left to the topology. */
static void leave_kinds(work *w) {
  sd_differences *d = w->to;
  size_t narrow = sd_own_kinds(&w->common->size), bytes = (w->width - narrow) * sizeof *d->table;
  d->map.kind = (uint32_t)narrow;
  d->map.width = w->width;
  for (size_t i = 1; i < d->tables; i++)
    if (memcmp(d->table + narrow, d->table + i * w->width + narrow, bytes) != 0) return;
  for (size_t i = 1; i < d->tables; i++)
    memmove(d->table + i * narrow, d->table + i * w->width, narrow * sizeof *d->table);
  d->map.kind = 0;
  d->map.width = narrow;
}

/* ---- starts ---- */

static int has_start(const work *w, size_t i) { /* that was given */
  const sd_start_columns *s = w->starts;
  double all = 0;
  for (size_t k = SD_START_ATTITUDE; k < SD_START_RATE; k++) all += s->start[k * s->stride + i] != 0;
  return all > 0;
}

static void put_start(const work *w, const sd_topology *t, size_t i) {
  const sd_start_columns *s = w->starts;
  if (t == w->common || has_start(w, i)) return;
  size_t numbers = (size_t)t->size.bodies * SD_START_NUMBERS;
  if (!memcmp(t->start, w->common->start, numbers * sizeof *t->start)) return;
  for (size_t b = 0; b < t->size.bodies; b++) {
    double *to = s->start + b * s->slots * s->stride + i;
    for (size_t k = 0; k < SD_START_NUMBERS; k++) to[k * s->stride] = t->start[b * SD_START_NUMBERS + k];
    to[SD_START_NUMBERS * s->stride] = 1; /* it is perturbed, unlike one that was given */
  }
}

/* ---- members ---- */

static int are_alike(const sd_numbers *a, const sd_numbers *b) {
  return a->step == b->step && !memcmp(a->method, b->method, sizeof a->method) &&
         !memcmp(a->parameters, b->parameters, sizeof a->parameters);
}

static sd_status add_members(work *w, int m, size_t first, size_t count, const sd_shared_topology *shared,
                             sd_error *error) {
  sd_differences *d = w->to;
  sd_shared_topology *own = NULL;
  sd_numbers last, n;
  sd_status status = SD_OK;
  for (size_t i = 0; i < count && !status; i++, last = n) {
    sd_numbers_of(w->spec, m, first + i, &n);
    if (!i || !are_alike(&n, &last)) {
      sd_topology_let_go(own);
      status = sd_topology_of_member(w->spec, first + i, &own, error);
      if (!status && !sd_topology_matches(own, shared))
        status = sd_fail(error, SD_BAD_INPUT, "member %zu has other bodies or bonds than member %zu", first + i, first);
      if (!status) status = add_table(w, &n, sd_topology_of(own), error);
      if (!status && sd_topology_largest(own) > d->largest) d->largest = sd_topology_largest(own);
    }
    d->of[i] = (uint32_t)d->tables - 1;
    if (!status) put_start(w, sd_topology_of(own), i);
  }
  for (size_t i = count; i < w->starts->stride && !status; i++) {
    d->of[i] = d->of[count - 1];
    put_start(w, sd_topology_of(own), i);
  }
  sd_topology_let_go(own);
  return status;
}

sd_status sd_differences_create(sd_differences *d, const sd_specification *spec, int m, size_t first, size_t count,
                                const sd_shared_topology *shared, const sd_start_columns *starts, sd_error *error) {
  *d = (sd_differences){.largest = sd_topology_largest(shared)};
  if (!shared || !sd_is_varied(spec)) return SD_OK;
  const sd_topology *t = sd_topology_of(shared);
  work w = {.to = d,
            .spec = spec,
            .common = t,
            .starts = starts,
            .width = sd_own_kinds(&t->size) + (size_t)t->size.kinds * SD_BOND_NUMBERS};
  d->of = calloc(starts->stride + SD_GROUP_MAX, sizeof *d->of);
  if (!d->of) return out_of_memory(&w, error);
  SD_TRY(add_members(&w, m, first, count, shared, error));
  leave_kinds(&w);
  if (d->tables < 2) return SD_OK;
  d->map.table = d->table;
  d->map.of = d->of;
  return SD_OK;
}

void sd_differences_destroy(sd_differences *d) {
  free(d->table);
  free(d->of);
  *d = (sd_differences){.largest = 0};
}
