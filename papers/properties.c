#include "properties.h"

#include "rigid_body.h"

#include <math.h>
#include <string.h>

const tolerance symmetry_tolerance = {1e-13, 1e-9}, form_tolerance = {1e-8, 1e-7}, energy_tolerance = {5e-11, 1e-7},
                momentum_tolerance = {5e-11, 1e-7};

const setting_of_body settings_of_body[SETTINGS] = {
    {"free body", "free", NULL, 0.25, 0.25, 5000},
    {"heavy top", "top-slow", NULL, 0.05, 0.02, 400},
    {"generic potential", "stress", NULL, 0.25, 0.125, 10000},
};
const char momentum_problem[] = "coulomb-wall";

static const double base_start[BODY_START] = {0.9, 0.2, -0.35, 0.3, 0.4, -0.5, 0.7}; /* nothing symmetric about it */
static const double asymmetric[3] = {2, 3, 4}, spherical[3] = {2, 2, 2};

finding judged(double value, double error, tolerance t) {
  finding f = {UNCLEAR, value, error, SD_UNDECIDED};
  if (value <= t.kept) f.how = KEPT;
  if (!(value < t.lost)) f.how = LOST;
  return f;
}
static const finding nothing = {NOT_MEASURED, NAN, NAN, SD_UNDECIDED};

/* A method of high order shows what it lacks in long steps. */
static setting_of_body paced(const setting_of_body *s, const char *method, int order) {
  setting_of_body at = *s;
  int by = order > 5 ? 8 : order > 4 || (order > 2 && lab_has(method, "symmetric")) ? 4 : 1;
  at.single *= by;
  at.step *= by;
  if (order > 7 && lab_has(method, "symmetric") && strcmp(s->problem, settings_of_body[GENERIC].problem)) at.step *= 2;
  return at;
}

/* One step from each of the starts. */
static sd_result *one_step(lab *l, const char *method, const setting_of_body *s, const double *starts, size_t count) {
  lab_starts given = {starts, count, BODY_START};
  lab_text members = lab_number((double)count), step = lab_number(s->single);
  const char *inertia = lab_fit(method) ? lab_fit(method) : "J=2,3,4";
  return lab_run(l, &given, (const char *const[]){"problem", s->problem,
                                                  "method",  method,
                                                  "param",   s->param,
                                                  "param",   inertia,
                                                  "param",   lab_adaptive(method, "rtol=1e30"),
                                                  "param",   lab_adaptive(method, "atol=1e30"),
                                                  "members", members.text,
                                                  "final",   members.text,
                                                  "step",    step.text,
                                                  "steps",   "1",
                                                  NULL});
}

static void reverse(double start[BODY_START]) {
  for (int i = 4; i < BODY_START; i++) start[i] = -start[i];
}

static finding measure_symmetry(lab *l, const char *method, const setting_of_body *s) {
  body_state there = {{0}, {0}}, back = {{0}, {0}};
  double turned[BODY_START], start[BODY_START], norm = 0;
  sd_result *go = one_step(l, method, s, base_start, 1);
  if (body_final(go, 0, 0, &there)) body_start(&there, turned), reverse(turned);
  sd_result *come = go ? one_step(l, method, s, turned, 1) : NULL;
  int done = body_final(come, 0, 0, &back);
  sd_result_destroy(go);
  sd_result_destroy(come);
  if (!done) return nothing;
  for (int i = 0; i < 4; i++) norm += base_start[i] * base_start[i];
  for (int i = 0; i < BODY_START; i++) start[i] = base_start[i] / (i < 4 ? sqrt(norm) : 1);
  body_start(&back, turned);
  reverse(turned);
  double sign = turned[0] * start[0] < 0 ? -1 : 1, sum = 0; /* a quaternion and its negative are one attitude */
  for (int i = 0; i < BODY_START; i++) sum += pow((i < 4 ? sign : 1) * turned[i] - start[i], 2);
  return judged(sqrt(sum), NAN, symmetry_tolerance);
}

/* ---- the derivative of a step ---- */

