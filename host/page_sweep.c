/* page_sweep.c - a sweep in a report: what came of its points, and where on the grid. */
#include "grid.h"
#include "number.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 64, SLICES_MOST = 6, LINE_MOST = 400 }; /* along an axis; of the first of three; of a curve */
static const double linear = 0.05, most = 50;               /* changes over rms: colours begin, and are full */

/* ---- what came of them ---- */

typedef struct {
  size_t verdicts[SD_DRIFTS_DOWN + 1], losing; /* points with each, and with members lost */
  double slope[2];                             /* least and greatest */
  size_t at[2][SD_GRID_AXES];
} tally;

static tally count_points(const sd_grid *g) {
  tally t = {.slope = {INFINITY, -INFINITY}};
  size_t place[SD_GRID_AXES] = {0};
  for (size_t p = 0; p < sd_result_points(g->result); p++, sd_grid_next(g, place)) {
    double slope = sd_grid_real(&g->value, place);
    t.verdicts[sd_grid_whole(&g->verdict, place)]++;
    t.losing += sd_grid_whole(&g->failed, place) > 0;
    for (int end = 0; end < 2; end++)
      if (end ? slope > t.slope[1] : slope < t.slope[0]) {
        t.slope[end] = slope;
        memcpy(t.at[end], place, sizeof place);
      }
  }
  return t;
}

static void add_place(sd_text *to, const sd_grid *g, const size_t place[SD_GRID_AXES]) {
  for (int k = 0; k < g->axes; k++) {
    sd_text_add(to, k ? ", " : "");
    sd_text_add_html(to, g->axis[k].name);
    sd_text_add(to, " = %.6g", sd_result_axis_value(g->result, (size_t)k, place[k]));
  }
}

static void tally_row(sd_text *page, const sd_grid *g) {
  tally t = count_points(g);
  sd_text_add(page, "<tr><td>");
  sd_page_key(page, sd_result_summary(g->result, g->method)->method);
  sd_text_add(page, "</td>");
  for (int v = SD_DRIFTS_DOWN; v >= 0; v--) sd_text_add(page, "<td>%zu</td>", t.verdicts[v]);
  sd_text_add(page, "<td>%zu</td>", t.losing);
  for (int end = 0; end < 2; end++) {
    sd_text_add(page, "<td class=\"word\">");
    if (isfinite(t.slope[end])) {
      sd_text_add(page, "%+.2e at ", t.slope[end]);
      add_place(page, g, t.at[end]);
    } else sd_text_add(page, "-");
    sd_text_add(page, "</td>");
  }
  sd_text_add(page, "</tr>\n");
}

static void add_tallies(sd_text *page, sd_grid *g) {
  sd_text_add(page, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"points of the sweep\"><table>"
                    "<thead><tr><th scope=\"col\">method</th>");
  for (int v = SD_DRIFTS_DOWN; v >= 0; v--)
    sd_text_add(page, "<th scope=\"col\">%s</th>", sd_verdict_text((sd_verdict)v));
  sd_text_add(page, "<th scope=\"col\">that lost members</th><th scope=\"col\" class=\"word\">least dE/dt</th>"
                    "<th scope=\"col\" class=\"word\">greatest dE/dt</th></tr></thead><tbody>\n");
  for (size_t m = 0; m < sd_result_count(g->result); m++)
    if (!sd_grid_take(g, m, "drift_slope")) tally_row(page, g);
  sd_text_add(page, "</tbody></table></div>\n");
}

/* ---- over one grid ---- */

