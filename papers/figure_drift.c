/* figure_drift.c - energy errors on Ortolan and Saccon's potential: drifts, and the trajectory that shows them. */
#include "figure.h"

#include "rigid_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char seven[] = "eln,tln,prk,mcg,new3,liemid-ea,vlv";

static sd_result *drift_run(figures *f, const char *methods, const char *step, const char *time) {
  return LAB_RUN(&f->lab, "problem", "stress", "method", methods, "members", figure_members(f), "step", step, "time",
                 time, "trajectories", "1");
}

/* A panel for every method. */
static void draw_panels(figures *f, const sd_result *r, const char *part, int columns, const char *step) {
  sd_text script = {0};
  int count = (int)sd_result_count(r), rows = (count + columns - 1) / columns;
  figure_begin(f, &script, part, 320 * columns + 30, 250 * rows + 50);
  sd_text_add(
      &script,
      "set key off\nset lmargin 12\nset rmargin 3\nset xlabel 'time' offset 0,0.5\nset ylabel 'E − E_0'\nset xtics %g\n"
      "set multiplot layout %d,%d title 'stress, h = %s: the paper''s trajectory (line), 5 to 95 %% of %s perturbed "
      "starts (band)'\n",
      sd_result_summary(r, 0)->time / 2, rows, columns, step, figure_members(f));
  for (int m = 0; m < count; m++) {
    char name[16];
    const sd_summary *s = sd_result_summary(r, (size_t)m);
    snprintf(name, sizeof name, "$m%d", m);
    figure_energy_data(&script, r, (size_t)m, name);
    sd_text_add(&script, "set title '%s: %s' noenhanced\n", s->method, sd_verdict_text(s->verdict));
    figure_energy_panel(&script, s->method, name);
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, part);
}

static size_t number_of(const sd_result *r, const char *method) {
  for (size_t m = 0; m < sd_result_count(r); m++)
    if (!strcmp(sd_result_summary(r, m)->method, method)) return m;
  return 0;
}
static const sd_summary *of(const sd_result *r, const char *method) {
  return sd_result_summary(r, number_of(r, method));
}

/* Least-squares slope of the paper's own trajectory, and how many times it grows when the step is doubled. */
static double first_slope(const sd_result *r, const char *method) {
  size_t m = number_of(r, method), samples = sd_result_trajectory_samples(r);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < samples; i++) {
    double t = sd_result_trajectory_time(r, i), e = figure_first_error(r, m, i);
    n++, x += t, y += e, xx += t * t, xy += t * e;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}
static void claim_quadratic(figures *f, const sd_result *fine, const sd_result *coarse, const char *method,
                            const char *because) {
  double one = first_slope(fine, method), two = first_slope(coarse, method), ratio = two / one;
  double all = of(coarse, method)->drift_slope / of(fine, method)->drift_slope;
  figure_claim(f, ratio > 3.5 && ratio < 4.5, "the drift is quadratic in the step", because,
               "%s: twice the step, %.2f times the drift (%.2e and %.2e; mean of the ensemble: %.2f times)", method,
               ratio, one, two, all);
}

static void claim_verdict(figures *f, const sd_result *fine, const sd_result *coarse, const char *method,
                          sd_verdict wanted, const char *claim) {
  const sd_summary *a = of(fine, method), *b = of(coarse, method);
  figure_claim(f, a->verdict == wanted && b->verdict == wanted, claim, "one of the two steps has another verdict",
               "%s: %s (%+.2e) at h = %g, %s (%+.2e) at h = %g", method, sd_verdict_text(a->verdict), a->drift_slope,
               a->step, sd_verdict_text(b->verdict), b->drift_slope, b->step);
}

