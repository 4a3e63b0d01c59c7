#include "chart.h"

#include "number.h"
#include "plotting.h"

#include <math.h>
#include <string.h>

void sd_text_add_html(sd_text *to, const char *text) {
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '<') sd_text_add(to, "&lt;");
    else if (c == '>') sd_text_add(to, "&gt;");
    else if (c == '&') sd_text_add(to, "&amp;");
    else if (c == '"') sd_text_add(to, "&quot;");
    else if (c >= 0x20 && c != 0x7f) sd_text_add(to, "%c", c);
    else sd_text_add(to, c == '\n' ? "\n" : "?");
  }
}

/* ---- axes ---- */

static double scaled(const sd_axis *a, double v) {
  if (a->kind == SD_AXIS_LOG) return log10(v);
  if (a->kind == SD_AXIS_SIGNED) return asinh(v / (2 * a->linear)) / log(10);
  return v;
}
static double part_of(const sd_axis *a, double v) {
  double low = scaled(a, a->low), high = scaled(a, a->high);
  return high > low ? (scaled(a, v) - low) / (high - low) : 0.5;
}
double sd_chart_x(const sd_chart *c, double value) {
  return c->left + part_of(&c->x, value) * (c->right - c->left);
}
double sd_chart_y(const sd_chart *c, double value) {
  return c->bottom - part_of(&c->y, value) * (c->bottom - c->top);
}

/* Ticks at round numbers, about five of them; returns how many. */
enum { TICKS_MOST = 24 };
static int plain_ticks(const sd_axis *a, double ticks[TICKS_MOST]) {
  double range = a->high - a->low, unit = pow(10, floor(log10(range / 5)));
  int count = 0;
  while (range / unit > 6) unit *= range / unit > 12 ? 5 : 2;
  if (a->kind == SD_AXIS_WHOLE) unit = ceil(unit);
  for (double t = ceil(a->low / unit) * unit; t <= a->high + 1e-9 * range && count < TICKS_MOST; t += unit)
    ticks[count++] = fabs(t) < 1e-9 * range ? 0 : t;
  return count;
}
static int log_ticks(const sd_axis *a, double ticks[TICKS_MOST]) {
  int first = (int)ceil(log10(a->low) - 1e-9), last = (int)floor(log10(a->high) + 1e-9), every = 1 + (last - first) / 6;
  int count = 0;
  if (last - first < 2) /* few powers of ten: 1, 2, 5 of each */
    for (int e = first - 1; e <= last; e++)
      for (int k = 1; k <= 5 && count < TICKS_MOST; k += k == 1 ? 1 : 3)
        if (k * pow(10, e) >= a->low && k * pow(10, e) <= a->high) ticks[count++] = k * pow(10, e);
  if (count) return count;
  for (int e = first; e <= last && count < TICKS_MOST; e += every) ticks[count++] = pow(10, e);
  return count;
}
static int signed_ticks(const sd_axis *a, double ticks[TICKS_MOST]) {
  double most = fmax(-a->low, a->high);
  int count = 0, last = (int)floor(log10(most)), first = (int)round(log10(a->linear)), every = 1 + (last - first) / 6;
  ticks[count++] = 0;
  for (int e = last; e >= first && count + 2 < TICKS_MOST; e -= every)
    for (int sign = -1; sign <= 1; sign += 2)
      if (sign * pow(10, e) >= a->low && sign * pow(10, e) <= a->high) ticks[count++] = sign * pow(10, e);
  return count;
}
static int ticks_of(const sd_axis *a, double ticks[TICKS_MOST]) {
  if (!(a->high > a->low)) return 0;
  if (a->kind == SD_AXIS_LOG) return log_ticks(a, ticks);
  return a->kind == SD_AXIS_SIGNED ? signed_ticks(a, ticks) : plain_ticks(a, ticks);
}

/* Whether there is room for a label at place i, beside those before it; what has none is moved out of the way. */
static int has_room(double places[TICKS_MOST], int i, double width) {
  for (int k = 0; k < i; k++)
    if (fabs(places[k] - places[i]) < width) return places[i] = -1000, 0;
  return 1;
}

enum { LETTER = 7, RIGHT = 18, NAMES = 116, NUMBERS = 72 }; /* widths: of a letter, of what is beside the plot */

/* The widest label, so that those of evenly spaced ticks are left out evenly. */
static double label_width(const double *ticks, int count) {
  int widest = 0;
  for (int i = 0; i < count; i++) {
    char label[32];
    sd_format(label, sizeof label, "%.6g", ticks[i]);
    if ((int)strlen(label) > widest) widest = (int)strlen(label);
  }
  return LETTER * widest;
}

/* Three, or as many as tell neighbours apart. */
static int digits_of(const double *ticks, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(ticks[i]));
  double apart = count > 1 ? fabs(ticks[1] - ticks[0]) : most;
  return apart > 0 && most / apart >= 100 ? (int)fmin(2 + floor(log10(most / apart) + 1e-9), 12) : 3;
}