static void draw_line(sd_text *page, const sd_grid *g, const sd_view *reach) {
  const char *method = sd_result_summary(g->result, g->method)->method;
  const sd_axis_info *a = &g->axis[0];
  size_t count = sd_grid_shown(a, LINE_MOST);
  double *x = calloc(4 * LINE_MOST, sizeof *x), *y = x + LINE_MOST, *low = y + LINE_MOST, *high = low + LINE_MOST;
  double least = -0.2, greatest = 0.2;
  if (!x) return;
  for (size_t i = 0; i < count; i++) {
    size_t place[SD_GRID_AXES] = {sd_grid_shown_at(a, LINE_MOST, i)};
    double room = sd_grid_real(reach, place);
    x[i] = sd_result_axis_value(g->result, 0, place[0]);
    y[i] = sd_grid_real(&g->value, place);
    low[i] = y[i] - room, high[i] = y[i] + room;
    if (isfinite(low[i])) least = fmin(least, 1.3 * low[i]), greatest = fmax(greatest, 1.3 * high[i]);
  }
  sd_chart c;
  sd_chart_begin(&c, page, 480, 300, "Change of the energy over the grid",
                 (sd_axis){a->name, a->low, a->high, a->equal_factors ? SD_AXIS_LOG : SD_AXIS_PLAIN, 0},
                 (sd_axis){"change of E over its rms", least, greatest, SD_AXIS_SIGNED, linear});
  sd_chart_band(&c, method, x, low, high, count);
  sd_chart_line(&c, method, x, y, count, "line");
  for (size_t i = 0; i < count; i++) {
    size_t place[SD_GRID_AXES] = {sd_grid_shown_at(a, LINE_MOST, i)};
    char title[160];
    sd_format(title, sizeof title, "%.40s = %.6g: %+.3g, %s", a->name, x[i], y[i],
              sd_verdict_text((sd_verdict)sd_grid_whole(&g->verdict, place)));
    sd_chart_point(&c, method, x[i], y[i], title);
  }
  sd_chart_end(&c);
  free(x);
}

/* ---- over two, or a slice of three ---- */

