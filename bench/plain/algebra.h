/* SPDX-License-Identifier: BSD-3-Clause */
/* algebra.h - vectors, quaternions, 3x3 matrices and the maps from vectors to rotations. */

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
