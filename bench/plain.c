/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.c - the baseline: the program a careful user would write by hand.
 *
 * One struct per body, scalar double arithmetic, libm, Newton with the exact 3x3 Jacobian to round-off,
 * outer loop over bodies, inner loop over steps.  No intrinsics, no vector types.  One problem, `stress`:
 *
 *   U(Q) = (d(Q,I) - 1)^2 - a/d(Q,Qm),   d(A,B) = sqrt(2 tr(I - A^T B)),
 *   Q' = Q hat(W),  J W' = JW x W + tau(Q),  tau(Q).y = -DU(Q).(Q hat(y))
 *
 * Attitudes are unit quaternions (w,x,y,z), body to space; rk2 and rk4 work on the nine matrix entries.
 * rrp, rrp-newmark, rrp-euler and campello need a spherical body: they run with J = (2,2,2) and keep W in
 * the space frame.  Lie-Newmark and its relatives are those of Ortolan & Saccon, doi:10.1002/nme.3333.
 *
 *   gcc -O3 -march=native plain.c -o plain -lm        (not -std=c17: that switches contraction off)
 *   plain list
 *   plain METHOD BODIES STEPS H [J1 J2 J3]
 *   plain slope METHOD H T [J1 J2 J3]
 *
 * "newton" counts the 3x3 solves per step, both halves of liemid-ea together; the evaluation that finds the
 * residual at round-off comes on top.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline)) /* left alone, gcc passes the 3x3s through memory */

typedef struct {
  double x, y, z;
} V3;
typedef struct {
  double w, x, y, z;
} Qt;
typedef struct {
  V3 a, b, c;
} M3; /* three columns; the rk methods use it as three rows */

typedef struct {
  double h, a, phi;
  V3 J, iJ; /* inertia and its reciprocal */
  Qt qm;
  M3 Qm; /* qm as a matrix, rows */
} Par;

typedef struct {
  Qt q;
  V3 W;
  V3 tau;   /* torque at q, kept from the end of the previous step */
  V3 A;     /* sw-e: the acceleration */
  Qt r;     /* trapm, new3: exp(h/2 W), kept likewise */
  M3 Q;     /* rk2, rk4: attitude, rows */
  long its; /* Newton updates */
  int fail;
} Body;

/* ---- vectors, quaternions, 3x3 ---- */

