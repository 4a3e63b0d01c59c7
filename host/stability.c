/* stability.c - the largest step of a system, before it is run, from the stiffness matrix of all bodies together.  Its
 * largest eigenvalue w^2 comes by Lanczos's method; of rotations a bound by rows will do.
 *
 * Contacts get stiffer the deeper they are.  Each is taken to be as deep as two bodies make it that put all of their
 * energy into it, those that have most: what they move with at the start, fall through, and are pushed with by what
 * overlaps or is stretched then.  More than two bodies may bring more; but the step goes with the energy to the power
 * -1/10.
 *
 * Dashpots see the velocity half a step ago: with g the largest eigenvalue of their matrix, v' = v - h (w^2 x + g v),
 * x' = x + h v' is stable where h^2 w^2 + 2 h g < 4. */
#include "stability.h"

#include "overlap.h"

#include <math.h>
#include <stdlib.h>

static const double *species_of(const sd_topology *t, uint32_t b) {
  return t->species + (size_t)t->species_of[b] * SD_SPECIES_NUMBERS;
}
static double mass_of(const sd_topology *t, uint32_t b) {
  return species_of(t, b)[SD_SPECIES_MASS];
}
static double diameter_of(const sd_topology *t, uint32_t b) {
  return species_of(t, b)[SD_SPECIES_DIAMETER];
}
static const double *kind_of(const sd_topology *t, uint32_t bond) {
  return t->kind + (size_t)t->kind_of[bond] * SD_BOND_NUMBERS;
}
static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The least diameter of those that have one; 0: none has. */
static double least_diameter(const sd_topology *t) {
  double least = INFINITY;
  for (uint32_t k = 0; k < t->size.species; k++) {
    double diameter = t->species[(size_t)k * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER];
    if (diameter > 0) least = fmin(least, diameter);
  }
  return isfinite(least) ? least : 0;
}

/* ---- what energy a body may have ---- */

typedef struct {
  const sd_topology *t;
  const sd_conditions *c;
  double mean[3]; /* velocity of all; none where there are walls, which stand still */
  double mass;    /* of all */
  double hold[SD_WALLS_MOST];
  int is_held;
  double *energy; /* of each */
} account;

static double contact_energy(double stiffness, double overlap) {
  return overlap > 0 ? 0.4 * stiffness * pow(overlap, 2.5) : 0;
}

/* How far apart two bodies may be scattered. */
static double apart(const sd_conditions *c) {
  return sqrt(2) * c->place;
}

static int add_overlap(void *data, uint32_t a, uint32_t b, double distance) {
  account *all = data;
  double diameter = 0.5 * (diameter_of(all->t, a) + diameter_of(all->t, b));
  double overlap = fmin(1 - distance + apart(all->c) / diameter, 1);
  double half = 0.5 * contact_energy(all->c->around.contact, overlap);
  all->energy[a] += half;
  all->energy[b] += half;
  return 0;
}

