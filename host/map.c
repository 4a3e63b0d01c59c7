/* map.c - a quantity over the grid of a sweep: a line with its reach over one grid, a picture over two, slices of
 * three; methods side by side. */
#include "map.h"

#include "grid.h"
#include "plotting.h"

#include <math.h>
#include <string.h>

enum { CELLS_MOST = 512, SLICES_MOST = 6, MARKS_MOST = 4096 }; /* along an axis; of the first of three; of undecided */

typedef struct {
  sd_grid grid;
  double largest, smallest; /* of all methods: sizes, and the least that is positive */
  int below;                /* some are less than 0 */
} map;

static void find_range(map *m) {
  size_t place[3] = {0};
  for (size_t p = 0; p < sd_result_points(m->grid.result); p++, sd_grid_next(&m->grid, place)) {
    double x = sd_grid_real(&m->grid.value, place);
    if (!isfinite(x)) continue;
    m->largest = fmax(m->largest, fabs(x));
    m->below |= x < 0;
    if (x > 0 && (m->smallest == 0 || x < m->smallest)) m->smallest = x;
  }
}

/* ---- looks ---- */

/* To both sides of zero, or by orders of magnitude; both scales are told apart by those who do not see all colours. */
static void add_palette(sd_text *to, const map *m, const char *quantity) {
  double most = m->largest > 0 ? m->largest : 1;
  if (m->below) {
    sd_text_add(
        to,
        "f(x) = asinh(x/%.9g)\nset palette defined (-1 '#2166ac', -0.5 '#92c5de', 0 '#f7f7f7', 0.5 '#f4a582', 1 "
        "'#b2182b')\nset cbrange [f(%.9g):f(%.9g)]\nset cbtics (",
        most / 50, -most, most);
    static const double ticks[] = {-1, -0.1, 0, 0.1, 1};
    for (int i = 0; i < 5; i++) sd_text_add(to, "%s'%.1e' f(%.9g)", i ? ", " : "", ticks[i] * most, ticks[i] * most);
    sd_text_add(to, ")\n");
  } else {
    int magnitudes = m->smallest > 0 && most > 100 * m->smallest;
    sd_text_add(
        to,
        "f(x) = %s\nset palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725')\n%s",
        magnitudes ? "x > 0 ? log10(x) : NaN" : "x", magnitudes ? "set format cb '10^{%g}'\n" : "");
  }
  sd_text_add(to, "set cblabel '%s' noenhanced offset 1,0\n", quantity);
}

static void add_tics(sd_text *to, const map *m, char which, int axis) {
  size_t shown = sd_grid_shown(&m->grid.axis[axis], CELLS_MOST), tics = shown < 5 ? shown : 5;
  sd_text_add(to, "set %clabel '%s%s' noenhanced\nset %ctics (", which, m->grid.axis[axis].name,
              m->grid.axis[axis].equal_factors ? " (log)" : "", which);
  for (size_t i = 0; i < tics; i++) {
    size_t at = i * (shown - 1) / (tics - 1);
    sd_text_add(
        to, "%s'%.3g' %zu", i ? ", " : "",
        sd_result_axis_value(m->grid.result, (size_t)axis, sd_grid_shown_at(&m->grid.axis[axis], CELLS_MOST, at)), at);
  }
  sd_text_add(to, ")\n");
}

/* ---- one grid ---- */

/* The slope has its reach beside it; other quantities have none. */
static void draw_line(sd_text *to, const map *m, int with_reach) {
  static const char *const kinds[] = {"undecided", "bounded", "drifts +", "drifts -"};
  static const char *const looks[] = {"pt 6 lc rgb '#777777'", "pt 7 lc rgb '#009e73'", "pt 9 lc rgb '#b2182b'",
                                      "pt 11 lc rgb '#2166ac'"};
  double aside = m->grid.axis[0].count > 1 ? 0 : 0.5; /* one point, of a part of a sweep, is no range */
  sd_text_add(to, "%sset xlabel '%s' noenhanced\nset xrange [%.9g:%.9g]\nset key below\n$line << EOD\n",
              m->grid.axis[0].equal_factors ? "set logscale x\n" : "", m->grid.axis[0].name,
              m->grid.axis[0].low - aside, m->grid.axis[0].high + aside);
  for (size_t place[3] = {0}; place[0] < m->grid.axis[0].count; place[0]++) {
    double x = sd_result_axis_value(m->grid.result, 0, place[0]), y = sd_grid_real(&m->grid.value, place);
    double reach = sd_grid_real(&m->grid.reach, place);
    if (isfinite(y))
      sd_text_add(to, "%.12g %.9g %.9g %.9g %zu\n", x, y, isfinite(reach) ? y - reach : y,
                  isfinite(reach) ? y + reach : y, sd_grid_whole(&m->grid.verdict, place));
  }
  sd_text_add(to, "EOD\nplot ");
  if (with_reach) sd_text_add(to, "$line using 1:3:4 with filledcurves fc rgb '#dddddd' title 'reach', ");
  sd_text_add(to, "$line using 1:2 with lines lw 0.7 lc rgb '#444444' notitle");
  for (int v = 0; v < 4; v++)
    sd_text_add(to, ", $line using 1:($5 == %d ? $2 : NaN) with points ps 0.7 %s title '%s'", v, looks[v], kinds[v]);
  sd_text_add(to, "\n");
}

