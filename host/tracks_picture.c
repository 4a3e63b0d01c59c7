/* tracks_picture.c - paths in the plane of the first one with the ellipses of how members have spread, each of them
 * also by itself; and elements over time. */
#include "plotting.h"
#include "tracks.h"

#include <math.h>
#include <stdlib.h>

enum { PATH_POINTS = 3000, ELEMENT_POINTS = 1500 };
static const double DEVIATIONS = 3;

static void add_title(sd_text *to, const sd_result *result, const char *what) {
  const sd_summary *s = sd_result_summary(result, 0);
  size_t shown = sd_tracks(result);
  sd_text_add(to, "'%s: %s, %zu of %zu members, step %g' noenhanced\n", s->problem, what, shown, s->members, s->step);
}

/* The methods' names in their colours, along the lower edge. */
static void add_names(sd_text *to, const sd_result *result) {
  for (size_t m = 0; m < sd_result_count(result); m++) {
    const char *method = sd_result_summary(result, m)->method;
    sd_text_add(to, "set label %zu '— %s' noenhanced at screen %.3f, screen 0.025 tc rgb '%s'\n", m + 1, method,
                0.04 + 0.12 * (double)m, sd_colour_of(method));
  }
}

/* ---- paths ---- */

typedef struct {
  sd_dispersion at[SD_DISPERSIONS_MOST];
  size_t count;
} spread;

static void add_paths(sd_text *to, const sd_result *result, size_t m, double plane[2][3]) {
  static const double centre[3] = {0};
  size_t every = sd_tracks_every(result, PATH_POINTS);
  double at[2];
  sd_text_add(to, "$p%zu << EOD\n", m);
  for (size_t member = 0; member < sd_tracks(result); member++, sd_text_add(to, "\n"))
    for (size_t i = 0; i < sd_result_trajectory_samples(result); i += every)
      if (sd_track_point(result, m, i, member, centre, plane, at)) sd_text_add(to, "%.6g %.6g\n", at[0], at[1]);
  sd_text_add(to, "EOD\n");
}

/* How far out the paths go. */
static double reach_of(const sd_result *result, double plane[2][3]) {
  static const double centre[3] = {0};
  double at[2], most = 0;
  for (size_t m = 0; m < sd_result_count(result); m++)
    for (size_t member = 0; member < sd_tracks(result); member++)
      for (size_t i = 0; i < sd_result_trajectory_samples(result); i++)
        if (sd_track_point(result, m, i, member, centre, plane, at)) most = fmax(most, fmax(fabs(at[0]), fabs(at[1])));
  return most > 0 ? most : 1;
}

/* 1, 2 or 5 with zeros behind or before it: the least that is not less. */
static double round_number(double least) {
  double power = pow(10, floor(log10(least)));
  return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

/* What makes an ellipse as large as can be seen, where it is not. */
static double enlargement(const spread *s, size_t methods, double reach) {
  double largest = 0, wanted = 0.15 * reach;
  for (size_t k = 0; k < methods * SD_DISPERSIONS_MOST; k++) {
    const spread *of = &s[k / SD_DISPERSIONS_MOST];
    const sd_dispersion *d = &of->at[k % SD_DISPERSIONS_MOST];
    if (k % SD_DISPERSIONS_MOST < of->count)
      largest = fmax(largest, DEVIATIONS * sqrt(fmax(d->covariance[0], d->covariance[2])));
  }
  return largest > 0 && largest < wanted ? round_number(wanted / largest) : 1;
}

/* As the plane sees it. */
static void add_enlarged(sd_text *to, const spread *s, size_t m, double plane[2][3], double times) {
  sd_text_add(to, "$e%zu << EOD\n", m);
  for (size_t k = 0; k < s->count; k++, sd_text_add(to, "\n\n"))
    for (size_t i = 0; i < SD_ELLIPSE; i++) {
      const sd_dispersion *d = &s->at[k];
      double off[2], x[2] = {0};
      sd_dispersion_point(d, times * DEVIATIONS, i, off);
      for (int a = 0; a < 2; a++)
        for (int c = 0; c < 3; c++)
          x[a] += plane[a][c] * (d->middle[c] + off[0] * d->axis[0][c] + off[1] * d->axis[1][c]);
      sd_text_add(to, "%.6g %.6g\n", x[0], x[1]);
    }
  sd_text_add(to, "EOD\n");
}

/* The ellipse itself, and where members are that have paths. */
static void add_spread(sd_text *to, const sd_result *result, size_t m, size_t k, const sd_dispersion *d) {
  double at[2], axis[2][3];
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 3; c++) axis[a][c] = d->axis[a][c];
  sd_text_add(to, "$s%zu_%zu << EOD\n", m, k);
  for (size_t i = 0; i < SD_ELLIPSE; i++) {
    sd_dispersion_point(d, DEVIATIONS, i, at);
    sd_text_add(to, "%.6g %.6g\n", at[0], at[1]);
  }
  sd_text_add(to, "EOD\n$d%zu_%zu << EOD\n", m, k);
  for (size_t member = 0; member < sd_result_trajectory_count(result); member++)
    if (sd_track_point(result, m, d->sample, member, d->middle, axis, at)) sd_text_add(to, "%.6g %.6g\n", at[0], at[1]);
  sd_text_add(to, "EOD\n");
}

