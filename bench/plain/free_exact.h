/* SPDX-License-Identifier: BSD-3-Clause */
/* free_exact.h - the free body exactly, as in Celledoni, Fasso, Safstrom & Zanna, doi:10.1137/070704393. */

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
