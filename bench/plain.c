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
 * Attitudes are unit quaternions (w,x,y,z), body to space; rk2 and rk4 work on the nine matrix entries, which takes
 * 0.84 and 0.95 of the time here. rrp, rrp-newmark, rrp-euler and campello need a spherical body: they run with J =
 * (2,2,2) and keep W in the space frame.  Lie-Newmark and its relatives are those of Ortolan & Saccon,
 * doi:10.1002/nme.3333.
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

#include "plain/algebra.h"
#include "plain/stress.h"
#include "plain/methods.h"
#include "plain/free_exact.h"

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

enum { BODY, SPACE, MATRIX }; /* frame of W, or matrix attitude */

#define METHOD(f, id, kind)                                                  \
  static void run_##f(Body *body, long bodies, long steps, const Par *par) { \
    const Par p = *par;                                                      \
    for (long i = 0; i < bodies; i++) {                                      \
      Body b = body[i];                                                      \
      for (long n = 0; n < steps && !b.fail; n++) f(&b, &p);                 \
      body[i] = b;                                                           \
    }                                                                        \
  }
#include "plain/methods.def"
#undef METHOD

typedef struct {
  const char *id;
  int kind;
  void (*run)(Body *, long, long, const Par *);
} Method;
static const Method table[] = {
#define METHOD(f, id, kind) {id, kind, run_##f},
#include "plain/methods.def"
#undef METHOD
};
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