static void plot_paths(sd_text *to, const sd_result *result, const spread *s, double reach, double times) {
  double wide = reach * 1.12, tics = round_number(reach / 2);
  sd_text_add(
      to,
      "set title 'in the plane of the first one'\nset size ratio 1\nset xrange [-%.9g:%.9g]\nset yrange "
      "[-%.9g:%.9g]\nset xtics %g\nset ytics %g\nset xlabel 'towards its start'\nset ylabel 'forward from "
      "there' offset 1,0\nset key at graph 0.5,0.46 center top\nplot '+' using (0):(0) every ::0::0 with points "
      "pt 7 ps 0.8 lc rgb '#444444' notitle",
      wide, wide, wide, wide, tics, tics);
  for (size_t m = 0; m < sd_result_count(result); m++)
    sd_text_add(to, ", $p%zu with lines lw 0.6 lc rgb '%s' notitle", m,
                sd_colour_of(sd_result_summary(result, m)->method));
  for (size_t m = 0; m < sd_result_count(result); m++) {
    if (!s[m].count) continue;
    sd_text_add(to, ", $e%zu with filledcurves closed fs transparent solid 0.35 border lw 1.2 lc rgb '%s' ", m,
                sd_colour_of(sd_result_summary(result, m)->method));
    if (m) sd_text_add(to, "notitle");
    else if (times > 1) sd_text_add(to, "title '%g σ of the members, × %g'", DEVIATIONS, times);
    else sd_text_add(to, "title '%g σ of the members'", DEVIATIONS);
  }
  sd_text_add(to, "\nunset label\nset xtics autofreq\nset ytics autofreq\n");
}

/* The first method's times; others have the same, unless all of their members failed. */
static void plot_spread(sd_text *to, const sd_result *result, const spread *s, size_t k) {
  int first = 1;
  double wide = DEVIATIONS * sqrt(s[0].at[k].covariance[0]);
  if (wide > 0) sd_text_add(to, "set xtics %g\n", round_number(0.3 * wide));
  sd_text_add(to,
              "set title 't = %g'\nset size noratio\nset autoscale\nset xlabel 'forward of the mean'\nset ylabel "
              "'outward' offset 1,0\nset key inside top right opaque\nplot ",
              s[0].at[k].time);
  for (size_t m = 0; m < sd_result_count(result); m++) {
    if (k >= s[m].count) continue;
    const char *colour = sd_colour_of(sd_result_summary(result, m)->method);
    sd_text_add(to,
                "%s$s%zu_%zu with filledcurves closed fs transparent solid 0.15 border lc rgb '%s' %s, $d%zu_%zu with "
                "points pt 7 ps 0.4 lc rgb '%s' notitle",
                first ? "" : ", ", m, k, colour, first ? "title '3 σ'" : "notitle", m, k, colour);
    first = 0;
  }
  sd_text_add(to, "\n");
}

