/* figure_top.c - the slow symmetric top, as P. Krysl's paper on the explicit Newmark algorithm shows it: four methods
 * at a step of a thirty degrees' turn. */
#include "figure.h"

#include "properties.h"
#include "rigid_body.h"

#include "../host/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"akw", "sw-e", "liemid-i", "liemid-ea"};
static const char *const names[] = {"AKW", "SW", "LIEMID[I]", "LIEMID[EA]"};
enum { METHODS = 4, MEMBERS_MOST = 64, SAMPLES = 101, OTHERS = 12 }; /* OTHERS: perturbed starts that are drawn */

/* To t = 10 with samples every 0.1. */
static sd_result *run(figures *f, const char *method, const char *step, const char *every) {
  const char *members = f->quick ? "16" : "64";
  return LAB_RUN(&f->lab, "problem", "top-slow", "method", method, "members", members, "step", step, "time", "10",
                 "every", every, "trajectories", members);
}

/* The axis of members `from` to `to`, one after the other with a gap between. */
static void axis_data(sd_text *script, const sd_result *r, const char *name, size_t from, size_t to) {
  body_state s;
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t k = from; k < to; k++) {
    for (size_t i = 0; body_sample(r, 0, i, k, &s); i++) sd_text_add(script, "%.4g %.4g\n", s.Q[2], s.Q[5]);
    sd_text_add(script, "\n");
  }
  sd_text_add(script, "EOD\n");
}

/* The mean turn of a step, in degrees. */
static double turn_of(const sd_result *r) {
  body_state s, next;
  double sum = 0, steps = 0;
  for (size_t i = 0; body_sample(r, 0, i, 0, &s) && body_sample(r, 0, i + 1, 0, &next); i++) {
    double trace = 0;
    for (int k = 0; k < 9; k++) trace += s.Q[k] * next.Q[k];
    sum += acos(fmax(-1, fmin(1, (trace - 1) / 2))), steps++;
  }
  return sum / steps * 180 / 3.141592653589793;
}

/* What the conclusions say of the two algorithms and of their composition. */
static void claim_properties(figures *f) {
  static const char *const three[] = {"liemid-e1", "liemid-e2", "liemid-ea"};
  static const int order[] = {1, 1, 2};
  for (int m = 0; m < 3; m++) {
    properties p;
    measure_properties(&f->lab, three[m], order[m], &settings_of_body[GENERIC], &p);
    if (f->lab.error.status) return;
    const finding *momentum = &p.of[HEAVY_TOP][MOMENTUM], *form = &p.of[FREE_BODY][SYMPLECTIC_FORM],
                  *energy = &p.of[GENERIC][ENERGY];
    figure_claim(f, fabs(p.order - order[m]) < 0.1, "they are of first order, and their composition of second", NULL,
                 "%s: order %.2f", three[m], p.order);
    figure_claim(f, momentum->how == KEPT, "they conserve momentum", NULL, "%s, heavy top: off by %.1e", three[m],
                 momentum->value);
    figure_claim(f, form->how == KEPT, "they are symplectic",
                 "the impulses are; the midpoint rule for the free rotation between them is not, and a method that is "
                 "symplectic would not drift on stress",
                 "%s: a step of the free body changes the two-form by %.1e +- %.0e; energy on stress: %s", three[m],
                 form->value, form->error, sd_verdict_text(energy->verdict));
  }
}

void figure_newmark_top(figures *f) {
  sd_text script = {0};
  double turn = NAN;
  sd_result *reference = run(f, "split@8", "0.01", "1");
  figure_begin(f, &script, NULL, 860, 860);
  if (reference) axis_data(&script, reference, "$exact", 0, 1);
  for (int m = 0; m < METHODS; m++) {
    char name[16];
    sd_result *r = run(f, methods[m], "0.1", "1");
    snprintf(name, sizeof name, "$m%d", m);
    if (r) axis_data(&script, r, name, 0, 1);
    snprintf(name, sizeof name, "$b%d", m);
    if (r) axis_data(&script, r, name, 1, OTHERS + 1);
    if (r && !strcmp(methods[m], "liemid-ea")) turn = turn_of(r);
    sd_result_destroy(r);
  }
  sd_result_destroy(reference);
  sd_text_add(&script,
              "set key off\nset size square\nset xrange [-1.05:1.05]\nset yrange [-1.05:1.05]\nset xlabel "
              "'e_1·Qe_3'\nset ylabel 'e_2·Qe_3'\n"
              "set multiplot layout 2,2 title 'slow top, h = 0.1, to t = 10: the axis from above (line), perturbed "
              "starts (thin lines), the reference (dots)'\n");
  for (int m = 0; m < METHODS; m++)
    sd_text_add(&script,
                "set title '%s (%s)' noenhanced\nplot $b%d with lines lw 0.3 lc rgb '#bbbbbb', $m%d with lines lw "
                "1.4 lc rgb '%s', $exact using 1:2 with points pt 7 ps 0.2 lc rgb '#000000'\n",
                names[m], methods[m], m, m, sd_colour_of(methods[m]));
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
  if (f->lab.error.status) return;
  figure_claim(f, turn > 20 && turn < 40, "a step is a turn of about 30 degrees", NULL, "on the average %.0f degrees",
               turn);
  claim_properties(f);
}