enum { OFFSETS = 4, COLUMNS = BODY_TANGENT, SIDE = BODY_TANGENT };
static const double offset[OFFSETS] = {-2, -1, 1, 2}, weight[OFFSETS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/* D^T w D - w with differences of width d, from one run: the base, then four starts for every column. */
static int form_defect(lab *l, const char *method, const setting_of_body *s, double d, double M[SIDE][SIDE]) {
  const double *J = lab_fit(method) ? spherical : asymmetric;
  double starts[1 + OFFSETS * COLUMNS][BODY_START], D[SIDE][COLUMNS] = {{0}}, before[SIDE * SIDE], after[SIDE * SIDE];
  memcpy(starts[0], base_start, sizeof base_start);
  for (int k = 0; k < COLUMNS; k++)
    for (int n = 0; n < OFFSETS; n++) {
      double tangent[BODY_TANGENT] = {0};
      tangent[k] = offset[n] * d;
      body_displace(base_start, J, tangent, starts[1 + OFFSETS * k + n]);
    }
  sd_result *r = one_step(l, method, s, starts[0], 1 + OFFSETS * COLUMNS);
  body_state begun = {{0}, {0.4, -0.5, 0.7}}, end, moved;
  int done = body_final(r, 0, 0, &end);
  for (int k = 0; k < COLUMNS && done; k++)
    for (int n = 0; n < OFFSETS && done; n++) {
      double x[BODY_TANGENT];
      done = body_final(r, 0, (size_t)(1 + OFFSETS * k + n), &moved);
      body_tangent(&end, &moved, J, x);
      for (int i = 0; i < SIDE; i++) D[i][k] += weight[n] * x[i] / d;
    }
  sd_result_destroy(r);
  if (!done) return 0;
  body_form(&begun, J, before);
  body_form(&end, J, after);
  for (int a = 0; a < SIDE; a++)
    for (int b = 0; b < SIDE; b++) {
      M[a][b] = -before[SIDE * a + b];
      for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) M[a][b] += D[i][a] * after[SIDE * i + j] * D[j][b];
    }
  return 1;
}

/* Differences of two widths: their error goes with the fourth power, and what rounding makes of it with the first. */
static finding measure_form(lab *l, const char *method, const setting_of_body *s) {
  const double d = 2e-3;
  double fine[SIDE][SIDE], coarse[SIDE][SIDE], worst = 0, change = 0;
  if (!form_defect(l, method, s, d, fine) || !form_defect(l, method, s, 2 * d, coarse)) return nothing;
  for (int a = 0; a < SIDE; a++)
    for (int b = 0; b < SIDE; b++) {
      worst = fmax(worst, fabs(fine[a][b]));
      change = fmax(change, fabs(fine[a][b] - coarse[a][b]));
    }
  return judged(worst, change / 15 + 0x1p-50 / d, form_tolerance);
}

/* ---- ensembles ---- */

static sd_result *ensemble(lab *l, const char *method, const setting_of_body *s, const char *param) {
  lab_text step = lab_number(s->step), time = lab_number(s->time);
  return LAB_RUN(l, "problem", s->problem, "method", method, "param", s->param, "param",
                 param ? param : lab_fit(method), "param", lab_adaptive(method, "rtol=1e30"), "param",
                 lab_adaptive(method, "atol=1e30"), "members", "16", "step", step.text, "time", time.text, "threads",
                 "1", "trajectories", "1");
}

static finding energy_of(const sd_summary *s) {
  double scale = fmax(1, s->energy_scale);
  finding f = judged(s->failed ? NAN : s->energy_max_abs_error, NAN, energy_tolerance);
  f.verdict = s->verdict;
  if (s->failed || s->energy_max_abs_error <= energy_tolerance.kept * scale) return f.how = s->failed ? LOST : KEPT, f;
  f.how = s->verdict == SD_BOUNDED ? NEARLY : s->verdict == SD_UNDECIDED ? UNCLEAR : LOST;
  return f;
}
static finding momentum_of(const sd_summary *s) {
  if (s->failed) return judged(NAN, NAN, momentum_tolerance);
  return judged(s->momentum_max_error / fmax(1, s->energy_scale), NAN, momentum_tolerance);
}

/* Of the first member's trajectory: the momentum about the vertical, and the velocity about the body's third axis. */
static double vertical_momentum(const body_state *s, const double J[3]) {
  return s->Q[6] * J[0] * s->W[0] + s->Q[7] * J[1] * s->W[1] + s->Q[8] * J[2] * s->W[2];
}
static void measure_top(const sd_result *r, const double J[3], finding *vertical, finding *spin) {
  body_state first, now;
  double change = 0, spin_change = 0;
  *vertical = *spin = judged(NAN, NAN, momentum_tolerance);
  if (sd_result_summary(r, 0)->failed || !body_sample(r, 0, 0, 0, &first)) return;
  for (size_t i = 0; body_sample(r, 0, i, 0, &now); i++) {
    change = fmax(change, fabs(vertical_momentum(&now, J) - vertical_momentum(&first, J)));
    spin_change = fmax(spin_change, fabs(now.W[2] - first.W[2]));
  }
  *vertical = judged(change / fmax(1, fabs(vertical_momentum(&first, J))), NAN, momentum_tolerance);
  *spin = judged(spin_change / fmax(1, fabs(first.W[2])), NAN, momentum_tolerance);
}

