/* test_pairs.c - what bodies of a system do to one another: forces and moments against finite differences of the
 * energies, for every kind; energies under rigid motions; the two sides of a pair, to the last bit.  Compiled scalar;
 * the batteries show that every variant gives the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../kernels/assembly/gravity.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 200 };

/* ---- chance ---- */

static uint64_t chance = 1;

static double uniform(double low, double high) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(chance >> 11) * 0x1p-53);
}
static vec3 random_vector(double size) {
  double x = uniform(-size, size), y = uniform(-size, size);
  return vec3_make(x, y, uniform(-size, size));
}
static vec3 random_direction(void) {
  vec3 v = random_vector(1);
  while (vec3_norm2(v) > 1 || vec3_norm2(v) < 0.1) v = random_vector(1);
  return vec3_scale(1 / sqrt(vec3_norm2(v)), v);
}
static placed random_place(void) {
  placed p = {random_vector(1), exp_quaternion(vec3_scale(uniform(0, 3), random_direction()))};
  return p;
}

/* Turned against the other by up to `most`. */
static placed beside(placed other, double nearest, double farthest, double most) {
  quaternion turn = exp_quaternion(vec3_scale(uniform(0, most), random_direction()));
  placed p = {vec3_axpy(uniform(nearest, farthest), random_direction(), other.x), quaternion_multiply(turn, other.q)};
  return p;
}

/* ---- differences ---- */

static double part(vec3 v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}
static vec3 along(int i, double d) {
  return vec3_make(i == 0 ? d : 0, i == 1 ? d : 0, i == 2 ? d : 0);
}
static placed moved(placed p, int axis, double d) {
  p.x = vec3_add(p.x, along(axis, d));
  return p;
}
static placed turned(placed p, int axis, double d) { /* about an axis of space */
  p.q = quaternion_multiply(exp_quaternion(along(axis, d)), p.q);
  return p;
}

/* Some energy of two bodies. */
typedef double pair_energy(placed i, placed j, const void *data);

static double slope(pair_energy *energy, const void *data, placed i, placed j, int of_second,
                    placed (*change)(placed, int, double), int axis) {
  const double d = 1e-3;
  double u[4];
  for (int n = 0; n < 4; n++) {
    double by = d * (n < 2 ? n - 2 : n - 1);
    u[n] = of_second ? energy(i, change(j, axis, by), data) : energy(change(i, axis, by), j, data);
  }
  return (8 * (u[2] - u[1]) - (u[3] - u[0])) / (12 * d);
}

static void check_component(const char *what, double found, double slope) {
  if (!(fabs(found + slope) < 1e-8 * (1 + fabs(slope)))) fail_msg("%s: %.15g, but dU is %.15g", what, found, slope);
}

/* Force and moments are those of the energy, the other's force is the opposite. */
static void check_gradient(const char *what, pair_energy *energy, const void *data, placed i, placed j, vec3 force,
                           vec3 moment, vec3 other_moment) {
  for (int k = 0; k < 3; k++) {
    check_component(what, part(force, k), slope(energy, data, i, j, 0, moved, k));
    check_component(what, -part(force, k), slope(energy, data, i, j, 1, moved, k));
    check_component(what, part(moment, k), slope(energy, data, i, j, 0, turned, k));
    check_component(what, part(other_moment, k), slope(energy, data, i, j, 1, turned, k));
  }
}

/* ---- bonds ---- */

