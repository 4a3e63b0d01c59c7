/* problems.h - the problems of reference.c: potentials, torques, starts, and the exact flow to compare with. */

enum { STRESS, FREE, TOP_SLOW, TOP_FAST, PENDULUM, COULOMB_WALL, NPROBLEMS };
static const char *const problem_name[] = {"stress", "free", "top-slow", "top-fast", "pendulum", "coulomb-wall"};

typedef struct {
  vec A;  /* the acceleration that sw-e keeps */
  quat q; /* the quaternion that rk2 and rk4 keep, of which Q is the matrix; 0 elsewhere */
} memory;
typedef struct {
  mat Q;
  vec W;
  memory kept;
} state;
typedef struct {
  int problem;
  vec J;
  bool off;
} body; /* off: no potential */

static vec Jx(const body *b, vec w) {
  return V(b->J.v[0] * w.v[0], b->J.v[1] * w.v[1], b->J.v[2] * w.v[2]);
}

static vec Ji(const body *b, vec p) {
  return V(p.v[0] / b->J.v[0], p.v[1] / b->J.v[1], p.v[2] / b->J.v[2]);
}

static const real wall = 0; /* of coulomb-wall, in z = e3.Q e3 */

/* U as a function of z = e3.Q e3 for the problems that have such a one, and its derivative */
static real axis_potential(int problem, real z, real *dU) {
  const real k = 5, D = 1.5L, K = 50; /* coulomb-wall; rho = e3, |rho| = 1 */
  real d, c;
  switch (problem) {
  case TOP_SLOW:
  case TOP_FAST: *dU = 20; return 20 * z;
  case PENDULUM: *dU = -1; return -z;
  default:
    d = sqrtl(1 + D * D + 2 * D * z);
    c = wall > z ? wall - z : 0;
    *dU = k * D / (d * d * d) - K * c * c;
    return -k / d + K / 3 * c * c * c;
  }
}

/* stress: U = (d(Q,I)-1)^2 - a/d(Q,Qm), d(A,B) = sqrt(2 tr(I - A'B)).
 * A term f(t), t = tr(A'Q), has the torque f'(t) ax(A'Q); dd/dt = -1/d. */
static real potential(const body *b, mat Q, vec *torque) {
  const vec e3 = V(0, 0, 1);
  real U, dU;
  if (b->problem == FREE || b->off) {
    *torque = V(0, 0, 0);
    return 0;
  }
  if (b->problem == STRESS) {
    const real a = 0.3L;
    mat M = mm(tr(Exp(mul(1 / sqrtl(2), V(2.5L, 0, 2.5L)))), Q); /* Qm' Q */
    real d1 = sqrtl(2 * (3 - trace(Q))), d2 = sqrtl(2 * (3 - trace(M)));
    *torque = add(mul(-2 * (d1 - 1) / d1, ax(Q)), mul(-a / (d2 * d2 * d2), ax(M)));
    return (d1 - 1) * (d1 - 1) - a / d2;
  }
  U = axis_potential(b->problem, Q.m[2][2], &dU); /* dz/ds along Q hat(y): y.(e3 x Q'e3) */
  *torque = mul(-dU, cross(e3, mv(tr(Q), e3)));
  return U;
}

static vec tau(const body *b, mat Q) {
  vec t;
  potential(b, Q, &t);
  return t;
}

/* The same of a quaternion of any length.  U is a function of the squares |Im conj(A) q|^2 = sin(angle/2)^2 in place of
 * traces, d(Q,A)^2 = 8 |Im conj(A) q|^2, and of z = 1 - 2 (q1^2 + q2^2), the last entry of Q = I + 2 q0 hat + 2 hat^2.
 * With its gradient g in the four numbers, of which q' = q (0, W)/2 makes U' = g.q', the torque is -Im(conj(q) g)/2. */
static quat gradient_of_distance(quat A, quat q, real *d) {
  vec v = qmul(qconj(A), q).v;
  *d = sqrtl(8) * norm(v);
  return qmul(A, (quat){0, mul(8 / *d, v)});
}
static real qpotential(const body *b, quat q, vec *torque) {
  quat g = {0};
  real U = 0, d1, d2, dU;
  if (b->problem == STRESS && !b->off) {
    const real a = 0.3L;
    quat g1 = gradient_of_distance((quat){1, V(0, 0, 0)}, q, &d1);
    quat g2 = gradient_of_distance(qexp(mul(1 / sqrtl(2), V(2.5L, 0, 2.5L))), q, &d2);
    real f1 = 2 * (d1 - 1), f2 = a / (d2 * d2);
    g = (quat){f1 * g1.w + f2 * g2.w, add(mul(f1, g1.v), mul(f2, g2.v))};
    U = (d1 - 1) * (d1 - 1) - a / d2;
  } else if (b->problem != FREE && !b->off) {
    real x = q.v.v[0], y = q.v.v[1];
    U = axis_potential(b->problem, 1 - 2 * (x * x + y * y), &dU);
    g.v = mul(-4 * dU, V(x, y, 0));
  }
  *torque = mul(-0.5L, qmul(qconj(q), g).v);
  return U;
}

