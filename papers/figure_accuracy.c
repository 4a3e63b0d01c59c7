/* figure_accuracy.c - global errors at T = 5 over the step, and what a step costs. */
#include "figure.h"

#include "../host/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, METHODS = 8, PARTS = 2, MEMBERS_MOST = 256 };

typedef struct {
  double step[STEPS], first[METHODS][PARTS][STEPS]; /* errors of the first member in Q and W */
  double low[METHODS][PARTS][STEPS], high[METHODS][PARTS][STEPS];
  const char *const *method;
  int methods;
} errors;

static sd_result *ends(figures *f, const char *method, double step) {
  lab_text h = lab_number(step);
  return LAB_RUN(&f->lab, "problem", "stress", "method", method, "members", figure_members(f), "final",
                 figure_members(f), "step", h.text, "time", "5");
}

static void take_errors(errors *e, int m, int i, const sd_result *r, const sd_result *reference) {
  for (int k = 0; k < PARTS; k++) {
    double all[MEMBERS_MOST];
    size_t count = sd_result_final_count(r), found = 0;
    for (size_t j = 0; j < count && j < MEMBERS_MOST; j++) {
      double error = sd_final_distance(r, reference, (size_t)k, j);
      if (error == error) all[found++] = error;
    }
    e->first[m][k][i] = sd_final_distance(r, reference, (size_t)k, 0);
    sd_median_of(all, found); /* sorts them */
    e->low[m][k][i] = found ? all[found / 20] : NAN;
    e->high[m][k][i] = found ? all[found - 1 - found / 20] : NAN;
  }
}

static int measure(figures *f, errors *e) {
  sd_result *reference = ends(f, "split@8", 0x1p-7);
  for (int i = 0; i < STEPS; i++) e->step[i] = pow(2, -i);
  for (int m = 0; m < e->methods && reference; m++)
    for (int i = 0; i < STEPS; i++) {
      sd_result *r = ends(f, e->method[m], e->step[i]);
      if (r) take_errors(e, m, i, r, reference);
      sd_result_destroy(r);
    }
  sd_result_destroy(reference);
  return !f->lab.error.status;
}