static const struct {
  const char *what;
  double bending, axial, shear;
} kinds[] = {{"bending", 1.7, 0, 0}, {"axial", 0, 2.3, 0}, {"shear", 0, 0, 1.9}, {"bond", 1.1, 2.3, 3.1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The numbers of a bond, whose direction at rest may have little to do with where its bodies are. */
static void random_bond(int kind, double number[SD_BOND_NUMBERS]) {
  vec3 n = random_direction();
  double length = uniform(0.7, 1.4);
  const double all[SD_BOND_NUMBERS] = {
      n.x, n.y, n.z, length, 1 / length, kinds[kind].bending, kinds[kind].axial, kinds[kind].shear};
  memcpy(number, all, sizeof all);
}

static double bond_energy_of(placed i, placed j, const void *data) {
  bond b = bond_seen(data, 1);
  bond_energy e = bond_energies(i, j, &b);
  return e.bending + e.axial + e.shear;
}

/* Turns of up to 2.9, where only the far branch of the angle is; and tiny ones, where only its series is. */
static void test_bonds(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    double number[SD_BOND_NUMBERS];
    random_bond(n % KINDS, number);
    placed i = random_place(), j = beside(i, 0.6, 1.5, n % 3 ? 2.9 : 0.01);
    bond b = bond_seen(number, 1);
    bond_pull p = bond_pulls(i, j, &b);
    assert_false(mask_any(p.outside));
    check_gradient(kinds[n % KINDS].what, bond_energy_of, number, i, j, p.force, p.moment, p.other_moment);
  }
}

/* Of one kind at a time, so that a wrong sum of right kinds is found as well. */
static void test_kinds_of_bond_energy(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    double number[SD_BOND_NUMBERS];
    random_bond(3, number);
    placed i = random_place(), j = beside(i, 0.6, 1.5, 2);
    bond b = bond_seen(number, 1);
    bond_energy e = bond_energies(i, j, &b);
    vec3 r = vec3_sub(i.x, j.x), n0 = vec3_make(number[0], number[1], number[2]);
    double length = sqrt(vec3_norm2(r)), strain = length / number[SD_BOND_LENGTH] - 1;
    vec3 w = vec3_scale(0.5, vec3_add(quaternion_rotate(i.q, n0), quaternion_rotate(j.q, n0)));
    double slip = 1 - vec3_dot(w, r) / length;
    quaternion turn = quaternion_multiply(i.q, quaternion_conjugate(j.q));
    double angle = 2 * atan2(sqrt(vec3_norm2(turn.v)), fabs(turn.w));
    assert_true(fabs(e.bending - 0.5 * kinds[3].bending * angle * angle) < 2e-14);
    assert_true(fabs(e.axial - 0.5 * kinds[3].axial * strain * strain) < 2e-14);
    assert_true(fabs(e.shear - 0.5 * kinds[3].shear * slip * slip) < 2e-14);
    assert_true(fabs(e.strain - fabs(strain)) < 2e-15);
  }
}

/* At rest there is no force, at any attitude that all bodies have. */
static void test_rest(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    double number[SD_BOND_NUMBERS];
    random_bond(3, number);
    placed i = random_place(), j = i;
    vec3 r0 = vec3_scale(number[SD_BOND_LENGTH], vec3_make(number[0], number[1], number[2]));
    j.x = vec3_sub(i.x, quaternion_rotate(i.q, r0));
    bond b = bond_seen(number, 1);
    bond_pull p = bond_pulls(i, j, &b);
    assert_true(vec3_norm2(p.force) < 1e-28 && vec3_norm2(p.moment) < 1e-28 && vec3_norm2(p.other_moment) < 1e-28);
    assert_true(fabs(bond_energy_of(i, j, number)) < 1e-29);
  }
}

/* A turn by nearly half a circle is beyond the model, and said so. */
static void test_edge(void **state) {
  (void)state;
  double number[SD_BOND_NUMBERS];
  random_bond(3, number);
  bond b = bond_seen(number, 1);
  for (int n = 0; n < TRIALS; n++) {
    placed i = random_place(), j = beside(i, 0.6, 1.5, 0);
    double angle = uniform(3.0, 3.141592653589793);
    j.q = quaternion_multiply(exp_quaternion(vec3_scale(angle, random_direction())), i.q);
    assert_int_equal(mask_any(bond_pulls(i, j, &b).outside), cos(angle / 2) <= TURN_EDGE);
  }
}

