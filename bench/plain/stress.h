/* SPDX-License-Identifier: BSD-3-Clause */
/* stress.h - a body, its potential and torque, and the implicit equations that the methods solve by Newton. */

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
