/* figure_orbit.c - two-body orbits for a day, after J. M. Carson, Examining Geometric Integration for Propagating Orbit
 * Trajectories with Non-Conservative Forcing (California Institute of Technology, 2005): tracks, energies, and what is
 * left for later there: impulses, forces, the period.
 *
 * The paper gives no step.  Its RK4 loses the tenth digit of the energy in a day, which is h = 10 s. */
#include "figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Q, P, ENERGY, WORK, POSITION_ERROR, VELOCITY_ERROR, PHASE_ERROR, PERIOD_ERROR }; /* arrays of a state */
static const char DAY[] = "86400";

enum { MEMBERS_MOST = 64 };

/* The size of ensembles of which every member is looked at. */
static const char *track_members(const figures *f) {
  return f->quick ? "16" : "64";
}

/* A number of a member at a sample, and at the end. */
static double number_of(const sd_result *r, size_t method, size_t sample, size_t member, size_t array,
                        size_t component) {
  sd_view v = {.size = sizeof v};
  if (!r || sd_result_trajectory(r, method, array, &v) || sample >= v.shape[0] || member >= v.shape[1]) return NAN;
  return v.data[sample * v.stride[0] + member * v.stride[1] + (v.rank > 2 ? component * v.stride[2] : 0)];
}
static double number_at(const sd_result *r, size_t method, size_t sample, size_t array, size_t component) {
  return number_of(r, method, sample, 0, array, component);
}
static double final_number(const sd_result *r, size_t method, size_t array, size_t member) {
  sd_view v = {.size = sizeof v};
  if (!r || sd_result_final(r, method, array, &v) || member >= v.shape[0]) return NAN;
  return v.data[member * v.stride[0]];
}

static sd_result *day(figures *f, const char *problem, const char *methods, const char *step, const char *every) {
  return LAB_RUN(&f->lab, "problem", problem, "method", methods, "members", figure_members(f), "step", step, "time",
                 DAY, "every", every, "trajectories", track_members(f), "final", "1");
}

/* RK45 with MATLAB's tolerances chooses its steps between the ends of ours, so each point is a run of a single step. */
static double winding_data(figures *f, sd_text *script, const char *problem) {
  enum { COUNT = 720 };
  double energy = NAN;
  sd_text_add(script, "$rk45 << EOD\n");
  for (int i = 1; i <= COUNT; i++) {
    lab_text time = lab_number(86400.0 * i / COUNT);
    sd_view q = {.size = sizeof q};
    sd_result *r = LAB_RUN(&f->lab, "problem", problem, "method", "rk45", "param", "rtol=1e-3", "param", "atol=1e-6",
                           "members", "1", "final", "1", "step", time.text, "steps", "1");
    if (!r) break;
    if (!sd_result_final(r, 0, Q, &q)) sd_text_add(script, "%.6g %.6g\n", q.data[0], q.data[q.stride[1]]);
    energy = final_number(r, 0, ENERGY, 0);
    sd_result_destroy(r);
  }
  sd_text_add(script, "EOD\n");
  return energy;
}

static void track_data(sd_text *script, const sd_result *r, size_t method, const char *name) {
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t i = 0; isfinite(number_at(r, method, i, Q, 0)); i++)
    sd_text_add(script, "%.6g %.6g\n", number_at(r, method, i, Q, 0), number_at(r, method, i, Q, 1));
  sd_text_add(script, "EOD\n");
}

/* How far outside the analytic track, the conic section of its start, a member is: whatever the time it is there. */
static double track_offset(const sd_result *r, size_t method, size_t sample, size_t member) {
  const double mu = 3200.9998;
  double q[2], p[2], x[2];
  for (size_t k = 0; k < 2; k++)
    q[k] = number_of(r, method, 0, member, Q, k), p[k] = number_of(r, method, 0, member, P, k),
    x[k] = number_of(r, method, sample, member, Q, k);
  double momentum = q[0] * p[1] - q[1] * p[0], radius = hypot(q[0], q[1]), now = hypot(x[0], x[1]);
  double e[2] = {p[1] * momentum / mu - q[0] / radius,
                 -p[0] * momentum / mu - q[1] / radius}; /* towards the periapsis */
  return now - momentum * momentum / mu / (1 + (e[0] * x[0] + e[1] * x[1]) / now);
}
static double largest_offset(const sd_result *r, size_t method) {
  double worst = 0;
  for (size_t i = 0; i < sd_result_trajectory_samples(r); i++) worst = fmax(worst, fabs(track_offset(r, method, i, 0)));
  return worst;
}
static void offset_data(sd_text *script, const sd_result *r, size_t method, const char *name) {
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t i = 0; i < sd_result_trajectory_samples(r); i += 2) {
    double all[MEMBERS_MOST];
    size_t count = 0;
    for (; count < sd_result_trajectory_count(r) && count < MEMBERS_MOST; count++)
      all[count] = track_offset(r, method, i, count);
    figure_range o = figure_range_of(all, count);
    sd_text_add(script, "%.5g %.5g %.5g %.5g\n", sd_result_trajectory_time(r, i) / 3600, o.first, o.low, o.high);
  }
  sd_text_add(script, "EOD\n");
}