sd_status sd_tracks_draw(const sd_result *result, const char *path, sd_error *error) {
  size_t methods = sd_result_count(result);
  spread *s = calloc(methods, sizeof *s);
  double plane[2][3];
  sd_text script = {0};
  if (!s) return sd_fail(error, SD_NO_MEMORY, "out of memory for a picture");
  sd_tracks_plane(result, plane);
  for (size_t m = 0; m < methods; m++) s[m].count = sd_dispersions(result, m, s[m].at);
  double reach = reach_of(result, plane), times = enlargement(s, methods, reach);
  size_t panels = 1 + s[0].count;
  sd_picture_begin(&script, path, panels == 1 ? 560 : 440 * (int)panels, panels == 1 ? 600 : 500);
  for (size_t m = 0; m < methods; m++) {
    add_paths(&script, result, m, plane);
    add_enlarged(&script, &s[m], m, plane, times);
    for (size_t k = 0; k < s[m].count; k++) add_spread(&script, result, m, k, &s[m].at[k]);
  }
  add_names(&script, result);
  sd_text_add(&script, "set multiplot layout 1,%zu margins screen %.3f,0.98,0.16,0.86 spacing %.3f title ", panels,
              panels == 1 ? 0.14 : 0.3 / (double)(1 + panels), panels == 1 ? 0 : 0.3 / (double)(1 + panels));
  add_title(&script, result, "paths");
  plot_paths(&script, result, s, reach, times);
  for (size_t k = 0; k < s[0].count; k++) plot_spread(&script, result, s, k);
  sd_text_add(&script, "unset multiplot\n");
  free(s);
  return sd_picture_draw(&script, path, error);
}

/* ---- elements ---- */

static void add_element(sd_text *to, const sd_result *result, size_t m, int element, size_t every, double *values) {
  sd_text_add(to, "$m%zu_%d << EOD\n", m, element);
  for (size_t member = 0; member < sd_tracks(result); member++, sd_text_add(to, "\n")) {
    size_t count = sd_track_element(result, m, member, element, every, values);
    for (size_t i = 0; i < count; i++) {
      if (i && sd_element_breaks(element, values[i - 1], values[i])) sd_text_add(to, "\n");
      if (isfinite(values[i])) sd_text_add(to, "%.7g %.10g\n", sd_result_trajectory_time(result, i * every), values[i]);
    }
  }
  sd_text_add(to, "EOD\n");
}

static void plot_element(sd_text *to, const sd_result *result, int element, size_t every, double *values) {
  double low, high;
  sd_element_range(result, element, every, values, &low, &high);
  for (size_t m = 0; m < sd_result_count(result); m++) add_element(to, result, m, element, every, values);
  sd_text_add(to, "set title '%s'\nset yrange [%.12g:%.12g]\nplot ", sd_element_list[element].label, low, high);
  for (size_t m = 0; m < sd_result_count(result); m++)
    sd_text_add(to, "%s$m%zu_%d with lines lw 0.6 lc rgb '%s'", m ? ", " : "", m, element,
                sd_colour_of(sd_result_summary(result, m)->method));
  sd_text_add(to, "\nunset label\n");
}

sd_status sd_elements_draw(const sd_result *result, const char *path, sd_error *error) {
  size_t every = sd_tracks_every(result, ELEMENT_POINTS);
  double *values = malloc((ELEMENT_POINTS + 1) * sizeof *values);
  sd_text script = {0};
  if (!values) return sd_fail(error, SD_NO_MEMORY, "out of memory for a picture");
  sd_picture_begin(&script, path, 1000, 760);
  sd_text_add(&script, "set key off\nset format y '%%.9g'\nset xtics %.9g\n", sd_result_summary(result, 0)->time / 4);
  add_names(&script, result);
  sd_text_add(&script, "set xlabel 'time' offset 0,0.6\nset multiplot layout 3,2 margins screen 0.1,0.97,0.1,0.9 "
                       "spacing 0.12,0.11 title ");
  add_title(&script, result, "elements");
  for (int element = 0; element < SD_ELEMENTS_SHOWN; element++) plot_element(&script, result, element, every, values);
  sd_text_add(&script, "unset multiplot\n");
  free(values);
  return sd_picture_draw(&script, path, error);
}
