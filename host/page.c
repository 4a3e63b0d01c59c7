#include "page.h"

#include "number.h"
#include "plotting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 400 }; /* of a curve: more are not seen */

/* ---- verdicts ---- */

void sd_page_key(sd_text *page, const char *method) {
  sd_text_add(page, "<span class=\"key\" style=\"--c:%s\"></span>%s", sd_colour_of(method), method);
}

/* A number in a cell, or a dash where there is none. */
static void add_cell(sd_text *page, const char *format, double value) {
  char text[48] = "-";
  if (isfinite(value)) sd_format(text, sizeof text, format, value);
  sd_text_add(page, "<td>%s</td>", text);
}

static void verdict_row(sd_text *page, const sd_summary *s) {
  char change[64] = "-";
  sd_text_add(page, "<tr><td>");
  sd_page_key(page, s->method);
  sd_text_add(page, "</td><td class=\"word\">%s", sd_verdict_text(s->verdict));
  if (s->verdict == SD_BOUNDED && isfinite(s->drift_limit)) sd_text_add(page, " &lt;%.2g", s->drift_limit);
  sd_text_add(page, "</td>");
  add_cell(page, "%+.2e", s->drift_slope);
  if (isfinite(s->drift_change))
    sd_format(change, sizeof change, "%+.2g ± %.1g", s->drift_change,
              isfinite(s->drift_change_reach) ? s->drift_change_reach : 0);
  sd_text_add(page, "<td>%s</td>", change);
  add_cell(page, "%.2e", s->energy_max_abs_error);
  add_cell(page, "%.1e", s->momentum_max_error);
  sd_text_add(page, "<td>%zu</td><td class=\"word\">", s->failed);
  sd_text_add_html(page, s->because);
  sd_text_add(page, "</td></tr>\n");
}

static void verdict_chart(sd_text *page, const sd_result *result) {
  size_t count = sd_result_count(result);
  sd_chart c;
  double low = -0.2, high = 0.2;
  for (size_t m = 0; m < count; m++) {
    const sd_summary *s = sd_result_summary(result, m);
    double reach = isfinite(s->drift_change_reach) ? s->drift_change_reach : 0;
    if (isfinite(s->drift_change)) low = fmin(low, 1.3 * (s->drift_change - reach));
    if (isfinite(s->drift_change)) high = fmax(high, 1.3 * (s->drift_change + reach));
  }
  sd_axis x = {"change of E over the run, over the rms of its oscillation", low, high, SD_AXIS_SIGNED, 0.05};
  sd_axis y = {NULL, -0.5, (double)count - 0.5, SD_AXIS_PLAIN, 0};
  sd_chart_begin(&c, page, 480, 60 + 26 * (int)count,
                 "Change of the energy over the run with its reach, for every method", x, y);
  sd_chart_strip(&c, -0.1, 0.1);
  for (size_t m = 0; m < count; m++) {
    const sd_summary *s = sd_result_summary(result, m);
    char title[160];
    double at = (double)(count - 1 - m);
    sd_format(title, sizeof title, "%s: %+.3g, reach %.2g; %s", s->method, s->drift_change, s->drift_change_reach,
              sd_verdict_text(s->verdict));
    sd_chart_name(&c, s->method, at);
    sd_chart_interval(&c, s->method, s->drift_change - s->drift_change_reach, s->drift_change + s->drift_change_reach,
                      at, 6);
    sd_chart_point(&c, s->method, s->drift_change, at, title);
  }
  sd_chart_end(&c);
}