/* Tracks, and what cannot be seen in them: how far off they are. */
static void draw_tracks(figures *f, const sd_result *r, const char *problem, double wide) {
  sd_text script = {0};
  figure_begin(f, &script, NULL, 1080, 520);
  double fallen = winding_data(f, &script, problem), start = number_at(r, 0, 0, ENERGY, 0);
  for (size_t m = 0; m < sd_result_count(r); m++) {
    char name[32];
    snprintf(name, sizeof name, "$m%zu", m);
    track_data(&script, r, m, name);
    snprintf(name, sizeof name, "$o%zu", m);
    offset_data(&script, r, m, name);
  }
  sd_text_add(
      &script,
      "set key top left outside horizontal\nset multiplot layout 1,2 title '%s, one day, h = 10 s'\nset size "
      "square\nset xlabel 'x [km]'\n"
      "set ylabel 'y [km]'\nset xrange [-%g:%g]\nset yrange [-%g:%g]\nset xtics %g\nset ytics %g\nset title 'tracks'\n"
      "plot $rk45 with points pt 7 ps 0.25 lc rgb '%s' title 'rk45, tolerance 10^{−3}', ",
      problem, wide, wide, wide, wide, wide / 2, wide / 2, sd_colour_of("rk45"));
  for (size_t m = 0; m < sd_result_count(r); m++) {
    const char *method = sd_result_summary(r, m)->method;
    sd_text_add(&script, "%s$m%zu with lines lw %d lc rgb '%s' title '%s' noenhanced", m ? ", " : "", m, m ? 1 : 3,
                sd_colour_of(method), method);
  }
  sd_text_add(&script, "\nset size nosquare\nset autoscale\nset xtics 6\nset ytics autofreq\nset xlabel 'time "
                       "[h]'\nset ylabel 'outside the analytic track [km]'\n"
                       "set title 'offset of the track, and 5 to 95 %% of perturbed starts (bands)'\nplot ");
  for (size_t m = 0; m < sd_result_count(r); m++)
    sd_text_add(&script, "$o%zu using 1:3:4 with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle, ",
                m, sd_colour_of(sd_result_summary(r, m)->method));
  for (size_t m = 0; m < sd_result_count(r); m++) {
    const char *method = sd_result_summary(r, m)->method;
    sd_text_add(&script, "%s$o%zu using 1:2 with lines lw 1.3 lc rgb '%s' title '%s' noenhanced", m ? ", " : "", m,
                sd_colour_of(method), method);
  }
  sd_text_add(&script, "\nunset multiplot\n");
  figure_draw(f, &script, NULL);
  figure_claim(f, fallen < start * 1.05, "RK45 winds in towards the planet", NULL,
               "H goes from %.4f to %.4f in a day with MATLAB's tolerances, 1e-3 and 1e-6", start, fallen);
  sd_result *tight = LAB_RUN(&f->lab, "problem", problem, "method", "rk45", "members", "1", "step", "86400", "steps",
                             "1", "final", "1");
  double change = fabs(final_number(tight, 0, ENERGY, 0) - start);
  figure_claim(f, change > 1e-3, "it is the method that dissipates energy",
               "it is the tolerance: with 1e-12 the method does not wind in", "H changes by %.1e with 1e-12", change);
  sd_result_destroy(tight);
}

static double position_error(const sd_result *r, const char *method) {
  for (size_t m = 0; r && m < sd_result_count(r); m++)
    if (!strcmp(sd_result_summary(r, m)->method, method)) return final_number(r, m, POSITION_ERROR, 0);
  return NAN;
}