/* ---- two, or a slice of three ---- */

/* Cells that have no value are grey; undecided ones have a dot. */
static void draw_slice(sd_text *to, const map *m, size_t slice) {
  int x = m->grid.axes - 2, y = m->grid.axes - 1;
  size_t place[3] = {slice}, columns = sd_grid_shown(&m->grid.axis[x], CELLS_MOST),
         rows = sd_grid_shown(&m->grid.axis[y], CELLS_MOST), marks = 0;
  add_tics(to, m, 'x', x);
  add_tics(to, m, 'y', y);
  sd_text_add(to, "set xrange [-0.5:%zu-0.5]\nset yrange [-0.5:%zu-0.5]\n$cells << EOD\n", columns, rows);
  for (size_t j = 0; j < rows; j++) {
    for (size_t i = 0; i < columns; i++) {
      place[x] = sd_grid_shown_at(&m->grid.axis[x], CELLS_MOST, i),
      place[y] = sd_grid_shown_at(&m->grid.axis[y], CELLS_MOST, j);
      double value = sd_grid_real(&m->grid.value, place);
      if (isfinite(value)) sd_text_add(to, "%.6g ", value);
      else sd_text_add(to, "NaN ");
    }
    sd_text_add(to, "\n");
  }
  sd_text_add(to, "EOD\n$marks << EOD\n");
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < columns; i++) {
      place[x] = sd_grid_shown_at(&m->grid.axis[x], CELLS_MOST, i),
      place[y] = sd_grid_shown_at(&m->grid.axis[y], CELLS_MOST, j);
      if (sd_grid_whole(&m->grid.verdict, place) == SD_UNDECIDED && rows * columns <= MARKS_MOST && ++marks)
        sd_text_add(to, "%zu %zu\n", i, j);
    }
  sd_text_add(to, "EOD\nplot $cells matrix using 1:2:(f($3)) with image pixels notitle%s\n",
              marks ? ", $marks using 1:2 with points pt 7 ps 0.35 lc rgb '#222222' notitle" : "");
}

static void add_panel(sd_text *to, map *m, size_t slice, const char *quantity) {
  const sd_summary *s = sd_result_summary(m->grid.result, m->grid.method);
  sd_text_add(to, "set title \"%s", s->method);
  if (m->grid.axes == 3)
    sd_text_add(to, ", %s = %.4g", m->grid.axis[0].name, sd_result_axis_value(m->grid.result, 0, slice));
  sd_text_add(to, "\" noenhanced\n");
  if (m->grid.axes == 1) {
    sd_text_add(to, "set ylabel '%s' noenhanced offset 1,0\n", quantity);
    draw_line(to, m, !strcmp(quantity, "drift_slope"));
  } else draw_slice(to, m, slice);
}

/* ---- the picture ---- */

sd_status sd_map_possible(const sd_result *result, const char *quantity, sd_error *error) {
  sd_view view = {.size = sizeof view};
  if (!sd_result_points(result)) return sd_fail(error, SD_BAD_INPUT, "map: the run is no sweep");
  if (!sd_result_point(result, 0, quantity, &view) && view.data) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "map-of: a sweep has no '%.40s'; expected a statistic, such as drift_slope",
                 quantity);
}

sd_status sd_map_draw(const sd_result *result, const char *quantity, const char *path, sd_error *error) {
  map m = {0};
  sd_text script = {0};
  size_t methods = sd_result_count(result), slices = 1;
  SD_TRY(sd_map_possible(result, quantity, error));
  sd_grid_open(&m.grid, result);
  if (m.grid.axes == 3) slices = m.grid.axis[0].count < SLICES_MOST ? m.grid.axis[0].count : SLICES_MOST;
  for (size_t i = 0; i < methods; i++)
    if (!sd_grid_take(&m.grid, i, quantity)) find_range(&m);
  sd_picture_begin(&script, path, 420 * (int)slices + 60, 340 * (int)methods + 50);
  sd_text_add(&script, "set grid front\nunset grid\n");
  if (m.grid.axes > 1) {
    add_palette(&script, &m, quantity);
    sd_text_add(&script, "set object 1 rect from graph 0,0 to graph 1,1 fc rgb '#c8c8c8' fs solid noborder behind\n");
  }
  sd_text_add(&script, "set multiplot layout %zu,%zu title '%s: %s over the sweep%s' noenhanced\n", methods, slices,
              sd_result_summary(result, 0)->problem, quantity,
              m.grid.axes > 1 ? "; dots: undecided, grey: failed" : "");
  for (size_t i = 0; i < methods; i++)
    for (size_t k = 0; k < slices; k++) {
      size_t slice = slices > 1 ? k * (m.grid.axis[0].count - 1) / (slices - 1) : 0;
      if (!sd_grid_take(&m.grid, i, quantity)) add_panel(&script, &m, slice, quantity);
    }
  sd_text_add(&script, "unset multiplot\n");
  return sd_picture_draw(&script, path, error);
}