void figure_counterexample_drift(figures *f) {
  const char *methods = "eln,vlv,liemid-ea";
  sd_result *fine = drift_run(f, methods, "0.125", "15000"), *coarse = drift_run(f, methods, "0.25", "15000");
  if (fine && coarse) {
    draw_panels(f, fine, "fine", 3, "0.125");
    draw_panels(f, coarse, "coarse", 3, "0.25");
    claim_verdict(f, fine, coarse, "eln", SD_DRIFTS_DOWN, "Lie-Newmark has a systematic energy drift");
    claim_verdict(f, fine, coarse, "vlv", SD_BOUNDED, "no drift is observed for variational Lie-Verlet");
    claim_verdict(f, fine, coarse, "liemid-ea", SD_DRIFTS_UP, "LIEMID[EA] has one, too");
    claim_quadratic(f, fine, coarse, "eln", NULL);
    claim_quadratic(f, fine, coarse, "liemid-ea", NULL);
    double smaller = of(fine, "liemid-ea")->drift_slope / of(fine, "eln")->drift_slope;
    figure_claim(f, fabs(smaller) < 1, "LIEMID[EA]'s drift is smaller than Lie-Newmark's", NULL, "%.2f of it",
                 fabs(smaller));
  }
  sd_result_destroy(fine);
  sd_result_destroy(coarse);
}

/* ---- the axis-angle ball ---- */

/* U at the rotation exp(v): (d1 - 1)^2 - 0.3/d2, d the distances to the identity and to the attractor exp(m); of a
 * rotation by the angle a, d = 2 sqrt(2) |sin a/2| = sqrt(8) |vector part of the quaternion|. */
static double potential_at(const double v[3]) {
  const double m[3] = {1.7677669529663689, 0, 1.7677669529663689};
  double p[4], q[4], angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), turn = 2.5;
  p[0] = cos(angle / 2), q[0] = cos(turn / 2);
  for (int i = 0; i < 3; i++)
    p[1 + i] = angle > 0 ? sin(angle / 2) / angle * v[i] : 0, q[1 + i] = sin(turn / 2) / turn * m[i];
  double between = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]; /* cosine of half the angle between them */
  double near = sqrt(8) * fabs(sin(angle / 2)), far = sqrt(8 * fmax(0, 1 - between * between));
  return (near - 1) * (near - 1) - 0.3 / fmax(far, 1e-3);
}

/* Where members `from` to `to` go through the plane y = 0. */
static void cut_data(sd_text *script, const sd_result *r, const char *name, size_t from, size_t to) {
  enum { MOST = 1500 };
  body_state s;
  double x[3], before[3] = {0};
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t k = from; k < to; k++)
    for (size_t i = 0, drawn = 0; body_sample(r, 0, i, k, &s) && drawn < MOST; i++) {
      body_rotation_vector(s.Q, x);
      if (i && x[1] * before[1] < 0) {
        double t = before[1] / (before[1] - x[1]);
        sd_text_add(script, "%.4g %.4g\n", before[0] + t * (x[0] - before[0]), before[2] + t * (x[2] - before[2]));
        drawn++;
      }
      memcpy(before, x, sizeof x);
    }
  sd_text_add(script, "EOD\n");
}

static void ball_data(sd_text *script, const sd_result *r) {
  body_state s;
  double x[3];
  sd_text_add(script, "$path << EOD\n");
  for (size_t i = 0; body_sample(r, 0, i, 0, &s) && i < 4000; i++) {
    body_rotation_vector(s.Q, x);
    sd_text_add(script, "%.4g %.4g %.4g\n", x[0], x[1], x[2]);
  }
  sd_text_add(script, "EOD\n$level << EOD\n");
  for (int i = -40; i <= 40; i++) {
    for (int k = -40; k <= 40; k++) {
      double v[3] = {3.141592653589793 * i / 40, 0, 3.141592653589793 * k / 40};
      double inside = v[0] * v[0] + v[2] * v[2] <= 9.8696044;
      sd_text_add(script, inside ? "%.4g %.4g %.4g\n" : "%.4g %.4g NaN\n", v[0], v[2], fmin(potential_at(v), 4));
    }
    sd_text_add(script, "\n");
  }
  sd_text_add(script, "EOD\n");
}

enum { OTHERS = 12 };

