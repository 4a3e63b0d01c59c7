/* figure_covariance.c - how far a spread at the start carries: the ensemble beside the linear result, after C. Sabol,
 * T. Sukut, K. Hill, K. T. Alfriend, B. Wright, Y. Li, P. Schumacher, Linearized Orbit Covariance Generation and
 * Propagation Analysis via Simple Monte Carlo Simulations (AAS 10-134, 2010).
 *
 * The linear result is C1 = A C0 A^T, A the derivative of where the orbit ends by where it starts: of twelve
 * neighbours, two along each number.  Both are shown forward and outward of where the orbit without errors ends. */
#include "figure.h"

#include "../host/number.h"

#include <math.h>
#include <string.h>

enum { N = 6, POINTS = 800, ELLIPSE = 181 };
static const char TIME[] = "58260", STEP[] = "60"; /* ten revolutions */
/* position [km] and momentum [km/s] of a body of 1 kg */
static const double start[N] = {7000, 0, 0, 0, -1.05, 7.4726};
static const struct {
  const char *name;
  double position, velocity;
} spreads[] = {{"small", 0.01, 1e-5}, {"large", 3, 3e-3}};

typedef struct {
  double mean[2], covariance[3]; /* forward and outward */
} cloud;

static sd_result *propagated(figures *f, const lab_starts *starts, const char *members, double position, double speed) {
  lab_text q = lab_number(position), p = lab_number(speed);
  char q0[200], p0[200];
  sd_format(q0, sizeof q0, "q0=%.17g,%.17g,%.17g", start[0], start[1], start[2]);
  sd_format(p0, sizeof p0, "p0=%.17g,%.17g,%.17g", start[3], start[4], start[5]);
  const char *const settings[] = {"problem",
                                  "orbit-circular",
                                  "param",
                                  "mu=398600.4418",
                                  "param",
                                  "j2=1.08263e-3",
                                  "param",
                                  "radius=6378.137",
                                  "param",
                                  q0,
                                  "param",
                                  p0,
                                  "method",
                                  "rk8",
                                  "step",
                                  STEP,
                                  "time",
                                  TIME,
                                  "every",
                                  "971",
                                  "members",
                                  members,
                                  "final",
                                  members,
                                  starts ? NULL : "sigma-position",
                                  q.text,
                                  starts ? NULL : "sigma-momentum",
                                  p.text,
                                  NULL};
  return lab_run(&f->lab, starts, settings);
}

static int end_of(const sd_result *r, size_t member, double to[N]) {
  sd_view v = {.size = sizeof v};
  for (size_t array = 0; array < 2; array++) {
    if (!r || sd_result_final(r, 0, array, &v) || member >= v.shape[0]) return 0;
    for (size_t k = 0; k < 3; k++) to[3 * array + k] = v.data[member * v.stride[0] + k * v.stride[1]];
  }
  return 1;
}

/* ---- the linear result ---- */

/* Where the orbit ends, and the derivatives of that by the start. */
static int transition(figures *f, double end[N], double A[N][N]) {
  double starts[2 * N + 1][N], apart[N], there[N], back[N];
  for (int k = 0; k < 2 * N + 1; k++) memcpy(starts[k], start, sizeof start);
  for (int k = 0; k < N; k++) {
    apart[k] = k < 3 ? 1e-2 : 1e-5;
    starts[2 * k + 1][k] += apart[k], starts[2 * k + 2][k] -= apart[k];
  }
  lab_starts given = {starts[0], 2 * N + 1, N};
  sd_result *r = propagated(f, &given, "13", 0, 0);
  int found = end_of(r, 0, end);
  for (size_t k = 0; k < N && found; k++) {
    found = end_of(r, 2 * k + 1, there) && end_of(r, 2 * k + 2, back);
    for (int i = 0; i < N; i++) A[i][k] = (there[i] - back[i]) / (2 * apart[k]);
  }
  sd_result_destroy(r);
  return found;
}

/* Forward and outward of where the orbit ends. */
static void directions(const double end[N], double axis[2][3]) {
  const double *q = end, *p = end + 3;
  double r = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), along = (q[0] * p[0] + q[1] * p[1] + q[2] * p[2]) / (r * r);
  double size = 0;
  for (int k = 0; k < 3; k++) axis[1][k] = q[k] / r, axis[0][k] = p[k] - along * q[k], size += axis[0][k] * axis[0][k];
  for (int k = 0; k < 3; k++) axis[0][k] /= sqrt(size);
}

static cloud linear_result(double A[N][N], double axis[2][3], double position, double speed) {
  cloud c = {{0, 0}, {0, 0, 0}};
  for (int k = 0; k < N; k++) {
    double moved[2] = {0}, variance = k < 3 ? position * position : speed * speed;
    for (int a = 0; a < 2; a++)
      for (int i = 0; i < 3; i++) moved[a] += axis[a][i] * A[i][k];
    c.covariance[0] += variance * moved[0] * moved[0];
    c.covariance[1] += variance * moved[0] * moved[1];
    c.covariance[2] += variance * moved[1] * moved[1];
  }
  return c;
}

