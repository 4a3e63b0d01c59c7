#include "topology.h"

#include "overlap.h"
#include "system_text.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct sd_shared_topology {
  sd_topology of;
  sd_document *document; /* or NULL */
  atomic_int users;
};

const sd_topology *sd_topology_of(const sd_shared_topology *t) {
  return &t->of;
}

const sd_document *sd_topology_document(const sd_shared_topology *t) {
  return t->document;
}

sd_shared_topology *sd_topology_keep(sd_shared_topology *t) {
  if (t) atomic_fetch_add(&t->users, 1);
  return t;
}

static void release(sd_topology *t) {
  void *const all[] = {t->species_of, t->species, t->points, t->start,   t->low,
                       t->high,       t->kind_of, t->kind,   t->partner, t->partner_kind};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

void sd_topology_let_go(sd_shared_topology *t) {
  if (!t || atomic_fetch_sub(&t->users, 1) > 1) return;
  release(&t->of);
  sd_document_let_go(t->document);
  free(t);
}

/* ---- memory ---- */

enum { BODIES_MOST = 100000000, DEGREE_MOST = 256 };

static int allocate(sd_topology *t) {
  size_t bodies = t->size.pitch, bonds = t->size.bonds;
#define ARRAY(name, count) (t->name = calloc((count) + 1, sizeof *t->name))
  int all = ARRAY(species_of, bodies) && ARRAY(species, (size_t)t->size.species * SD_SPECIES_NUMBERS);
  all = all && ARRAY(points, (size_t)t->size.species * t->size.points * SD_POINT_NUMBERS);
  all = all && ARRAY(start, bodies * SD_START_NUMBERS) && ARRAY(low, bonds) && ARRAY(high, bonds);
  all = all && ARRAY(kind_of, bonds) && ARRAY(kind, (size_t)t->size.kinds * SD_BOND_NUMBERS);
  return all;
}

/* ---- what may be wrong ---- */

static sd_status check_bodies(const sd_topology *t, sd_error *error) {
  for (uint32_t b = 0; b < t->size.bodies; b++) {
    double nothing = 0;
    for (int k = 0; k < SD_START_NUMBERS; k++) nothing += 0 * t->start[(size_t)b * SD_START_NUMBERS + (size_t)k];
    if (nothing != 0) return sd_fail(error, SD_BAD_INPUT, "body %u: its start is not finite", b);
  }
  return SD_OK;
}

static sd_status check_bonds(const sd_topology *t, sd_error *error) {
  for (uint32_t k = 0; k < t->size.bonds; k++) {
    uint32_t low = t->low[k], high = t->high[k];
    const double *kind = t->kind + (size_t)t->kind_of[k] * SD_BOND_NUMBERS;
    if (high >= t->size.bodies)
      return sd_fail(error, SD_BAD_INPUT, "bond %u is to body %u, and there are %u bodies", k, high, t->size.bodies);
    if (low == high) return sd_fail(error, SD_BAD_INPUT, "bond %u: body %u is bonded to itself", k, low);
    if (!(kind[SD_BOND_LENGTH] > 0) || !isfinite(kind[SD_BOND_LENGTH]))
      return sd_fail(error, SD_BAD_INPUT, "bond %u: there is no distance between bodies %u and %u", k, low, high);
    for (int i = SD_BOND_BENDING; i < SD_BOND_NUMBERS; i++)
      if (!(kind[i] >= 0) || !isfinite(kind[i]))
        return sd_fail(error, SD_BAD_INPUT, "bond %u: a stiffness of %g is none", k, kind[i]);
  }
  return SD_OK;
}

/* Where the later one of two statements of a text is; "" without one. */
static const char *where(const sd_document *d, const char *kind, uint32_t a, uint32_t b, char text[SD_SYSTEM_PLACE]) {
  *text = 0;
  return d ? sd_system_place(d, kind, a > b ? a : b, text) : text;
}

/* ---- the order of things ---- */

typedef struct {
  uint32_t low, high, kind;
} bond;

static int by_bodies(const void *a, const void *b) {
  const bond *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->high < y->high ? -1 : x->high > y->high;
}

/* Of a text, each bond is of a kind of its own, by which its line is found. */
static sd_status sort_bonds(sd_topology *t, const sd_document *d, sd_error *error) {
  size_t count = t->size.bonds;
  char at[SD_SYSTEM_PLACE];
  bond *all = malloc((count + 1) * sizeof *all);
  if (!all) return sd_fail(error, SD_NO_MEMORY, "%zu bonds: out of memory", count);
  for (size_t k = 0; k < count; k++) all[k] = (bond){t->low[k], t->high[k], t->kind_of[k]};
  qsort(all, count, sizeof *all, by_bodies);
  sd_status status = SD_OK;
  for (size_t k = 0; k < count; k++) {
    t->low[k] = all[k].low;
    t->high[k] = all[k].high;
    t->kind_of[k] = all[k].kind;
    if (!status && k && !by_bodies(&all[k - 1], &all[k]))
      status = sd_fail(error, SD_BAD_INPUT, "%sbodies %u and %u are bonded twice",
                       where(d, "bond", all[k - 1].kind, all[k].kind, at), all[k].low, all[k].high);
  }
  free(all);
  return status;
}

/* Partners body by body, in their order: bonds to lower ones come first in the list of bonds. */
static sd_status list_partners(sd_topology *t, sd_error *error) {
  size_t pitch = t->size.pitch;
  uint32_t *degree = calloc(pitch + 1, sizeof *degree);
  if (!degree) return sd_fail(error, SD_NO_MEMORY, "%zu bodies: out of memory", pitch);
  for (uint32_t k = 0; k < t->size.bonds; k++) degree[t->low[k]]++, degree[t->high[k]]++;
  for (size_t b = 0; b < pitch; b++) t->size.degree = degree[b] > t->size.degree ? degree[b] : t->size.degree;
  if (t->size.degree > DEGREE_MOST) {
    free(degree);
    return sd_fail(error, SD_BAD_INPUT, "a body has %u bonds; at most %d", t->size.degree, DEGREE_MOST);
  }
  size_t slots = pitch * t->size.degree;
  t->partner = malloc((slots + 1) * sizeof *t->partner);
  t->partner_kind = calloc(slots + 1, sizeof *t->partner_kind);
  int made = t->partner && t->partner_kind;
  for (size_t i = 0; made && i < slots; i++) t->partner[i] = (uint32_t)(i % pitch);
  memset(degree, 0, pitch * sizeof *degree);
  for (uint32_t k = 0; made && k < t->size.bonds; k++) {
    uint32_t low = t->low[k], high = t->high[k];
    t->partner[degree[low] * pitch + low] = high;
    t->partner_kind[degree[low]++ * pitch + low] = t->kind_of[k];
    t->partner[degree[high] * pitch + high] = low;
    t->partner_kind[degree[high]++ * pitch + high] = t->kind_of[k];
  }
  free(degree);
  for (uint32_t b = 0; made && b < pitch; b += SD_GROUP_MAX)
    sd_align_partners(t->partner + b, t->partner_kind + b, pitch, t->size.degree, b, SD_GROUP_MAX);
  return made ? SD_OK : sd_fail(error, SD_NO_MEMORY, "%u bonds: out of memory", t->size.bonds);
}

/* ---- what of it may be wrong only as a whole ---- */

static sd_status check_overlap(const sd_topology *t, const sd_document *d, sd_error *error) {
  uint32_t pair[2];
  char at[SD_SYSTEM_PLACE];
  int found = sd_overlap_find(t, pair);
  if (found < 0) return sd_fail(error, SD_NO_MEMORY, "%u bodies: out of memory", t->size.bodies);
  if (!found) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%sbodies %u and %u start inside one another: nearer than half their diameter",
                 where(d, "body", pair[0], pair[1], at), pair[0], pair[1]);
}