static void show_ball(figures *f, const sd_result *r, const sd_result *others) {
  sd_text script = {0};
  figure_begin(f, &script, NULL, 1040, 520);
  ball_data(&script, r);
  cut_data(&script, r, "$cut", 0, 1);
  cut_data(&script, others, "$others", 0, OTHERS);
  sd_text_add(
      &script,
      "set multiplot layout 1,2\nset key off\nset title 'eln, h = 0.25: axis times angle'\nset view 65,40\nset view "
      "equal xyz\n"
      "set xyplane at -3.3\nset xlabel 'x'\nset ylabel 'y'\nset zlabel 'z'\nset parametric\nset urange [0:2*pi]\nset "
      "vrange [0:pi]\n"
      "set isosamples 13,9\nset xrange [-3.3:3.3]\nset yrange [-3.3:3.3]\nset zrange [-3.3:3.3]\nset xtics 2\nset "
      "ytics 2\nset ztics 2\n"
      "splot pi*cos(u)*sin(v),pi*sin(u)*sin(v),pi*cos(v) with lines lw 0.3 lc rgb '#bbbbbb', $path with lines lw 0.4 "
      "lc rgb '%s', "
      "'-' with points pt 7 ps 1 lc rgb '#000000'\n1.76777 0 1.76777\ne\n"
      "unset parametric\nset title 'crossings of the plane y = 0, of 12 perturbed starts (grey), level sets of U'\nset "
      "size "
      "square\nset contour base\n"
      "unset surface\nset cntrparam levels discrete -2,-1,-0.6,-0.4,-0.3,-0.2,-0.1,0,0.2,0.5,1,2\nset table "
      "$lines\nsplot $level\nunset table\n"
      "unset contour\nset xlabel 'x'\nset ylabel 'z'\nset autoscale\nset xrange [-3.3:3.3]\nset yrange [-3.3:3.3]\nset "
      "cbrange [-0.6:1]\n"
      "set palette defined (0 '#08306b', 1 '#6baed6', 2 '#dddddd')\nset colorbox\nset cblabel 'U'\n"
      "plot $lines using 1:2:3 with lines lw 1 lc palette, $others using 1:2 with points pt 7 ps 0.2 lc rgb '#999999', "
      "$cut using 1:2 with points pt 7 ps 0.25 lc rgb '%s', "
      "'-' using 1:2 with points pt 7 ps 1 lc rgb '#000000'\n1.76777 1.76777\ne\nunset multiplot\n",
      sd_colour_of("eln"), sd_colour_of("eln"));
  figure_draw(f, &script, NULL);
  double lowest = INFINITY, highest = -INFINITY, x[3];
  body_state s;
  for (size_t i = 0; body_sample(r, 0, i, 0, &s); i++) {
    body_rotation_vector(s.Q, x);
    double distance = sqrt(8) * fabs(sin(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 2));
    lowest = fmin(lowest, distance), highest = fmax(highest, distance);
  }
  figure_claim(f, lowest > 0.5 && highest < 2, "the trajectory stays in a neighbourhood of the set d(Q, I) = 1", NULL,
               "d(Q, I) from %.2f to %.2f, of at most 2.83", lowest, highest);
}

void figure_counterexample_ball(figures *f) {
  sd_result *r = LAB_RUN(&f->lab, "problem", "stress", "method", "eln", "members", "1", "step", "0.25", "time",
                         f->quick ? "1000" : "15000", "every", "1", "trajectories", "1");
  sd_result *others = LAB_RUN(&f->lab, "problem", "stress", "method", "eln", "members", "12", "first-member", "1",
                              "step", "0.25", "time", "500", "every", "1", "trajectories", "12");
  if (r && others) show_ball(f, r, others);
  sd_result_destroy(r);
  sd_result_destroy(others);
}

/* ---- seven methods ---- */

void figure_stress_drift(figures *f) {
  sd_result *fine = drift_run(f, seven, "0.125", "10000"), *coarse = drift_run(f, seven, "0.25", "10000");
  if (fine && coarse) {
    draw_panels(f, fine, "fine", 3, "0.125");
    draw_panels(f, coarse, "coarse", 3, "0.25");
    static const char *const down[] = {"eln", "tln", "prk"}, *const up[] = {"mcg", "new3", "liemid-ea"};
    for (int i = 0; i < 3; i++)
      claim_verdict(f, fine, coarse, down[i], SD_DRIFTS_DOWN, "the energy of ELN, TLN and PRK falls");
    for (int i = 0; i < 3; i++)
      claim_verdict(f, fine, coarse, up[i], SD_DRIFTS_UP, "the energy of MCG, NEW3 and LIEMID[EA] rises");
    claim_verdict(f, fine, coarse, "vlv", SD_BOUNDED, "the energy error of VLV remains bounded");
  }
  sd_result_destroy(fine);
  sd_result_destroy(coarse);
}