void sd_page_verdicts(sd_text *page, const sd_result *result) {
  sd_text_add(page,
              "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"verdicts\"><table><thead><tr>"
              "<th scope=\"col\">method</th><th scope=\"col\" class=\"word\">verdict</th><th scope=\"col\">dE/dt</th>"
              "<th scope=\"col\">change/rms</th><th scope=\"col\">max |E−E0|</th><th scope=\"col\">momentum</th>"
              "<th scope=\"col\">failed</th><th scope=\"col\" class=\"word\">because</th></tr></thead><tbody>\n");
  for (size_t m = 0; m < sd_result_count(result); m++) verdict_row(page, sd_result_summary(result, m));
  sd_text_add(page, "</tbody></table></div>\n<figure class=\"apart\">");
  verdict_chart(page, result);
  sd_text_add(
      page,
      "<figcaption>Change of E over the run, in units of the rms of its oscillation, with what the run leaves room "
      "for. Within the strip, ±0.1, a change would not matter. The scale is logarithmic to both sides beyond "
      "0.05.</figcaption></figure>\n");
}

/* ---- over time ---- */

typedef struct {
  double time[POINTS_MOST], mean[POINTS_MOST], low[POINTS_MOST], high[POINTS_MOST];
  double lowest[POINTS_MOST], highest[POINTS_MOST];
  size_t count;
  double least, most; /* of all */
} curve;

/* Of many samples, groups of neighbours: the mean of the first, the extremes of all. */
static void take_curve(const sd_result *result, size_t method, curve *c) {
  size_t samples = sd_result_sample_count(result, method), group = (samples + POINTS_MOST - 1) / POINTS_MOST;
  c->count = 0;
  c->least = INFINITY, c->most = -INFINITY;
  for (size_t i = 0; i < samples; i += group) {
    const sd_sample *s = sd_result_sample(result, method, i);
    size_t n = c->count;
    if (!s->members) continue;
    c->time[n] = s->time, c->mean[n] = s->mean, c->low[n] = s->quantile[0], c->high[n] = s->quantile[SD_QUANTILES - 1];
    c->lowest[n] = s->lowest, c->highest[n] = s->highest;
    for (size_t k = i + 1; k < i + group && k < samples; k++) {
      const sd_sample *next = sd_result_sample(result, method, k);
      if (!next->members) continue;
      c->low[n] = fmin(c->low[n], next->quantile[0]);
      c->high[n] = fmax(c->high[n], next->quantile[SD_QUANTILES - 1]);
      c->lowest[n] = fmin(c->lowest[n], next->lowest);
      c->highest[n] = fmax(c->highest[n], next->highest);
    }
    c->least = fmin(c->least, c->lowest[n]);
    c->most = fmax(c->most, c->highest[n]);
    c->count++;
  }
}

static void band_chart(sd_text *page, const sd_result *result, size_t m, curve *k) {
  const sd_summary *s = sd_result_summary(result, m);
  char about[200];
  sd_chart c;
  take_curve(result, m, k);
  if (!k->count) return;
  sd_format(about, sizeof about, "Energy error of %s over time: from %.2e to %.2e, %s", s->method, k->least, k->most,
            sd_verdict_text(s->verdict));
  sd_text_add(page, "<figure><h4>%s</h4>", s->method);
  sd_chart_begin(&c, page, 360, 240, about, (sd_axis){"time", 0, s->time, SD_AXIS_PLAIN, 0},
                 (sd_axis){"E − E0", k->least, k->most, SD_AXIS_PLAIN, 0});
  sd_chart_line(&c, s->method, k->time, k->lowest, k->count, "thin");
  sd_chart_line(&c, s->method, k->time, k->highest, k->count, "thin");
  sd_chart_band(&c, s->method, k->time, k->low, k->high, k->count);
  sd_chart_line(&c, s->method, k->time, k->mean, k->count, "line");
  sd_chart_end(&c);
  sd_text_add(page, "<figcaption>%s</figcaption></figure>\n", sd_verdict_text(s->verdict));
}

void sd_page_bands(sd_text *page, const sd_result *result) {
  curve *k = malloc(sizeof *k);
  sd_text_add(
      page,
      "<p class=\"soft\">Mean over the members (line), 5 to 95 %% of them (band), extremes (thin). Every panel has a "
      "scale of its own.</p>\n<div class=\"grid\">\n");
  for (size_t m = 0; m < sd_result_count(result) && k; m++) band_chart(page, result, m, k);
  sd_text_add(page, "</div>\n");
  free(k);
}