/* ---- making one ---- */

static sd_status measure(const sd_problem_entry *problem, const double *parameters, const sd_document *document,
                         sd_topology_sizes *sizes, sd_error *error) {
  double from_text[SD_PARAMETERS_MAX];
  if (document) return sd_system_measure(document, problem, sizes, from_text, error);
  problem->measure(parameters, sizes);
  return SD_OK;
}

static sd_status build(const sd_problem_entry *problem, const double *parameters, const sd_document *document,
                       sd_topology *t, sd_error *error) {
  SD_TRY(measure(problem, parameters, document, &t->size, error));
  uint32_t bodies = t->size.bodies;
  if (!bodies || bodies > BODIES_MOST)
    return sd_fail(error, SD_BAD_INPUT, "%s: %u bodies in a member; expected 1 to %d", problem->id, bodies,
                   BODIES_MOST);
  t->size.pitch = (bodies + SD_GROUP_MAX - 1) / SD_GROUP_MAX * SD_GROUP_MAX;
  if (!allocate(t)) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory for %u bodies", problem->id, bodies);
  if (document) SD_TRY(sd_system_fill(document, t, error));
  problem->fill(parameters, t);
  SD_TRY(check_bodies(t, error));
  SD_TRY(check_bonds(t, error));
  SD_TRY(check_overlap(t, document, error));
  SD_TRY(sort_bonds(t, document, error));
  return list_partners(t, error);
}

static sd_status create(const sd_problem_entry *problem, const double *parameters, sd_document *document,
                        sd_shared_topology **made, sd_error *error) {
  sd_shared_topology *t = *made = calloc(1, sizeof *t);
  if (!t) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", problem->id);
  atomic_init(&t->users, 1);
  t->document = sd_document_keep(document);
  sd_status status = build(problem, parameters, document, &t->of, error);
  if (status) sd_topology_let_go(t), *made = NULL;
  return status;
}

sd_status sd_topology_describe(const sd_problem_entry *problem, const double *parameters, sd_document *document,
                               sd_shared_topology **made, sd_error *error) {
  return create(problem, parameters, document, made, error);
}

sd_status sd_topology_vary(const sd_shared_topology *t, const sd_problem_entry *problem, const double *parameters,
                           sd_shared_topology **made, sd_error *error) {
  return create(problem, parameters, t->document, made, error);
}

sd_status sd_topology_create(const sd_problem_entry *problem, const double *parameters, sd_shared_topology **made,
                             sd_error *error) {
  sd_document *document = NULL;
  *made = NULL;
  if (sd_is_described(problem)) SD_TRY(sd_document_of(problem->id, problem->family->document, &document, error));
  sd_status status = create(problem, parameters, document, made, error);
  sd_document_let_go(document);
  return status;
}

int sd_topology_matches(const sd_shared_topology *one, const sd_shared_topology *other) {
  const sd_topology *a = &one->of, *b = &other->of;
  size_t bodies = a->size.pitch * sizeof *a->species_of, bonds = a->size.bonds * sizeof *a->low;
  if (one == other) return 1;
  if (memcmp(&a->size, &b->size, sizeof a->size) != 0 || memcmp(a->species_of, b->species_of, bodies) != 0) return 0;
  return !memcmp(a->low, b->low, bonds) && !memcmp(a->high, b->high, bonds) && !memcmp(a->kind_of, b->kind_of, bonds);
}

double sd_topology_largest(const sd_shared_topology *shared) {
  double largest = 0;
  for (uint32_t k = 0; shared && k < shared->of.size.species; k++) {
    double diameter = shared->of.species[k * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER];
    largest = diameter > largest ? diameter : largest;
  }
  return largest;
}
