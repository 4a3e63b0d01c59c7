/* SPDX-License-Identifier: BSD-3-Clause
 * system check: what the reference of bonded systems is itself checked by. Included by system.c. */
#ifndef REFERENCE_BONDED_CHECK_H
#define REFERENCE_BONDED_CHECK_H

static int bad;

static void expect(bool ok, const char *what, const char *who, real value) {
  printf("%-4s %-52s %-14s %.3Le\n", ok ? "ok" : "BAD", what, who, value);
  bad += !ok;
}

static const method *named(const char *name) {
  for (int i = 0; i < NMETHODS; ++i)
    if (!strcmp(methods[i].name, name)) return &methods[i];
  abort();
}

/* ---------------------------------------------------------------- random configurations */

static real random_number(void) { /* in [-1, 1) */
  static unsigned long long s = 1;
  s = s * 6364136223846793005ULL + 1442695040888963407ULL;
  return (real)(s >> 11) / (1ULL << 52) - 1;
}
static vec random_vector(real size) {
  real x = random_number(), y = random_number(), z = random_number();
  return mul(size, V(x, y, z));
}

/* eight bodies near the corners of a cube, every pair bonded; those of an edge are well in contact and no others, as
 * the force of a contact has no second derivative where it begins and differences would be poor there */
static assembly random_assembly(void) {
  assembly a = {.bodies = 8, .Kp = 30, .Kw = 20, .wall_at = -0.4L, .gravity = random_vector(3)};
  a.wall_normal = random_vector(1);
  a.wall_normal = mul(1 / norm(a.wall_normal), a.wall_normal);
  for (int k = 0; k < a.bodies; ++k) {
    body b = {.Q = Exp(random_vector(0.7L)), .v = random_vector(1), .W = random_vector(2)};
    b.x = add(V(k & 1, k >> 1 & 1, k >> 2 & 1), random_vector(0.04L));
    b.mass = 2 + random_number(), b.diameter = 1.2L + random_number() / 25;
    b.J = add(V(2, 2, 2), random_vector(0.5L));
    a.b[k] = b;
  }
  for (int i = 0; i < a.bodies; ++i)
    for (int j = i + 1; j < a.bodies; ++j) {
      vec r0 = add(sub(a.b[i].x, a.b[j].x), random_vector(0.3L));
      a.bond[a.bonds++] = (bond){i, j, r0, 2 + random_number(), 2 + random_number(), 2 + random_number()};
    }
  evaluate(&a);
  return a;
}

/* the same with one kind of energy */
static assembly with_one_kind(assembly a, enum kind kind) {
  for (int n = 0; n < a.bonds; ++n) {
    if (kind != BENDING) a.bond[n].Km = 0;
    if (kind != AXIAL) a.bond[n].Ka = 0;
    if (kind != SHEAR) a.bond[n].Ks = 0;
  }
  if (kind != CONTACT) a.Kp = 0;
  if (kind != WALL) a.Kw = 0;
  if (kind != GRAVITY) a.gravity = V(0, 0, 0);
  evaluate(&a);
  return a;
}

static real potential(assembly *a) {
  real sum = 0;
  evaluate(a);
  for (int kind = BENDING; kind < KINDS; ++kind) sum += a->energy[kind];
  return sum;
}

/* ---------------------------------------------------------------- forces */

static void displace(assembly *a, int k, int axis, real by) {
  vec d = V(0, 0, 0);
  d.v[axis % 3] = by;
  if (axis < 3) a->b[k].x = add(a->b[k].x, d);
  else a->b[k].Q = mm(Exp(d), a->b[k].Q);
}

/* sixth-order central difference of the potential */
static real slope_of_potential(const assembly *a, int k, int axis) {
  const real d = 2e-4L, c[] = {0.75L, -0.15L, 1.0L / 60};
  static assembly up, down;
  real D = 0;
  for (int n = 0; n < 3; ++n) {
    up = down = *a;
    displace(&up, k, axis, (n + 1) * d), displace(&down, k, axis, -(n + 1) * d);
    D += c[n] * (potential(&up) - potential(&down)) / d;
  }
  return D;
}

static void check_forces(enum kind kind) {
  real worst = 0, largest = 0;
  for (int n = 0; n < 10; ++n) {
    assembly a = with_one_kind(random_assembly(), kind);
    for (int k = 0; k < a.bodies; ++k)
      for (int axis = 0; axis < 6; ++axis) {
        real force = axis < 3 ? a.b[k].force.v[axis] : a.b[k].moment.v[axis - 3];
        worst = fmaxl(worst, fabsl(slope_of_potential(&a, k, axis) + force)), largest = fmaxl(largest, fabsl(force));
      }
  }
  expect(largest > 0.1L && worst < 1e-10L * largest, "force, moment = -grad U, relative to the largest",
         kind_name[kind], worst / largest);
}

