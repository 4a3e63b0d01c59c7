/* command_plot.c - spindrift plot: the pictures of a result file, one file each: energy over time, verdicts, energy at
 * the end; of members about a centre also their paths and elements. */
#include "commands.h"
#include "map.h"
#include "number.h"
#include "plotting.h"
#include "tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 4096 };

typedef struct {
  const sd_result *result;
  char stem[NAME - 64];
  const char *ending; /* .svg or .png */
  sd_error error;
} pictures;

/* STEM-kind.svg, and of several runs STEM-2-kind.svg. */
static void name_of(const pictures *p, size_t run, const char *kind, char name[NAME]) {
  if (run) snprintf(name, NAME, "%s-%zu-%s%s", p->stem, run + 1, kind, p->ending);
  else snprintf(name, NAME, "%s-%s%s", p->stem, kind, p->ending);
}

static void finish(pictures *p, sd_text *script, const char *name) {
  if (!sd_picture_draw(script, name, &p->error)) printf("%s\n", name);
}

static void add_title(const pictures *p, sd_text *script) {
  const sd_summary *s = sd_result_summary(p->result, 0);
  sd_text_add(script, "'%s: %zu members, step %g' noenhanced", s->problem, s->members, s->step);
}

/* Mean, extremes and quantiles of E - E0 of every method, a panel each. */
static void draw_energy(pictures *p, size_t run) {
  char name[NAME];
  size_t count = sd_result_count(p->result), columns = count < 2 ? 1 : count < 5 ? 2 : 3;
  size_t rows = (count + columns - 1) / columns;
  sd_text script = {0};
  name_of(p, run, "energy", name);
  sd_picture_begin(&script, name, 340 * (int)columns + 40, 230 * (int)rows + 50);
  sd_text_add(&script,
              "set key off\nset xlabel 'time' offset 0,0.5\nset ylabel 'E − E_0' offset 1,0\nset xtics %g\n"
              "set multiplot layout %zu,%zu title ",
              sd_result_summary(p->result, 0)->time / 4, rows, columns);
  add_title(p, &script);
  sd_text_add(&script, "\n");
  for (size_t m = 0; m < count; m++) {
    const sd_summary *s = sd_result_summary(p->result, m);
    size_t samples = sd_result_sample_count(p->result, m);
    sd_text_add(&script, "$m%zu << EOD\n", m);
    for (size_t i = 0; i < samples; i++) {
      const sd_sample *at = sd_result_sample(p->result, m, i);
      if (at->members)
        sd_text_add(&script, "%.9g %.6g %.6g %.6g %.6g %.6g\n", at->time, at->mean, at->quantile[0],
                    at->quantile[SD_QUANTILES - 1], at->lowest, at->highest);
    }
    sd_text_add(&script, "EOD\nset title '%s: %s' noenhanced\n", s->method, sd_verdict_text(s->verdict));
    const char *colour = sd_colour_of(s->method);
    sd_text_add(&script,
                "plot $m%zu using 1:3:4 with filledcurves fs transparent solid 0.3 noborder lc rgb '%s', "
                "'' using 1:5 with lines lw 0.5 lc rgb '%s', '' using 1:6 with lines lw 0.5 lc rgb '%s', "
                "'' using 1:2 with lines lw 1.5 lc rgb '%s'\n",
                m, colour, colour, colour, colour);
  }
  sd_text_add(&script, "unset multiplot\n");
  finish(p, &script, name);
}

/* Changes over the run with their reach, logarithmic to both sides. */
static void draw_verdicts(pictures *p, size_t run) {
  char name[NAME];
  size_t count = sd_result_count(p->result);
  sd_text script = {0};
  double low = -0.3, high = 0.3;
  for (size_t m = 0; m < count; m++) {
    const sd_summary *s = sd_result_summary(p->result, m);
    double reach = isfinite(s->drift_change_reach) ? s->drift_change_reach : 0;
    if (isfinite(s->drift_change)) low = fmin(low, 1.5 * (s->drift_change - reach));
    if (isfinite(s->drift_change)) high = fmax(high, 1.5 * (s->drift_change + reach));
  }
  name_of(p, run, "verdicts", name);
  sd_picture_begin(&script, name, 820, 110 + 26 * (int)count);
  sd_text_add(&script, "set key off\nf(x) = asinh(x/0.1)\nset title ");
  add_title(p, &script);
  sd_text_add(&script,
              "\nset xlabel 'change of E over the run, over the rms of its oscillation'\nset yrange "
              "[-0.7:%zu-0.3]\nset ytics (",
              count);
  for (size_t m = 0; m < count; m++)
    sd_text_add(&script, "%s'%s' %zu", m ? ", " : "", sd_result_summary(p->result, m)->method, count - 1 - m);
  sd_text_add(&script, ")\nset xtics (");
  for (int e = 4; e >= -1; e--) {
    double tick = pow(10, e);
    if (-tick >= low) sd_text_add(&script, "'-%g' f(-1e%d), ", tick, e);
    if (tick <= high) sd_text_add(&script, "'%g' f(1e%d), ", tick, e);
  }
  sd_text_add(&script, "'0' 0)\nset xrange [f(%.9g):f(%.9g)]\n", low, high);
  sd_text_add(&script, "set object 1 rect from f(-0.1),graph 0 to f(0.1),graph 1 fs solid 0.15 noborder fc rgb "
                       "'#777777' behind\n");
  for (size_t m = 0; m < count; m++) {
    const sd_summary *s = sd_result_summary(p->result, m);
    double reach = isfinite(s->drift_change_reach) ? s->drift_change_reach : 0;
    sd_text_add(&script, "$m%zu << EOD\n", m);
    if (isfinite(s->drift_change))
      sd_text_add(&script, "%.9g %zu %.9g %.9g\n", s->drift_change, count - 1 - m, s->drift_change - reach,
                  s->drift_change + reach);
    sd_text_add(&script, "EOD\n");
  }
  for (size_t m = 0; m < count; m++)
    sd_text_add(&script, "%s$m%zu using (f($1)):2:(f($3)):(f($4)) with xerrorbars lw 3 pt 7 ps 0.9 lc rgb '%s'",
                m ? ", " : "plot ", m, sd_colour_of(sd_result_summary(p->result, m)->method));
  sd_text_add(&script, "\n");
  finish(p, &script, name);
}