static void add_strain(account *all, uint32_t bond) {
  uint32_t low = all->t->low[bond], high = all->t->high[bond];
  const double *n = kind_of(all->t, bond), *a = all->t->start + (size_t)low * SD_START_NUMBERS,
               *b = all->t->start + (size_t)high * SD_START_NUMBERS;
  const double r[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  double strain = fabs(sqrt(dot(r, r)) * n[SD_BOND_INVERSE] - 1) + apart(all->c) * n[SD_BOND_INVERSE];
  double half = 0.25 * all->c->stiffness * n[SD_BOND_AXIAL] * strain * strain;
  all->energy[low] += half;
  all->energy[high] += half;
}

/* Walls hold what gravity pulls at if -g is a sum of their normals with factors that are not negative, which are found
 * wall after wall. */
static void find_hold(account *all) {
  enum { ROUNDS = 200 };
  const double *g = all->c->around.gravity;
  const int walls = all->c->around.walls;
  double rest[3] = {-g[0], -g[1], -g[2]};
  for (int i = 0; i < ROUNDS * walls; i++) {
    const double *wall = all->c->around.wall[i % walls], more = fmax(dot(wall, rest), -all->hold[i % walls]);
    all->hold[i % walls] += more;
    for (int k = 0; k < 3; k++) rest[k] -= more * wall[k];
  }
  all->is_held = sqrt(dot(rest, rest)) <= 1e-9 * sqrt(dot(g, g));
}

/* What gravity does to a unit of mass that falls as far as walls let it, or as long as the run lasts. */
static double fall(const account *all, const double *x, double speed) {
  const sd_conditions *c = all->c;
  double gained = sqrt(dot(c->around.gravity, c->around.gravity)) * c->time, deep = 0;
  for (int k = 0; k < c->around.walls; k++)
    deep += all->hold[k] * fmax(dot(c->around.wall[k], x) - c->around.wall[k][3] + c->place, 0);
  return fmin(all->is_held ? deep : INFINITY, gained * (speed + 0.5 * gained));
}

static double energy_alone(const account *all, uint32_t b) {
  const sd_conditions *c = all->c;
  const double *s = species_of(all->t, b), *J = s + SD_SPECIES_INERTIA,
               *x = all->t->start + (size_t)b * SD_START_NUMBERS, *v = x + SD_START_VELOCITY, *W = x + SD_START_RATE;
  const double u[3] = {v[0] - all->mean[0], v[1] - all->mean[1], v[2] - all->mean[2]};
  double mass = s[SD_SPECIES_MASS], radius = 0.5 * s[SD_SPECIES_DIAMETER], energy = 0;
  double speed = sqrt(dot(u, u)) + c->speed, rate = sqrt(dot(W, W)) + c->rate;
  energy += 0.5 * mass * speed * speed;
  if (all->t->size.bonds) energy += 0.5 * fmax(J[0], fmax(J[1], J[2])) * rate * rate;
  if (c->around.walls) energy += mass * fall(all, x, speed);
  for (int k = 0; k < c->around.walls && radius > 0; k++)
    energy +=
        contact_energy(c->around.contact, 1 - (dot(c->around.wall[k], x) - c->around.wall[k][3] - c->place) / radius);
  if (radius > 0) energy += c->around.attraction * mass * (all->mass - mass) / radius;
  return energy;
}

static void find_mean(account *all) {
  for (uint32_t b = 0; b < all->t->size.bodies; b++) all->mass += mass_of(all->t, b);
  for (uint32_t b = 0; b < all->t->size.bodies && !all->c->around.walls; b++)
    for (int i = 0; i < 3; i++)
      all->mean[i] +=
          mass_of(all->t, b) / all->mass * all->t->start[(size_t)b * SD_START_NUMBERS + SD_START_VELOCITY + i];
}

/* The most that a body has; NaN without memory. */
static double most_energy(const sd_topology *t, const sd_conditions *c, double least) {
  account all = {.t = t, .c = c, .energy = calloc(t->size.bodies, sizeof *all.energy)};
  double reach = fmin(1 + apart(c) / least, 2), most = 0;
  int failed = !all.energy || sd_near_pairs(t, reach, add_overlap, &all);
  if (!failed) find_mean(&all), find_hold(&all);
  for (uint32_t k = 0; k < t->size.bonds && !failed; k++) add_strain(&all, k);
  for (uint32_t b = 0; b < t->size.bodies && !failed; b++) most = fmax(most, all.energy[b] + energy_alone(&all, b));
  free(all.energy);
  return failed ? NAN : most;
}

/* That of two bodies, of whichever member. */
static double contact_energy_most(const sd_topology *t, const sd_conditions *c, double least) {
  double most = most_energy(t, c, least);
  for (size_t i = 0; i < c->starts.count; i++) {
    sd_topology other = *t;
    sd_conditions given = *c; /* which nothing is scattered about */
    given.place = given.speed = given.rate = 0;
    other.start = c->starts.number + i * c->starts.width;
    double energy = most_energy(&other, &given, least);
    most = isnan(energy) ? energy : fmax(most, energy);
  }
  return 2 * most;
}

/* ---- how stiff it is ---- */

typedef struct {
  const sd_topology *t;
  const sd_conditions *c;
  double least, overlap; /* diameter; how deep a contact is, at most: beyond 1 at a wall */
} stiffness;

/* Of two bodies: F = Kp/D overlap^(3/2). */
static double contact_of(const stiffness *s, double diameter) {
  return diameter > 0 ? 1.5 * s->c->around.contact / (diameter * diameter) * sqrt(fmin(s->overlap, 1)) : 0;
}
static double wall_of(const stiffness *s, double diameter) {
  return diameter > 0 ? 6 * s->c->around.contact / (diameter * diameter) * sqrt(s->overlap) : 0;
}
static double bond_of(const stiffness *s, uint32_t bond) {
  const double *n = kind_of(s->t, bond);
  return s->c->stiffness * n[SD_BOND_AXIAL] * n[SD_BOND_INVERSE] * n[SD_BOND_INVERSE] +
         contact_of(s, 0.5 * (diameter_of(s->t, s->t->low[bond]) + diameter_of(s->t, s->t->high[bond])));
}
static double dashpot_of(const stiffness *s, uint32_t bond) {
  (void)bond;
  return s->c->around.dashpot;
}

/* y = M^-1 K u: springs along the bonds. */
static void apply(const sd_topology *t, const double *spring, const double *u, double *y) {
  for (size_t k = 0; k < 3 * (size_t)t->size.bodies; k++) y[k] = 0;
  for (uint32_t k = 0; k < t->size.bonds; k++) {
    const double *n = kind_of(t, k), *a = u + 3 * (size_t)t->low[k], *b = u + 3 * (size_t)t->high[k];
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

/* What makes M^-1 K symmetric. */
static double product(const sd_topology *t, const double *u, const double *v) {
  double sum = 0;
  for (uint32_t b = 0; b < t->size.bodies; b++) sum += mass_of(t, b) * dot(u + 3 * (size_t)b, v + 3 * (size_t)b);
  return sum;
}

/* The largest eigenvalue of a matrix with these numbers on and beside its diagonal; pivots are positive above it. */
static double largest_of_band(const double *on, const double *beside, int count) {
  double low = 0, high = 0;
  for (int i = 0; i < count; i++) high = fmax(high, fabs(on[i]) + beside[i] + (i ? beside[i - 1] : 0));
  for (int round = 0; round < 60; round++) {
    double middle = 0.5 * (low + high), pivot = middle - on[0];
    for (int i = 1; i < count && pivot > 0; i++) pivot = middle - on[i] - beside[i - 1] * beside[i - 1] / pivot;
    if (pivot > 0) high = middle;
    else low = middle;
  }
  return high;
}

/* By the method of Lanczos, from a start with something of every mode; NaN without memory. */
enum { LANCZOS_MOST = 200 };
static double largest_eigenvalue(const sd_topology *t, const double *spring) {
  size_t count = 3 * (size_t)t->size.bodies;
  double on[LANCZOS_MOST], beside[LANCZOS_MOST], *all = calloc(3 * count, sizeof *all);
  if (!all) return NAN;
  double *u = all, *before = all + count, *y = all + 2 * count;
  for (size_t k = 0; k < count; k++) u[k] = sin(12.9898 * (double)(k + 1)) * (k % 2 ? 1 : -1);
  double size = sqrt(product(t, u, u)), largest = 0;
  int rounds = 0, most = count > 100000 ? 40 : LANCZOS_MOST;
  for (; rounds < most && size > 1e-12 * largest; rounds++) {
    for (size_t k = 0; k < count; k++) u[k] /= size;
    apply(t, spring, u, y);
    on[rounds] = product(t, u, y);
    for (size_t k = 0; k < count; k++) y[k] -= on[rounds] * u[k] + (rounds ? size : 0) * before[k];
    size = beside[rounds] = sqrt(product(t, y, y));
    largest = fmax(largest, on[rounds]);
    double *next = before;
    before = u;
    u = y;
    y = next;
  }
  free(all);
  return largest_of_band(on, beside, rounds);
}

/* At least the largest eigenvalue: what stands in a row of the matrix; NaN without memory. */
static double rows_bound(const sd_topology *t, const double *spring) {
  double *sum = calloc(3 * (size_t)t->size.bodies, sizeof *sum), largest = sum ? 0 : NAN;
  for (uint32_t k = 0; sum && k < t->size.bonds; k++) {
    const double *n = kind_of(t, k);
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

typedef double eigenvalue(const sd_topology *t, const double *spring);

/* Of all bonds. */
static double network(const stiffness *s, double (*spring_of)(const stiffness *, uint32_t), eigenvalue *largest_of) {
  const sd_topology *t = s->t;
  if (!t->size.bonds) return 0;
  double *spring = malloc(t->size.bonds * sizeof *spring);
  for (uint32_t k = 0; spring && k < t->size.bonds; k++) spring[k] = spring_of(s, k);
  double largest = spring ? largest_of(t, spring) : NAN;
  free(spring);
  return largest;
}

/* Bodies of which each is between two others, or in bonds, while a wall pushes it, too. */
static double translation(const stiffness *s, eigenvalue *largest_of) {
  double largest = network(s, bond_of, largest_of), walls = 0;
  for (uint32_t k = 0; k < s->t->size.species; k++) {
    const double *number = s->t->species + (size_t)k * SD_SPECIES_NUMBERS;
    double diameter = number[SD_SPECIES_DIAMETER], inverse = number[SD_SPECIES_INVERSE];
    if (s->t->size.bodies > 1) largest = fmax(largest, 4 * inverse * contact_of(s, 0.5 * (diameter + s->least)));
    if (s->c->around.walls) walls = fmax(walls, inverse * wall_of(s, diameter));
  }
  return largest + walls;
}

static double dashpots(const stiffness *s, eigenvalue *largest_of) {
  if (!(s->c->around.dashpot > 0)) return 0;
  double largest = network(s, dashpot_of, largest_of);
  for (uint32_t k = 0; k < s->t->size.species && s->overlap > 0 && s->t->size.bodies > 1; k++)
    largest =
        fmax(largest, 4 * s->c->around.dashpot * s->t->species[(size_t)k * SD_SPECIES_NUMBERS + SD_SPECIES_INVERSE]);
  return largest;
}

static double rotation(const stiffness *s) {
  const sd_topology *t = s->t;
  double *sum = calloc(t->size.bodies, sizeof *sum), largest = sum ? 0 : NAN;
  for (uint32_t k = 0; sum && k < t->size.bonds; k++) {
    double bending = s->c->stiffness * kind_of(t, k)[SD_BOND_BENDING];
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

/* ---- the step ---- */

static double step_of(double square, double damping) {
  double both = damping + sqrt(damping * damping + 4 * square);
  return both > 0 ? 4 / both : INFINITY;
}

static double step_by(const sd_topology *t, const sd_conditions *c, eigenvalue *largest_of) {
  stiffness s = {.t = t, .c = c, .least = least_diameter(t)};
  if (c->around.contact > 0 && s.least > 0)
    s.overlap = pow(2.5 * contact_energy_most(t, c, s.least) / c->around.contact, 0.4);
  return fmin(step_of(translation(&s, largest_of), dashpots(&s, largest_of)), step_of(rotation(&s), 0));
}

double sd_topology_safe_step(const sd_topology *t, const sd_conditions *c) {
  return step_by(t, c, rows_bound);
}
double sd_topology_stable_step(const sd_topology *t, const sd_conditions *c) {
  return step_by(t, c, largest_eigenvalue);
}