/* ---- the ensemble ---- */

static int place_of(const sd_result *r, size_t member, const double end[N], double axis[2][3], double to[2]) {
  double q[N];
  if (!end_of(r, member, q)) return 0;
  for (int a = 0; a < 2; a++)
    for (int i = to[a] = 0; i < 3; i++) to[a] += axis[a][i] * (q[i] - end[i]);
  return 1;
}

static cloud cloud_of(const sd_result *r, const double end[N], double axis[2][3]) {
  cloud c = {{0, 0}, {0, 0, 0}};
  double at[2], count = 0;
  for (size_t m = 0; place_of(r, m, end, axis, at); m++, count++)
    for (int a = 0; a < 2; a++) c.mean[a] += at[a];
  for (int a = 0; a < 2; a++) c.mean[a] /= count;
  for (size_t m = 0; place_of(r, m, end, axis, at); m++)
    for (int k = 0; k < 3; k++)
      c.covariance[k] += (at[k / 2] - c.mean[k / 2]) * (at[(k + 1) / 2] - c.mean[(k + 1) / 2]) / (count - 1);
  return c;
}

/* ---- the picture ---- */

static void ellipse_data(sd_text *script, const char *name, const char *which, const cloud *c) {
  double forward = sqrt(c->covariance[0]), slant = c->covariance[1] / forward;
  double rest = sqrt(fmax(c->covariance[2] - slant * slant, 0));
  sd_text_add(script, "$%s_%s << EOD\n", name, which);
  for (int k = 0; k < ELLIPSE; k++) {
    double angle = 2 * 3.14159265358979 * k / (ELLIPSE - 1);
    sd_text_add(script, "%.6g %.6g\n", c->mean[0] + 3 * forward * cos(angle),
                c->mean[1] + 3 * (slant * cos(angle) + rest * sin(angle)));
  }
  sd_text_add(script, "EOD\n");
}

static void panel(sd_text *script, const char *name, const sd_result *r, const double end[N], double axis[2][3],
                  const cloud *linear, const cloud *found) {
  double at[2];
  sd_text_add(script, "$%s << EOD\n", name);
  for (size_t m = 0; m < POINTS && place_of(r, m, end, axis, at); m++) sd_text_add(script, "%.6g %.6g\n", at[0], at[1]);
  sd_text_add(script, "EOD\n");
  ellipse_data(script, name, "linear", linear);
  ellipse_data(script, name, "found", found);
  sd_text_add(
      script,
      "set title '%s spread'\nset xtics %.1g\nplot $%s with points pt 7 ps 0.25 lc rgb '#56b4e9' title "
      "'members', $%s_linear with lines lw 2 lc rgb '#d55e00' title 'linear, 3 σ', $%s_found with lines lw 2 dt "
      "2 lc rgb '#0072b2' title 'ensemble, 3 σ'\n",
      name, sqrt(linear->covariance[0]) * 2, name, name, name);
}

void figure_orbit_covariance(figures *f) {
  static const char agrees_where_small[] = "where errors are small, the linear result is the covariance they have";
  static const char fails[] = "the Cartesian covariance fails to represent the errors, as it is straight and they bend";
  double end[N], A[N][N], axis[2][3], ratio[2][2], bend = 0;
  const char *members = f->quick ? "1024" : "16384";
  double sampling = f->quick ? 1 / sqrt(2 * 1024.) : 1 / sqrt(2 * 16384.);
  sd_text script = {0};
  if (!transition(f, end, A)) return;
  directions(end, axis);
  figure_begin(f, &script, NULL, 1000, 480);
  sd_text_add(&script, "set xlabel 'forward [km]'\nset ylabel 'outward [km]'\nset key outside bottom center horizontal "
                       "samplen 3\nset bmargin 6\nset "
                       "multiplot layout 1,2 title 'ten revolutions at 7000 km with J_2: where a spread at the start "
                       "ends'\n");
  for (int s = 0; s < 2; s++) {
    sd_result *r = propagated(f, NULL, members, spreads[s].position, spreads[s].velocity);
    cloud linear = linear_result(A, axis, spreads[s].position, spreads[s].velocity), found = cloud_of(r, end, axis);
    for (int a = 0; a < 2; a++) ratio[s][a] = sqrt(found.covariance[2 * a] / linear.covariance[2 * a]);
    bend = found.mean[1] / sqrt(linear.covariance[2]);
    panel(&script, spreads[s].name, r, end, axis, &linear, &found);
    sd_result_destroy(r);
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
  figure_claim(f, fabs(ratio[0][0] - 1) < 4 * sampling && fabs(ratio[0][1] - 1) < 4 * sampling, agrees_where_small,
               NULL,
               "10 m and 1 cm/s: deviations over the linear ones %.3f forward, %.3f outward; sampling allows %.3f",
               ratio[0][0], ratio[0][1], sampling);
  figure_claim(f, ratio[1][1] > 2, fails, NULL,
               "3 km and 3 m/s: %.3f forward, %.2f outward, and the mean is %.1f deviations lower", ratio[1][0],
               ratio[1][1], -bend);
}