void figure_orbit_circular(figures *f) {
  sd_result *r = day(f, "orbit-circular", "midpoint,rk4", "10", "12");
  if (!r) return;
  draw_tracks(f, r, "orbit-circular", 2000);
  double midpoint = largest_offset(r, 0), rk4 = largest_offset(r, 1);
  figure_claim(f, midpoint < rk4, "the symplectic integrator has a smaller offset than RK4",
               "at the step at which RK4 loses the tenth digit of H, as the paper has it, RK4 is far nearer; what its "
               "figure shows cannot be "
               "checked: it names no step, and the H that it prints does not follow from the start that it prints",
               "off the analytic track by up to %.2g km (midpoint) and %.2g km (rk4); after a day %.2g and %.2g km "
               "from where it should be",
               midpoint, rk4, position_error(r, "midpoint"), position_error(r, "rk4"));
  sd_result_destroy(r);
}

void figure_orbit_elliptic(figures *f) {
  sd_result *r = day(f, "orbit-elliptic", "midpoint,rk2,rk4", "10", "12");
  if (!r) return;
  draw_tracks(f, r, "orbit-elliptic", 3000);
  double midpoint = position_error(r, "midpoint"), rk2 = position_error(r, "rk2"), rk4 = position_error(r, "rk4");
  figure_claim(f, rk4 < midpoint && rk4 < rk2, "RK4 is significantly more accurate than the symplectic method and RK2",
               NULL, "after a day: rk4 %.1e km, midpoint %.1e km, rk2 %.1e km", rk4, midpoint, rk2);
  sd_result_destroy(r);
}

/* ---- energies ---- */

static void draw_energies(figures *f, const sd_result *r, const char *problem) {
  sd_text script = {0};
  int count = (int)sd_result_count(r);
  figure_begin(f, &script, NULL, 330 * count + 30, 300);
  sd_text_add(&script,
              "set key off\nset xlabel 'time [h]' offset 0,0.4\nset ylabel 'H − H_0 [kg km^2/s^2]' offset 1,0\nset "
              "xtics 6\nset format y '%%.1e'\n"
              "set multiplot layout 1,%d title '%s, h = 10 s: the paper''s orbit (line), 5 to 95 %% of perturbed "
              "starts (band)'\n",
              count, problem);
  for (int m = 0; m < count; m++) {
    char name[16];
    const char *method = sd_result_summary(r, (size_t)m)->method, *colour = sd_colour_of(method);
    snprintf(name, sizeof name, "$m%d", m);
    figure_energy_data(&script, r, (size_t)m, name);
    sd_text_add(&script,
                "set title '%s' noenhanced\nplot %s using ($1/3600):3:4 with filledcurves fs transparent solid 0.3 "
                "noborder lc rgb '%s', '' using ($1/3600):2 "
                "with lines lw 1.2 lc rgb '%s'\n",
                method, name, colour, colour);
  }
  sd_text_add(&script, "unset multiplot\n");
  figure_draw(f, &script, NULL);
}

/* Of the first member: mean, and the change from the first to the last tenth of the run. */
static void energy_course(const sd_result *r, size_t method, double *mean, double *change) {
  size_t samples = sd_result_trajectory_samples(r), tenth = samples / 10;
  double first = 0, last = 0, sum = 0;
  for (size_t i = 0; i < samples; i++) {
    double e = figure_first_error(r, method, i);
    sum += e;
    if (i < tenth) first += e;
    if (i >= samples - tenth) last += e;
  }
  *mean = sum / (double)samples;
  *change = (last - first) / (double)tenth;
}

void figure_orbit_circular_energy(figures *f) {
  sd_result *r = day(f, "orbit-circular", "midpoint,rk4", "10", "10");
  double mean, change, mean4, change4;
  if (!r) return;
  draw_energies(f, r, "orbit-circular");
  energy_course(r, 0, &mean, &change);
  energy_course(r, 1, &mean4, &change4);
  figure_claim(f, change4 < -1e-12 && change4 > -1e-9, "RK4 introduces false dissipation, in the tenth digit", NULL,
               "H falls by %.1e in a day", -change4);
  figure_claim(f, fabs(change) < 1e-9, "the symplectic integrator conserves the energy", NULL,
               "H moves by %.1e from the first to the last tenth of the day, within its oscillation of %.1e", change,
               sd_result_summary(r, 0)->oscillation_rms);
  sd_result_destroy(r);
}

