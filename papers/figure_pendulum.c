/* figure_pendulum.c - the three-dimensional pendulum of C. Baker and M. Gonzalez (arXiv:2112.01623): errors in the
 * norms of their section 2.5, and what is kept to machine precision.
 *
 *   E-error = |E_h - E0| / |E0| in the norm of square-integrable functions of time
 *   q-error = sqrt| ||q_h||^2 - ||q||^2 | / ||q||,  ||q||^2 = integral of theta^2 + |W|^2, theta the angle of the
 * attitude */
#include "figure.h"

#include "rigid_body.h"

#include "../host/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"rrp", "rrp-newmark", "rrp-euler"};
static const char *const maps[] = {"(23)", "(25)", "(27)"};
enum { METHODS = 3, STEPS = 7, MEMBERS_MOST = 64 };

typedef struct {
  double step[STEPS], first[METHODS][STEPS], low[METHODS][STEPS], high[METHODS][STEPS];
} errors;

static sd_result *run(figures *f, const char *method, double step) {
  lab_text h = lab_number(step);
  const char *members = f->quick ? "8" : "64";
  return LAB_RUN(&f->lab, "problem", "pendulum", "method", method, "members", members, "step", h.text, "time", "20",
                 "every", "1", "trajectories", members);
}

/* The square of a member's norm, by the trapezoidal rule. */
static double norm2(const sd_result *r, size_t member, double step) {
  double sum = 0, last = 0;
  body_state s;
  for (size_t i = 0; body_sample(r, 0, i, member, &s); i++) {
    double x[3];
    body_rotation_vector(s.Q, x);
    last = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + s.W[0] * s.W[0] + s.W[1] * s.W[1] + s.W[2] * s.W[2];
    sum += (i ? 1 : 0.5) * last;
  }
  return step * (sum - last / 2);
}

static double energy_error(const sd_result *r, size_t member) {
  sd_view v = {.size = sizeof v};
  double sum = 0;
  if (sd_result_trajectory(r, 0, sd_result_array_count(r) - 1, &v)) return NAN;
  for (size_t i = 0; i < v.shape[0]; i++) sum += pow(v.data[i * v.stride[0] + member * v.stride[1]], 2);
  return sqrt(sum / (double)v.shape[0]) / fabs(sd_result_summary(r, 0)->energy_initial_mean);
}

static void collect(figures *f, errors *e, int of_energy) {
  sd_result *exact = of_energy ? NULL : run(f, "split@8", 0x1p-9);
  for (int i = 0; i < STEPS; i++) e->step[i] = pow(2, -2 - i);
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < STEPS && (exact || of_energy); i++) {
      sd_result *r = run(f, methods[m], e->step[i]);
      double all[MEMBERS_MOST];
      size_t n = 0, members = r ? sd_result_trajectory_count(r) : 0;
      for (; n < members && n < MEMBERS_MOST; n++) {
        double full = exact ? norm2(exact, n, 0x1p-9) : 1;
        all[n] = of_energy ? energy_error(r, n) : sqrt(fabs(norm2(r, n, e->step[i]) - full) / full);
      }
      e->first[m][i] = n ? all[0] : NAN;
      sd_median_of(all, n);
      e->low[m][i] = n ? all[n / 20] : NAN, e->high[m][i] = n ? all[n - 1 - n / 20] : NAN;
      sd_result_destroy(r);
    }
  sd_result_destroy(exact);
}

static void draw(figures *f, const errors *e, const char *label, int powers) {
  sd_text script = {0};
  figure_begin(f, &script, NULL, 760, 460);
  for (int m = 0; m < METHODS; m++) {
    sd_text_add(&script, "$m%d << EOD\n", m);
    for (int i = 0; i < STEPS; i++)
      sd_text_add(&script, "%.9g %.5g %.5g %.5g\n", e->step[i], e->first[m][i], e->low[m][i], e->high[m][i]);
    sd_text_add(&script, "EOD\n");
  }
  sd_text_add(&script,
              "set title 'pendulum to t = 20: the paper''s start (points), 5 to 95 %% of perturbed ones (bands)'\nset "
              "logscale xy\nset format y '10^{%%T}'\n"
              "set xrange [0.003:0.4]\nset xlabel 'step h'\nset ylabel '%s'\nplot ",
              label);
  for (int m = 0; m < METHODS; m++) {
    char style[64];
    sd_text_add(&script,
                "$m%d using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '%s' notitle, $m%d using "
                "1:2 with linespoints lw 1.5 "
                "ps 0.8 %s title '%s, map %s' noenhanced, ",
                m, sd_colour_of(methods[m]), m, sd_style_of(methods[m], style), methods[m], maps[m]);
  }
  sd_text_add(&script, "%s0.05*x with lines dt 3 lc rgb '#000000' title 'h'\n",
              powers > 1 ? "0.02*x**2 with lines dt 2 lc rgb '#000000' title 'h^2', " : "");
  figure_draw(f, &script, NULL);
}