/* ---- at the end ---- */

static void quantile_chart(sd_text *page, const sd_result *result) {
  size_t count = sd_result_count(result);
  double low = -1e-300, high = 1e-300, least = INFINITY;
  for (size_t m = 0; m < count; m++) {
    const sd_sample *s = sd_result_sample(result, m, sd_result_sample_count(result, m) - 1);
    if (!s->members) continue;
    low = fmin(low, 1.2 * s->lowest), high = fmax(high, 1.2 * s->highest);
    least = fmin(least, fmax(fabs(s->lowest), fabs(s->highest)));
  }
  double linear = pow(10, floor(log10(fmax(least, 1e-14)) - 1));
  sd_chart c;
  sd_chart_begin(&c, page, 480, 60 + 26 * (int)count, "Energy error at the end of the run: quantiles over the members",
                 (sd_axis){"E − E0 at the end", low, high, SD_AXIS_SIGNED, linear},
                 (sd_axis){NULL, -0.5, (double)count - 0.5, SD_AXIS_PLAIN, 0});
  for (size_t m = 0; m < count; m++) {
    const char *method = sd_result_summary(result, m)->method;
    const sd_sample *s = sd_result_sample(result, m, sd_result_sample_count(result, m) - 1);
    double at = (double)(count - 1 - m);
    sd_chart_name(&c, method, at);
    if (!s->members) continue;
    sd_chart_interval(&c, method, s->lowest, s->highest, at, 2);
    sd_chart_interval(&c, method, s->quantile[0], s->quantile[SD_QUANTILES - 1], at, 6);
    sd_chart_interval(&c, method, s->quantile[1], s->quantile[SD_QUANTILES - 2], at, 14);
    sd_chart_point(&c, method, s->quantile[SD_QUANTILES / 2], at, "median");
  }
  sd_chart_end(&c);
}

enum { BINS = 24 };
static void histogram(sd_text *page, const sd_result *result, size_t m) {
  sd_view v = {.size = sizeof v};
  size_t array = sd_result_array_count(result) - 1, most = 0, bin[BINS] = {0};
  if (sd_result_final(result, m, array, &v) || v.shape[0] < 8) return;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < v.shape[0]; i++) {
    double e = v.data[i * v.stride[0]];
    if (!isfinite(e)) continue;
    low = fmin(low, e), high = fmax(high, e);
  }
  if (!(high > low)) return;
  for (size_t i = 0; i < v.shape[0]; i++) {
    double e = v.data[i * v.stride[0]];
    size_t k = isfinite(e) ? (size_t)((e - low) / (high - low) * BINS) : BINS + 1;
    if (k <= BINS) bin[k < BINS ? k : BINS - 1]++;
  }
  for (int k = 0; k < BINS; k++) most = bin[k] > most ? bin[k] : most;
  const char *method = sd_result_summary(result, m)->method;
  sd_chart c;
  sd_text_add(page, "<figure><h4>%s</h4>", method);
  sd_chart_begin(&c, page, 360, 210, "Histogram of the final energy errors",
                 (sd_axis){"E − E0 at the end", low, high, SD_AXIS_PLAIN, 0},
                 (sd_axis){"members", 0, (double)most, SD_AXIS_WHOLE, 0});
  for (int k = 0; k < BINS; k++) {
    double from = low + (high - low) * k / BINS, to = low + (high - low) * (k + 1) / BINS, height = (double)bin[k];
    sd_chart_interval(&c, method, from, to, height / 2, sd_chart_y(&c, 0) - sd_chart_y(&c, height));
  }
  sd_chart_end(&c);
  sd_text_add(page, "</figure>\n");
}