/* ---- contacts, walls, gravity ---- */

static const double diameter = 1.3, stiffness = 21;

static push contact_of(placed i, placed j) {
  vec3 r = vec3_sub(i.x, j.x);
  return contact_push(r, vec3_norm2(r), 1 / diameter, stiffness);
}
static double contact_energy(placed i, placed j, const void *data) {
  (void)data;
  return contact_of(i, j).energy;
}
static void test_contacts(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    int touching = n % 4 > 0;
    placed i = random_place(), j = touching ? beside(i, 0.4, 1.2, 1) : beside(i, 1.31, 2, 1);
    push p = contact_of(i, j);
    vec3 r = vec3_sub(i.x, j.x);
    double overlap = fmax(0, 1 - sqrt(vec3_norm2(r)) / diameter);
    check_gradient("contact", contact_energy, NULL, i, j, p.force, vec3_zero(), vec3_zero());
    assert_true(fabs(p.energy - 0.4 * stiffness * pow(overlap, 2.5)) < 1e-13);
    assert_int_equal(mask_any(may_touch(vec3_norm2(r), diameter)), touching);
    assert_true(touching ? vec3_dot(p.force, r) > 0 : vec3_norm2(p.force) == 0);
  }
}

/* A body in a corner of walls, in the field of gravity. */
typedef struct {
  sd_job job;
  species s;
} outside_world;

static surroundings around(const outside_world *s) {
  return (surroundings){s->job.constants, 0};
}

static outside_world random_surroundings(void) {
  outside_world out;
  memset(&out, 0, sizeof out);
  double *c = out.job.constants;
  c[CONTACT_STIFFNESS] = stiffness;
  c[WALLS] = 3;
  for (int k = 0; k < 3; k++) {
    vec3 n = random_direction();
    const double wall[WALL_NUMBERS] = {n.x, n.y, n.z, uniform(-0.6, 0.6)};
    memcpy(c + WALL_FIRST + WALL_NUMBERS * k, wall, sizeof wall);
    c[GRAVITY + k] = uniform(-2, 2);
  }
  out.s.mass = uniform(0.5, 2);
  out.s.diameter = diameter;
  return out;
}
static ledger ledger_in(const outside_world *s, vec3 x) {
  moving m;
  memset(&m, 0, sizeof m);
  m.x = x;
  m.q = quaternion_identity();
  return ledger_alone(&m, &s->s, around(s), &s->job);
}
static double outside_energy(placed i, placed j, const void *data) {
  (void)j;
  ledger l = ledger_in(data, i.x);
  return l.number[IN_WALL] + l.number[IN_GRAVITY];
}
/* The distance to where a wall begins to be felt, at which its force has no second derivative. */
static double nearest_kink(const outside_world *s, vec3 x) {
  double nearest = 1;
  for (int k = 0; k < 3; k++) nearest = fmin(nearest, fabs(wall_gap(wall_at(around(s), k), x, diameter)));
  return nearest;
}
static void test_walls_and_gravity(void **state) {
  (void)state;
  int touching = 0;
  for (int n = 0; n < 4 * TRIALS; n++) {
    outside_world s = random_surroundings();
    placed i = random_place();
    if (nearest_kink(&s, i.x) < 0.05) continue;
    load l = no_load();
    add_outside(&l, i.x, &s.s, around(&s), &s.job);
    for (int k = 0; k < 3; k++) {
      check_component("wall and gravity", part(l.force, k), slope(outside_energy, &s, i, i, 0, moved, k));
      assert_true(part(l.outside, k) == part(l.force, k));
    }
    double wall = 0, gravity = -s.s.mass * vec3_dot(vec3_splat(s.job.constants + GRAVITY), i.x);
    for (int k = 0; k < 3; k++)
      wall += 0.4 * stiffness * pow(fmax(0, -wall_gap(wall_at(around(&s), k), i.x, diameter) / (diameter / 2)), 2.5);
    ledger found = ledger_in(&s, i.x);
    assert_true(fabs(found.number[IN_WALL] - wall) < 1e-12 && fabs(found.number[IN_GRAVITY] - gravity) < 1e-14);
    touching += wall > 0;
  }
  assert_true(touching > TRIALS);
}

