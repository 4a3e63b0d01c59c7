/* page_tracks.c - the elements of members over time, and how far they have spread. */
#include "number.h"
#include "page.h"
#include "tracks.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_MOST = 600 };

/* In pieces, where an anomaly begins anew. */
static void element_line(sd_chart *c, const sd_result *result, size_t m, size_t member, int element, size_t every,
                         double *time, double *value) {
  size_t count = sd_track_element(result, m, member, element, every, value), first = 0;
  for (size_t i = 0; i < count; i++) time[i] = sd_result_trajectory_time(result, i * every);
  for (size_t i = 1; i <= count; i++) {
    if (i < count && !sd_element_breaks(element, value[i - 1], value[i])) continue;
    sd_chart_line(c, sd_result_summary(result, m)->method, time + first, value + first, i - first, "thin");
    first = i;
  }
}

static void element_chart(sd_text *page, const sd_result *result, int element, size_t every, double *time,
                          double *value) {
  const sd_element *e = &sd_element_list[element];
  char about[200];
  double low, high;
  sd_chart c;
  sd_element_range(result, element, every, value, &low, &high);
  sd_format(about, sizeof about, "%s over time: from %.6g to %.6g", e->label, low, high);
  sd_text_add(page, "<figure><h4>%s</h4>", e->label);
  sd_chart_begin(&c, page, 360, 240, about, (sd_axis){"time", 0, sd_result_summary(result, 0)->time, SD_AXIS_PLAIN, 0},
                 (sd_axis){e->name, low, high, SD_AXIS_PLAIN, 0});
  for (size_t m = 0; m < sd_result_count(result); m++)
    for (size_t member = 0; member < sd_tracks(result); member++)
      element_line(&c, result, m, member, element, every, time, value);
  sd_chart_end(&c);
  sd_text_add(page, "</figure>\n");
}

static void add_keys(sd_text *page, const sd_result *result) {
  for (size_t m = 0; m < sd_result_count(result); m++) {
    sd_text_add(page, m ? ", " : "");
    sd_page_key(page, sd_result_summary(result, m)->method);
  }
}

void sd_page_elements(sd_text *page, const sd_result *result) {
  size_t every = sd_tracks_every(result, POINTS_MOST);
  double *room = malloc(2 * (POINTS_MOST + 1) * sizeof *room);
  if (!room) return;
  sd_text_add(page, "<p class=\"soft\">A line for each of %zu members. ", sd_tracks(result));
  add_keys(page, result);
  sd_text_add(page, "</p>\n<div class=\"grid\">\n");
  for (int element = 0; element < SD_ELEMENTS_SHOWN; element++)
    element_chart(page, result, element, every, room, room + POINTS_MOST + 1);
  sd_text_add(page, "</div>\n");
  free(room);
}

static void spread_chart(sd_text *page, const sd_result *result, size_t m, const sd_dispersion *d) {
  const char *method = sd_result_summary(result, m)->method;
  double at[2], x[SD_ELLIPSE], y[SD_ELLIPSE], wide[2] = {0}, axis[2][3];
  char about[200];
  sd_chart c;
  for (int k = 0; k < 6; k++) axis[k / 3][k % 3] = d->axis[k / 3][k % 3];
  for (size_t k = 0; k < SD_ELLIPSE; k++) {
    sd_dispersion_point(d, 3, k, at);
    x[k] = at[0], y[k] = at[1];
    for (int a = 0; a < 2; a++) wide[a] = fmax(wide[a], 1.1 * fabs(at[a]));
  }
  for (size_t member = 0; member < sd_result_trajectory_count(result); member++)
    if (sd_track_point(result, m, d->sample, member, d->middle, axis, at))
      for (int a = 0; a < 2; a++) wide[a] = fmax(wide[a], 1.1 * fabs(at[a]));
  sd_format(about, sizeof about, "Where members of %s are about their mean: deviations of %.3g forward, %.3g outward",
            method, sqrt(d->covariance[0]), sqrt(d->covariance[2]));
  sd_text_add(page, "<figure><h4>%s, t = %.6g</h4>", method, d->time);
  sd_chart_begin(&c, page, 360, 240, about, (sd_axis){"forward of the mean", -wide[0], wide[0], SD_AXIS_PLAIN, 0},
                 (sd_axis){"outward", -wide[1], wide[1], SD_AXIS_PLAIN, 0});
  sd_chart_line(&c, method, x, y, SD_ELLIPSE, "line");
  for (size_t member = 0; member < sd_result_trajectory_count(result); member++) {
    char title[32];
    snprintf(title, sizeof title, "member %zu", member);
    if (sd_track_point(result, m, d->sample, member, d->middle, axis, at))
      sd_chart_point(&c, method, at[0], at[1], title);
  }
  sd_chart_end(&c);
  sd_text_add(page, "</figure>\n");
}

void sd_page_spread(sd_text *page, const sd_result *result) {
  sd_dispersion found[SD_DISPERSIONS_MOST];
  int any = 0;
  for (size_t m = 0; m < sd_result_count(result); m++) {
    size_t count = sd_dispersions(result, m, found);
    for (size_t k = 0; k < count; k++, any = 1) {
      if (!any)
        sd_text_add(page, "<h3>How far members have spread</h3>\n<p class=\"soft\">Three standard deviations of all "
                          "members about their mean (ellipse), and the members whose paths are kept "
                          "(points).</p>\n<div class=\"grid\">\n");
      spread_chart(page, result, m, &found[k]);
    }
  }
  if (any) sd_text_add(page, "</div>\n");
}
