/* SPDX-License-Identifier: BSD-3-Clause
 * reference check: what the reference is itself checked by. Included by reference.c. */
#ifndef REFERENCE_CHECK_H
#define REFERENCE_CHECK_H

static int bad;

static void expect(bool ok, const char *what, const char *who, real value) {
  printf("%-4s %-44s %-14s %.2Le\n", ok ? "ok" : "BAD", what, who, value);
  bad += !ok;
}

static const method *named(const char *name) {
  for (int i = 0; i < NMETHODS; ++i)
    if (!strcmp(methods[i].name, name)) return &methods[i];
  abort();
}

/* torque against sixth-order differences of the potential, along a trajectory */
static void check_torque(int problem) {
  const real d = 2e-3L, c[] = {0.75L, -0.15L, 1.0L / 60};
  real worst = 0;
  body b;
  state s = start(problem, NULL, &b);
  for (int n = 0; n < 100; ++n) {
    vec t = tau(&b, s.Q), unused;
    for (int i = 0; i < 3; ++i) {
      real D = 0;
      for (int j = 0; j < 3; ++j) {
        vec y = V(0, 0, 0);
        y.v[i] = (j + 1) * d;
        D += c[j] * (potential(&b, mm(s.Q, Exp(y)), &unused) - potential(&b, mm(s.Q, Exp(neg(y))), &unused)) / d;
      }
      worst = fmaxl(worst, fabsl(D + t.v[i]));
    }
    s = exact(&b, s, 0.1L);
  }
  /* the wall is only C^2 in U, so that its differences are worth O(d^2) where it begins */
  expect(worst < (problem == COULOMB_WALL ? 1e-4L : 1e-12L), "torque = -DU", problem_name[problem], worst);
}

/* of quaternions: on unit length the same as of their matrices; off it the torque against sixth-order differences along
 * q (0, y)/2 */
static void check_quaternion(int problem) {
  const real d = 2e-3L, c[] = {0.75L, -0.15L, 1.0L / 60};
  real apart = 0, worst = 0;
  body b;
  state s = start(problem, NULL, &b);
  for (int n = 0; n < 100; ++n) {
    vec t, other;
    s = step(&b, named("rk4"), 0, s, 0.01L);
    real size = sqrtl(s.kept.q.w * s.kept.q.w + dot(s.kept.q.v, s.kept.q.v));
    quat q = {s.kept.q.w / size, mul(1 / size, s.kept.q.v)}, off = {1.02L * q.w, mul(1.02L, q.v)};
    apart = fmaxl(apart, fabsl(qpotential(&b, q, &t) - potential(&b, qmat(q), &other)));
    apart = fmaxl(apart, norm(sub(t, other)));
    qpotential(&b, off, &t);
    for (int i = 0; i < 3; ++i) {
      real D = 0;
      vec y = V(0, 0, 0);
      y.v[i] = 0.5L;
      point along = {qmul(off, (quat){0, y}), V(0, 0, 0)}, at = {off, V(0, 0, 0)};
      for (int j = 0; j < 3; ++j)
        D += c[j] / d *
             (qpotential(&b, moved(at, (j + 1) * d, along).q, &other) -
              qpotential(&b, moved(at, -(j + 1) * d, along).q, &other));
      worst = fmaxl(worst, fabsl(D + t.v[i]));
    }
  }
  expect(apart < 1e-16L, "quaternion: of unit length like its matrix", problem_name[problem], apart);
  expect(worst < (problem == COULOMB_WALL ? 1e-4L : 1e-12L), "quaternion: torque = -DU off unit length",
         problem_name[problem], worst);
}

static void check_exact(int problem) {
  const real T = (real)grid[problem][1] / grid[problem][0];
  body b;
  state s = start(problem, NULL, &b), one = exact(&b, s, T), many = s;
  for (int i = 0; i < 1000; ++i) many = exact(&b, many, T / 1000);
  real scale = 1 + norm(s.W), E0 = energy(&b, s);
  expect(distance(one, many) / scale < 1e-16L, "exact flow: one interval or 1000", problem_name[problem],
         distance(one, many) / scale);
  expect(fabsl(energy(&b, one) - E0) < 1e-16L * scale * scale, "exact flow: energy", problem_name[problem],
         energy(&b, one) - E0);
}

static void check_method(const method *m) {
  body b;
  state s = start(STRESS, inertia_for(m, STRESS), &b), s1 = step(&b, m, 0, s, 0.25L);
  state ref = exact(&b, s, 5);
  real defect = distance(step(&b, m, 0, s1, -0.25L), s);
  long n = m->order > 4 ? 8 : 64; /* steps in a unit of time, such that rounding does not show */
  real e1 = distance(run(STRESS, m, 0, 1.0L / n, 5 * n, &b), ref);
  real e2 = distance(run(STRESS, m, 0, 0.5L / n, 10 * n, &b), ref);
  if (m->order == 99) return;
  expect((defect < 1e-17L) == m->symmetric, m->symmetric ? "symmetric" : "not symmetric", m->name, defect);
  expect(fabsl(log2l(e1 / e2) - m->order) < 0.1L, "order", m->name, log2l(e1 / e2));
}

