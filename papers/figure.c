#include "figure.h"

#include "../host/distance.h"
#include "../host/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, DRAWN = 400 }; /* points of a curve: more are not seen */

const char *figure_members(const figures *f) {
  return f->quick ? "16" : "256";
}

static void path_of(const figures *f, const char *part, const char *ending, char path[PATH]) {
  snprintf(path, PATH, "%s/%s%s%s%s", f->directory, f->id, part ? "-" : "", part ? part : "", ending);
}

void figure_begin(figures *f, sd_text *script, const char *part, int width, int height) {
  char path[PATH];
  path_of(f, part, f->ending, path);
  sd_picture_begin(script, path, width, height);
}

static void keep_script(figures *f, const sd_text *script, const char *part) {
  char path[PATH];
  path_of(f, part, ".gnuplot", path);
  FILE *file = fopen(path, "w");
  int failed = !file || !script->bytes || fputs(script->bytes, file) < 0;
  if (file && fclose(file)) failed = 1;
  if (failed) sd_fail(&f->lab.error, SD_FAILED, "cannot write '%.300s'", path);
}

void figure_draw(figures *f, sd_text *script, const char *part) {
  char path[PATH];
  path_of(f, part, f->ending, path);
  if (f->lab.error.status) {
    free(sd_text_take(script));
    return;
  }
  keep_script(f, script, part);
  if (sd_picture_draw(script, path, &f->lab.error)) return;
  f->pictures++;
  sd_text_add(&f->drawn, "%s\n", path);
  if (!f->json) printf("  picture    %s\n", path);
}

void figure_claim(figures *f, int agrees, const char *claim, const char *because, const char *found, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, found);
  sd_format_list(text, sizeof text, found, arguments);
  va_end(arguments);
  f->claims++;
  f->refuted += !agrees;
  if (!f->json) {
    printf("  %s  %s\n             found: %s\n", agrees ? "confirmed" : "refuted  ", claim, text);
    if (!agrees && because) printf("             because: %s\n", because);
    return;
  }
  sd_json_open(f->json, NULL, '{');
  sd_json_text(f->json, "claim", claim);
  sd_json_text(f->json, "found", text);
  sd_json_truth(f->json, "agrees", agrees);
  if (!agrees && because) sd_json_text(f->json, "because", because);
  sd_json_close(f->json, '}');
}

double figure_first_error(const sd_result *result, size_t method, size_t sample) {
  sd_view v = {.size = sizeof v};
  if (sd_result_trajectory(result, method, sd_result_array_count(result) - 1, &v) || sample >= v.shape[0]) return NAN;
  return v.data[sample * v.stride[0]];
}

void figure_energy_data(sd_text *script, const sd_result *result, size_t method, const char *name) {
  size_t samples = sd_result_sample_count(result, method), every = 1 + samples / DRAWN;
  sd_text_add(script, "%s << EOD\n", name);
  for (size_t i = 0; i < samples; i += every) {
    const sd_sample *s = sd_result_sample(result, method, i);
    double first = figure_first_error(result, method, i);
    if (s->members && isfinite(first))
      sd_text_add(script, "%.7g %.5g %.5g %.5g\n", s->time, first, s->quantile[0], s->quantile[SD_QUANTILES - 1]);
  }
  sd_text_add(script, "EOD\n");
}

void figure_energy_panel(sd_text *script, const char *method, const char *name) {
  const char *colour = sd_colour_of(method);
  sd_text_add(
      script,
      "plot %s using 1:3:4 with filledcurves fs transparent solid 0.3 noborder lc rgb '%s' title '5-95 %%', '' using "
      "1:2 with lines lw 1 lc rgb '%s' title '%s' noenhanced\n",
      name, colour, colour, method);
}

double figure_power(const double *x, const double *y, int count) {
  double n = 0, u = 0, v = 0, uu = 0, uv = 0;
  for (int i = 0; i < count; i++) {
    double a = log(x[i]), b = log(y[i]);
    if (!isfinite(a) || !isfinite(b)) continue;
    n++, u += a, v += b, uu += a * a, uv += a * b;
  }
  return n < 2 ? NAN : (n * uv - u * v) / (n * uu - u * u);
}

figure_range figure_range_of(double *all, size_t count) {
  size_t found = 0;
  figure_range r = {count ? all[0] : NAN, NAN, NAN};
  for (size_t i = 0; i < count; i++)
    if (isfinite(all[i])) all[found++] = all[i];
  sd_median_of(all, found); /* sorts them */
  if (found) r.low = all[found / 20], r.high = all[found - 1 - found / 20];
  return r;
}

void figure_range_data(sd_text *script, const char *name, const double *x, const figure_range *y, int count) {
  sd_text_add(script, "%s << EOD\n", name);
  for (int i = 0; i < count; i++) sd_text_add(script, "%.9g %.5g %.5g %.5g\n", x[i], y[i].first, y[i].low, y[i].high);
  sd_text_add(script, "EOD\n");
}

void figure_range_curve(sd_text *script, const char *name, const char *method, const char *title) {
  char style[64];
  sd_text_add(script,
              "%s using 1:3:4 with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle, %s using 1:2 "
              "with linespoints lw 1.6 ps 0.8 %s title '%s' noenhanced",
              name, sd_colour_of(method), name, sd_style_of(method, style), title);
}

double figure_range_power(const double *x, const figure_range *y, int count) {
  double first[64];
  for (int i = 0; i < count && i < 64; i++) first[i] = y[i].first;
  return figure_power(x, first, count < 64 ? count : 64);
}
