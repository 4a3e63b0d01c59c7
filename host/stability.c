/* stability.c - the largest step of a system, before it is run: 2/w for its fastest oscillation, from the stiffness
 * matrix of all bodies together.  Its largest eigenvalue comes by the power method; of rotations a bound by rows will
 * do. */
#include "topology.h"

#include <math.h>
#include <stdlib.h>

static double fastest_start(const sd_topology *t) {
  double most = 0;
  for (uint32_t b = 0; b < t->size.bodies; b++) {
    const double *v = t->start + (size_t)b * SD_START_NUMBERS + SD_START_VELOCITY;
    most = fmax(most, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return sqrt(most);
}

static const double *species_of(const sd_topology *t, uint32_t b) {
  return t->species + (size_t)t->species_of[b] * SD_SPECIES_NUMBERS;
}

/* How stiff a contact is where it has stopped a body of the fastest start:
 * m v^2/2 = 2/5 Kp overlap^(5/2); F = Kp/D overlap^(3/2). */
static double deepest_contact(const double *species, double speed, double stiffness) {
  double mass = species[SD_SPECIES_MASS], diameter = species[SD_SPECIES_DIAMETER];
  if (!(stiffness > 0) || !(diameter > 0)) return 0;
  double overlap = pow(1.25 * mass * speed * speed / stiffness, 0.4);
  return 1.5 * stiffness / (diameter * diameter) * sqrt(overlap);
}

/* y = M^-1 K u: springs along the bonds, as stiff as a bond and a contact together. */
static void apply(const sd_topology *t, const double *spring, const double *u, double *y) {
  for (size_t k = 0; k < 3 * (size_t)t->size.bodies; k++) y[k] = 0;
  for (uint32_t k = 0; k < t->size.bonds; k++) {
    const double *n = t->kind + (size_t)t->kind_of[k] * SD_BOND_NUMBERS, *a = u + 3 * (size_t)t->low[k],
                 *b = u + 3 * (size_t)t->high[k];
    double pull = 0;
    for (int i = 0; i < 3; i++) pull += n[i] * (a[i] - b[i]);
    pull *= spring[k];
    for (int i = 0; i < 3; i++) {
      y[3 * (size_t)t->low[k] + (size_t)i] += pull * n[i];
      y[3 * (size_t)t->high[k] + (size_t)i] -= pull * n[i];
    }
  }
  for (uint32_t b = 0; b < t->size.bodies; b++)
    for (size_t i = 0; i < 3; i++) y[3 * (size_t)b + i] *= species_of(t, b)[SD_SPECIES_INVERSE];
}

static double size_of(const double *u, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += u[k] * u[k];
  return sqrt(sum);
}

/* The largest eigenvalue, from a start with something of every mode; NaN without memory. */
static double largest_eigenvalue(const sd_topology *t, const double *spring) {
  size_t count = 3 * (size_t)t->size.bodies;
  double *u = malloc(count * sizeof *u), *y = malloc(count * sizeof *y), value = u && y ? 0 : NAN;
  for (size_t k = 0; u && y && k < count; k++) u[k] = sin(12.9898 * (double)(k + 1)) * (k % 2 ? 1 : -1);
  for (int i = 0, rounds = count > 100000 ? 40 : 200; u && y && i < rounds; i++) {
    double size = size_of(u, count);
    if (!(size > 0)) break;
    for (size_t k = 0; k < count; k++) u[k] /= size;
    apply(t, spring, u, y);
    value = size_of(y, count);
    double *next = y;
    y = u;
    u = next;
  }
  free(u);
  free(y);
  return value;
}

/* At least the largest eigenvalue: what stands in a row of the matrix; NaN without memory. */
static double rows_bound(const sd_topology *t, const double *spring) {
  double *sum = calloc(3 * (size_t)t->size.bodies, sizeof *sum), largest = sum ? 0 : NAN;
  for (uint32_t k = 0; sum && k < t->size.bonds; k++) {
    const double *n = t->kind + (size_t)t->kind_of[k] * SD_BOND_NUMBERS;
    double all = 2 * spring[k] * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    for (size_t i = 0; i < 3; i++) {
      sum[3 * (size_t)t->low[k] + i] += all * fabs(n[i]);
      sum[3 * (size_t)t->high[k] + i] += all * fabs(n[i]);
    }
  }
  for (size_t k = 0; sum && k < 3 * (size_t)t->size.bodies; k++)
    largest = fmax(largest, sum[k] * species_of(t, (uint32_t)(k / 3))[SD_SPECIES_INVERSE]);
  free(sum);
  return largest;
}

static double translation(const sd_topology *t, double speed, double stiffness,
                          double (*largest_of)(const sd_topology *, const double *)) {
  double largest = 0, *spring = malloc(((size_t)t->size.bonds + 1) * sizeof *spring);
  if (!spring) return NAN;
  for (uint32_t b = 0; b < t->size.bodies; b++) { /* a pair that meets: both move, from two sides at once at most */
    const double *s = species_of(t, b);
    largest = fmax(largest, 4 * deepest_contact(s, speed, stiffness) * s[SD_SPECIES_INVERSE]);
  }
  for (uint32_t k = 0; k < t->size.bonds; k++) {
    const double *kind = t->kind + (size_t)t->kind_of[k] * SD_BOND_NUMBERS;
    spring[k] = kind[SD_BOND_AXIAL] * kind[SD_BOND_INVERSE] * kind[SD_BOND_INVERSE] +
                deepest_contact(species_of(t, t->low[k]), speed, stiffness);
  }
  if (t->size.bonds) largest = fmax(largest, largest_of(t, spring));
  free(spring);
  return largest;
}

static double rotation(const sd_topology *t) {
  double *sum = calloc(t->size.bodies, sizeof *sum), largest = sum ? 0 : NAN;
  for (uint32_t k = 0; sum && k < t->size.bonds; k++) {
    double bending = t->kind[(size_t)t->kind_of[k] * SD_BOND_NUMBERS + SD_BOND_BENDING];
    sum[t->low[k]] += 2 * bending;
    sum[t->high[k]] += 2 * bending;
  }
  for (uint32_t b = 0; sum && b < t->size.bodies; b++) {
    const double *J = species_of(t, b) + SD_SPECIES_INERTIA;
    largest = fmax(largest, sum[b] / fmin(J[0], fmin(J[1], J[2])));
  }
  free(sum);
  return largest;
}

static double step_of(double square) {
  return square > 0 ? 2 / sqrt(square) : INFINITY;
}

double sd_topology_safe_step(const sd_topology *t, double contact_stiffness) {
  return step_of(fmax(translation(t, fastest_start(t), contact_stiffness, rows_bound), rotation(t)));
}
double sd_topology_stable_step(const sd_topology *t, double contact_stiffness) {
  return step_of(fmax(translation(t, fastest_start(t), contact_stiffness, largest_eigenvalue), rotation(t)));
}
