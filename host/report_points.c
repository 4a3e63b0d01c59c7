#include "report_points.h"

#include "kept.h"
#include "number.h"
#include "points.h"
#include "terminal.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

/* ---- JSON ---- */

static void write_axis(sd_json *j, const sd_axis *a) {
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "name", a->name);
  sd_json_real(j, "low", a->low);
  sd_json_real(j, "high", a->high);
  sd_json_unsigned(j, "count", a->count);
  sd_json_truth(j, "log", a->is_log);
  sd_json_close(j, '}');
}

void sd_write_sweep(sd_json *j, const sd_sweep *s) {
  if (s->axes) {
    sd_json_open(j, "sweep", '[');
    for (int k = 0; k < s->axes; k++) write_axis(j, &s->axis[k]);
    sd_json_close(j, ']');
  }
  if (s->scatters) {
    sd_json_open(j, "spread", '{');
    for (int k = 0; k < s->scatters; k++) sd_json_real(j, s->scatter[k].name, s->scatter[k].sigma);
    sd_json_close(j, '}');
  }
  if (*s->columns) sd_json_text(j, "columns", s->columns);
}

static void count_verdicts(const sd_result *result, size_t m, size_t count[SD_DRIFTS_DOWN + 1]) {
  for (size_t p = 0; p < result->spec->points; p++) count[result->points[m][p].verdict]++;
}

static void write_values(sd_json *j, const sd_axis *a) {
  sd_json_open_row(j, a->name);
  for (size_t i = 0; i < a->count; i++) sd_json_row(j, sd_axis_value(a, i));
  sd_json_close_row(j);
}

static void write_grid(sd_json *j, const sd_specification *spec) {
  const sd_sweep *s = &spec->sweep;
  double shape[SD_AXES_MAX];
  sd_json_open(j, "sweep", '{');
  sd_json_open(j, "names", '[');
  for (int k = 0; k < s->axes; k++) sd_json_text(j, NULL, s->axis[k].name);
  sd_json_close(j, ']');
  for (int k = 0; k < s->axes; k++) shape[k] = (double)s->axis[k].count;
  sd_json_reals(j, "shape", shape, s->axes);
  if (sd_is_part_of_sweep(spec)) sd_json_unsigned(j, "first_point", spec->first_point);
  sd_json_unsigned(j, "points", spec->points);
  sd_json_unsigned(j, "members", spec->each);
  sd_json_open(j, "values", '{');
  for (int k = 0; k < s->axes && spec->points <= SD_POINTS_WRITTEN; k++) write_values(j, &s->axis[k]);
  sd_json_close(j, '}');
  sd_json_close(j, '}');
}

static void write_verdicts(sd_json *j, const sd_result *result, size_t m) {
  size_t count[SD_DRIFTS_DOWN + 1] = {0};
  count_verdicts(result, m, count);
  sd_json_open(j, "verdicts", '{');
  for (int v = 0; v <= SD_DRIFTS_DOWN; v++) sd_json_unsigned(j, sd_verdict_text((sd_verdict)v), count[v]);
  sd_json_close(j, '}');
}

/* As the points are numbered: the last grid runs fastest. */
static void write_table(sd_json *j, const sd_result *result, size_t m) {
  sd_kept a;
  sd_json_open(j, "points", '{');
  for (size_t k = sd_kept_points(result); k < sd_kept_table(result) && sd_kept_at(result, m, k, &a); k++) {
    int words = (char *)a.data == (char *)&result->points[m]->verdict;
    if (words) sd_json_open(j, a.name, '[');
    else sd_json_open_row(j, a.name);
    for (size_t p = 0; p < a.rows; p++) {
      if (words) sd_json_text(j, NULL, sd_verdict_text((sd_verdict)result->points[m][p].verdict));
      else if (a.kind == SD_KEPT_WHOLES) sd_json_row(j, (double)((const size_t *)a.data)[p * a.stride]);
      else sd_json_row(j, ((const double *)a.data)[p * a.stride]);
    }
    if (words) sd_json_close(j, ']');
    else sd_json_close_row(j);
  }
  sd_json_close(j, '}');
}

void sd_write_points(sd_json *j, const sd_result *result, size_t m) {
  write_grid(j, result->spec);
  write_verdicts(j, result, m);
  if (result->spec->points <= SD_POINTS_WRITTEN) write_table(j, result, m);
}

/* ---- for people ---- */

static void say_place(sd_text *to, const sd_specification *spec, size_t point) {
  const sd_sweep *s = &spec->sweep;
  for (int k = 0; k < s->axes; k++)
    sd_text_add(to, "%s%s=%g", k ? ", " : " at ", s->axis[k].name,
                sd_axis_value(&s->axis[k], sd_sweep_place(s, spec->first_point + point, k)));
}