/* From blue, which loses energy, through white to red; both ends are told apart by those who do not see all colours. */
static const char *colour_of(double change, char colour[16]) {
  static const int stops[5][3] = {
      {0x21, 0x66, 0xac}, {0x92, 0xc5, 0xde}, {0xf7, 0xf7, 0xf7}, {0xf4, 0xa5, 0x82}, {0xb2, 0x18, 0x2b}};
  double at = 2 + 2 * asinh(change / linear) / asinh(most / linear);
  at = at < 0 ? 0 : at > 4 ? 4 : at;
  int stop = at < 3 ? (int)at : 3, rgb[3];
  for (int k = 0; k < 3; k++)
    rgb[k] = (int)(stops[stop][k] + (at - stop) * (stops[stop + 1][k] - stops[stop][k]) + 0.5);
  snprintf(colour, 16, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
  return colour;
}

/* Where the cells that are shown of an axis meet: between their values, and as far beyond the first and the last. */
static void find_edges(const sd_grid *g, int axis, double edges[CELLS_MOST + 1]) {
  const sd_axis_info *a = &g->axis[axis];
  size_t count = sd_grid_shown(a, CELLS_MOST);
  double value[CELLS_MOST];
  for (size_t i = 0; i < count; i++) {
    value[i] = sd_result_axis_value(g->result, (size_t)axis, sd_grid_shown_at(a, CELLS_MOST, i));
    if (a->equal_factors) value[i] = log(value[i]);
  }
  for (size_t i = 1; i < count; i++) edges[i] = (value[i - 1] + value[i]) / 2;
  double half = count > 1 ? (value[1] - value[0]) / 2 : 0.5;
  edges[0] = value[0] - half;
  edges[count] = value[count - 1] + (count > 1 ? (value[count - 1] - value[count - 2]) / 2 : half);
  for (size_t i = 0; i <= count && a->equal_factors; i++) edges[i] = exp(edges[i]);
}

static sd_axis axis_of(const sd_axis_info *a, const double edges[CELLS_MOST + 1]) {
  double first = edges[0], last = edges[sd_grid_shown(a, CELLS_MOST)];
  return (sd_axis){a->name, fmin(first, last), fmax(first, last), a->equal_factors ? SD_AXIS_LOG : SD_AXIS_PLAIN, 0};
}

static void draw_slice(sd_text *page, const sd_grid *g, size_t slice) {
  int across = g->axes - 2, up = g->axes - 1;
  double x[CELLS_MOST + 1], y[CELLS_MOST + 1];
  size_t place[SD_GRID_AXES] = {slice},
         shown[] = {sd_grid_shown(&g->axis[across], CELLS_MOST), sd_grid_shown(&g->axis[up], CELLS_MOST)};
  sd_chart c;
  find_edges(g, across, x);
  find_edges(g, up, y);
  sd_chart_begin(&c, page, 480, 360, "Change of the energy over the grid, as colours", axis_of(&g->axis[across], x),
                 axis_of(&g->axis[up], y));
  for (size_t i = 0; i < shown[0]; i++)
    for (size_t j = 0; j < shown[1]; j++) {
      char colour[16];
      place[across] = sd_grid_shown_at(&g->axis[across], CELLS_MOST, i);
      place[up] = sd_grid_shown_at(&g->axis[up], CELLS_MOST, j);
      double change = sd_grid_real(&g->value, place);
      sd_verdict verdict = (sd_verdict)sd_grid_whole(&g->verdict, place);
      sd_text title = {0};
      add_place(&title, g, place);
      if (isfinite(change)) sd_text_add(&title, ": %+.3g, %s", change, sd_verdict_text(verdict));
      else sd_text_add(&title, ": %s", sd_verdict_text(verdict));
      char *words = sd_text_take(&title);
      sd_chart_cell(&c, x[i], x[i + 1], y[j], y[j + 1], isfinite(change) ? colour_of(change, colour) : NULL,
                    verdict == SD_UNDECIDED, words ? words : "");
      free(words);
    }
  sd_chart_end(&c);
}

static void add_maps(sd_text *page, const sd_grid *g) {
  const char *method = sd_result_summary(g->result, g->method)->method;
  size_t slices = g->axes < 3 ? 1 : sd_grid_shown(&g->axis[0], SLICES_MOST);
  for (size_t k = 0; k < slices; k++) {
    size_t slice = slices > 1 ? sd_grid_shown_at(&g->axis[0], SLICES_MOST, k) : 0;
    sd_text_add(page, "<figure><h4>%s", method);
    if (g->axes == 3) {
      sd_text_add(page, ", ");
      sd_text_add_html(page, g->axis[0].name);
      sd_text_add(page, " = %.4g", sd_result_axis_value(g->result, 0, slice));
    }
    sd_text_add(page, "</h4>");
    draw_slice(page, g, slice);
    sd_text_add(page, "</figure>\n");
  }
}

static void add_colours(sd_text *page, const sd_grid *g) {
  static const double changes[] = {-50, -5, -0.5, -0.05, 0, 0.05, 0.5, 5, 50};
  char colour[16];
  sd_text_add(page, "<p class=\"soft\">Change of E over the run, in units of the rms of its oscillation: ");
  for (int i = 0; i < 9; i++)
    sd_text_add(page, "<span class=\"key\" style=\"background:%s\"></span>%+.3g%s", colour_of(changes[i], colour),
                changes[i], i < 8 ? " " : ".");
  sd_text_add(page, " A dot: undecided; grey: no estimate, as where all members were lost.");
  for (int k = 0; k < g->axes; k++)
    if (g->axis[k].count > (size_t)(g->axes == 3 && !k ? SLICES_MOST : CELLS_MOST)) {
      sd_text_add(page, " Of ");
      sd_text_add_html(page, g->axis[k].name);
      sd_text_add(page, ", %d of %zu values are shown.", g->axes == 3 && !k ? SLICES_MOST : CELLS_MOST,
                  g->axis[k].count);
    }
  sd_text_add(page, "</p>\n");
}

void sd_page_sweep(sd_text *page, const sd_result *result) {
  sd_grid g;
  sd_view reach = {.size = sizeof reach};
  sd_grid_open(&g, result);
  sd_text_add(page, "<h3>Points of the sweep</h3>\n");
  add_tallies(page, &g);
  sd_text_add(page, "<h3>Over the grid</h3>\n");
  if (g.axes > 1) add_colours(page, &g);
  else
    sd_text_add(page,
                "<p class=\"soft\">Change of E over the run, in units of the rms of its oscillation, with what the "
                "run leaves room for.</p>\n");
  sd_text_add(page, "<div class=\"grid\">\n");
  for (size_t m = 0; m < sd_result_count(result); m++) {
    if (sd_grid_take(&g, m, "drift_change")) continue;
    if (g.axes > 1) add_maps(page, &g);
    else if (!sd_result_point(result, m, "drift_change_reach", &reach)) {
      sd_text_add(page, "<figure><h4>%s</h4>", sd_result_summary(result, m)->method);
      draw_line(page, &g, &reach);
      sd_text_add(page, "</figure>\n");
    }
  }
  sd_text_add(page, "</div>\n");
}