/* ---- mutual attraction ---- */

enum { POINTS = 3 };
typedef struct {
  double point[2][POINTS][SD_POINT_NUMBERS];
} points;

static points random_points(void) {
  points p;
  for (int k = 0; k < 2 * POINTS; k++) {
    vec3 at = random_vector(0.3);
    const double all[SD_POINT_NUMBERS] = {at.x, at.y, at.z, uniform(0.2, 1)};
    memcpy(p.point[k / POINTS][k % POINTS], all, sizeof all);
  }
  return p;
}
static attraction attraction_of(placed i, placed j, const points *p) {
  attraction sum = no_attraction();
  vec3 r = vec3_sub(i.x, j.x);
  for (int a = 0; a < POINTS; a++)
    for (int b = 0; b < POINTS; b++)
      attract(&sum, r, point_of(i.q, p->point[0][a]), point_of(j.q, p->point[1][b]), 1.3);
  return sum;
}
static double attraction_energy(placed i, placed j, const void *data) {
  return attraction_of(i, j, data).energy;
}
static void test_attraction(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    points p = random_points();
    placed i = random_place(), j = beside(i, 1.8, 4, 3);
    attraction a = attraction_of(i, j, &p);
    check_gradient("attraction", attraction_energy, &p, i, j, a.force, a.moment, a.other_moment);
    double energy = 0;
    for (int k = 0; k < POINTS * POINTS; k++) {
      const double *here = p.point[0][k / POINTS], *there = p.point[1][k % POINTS];
      vec3 d = vec3_sub(vec3_add(i.x, quaternion_rotate(i.q, vec3_make(here[0], here[1], here[2]))),
                        vec3_add(j.x, quaternion_rotate(j.q, vec3_make(there[0], there[1], there[2]))));
      energy -= 1.3 * here[3] * there[3] / sqrt(vec3_norm2(d));
    }
    assert_true(fabs(a.energy - energy) < 1e-14);
  }
}

/* ---- rigid motions ---- */

static placed carried(placed motion, placed p) {
  placed to = {vec3_add(motion.x, quaternion_rotate(motion.q, p.x)), quaternion_multiply(motion.q, p.q)};
  return to;
}
static void check_carried(placed motion, vec3 before, vec3 after) {
  vec3 gap = vec3_sub(quaternion_rotate(motion.q, before), after);
  assert_true(vec3_norm2(gap) < 1e-26 * (1 + vec3_norm2(before)));
}
static void test_rigid_motions(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    double number[SD_BOND_NUMBERS];
    random_bond(n % KINDS, number);
    points p = random_points();
    placed i = random_place(), j = beside(i, 0.6, 1.5, 2.5), motion = random_place();
    placed far = beside(i, 1.8, 4, 3), i1 = carried(motion, i), j1 = carried(motion, j), far1 = carried(motion, far);
    bond b = bond_seen(number, 1);
    bond_pull pull = bond_pulls(i, j, &b), pull1 = bond_pulls(i1, j1, &b);
    attraction a = attraction_of(i, far, &p), a1 = attraction_of(i1, far1, &p);
    assert_true(fabs(bond_energy_of(i, j, number) - bond_energy_of(i1, j1, number)) < 1e-13);
    assert_true(fabs(contact_energy(i, j, NULL) - contact_energy(i1, j1, NULL)) < 1e-13);
    assert_true(fabs(a.energy - a1.energy) < 1e-13);
    check_carried(motion, pull.force, pull1.force);
    check_carried(motion, pull.moment, pull1.moment);
    check_carried(motion, pull.other_moment, pull1.other_moment);
    check_carried(motion, contact_of(i, j).force, contact_of(i1, j1).force);
    check_carried(motion, a.force, a1.force);
    check_carried(motion, a.other_moment, a1.other_moment);
  }
}