static assembly moved_rigidly(assembly a, mat R, vec by) {
  for (int k = 0; k < a.bodies; ++k) a.b[k].x = add(mv(R, a.b[k].x), by), a.b[k].Q = mm(R, a.b[k].Q);
  evaluate(&a);
  return a;
}

/* energy stays, forces and moments turn with everything */
static void check_indifference(enum kind kind) {
  real energy = 0, force = 0, largest = 0;
  for (int n = 0; n < 10; ++n) {
    assembly a = with_one_kind(random_assembly(), kind);
    mat R = Exp(random_vector(2));
    assembly b = moved_rigidly(a, R, random_vector(1));
    energy = fmaxl(energy, fabsl(b.energy[kind] / a.energy[kind] - 1));
    for (int k = 0; k < a.bodies; ++k) {
      vec df = sub(b.b[k].force, mv(R, a.b[k].force)), dm = sub(b.b[k].moment, mv(R, a.b[k].moment));
      force = fmaxl(force, fmaxl(norm(df), norm(dm))),
      largest = fmaxl(largest, norm(a.b[k].force) + norm(a.b[k].moment));
    }
  }
  expect(energy < 1e-16L, "U after a rigid motion, relative change", kind_name[kind], energy);
  expect(force < 1e-16L * largest, "forces turn with a rigid motion", kind_name[kind], force / largest);
}

static void check_balance(enum kind kind) {
  assembly a = with_one_kind(random_assembly(), kind);
  vec sum = V(0, 0, 0), moment = sum;
  for (int k = 0; k < a.bodies; ++k) {
    sum = add(sum, a.b[k].force);
    moment = add(moment, add(cross(a.b[k].x, a.b[k].force), a.b[k].moment));
  }
  expect(norm(sum) < 1e-17L && norm(moment) < 1e-16L, "sum of forces and of their moments", kind_name[kind],
         norm(sum) + norm(moment));
}

/* ---------------------------------------------------------------- motion */

/* linear and angular momentum less the wall's impulse, over 300 steps with the wall in the way or far off */
static void check_momenta(const method *m, enum start start, enum inertia inertia, bool walled) {
  static assembly a;
  a = torus(start, inertia);
  if (!walled) a.Kw = 0, evaluate(&a);
  vec p0 = own_linear_momentum(&a), L0 = own_angular_momentum(&a);
  real linear = 0, angular = 0;
  for (int n = 0; n < 300; ++n) {
    step(&a, m, 1e-3L);
    linear = fmaxl(linear, norm(sub(own_linear_momentum(&a), p0)));
    angular = fmaxl(angular, norm(sub(own_angular_momentum(&a), L0)));
  }
  char what[80];
  snprintf(what, sizeof what, "linear momentum, %s, %s", inertia_name[inertia], walled ? "less the wall's" : "no wall");
  expect(linear < 1e-15L, what, m->name, linear);
  snprintf(what, sizeof what, "angular momentum, %s, %s", inertia_name[inertia],
           walled ? "less the wall's" : "no wall");
  bool kept = m->keeps_spin || inertia == EQUAL;
  expect(kept ? angular < 1e-15L : angular < 1e-5L, what, m->name, angular);
}

/* E-error: the root of the integral of (E - E0)^2 over that of E0^2, up to t = 0.1 */
static real energy_error(const method *m, assembly *a, int steps) {
  const real T = 0.1L, h = T / steps, E0 = total_energy(a);
  real sum = 0;
  for (int n = 1; n <= steps; ++n) {
    step(a, m, h);
    real e = total_energy(a) - E0;
    sum += (n == steps ? 0.5L : 1) * e * e * h;
  }
  return sqrtl(sum / T) / E0;
}

/* from h = 2e-3 to 2e-3/2^halvings. Where contacts begin and end the force has no second derivative and each step
 * across leaves an error of h^2.5, so that the order of one halving is anything from 1 to 3 on the torus; not so
 * without contacts */
static void check_energy_order(const method *m, enum start start, enum inertia inertia, bool contacts, int halvings) {
  static assembly a;
  real first = 0, error = 0;
  printf("     E-error of %s, %s, %s, %s:", m->name, start_name[start], inertia_name[inertia],
         contacts ? "contacts and wall" : "bonds alone");
  for (int n = 0; n <= halvings; ++n) {
    a = torus(start, inertia);
    if (!contacts) a.Kp = a.Kw = 0, evaluate(&a);
    error = energy_error(m, &a, 50 << n);
    if (n == 0) first = error;
    printf(" %.3Le", error);
  }
  printf("\n");
  real order = log2l(first / error) / halvings;
  expect(fabsl(order - m->order) < (contacts ? 0.1L : 0.02L), "order of the E-error", m->name, order);
}