static void measure_ensembles(lab *l, const setting_of_body paces[SETTINGS], properties *p) {
  static const double symmetric_top[3] = {5, 5, 1};
  for (int k = 0; k < SETTINGS; k++) {
    const setting_of_body *s = &paces[k];
    sd_result *r = ensemble(l, p->method, s, NULL);
    if (!r) return;
    const sd_summary *found = sd_result_summary(r, 0);
    p->of[k][ENERGY] = energy_of(found);
    p->of[k][MOMENTUM] = momentum_of(found);
    if (k == HEAVY_TOP) measure_top(r, lab_fit(p->method) ? spherical : symmetric_top, &p->of[k][MOMENTUM], &p->spin);
    if (k == GENERIC) p->ns = found->ns_per_body_step;
    sd_result_destroy(r);
  }
  setting_of_body wall = {"", momentum_problem, NULL, 0, 0.1, 500};
  sd_result *top = lab_fit(p->method) ? NULL : ensemble(l, p->method, &paces[HEAVY_TOP], "J=5,4.5,1");
  sd_result *generic_one = ensemble(l, p->method, &wall, NULL);
  if (top) p->any_top = momentum_of(sd_result_summary(top, 0)); /* which is the vertical one alone */
  if (generic_one) p->of[GENERIC][MOMENTUM] = momentum_of(sd_result_summary(generic_one, 0));
  sd_result_destroy(top);
  sd_result_destroy(generic_one);
}

/* ---- order ---- */

static int end_of(lab *l, const char *method, const setting_of_body *s, double step, const char *fit, body_state *end) {
  lab_text h = lab_number(step);
  sd_result *r = LAB_RUN(l, "problem", s->problem, "method", method, "param", s->param, "param", fit, "param",
                         lab_adaptive(method, "rtol=1e30"), "param", lab_adaptive(method, "atol=1e30"), "members", "1",
                         "final", "1", "step", h.text, "time", "5");
  int done = body_final(r, 0, 0, end) && !sd_result_summary(r, 0)->failed;
  sd_result_destroy(r);
  return done;
}

/* Between the two smallest steps whose errors are above rounding. */
static double measure_order(lab *l, const char *method, const setting_of_body *s) {
  body_state exact, end;
  double previous = NAN, order = NAN;
  if (!end_of(l, "rk8", s, 0x1p-8, lab_fit(method), &exact)) return NAN;
  for (double h = 1; h >= 0x1p-6; h /= 2) {
    double error = NAN;
    if (end_of(l, method, s, h, lab_fit(method), &end))
      error = hypot(body_attitude_distance(&end, &exact), body_velocity_distance(&end, &exact));
    if (error > 1e-12 && previous == previous) order = log2(previous / error);
    previous = error;
  }
  return order;
}

void measure_properties(lab *l, const char *method, int order, const setting_of_body *generic, properties *p) {
  *p = (properties){
      .declared_order = order, .order = NAN, .symmetric = nothing, .spin = nothing, .any_top = nothing, .ns = NAN};
  memcpy(p->method, method, strlen(method) < sizeof p->method ? strlen(method) : sizeof p->method - 1);
  for (int k = 0; k < SETTINGS; k++)
    for (int i = 0; i < KINDS; i++) p->of[k][i] = nothing;
  setting_of_body paces[SETTINGS];
  for (int k = 0; k < SETTINGS; k++) paces[k] = paced(k == GENERIC ? generic : &settings_of_body[k], method, order);
  p->order = measure_order(l, method, generic);
  p->symmetric = measure_symmetry(l, method, &paces[GENERIC]);
  for (int k = 0; k < SETTINGS; k++) p->of[k][SYMPLECTIC_FORM] = measure_form(l, method, &paces[k]);
  measure_ensembles(l, paces, p);
}

void declared_traits(const properties *p, declared_trait traits[DECLARED]) {
  const declared_trait all[DECLARED] = {{"symmetric", &p->symmetric},
                                        {"symplectic", &p->of[GENERIC][SYMPLECTIC_FORM]},
                                        {"free-symplectic", &p->of[FREE_BODY][SYMPLECTIC_FORM]},
                                        {"free-energy", &p->of[FREE_BODY][ENERGY]},
                                        {"free-momentum", &p->of[FREE_BODY][MOMENTUM]},
                                        {"top-energy", &p->of[HEAVY_TOP][ENERGY]},
                                        {"top-momentum", &p->of[HEAVY_TOP][MOMENTUM]},
                                        {"top-spin", &p->spin}};
  memcpy(traits, all, sizeof all);
}

int as_declared(const char *method, const declared_trait *t) {
  return lab_has(method, t->trait) == (t->found->how == KEPT);
}