/* ---- the two sides of a pair ---- */

static void check_opposite(vec3 a, vec3 b) {
  vec3 opposite = vec3_negate(b);
  assert_memory_equal(&a, &opposite, sizeof a);
}
static void test_two_sides(void **state) {
  (void)state;
  for (int n = 0; n < 20 * TRIALS; n++) {
    double number[SD_BOND_NUMBERS];
    random_bond(3, number);
    placed i = random_place(), j = beside(i, 0.4, 1.2, 2.9);
    bond seen = bond_seen(number, 1), back = bond_seen(number, -1);
    bond_pull a = bond_pulls(i, j, &seen), b = bond_pulls(j, i, &back);
    check_opposite(a.force, b.force);
    assert_memory_equal(&a.moment, &b.other_moment, sizeof a.moment);
    assert_memory_equal(&a.other_moment, &b.moment, sizeof a.moment);
    bond_energy e = bond_energies(i, j, &seen), f = bond_energies(j, i, &back);
    assert_memory_equal(&e, &f, sizeof e);
    check_opposite(contact_of(i, j).force, contact_of(j, i).force);
    vec3 r = vec3_sub(i.x, j.x), v = random_vector(1);
    check_opposite(dashpot_pull(r, v, 0.7), dashpot_pull(vec3_negate(r), vec3_negate(v), 0.7));
  }
}

/* A dashpot only brakes. */
static void test_dashpots(void **state) {
  (void)state;
  for (int n = 0; n < TRIALS; n++) {
    vec3 r = random_vector(1), v = random_vector(2), across = vec3_cross(r, v), pull = dashpot_pull(r, v, 0.7);
    double size2 = vec3_norm2(r), along_line = vec3_dot(v, r) / size2;
    vec3 expected = vec3_scale(-0.7 * along_line, r);
    assert_true(vec3_norm2(vec3_sub(pull, expected)) < 1e-28 * (1 + vec3_norm2(v)));
    assert_true(vec3_dot(pull, v) <= 0);
    assert_true(vec3_norm2(dashpot_pull(r, across, 0.7)) < 1e-28);
  }
}

/* ---- the angle ---- */

/* 2 atan2(|v|, w)/|v|, whose two arguments are rounded. */
static void test_angle_over_sine(void **state) {
  (void)state;
  double worst_near = 0, worst_far = 0;
  for (int n = 0; n < 200000; n++) {
    double half = n % 2 ? uniform(0, 1.5707) : exp(uniform(-80, 0.4));
    double z = (double)(sinl(half) * sinl(half)), w = (double)cosl(half);
    long double sine = sqrtl(z), exact = 2 * (z <= 0.25 ? asinl(sine) : atan2l(sine, w)) / (sine > 0 ? sine : 1);
    if (sine == 0) exact = 2;
    double error = (double)fabsl((real_angle_over_sine(z, w) - exact) / exact) * 0x1p53;
    if (z <= 0.25) worst_near = fmax(worst_near, error);
    else worst_far = fmax(worst_far, error);
  }
  if (!(worst_near < 1.3 && worst_far < 4))
    fail_msg("off by %.2f and %.2f halves of a last bit", worst_near, worst_far);
  assert_true(real_angle_over_sine(0, 1) == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bonds),          cmocka_unit_test(test_kinds_of_bond_energy),
                                     cmocka_unit_test(test_rest),           cmocka_unit_test(test_edge),
                                     cmocka_unit_test(test_contacts),       cmocka_unit_test(test_walls_and_gravity),
                                     cmocka_unit_test(test_attraction),     cmocka_unit_test(test_rigid_motions),
                                     cmocka_unit_test(test_two_sides),      cmocka_unit_test(test_dashpots),
                                     cmocka_unit_test(test_angle_over_sine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