/* Distances of the axes of all members at a sample: the first, and the quantiles. */
typedef struct {
  double first[SAMPLES], low[SAMPLES], middle[SAMPLES], high[SAMPLES], rms;
  size_t count;
} gap;

static void take_gap(const sd_result *r, const sd_result *reference, gap *g) {
  double sum = 0;
  for (g->count = 0; g->count < SAMPLES; g->count++) {
    double all[MEMBERS_MOST];
    size_t n = 0, i = g->count;
    body_state s, exact;
    for (size_t k = 0; k < MEMBERS_MOST && body_sample(r, 0, i, k, &s) && body_sample(reference, 0, i, k, &exact);
         k++) {
      double d = 0;
      for (int c = 2; c < 9; c += 3) d += (s.Q[c] - exact.Q[c]) * (s.Q[c] - exact.Q[c]);
      all[n++] = sqrt(d);
    }
    if (!n) break;
    g->first[i] = all[0];
    sum += all[0] * all[0];
    g->middle[i] = sd_median_of(all, n);
    g->low[i] = all[n / 20], g->high[i] = all[n - 1 - n / 20];
  }
  g->rms = sqrt(sum / (double)(g->count ? g->count : 1));
}

void figure_newmark_top_error(figures *f) {
  sd_text script = {0};
  gap *g = calloc(METHODS, sizeof *g);
  sd_result *reference = run(f, "split@8", "0.01", "10");
  double energy = 0;
  figure_begin(f, &script, NULL, 820, 460);
  for (int m = 0; m < METHODS && g && reference; m++) {
    sd_result *r = run(f, methods[m], "0.1", "1");
    if (r) take_gap(r, reference, &g[m]);
    if (r && !strcmp(methods[m], "sw-e"))
      energy = sd_result_summary(r, 0)->energy_max_abs_error / fabs(sd_result_summary(r, 0)->energy_initial_mean);
    sd_result_destroy(r);
    sd_text_add(&script, "$m%d << EOD\n", m);
    for (size_t i = 1; i < g[m].count; i++)
      sd_text_add(&script, "%.4g %.5g %.5g %.5g\n", 0.1 * (double)i, g[m].first[i], g[m].low[i], g[m].high[i]);
    sd_text_add(&script, "EOD\n");
  }
  sd_result_destroy(reference);
  sd_text_add(&script, "set title 'slow top, h = 0.1: the paper''s trajectory (lines), 5 to 95 %% of perturbed starts "
                       "(bands)'\nset logscale y\nset format y "
                       "'10^{%%T}'\nset yrange [1e-4:3]\nset xlabel 'time'\nset ylabel 'distance of the axis from the "
                       "reference'\nplot ");
  for (int m = 0; m < METHODS; m++)
    sd_text_add(&script, "$m%d using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '%s' notitle, ",
                m, sd_colour_of(methods[m]));
  for (int m = 0; m < METHODS; m++)
    sd_text_add(&script, "%s$m%d using 1:2 with lines lw 1.8 lc rgb '%s' title '%s' noenhanced", m ? ", " : "", m,
                sd_colour_of(methods[m]), methods[m]);
  sd_text_add(&script, "\n");
  figure_draw(f, &script, NULL);
  if (g && !f->lab.error.status) {
    figure_claim(f, g[3].rms < g[0].rms && g[3].rms < g[2].rms,
                 "LIEMID[EA] is much better than the implicit algorithms", NULL,
                 "rms distance to t = 10: liemid-ea %.3f, liemid-i %.3f, akw %.3f", g[3].rms, g[2].rms, g[0].rms);
    figure_claim(f, energy > 0.5, "SW loses stability early on", NULL,
                 "its energy is off by %.1f times its size by t = 10", energy);
    figure_claim(f, g[3].rms < 0.1, "LIEMID[EA] captures the character of the trajectory", NULL,
                 "rms distance %.3f of a unit axis", g[3].rms);
  }
  free(g);
}
