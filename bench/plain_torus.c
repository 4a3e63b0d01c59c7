/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain_torus.c - the baseline for systems: the program that a careful user would write by hand for one torus.
 *
 * One struct per sphere, rotation matrices, libm, scalar double arithmetic, contacts by a loop over all pairs. The
 * particle-binder torus of Baker & Gonzalez, "Explicit variational time integrator based on rescaled Rodrigues
 * parameters" (2021), section 4.1, with their map (23), `rrp`. Bond (i,j), r = x_i - x_j, n = r/|r|, n0 = r0/|r0|:
 *
 *   U = Km |log(R_i R_j')|^2/2 + Ka (|r|/|r0| - 1)^2/2 + Ks (1 - c)^2/2,   c = n.(R_i + R_j) n0/2
 *   contact of every pair  2/5 Kp [1 - |r|/D]+^(5/2),   wall x = 0  2/5 Kp [1 - x/(D/2)]+^(5/2)
 *
 *   gcc -O3 -march=native plain_torus.c -o plain_torus -lm     (not -std=c17: that switches contraction off)
 *   plain_torus [STEPS [H]]                                     20000 steps of 0.001 unless told otherwise
 *   plain_torus energies STEPS H                                the energies by kind after them
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 80 };
enum { TRANSLATION, ROTATION, BENDING, AXIAL, SHEAR, CONTACT, WALL, KINDS };
static const double MASS = 1, INERTIA = 1, RING = 3, KM = 10, KA = 200, KS = 200, KP = 2100;
static const double PI = 3.14159265358979323846;

typedef struct {
  double x, y, z;
} vec;
typedef struct {
  double m[3][3];
} mat;
typedef struct {
  vec x, v, W; /* all in the space frame, the angular velocity too */
  mat R;       /* body to space */
  vec force, moment, half;
} sphere;
typedef struct {
  int i, j;
  double length;
  vec n0;
} bond;
typedef struct {
  double diameter;
  sphere s[N];
  bond bond[N];
  double energy[KINDS];
} torus;

/* ---- algebra ---- */

