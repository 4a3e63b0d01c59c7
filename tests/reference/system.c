/* SPDX-License-Identifier: BSD-3-Clause
 *
 * system: bonded systems of bodies once more, in 80-bit arithmetic with matrices, libm and all pairs, to share nothing
 * with the library that it tests. What is computed stands in bonded.h (potentials) and bonded_methods.h (steps).
 *
 *     system golden                                     energies and states of the torus (tests/golden/torus.txt)
 *     system run METHOD H STEPS EVERY [START [INERTIA]] the same lines for a run of one's own
 *     system check                                      what this program is checked by: non-zero exit if it fails
 *
 * START is torus or turning, INERTIA equal (1,1,1) or unequal (0.8,1,1.3).
 *
 * The torus of Baker & Gonzalez (2021), section 4.1: a ring of n = 80 spheres, D_t = 3, m = J = 1,
 * D = D_t sin(pi/n) the distance of neighbours and the diameter, so that neighbours touch. With p = 2 pi k/n body k has
 *
 *     x = (D_t/2 + D/2 - D_t/2 cos p, -D_t/2 sin p, 0),   Q = I,   v = (-1, 0, 0),   W = 0;
 *
 * the wall x = 0 with normal (1,0,0) touches body 0. Bond k joins k and k+1 mod n, i the lower index of the two.
 * The torus never leaves its plane and never turns but about z. The start "turning" is the same with
 *
 *     W = (k mod 3 - 1, k mod 5 - 2, k mod 7 - 3)/4
 *
 * and so moves in space. Decimal numbers (h, J) are those of double precision, so that a program in double precision
 * has the same ones.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "so3.h"
#include "bonded.h"
#include "bonded_methods.h"

/* ---------------------------------------------------------------- starts */

enum start { TORUS, TURNING };
static const char *const start_name[] = {"torus", "turning"};
enum inertia { EQUAL, UNEQUAL };
static const char *const inertia_name[] = {"equal", "unequal"};

static vec inertia_of(enum inertia inertia) {
  return inertia == EQUAL ? V(1, 1, 1) : V((double)0.8, 1, (double)1.3);
}

static body sphere_of_ring(int k, int n, real Dt, enum start start, enum inertia inertia) {
  const real pi = acosl(-1), D = Dt * sinl(pi / n), p = 2 * pi * k / n;
  body b = {.Q = I3, .v = {{-1, 0, 0}}, .mass = 1, .diameter = D, .J = inertia_of(inertia)};
  b.x = V(Dt / 2 + D / 2 - Dt / 2 * cosl(p), -Dt / 2 * sinl(p), 0);
  if (start == TURNING) b.W = V((k % 3 - 1) / 4.0L, (k % 5 - 2) / 4.0L, (k % 7 - 3) / 4.0L);
  return b;
}

static bond bond_between(const assembly *a, int one, int other) {
  int i = one < other ? one : other, j = one < other ? other : one;
  return (bond){i, j, sub(a->b[i].x, a->b[j].x), 10, 200, 200};
}

static assembly torus(enum start start, enum inertia inertia) {
  const int n = 80;
  assembly a = {.bodies = n, .bonds = n, .Kp = 2100, .Kw = 2100, .wall_normal = {{1, 0, 0}}};
  for (int k = 0; k < n; ++k) a.b[k] = sphere_of_ring(k, n, 3, start, inertia);
  for (int k = 0; k < n; ++k) a.bond[k] = bond_between(&a, k, (k + 1) % n);
  evaluate(&a);
  return a;
}

/* ---------------------------------------------------------------- lines */

typedef struct {
  const method *method;
  enum start start;
  enum inertia inertia;
  double h;
} run_name;

static void print_number(real x) {
  printf(" %.20Lg", x + 0); /* no -0 */
}
static void print_vector(vec a) {
  for (int i = 0; i < 3; ++i) print_number(a.v[i]);
}
static void print_name(const char *what, const run_name *r, long steps) {
  printf("%s %s %s %s %g %ld", what, r->method->name, start_name[r->start], inertia_name[r->inertia], r->h, steps);
}

static void print_energies(const run_name *r, long steps, assembly *a, real E0) {
  print_name("energy", r, steps);
  real E = total_energy(a);
  for (int kind = TRANSLATION; kind <= WALL; ++kind) print_number(a->energy[kind]);
  print_number(E - E0);
  print_vector(own_linear_momentum(a)), print_vector(own_angular_momentum(a));
  print_vector(a->impulse), print_vector(a->angular_impulse);
  printf("\n");
}

