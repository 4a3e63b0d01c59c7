/* figure_torus.c - the ring of bonded spheres that C. Baker and M. Gonzalez (arXiv:2112.01623) throw at a wall: its
 * shapes, its energies by kind, its momenta, and its energy over a long time.  The errors over the step are in
 * figure_torus_errors.c.
 *
 * The paper's map (25) is rrp-newmark, its step 1e-3.  Fig. 5 has h = 1e-2, where the axial oscillation of a bond has
 * h omega = 2.4: beyond 2, the limit of any explicit map of second order. */
#include "figure.h"

#include "../host/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char STEP[] = "0.001";
static const double RING = 3;                                      /* diameter */
enum { X, MOST_MEMBERS = 16, QUANTITIES_MOST = 8, SAMPLES = 251 }; /* X: the array of positions */

/* ---- quantities of the ledger over time, of each member by itself: the paper's own start is the first ---- */

typedef struct {
  const char *const *name;
  int quantities, members;
  size_t samples;
  double time[SAMPLES], value[QUANTITIES_MOST][SAMPLES][MOST_MEMBERS], largest_error, initial;
} bundle;

static void take_member(bundle *b, int member, const sd_result *r) {
  sd_view v = {.size = sizeof v};
  size_t samples = sd_result_sample_count(r, 0);
  b->samples = samples < SAMPLES ? samples : SAMPLES;
  for (size_t i = 0; i < b->samples; i++) b->time[i] = sd_result_sample(r, 0, i)->time;
  for (int q = 0; q < b->quantities; q++)
    for (size_t i = 0; i < b->samples; i++)
      b->value[q][i][member] = sd_result_series(r, 0, b->name[q], &v) ? NAN : v.data[i * v.stride[0]];
  const sd_summary *s = sd_result_summary(r, 0);
  b->largest_error = fmax(b->largest_error, s->energy_max_abs_error);
  b->initial = s->energy_initial_mean;
}

/* To be freed, or NULL. */
static bundle *collect(figures *f, const char *method, const char *const *names, int quantities) {
  bundle *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  *b = (bundle){.name = names, .quantities = quantities, .members = f->quick ? 4 : MOST_MEMBERS};
  for (int i = 0; i < b->members; i++) {
    lab_text member = lab_number(i);
    sd_result *r =
        LAB_RUN(&f->lab, "problem", "torus", "method", method, "members", "1", "first-member", member.text, "step",
                STEP, "time", f->quick ? "5" : "25", "every", f->quick ? "20" : "100", "threads", "1");
    if (r) take_member(b, i, r);
    sd_result_destroy(r);
  }
  if (f->lab.error.status) free(b), b = NULL;
  return b;
}

/* Time, the first member's, the least and the greatest of all. */
static void add_quantity(sd_text *script, bundle *b, int q, const char *name) {
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t i = 0; i < b->samples; i++) {
    double *all = b->value[q][i], first = all[0], low = first, high = first;
    for (int m = 1; m < b->members; m++) low = fmin(low, all[m]), high = fmax(high, all[m]);
    sd_text_add(script, "%.5g %.5g %.5g %.5g\n", b->time[i], first, low, high);
  }
  sd_text_add(script, "EOD\n");
}

static double largest_of(const bundle *b, int q) {
  double largest = 0;
  for (size_t i = 0; i < b->samples; i++)
    for (int m = 0; m < b->members; m++) {
      double size = fabs(b->value[q][i][m]);
      if (!(size <= largest)) largest = size; /* NaN stays */
    }
  return largest;
}

/* ---- shapes ---- */

static double position(const sd_view *v, size_t sample, size_t member, size_t body, size_t axis) {
  return v->data[sample * v->stride[0] + member * v->stride[1] + body * v->stride[2] + axis * v->stride[3]];
}

/* The extent of the first member along an axis. */
static double extent(const sd_view *v, size_t sample, size_t axis) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < v->shape[2]; k++) {
    double x = position(v, sample, 0, k, axis);
    low = fmin(low, x), high = fmax(high, x);
  }
  return high - low;
}

enum { SHAPES = 8 };