void figure_orbit_elliptic_energy(figures *f) {
  sd_result *r = day(f, "orbit-elliptic", "midpoint,rk2,rk4", "10", "10");
  double mean, change, mean2, change2, mean4, change4;
  if (!r) return;
  draw_energies(f, r, "orbit-elliptic");
  energy_course(r, 0, &mean, &change);
  energy_course(r, 1, &mean2, &change2);
  energy_course(r, 2, &mean4, &change4);
  figure_claim(f, fabs(mean) > 1e-7 && fabs(change) < fabs(mean),
               "the symplectic energy oscillates about a mean value, offset from the actual energy", NULL,
               "mean H - H0 %.2e", mean);
  figure_claim(f, change4 < 0, "a very long integration would show the energy decay of RK4", NULL,
               "H falls by %.1e from the first to the last tenth of the day", -change4);
  figure_claim(f, change2 < 0, "the energy of RK2 decays",
               "H rises towards zero and the orbit widens: it is the size of H that decays", "H changes by %+.1e",
               change2);
  sd_result_destroy(r);
}

/* ---- future steps: errors of an ensemble over the step, or over time ---- */

enum { CURVES = 4, PLACES = 6 };

typedef struct {
  const char *method, *title;
  figure_range error[PLACES];
} curve;

/* Each member's number at the end, less that of another run where there is one. */
static figure_range final_range(const sd_result *r, const sd_result *exact, size_t method, size_t array, double scale) {
  double all[MEMBERS_MOST];
  size_t count = r ? sd_result_final_count(r) : 0;
  if (count > MEMBERS_MOST) count = MEMBERS_MOST;
  for (size_t k = 0; k < count; k++)
    all[k] = fabs(final_number(r, method, array, k) - (exact ? final_number(exact, 0, array, k) : 0)) / scale;
  return figure_range_of(all, count);
}

static void draw_curves(figures *f, const curve *c, const double *x, int places, const char *title, const char *looks) {
  sd_text script = {0};
  figure_begin(f, &script, NULL, 820, 440);
  for (int m = 0; m < CURVES; m++) {
    char name[16];
    snprintf(name, sizeof name, "$m%d", m);
    figure_range_data(&script, name, x, c[m].error, places);
  }
  sd_text_add(&script,
              "set title \"%s\\nthe paper's start (points), 5 to 95 %% of %s perturbed ones (bands)\"\nset logscale "
              "xy\nset format y '10^{%%T}'\n%s\nplot ",
              title, track_members(f), looks);
  for (int m = 0; m < CURVES; m++) {
    char name[16];
    snprintf(name, sizeof name, "$m%d", m);
    figure_range_curve(&script, name, c[m].method, c[m].title);
    sd_text_add(&script, m + 1 < CURVES ? ", " : "\n");
  }
  figure_draw(f, &script, NULL);
}

enum { STEPS = 5 };
static void halve(double step[STEPS]) {
  for (int i = 0; i < STEPS; i++) step[i] = 160.0 / (1 << i);
}

void figure_orbit_impulses(figures *f) {
  curve c[CURVES] = {{.method = "midpoint", .title = "midpoint"},
                     {.method = "verlet", .title = "verlet"},
                     {.method = "rk4", .title = "rk4"},
                     {.method = "verlet@4", .title = "verlet@4"}};
  static const double order[CURVES] = {2, 2, 4, 4};
  double step[STEPS];
  halve(step);
  for (int m = 0; m < CURVES; m++)
    for (int i = 0; i < STEPS; i++) {
      lab_text h = lab_number(step[i]);
      sd_result *r = LAB_RUN(&f->lab, "problem", "orbit-elliptic", "method", c[m].method, "members", track_members(f),
                             "step", h.text, "time", DAY, "final", track_members(f), "impulse", "t=20000,dv=0.01,0,0",
                             "impulse", "t=31415.9,dv=0,0.02,0");
      c[m].error[i] = final_range(r, NULL, 0, POSITION_ERROR, 1);
      sd_result_destroy(r);
    }
  draw_curves(f, c, step, STEPS, "orbit-elliptic with two impulses, one of them inside a step: after a day",
              "set xrange "
              "[8:200]\nset xtics (10, 20, 40, 80, 160)\nset xlabel 'step [s]'\nset ylabel 'distance from the analytic "
              "solution [km]'");
  for (int m = 0; m < CURVES && !f->lab.error.status; m++) {
    double power = figure_range_power(step + 1, c[m].error + 1, STEPS - 1);
    figure_claim(f, fabs(power - order[m]) < 0.5, "schemes track the analytic solution with impulses (future steps)",
                 NULL, "%s: error goes with h^%.2f, %.2g km at h = 10 s", c[m].method, power,
                 c[m].error[STEPS - 1].first);
  }
}