void sd_page_ends(sd_text *page, const sd_result *result) {
  sd_text_add(page, "<figure class=\"apart\">");
  quantile_chart(page, result);
  sd_text_add(
      page,
      "<figcaption>Median (point), half of the members (thick), 90 %% (bar), all (thin); the scale is logarithmic to "
      "both sides.</figcaption></figure>\n");
  if (!sd_result_final_count(result)) return;
  sd_text_add(page, "<div class=\"grid\">\n");
  for (size_t m = 0; m < sd_result_count(result); m++) histogram(page, result, m);
  sd_text_add(page, "</div>\n");
}

/* ---- iterations and time ---- */

/* A number with a bar as long as its part of the largest. */
static void add_meter(sd_text *page, const char *method, const char *format, double value, double largest) {
  char text[48] = "-";
  double part = isfinite(value) && largest > 0 ? value / largest : 0;
  if (isfinite(value)) sd_format(text, sizeof text, format, value);
  sd_text_add(page, "<td class=\"word\"><span class=\"meter\" style=\"--c:%s;width:%.1frem\"></span>%s</td>",
              sd_colour_of(method), 8 * part, text);
}

void sd_page_iterations(sd_text *page, const sd_result *result) {
  double most = 0, slowest = 0;
  for (size_t m = 0; m < sd_result_count(result); m++) {
    const sd_summary *s = sd_result_summary(result, m);
    if (isfinite(s->newton_mean)) most = fmax(most, s->newton_mean);
    if (isfinite(s->ns_per_body_step)) slowest = fmax(slowest, s->ns_per_body_step);
  }
  sd_text_add(
      page,
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"iterations and time\"><table><thead><tr>"
      "<th scope=\"col\">method</th><th scope=\"col\" class=\"word\">iterations of a step, mean</th>"
      "<th scope=\"col\">largest</th><th scope=\"col\" class=\"word\">ns per body-step</th></tr></thead><tbody>\n");
  for (size_t m = 0; m < sd_result_count(result); m++) {
    const sd_summary *s = sd_result_summary(result, m);
    sd_text_add(page, "<tr><td>");
    sd_page_key(page, s->method);
    sd_text_add(page, "</td>");
    add_meter(page, s->method, "%.2f", s->newton_mean, most);
    add_cell(page, "%.0f", s->newton_max);
    add_meter(page, s->method, "%.1f", s->ns_per_body_step, slowest);
    sd_text_add(page, "</tr>\n");
  }
  sd_text_add(page, "</tbody></table></div>\n");
}

/* ---- work and precision ---- */

static const sd_summary *summary_of(const sd_result *result, const char *method) {
  for (size_t m = 0; m < sd_result_count(result); m++)
    if (!strcmp(sd_result_summary(result, m)->method, method)) return sd_result_summary(result, m);
  return NULL;
}

static void work_chart(sd_text *page, const sd_runs *runs) {
  enum { RUNS_MOST = 32 };
  const sd_result *first = runs->result[0];
  sd_axis x = {"ns of one body for a unit of time", INFINITY, 0, SD_AXIS_LOG, 0};
  sd_axis y = {"rms of E − E0", INFINITY, 0, SD_AXIS_LOG, 0};
  double cost[RUNS_MOST], error[RUNS_MOST];
  for (int drawing = 0; drawing < 2; drawing++) {
    sd_chart c;
    if (drawing && !(x.high > x.low && y.high > y.low)) return;
    if (drawing) sd_chart_begin(&c, page, 480, 340, "Energy error against cost, for every method and step", x, y);
    for (size_t m = 0; m < sd_result_count(first); m++) {
      size_t count = 0;
      const char *method = sd_result_summary(first, m)->method;
      for (size_t i = 0; i < runs->count && count < RUNS_MOST; i++) {
        const sd_summary *s = summary_of(runs->result[i], method);
        if (!s || !(s->energy_rms_error > 0) || !(s->ns_per_body_step > 0) || s->failed) continue;
        cost[count] = s->ns_per_body_step / s->step, error[count] = s->energy_rms_error;
        x.low = fmin(x.low, cost[count] / 1.3), x.high = fmax(x.high, cost[count] * 1.3);
        y.low = fmin(y.low, error[count] / 1.5), y.high = fmax(y.high, error[count] * 1.5);
        char title[80];
        sd_format(title, sizeof title, "%s, step %.6g", method, s->step);
        if (drawing) sd_chart_point(&c, method, cost[count], error[count], title);
        count++;
      }
      if (drawing) sd_chart_line(&c, method, cost, error, count, "line");
    }
    if (drawing) sd_chart_end(&c);
  }
  sd_text_add(page, "<figcaption>");
  for (size_t m = 0; m < sd_result_count(first); m++) {
    sd_page_key(page, sd_result_summary(first, m)->method);
    sd_text_add(page, m + 1 < sd_result_count(first) ? ", " : ". ");
  }
  sd_text_add(page, "A point for each step; of those that lost no member.</figcaption>");
}

