/* figure_torus_errors.c - errors of the ring of C. Baker and M. Gonzalez (arXiv:2112.01623) over the step, in the norms
 * of their section 2.5, summed over the bodies:
 *
 *   E-error = |E_h - E0| / |E0| in the norm of square-integrable functions of time
 *   q-error = sqrt| ||q_h||^2 - ||q||^2 | / ||q||,  ||q||^2 = integral of |x|^2 + |v|^2 + theta^2 + |W|^2
 *
 * Twice: to t = 0.2, while few spheres touch the wall, and as long as the paper has it, by when the motion is chaotic.
 * Norms are taken at the same hundred times whatever the step. */
#include "figure.h"

#include "rigid_body.h"

#include "../host/distance.h"

#include <math.h>
#include <stdlib.h>

static const char *const methods[] = {"rrp", "rrp-newmark", "rrp-euler"};
static const char *const maps[] = {"(23)", "(25)", "(27)"};
enum { METHODS = 3, STEPS = 5, PARTS = 2, MOST_MEMBERS = 8, SAMPLES = 100 };
enum { X, V, ATTITUDE, W }; /* arrays of a state */

typedef struct {
  double time, coarsest;
  int steps, members;
  double step[STEPS], first[PARTS][METHODS][STEPS], low[PARTS][METHODS][STEPS], high[PARTS][METHODS][STEPS];
} errors;

static sd_result *run(figures *f, const errors *e, const char *method, double step) {
  lab_text h = lab_number(step), time = lab_number(e->time), members = lab_number(e->members),
           every = lab_number(round(e->time / step / SAMPLES));
  return LAB_RUN(&f->lab, "problem", "torus", "method", method, "members", members.text, "step", h.text, "time",
                 time.text, "every", every.text, "trajectories", members.text, "lanes", "members");
}

/* The square of a vector of a body's. */
static double square_of(const sd_view *v, size_t sample, size_t member, size_t body) {
  const double *at = v->data + sample * v->stride[0] + member * v->stride[1] + body * v->stride[2];
  double sum = 0;
  for (size_t k = 0; k < 3; k++) sum += at[k * v->stride[3]] * at[k * v->stride[3]];
  return sum;
}

static double squared_angle(const sd_view *v, size_t sample, size_t member, size_t body) {
  const double *at = v->data + sample * v->stride[0] + member * v->stride[1] + body * v->stride[2];
  double Q[9], x[3];
  for (size_t i = 0; i < 9; i++) Q[i] = at[i * v->stride[3]];
  body_rotation_vector(Q, x);
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* The square of a member's norm, by the trapezoidal rule, over the sampling interval. */
static double norm2(const sd_result *r, size_t member) {
  sd_view view[W + 1];
  double sum = 0;
  for (size_t a = X; a <= W; a++) {
    view[a] = (sd_view){.size = sizeof view[a]};
    if (sd_result_trajectory(r, 0, a, &view[a])) return NAN;
  }
  size_t last = view[X].shape[0] - 1;
  for (size_t i = 0; i <= last; i++)
    for (size_t k = 0; k < view[X].shape[2]; k++)
      sum += (i && i < last ? 1 : 0.5) *
             (square_of(&view[X], i, member, k) + square_of(&view[V], i, member, k) +
              squared_angle(&view[ATTITUDE], i, member, k) + square_of(&view[W], i, member, k));
  return sum;
}

static double energy_error(const sd_result *r, size_t member) {
  sd_view v = {.size = sizeof v};
  double sum = 0;
  if (sd_result_trajectory(r, 0, sd_result_array_count(r) - 1, &v)) return NAN;
  for (size_t i = 0; i < v.shape[0]; i++) sum += pow(v.data[i * v.stride[0] + member * v.stride[1]], 2);
  return sqrt(sum / (double)v.shape[0]) / fabs(sd_result_summary(r, 0)->energy_initial_mean);
}

/* The first of all, the least and the greatest. */
static void keep(errors *e, int part, int m, int i, const double *all, size_t count) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < count; k++) low = fmin(low, all[k]), high = fmax(high, all[k]);
  e->first[part][m][i] = count ? all[0] : NAN, e->low[part][m][i] = low, e->high[part][m][i] = high;
}

static void collect(figures *f, errors *e) {
  double finest = ldexp(e->coarsest, 1 - e->steps), exact[MOST_MEMBERS] = {0};
  sd_result *reference = run(f, e, "rrp", finest / 2);
  for (int k = 0; k < e->members && reference; k++) exact[k] = norm2(reference, (size_t)k);
  sd_result_destroy(reference);
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < e->steps; i++) {
      double off[PARTS][MOST_MEMBERS];
      e->step[i] = ldexp(e->coarsest, -i);
      sd_result *r = run(f, e, methods[m], e->step[i]);
      size_t count = r ? sd_result_trajectory_count(r) : 0;
      for (size_t k = 0; k < count && k < MOST_MEMBERS; k++) {
        off[0][k] = energy_error(r, k);
        off[1][k] = sqrt(fabs(norm2(r, k) - exact[k]) / exact[k]);
      }
      for (int part = 0; part < PARTS; part++) keep(e, part, m, i, off[part], count);
      sd_result_destroy(r);
    }
}

