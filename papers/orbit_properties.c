/* orbit_properties.c - what a method for point masses keeps: in the field of the centre and of a further body off the
 * plane, where nothing is exact, with position and momentum in units of a circular orbit. */
#include "properties.h"

#include <math.h>
#include <string.h>

enum { SIDE = 6 };
typedef struct {
  double of[SIDE]; /* position, momentum */
} place;
static const double unit[2] = {1664, 1.387};
static const place start = {{0.1, 1, -0.2, 1.05, 0.1, 0.15}};

/* Of the largest angular momentum of the bodies looked at, on an ellipse about the centre alone. */
static const double ellipse_momentum = 2580;
static const tolerance angular_tolerance = {6e-14, 6e-13};

/* A method of high order shows what it lacks in long steps. */
static int paced(const char *method, int order, const char *trait, int by) {
  return order > 5 && !lab_has(method, trait) ? by : 1;
}

/* One step from each of the places, in whose stead it puts the ends. */
static int one_step(lab *l, const char *method, double step, place *places, size_t count) {
  double numbers[1 + 4 * SIDE][SIDE];
  lab_starts given = {numbers[0], count, SIDE};
  lab_text members = lab_number((double)count), h = lab_number(step);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < SIDE; k++) numbers[i][k] = places[i].of[k] * unit[k / 3];
  sd_result *r = lab_run(l, &given, (const char *const[]){"problem", "orbit-elliptic",
                                                          "method",  method,
                                                          "param",   "mu1=300",
                                                          "param",   "at1=2500,-400,900",
                                                          "param",   lab_adaptive(method, "rtol=1e30"),
                                                          "param",   lab_adaptive(method, "atol=1e30"),
                                                          "members", members.text,
                                                          "final",   members.text,
                                                          "step",    h.text,
                                                          "steps",   "1",
                                                          NULL});
  int done = r && !sd_result_summary(r, 0)->failed;
  for (size_t k = 0; done && k < 2; k++) {
    sd_view v = {.size = sizeof v};
    done = !sd_result_final(r, 0, k, &v);
    for (size_t i = 0; i < count && done; i++)
      for (size_t n = 0; n < 3; n++) places[i].of[3 * k + n] = v.data[i * v.stride[0] + n * v.stride[1]] / unit[k];
  }
  sd_result_destroy(r);
  return done;
}

static void reverse(place *p) {
  for (int k = 3; k < SIDE; k++) p->of[k] = -p->of[k];
}

static finding measure_symmetry(lab *l, const char *method, int order) {
  double step = 600 * paced(method, order, "symmetric", 6), sum = 0;
  place p = start;
  int done = one_step(l, method, step, &p, 1);
  reverse(&p);
  if (!done || !one_step(l, method, step, &p, 1)) return judged(NAN, NAN, symmetry_tolerance);
  reverse(&p);
  for (int k = 0; k < SIDE; k++) sum += pow(p.of[k] - start.of[k], 2);
  return judged(sqrt(sum), NAN, symmetry_tolerance);
}

/* w((a, p), (b, r)) = a.r - p.b */
static double form(const double x[SIDE], const double y[SIDE]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += x[k] * y[3 + k] - x[3 + k] * y[k];
  return sum;
}

/* The largest entry of D^T w D - w, the derivative D of a step by differences of fourth order. */
static finding measure_form(lab *l, const char *method, int order) {
  enum { OFFSETS = 4 };
  static const double d = 2e-3, offset[OFFSETS] = {-2, -1, 1, 2},
                      weight[OFFSETS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  double D[SIDE][SIDE] = {{0}}, worst = 0;
  place p[OFFSETS * SIDE];
  for (int i = 0; i < OFFSETS * SIDE; i++) p[i] = start, p[i].of[i / OFFSETS] += offset[i % OFFSETS] * d;
  if (!one_step(l, method, 600 * paced(method, order, "symplectic", 6), p, OFFSETS * SIDE))
    return judged(NAN, NAN, form_tolerance);
  for (int i = 0; i < OFFSETS * SIDE; i++)
    for (int k = 0; k < SIDE; k++) D[i / OFFSETS][k] += weight[i % OFFSETS] * p[i].of[k] / d;
  for (int a = 0; a < SIDE; a++)
    for (int b = 0; b < SIDE; b++) {
      double before = a + 3 == b ? 1 : a == b + 3 ? -1 : 0;
      worst = fmax(worst, fabs(form(D[a], D[b]) - before));
    }
  return judged(worst, NAN, form_tolerance);
}

static finding measure_angular_momentum(lab *l, const char *method, int order) {
  int by = order > 5 ? 8 : 1;
  lab_text h = lab_number(100 * by), steps = lab_number(2000 / by);
  sd_result *r =
      LAB_RUN(l, "problem", "orbit-elliptic", "method", method, "param", lab_adaptive(method, "rtol=1e30"), "param",
              lab_adaptive(method, "atol=1e30"), "members", "1", "step", h.text, "steps", steps.text);
  const sd_summary *s = r ? sd_result_summary(r, 0) : NULL;
  finding f = judged(s && !s->failed ? s->momentum_max_error / ellipse_momentum : NAN, NAN, angular_tolerance);
  sd_result_destroy(r);
  return f;
}

void measure_orbit_traits(lab *l, const char *method, int order, finding found[ORBIT_TRAITS],
                          declared_trait traits[ORBIT_TRAITS]) {
  const declared_trait all[ORBIT_TRAITS] = {
      {"symmetric", &found[0]}, {"symplectic", &found[1]}, {"angular-momentum", &found[2]}};
  found[0] = measure_symmetry(l, method, order);
  found[1] = measure_form(l, method, order);
  found[2] = measure_angular_momentum(l, method, order);
  memcpy(traits, all, sizeof all);
}