static bool has_quaternion(state s) {
  return s.kept.q.w != 0 || norm(s.kept.q.v) != 0;
}
static real energy(const body *b, state s) {
  vec t;
  return dot(s.W, Jx(b, s.W)) / 2 + (has_quaternion(s) ? qpotential(b, s.kept.q, &t) : potential(b, s.Q, &t));
}

static vec acceleration(const body *b, mat Q, vec W) /* Euler's equation */
{
  return Ji(b, add(cross(Jx(b, W), W), tau(b, Q)));
}

static state start(int problem, const vec *J, body *b) {
  static const vec inertia[] = {{{2, 2, 4}}, {{1, 2, 3}}, {{5, 5, 1}}, {{5, 5, 1}}, {{1, 1, 1}}, {{1, 2, 2.5L}}};
  const real pi = acosl(-1);
  state s = {.Q = I3};
  *b = (body){.problem = problem, .J = J ? *J : inertia[problem]};
  switch (problem) {
  case STRESS: s.Q = Exp(V(0, 0.7227L, 0)), s.W = V(0, 0, 0.625L); break;
  case FREE: s.W = V(0.4L, 1, 0.6L); break;
  case TOP_SLOW: s.Q = Exp(V(0.3L, 0, 0)), s.W = V(0, 0, 5); break;
  case TOP_FAST: s.Q = Exp(V(0.3L, 0, 0)), s.W = V(0, 0, 50); break;
  case PENDULUM: /* sin(pi/4)^2 = 1/2; the velocity is given in the space frame */
    s.Q = cay(V(0, 2 * tanl(3 * pi / 8), 0));
    s.W = mv(tr(s.Q), V(0.2L, 0, 0.2L));
    break;
  default: s.Q = Exp(V(1.2L, 0, 0)), s.W = V(0.3L, 0.2L, 0.5L);
  }
  s.kept.A = acceleration(b, s.Q, s.W);
  return s;
}

/* ---------------------------------------------------------------- the exact flow */

/* Extrapolated explicit midpoint rule (Gragg-Bulirsch-Stoer), n = 2, 4, ..., 2 GBS, on the entries
 * of Q and W; an interval whose last two columns differ, or in which the wall is entered or left, is
 * halved. b->off gives the free body. */
enum { GBS = 9 };
typedef struct {
  mat Q;
  vec W;
} phase;

static phase axpy(phase y, real a, phase d) {
  for (int i = 0; i < 9; ++i) y.Q.m[i / 3][i % 3] += a * d.Q.m[i / 3][i % 3];
  y.W = add(y.W, mul(a, d.W));
  return y;
}

static phase rhs(const body *b, phase y) {
  return (phase){mm(y.Q, hat(y.W)), acceleration(b, y.Q, y.W)};
}

static real size(phase y) {
  real s = dot(y.W, y.W);
  for (int i = 0; i < 9; ++i) s += y.Q.m[i / 3][i % 3] * y.Q.m[i / 3][i % 3];
  return sqrtl(s);
}

static phase flow(const body *b, phase y, real h, int depth) {
  phase T[GBS][GBS], z, u, t; /* all of them increments over y: less round-off */
  real error;
  for (int j = 0; j < GBS; ++j) {
    int n = 2 * (j + 1);
    z = (phase){0};
    u = axpy(z, h / n, rhs(b, y));
    for (int i = 1; i < n; ++i) t = axpy(z, 2 * h / n, rhs(b, axpy(y, 1, u))), z = u, u = t;
    T[j][0] = u;
    for (int k = 1; k <= j; ++k) {
      real q = (real)(j + 1) / (j + 1 - k);
      T[j][k] = axpy(T[j][k - 1], 1 / (q * q - 1), axpy(T[j][k - 1], -1, T[j - 1][k - 1]));
    }
  }
  z = T[GBS - 1][GBS - 1];
  error = size(axpy(z, -1, T[GBS - 1][GBS - 2]));
  t = axpy(y, 1, z);
  if (b->problem == COULOMB_WALL && !b->off && (y.Q.m[2][2] < wall) != (t.Q.m[2][2] < wall)) error = INFINITY;
  if (!(error <= 4 * LDBL_EPSILON * (1 + size(y))) && depth < 28)
    return flow(b, flow(b, y, h / 2, depth + 1), h / 2, depth + 1);
  return t;
}

static state exact(const body *b, state s, real h) {
  phase y = flow(b, (phase){s.Q, s.W}, h, 0);
  return (state){y.Q, y.W, s.kept};
}