static void claim_power(figures *f, const errors *e, int m, double wanted, double within, const char *claim) {
  double power = figure_power(e->step + 1, e->first[m] + 1, STEPS - 1);
  figure_claim(f, fabs(power - wanted) < within, claim,
               "the power is fitted to six steps; the sign of the difference may change between them",
               "%s, map %s: goes with h^%.2f", methods[m], maps[m], power);
}

void figure_pendulum_energy(figures *f) {
  errors e;
  collect(f, &e, 1);
  if (f->lab.error.status) return;
  draw(f, &e, "E-error", 2);
  claim_power(f, &e, 0, 2, 0.15, "quadratic convergence of the energy");
  claim_power(f, &e, 1, 2, 0.15, "quadratic convergence of the energy");
  claim_power(f, &e, 2, 1, 0.15, "linear convergence of the energy, first-order map");
  double first = figure_power(e.step + 1, e.first[0] + 1, STEPS - 1),
         other = figure_power(e.step + 1, e.first[1] + 1, STEPS - 1);
  figure_claim(f, fabs(first - other) < 0.1, "maps (23) and (25) show the same convergence", NULL,
               "h^%.2f and h^%.2f; at equal steps the error of (23) is %.1f times that of (25)", first, other,
               e.first[0][STEPS - 1] / e.first[1][STEPS - 1]);
}

void figure_pendulum_trajectory(figures *f) {
  errors e;
  collect(f, &e, 0);
  if (f->lab.error.status) return;
  draw(f, &e, "q-error", 1);
  claim_power(f, &e, 0, 1, 0.2, "linear convergence of trajectories in this norm");
  claim_power(f, &e, 1, 1, 0.2, "linear convergence of trajectories in this norm");
}

/* Q rho . W = W3 and |Q rho| - 1, rho = e3: how far off its start a member is. */
static void add_invariants(sd_text *script, const sd_result *r, int m, double *spin, double *length) {
  body_state s, start;
  sd_text_add(script, "$m%d << EOD\n", m);
  for (size_t i = 0; body_sample(r, 0, i, 0, &s); i++) {
    double turning[MEMBERS_MOST], off[MEMBERS_MOST];
    size_t n = 0;
    for (; n < MEMBERS_MOST && body_sample(r, 0, i, n, &s) && body_sample(r, 0, 0, n, &start); n++) {
      turning[n] = s.W[2] - start.W[2], off[n] = sqrt(s.Q[2] * s.Q[2] + s.Q[5] * s.Q[5] + s.Q[8] * s.Q[8]) - 1;
      *spin = fmax(*spin, fabs(turning[n])), *length = fmax(*length, fabs(off[n]));
    }
    figure_range a = figure_range_of(turning, n), b = figure_range_of(off, n);
    sd_text_add(script, "%.4g %.4g %.4g %.4g %.4g %.4g %.4g\n", 0.5 * (double)i, a.first, a.low, a.high, b.first, b.low,
                b.high);
  }
  sd_text_add(script, "EOD\n");
}

void figure_pendulum_invariants(figures *f) {
  sd_text script = {0};
  double spin[METHODS] = {0}, length[METHODS] = {0};
  const char *members = f->quick ? "8" : "64";
  figure_begin(f, &script, NULL, 960, 440);
  for (int m = 0; m < METHODS; m++) {
    sd_result *r = LAB_RUN(&f->lab, "problem", "pendulum", "method", methods[m], "members", members, "step", "0.01",
                           "time", "200", "every", "50", "trajectories", members);
    add_invariants(&script, r, m, &spin[m], &length[m]);
    sd_result_destroy(r);
  }
  sd_text_add(&script,
              "set multiplot layout 1,2 title 'pendulum, h = 0.01: the paper''s start (lines), 5 to 95 %% of %s starts "
              "(bands)'\nset format y '%%.0e'\nset xlabel 'time'\nset yrange [-2e-15:2e-15]\nset ytics 1e-15\nset key "
              "bottom inside\n",
              members);
  for (int k = 0; k < 2; k++) {
    sd_text_add(&script, "set ylabel '%s'\nplot ", k ? "|Rρ_0| − 1" : "change of Rρ_0·Ω");
    for (int m = 0; m < METHODS; m++)
      sd_text_add(&script,
                  "$m%d using 1:%d:%d with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle, ", m,
                  3 + 3 * k, 4 + 3 * k, sd_colour_of(methods[m]));
    for (int m = 0; m < METHODS; m++)
      sd_text_add(&script, "%s$m%d using 1:%d with lines lw 1 lc rgb '%s' title '%s' noenhanced", m ? ", " : "", m,
                  2 + 3 * k, sd_colour_of(methods[m]), methods[m]);
    sd_text_add(&script, "\n");
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
  for (int m = 0; m < 2; m++) {
    figure_claim(f, spin[m] < 1e-13, "Rρ·Ω = 0 is kept to machine precision", NULL, "%s: largest %.1e", methods[m],
                 spin[m]);
    figure_claim(f, length[m] < 1e-13, "|Rρ| = 1 is kept to machine precision", NULL, "%s: largest %.1e", methods[m],
                 length[m]);
  }
}