static void draw(figures *f, const errors *e) {
  static const char *const parts[PARTS] = {"Q", "Ω"};
  sd_text script = {0};
  figure_begin(f, &script, NULL, 980, 460);
  for (int m = 0; m < e->methods; m++)
    for (int k = 0; k < PARTS; k++) {
      sd_text_add(&script, "$m%d_%d << EOD\n", m, k);
      for (int i = 0; i < STEPS; i++)
        sd_text_add(&script, "%.9g %.5g %.5g %.5g\n", e->step[i], e->first[m][k][i], e->low[m][k][i], e->high[m][k][i]);
      sd_text_add(&script, "EOD\n");
    }
  sd_text_add(
      &script,
      "set logscale xy\nset format y '10^{%%T}'\nset xlabel 'step h'\nset xtics ('1' 1, '2^{−3}' 0.125, '2^{−6}' "
      "0.015625, "
      "'2^{−9}' 0.001953125)\nset key bottom right inside\nset multiplot layout 1,2 title 'stress, T = 5: the paper''s "
      "trajectory (points), 5 to 95 %% of %s perturbed starts (bands)'\n",
      figure_members(f));
  for (int k = 0; k < PARTS; k++) {
    sd_text_add(&script, "set ylabel 'error in %s'\nplot ", parts[k]);
    for (int m = 0; m < e->methods; m++)
      sd_text_add(&script,
                  "$m%d_%d using 1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' notitle, ", m,
                  k, sd_colour_of(e->method[m]));
    for (int m = 0; m < e->methods; m++) {
      char style[64];
      sd_text_add(&script, "$m%d_%d using 1:2 with linespoints lw 1.3 ps 0.6 %s title '%s' noenhanced, ", m, k,
                  sd_style_of(e->method[m], style), e->method[m]);
    }
    sd_text_add(&script, "0.003*x**2 with lines lw 1 dt 3 lc rgb '#000000' title 'h^2'\n");
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
}

static void claim_orders(figures *f, const errors *e) {
  for (int m = 0; m < e->methods; m++) {
    double Q = figure_power(e->step + 3, e->first[m][0] + 3, STEPS - 3),
           W = figure_power(e->step + 3, e->first[m][1] + 3, STEPS - 3);
    figure_claim(f, fabs(Q - 2) < 0.1 && fabs(W - 2) < 0.1, "second-order accurate", NULL,
                 "%s: order %.3f in Q, %.3f in W", e->method[m], Q, W);
  }
}

void figure_counterexample_accuracy(figures *f) {
  static const char *const methods[] = {"eln", "vlv", "liemid-ea"};
  errors *e = calloc(1, sizeof *e);
  if (!e) return;
  e->method = methods, e->methods = 3;
  if (measure(f, e)) draw(f, e), claim_orders(f, e);
  free(e);
}

/* Of the first member, Q and W together, at the step with this number. */
static double error_at(const errors *e, const char *method, int i) {
  for (int m = 0; m < e->methods; m++)
    if (!strcmp(e->method[m], method)) return hypot(e->first[m][0][i], e->first[m][1][i]);
  return NAN;
}

void figure_stress_accuracy(figures *f) {
  static const char *const methods[] = {"eln", "tln", "prk", "mcg", "new3", "liemid-ea", "vlv"};
  enum { AT = 5 };
  errors *e = calloc(1, sizeof *e);
  if (!e) return;
  e->method = methods, e->methods = 7;
  if (measure(f, e)) {
    draw(f, e);
    claim_orders(f, e);
    double better = fmax(error_at(e, "prk", AT), fmax(error_at(e, "mcg", AT), error_at(e, "liemid-ea", AT)));
    double others = fmin(fmin(error_at(e, "eln", AT), error_at(e, "tln", AT)),
                         fmin(error_at(e, "new3", AT), error_at(e, "vlv", AT)));
    figure_claim(f, better < others, "PRK, MCG and LIEMID[EA] are more accurate than the others",
                 "PRK is; MCG and LIEMID[EA] are in W alone, but in Q the errors of ELN are smaller than theirs",
                 "prk %.2e, mcg %.2e, liemid-ea %.2e; eln %.2e, tln %.2e, new3 %.2e, vlv %.2e", error_at(e, "prk", AT),
                 error_at(e, "mcg", AT), error_at(e, "liemid-ea", AT), error_at(e, "eln", AT), error_at(e, "tln", AT),
                 error_at(e, "new3", AT), error_at(e, "vlv", AT));
    double same = error_at(e, "tln", AT) / error_at(e, "eln", AT);
    figure_claim(f, same > 0.8 && same < 1.25, "TLN has the accuracy of ELN",
                 "the same errors come out of an implementation of its own in 80-bit arithmetic (tests/reference); "
                 "TLN's are near VLV's",
                 "%.2f times its error at h = 2^-5, %.2f times VLV's", same,
                 error_at(e, "tln", AT) / error_at(e, "vlv", AT));
  }
  free(e);
}

/* ---- what a step costs ---- */

void figure_stress_cost(figures *f) {
  static const char *const methods[] = {"eln", "prk", "vlv", "mcg", "new3", "liemid-ea", "tln"};
  enum { COUNT = 7, REST = 5, ROUNDS = 7 };
  double ns[COUNT], slowest[COUNT], rest = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int m = 0; m < COUNT; m++) {
      sd_result *r = LAB_RUN(&f->lab, "problem", "stress", "method", methods[m], "members", "256", "steps", "2000",
                             "every", "2000", "threads", "1");
      if (!r) return;
      double now = sd_result_summary(r, 0)->ns_per_body_step;
      ns[m] = round ? fmin(ns[m], now) : now, slowest[m] = round ? fmax(slowest[m], now) : now;
      sd_result_destroy(r);
    }
  for (int m = 0; m < REST; m++) rest += ns[m] / REST;
  sd_text script = {0};
  figure_begin(f, &script, NULL, 720, 400);
  sd_text_add(&script, "$d << EOD\n");
  for (int m = 0; m < COUNT; m++)
    sd_text_add(&script, "%d %.4g %.4g 0x%s\n", m, ns[m] / rest, slowest[m] / rest, sd_colour_of(methods[m]) + 1);
  sd_text_add(&script,
              "EOD\n$paper << EOD\n5 2\n6 6\nEOD\nset title \"time of a step, over the mean of the first five\\nthe "
              "fastest of %d repetitions (bars), up to the slowest (lines)\"\nset boxwidth 0.6\nset style fill solid "
              "0.6\nset yrange [0:8]\nset ylabel 'relative run time'\nset xtics (",
              ROUNDS);
  for (int m = 0; m < COUNT; m++) sd_text_add(&script, "%s'%s' %d", m ? ", " : "", methods[m], m);
  sd_text_add(&script,
              ")\nplot $d using 1:2:4 with boxes lc rgb variable notitle, $d using 1:2:(0):($3-$2) with vectors "
              "nohead lw 1.5 lc rgb '#444444' notitle, $paper with points pt 4 ps 1.8 lw 2 lc rgb '#000000' title "
              "'the paper'\n");
  figure_draw(f, &script, NULL);
  double explicit_one = ns[5] / rest, implicit_one = ns[6] / rest;
  figure_claim(f, explicit_one > 1.4 && explicit_one < 2.8, "LIEMID[EA] takes about twice the time of the others",
               "times of a machine that is busy with something else spread as far as the lines of the picture go",
               "%.1f times", explicit_one);
  figure_claim(f, implicit_one > 4.5 && implicit_one < 7.5, "TLN takes about six times the time of the others",
               "with the exact derivative of the torque and an extrapolated guess it takes two iterations",
               "%.1f times", implicit_one);
}