static void draw_axes(sd_chart *c) {
  double ticks[TICKS_MOST], places[TICKS_MOST];
  int count = ticks_of(&c->x, ticks);
  double width = label_width(ticks, count);
  sd_text_add(c->to, "<g class=\"axis\">");
  for (int i = 0; i < count; i++) {
    double x = places[i] = sd_chart_x(c, ticks[i]);
    if (!has_room(places, i, width + LETTER)) continue;
    sd_text_add(c->to, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x, c->top, c->bottom);
    if (x + width / 2 <= c->right + RIGHT)
      sd_text_add(c->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.6g</text>", x, c->bottom + 16, ticks[i]);
  }
  count = c->y.label ? ticks_of(&c->y, ticks) : 0;
  int digits = c->y.kind == SD_AXIS_PLAIN ? digits_of(ticks, count) : 3;
  for (int i = 0; i < count; i++) {
    double y = sd_chart_y(c, ticks[i]);
    sd_text_add(c->to, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", c->left, c->right, y, y);
    sd_text_add(c->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.*g</text>", c->left - 6, y + 4, digits,
                ticks[i]);
  }
  sd_text_add(c->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (c->left + c->right) / 2, c->bottom + 34);
  sd_text_add_html(c->to, c->x.label);
  sd_text_add(c->to, "</text>");
  if (c->y.label) {
    sd_text_add(c->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"start\">", 2.0, c->top - 16);
    sd_text_add_html(c->to, c->y.label);
    sd_text_add(c->to, "</text>");
  }
  sd_text_add(c->to, "</g>\n");
}

void sd_chart_begin(sd_chart *c, sd_text *to, int width, int height, const char *about, sd_axis x, sd_axis y) {
  *c = (sd_chart){to, x, y, y.label ? NUMBERS : NAMES, width - RIGHT, y.label ? 34 : 8, height - 42};
  if (c->y.high <= c->y.low) c->y.low -= 1, c->y.high += 1;
  if (c->x.high <= c->x.low) c->x.low -= 1, c->x.high += 1;
  sd_text_add(to, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height);
  sd_text_add_html(to, about);
  sd_text_add(to, "\">");
  draw_axes(c);
}
void sd_chart_end(sd_chart *c) {
  sd_text_add(c->to, "</svg>\n");
}

/* ---- shapes ---- */

static void begin_shape(sd_chart *c, const char *element, const char *class_name, const char *method) {
  const char *dash = sd_dash_of(method);
  sd_text_add(c->to, "<%s class=\"%s\" style=\"--c:%s\"", element, class_name, sd_colour_of(method));
  if (*dash && !strcmp(element, "path") && strcmp(class_name, "band"))
    sd_text_add(c->to, " stroke-dasharray=\"%s\"", dash);
}

void sd_chart_line(sd_chart *c, const char *method, const double *x, const double *y, size_t count,
                   const char *class_name) {
  char pen = 'M';
  begin_shape(c, "path", class_name, method);
  sd_text_add(c->to, " d=\"");
  for (size_t i = 0; i < count; i++) {
    double px = sd_chart_x(c, x[i]), py = sd_chart_y(c, y[i]);
    if (!isfinite(px) || !isfinite(py)) continue;
    sd_text_add(c->to, "%c%.1f %.1f", pen, px, py);
    pen = 'L';
  }
  sd_text_add(c->to, "\"/>\n");
}

void sd_chart_band(sd_chart *c, const char *method, const double *x, const double *low, const double *high,
                   size_t count) {
  char pen = 'M';
  begin_shape(c, "path", "band", method);
  sd_text_add(c->to, " d=\"");
  for (size_t i = 0; i < 2 * count; i++) {
    size_t at = i < count ? i : 2 * count - 1 - i;
    double px = sd_chart_x(c, x[at]), py = sd_chart_y(c, i < count ? low[at] : high[at]);
    if (!isfinite(px) || !isfinite(py)) continue;
    sd_text_add(c->to, "%c%.1f %.1f", pen, px, py);
    pen = 'L';
  }
  sd_text_add(c->to, "\"/>\n");
}

void sd_chart_point(sd_chart *c, const char *method, double x, double y, const char *title) {
  double px = sd_chart_x(c, x), py = sd_chart_y(c, y);
  if (!isfinite(px) || !isfinite(py)) return;
  begin_shape(c, "circle", "point", method);
  sd_text_add(c->to, " cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", px, py);
  sd_text_add_html(c->to, title);
  sd_text_add(c->to, "</title></circle>\n");
}

void sd_chart_interval(sd_chart *c, const char *method, double low, double high, double y, double thickness) {
  if (!isfinite(low) || !isfinite(high)) return;
  double a = fmax(sd_chart_x(c, low), c->left), b = fmin(sd_chart_x(c, high), c->right), at = sd_chart_y(c, y);
  begin_shape(c, "rect", "bar", method);
  sd_text_add(c->to, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", a, at - thickness / 2, fmax(b - a, 1),
              thickness);
}

void sd_chart_cell(sd_chart *c, double left, double right, double low, double high, const char *colour, int dotted,
                   const char *title) {
  double x[] = {sd_chart_x(c, left), sd_chart_x(c, right)}, y[] = {sd_chart_y(c, low), sd_chart_y(c, high)};
  double width = fabs(x[1] - x[0]), height = fabs(y[1] - y[0]);
  sd_text_add(c->to, "<rect class=\"cell\" fill=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
              colour ? colour : "#9a9a9a", fmin(x[0], x[1]), fmin(y[0], y[1]), width, height);
  sd_text_add_html(c->to, title);
  sd_text_add(c->to, "</title></rect>\n");
  if (dotted)
    sd_text_add(c->to, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", (x[0] + x[1]) / 2,
                (y[0] + y[1]) / 2, fmin(2, fmin(width, height) / 4));
}

void sd_chart_name(sd_chart *c, const char *name, double y) {
  sd_text_add(c->to, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", c->left - 8,
              sd_chart_y(c, y) + 4);
  sd_text_add_html(c->to, name);
  sd_text_add(c->to, "</text>\n");
}

void sd_chart_strip(sd_chart *c, double low, double high) {
  double a = sd_chart_x(c, low), b = sd_chart_x(c, high);
  sd_text_add(c->to, "<rect class=\"strip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", a, c->top, b - a,
              c->bottom - c->top);
}