void sd_page_work(sd_text *page, const sd_runs *runs) {
  sd_text_add(page, "<figure class=\"apart\">");
  work_chart(page, runs);
  sd_text_add(page, "</figure>\n");
}

/* ---- trajectories ---- */

/* The vector of a rotation whose matrix this is: its axis times its angle. */
static void rotation_vector(const double R[9], double x[3]) {
  double axis[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
  double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), cosine = R[0] + R[4] + R[8] - 1;
  double angle = atan2(sine, cosine);
  if (sine > 1e-6 || cosine > 0) {
    for (int i = 0; i < 3; i++) x[i] = sine > 1e-12 ? axis[i] / sine * angle : axis[i] / 2;
    return;
  }
  for (int i = 0; i < 3; i++)
    x[i] = angle * sqrt(fmax(0, (R[4 * i] + 1) / 2)); /* half a turn: either end of the axis */
}

typedef struct {
  sd_view view;
  int matrix;
  size_t members, bodies, every;
  double middle[3], radius; /* of what is shown */
} paths;

static void point_of(const paths *p, size_t sample, size_t member, size_t body, double x[3]) {
  const sd_view *v = &p->view;
  const double *at = v->data + sample * v->stride[0] + member * v->stride[1];
  double R[9];
  if (!p->matrix && v->rank > 3) at += body * v->stride[2];
  size_t last = v->stride[v->rank - 1];
  for (size_t i = 0; i < 3 && !p->matrix; i++) x[i] = at[i * last];
  for (size_t i = 0; i < 9 && p->matrix; i++) R[i] = at[i / 3 * v->stride[v->rank - 2] + i % 3 * last];
  if (p->matrix) rotation_vector(R, x);
}

/* The first array, if it is a matrix or a vector in space. */
static int find_paths(const sd_result *result, size_t method, paths *p) {
  p->view = (sd_view){.size = sizeof p->view};
  if (!sd_result_trajectory_count(result) || sd_result_trajectory(result, method, 0, &p->view)) return 0;
  const sd_view *v = &p->view;
  p->matrix = v->rank == 4 && v->shape[2] == 3 && v->shape[3] == 3;
  if (!p->matrix && (v->rank < 3 || v->rank > 4 || v->shape[v->rank - 1] != 3)) return 0;
  p->members = v->shape[1] < 4 ? v->shape[1] : 4;
  p->bodies = !p->matrix && v->rank == 4 ? (v->shape[2] < 200 ? v->shape[2] : 200) : 1;
  p->every = 1 + v->shape[0] / 1000;
  return 1;
}

/* The ball of rotations, or one about all positions of the run, and the space around it where they have no extent. */
static void find_middle(const sd_result *result, paths *all) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, x[3], sum = 0;
  paths p;
  for (size_t m = 0; m < sd_result_count(result) && find_paths(result, m, &p); m++)
    for (size_t i = 0; i < p.view.shape[0]; i += p.every)
      for (size_t k = 0; k < p.members * p.bodies; k++) {
        point_of(&p, i, k / p.bodies, k % p.bodies, x);
        for (int a = 0; a < 3; a++)
          if (isfinite(x[a])) low[a] = fmin(low[a], x[a]), high[a] = fmax(high[a], x[a]);
      }
  for (int a = 0; a < 3; a++) {
    all->middle[a] = !all->matrix && high[a] >= low[a] ? (low[a] + high[a]) / 2 : 0;
    sum += high[a] > low[a] ? pow((high[a] - low[a]) / 2, 2) : 0;
  }
  all->radius = all->matrix ? 3.14159265 : sum > 0 ? sqrt(sum) : 1;
}