void figure_orbit_forces(figures *f) {
  curve c[CURVES] = {{.method = "midpoint", .title = "midpoint, h = 100 s"},
                     {.method = "verlet", .title = "verlet, h = 20 s"},
                     {.method = "verlet@4", .title = "verlet@4, h = 100 s"},
                     {.method = "rk4", .title = "rk4, h = 80 s"}};
  static const char *const steps[CURVES] = {"100", "20", "100", "80"};
  static const double days[PLACES] = {1, 2, 4, 8, 16, 32};
  int times = f->quick ? 4 : PLACES;
  for (int t = 0; t < times; t++) {
    lab_text time = lab_number(86400 * days[t]);
    const char *members = track_members(f);
    sd_result *exact = LAB_RUN(&f->lab, "problem", "orbit-elliptic", "param", "drag=1e-8", "method", "verlet@8",
                               "members", members, "step", "40", "time", time.text, "final", members);
    for (int m = 0; m < CURVES; m++) {
      sd_result *r = LAB_RUN(&f->lab, "problem", "orbit-elliptic", "param", "drag=1e-8", "method", c[m].method,
                             "members", members, "step", steps[m], "time", time.text, "final", members);
      if (exact) c[m].error[t] = final_range(r, exact, 0, ENERGY, 1);
      sd_result_destroy(r);
    }
    sd_result_destroy(exact);
  }
  draw_curves(f, c, days, times, "orbit-elliptic with drag, about one evaluation of the force in 20 s",
              "set xlabel 'time "
              "[days]'\nset xtics (1, 2, 4, 8, 16, 32)\nset ylabel '|H − H_{fine}| [kg km^2/s^2]'");
  if (f->lab.error.status) return;
  const figure_range *composed = c[2].error, *classical = c[3].error;
  double forced = composed[times - 1].first / composed[0].first,
         plain = classical[times - 1].first / classical[0].first;
  figure_claim(f, forced < 10 && plain > days[times - 1] / 4,
               "forced variational methods may keep an element of the forced dynamics (future steps)", NULL,
               "over %g days the error of H grows %.1f times with verlet@4 and %.1f times with rk4", days[times - 1],
               forced, plain);
  figure_claim(f, composed[0].first < classical[0].first,
               "and so be more accurate than traditional techniques (future steps)", NULL,
               "at equal cost, after a day: verlet@4 %.1e, rk4 %.1e; at order 2 verlet %.1e, midpoint %.1e",
               composed[0].first, classical[0].first, c[1].error[0].first, c[0].error[0].first);
}

/* From the phase that is gained or lost in a day. */
void figure_orbit_period(figures *f) {
  curve c[CURVES] = {{.method = "midpoint", .title = "midpoint"},
                     {.method = "verlet", .title = "verlet"},
                     {.method = "rk2", .title = "rk2"},
                     {.method = "rk4", .title = "rk4"}};
  const double period = 11606, angle = 6.283185307179586 * 86400 / period; /* seconds; radians in a day */
  double step[STEPS];
  halve(step);
  for (int i = 0; i < STEPS; i++) {
    lab_text h = lab_number(step[i]);
    sd_result *r = LAB_RUN(&f->lab, "problem", "orbit-elliptic", "method", "midpoint,verlet,rk2,rk4", "members",
                           track_members(f), "step", h.text, "time", DAY, "final", track_members(f));
    for (size_t m = 0; m < CURVES && r; m++) c[m].error[i] = final_range(r, NULL, m, PHASE_ERROR, angle);
    sd_result_destroy(r);
  }
  draw_curves(f, c, step, STEPS, "orbit-elliptic: error of the period, from the phase after a day",
              "set xrange [8:200]\nset "
              "xtics (10, 20, 40, 80, 160)\nset xlabel 'step [s]'\nset ylabel 'relative error of the period'");
  for (int m = 0; m < CURVES && !f->lab.error.status; m++)
    figure_claim(f, c[m].error[STEPS - 1].first < 1e-3,
                 "the period of a conic orbit should be recoverable (future steps)", NULL,
                 "%s: off by %.1e at h = 10 s, goes with h^%.2f", c[m].method, c[m].error[STEPS - 1].first,
                 figure_range_power(step + 1, c[m].error + 1, STEPS - 1));
}