INLINE V3 v3(double x, double y, double z) {
  return (V3){x, y, z};
}
INLINE V3 add(V3 a, V3 b) {
  return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
INLINE V3 sub(V3 a, V3 b) {
  return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
INLINE V3 mul(double s, V3 a) {
  return v3(s * a.x, s * a.y, s * a.z);
}
INLINE V3 axpy(double s, V3 a, V3 b) {
  return v3(s * a.x + b.x, s * a.y + b.y, s * a.z + b.z);
}
INLINE V3 had(V3 a, V3 b) {
  return v3(a.x * b.x, a.y * b.y, a.z * b.z);
} /* diag(a) b */
INLINE double dot(V3 a, V3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
INLINE V3 cross(V3 a, V3 b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
INLINE double amax(V3 a) {
  double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), m = x > y ? x : y;
  return m > z ? m : z;
}
INLINE V3 vec(Qt q) {
  return v3(q.x, q.y, q.z);
}
INLINE Qt qvec(double w, V3 v) {
  return (Qt){w, v.x, v.y, v.z};
}
INLINE Qt conjq(Qt q) {
  return (Qt){q.w, -q.x, -q.y, -q.z};
}
INLINE Qt qmul(Qt p, Qt q) {
  return (Qt){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
              p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}
INLINE V3 rot(Qt q, V3 a) { /* q a q* */
  V3 u = vec(q), t = cross(u, a);
  t = add(t, t);
  return add(axpy(q.w, t, a), cross(u, t));
}
INLINE V3 rotT(Qt q, V3 a) {
  return rot(conjq(q), a);
}

INLINE V3 mv(M3 A, V3 x) {
  return axpy(x.x, A.a, axpy(x.y, A.b, mul(x.z, A.c)));
}
INLINE M3 mm(M3 A, M3 B) {
  return (M3){mv(A, B.a), mv(A, B.b), mv(A, B.c)};
}
INLINE M3 maxpy(double s, M3 A, M3 B) {
  return (M3){axpy(s, A.a, B.a), axpy(s, A.b, B.b), axpy(s, A.c, B.c)};
}
INLINE M3 diag(V3 d) {
  return (M3){v3(d.x, 0, 0), v3(0, d.y, 0), v3(0, 0, d.z)};
}
INLINE M3 addhat(double s, V3 v, M3 A) { /* A + s hat(v) */
  return (M3){v3(A.a.x, A.a.y + s * v.z, A.a.z - s * v.y), v3(A.b.x - s * v.z, A.b.y, A.b.z + s * v.x),
              v3(A.c.x + s * v.y, A.c.y - s * v.x, A.c.z)};
}
INLINE M3 adduv(double s, V3 u, V3 v, M3 A) { /* A + s I + u v^T */
  A = (M3){axpy(v.x, u, A.a), axpy(v.y, u, A.b), axpy(v.z, u, A.c)};
  A.a.x += s, A.b.y += s, A.c.z += s;
  return A;
}
INLINE V3 solve(M3 A, V3 r) { /* Cramer */
  V3 bc = cross(A.b, A.c), ra = cross(r, A.a);
  double d = 1 / dot(A.a, bc);
  return v3(d * dot(r, bc), -d * dot(A.c, ra), d * dot(A.b, ra));
}

/* cay and exp as quaternions, for both (c, s x); R^T dR = hat(D dx) with D = dcay or dexp */
typedef struct {
  Qt q;
  V3 x;
  double s, t2;
} Map;

INLINE Map cay(V3 x) {
  double t2 = dot(x, x), c = 1 / sqrt(1 + 0.25 * t2), s = 0.5 * c;
  return (Map){qvec(c, mul(s, x)), x, s, t2};
}
INLINE Map expo(V3 x) {
  double t2 = dot(x, x), c, s;
  if (t2 < 1e-6) {
    c = 1 - t2 / 8 + t2 * t2 / 384;
    s = 0.5 - t2 / 48 + t2 * t2 / 3840;
  } else {
    double t = sqrt(t2);
    c = cos(0.5 * t);
    s = sin(0.5 * t) / t;
  }
  return (Map){qvec(c, mul(s, x)), x, s, t2};
}
INLINE Map chart(int ex, V3 x) {
  return ex ? expo(x) : cay(x);
}
INLINE M3 dchart(int ex, const Map *m) {
  double c = m->q.w, g = 0, b = 2 * m->s * m->s, s = c * c; /* exp: b = (1 - cos t)/t^2, g = (t - sin t)/t^3 */
  if (ex) {
    g = m->t2 < 1e-4 ? 1.0 / 6 - m->t2 / 120 : (1 - 2 * c * m->s) / m->t2;
    s = 1 - g * m->t2;
  }
  M3 D = addhat(-b, m->x, diag(v3(s, s, s)));
  return ex ? adduv(0, mul(g, m->x), m->x, D) : D;
}

/* ---- the potential ---- */

/* d(Q,I) = sqrt(8)|vec q|, d(Q,Qm) = sqrt(8)|vec qm* q|; each term's torque is k w v with (w,v) its quaternion. */
typedef struct {
  Qt r1, r2;
  double i1, i2, k1, k2;
} Pot;

INLINE Pot pot(Qt q, Qt r, const Par *p) {
  Pot t = {.r1 = q, .r2 = r};
  t.i1 = 1 / sqrt(8 * dot(vec(q), vec(q)));
  t.i2 = 1 / sqrt(8 * dot(vec(r), vec(r)));
  t.k1 = -8 * (1 - t.i1);
  t.k2 = -4 * p->a * t.i2 * t.i2 * t.i2;
  return t;
}
INLINE Pot pot_body(Qt q, const Par *p) {
  return pot(q, qmul(conjq(p->qm), q), p);
}
INLINE Pot pot_space(Qt q, const Par *p) {
  return pot(q, qmul(q, conjq(p->qm)), p);
}
INLINE V3 torque(const Pot *t) {
  return axpy(t->k1 * t->r1.w, vec(t->r1), mul(t->k2 * t->r2.w, vec(t->r2)));
}

INLINE double size(const Pot *t) {
  return 4 + fabs(t->k2);
} /* of what is added up in it: its round-off scale */

/* H y = d/ds tau(Q exp(s y)) for side = 1; d/ds m(exp(s y) Q) in the space frame for side = -1 */
INLINE M3 hess(const Pot *t, double side, const Par *p) {
  V3 v = vec(t->r1), u = vec(t->r2);
  double w1 = t->r1.w, w2 = t->r2.w, c1 = 0.5 * t->k1 * w1, c2 = 0.5 * t->k2 * w2;
  double i22 = t->i2 * t->i2, d = c1 * w1 + c2 * w2;
  V3 av = mul(-0.5 * t->k1 - 32 * w1 * w1 * t->i1 * t->i1 * t->i1, v);
  V3 au = mul(-0.5 * t->k2 + 48 * p->a * w2 * w2 * t->i2 * i22 * i22, u);
  V3 s = mul(side, axpy(c1, v, mul(c2, u)));
  double xy = av.x * v.y + au.x * u.y, yz = av.y * v.z + au.y * u.z, zx = av.z * v.x + au.z * u.x;
  return (M3){v3(d + av.x * v.x + au.x * u.x, xy + s.z, zx - s.y), v3(xy - s.z, d + av.y * v.y + au.y * u.y, yz + s.x),
              v3(zx + s.y, yz - s.x, d + av.z * v.z + au.z * u.z)};
}
INLINE V3 tau(Qt q, const Par *p) {
  Pot t = pot_body(q, p);
  return torque(&t);
}
INLINE V3 tau_space(Qt q, const Par *p) {
  Pot t = pot_space(q, p);
  return torque(&t);
}

/* ---- Newton ---- */

/* Residual below 1e-15 of the terms it is the sum of, or just above that, at round-off, and no longer shrinking. */
INLINE int done(Body *b, V3 r, double scale, double *last, int k) {
  double n = amax(r);
  if (n <= 1e-15 * scale || (n <= 1e-13 * scale && n >= 0.5 * *last)) return 1;
  if (k >= 50 || !(n < 1e300)) return b->fail = 1;
  *last = n;
  b->its++;
  return 0;
}

INLINE V3 gyro(V3 u, const Par *p) {
  return cross(u, had(p->J, u));
}
INLINE M3 dgyro(V3 u, double c, const Par *p) { /* J + c d(u x Ju)/du */
  V3 J = p->J;
  double xy = c * (J.x - J.y), yz = c * (J.y - J.z), zx = c * (J.z - J.x);
  return (M3){v3(J.x, -zx * u.z, -xy * u.y), v3(-yz * u.z, J.y, -xy * u.x), v3(-yz * u.y, -zx * u.x, J.z)};
}

/* J u + h/2 u x Ju = g */
INLINE V3 solve_gyro(Body *b, V3 g, const Par *p) {
  double c = 0.5 * p->h, scale = amax(g), last = INFINITY;
  V3 u = had(p->iJ, g);
  u = had(p->iJ, axpy(-c, cross(u, g), g));
  for (int k = 0;; k++) {
    V3 r = sub(axpy(c, gyro(u, p), had(p->J, u)), g);
    if (done(b, r, scale, &last, k)) return u;
    u = sub(u, solve(dgyro(u, c, p), r));
  }
}

/* J u = exp(-h/2 u) P; returns u, *e = exp(h/2 u), *y = exp(-h/2 u) P */
INLINE V3 solve_mid(Body *b, V3 P, double h, const Par *p, Qt *e, V3 *y) {
  double c = 0.5 * h, scale = amax(P), last = INFINITY;
  V3 u = had(p->iJ, P);
  u = had(p->iJ, axpy(-c, cross(u, P), P));
  for (int k = 0;; k++) {
    Map m = expo(mul(c, u));
    *e = m.q;
    *y = rotT(*e, P);
    V3 r = sub(had(p->J, u), *y), z = mul(-c, *y);
    if (done(b, r, scale, &last, k)) return u;
    M3 D = dchart(1, &m);
    D = (M3){cross(z, D.a), cross(z, D.b), cross(z, D.c)};
    D.a.x += p->J.x, D.b.y += p->J.y, D.c.z += p->J.z;
    u = sub(u, solve(D, r));
  }
}

/* J u + h/2 u x Ju - c tau(q R(x + s u)) = g from the guess u; leaves *q = q R, *e = R, b->tau */
INLINE V3 solve_trap(Body *b, V3 g, V3 u, V3 x, double s, double c, int ex, const Par *p, Qt *q, Qt *e) {
  double h2 = 0.5 * p->h, scale = amax(g), last = INFINITY;
  for (int k = 0;; k++) {
    Map m = chart(ex, axpy(s, u, x));
    *q = qmul(b->q, *e = m.q);
    Pot t = pot_body(*q, p);
    V3 T = torque(&t), r = sub(axpy(-c, T, axpy(h2, gyro(u, p), had(p->J, u))), g);
    if (done(b, r, scale + c * size(&t), &last, k)) return b->tau = T, u;
    u = sub(u, solve(maxpy(-c * s, mm(hess(&t, 1, p), dchart(ex, &m)), dgyro(u, h2, p)), r));
  }
}

/* J u = exp(-h/2 u) P + h/2 tau(q exp(h/2 u)) from the guess u; leaves *q = q exp, *e = exp, *y = exp^T P, b->tau */
INLINE V3 solve_lie(Body *b, V3 P, V3 u, const Par *p, Qt *q, Qt *e, V3 *y) {
  double c = 0.5 * p->h, scale = amax(P), last = INFINITY;
  Qt q0 = *q;
  for (int k = 0;; k++) {
    Map m = expo(mul(c, u));
    *q = qmul(q0, *e = m.q);
    *y = rotT(*e, P);
    Pot t = pot_body(*q, p);
    V3 T = torque(&t), r = sub(had(p->J, u), axpy(c, T, *y));
    if (done(b, r, scale + c * size(&t), &last, k)) return b->tau = T, u;
    M3 H = hess(&t, 1, p), D = dchart(1, &m);
    D = mm(addhat(c, *y, (M3){mul(c * c, H.a), mul(c * c, H.b), mul(c * c, H.c)}), D);
    u = sub(u, solve(maxpy(-1, D, diag(p->J)), r));
  }
}

/* ---- the methods: one step each ---- */

INLINE V3 momentum(const Body *b, const Par *p) {
  return had(p->J, b->W);
}
INLINE V3 kicked(const Body *b, const Par *p) {
  return axpy(0.5 * p->h, b->tau, momentum(b, p));
}
INLINE void kick(Body *b, V3 Pi, double c, const Par *p) { /* end of step: new torque, JW = Pi + c tau */
  b->tau = tau(b->q, p);
  b->W = had(p->iJ, axpy(c, b->tau, Pi));
}
INLINE V3 accel(const Body *b, const Par *p) {
  return had(p->iJ, sub(b->tau, gyro(b->W, p)));
}
INLINE V3 drift(Body *b, V3 P, double h, const Par *p) { /* Q -> Q exp(T), P -> exp(-T) P, with JT = h exp(-T/2) P */
  Qt e;
  V3 y;
  solve_mid(b, P, h, p, &e, &y);
  b->q = qmul(qmul(b->q, e), e);
  return rotT(e, y);
}

INLINE void eln_(Body *b, const Par *p, int ex) {
  V3 u = axpy(0.5 * p->h, accel(b, p), b->W);
  b->q = qmul(b->q, chart(ex, mul(p->h, u)).q);
  b->tau = tau(b->q, p);
  b->W = solve_gyro(b, axpy(0.5 * p->h, b->tau, had(p->J, u)), p);
}
INLINE void eln(Body *b, const Par *p) {
  eln_(b, p, 0);
}
INLINE void eln_exp(Body *b, const Par *p) {
  eln_(b, p, 1);
}

INLINE void tln_(Body *b, const Par *p, int ex) {
  double c = 0.5 * p->h;
  Qt q, e;
  V3 g = axpy(-c, gyro(b->W, p), kicked(b, p)), guess = axpy(p->h, accel(b, p), b->W);
  b->W = solve_trap(b, g, guess, mul(c, b->W), c, c, ex, p, &q, &e);
  b->q = q;
}
INLINE void tln(Body *b, const Par *p) {
  tln_(b, p, 0);
}
INLINE void tln_exp(Body *b, const Par *p) {
  tln_(b, p, 1);
}

INLINE void akw(Body *b, const Par *p) { /* u = J^-1 (Pi + Pi_1)/2 */
  double h = p->h;
  Qt q, e;
  V3 g = axpy(0.25 * h, b->tau, momentum(b, p)), guess = axpy(0.5 * h, accel(b, p), b->W);
  V3 u = solve_trap(b, g, guess, v3(0, 0, 0), h, 0.25 * h, 0, p, &q, &e);
  b->q = q;
  b->W = sub(add(u, u), b->W);
}
INLINE void sw_1(Body *b, const Par *p) { /* u = (W + W_1)/2; the last midpoint torque serves the guess */
  double c = 0.5 * p->h;
  Qt q, e;
  V3 u = solve_trap(b, momentum(b, p), axpy(c, accel(b, p), b->W), v3(0, 0, 0), c, c, 1, p, &q, &e);
  b->q = qmul(q, e);
  b->W = sub(add(u, u), b->W);
}

INLINE void liemid_ea(Body *b, const Par *p) {
  V3 P = drift(b, kicked(b, p), 0.5 * p->h, p);
  kick(b, drift(b, P, 0.5 * p->h, p), 0.5 * p->h, p);
}
INLINE void liemid_e1(Body *b, const Par *p) {
  kick(b, drift(b, momentum(b, p), p->h, p), p->h, p);
}
INLINE void liemid_e2(Body *b, const Par *p) {
  b->W = had(p->iJ, drift(b, axpy(p->h, tau(b->q, p), momentum(b, p)), p->h, p));
}
INLINE void mcg(Body *b, const Par *p) {
  kick(b, drift(b, kicked(b, p), p->h, p), 0.5 * p->h, p);
}
INLINE void new3(Body *b, const Par *p) {
  V3 y;
  Qt q = qmul(b->q, b->r);
  b->W = solve_mid(b, axpy(p->h, tau(q, p), rotT(b->r, momentum(b, p))), p->h, p, &b->r, &y);
  b->q = qmul(q, b->r);
}
INLINE void liemid_i(Body *b, const Par *p) { /* u = Theta/h; the last midpoint torque serves the guess */
  Qt q = b->q, e;
  V3 y;
  solve_lie(b, momentum(b, p), axpy(0.5 * p->h, accel(b, p), b->W), p, &q, &e, &y);
  b->q = qmul(q, e);
  b->W = had(p->iJ, rotT(e, axpy(p->h, b->tau, y)));
}
INLINE void trapm(Body *b, const Par *p) {
  V3 y, P = rotT(b->r, kicked(b, p));
  Qt q = qmul(b->q, b->r);
  b->W = solve_lie(b, P, axpy(p->h, accel(b, p), b->W), p, &q, &b->r, &y);
  b->q = q;
}
INLINE void prk(Body *b, const Par *p) {
  V3 u = solve_gyro(b, kicked(b, p), p);
  b->q = qmul(b->q, cay(mul(p->h, u)).q);
  kick(b, axpy(-0.5 * p->h, gyro(u, p), had(p->J, u)), 0.5 * p->h, p);
}
INLINE void vlv(Body *b, const Par *p) {
  double c = 0.5 * p->h, c2 = c * c, last = INFINITY, s;
  V3 P = kicked(b, p), u = had(p->iJ, P), Ju, g;
  double scale = amax(P);
  u = had(p->iJ, axpy(-c2 * dot(u, P), u, axpy(-c, cross(u, P), P)));
  for (int k = 0;; k++) {
    Ju = had(p->J, u), s = c2 * dot(u, Ju), g = cross(u, Ju);
    V3 r = sub(axpy(s, u, axpy(c, g, Ju)), P);
    if (done(b, r, scale, &last, k)) break;
    u = sub(u, solve(adduv(s, mul(2 * c2, u), Ju, dgyro(u, c, p)), r));
  }
  b->q = qmul(b->q, cay(mul(p->h, u)).q);
  kick(b, axpy(s, u, axpy(-c, g, Ju)), c, p);
}
INLINE void sw_c1(Body *b, const Par *p) { /* the last midpoint torque serves the guess */
  double h = p->h, c = 0.25 * h, last = INFINITY;
  V3 P = momentum(b, p), u = axpy(h, accel(b, p), b->W);
  double scale = amax(P);
  for (int k = 0;; k++) {
    Map m = expo(mul(c, add(b->W, u)));
    Qt e = m.q, q = qmul(b->q, e);
    Pot t = pot_body(q, p);
    V3 T = torque(&t), y = rotT(e, P), z = rotT(e, axpy(h, T, y)), r = sub(had(p->J, u), z);
    if (done(b, r, scale + h * size(&t), &last, k)) {
      b->q = qmul(q, e), b->W = u, b->tau = T;
      return;
    }
    M3 H = hess(&t, 1, p), K = addhat(1, y, (M3){mul(h, H.a), mul(h, H.b), mul(h, H.c)});
    K = addhat(1, z, (M3){rotT(e, K.a), rotT(e, K.b), rotT(e, K.c)});
    u = sub(u, solve(maxpy(-c, mm(K, dchart(1, &m)), diag(p->J)), r));
  }
}
INLINE void sw_e(Body *b, const Par *p) {
  double h = p->h, c = 0.5 * h;
  V3 W = b->W;
  Qt e = expo(mul(h, axpy(c, b->A, W))).q;
  b->q = qmul(b->q, e);
  kick(b, rotT(e, kicked(b, p)), c, p);
  b->A = mul(1 / h, sub(b->W, W));
}
INLINE void rattle(Body *b, const Par *p) { /* g + g x f + (g.f) f - 2Jf = 0, F = cay(2f) */
  double last = INFINITY;
  V3 P = kicked(b, p), g = mul(p->h, P), f = mul(0.5, had(p->iJ, g));
  double scale = amax(g);
  f = mul(0.5, had(p->iJ, axpy(dot(g, f), f, add(g, cross(g, f)))));
  for (int k = 0;; k++) {
    double s = dot(g, f);
    V3 r = axpy(s, f, axpy(-2, had(p->J, f), add(g, cross(g, f))));
    if (done(b, r, scale, &last, k)) break;
    f = sub(f, solve(adduv(s, f, g, addhat(1, g, diag(mul(-2, p->J)))), r));
  }
  Qt e = cay(add(f, f)).q;
  b->q = qmul(b->q, e);
  kick(b, rotT(e, P), 0.5 * p->h, p);
}

/* spherical body: W and tau in the space frame */
INLINE void rrp_(Body *b, const Par *p, int newmark) {
  double c = 0.5 * p->h * p->iJ.x;
  V3 G = axpy(c, b->tau, b->W), x = mul(p->h, G);
  if (!newmark) {
    double d = 1 - dot(x, x);
    if (!(d > 0)) b->fail = 1;
    x = mul(2 / (1 + sqrt(d)), x);
  }
  b->q = qmul(cay(x).q, b->q);
  b->tau = tau_space(b->q, p);
  b->W = axpy(c, b->tau, G);
}
INLINE void rrp(Body *b, const Par *p) {
  rrp_(b, p, 0);
}
INLINE void rrp_newmark(Body *b, const Par *p) {
  rrp_(b, p, 1);
}
INLINE void rrp_euler(Body *b, const Par *p) {
  b->W = axpy(p->h * p->iJ.x, tau_space(b->q, p), b->W);
  b->q = qmul(cay(mul(p->h, b->W)).q, b->q);
}
INLINE void campello(Body *b, const Par *p) {
  double h = p->h, c = h * p->iJ.x, c1 = c * (1 - p->phi), last = INFINITY;
  V3 g = axpy(c * p->phi, b->tau, b->W), u = axpy(c, b->tau, b->W);
  double scale = amax(g);
  for (int k = 0;; k++) {
    Map m = cay(mul(h, u));
    Qt q = qmul(m.q, b->q);
    Pot t = pot_space(q, p);
    V3 T = torque(&t), r = sub(axpy(-c1, T, u), g);
    if (done(b, r, scale + c1 * size(&t), &last, k)) {
      b->q = q, b->W = u, b->tau = T;
      return;
    }
    m.x = mul(-1, m.x); /* the left derivative of cay(x) is the right one of cay(-x) */
    M3 D = mm(hess(&t, -1, p), dchart(0, &m));
    u = sub(u, solve(maxpy(-c1 * h, D, diag(v3(1, 1, 1))), r));
  }
}

/* Turn the body about its axis k = 1, 2, 3 for a time t: i, j, k cyclic, so that Pi_i, Pi_j turn back by the angle. */
#define TURN(t, K, I, J_)                                                                              \
  do {                                                                                                 \
    double th = 0.5 * (t)*P.K * p->iJ.K, s = sin(th), c = cos(th), s2 = 2 * s * c, c2 = 1 - 2 * s * s; \
    double pi = P.I, w = q.w, qi = q.I;                                                                \
    P.I = c2 * pi + s2 * P.J_, P.J_ = c2 * P.J_ - s2 * pi;                                             \
    q.w = c * w - s * q.K, q.K = c * q.K + s * w;                                                      \
    q.I = c * qi + s * q.J_, q.J_ = c * q.J_ - s * qi;                                                 \
  } while (0)
INLINE void split(Body *b, const Par *p) {
  double h = p->h, h2 = 0.5 * h;
  V3 P = kicked(b, p);
  Qt q = b->q;
  TURN(h2, z, x, y);
  TURN(h2, y, z, x);
  TURN(h, x, y, z);
  TURN(h2, y, z, x);
  TURN(h2, z, x, y);
  b->q = q;
  kick(b, P, h2, p);
}

/* ---- free-exact: as in Celledoni, Fasso, Safstrom & Zanna, doi:10.1137/070704393 ---- */

/* Jacobi's sn, cn, dn by the arithmetic-geometric mean and descending Landen; the ladder depends on k'^2 only. */
typedef struct {
  double a[16], g[16], c;
  int n;
} Agm;
INLINE void agm(Agm *s, double kc2) {
  double a = 1, g2 = kc2 > 1e-300 ? kc2 : 1e-300;
  for (s->n = 0; s->n < 16;) {
    double g = sqrt(g2);
    s->a[s->n] = a, s->g[s->n] = g, s->n++;
    s->c = 0.5 * (a + g);
    if (fabs(a - g) <= 1e-8 * a) break;
    g2 = a * g, a = s->c;
  }
}
INLINE void sncndn(const Agm *s, double u, double *sn, double *cn, double *dn) {
  double c = s->c, x = sin(c * u), y = cos(c * u), d = 1;
  *sn = 0, *cn = 1, *dn = 1;
  if (x == 0) return;
  double a = y / x;
  c *= a;
  for (int i = s->n - 1; i >= 0; i--) {
    a *= c, c *= d;
    d = (s->g[i] + a) / (s->a[i] + a);
    a = c / s->a[i];
  }
  a = 1 / sqrt(c * c + 1);
  *sn = x >= 0 ? a : -a, *cn = c * *sn, *dn = d;
}

/* The smallest rotation that takes the c-th axis (times sgn) to n */
INLINE Qt from_axis(V3 n, int c, double sgn) {
  Qt q = c == 0   ? (Qt){sgn * n.x, 0, -n.z, n.y}
         : c == 1 ? (Qt){sgn * n.y, n.z, 0, -n.x}
                  : (Qt){sgn * n.z, -n.y, n.x, 0};
  double w = 1 + q.w, s = 1 / sqrt(w * w + q.x * q.x + q.y * q.y + q.z * q.z), t = sgn * s;
  return (Qt){s * w, t * q.x, t * q.y, t * q.z};
}

/* Three different moments of inertia.  With b the middle axis and c the axis that the polhode goes round,
   Pi = (A cn u, B sn u, C dn u) on (a, b, c) with u = u0 + lambda t, and Q(t) p(t) turns about Pi, fixed in
   space, at the rate G/Jc + (2T/G - G/Jc)/(1 + |Pi_c|/G), where p takes the axis c to Pi/G. */
INLINE void free_triaxial(Qt *q, V3 *Pi, const Par *p) {
  static const double X[2] = {0.33998104358485626480, 0.86113631159405257522};
  static const double Y[2] = {0.65214515486254614263, 0.34785484513745385737};
  double m[3] = {Pi->x, Pi->y, Pi->z}, J[3] = {p->J.x, p->J.y, p->J.z}, G2 = dot(*Pi, *Pi);
  if (!(G2 > 0)) return;
  int b = (J[0] - J[1]) * (J[0] - J[2]) < 0 ? 0 : (J[1] - J[0]) * (J[1] - J[2]) < 0 ? 1 : 2;
  int a = (b + 2) % 3, c = (b + 1) % 3; /* (a, b, c) cyclic; swapped below if need be */
  double eps = 1, D = 0;
  for (int i = 0; i < 3; i++) D += m[i] * m[i] * (J[b] / J[i] - 1); /* 2T Jb - G^2 */
  if ((D < 0) != (J[c] > J[b])) {
    int t = a;
    a = c, c = t, eps = -1;
  }
  double ka = J[a] * (J[c] - J[b]) / (J[b] * (J[c] - J[a])), kc = J[c] * (J[b] - J[a]) / (J[b] * (J[c] - J[a]));
  double A2 = m[a] * m[a] + ka * m[b] * m[b], C2 = m[c] * m[c] + kc * m[b] * m[b];
  double G = sqrt(G2), A = sqrt(A2), B = sqrt(A2 / ka), C = copysign(sqrt(C2), m[c]), sgn = copysign(1, m[c]);
  double k2 = kc * A2 / (ka * C2), kp2 = fabs(m[c] * m[c] - kc / ka * m[a] * m[a]) / C2;
  double lam = eps * (1 / J[a] - 1 / J[c]) * sqrt(ka) * C, del = lam * p->h;
  double s0 = B > 0 ? m[b] / B : 0, c0 = B > 0 ? m[a] / A : 1, d0 = m[c] / C, s, k, d;
  Agm g;
  agm(&g, kp2);

  int panels = 1 + (int)(fabs(del) / 0.1); /* four Gauss points on each reach round-off */
  double sum = 0, w = 0.5 * del / panels, rho = fabs(C) / G;
  for (int i = 0; i < 4 * panels; i++) {
    double x = i & 2 ? X[i & 1] : -X[i & 1];
    sncndn(&g, w * (2 * (i / 4) + 1 + x), &s, &k, &d);
    sum += Y[i & 1] / (1 + rho * (d0 * d - k2 * s0 * c0 * s * k) / (1 - k2 * s0 * s0 * s * s));
  }
  double psi = p->h * (G / J[c] + sum / (2 * panels) / G *
                                      (m[a] * m[a] * (1 / J[a] - 1 / J[c]) + m[b] * m[b] * (1 / J[b] - 1 / J[c])));

  Qt e = from_axis(mul(1 / G, *Pi), c, sgn), f = {cos(0.5 * psi), 0, 0, 0};
  double sp = sgn * sin(0.5 * psi);
  *(c == 0 ? &f.x : c == 1 ? &f.y : &f.z) = sp;
  sncndn(&g, del, &s, &k, &d);
  double den = 1 / (1 - k2 * s0 * s0 * s * s);
  m[a] = A * (c0 * k - s0 * d0 * s * d) * den;
  m[b] = B * (s0 * k * d + s * c0 * d0) * den;
  m[c] = C * (d0 * d - k2 * s0 * c0 * s * k) * den;
  *Pi = v3(m[0], m[1], m[2]);
  *q = qmul(*q, qmul(qmul(e, f), conjq(from_axis(mul(1 / G, *Pi), c, sgn))));
}
INLINE void free_exact(Body *b, const Par *p) {
  V3 P = kicked(b, p), J = p->J, n = {0, 0, 0};
  double j1 = 0, j3 = 0;
  if (J.x == J.y) n.z = 1, j1 = p->iJ.x, j3 = p->iJ.z;
  else if (J.y == J.z) n.x = 1, j1 = p->iJ.y, j3 = p->iJ.x;
  else if (J.z == J.x) n.y = 1, j1 = p->iJ.z, j3 = p->iJ.y;
  if (j1 > 0) { /* symmetric: steady precession about Pi, spin about n */
    Qt f = expo(mul(p->h * (j3 - j1) * dot(n, P), n)).q;
    b->q = qmul(b->q, qmul(expo(mul(p->h * j1, P)).q, f));
    P = rotT(f, P);
  } else {
    free_triaxial(&b->q, &P, p);
  }
  kick(b, P, 0.5 * p->h, p);
}

/* ---- Runge-Kutta on the matrix entries ---- */

typedef struct {
  M3 Q;
  V3 W;
} Mat; /* Q by rows */

INLINE V3 tau_mat(const M3 *Q, const Par *p) {
  const M3 *M = &p->Qm;
  V3 a = Q->a, b = Q->b, c = Q->c, x = M->a, y = M->b, z = M->c;
  double d1 = 1 / sqrt(2 * (3 - (a.x + b.y + c.z)));
  double d2 = 1 / sqrt(2 * (3 - (dot(a, x) + dot(b, y) + dot(c, z))));
  V3 u = v3(c.y - b.z, a.z - c.x, b.x - a.y);             /* ax(Q) */
  V3 v = add(add(cross(a, x), cross(b, y)), cross(c, z)); /* ax(Qm^T Q) */
  return sub(mul(-2 * (1 - d1), u), mul(p->a * d2 * d2 * d2, v));
}
INLINE Mat field(const Mat *s, const Par *p) {
  V3 W = s->W, T = tau_mat(&s->Q, p);
  return (Mat){{cross(s->Q.a, W), cross(s->Q.b, W), cross(s->Q.c, W)}, had(p->iJ, sub(T, gyro(W, p)))};
}
INLINE Mat step(double c, const Mat *k, const Mat *s) {
  return (Mat){maxpy(c, k->Q, s->Q), axpy(c, k->W, s->W)};
}
INLINE void rk2(Body *b, const Par *p) {
  Mat s = {b->Q, b->W}, k1 = field(&s, p), t = step(p->h, &k1, &s), k2 = field(&t, p);
  s = step(0.5 * p->h, &k1, &s), s = step(0.5 * p->h, &k2, &s);
  b->Q = s.Q, b->W = s.W;
}
INLINE void rk4(Body *b, const Par *p) {
  double h = p->h;
  Mat s = {b->Q, b->W}, k1 = field(&s, p), t = step(0.5 * h, &k1, &s), k2 = field(&t, p);
  t = step(0.5 * h, &k2, &s);
  Mat k3 = field(&t, p);
  t = step(h, &k3, &s);
  Mat k4 = field(&t, p);
  s = step(h / 6, &k1, &s), s = step(h / 3, &k2, &s), s = step(h / 3, &k3, &s), s = step(h / 6, &k4, &s);
  b->Q = s.Q, b->W = s.W;
}

/* ---- the loops, the table, the command line ---- */

#define METHODS(M)                                                                                                   \
  M(eln, "eln", 0)                                                                                                   \
  M(eln_exp, "eln-exp", 0)                                                                                           \
  M(tln, "tln", 0) M(tln_exp, "tln-exp", 0) M(liemid_ea, "liemid-ea", 0) M(liemid_e1, "liemid-e1", 0)                \
      M(liemid_e2, "liemid-e2", 0) M(liemid_i, "liemid-i", 0) M(trapm, "trapm", 0) M(prk, "prk", 0) M(mcg, "mcg", 0) \
          M(new3, "new3", 0) M(vlv, "vlv", 0) M(akw, "akw", 0) M(sw_c1, "sw-c1", 0) M(sw_1, "sw-1", 0)               \
              M(sw_e, "sw-e", 0) M(rattle, "rattle", 0) M(rrp, "rrp", 1) M(rrp_newmark, "rrp-newmark", 1)            \
                  M(rrp_euler, "rrp-euler", 1) M(campello, "campello", 1) M(split, "split", 0)                       \
                      M(free_exact, "free-exact", 0) M(rk2, "rk2", 2) M(rk4, "rk4", 2)

enum { BODY, SPACE, MATRIX }; /* the third column: frame of W, or matrix attitude */

#define LOOP(f, id, kind)                                                    \
  static void run_##f(Body *body, long bodies, long steps, const Par *par) { \
    const Par p = *par;                                                      \
    for (long i = 0; i < bodies; i++) {                                      \
      Body b = body[i];                                                      \
      for (long n = 0; n < steps && !b.fail; n++) f(&b, &p);                 \
      body[i] = b;                                                           \
    }                                                                        \
  }
METHODS(LOOP)

#define ENTRY(f, id, kind) {id, kind, run_##f},
typedef struct {
  const char *id;
  int kind;
  void (*run)(Body *, long, long, const Par *);
} Method;
static const Method table[] = {METHODS(ENTRY)};
enum { NMETHODS = sizeof table / sizeof *table };

static M3 rows(Qt q) {
  V3 a = rot(q, v3(1, 0, 0)), b = rot(q, v3(0, 1, 0)), c = rot(q, v3(0, 0, 1));
  return (M3){v3(a.x, b.x, c.x), v3(a.y, b.y, c.y), v3(a.z, b.z, c.z)};
}
static double energy(const Body *b, int kind, const Par *p) {
  Qt r = qmul(conjq(p->qm), b->q);
  double d1 = sqrt(8 * dot(vec(b->q), vec(b->q))), d2 = sqrt(8 * dot(vec(r), vec(r)));
  if (kind == MATRIX) {
    const M3 *Q = &b->Q, *M = &p->Qm;
    d1 = sqrt(2 * (3 - (Q->a.x + Q->b.y + Q->c.z)));
    d2 = sqrt(2 * (3 - (dot(Q->a, M->a) + dot(Q->b, M->b) + dot(Q->c, M->c))));
  }
  return 0.5 * dot(b->W, had(p->J, b->W)) + (d1 - 1) * (d1 - 1) - p->a / d2;
}
static double defect(const Body *b, int kind) { /* from orthogonality */
  M3 Q = kind == MATRIX ? b->Q : rows(b->q);
  double s = fmax(fabs(dot(Q.a, Q.a) - 1), fmax(fabs(dot(Q.b, Q.b) - 1), fabs(dot(Q.c, Q.c) - 1)));
  return fmax(s, fmax(fabs(dot(Q.a, Q.b)), fmax(fabs(dot(Q.b, Q.c)), fabs(dot(Q.c, Q.a)))));
}
static void start(Body *b, long i, int kind, const Par *p) {
  double s = (double)i;
  memset(b, 0, sizeof *b);
  b->q = expo(v3(0, 0.7227, 0)).q;
  b->Q = rows(b->q);
  b->W = v3(1e-3 * sin(s), 1e-3 * sin(2 * s), 0.625 + 1e-3 * sin(3 * s));
  b->tau = tau(b->q, p);
  b->A = accel(b, p);
  b->r = expo(mul(0.5 * p->h, b->W)).q;
  if (kind == SPACE) b->W = rot(b->q, b->W), b->tau = tau_space(b->q, p);
}
static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int usage(void) {
  fprintf(stderr, "usage: plain list | plain METHOD BODIES STEPS H [J1 J2 J3] | plain slope METHOD H T [J1 J2 J3]\n");
  return 2;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "list")) {
    for (int i = 0; i < NMETHODS; i++) puts(table[i].id);
    return 0;
  }
  if (argc != 5 && argc != 8) return usage();
  int slope = !strcmp(argv[1], "slope"), m = 0;
  const char *id = argv[1 + slope];
  while (m < NMETHODS && strcmp(table[m].id, id)) m++;
  if (m == NMETHODS) return usage();
  int kind = table[m].kind;

  Par p = {.h = atof(argv[slope ? 3 : 4]), .a = 0.3, .phi = 0.5, .J = {2, 2, kind == SPACE ? 2 : 4}};
  if (argc == 8) p.J = v3(atof(argv[5]), atof(argv[6]), atof(argv[7]));
  if (kind == SPACE && (p.J.x != p.J.y || p.J.y != p.J.z)) {
    fprintf(stderr, "%s needs a spherical body\n", id);
    return 2;
  }
  p.iJ = v3(1 / p.J.x, 1 / p.J.y, 1 / p.J.z);
  p.qm = expo(v3(2.5 / sqrt(2), 0, 2.5 / sqrt(2))).q;
  p.Qm = rows(p.qm);
  double T = slope ? atof(argv[4]) : 0;
  long bodies = slope ? 1 : atol(argv[2]), steps = slope ? lround(T / p.h) : atol(argv[3]);
  if (!(p.h > 0) || bodies < 1 || steps < 1) return usage();

  Body *b = malloc((size_t)bodies * sizeof *b);
  if (!b) return 1;
  for (long i = 0; i < bodies; i++) start(&b[i], i, kind, &p);
  double E0 = energy(b, kind, &p);

  if (slope) { /* E - E0 of body 0 at t = 0 and after every step */
    double tm = 0.5 * (double)steps * p.h, num = 0, den = tm * tm, big = 0;
    for (long n = 1; n <= steps && !b->fail; n++) {
      table[m].run(b, 1, 1, &p);
      double e = energy(b, kind, &p) - E0, t = (double)n * p.h - tm;
      num += t * e, den += t * t, big = fmax(big, fabs(e));
    }
    printf("%s h %g T %g slope %.8e max|E-E0| %.3e orthogonality %.1e newton %.3f%s\n", id, p.h, T, num / den, big,
           defect(b, kind), (double)b->its / (double)steps, b->fail ? " FAILED" : "");
  } else {
    double t = cpu();
    table[m].run(b, bodies, steps, &p);
    t = cpu() - t;
    double n = (double)bodies * (double)steps, its = 0;
    long failed = 0;
    for (long i = 0; i < bodies; i++) its += (double)b[i].its, failed += b[i].fail;
    V3 W = kind == SPACE ? rotT(b->q, b->W) : b->W;
    printf("%-11s bodies %ld steps %ld seconds %.6f ns_per_body_step %.2f Mbody_steps_per_s %.3f newton %.3f "
           "failed %ld W0 %.15g %.15g %.15g dE0 %.3e\n",
           id, bodies, steps, t, 1e9 * t / n, 1e-6 * n / t, its / n, failed, W.x, W.y, W.z, energy(b, kind, &p) - E0);
  }
  free(b);
  return 0;
}