/* largest change over the run of: the spatial momentum QJW (all of it, or its e3 part), the body
 * momentum about e3, the energy */
static void check_invariants(int problem) {
  static const char *const keeps_map[] = {
      "liemid-ea", "liemid-e1", "liemid-e2", "liemid-i",   "trapm", "prk",    "mcg", "new3",
      "vlv",       "vlv-exp",   "var-mid",   "sw-c1",      "sw-e",  "rattle", "rrp", "rrp-newmark",
      "rrp-euler", "campello",  "split",     "free-exact", "bm4",   "bm6",    "bce8"};
  const int keepers = sizeof keeps_map / sizeof *keeps_map;
  for (int i = 0; i < NMETHODS; ++i) {
    const method *m = &methods[i];
    body b;
    state s = start(problem, inertia_for(m, problem), &b);
    vec p0 = mv(s.Q, Jx(&b, s.W)), j0 = Jx(&b, s.W);
    real E0 = energy(&b, s), dp = 0, dj = 0, dE = 0;
    for (int n = 0; n < grid[problem][1]; ++n) {
      s = step(&b, m, 0, s, 1.0L / grid[problem][0]);
      vec p = sub(mv(s.Q, Jx(&b, s.W)), p0), j = sub(Jx(&b, s.W), j0);
      dp = fmaxl(dp, problem == FREE ? norm(p) : fabsl(p.v[2]));
      dj = fmaxl(dj, fabsl(j.v[2]));
      dE = fmaxl(dE, fabsl(energy(&b, s) - E0));
    }
    printf("     %-12s %-12s momentum %.1Le  body axis %.1Le  energy %.1Le\n", problem_name[problem], m->name, dp, dj,
           dE);
    for (int k = 0; k < keepers; ++k)
      if (!strcmp(keeps_map[k], m->name)) expect(dp < 1e-16L * (1 + norm(p0)), "keeps the momentum map", m->name, dp);
    bool keeps_energy =
        !strcmp(m->name, "akw") || !strcmp(m->name, "lewis-simo") || (!strcmp(m->name, "tln") && problem != FREE);
    if (keeps_energy && problem != COULOMB_WALL) expect(dE < 1e-16L * (1 + fabsl(E0)), "keeps the energy", m->name, dE);
  }
}

/* A half step B of Lie-Euler type, its kick at the end or at the start, conjugates two pairs:
 * B o new3^n = mcg^n o B and B o trapm^n = liemid-i^n o B */
static state half_step(const body *b, state s, real h, bool kick_last) {
  vec a = mul(h / 2, s.W);
  if (!kick_last) s = kick(b, s, h / 2);
  s = (state){mm(s.Q, Exp(a)), Ji(b, mv(Exp(neg(a)), Jx(b, s.W))), s.kept};
  return kick_last ? kick(b, s, h / 2) : s;
}

static void check_conjugate(const char *one, const char *other, bool kick_last) {
  const real h = 0.25L;
  body b;
  state s = start(STRESS, NULL, &b), u = half_step(&b, s, h, kick_last);
  for (int n = 0; n < 40; ++n) {
    s = step(&b, named(one), 0, s, h);
    u = step(&b, named(other), 0, u, h);
  }
  real d = distance(half_step(&b, s, h, kick_last), u);
  char what[40];
  snprintf(what, sizeof what, "conjugate to %s", other);
  expect(d < 1e-16L, what, one, d);
}

/* growth over a golden run of a small change of the start: what round-off is multiplied by */
static void check_growth(int problem) {
  const real d = 1e-8L;
  real most = 0;
  const char *who = "";
  for (int i = 0; i < NMETHODS; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      body b;
      state s = start(problem, inertia_for(&methods[i], problem), &b), u = s;
      u.W.v[axis] += d;
      u.kept.A = acceleration(&b, u.Q, u.W);
      for (int n = 0; n < grid[problem][1]; ++n) {
        s = step(&b, &methods[i], 0, s, 1.0L / grid[problem][0]);
        u = step(&b, &methods[i], 0, u, 1.0L / grid[problem][0]);
      }
      if (distance(s, u) / d > most) most = distance(s, u) / d, who = methods[i].name;
    }
  printf("     growth of a change of the start on %s: at most %.3Lg (%s)\n", problem_name[problem], most, who);
}

static int check(void) {
  for (int p = 0; p < NPROBLEMS; ++p) check_torque(p), check_quaternion(p), check_exact(p), check_growth(p);
  for (int i = 0; i < NMETHODS; ++i) check_method(&methods[i]);
  for (int p = FREE; p < NPROBLEMS; ++p) check_invariants(p);
  check_conjugate("new3", "mcg", true);
  check_conjugate("trapm", "liemid-i", false);

  const vec ball = {{2, 2, 2}};
  body b;
  state s = start(STRESS, &ball, &b), u = s;
  for (int n = 0; n < 40; ++n) s = step(&b, named("rattle"), 0, s, 0.25L), u = step(&b, named("rrp"), 0, u, 0.25L);
  expect(distance(s, u) < 1e-16L, "is rrp for a spherical body", "rattle", distance(s, u));
  expect(newton_failures == 0, "Newton failures", "", newton_failures);
  return bad != 0;
}

#endif
