/* SPDX-License-Identifier: BSD-3-Clause */
/* methods.h - the methods with a quaternion: one step each. */

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
