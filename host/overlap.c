/* overlap.c - bodies by cells as wide as those of the largest diameter reach: two that are near one another are in the
 * same one or in neighbouring ones.  Cells are sorted by z, y, x, so that three in a row along x are one piece of the
 * list; and as one goes through the list, so does the row beside, or above.
 *
 * Small bodies beside large ones would crowd the cells of these.  So it is done class by class: bodies of the largest
 * diameter to half of it against all, then without them those of the largest that is left, and so on. */
#include "overlap.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  int64_t z, y, x;
  uint32_t body;
} place;

static int by_cell(const place *a, const place *b) {
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return a->x < b->x ? -1 : a->x > b->x;
}
static int compare(const void *a, const void *b) {
  return by_cell(a, b);
}

static const double *start_of(const sd_topology *t, uint32_t body) {
  return t->start + (size_t)body * SD_START_NUMBERS + SD_START_POSITION;
}
static double diameter_of(const sd_topology *t, uint32_t body) {
  return t->species[(size_t)t->species_of[body] * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER];
}

/* Squared, and in their mean diameter. */
static double distance_between(const sd_topology *t, uint32_t a, uint32_t b) {
  const double *x = start_of(t, a), *y = start_of(t, b);
  double mean = 0.5 * (diameter_of(t, a) + diameter_of(t, b)), distance2 = 0;
  for (int k = 0; k < 3; k++) distance2 += (x[k] - y[k]) * (x[k] - y[k]);
  return distance2 / (mean * mean);
}

/* As far away as cells can be told apart, all are in the last. */
static int64_t cell_of(double x, double side) {
  return (int64_t)fmin(fmax(floor(x / side), -0x1p52), 0x1p52);
}

typedef struct {
  const sd_topology *t;
  place *all;
  size_t count;
  double largest; /* diameter of those that are left */
  double reach;   /* in mean diameters */
  sd_near_pair *call;
  void *data;
} search;

static int is_large(const search *s, uint32_t body) {
  return 2 * diameter_of(s->t, body) > s->largest;
}

/* Large ones against those in the three cells of the row that lies so beside theirs. */
static int search_row(const search *s, int z, int y) {
  const place *all = s->all;
  for (size_t i = 0, row = 0; i < s->count; i++) {
    place first = {all[i].z + z, all[i].y + y, all[i].x - 1, 0}, last = first;
    last.x += 2;
    if (!is_large(s, all[i].body)) continue;
    while (row < s->count && by_cell(&all[row], &first) < 0) row++;
    for (size_t k = row; k < s->count && by_cell(&all[k], &last) <= 0; k++) {
      uint32_t a = all[i].body, b = all[k].body;
      if (a == b || (a > b && is_large(s, b))) continue; /* two large ones meet twice */
      double distance = distance_between(s->t, a, b);
      if (!(distance < s->reach * s->reach)) continue;
      int done = s->call(s->data, a < b ? a : b, a < b ? b : a, sqrt(distance));
      if (done) return done;
    }
  }
  return 0;
}

static int search_class(search *s) {
  double side = s->reach * s->largest;
  int done = 0;
  for (size_t i = 0; i < s->count; i++) {
    const double *x = start_of(s->t, s->all[i].body);
    s->all[i] = (place){cell_of(x[2], side), cell_of(x[1], side), cell_of(x[0], side), s->all[i].body};
  }
  qsort(s->all, s->count, sizeof *s->all, compare);
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1 && !done; y++) done = search_row(s, z, y);
  return done;
}

/* Without the large ones. */
static void go_on(search *s) {
  size_t left = 0;
  double largest = 0;
  for (size_t i = 0; i < s->count; i++)
    if (!is_large(s, s->all[i].body)) s->all[left++] = s->all[i];
  s->count = left;
  for (size_t i = 0; i < left; i++) largest = fmax(largest, diameter_of(s->t, s->all[i].body));
  s->largest = largest;
}

int sd_near_pairs(const sd_topology *t, double reach, sd_near_pair *call, void *data) {
  search s = {.t = t, .count = t->size.bodies, .reach = reach, .call = call, .data = data};
  s.all = malloc((s.count + 1) * sizeof *s.all);
  if (!s.all) return -1;
  for (uint32_t b = 0; b < t->size.bodies; b++) {
    s.all[b] = (place){0, 0, 0, b};
    s.largest = fmax(s.largest, diameter_of(t, b));
  }
  int done = 0;
  for (; s.largest > 0 && !done; go_on(&s)) done = search_class(&s);
  free(s.all);
  return done;
}

static int take_pair(void *data, uint32_t a, uint32_t b, double distance) {
  uint32_t *pair = data;
  (void)distance;
  pair[0] = a;
  pair[1] = b;
  return 1;
}
int sd_overlap_find(const sd_topology *t, uint32_t pair[2]) {
  return sd_near_pairs(t, 0.5, take_pair, pair);
}