static inline vec add(vec a, vec b) {
  return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec sub(vec a, vec b) {
  return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec mul(double s, vec a) {
  return (vec){s * a.x, s * a.y, s * a.z};
}
static inline double dot(vec a, vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec cross(vec a, vec b) {
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec turned(const mat *R, vec a) {
  return (vec){R->m[0][0] * a.x + R->m[0][1] * a.y + R->m[0][2] * a.z,
               R->m[1][0] * a.x + R->m[1][1] * a.y + R->m[1][2] * a.z,
               R->m[2][0] * a.x + R->m[2][1] * a.y + R->m[2][2] * a.z};
}
static inline mat product(const mat *A, const mat *B) {
  mat C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C.m[i][j] = A->m[i][0] * B->m[0][j] + A->m[i][1] * B->m[1][j] + A->m[i][2] * B->m[2][j];
  return C;
}

/* I + 4/(4+|a|^2) (hat(a) + hat(a)^2/2), by its entries */
static inline mat cayley(vec a) {
  double k = 4 / (4 + dot(a, a)), c = 1 - k / 2 * dot(a, a), h = k / 2;
  return (mat){{{c + h * a.x * a.x, h * a.x * a.y - k * a.z, h * a.x * a.z + k * a.y},
                {h * a.x * a.y + k * a.z, c + h * a.y * a.y, h * a.y * a.z - k * a.x},
                {h * a.x * a.z - k * a.y, h * a.y * a.z + k * a.x, c + h * a.z * a.z}}};
}

/* log(A B'): its sine is in the skew part of the product, its cosine in the trace; the product need not be formed */
static inline vec relative_turn(const mat *A, const mat *B) {
  vec skew = {0, 0, 0};
  double trace = 0;
  for (int k = 0; k < 3; k++) { /* columns */
    vec a = {A->m[0][k], A->m[1][k], A->m[2][k]}, b = {B->m[0][k], B->m[1][k], B->m[2][k]};
    skew = add(skew, cross(b, a)), trace += dot(a, b);
  }
  double twice_sine = sqrt(dot(skew, skew));
  if (twice_sine < 1e-100) return mul(0.5, skew);
  return mul(atan2(twice_sine, trace - 1) / twice_sine, skew);
}

/* ---- forces ---- */

static inline void stretch_and_shear(torus *t, const bond *b, sphere *i, sphere *j) {
  vec r = sub(i->x, j->x), ni = turned(&i->R, b->n0), nj = turned(&j->R, b->n0), w = mul(0.5, add(ni, nj));
  double length = sqrt(dot(r, r)), strain = length / b->length - 1;
  vec n = mul(1 / length, r);
  double c = dot(w, n), pull = KS * (1 - c);
  vec force = add(mul(-KA / b->length * strain, n), mul(pull / length, sub(w, mul(c, n))));
  i->force = add(i->force, force), j->force = sub(j->force, force);
  i->moment = add(i->moment, mul(pull / 2, cross(ni, n))), j->moment = add(j->moment, mul(pull / 2, cross(nj, n)));
  t->energy[AXIAL] += KA / 2 * strain * strain, t->energy[SHEAR] += KS / 2 * (1 - c) * (1 - c);
}

static inline void bend(torus *t, sphere *i, sphere *j) {
  vec theta = relative_turn(&i->R, &j->R);
  i->moment = sub(i->moment, mul(KM, theta)), j->moment = add(j->moment, mul(KM, theta));
  t->energy[BENDING] += KM / 2 * dot(theta, theta);
}

static void contacts(torus *t) {
  double reach = t->diameter * t->diameter;
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      vec r = sub(t->s[i].x, t->s[j].x);
      double square = dot(r, r);
      if (square >= reach) continue;
      double length = sqrt(square), overlap = 1 - length / t->diameter, root = sqrt(overlap);
      vec force = mul(KP / t->diameter * overlap * root / length, r);
      t->s[i].force = add(t->s[i].force, force), t->s[j].force = sub(t->s[j].force, force);
      t->energy[CONTACT] += 0.4 * KP * overlap * overlap * root;
    }
}

static void wall(torus *t) {
  double radius = t->diameter / 2;
  for (int i = 0; i < N; i++) {
    double overlap = 1 - t->s[i].x.x / radius;
    if (overlap <= 0) continue;
    t->s[i].force.x += KP / radius * overlap * sqrt(overlap);
    t->energy[WALL] += 0.4 * KP * overlap * overlap * sqrt(overlap);
  }
}

static void forces(torus *t) {
  for (int k = BENDING; k < KINDS; k++) t->energy[k] = 0;
  for (int i = 0; i < N; i++) t->s[i].force = t->s[i].moment = (vec){0, 0, 0};
  for (int k = 0; k < N; k++) {
    const bond *b = &t->bond[k];
    stretch_and_shear(t, b, &t->s[b->i], &t->s[b->j]);
    bend(t, &t->s[b->i], &t->s[b->j]);
  }
  contacts(t);
  wall(t);
}

/* ---- motion ---- */

static void step(torus *t, double h) {
  for (int i = 0; i < N; i++) {
    sphere *s = &t->s[i];
    s->v = add(s->v, mul(h / 2 / MASS, s->force)), s->x = add(s->x, mul(h, s->v));
    vec G = s->half = add(s->W, mul(h / 2 / INERTIA, s->moment));
    mat turn = cayley(mul(2 * h / (1 + sqrt(1 - h * h * dot(G, G))), G));
    s->R = product(&turn, &s->R);
  }
  forces(t);
  for (int i = 0; i < N; i++) {
    sphere *s = &t->s[i];
    s->v = add(s->v, mul(h / 2 / MASS, s->force)), s->W = add(s->half, mul(h / 2 / INERTIA, s->moment));
  }
}

static double energy(torus *t) {
  double sum = 0;
  t->energy[TRANSLATION] = t->energy[ROTATION] = 0;
  for (int i = 0; i < N; i++) {
    t->energy[TRANSLATION] += MASS / 2 * dot(t->s[i].v, t->s[i].v);
    t->energy[ROTATION] += INERTIA / 2 * dot(t->s[i].W, t->s[i].W);
  }
  for (int k = 0; k < KINDS; k++) sum += t->energy[k];
  return sum;
}

static void start(torus *t) {
  memset(t, 0, sizeof *t);
  t->diameter = RING * sin(PI / N);
  for (int k = 0; k < N; k++) { /* body 0 touches the wall */
    double angle = 2 * PI * k / N, radius = RING / 2;
    t->s[k].x = (vec){radius + t->diameter / 2 - radius * cos(angle), -radius * sin(angle), 0};
    t->s[k].v = (vec){-1, 0, 0};
    t->s[k].R = (mat){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  }
  for (int k = 0; k < N; k++) {
    int i = k < N - 1 ? k : 0, j = k < N - 1 ? k + 1 : N - 1;
    vec r0 = sub(t->s[i].x, t->s[j].x);
    double length = sqrt(dot(r0, r0));
    t->bond[k] = (bond){i, j, length, mul(1 / length, r0)};
  }
  forces(t);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  static torus t;
  int listing = argc > 1 && !strcmp(argv[1], "energies");
  long steps = argc > 1 + listing ? atol(argv[1 + listing]) : 20000;
  double h = argc > 2 + listing ? atof(argv[2 + listing]) : 1e-3;
  if (steps < 1 || !(h > 0)) return fprintf(stderr, "usage: plain_torus [energies] [STEPS [H]]\n"), 2;
  start(&t);
  double before = energy(&t), worst = 0, began = now();
  for (long n = 0; n < steps; n++) step(&t, h);
  double seconds = now() - began, after = energy(&t);
  if (listing) {
    for (int k = 0; k < KINDS; k++) printf("%.17g ", t.energy[k]);
    return printf("\n"), 0;
  }
  start(&t); /* once more, looking at every step, so that looking is not timed */
  for (long n = 0; n < steps; n++) {
    step(&t, h);
    worst = fmax(worst, fabs(energy(&t) - before));
  }
  printf("body_steps_per_second %.4g ns_per_body_step %.2f relative_energy_error %.3e largest %.3e\n",
         N * steps / seconds, 1e9 * seconds / ((double)N * steps), (after - before) / before, worst / before);
  return 0;
}