static void print_body(const run_name *r, long steps, const assembly *a, int k) {
  const body *b = &a->b[k];
  print_name("body", r, steps);
  printf(" %d", k);
  print_vector(b->x), print_vector(b->v);
  for (int i = 0; i < 9; ++i) print_number(b->Q.m[i / 3][i % 3]);
  print_vector(b->W);
  printf("\n");
}

/* energies every so many steps, with the bodies whose number is a multiple of stride */
static void print_run(run_name r, long steps, long every, int stride) {
  static assembly a;
  a = torus(r.start, r.inertia);
  const real E0 = total_energy(&a);
  for (long n = 0; n <= steps; ++n) {
    if (n) step(&a, r.method, r.h);
    if (n % every) continue;
    print_energies(&r, n, &a, E0);
    for (int k = 0; k < a.bodies; k += stride) print_body(&r, n, &a, k);
  }
}

/* the end alone, with its bodies */
static void print_end(run_name r, long steps, int stride) {
  static assembly a;
  a = torus(r.start, r.inertia);
  const real E0 = total_energy(&a);
  for (long n = 0; n < steps; ++n) step(&a, r.method, r.h);
  print_energies(&r, steps, &a, E0);
  for (int k = 0; k < a.bodies; k += stride) print_body(&r, steps, &a, k);
}

static int outcome(void) {
  if (newton_failures) fprintf(stderr, "system: %d equations without a solution\n", newton_failures);
  if (bonds_near_half_turn) fprintf(stderr, "system: %d bonds turned by nearly pi\n", bonds_near_half_turn);
  return newton_failures || bonds_near_half_turn;
}

static int golden(void) {
  const double h = 1e-3;
  printf(
      "# The particle-binder torus in 80-bit arithmetic; written by tests/reference/system.c (mode golden), which\n"
      "# says what the starts are. Columns, separated by blanks:\n"
      "#   1 energy or body  2 method  3 start  4 inertia: equal (1,1,1), unequal (0.8,1,1.3)  5 step h  6 steps done\n"
      "# energy: 7-13 energies of translation, rotation, bending, axial, shear, contact, wall  14 E - E0\n"
      "#   15-17 linear, 18-20 angular momentum about the origin, both less the wall's impulse\n"
      "#   21-23 impulse of the wall, 24-26 its moment about the origin\n"
      "# body: 7 number  8-10 position  11-13 velocity  14-22 Q (body to space) row by row\n"
      "#   23-25 angular velocity, body frame\n");
  for (int i = 0; i < 3; ++i)
    print_run((run_name){&methods[i], TORUS, EQUAL, h}, methods[i].order == 1 ? 200 : 1000, 50, 20);
  for (int start = TORUS; start <= TURNING; ++start)
    for (int inertia = EQUAL; inertia <= UNEQUAL; ++inertia)
      for (int i = 0; i < NMETHODS; ++i)
        if (inertia == EQUAL || !methods[i].spherical)
          print_end((run_name){&methods[i], start, inertia, h}, 50, start == TORUS ? 1 : 5);
  return outcome();
}

#include "bonded_check.h"

/* ---------------------------------------------------------------- command line */

static int index_of(const char *name, const char *const *names, int count) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name)) return i;
  fprintf(stderr, "system: %s is not known\n", name);
  exit(2);
}

static int run(int argc, char **argv) {
  const char *names[NMETHODS];
  for (int i = 0; i < NMETHODS; ++i) names[i] = methods[i].name;
  run_name r = {.method = &methods[index_of(argv[2], names, NMETHODS)], .h = strtod(argv[3], NULL)};
  long steps = strtol(argv[4], NULL, 10), every = strtol(argv[5], NULL, 10);
  if (argc > 6) r.start = index_of(argv[6], start_name, 2);
  if (argc > 7) r.inertia = index_of(argv[7], inertia_name, 2);
  if (!(r.h > 0) || steps < 0 || every < 1 || (r.method->spherical && r.inertia == UNEQUAL)) {
    fprintf(stderr, "system: H > 0, STEPS >= 0, EVERY >= 1 are needed, and equal moments by %s\n", r.method->name);
    return 2;
  }
  print_run(r, steps, every, 20);
  return outcome();
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "golden")) return golden();
  if (argc == 2 && !strcmp(argv[1], "check")) return check();
  if (argc >= 6 && argc <= 8 && !strcmp(argv[1], "run")) return run(argc, argv);
  fprintf(stderr, "usage: system golden | check | run METHOD H STEPS EVERY [START [INERTIA]]\n");
  return 2;
}