/* Quantiles over the members of |E - E0| at the end are of no use where signs matter: so the quantiles themselves. */
static void draw_ends(pictures *p, size_t run) {
  char name[NAME];
  size_t count = sd_result_count(p->result);
  sd_text script = {0};
  name_of(p, run, "end", name);
  sd_picture_begin(&script, name, 820, 420);
  sd_text_add(&script, "set key off\nset title ");
  add_title(p, &script);
  sd_text_add(&script,
              "\nset ylabel 'E − E_0 at the end'\nset xrange [-0.6:%zu-0.4]\nset boxwidth 0.5\nset style fill "
              "transparent solid "
              "0.4\nset xtics rotate by -30 (",
              count);
  for (size_t m = 0; m < count; m++)
    sd_text_add(&script, "%s'%s' %zu", m ? ", " : "", sd_result_summary(p->result, m)->method, m);
  sd_text_add(&script, ")\n");
  for (size_t m = 0; m < count; m++) {
    size_t samples = sd_result_sample_count(p->result, m);
    const sd_sample *s = samples ? sd_result_sample(p->result, m, samples - 1) : NULL;
    sd_text_add(&script, "$m%zu << EOD\n", m);
    if (s && s->members)
      sd_text_add(&script, "%zu %.9g %.9g %.9g %.9g %.9g\n", m, s->quantile[1], s->quantile[0],
                  s->quantile[SD_QUANTILES - 1], s->quantile[SD_QUANTILES - 2], s->quantile[SD_QUANTILES / 2]);
    sd_text_add(&script, "EOD\n");
  }
  for (size_t m = 0; m < count; m++) {
    const char *colour = sd_colour_of(sd_result_summary(p->result, m)->method);
    sd_text_add(
        &script,
        "%s$m%zu using 1:2:3:4:5 with candlesticks whiskerbars lc rgb '%s', '' using 1:6:6:6:6 with candlesticks lw 2 "
        "lc rgb '%s'",
        m ? ", " : "plot ", m, colour, colour);
  }
  sd_text_add(&script, "\n");
  finish(p, &script, name);
}

static void draw_tracks(pictures *p, size_t run) {
  static const struct {
    const char *kind;
    sd_status (*draw)(const sd_result *result, const char *path, sd_error *error);
  } list[] = {{"paths", sd_tracks_draw}, {"elements", sd_elements_draw}};
  for (int i = 0; i < 2 && !p->error.status; i++) {
    char name[NAME];
    name_of(p, run, list[i].kind, name);
    if (!list[i].draw(p->result, name, &p->error)) printf("%s\n", name);
  }
}

static void draw_run(pictures *p, size_t run) {
  char name[NAME];
  if (sd_result_points(p->result)) {
    name_of(p, run, "map", name);
    if (!sd_map_draw(p->result, "drift_slope", name, &p->error)) printf("%s\n", name);
    return;
  }
  draw_energy(p, run);
  if (!p->error.status) draw_verdicts(p, run);
  if (!p->error.status) draw_ends(p, run);
  if (sd_tracks(p->result)) draw_tracks(p, run);
}

/* Where to: the name that is given, or that of the file, without its ending. */
static sd_status choose_names(pictures *p, const sd_request *r) {
  const char *name = r->output ? r->output : r->file;
  size_t length = strlen(name);
  const char *end = length > 4 ? name + length - 4 : "";
  p->ending = !strcmp(end, ".png") ? ".png" : ".svg";
  if (!r->output) length -= length > 3 && !strcmp(name + length - 3, ".h5") ? 3 : 0;
  else SD_TRY(sd_picture_possible(name, &p->error));
  if (r->output) length -= 4;
  if (length >= sizeof p->stem) return sd_fail(&p->error, SD_BAD_INPUT, "the name is too long");
  memcpy(p->stem, name, length);
  p->stem[length] = 0;
  return sd_picture_possible("any.svg", &p->error);
}

int sd_command_plot(const sd_request *r) {
  static pictures p;
  char message[512];
  sd_result **results;
  size_t count;
  if (!r->file) return sd_say("which result file? Its name is missing"), 2;
  if (choose_names(&p, r)) return sd_say(p.error.message), sd_exit_status(p.error.status);
  sd_status status = sd_results_read(r->file, &results, &count, message);
  if (status) return sd_say(message), sd_exit_status(status);
  for (size_t i = 0; i < count; i++) {
    p.result = results[i];
    if (!p.error.status && sd_result_count(results[i])) draw_run(&p, i);
    sd_result_destroy(results[i]);
  }
  sd_free(results);
  if (p.error.status) sd_say(p.error.message);
  return sd_exit_status(p.error.status);
}