static void say_verdicts(sd_text *to, const sd_result *result, size_t m) {
  size_t count[SD_DRIFTS_DOWN + 1] = {0};
  const char *comma = "";
  count_verdicts(result, m, count);
  for (int v = SD_DRIFTS_DOWN; v >= 0; v--) {
    if (!count[v]) continue;
    sd_text_add(to, "%s%zu %s", comma, count[v], sd_verdict_text((sd_verdict)v));
    comma = ", ";
  }
}

/* The points with the least and the greatest slope, of those that have one. */
static int find_ends(const sd_result *result, size_t m, size_t end[2]) {
  int found = 0;
  const sd_point *points = result->points[m];
  for (size_t p = 0; p < result->spec->points; p++) {
    double slope = points[p].value[SD_STATISTIC_drift_slope];
    if (slope != slope) continue;
    if (!found++) end[0] = end[1] = p;
    if (slope < points[end[0]].value[SD_STATISTIC_drift_slope]) end[0] = p;
    if (slope > points[end[1]].value[SD_STATISTIC_drift_slope]) end[1] = p;
  }
  return found;
}

void sd_print_points(const sd_result *result, size_t m, FILE *to, int width) {
  const sd_specification *spec = result->spec;
  size_t end[2];
  sd_text text = {0};
  sd_text_add(&text, "%-13s %zu %s", result->summaries[m].method, spec->points,
              sd_plural(spec->points, "point", "points"));
  if (sd_is_part_of_sweep(spec))
    sd_text_add(&text, " (from %zu on, of %zu)", spec->first_point, sd_sweep_points(&spec->sweep));
  sd_text_add(&text, " of %zu %s: ", spec->each, spec->each > 1 ? "members" : "member, judged by its windows alone");
  say_verdicts(&text, result, m);
  if (find_ends(result, m, end))
    for (int k = 0; k < 2; k++) {
      sd_text_add(&text, "%s%+.2e", k ? " to " : "; dE/dt from ",
                  result->points[m][end[k]].value[SD_STATISTIC_drift_slope]);
      say_place(&text, spec, end[k]);
    }
  char *line = sd_text_take(&text);
  putc('\n', to);
  if (line) sd_print_wrapped(to, width, 14, line);
  free(line);
}

/* ---- maneuvers ---- */

static void write_impulses(sd_json *j, const sd_specification *spec) {
  sd_json_open(j, "impulses", '[');
  for (int k = 0; k < spec->impulses; k++) {
    const sd_impulse *i = &spec->impulse[k];
    sd_json_open(j, NULL, '{');
    sd_json_real(j, "t", i->time);
    sd_json_reals(j, i->frame == SD_FRAME_RTN ? "rtn" : "dv", i->change, 3);
    sd_json_real(j, "size", i->size_error);
    sd_json_real(j, "angle", i->angle_error);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
}

static void write_burns(sd_json *j, const sd_specification *spec) {
  static const char *const frames[] = {"inertial", "rtn", "tangential"};
  sd_json_open(j, "burns", '[');
  for (int k = 0; k < spec->burns; k++) {
    const sd_burn *b = &spec->burn[k];
    sd_json_open(j, NULL, '{');
    sd_json_real(j, "from", b->from);
    sd_json_real(j, "until", b->until);
    sd_json_text(j, "frame", frames[b->frame]);
    sd_json_reals(j, "force", b->force, 3);
    sd_json_real(j, "flow", b->flow);
    sd_json_real(j, "size", b->size_error);
    sd_json_real(j, "angle", b->angle_error);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
}

static void write_events(sd_json *j, const sd_specification *spec) {
  static const char *const actions[] = {"mark", "end", "impulse"};
  sd_json_open(j, "events", '[');
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    char when[SD_CONDITION_ROOM];
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "at", sd_condition_text(e, when));
    sd_json_text(j, "does", actions[e->action]);
    if (e->action == SD_EVENT_KICKS) {
      sd_json_reals(j, e->frame == SD_FRAME_RTN ? "rtn" : "dv", e->change, 3);
      sd_json_real(j, "size", e->size_error);
      sd_json_real(j, "angle", e->angle_error);
    }
    sd_json_whole(j, "times", e->times);
    sd_json_real(j, "after", e->after);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
}

void sd_write_maneuvers(sd_json *j, const sd_specification *spec) {
  if (spec->units) sd_json_text(j, "units", sd_units_names(spec->units));
  if (spec->impulses) write_impulses(j, spec);
  if (spec->burns) write_burns(j, spec);
  if (spec->events) write_events(j, spec);
  if (spec->covariance.given) {
    sd_json_text(j, "covariance_frame", spec->covariance.frame == SD_FRAME_RTN ? "rtn" : "inertial");
    sd_json_reals(j, "covariance", spec->covariance.number, SD_COVARIANCE_NUMBERS);
  }
}