static void add_path(sd_text *page, const paths *p, const char *method, size_t member, size_t body, int first) {
  double x[3];
  sd_text_add(page, "%s{\"box\":\"show-%s-%zu\",\"colour\":\"%s\",\"points\":[", first ? "" : ",\n", method, member,
              sd_colour_of(method));
  for (size_t i = 0; i < p->view.shape[0]; i += p->every) {
    point_of(p, i, member, body, x);
    for (int k = 0; k < 3; k++) x[k] = isfinite(x[k]) ? x[k] - p->middle[k] : 0;
    sd_text_add(page, "%s[%.5g,%.5g,%.5g]", i ? "," : "", x[0], x[1], x[2]);
  }
  sd_text_add(page, "]}");
}

static void add_boxes(sd_text *page, const sd_result *result, size_t members) {
  for (size_t m = 0; m < sd_result_count(result); m++)
    for (size_t i = 0; i < members; i++) {
      const char *method = sd_result_summary(result, m)->method;
      sd_text_add(page, "<label><input type=\"checkbox\" id=\"show-%s-%zu\"%s> ", method, i, m + i ? "" : " checked");
      sd_page_key(page, method);
      sd_text_add(page, members > 1 ? ", member %zu</label>\n" : "</label>\n", i);
    }
}

static void add_controls(sd_text *page, const sd_result *result, const paths *p) {
  sd_text_add(
      page, "<div class=\"view\"><canvas id=\"space\" tabindex=\"0\" role=\"application\" aria-label=\"Trajectories in "
            "space; arrow keys turn them, plus and minus change the size\"></canvas>\n<div class=\"row\"><button "
            "id=\"play\" type=\"button\">Play</button><label for=\"when\">time</label><input id=\"when\" "
            "type=\"range\" min=\"0\"><output id=\"shown\" for=\"when\"></output></div>\n<div class=\"row\">");
  add_boxes(page, result, p->members);
  sd_text_add(page,
              "</div></div>\n<p class=\"soft\">%s<span class=\"screen\"> Drag or use the arrow keys to turn, + and − "
              "for the size.</span></p>\n",
              p->matrix ? "Each rotation is shown as the vector along its axis, as long as its angle; the ball has the "
                          "radius π."
              : p->bodies > 1 ? "Positions in space: every body, and where it was a moment ago."
                              : "Positions in space.");
}

int sd_page_trajectories(sd_text *page, const sd_result *result) {
  paths p, other;
  if (!find_paths(result, 0, &p)) return 0;
  find_middle(result, &p);
  add_controls(page, result, &p);
  sd_text_add(page,
              "<script type=\"application/json\" id=\"paths\">{\"ball\":%s,\"bodies\":%zu,\"radius\":%.6g,\"origin\":"
              "[%.6g,%.6g,%.6g],\"time\":[",
              p.matrix ? "true" : "false", p.bodies, p.radius, -p.middle[0], -p.middle[1], -p.middle[2]);
  for (size_t i = 0; i < p.view.shape[0]; i += p.every)
    sd_text_add(page, "%s%.6g", i ? "," : "", sd_result_trajectory_time(result, i));
  sd_text_add(page, "],\"paths\":[");
  for (size_t m = 0; m < sd_result_count(result) && find_paths(result, m, &other); m++) {
    p.view = other.view;
    for (size_t k = 0; k < p.members * p.bodies; k++)
      add_path(page, &p, sd_result_summary(result, m)->method, k / p.bodies, k % p.bodies, !m && !k);
  }
  sd_text_add(page, "]}</script>\n");
  return 1;
}