static void draw_shapes(figures *f, const sd_result *r, const sd_view *v) {
  sd_text script = {0};
  figure_begin(f, &script, NULL, 1000, 600);
  size_t last = v->shape[0] - 1;
  for (size_t p = 0; p < SHAPES; p++)
    for (size_t m = 0; m < v->shape[1]; m++) { /* the ring closed: its first body once more */
      sd_text_add(&script, "$s%zu_%zu << EOD\n", p, m);
      for (size_t k = 0; k <= v->shape[2]; k++)
        sd_text_add(&script, "%.4g %.4g\n", position(v, last * p / (SHAPES - 1), m, k % v->shape[2], 0),
                    position(v, last * p / (SHAPES - 1), m, k % v->shape[2], 1));
      sd_text_add(&script, "EOD\n");
    }
  const char *colour = sd_colour_of("rrp-newmark");
  sd_text_add(&script,
              "set key off\nset size ratio -1\nset xlabel 'x' offset 0,0.6\nset ylabel 'y' offset 1.5,0\nset yrange "
              "[-2.4:2.4]\nset ytics 2\nset xtics 2\nset object 1 rectangle from graph 0, "
              "graph 0 to 0, graph 1 fc rgb '#888888' fs solid 0.6 noborder behind\nset multiplot layout 2,%d title "
              "'rrp-newmark, h = %s: the ring, %zu perturbed ones (thin lines), the wall (grey)' noenhanced\n",
              SHAPES / 2, STEP, v->shape[1] - 1);
  for (size_t p = 0; p < SHAPES; p++) {
    size_t sample = last * p / (SHAPES - 1);
    double middle = 0; /* the view follows the ring, and keeps the wall while that is near */
    for (size_t k = 0; k < v->shape[2]; k++) middle += position(v, sample, 0, k, 0) / (double)v->shape[2];
    double left = fmax(-0.4, middle - 2.4);
    sd_text_add(&script, "set title 't = %.4g'\nset xrange [%.3g:%.3g]\nplot ", sd_result_trajectory_time(r, sample),
                left, left + 4.8);
    for (size_t m = 1; m < v->shape[1]; m++)
      sd_text_add(&script, "$s%zu_%zu with lines lw 0.4 lc rgb '#999999', ", p, m);
    sd_text_add(&script, "$s%zu_0 with points pt 7 ps 0.45 lc rgb '%s'\n", p, colour); /* about as large as they are */
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
}

void figure_torus_shapes(figures *f) {
  const char *members = f->quick ? "4" : "16";
  sd_view v = {.size = sizeof v};
  sd_result *r = LAB_RUN(&f->lab, "problem", "torus", "method", "rrp-newmark", "members", members, "step", STEP, "time",
                         f->quick ? "7" : "35", "every", "100", "trajectories", members);
  if (r && !sd_result_trajectory(r, 0, X, &v)) {
    draw_shapes(f, r, &v);
    double narrow = INFINITY, wide = 0;
    for (size_t i = 0; i < v.shape[0]; i++)
      narrow = fmin(narrow, extent(&v, i, 0)), wide = fmax(wide, extent(&v, i, 1));
    figure_claim(
        f, narrow < 0.8 * RING && wide > 1.1 * RING, "large deformation and vibrations after the impact", NULL,
        "of a diameter of %g the ring is squeezed to %.2f across the wall and widened to %.2f along it, to t = "
        "%g",
        RING, narrow, wide, sd_result_summary(r, 0)->time);
  }
  sd_result_destroy(r);
}

/* ---- energies by kind ---- */

void figure_torus_energies(figures *f) {
  static const char *const kinds[] = {"translation", "rotation", "bending", "shear", "axial", "contact", "wall"};
  static const char *const symbols[] = {"m|v|^2/2", "J|Ω|^2/2", "U^m", "U^s", "U^a", "U^{pp}", "U^{pw}"};
  static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c5c5c"};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  sd_text script = {0};
  bundle *b = collect(f, "rrp-newmark", kinds, KINDS);
  if (!b) return;
  figure_begin(f, &script, NULL, 960, 560);
  for (int q = 0; q < KINDS; q++) {
    char name[16];
    snprintf(name, sizeof name, "$k%d", q);
    add_quantity(&script, b, q, name);
  }
  sd_text_add(&script,
              "set multiplot layout 2,1 title 'torus, rrp-newmark, h = %s: the paper''s start (lines), the range of %d "
              "starts (bands)' noenhanced\nset xrange [0:%g]\nset ylabel 'energy'\nset yrange [0:*]\nset lmargin "
              "9\nset rmargin 24\n",
              STEP, b->members, b->time[b->samples - 1]);
  for (int half = 0; half < 2; half++) { /* the large ones, then the small ones */
    int from = half ? 3 : 0, to = half ? KINDS : 3;
    sd_text_add(&script, half ? "set xlabel 'time'\nplot " : "plot ");
    for (int q = from; q < to; q++)
      sd_text_add(&script,
                  "$k%d using 1:3:4 with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle, ", q,
                  colours[q]);
    for (int q = from; q < to; q++)
      sd_text_add(&script, "$k%d using 1:2 with lines lw 1.8 dt %d lc rgb '%s' title '%s, %s'%s", q, 1 + q - from,
                  colours[q], kinds[q], symbols[q], q + 1 < to ? ", " : "\n");
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
  double after = INFINITY, least = INFINITY;
  for (size_t i = 0; i < b->samples; i++) after = fmin(after, b->value[0][i][0]);
  for (int q = 1; q < KINDS; q++) least = fmin(least, largest_of(b, q));
  figure_claim(f, after < 0.5 * b->initial && least > 0,
               "upon impact the translational energy goes into rotation, bending, shear, axial strain and contacts",
               NULL,
               "of %.1f it falls to %.1f; rotation takes up to %.1f, bending %.1f, shear %.1f, axial %.1f, contacts "
               "%.1f, the wall %.1f",
               b->initial, after, largest_of(b, 1), largest_of(b, 2), largest_of(b, 3), largest_of(b, 4),
               largest_of(b, 5), largest_of(b, 6));
  figure_claim(f, b->largest_error < 0.01 * b->initial, "excellent near-conservation of total energy", NULL,
               "of %d starts none is ever off by more than %.2g %% to t = %g", b->members,
               100 * b->largest_error / b->initial, b->time[b->samples - 1]);
  free(b);
}

/* ---- momenta ---- */

static void add_momenta(sd_text *script, bundle *b, int of) {
  static const char *const names[] = {"linear", "angular", "impulse"};
  for (int q = 0; q < b->quantities; q++) {
    char name[32];
    snprintf(name, sizeof name, "$%s%d", names[q], of);
    add_quantity(script, b, q, name);
  }
}

static void draw_momenta(figures *f, bundle *const *b, const char *const *methods) {
  static const char *const panels[] = {"linear", "angular"};
  sd_text script = {0};
  figure_begin(f, &script, NULL, 1180, 400);
  for (int m = 0; m < 2; m++) add_momenta(&script, b[m], m);
  sd_text_add(&script,
              "set multiplot layout 1,3 title 'torus, h = %s: the paper''s start (lines), the range of %d starts "
              "(bands)' noenhanced\nset key bottom right inside\nset xlabel 'time'\nset title 'linear momentum along "
              "x'\nset ylabel 'Σ m v_x'\nplot ",
              STEP, b[0]->members);
  for (int m = 0; m < 2; m++)
    sd_text_add(&script,
                "$impulse%d using 1:($3-80):($4-80) with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' "
                "notitle, $impulse%d using 1:($2-80) with lines lw 1.5 dt %d lc rgb '%s' title '%s' noenhanced%s",
                m, sd_colour_of(methods[m]), m, 1 + m, sd_colour_of(methods[m]), methods[m], m ? "\n" : ", ");
  sd_text_add(&script, "set format y '%%.1e'\nset yrange [0:*]\nset key off\n");
  for (int k = 0; k < 2; k++) {
    sd_text_add(&script, "set title '%s momentum less the wall''s impulse'\nset ylabel 'largest change'\nplot ",
                panels[k]);
    for (int m = 0; m < 2; m++)
      sd_text_add(&script,
                  "$%s%d using 1:3:4 with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle, "
                  "$%s%d using 1:2 with lines lw 1 lc rgb '%s' title '%s' noenhanced%s",
                  panels[k], m, sd_colour_of(methods[m]), panels[k], m, sd_colour_of(methods[m]), methods[m],
                  m ? "\n" : ", ");
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
}

void figure_torus_momenta(figures *f) {
  static const char *const methods[] = {"rrp", "rrp-newmark"};
  static const char *const names[] = {"linear", "angular", "impulse_x"};
  bundle *b[2] = {collect(f, methods[0], names, 3), collect(f, methods[1], names, 3)};
  if (b[0] && b[1]) {
    draw_momenta(f, b, methods);
    for (int m = 0; m < 2; m++) /* of 80 spheres of mass and speed 1, at most 3 away from the centre */
      figure_claim(f, largest_of(b[m], 0) < 80e-13 && largest_of(b[m], 1) < 240e-13,
                   "exact conservation, to machine precision, of linear and angular momenta", NULL,
                   "%s: less the wall's impulse, which turns -80 into %+.1f, they change by at most %.1e and %.1e",
                   methods[m], b[m]->value[2][b[m]->samples - 1][0] - 80, largest_of(b[m], 0), largest_of(b[m], 1));
  }
  free(b[0]);
  free(b[1]);
}

/* ---- a long time ---- */

static const char *const lasting[] = {"rrp-newmark", "rrp-euler"};
enum { LASTING = 2 };

/* When the first of the members was lost, and the last. */
static void find_loss(const sd_result *r, size_t method, double *first, double *last) {
  *first = *last = NAN;
  for (size_t i = sd_result_sample_count(r, method); i-- > 0;) {
    const sd_sample *s = sd_result_sample(r, method, i);
    if (!s->members) *last = s->time;
    if (s->members < sd_result_summary(r, method)->members) *first = s->time;
  }
}

static void claim_at_paper_step(figures *f) {
  sd_result *r = LAB_RUN(&f->lab, "problem", "torus", "method", "rrp-newmark,rrp-euler", "members", "16", "step",
                         "0.01", "time", "1", "every", "1", "unstable", "yes");
  for (size_t m = 0; r && m < LASTING; m++) {
    double first, last;
    find_loss(r, m, &first, &last);
    figure_claim(
        f, !(last <= 1), "at h = 1e-2 the energy is nearly conserved to t = 500",
        "at that step the axial oscillation of a bond has h omega = 2.4, beyond 2, the limit of an explicit map "
        "of second order, and of the first-order one as well; with contacts a step may be about 2.7e-3 at most",
        "%s: of 16 starts the first is lost at t = %.2f, the last at t = %.2f", lasting[m], first, last);
  }
  sd_result_destroy(r);
}

void figure_torus_long(figures *f) {
  const char *members = f->quick ? "4" : "8";
  sd_text script = {0};
  sd_result *r = LAB_RUN(&f->lab, "problem", "torus", "method", "rrp-newmark,rrp-euler", "members", members, "step",
                         STEP, "time", f->quick ? "20" : "500", "trajectories", "1");
  if (!r) return;
  figure_begin(f, &script, NULL, 980, 400);
  for (size_t m = 0; m < LASTING; m++) figure_energy_data(&script, r, m, m ? "$m1" : "$m0");
  sd_text_add(
      &script,
      "set multiplot layout 1,2 title 'torus, h = %s: the paper''s start (line), 5 to 95 %% of %s starts (band)' "
      "noenhanced\nset key off\nset xlabel 'time'\nset ylabel 'E − E_0, of E_0 = 40'\n",
      STEP, members);
  for (size_t m = 0; m < LASTING; m++) {
    sd_text_add(&script, "set title '%s' noenhanced\n", lasting[m]);
    figure_energy_panel(&script, lasting[m], m ? "$m1" : "$m0");
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
  for (size_t m = 0; m < LASTING; m++) {
    const sd_summary *s = sd_result_summary(r, m);
    double largest = 100 * s->energy_max_abs_error / s->energy_initial_mean;
    figure_claim(f, largest < 5 && !s->failed, "near-conservation of total energy over a long time (at h = 1e-3)", NULL,
                 "%s: off by at most %.2g %% to t = %g; mean slope %+.1e; %s (%s)", lasting[m], largest, s->time,
                 s->drift_slope, sd_verdict_text(s->verdict), s->because);
  }
  sd_result_destroy(r);
  claim_at_paper_step(f);
}