static real distance(const assembly *a, const assembly *b) {
  real sum = 0;
  for (int k = 0; k < a->bodies; ++k) {
    vec dx = sub(a->b[k].x, b->b[k].x), dv = sub(a->b[k].v, b->b[k].v);
    vec dW = sub(mv(a->b[k].Q, a->b[k].W), mv(b->b[k].Q, b->b[k].W)), turn = logarithm(mm(a->b[k].Q, tr(b->b[k].Q)));
    sum += dot(dx, dx) + dot(dv, dv) + dot(dW, dW) + dot(turn, turn);
  }
  return sqrtl(sum);
}

static void advance(assembly *a, const method *m, real time, int steps) {
  for (int n = 0; n < steps; ++n) step(a, m, time / steps);
}

/* all methods come to one solution: distances from a fine run of split, of another method, fall by 2^order */
static void check_state_order(const method *m, enum inertia inertia) {
  static assembly kept[UNEQUAL + 1], a;
  const method *fine = named("split");
  const assembly *exact = &kept[inertia];
  real last = 0, order = 0;
  if (kept[inertia].bodies == 0) kept[inertia] = torus(TURNING, inertia), advance(&kept[inertia], fine, 0.1L, 3200);
  for (int steps = 100; steps <= 400; steps *= 2) {
    a = torus(TURNING, inertia), advance(&a, m, 0.1L, steps);
    if (last > 0) order = log2l(last / distance(&a, exact));
    last = distance(&a, exact);
  }
  char what[80];
  snprintf(what, sizeof what, "order of the state against fine %s, %s", fine->name, inertia_name[inertia]);
  expect(fabsl(order - m->order) < 0.1L, what, m->name, order);
}

/* forward, velocities reversed, forward again: back at the start */
static void check_reversible(const method *m, enum inertia inertia) {
  static assembly start, a;
  start = a = torus(TURNING, inertia);
  for (int way = 0; way < 2; ++way) {
    advance(&a, m, 0.2L, 200);
    for (int k = 0; k < a.bodies; ++k) a.b[k].v = neg(a.b[k].v), a.b[k].W = neg(a.b[k].W);
  }
  expect(distance(&a, &start) < 1e-13L, "there and back", m->name, distance(&a, &start));
}

static void check_rattle_is_rrp(void) {
  static assembly a, b;
  a = b = torus(TURNING, EQUAL);
  advance(&a, named("rrp"), 0.2L, 200), advance(&b, named("rattle"), 0.2L, 200);
  expect(distance(&a, &b) < 1e-14L, "is rrp for spherical bodies", "rattle", distance(&a, &b));
}

/* what the round-off of a program in double precision is multiplied by */
static void show_growth(enum start start) {
  static assembly a, b;
  a = b = torus(start, EQUAL);
  for (int k = 0; k < b.bodies; ++k) b.b[k].x = add(b.b[k].x, random_vector(1e-12L));
  evaluate(&b);
  const real d0 = distance(&a, &b);
  printf("     growth of a small change of the positions, %s:", start_name[start]);
  for (int n = 1; n <= 1000; ++n) {
    step(&a, named("rrp"), 1e-3L), step(&b, named("rrp"), 1e-3L);
    if (n == 50 || n % 200 == 0) printf(" t=%g %.1Le", n * 1e-3, distance(&a, &b) / d0);
  }
  printf("\n");
}

static void check_method(const method *m) {
  for (int inertia = EQUAL; inertia <= (m->spherical ? EQUAL : UNEQUAL); ++inertia) {
    for (int walled = 0; walled < 2; ++walled) check_momenta(m, TURNING, inertia, walled);
    check_state_order(m, inertia);
    if (m->order == 2) check_reversible(m, inertia);
    check_energy_order(m, TURNING, inertia, false, 2);
    if (m->spherical) check_energy_order(m, TORUS, inertia, true, 4);
  }
}

static int check(void) {
  for (int kind = BENDING; kind < KINDS; ++kind) check_forces(kind);
  for (int kind = BENDING; kind <= CONTACT; ++kind) check_indifference(kind), check_balance(kind);
  for (int i = 0; i < NMETHODS; ++i) check_method(&methods[i]);
  check_rattle_is_rrp();
  show_growth(TORUS), show_growth(TURNING);
  expect(newton_failures == 0, "equations without a solution", "", newton_failures);
  expect(bonds_near_half_turn == 0, "bonds turned by nearly pi", "", bonds_near_half_turn);
  return bad != 0;
}

#endif