static void slope_data(sd_text *script, const sd_result *r, const char *name, double shift) {
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t m = 0; m < sd_result_count(r); m++) {
    const sd_summary *s = sd_result_summary(r, m);
    double size = fmax(fabs(s->drift_slope), 1e-12), low = fmax(size - s->drift_reach, 1e-12);
    sd_text_add(script, "%.5g %.3g %.5g %.5g %s 0x%s\n", size, (double)m + shift, low, size + s->drift_reach,
                s->drift_slope > 0 ? "+" : "−", sd_colour_of(s->method) + 1);
  }
  sd_text_add(script, "EOD\n");
}

void figure_stress_slopes(figures *f) {
  sd_result *fine = drift_run(f, seven, "0.125", "10000"), *coarse = drift_run(f, seven, "0.25", "10000");
  sd_text script = {0};
  if (fine && coarse) {
    figure_begin(f, &script, NULL, 820, 380);
    slope_data(&script, fine, "$fine", -0.12);
    slope_data(&script, coarse, "$coarse", 0.12);
    sd_text_add(
        &script,
        "set title 'drift of the energy on stress, with what the run leaves room for; its sign beside it'\nset "
        "logscale x\n"
        "set format x '10^{%%T}'\nset xlabel '|dE/dt|'\nset xrange [1e-12:1e-4]\nset yrange [6.6:-0.6]\nset ytics (");
    for (size_t m = 0; m < sd_result_count(fine); m++)
      sd_text_add(&script, "%s'%s' %zu", m ? ", " : "", sd_result_summary(fine, m)->method, m);
    sd_text_add(&script,
                ")\nplot $fine using 1:2:3:4:6 with xerrorbars lw 2 pt 7 lc rgb variable notitle, $coarse using "
                "1:2:3:4:6 with xerrorbars lw 2 pt 4 lc rgb variable notitle, $fine using ($4*1.9):2:5 with "
                "labels notitle, $coarse using ($4*1.9):2:5 with labels notitle, keyentry with points pt 7 lc rgb "
                "'#000000' title 'h = 0.125', keyentry with points pt 4 lw 2 lc rgb '#000000' title 'h = 0.25'\n");
    figure_draw(f, &script, NULL);
    static const char *const regular[] = {"eln", "prk", "mcg", "new3", "liemid-ea"};
    for (int i = 0; i < 5; i++) claim_quadratic(f, fine, coarse, regular[i], NULL);
    claim_quadratic(f, fine, coarse, "tln",
                    "at h = 0.25 the trajectory of tln turns chaotic: its drift has a sign and a size, no power of h");
    const char *least = "none";
    double smallest = INFINITY;
    for (size_t m = 0; m < sd_result_count(fine); m++) {
      const sd_summary *s = sd_result_summary(fine, m);
      if (s->verdict == SD_BOUNDED || fabs(s->drift_slope) >= smallest) continue;
      smallest = fabs(s->drift_slope), least = s->method;
    }
    figure_claim(f, !strcmp(least, "liemid-ea"), "LIEMID[EA] has the smallest slope of those that drift", NULL,
                 "%s, %.2e", least, smallest);
    sd_result *exponential = drift_run(f, "eln-exp,tln-exp", "0.125", "10000");
    if (exponential)
      figure_claim(f,
                   of(exponential, "eln-exp")->verdict == SD_DRIFTS_DOWN &&
                       of(exponential, "tln-exp")->verdict == SD_DRIFTS_DOWN,
                   "with the exponential map ELN and TLN drift very similarly", NULL,
                   "eln-exp %+.2e for %+.2e, tln-exp %+.2e for %+.2e", of(exponential, "eln-exp")->drift_slope,
                   of(fine, "eln")->drift_slope, of(exponential, "tln-exp")->drift_slope, of(fine, "tln")->drift_slope);
    sd_result_destroy(exponential);
  }
  sd_result_destroy(fine);
  sd_result_destroy(coarse);
}