static void draw(figures *f, const errors *e, const char *name) {
  static const char *const labels[PARTS] = {"E-error", "q-error"};
  sd_text script = {0};
  figure_begin(f, &script, name, 980, 440);
  for (int part = 0; part < PARTS; part++)
    for (int m = 0; m < METHODS; m++) {
      sd_text_add(&script, "$m%d_%d << EOD\n", part, m);
      for (int i = 0; i < e->steps; i++)
        sd_text_add(&script, "%.9g %.5g %.5g %.5g\n", e->step[i], e->first[part][m][i], e->low[part][m][i],
                    e->high[part][m][i]);
      sd_text_add(&script, "EOD\n");
    }
  sd_text_add(&script,
              "set multiplot layout 1,2 title 'torus to t = %g: the paper''s start (points), the range of %d starts "
              "(bands)'\nset logscale xy\nset format '10^{%%T}'\nset xlabel 'step h'\nset xrange [%g:%g]\nset key "
              "bottom right inside\n",
              e->time, e->members, e->step[e->steps - 1] / 1.5, 1.5 * e->coarsest);
  for (int part = 0; part < PARTS; part++) {
    sd_text_add(&script, "set ylabel '%s'\nplot ", labels[part]);
    for (int m = 0; m < METHODS; m++) {
      char style[64];
      sd_text_add(&script,
                  "$m%d_%d using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '%s' notitle, "
                  "$m%d_%d using 1:2 with linespoints lw 1.5 ps %g %s title '%s, map %s' noenhanced, ",
                  part, m, sd_colour_of(methods[m]), part, m, m ? 0.8 : 1.3, sd_style_of(methods[m], style), methods[m],
                  maps[m]);
    }
    if (part)
      sd_text_add(&script, "%g*x with lines dt 3 lc rgb '#000000' title 'h'\n", e->first[1][0][0] / e->coarsest);
    else
      sd_text_add(&script,
                  "%g*x**2 with lines dt 2 lc rgb '#000000' title 'h^2', %g*x with lines dt 3 lc rgb '#000000' title "
                  "'h'\n",
                  e->first[0][0][0] / e->coarsest / e->coarsest, e->first[0][2][0] / e->coarsest);
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, name);
}

static void claim_power(figures *f, const errors *e, int part, int m, double wanted, double within, const char *claim,
                        const char *because) {
  double power = figure_power(e->step, e->first[part][m], e->steps),
         worst = figure_power(e->step, e->high[part][m], e->steps);
  figure_claim(f, fabs(power - wanted) < within && fabs(worst - wanted) < within, claim, because,
               "%s, map %s, to t = %g: goes with h^%.2f, from %.1e to %.1e; the worst of %d starts with h^%.2f",
               methods[m], maps[m], e->time, power, e->first[part][m][0], e->first[part][m][e->steps - 1], e->members,
               worst);
}

void figure_torus_convergence(figures *f) {
  errors e = {.time = 0.2, .coarsest = 2e-3, .steps = STEPS, .members = MOST_MEMBERS};
  errors later = {.time = f->quick ? 2 : 10, .coarsest = 1e-3, .steps = f->quick ? 3 : 4, .members = e.members};
  const char *chaotic =
      "the motion is chaotic after the impact: starts that differ in the third digit are in other shapes by t = 7 "
      "(torus-shapes), and steps do the same; norms of such trajectories differ by what they happen to do";
  collect(f, &e);
  collect(f, &later);
  if (f->lab.error.status) return;
  draw(f, &e, NULL);
  draw(f, &later, "later");
  for (int m = 0; m < METHODS; m++) {
    const char *claim = m < 2 ? "quadratic convergence of the energy" : "linear convergence of the energy";
    claim_power(f, &e, 0, m, m < 2 ? 2 : 1, 0.2, claim, NULL);
    claim_power(f, &later, 0, m, m < 2 ? 2 : 1, 0.4, claim,
                "contacts that come and go add to the error what is no power of the step");
    claim_power(
        f, &e, 1, m, 1, 0.3, "linear convergence of trajectories in this norm",
        "the q-error is the root of a difference of squares: of a map of first order it goes with the root of the "
        "step");
    claim_power(f, &later, 1, m, 1, 0.3, "linear convergence of trajectories in this norm", chaotic);
  }
}
