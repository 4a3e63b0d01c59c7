/* report.c - a result as one JSON document, or as a table of at most 100 columns. */
#include "digest.h"
#include "event_log.h"
#include "json.h"
#include "number.h"
#include "own.h"
#include "report_moments.h"
#include "report_points.h"
#include "report_table.h"
#include "run.h"
#include "safe_file.h"
#include "statistics_list.h"
#include "terminal.h"
#include "text.h"
#include "verdict.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sd_verdict_text(sd_verdict verdict) {
  switch (verdict) {
  case SD_UNDECIDED: return "undecided";
  case SD_BOUNDED: return "bounded";
  case SD_DRIFTS_UP: return "drifts +";
  case SD_DRIFTS_DOWN: return "drifts -";
  }
  return "unknown";
}

static void write_problem_parameters(sd_json *j, const sd_specification *spec) {
  const double *value = spec->parameters;
  for (const sd_parameter *p = spec->problem->parameter; p->name; value += p++->count) {
    if (p->count == 1) sd_json_real(j, p->name, *value);
    else sd_json_reals(j, p->name, value, p->count);
  }
}

static void write_method_parameters(sd_json *j, const sd_specification *spec, size_t m) {
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  int count = sd_parameters_of(spec->methods[m].entry, table);
  for (int i = 0; i < count; i++) sd_json_real(j, table[i]->name, spec->method_parameters[m][i]);
}

/* Of what is the user's own: what it is, and its text's digest. */
static void write_sources(sd_json *j, const sd_specification *spec) {
  const sd_source *s;
  char digest[33];
  if (!sd_own_source(spec->problem->family, 0)) return;
  sd_json_open(j, "sources", '[');
  for (int i = 0; (s = sd_own_source(spec->problem->family, i)); i++) {
    sd_document_digest(s->document, digest);
    sd_json_open(j, NULL, '{');
    sd_json_text(j, sd_source_kind_text(s->kind), s->id);
    sd_json_text(j, "digest", digest);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
}

static void write_plan(sd_json *j, const char *key, const sd_specification *spec) {
  char document[33];
  sd_json_open(j, key, '{');
  sd_json_text(j, "problem", spec->problem->id);
  if (sd_described_by(spec)) sd_document_digest(sd_described_by(spec), document), sd_json_text(j, "system", document);
  write_sources(j, spec);
  sd_json_open(j, "param", '{');
  write_problem_parameters(j, spec);
  sd_json_close(j, '}');
  sd_json_open(j, "methods", '[');
  for (int m = 0; m < spec->method_count; m++) {
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "method", spec->methods[m].name);
    write_method_parameters(j, spec, (size_t)m);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
  sd_json_unsigned(j, "members", spec->each);
  sd_json_unsigned(j, "bodies", spec->topology ? sd_bodies_each(spec) : spec->each); /* what it was called before */
  sd_json_real(j, "step", spec->h);
  sd_json_whole(j, "steps", spec->total_steps);
  sd_json_real(j, "time", spec->total_time);
  sd_json_whole(j, "every", spec->sample_every);
  sd_json_real(j, "resolve", spec->resolve);
  sd_json_unsigned(j, "seed", spec->seed);
  if (spec->first_member) {
    sd_json_unsigned(j, "first_member", spec->first_member);
    sd_json_unsigned(j, "first_body", spec->first_member);
  }
  sd_write_maneuvers(j, spec);
  sd_write_sweep(j, &spec->sweep);
  if (sd_is_part_of_sweep(spec)) {
    sd_json_unsigned(j, "first_point", spec->first_point);
    sd_json_unsigned(j, "points", spec->points);
  }
  if (spec->moments) sd_json_truth(j, "moments", 1);
  const double *sigma = spec->sigma;
  for (const sd_start_array *a = spec->problem->family->start; a->name; a++) {
    char key[32];
    snprintf(key, sizeof key, "%s", a->key);
    for (char *dash = key; (dash = strchr(dash, '-'));) *dash = '_'; /* sigma_attitude */
    sd_json_real(j, key, *sigma++);
  }
  sd_json_close(j, '}');
}

static int begins_with(const sd_statistic *s, const char *place, size_t length) {
  return !strncmp(s->place, place, length);
}

/* Is it the first of all whose place begins with so many characters of its own? */
static int is_first_at(int index, size_t length) {
  int first = 0;
  while (!begins_with(&sd_statistics[first], sd_statistics[index].place, length)) first++;
  return first == index;
}

/* Energies by kind, at the start and at the end. */
static void write_kinds(sd_json *j, const sd_ledger_entry *entry, const sd_series *s) {
  size_t count = (size_t)s->ledgers, last = s->count ? s->count - 1 : 0;
  if (!count) return;
  sd_json_open(j, "kinds", '{');
  for (size_t k = 0; k < count; k++)
    if (entry[k].is_energy) sd_json_reals(j, entry[k].id, (double[]){s->ledger[k], s->ledger[last * count + k]}, 2);
  sd_json_close(j, '}');
}

/* The rest of the ledger: what should not be at its largest, all else as it was at the end. */
static double ledger_number(const sd_ledger_entry *entry, const sd_series *s, size_t k) {
  size_t count = (size_t)s->ledgers;
  double value = s->count ? s->ledger[(s->count - 1) * count + k] : NAN;
  for (size_t i = 0; i < s->count && entry[k].largest; i++) value = fmax(value, s->ledger[i * count + k]);
  return value;
}
static void write_ledger(sd_json *j, const sd_ledger_entry *entry, const sd_series *s) {
  static const struct {
    const char *name;
    int is_momentum;
  } parts[] = {{"momentum", 1}, {"ledger", 0}};
  for (int i = 0; i < 2 && s->ledgers; i++) {
    sd_json_open(j, parts[i].name, '{');
    for (size_t k = 0; k < (size_t)s->ledgers; k++)
      if (!entry[k].is_energy && parts[i].is_momentum == (entry[k].largest && !strcmp(entry[k].units, "momentum")))
        sd_json_real(j, entry[k].id, ledger_number(entry, s, k));
    sd_json_close(j, '}');
  }
}

/* The statistics whose place begins with the first `length` characters of `at`: numbers, lists of numbers, objects. */
static void write_statistics(sd_json *j, const sd_result *result, size_t m, const char *at, size_t length) {
  const sd_family *family = result->spec->problem->family;
  const sd_summary *r = &result->summaries[m];
  for (int i = 0; i < SD_STATISTICS; i++) {
    sd_statistic s = sd_statistic_of(family, i);
    if (!begins_with(&s, at, length)) continue;
    char key[32];
    const char *rest = s.place + length, *dot = strchr(rest, '.');
    if (!dot) {
      sd_json_real(j, *rest ? rest : s.name, sd_statistic_value(r, i));
      continue;
    }
    size_t further = (size_t)(dot + 1 - s.place);
    if (!is_first_at(i, further)) continue;
    snprintf(key, sizeof key, "%.*s", (int)(dot - rest), rest);
    if (isdigit((unsigned char)dot[1])) {
      sd_json_open_row(j, key);
      for (int k = i; k < SD_STATISTICS; k++)
        if (begins_with(&sd_statistics[k], s.place, further)) sd_json_row(j, sd_statistic_value(r, k));
      sd_json_close_row(j);
    } else {
      sd_json_open(j, key, '{');
      write_statistics(j, result, m, s.place, further);
      if (!strcmp(s.place, "energy.initial_mean")) write_kinds(j, family->ledger, &result->series[m]);
      sd_json_close(j, '}');
    }
  }
}

/* Of a system, a list over its bodies. */
static void write_array(sd_json *j, const char *key, const sd_array *a, const double *numbers, size_t bodies) {
  if (a->per_body && bodies) {
    sd_json_open(j, key, '[');
    for (size_t b = 0; b < bodies; b++)
      sd_json_reals(j, NULL, numbers + b * (size_t)sd_array_numbers(a), sd_array_numbers(a));
    sd_json_close(j, ']');
  } else if (sd_array_numbers(a) > 1) sd_json_reals(j, key, numbers, sd_array_numbers(a));
  else sd_json_real(j, key, *numbers);
}

static void write_final(sd_json *j, const sd_result *result, size_t m, size_t i) {
  const sd_states *s = &result->finals[m];
  const double *numbers = sd_state_at(s, 0, i);
  sd_json_open(j, NULL, '{');
  sd_json_unsigned(j, "body", sd_first_number(result->spec) + i);
  sd_json_text(j, "status", sd_member_status_text(*sd_state_status(s, 0, i)));
  for (const sd_array *a = result->spec->problem->family->array; a->id; numbers += sd_array_all(a++, s->bodies))
    write_array(j, a->id, a, numbers, sd_bodies_each(result->spec));
  sd_json_real(j, "energy_error", *sd_state_error(s, 0, i));
  sd_write_member_log(j, result, m, i);
  sd_json_close(j, '}');
}

static void write_ledger_series(sd_json *j, const sd_ledger_entry *entry, const sd_series *s) {
  for (int k = 0; k < s->ledgers; k++) {
    sd_json_open_row(j, entry[k].id);
    for (size_t i = 0; i < s->count; i++) sd_json_row(j, s->ledger[i * (size_t)s->ledgers + (size_t)k]);
    sd_json_close_row(j);
  }
}

static void write_column(sd_json *j, const char *key, const sd_result *result, size_t m, const sd_sample_quantity *q,
                         int k) {
  sd_json_open_row(j, key);
  for (size_t i = 0; i < sd_result_sample_count(result, m); i++) {
    const void *at = sd_sample_at(sd_result_sample(result, m, i), q);
    sd_json_row(j, q->whole ? (double)*(const size_t *)at : ((const double *)at)[k]);
  }
  sd_json_close_row(j);
}

static void write_series(sd_json *j, const sd_result *result, size_t m) {
  sd_json_open(j, "series", '{');
  for (const sd_sample_quantity *q = sd_sample_quantities; q < sd_sample_quantities + SD_SAMPLE_QUANTITIES; q++)
    for (int k = 0; k < q->count; k++) write_column(j, q->key ? q->key : sd_quantile_keys[k], result, m, q, k);
  write_ledger_series(j, result->spec->problem->family->ledger, &result->series[m]);
  sd_write_moment_series(j, result, m);
  sd_json_close(j, '}');
}

/* Per member: time, E - E0, and the arrays of its family, such as a matrix row by row. */
static void write_trajectories(sd_json *j, const sd_result *result, size_t m) {
  const sd_states *s = &result->trajectories[m];
  sd_json_open(j, "trajectories", '[');
  for (size_t b = 0; b < s->members; b++) {
    size_t first = 0;
    sd_json_open(j, NULL, '{');
    sd_json_unsigned(j, "body", result->spec->first_member + b);
    sd_json_open_row(j, "time");
    for (size_t k = 0; k < s->samples; k++) sd_json_row(j, sd_result_trajectory_time(result, k));
    sd_json_close_row(j);
    sd_json_open_row(j, "energy_error");
    for (size_t k = 0; k < s->samples; k++) sd_json_row(j, *sd_state_error(s, k, b));
    sd_json_close_row(j);
    for (const sd_array *a = result->spec->problem->family->array; a->id; first += sd_array_all(a++, s->bodies)) {
      sd_json_open(j, a->id, '[');
      for (size_t k = 0; k < s->samples; k++)
        write_array(j, NULL, a, sd_state_at(s, k, b) + first, sd_bodies_each(result->spec));
      sd_json_close(j, ']');
    }
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
}

/* All that a result depends on and that sets it apart from the others can be read off it; the rest is in its plan. */
/* Of one member, and of the time of all where that is known, as the progress line has it. */
static void write_neighbours(sd_json *j, const sd_neighbour_cost *cost, const sd_summary *r) {
  if (!cost->rebuilds) return;
  sd_json_open(j, "neighbours", '{');
  sd_json_real(j, "rebuilds", (double)cost->rebuilds / (double)r->members);
  if (cost->seconds > 0) sd_json_real(j, "share", cost->seconds / r->seconds);
  sd_json_close(j, '}');
}

static void write_summary(sd_json *j, const sd_result *result, size_t run, size_t m) {
  const sd_summary *r = &result->summaries[m];
  sd_json_open(j, NULL, '{');
  sd_json_unsigned(j, "run", run);
  sd_json_text(j, "method", r->method);
  sd_json_text(j, "problem", r->problem);
  sd_json_open(j, "param", '{');
  write_problem_parameters(j, result->spec);
  write_method_parameters(j, result->spec, m);
  sd_json_close(j, '}');
  sd_json_real(j, "step", r->step);
  sd_json_real(j, "time", r->time);
  sd_json_unsigned(j, "members", r->members);
  sd_json_unsigned(j, "bodies", result->spec->topology ? sd_bodies_each(result->spec) : r->members);
  sd_json_whole(j, "failed", (long long)r->failed);
  write_statistics(j, result, m, "", 0);
  write_ledger(j, result->spec->problem->family->ledger, &result->series[m]);
  sd_write_moments(j, result, m);
  sd_write_log(j, result, m);
  sd_json_text(j, "verdict", sd_verdict_text(r->verdict));
  sd_json_text(j, "because", r->because);
  if (sd_is_swept(result->spec)) sd_write_points(j, result, m);
  sd_write_table_of_members(j, result, m);
  sd_json_real(j, "seconds", r->seconds);
  sd_json_real(j, "ns_per_body_step", r->ns_per_body_step);
  write_neighbours(j, &result->neighbours[m], r);
  if (result->spec->finals) {
    sd_json_open(j, "final", '[');
    for (size_t i = 0; i < result->spec->finals; i++) write_final(j, result, m, i);
    sd_json_close(j, ']');
  }
  if (result->with_series && !sd_is_swept(result->spec)) write_series(j, result, m);
  if (result->spec->recorded) write_trajectories(j, result, m);
  sd_json_close(j, '}');
}

static void write_backend(sd_json *j, const sd_result *result) {
  sd_json_open(j, "backend", '{');
  sd_json_text(j, "name", result->backend);
  sd_json_text(j, "isa", result->variant);
  sd_json_text(j, "devices", result->devices);
  sd_json_whole(j, "threads", result->threads);
  if (result->ranks) {
    sd_json_whole(j, "ranks", result->ranks);
    sd_json_whole(j, "handed_out", result->handed_out);
    sd_json_real(j, "bytes_sent", (double)result->sent);
  }
  sd_json_close(j, '}');
}

static void write_document(sd_json *j, const char *title, const sd_result *const *results, size_t count) {
  char digest[33];
  sd_digest_of_digests(results, count, digest);
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "spindrift", SPINDRIFT_VERSION);
  if (title) sd_json_text(j, "title", title);
  sd_json_text(j, "digest", digest);
  if (!sd_results_complete(results, count)) sd_json_truth(j, "incomplete", 1);
  if (count > 1) sd_json_open(j, "plan", '[');
  for (size_t i = 0; i < count; i++) write_plan(j, count > 1 ? NULL : "plan", results[i]->spec);
  if (count > 1) sd_json_close(j, ']');
  sd_json_open(j, "plans", '[');
  for (size_t i = 0; i < count; i++) write_plan(j, NULL, results[i]->spec);
  sd_json_close(j, ']');
  if (count) write_backend(j, results[0]);
  sd_json_open(j, "results", '[');
  for (size_t i = 0; i < count; i++)
    for (size_t m = 0; m < sd_result_count(results[i]); m++) write_summary(j, results[i], i, m);
  sd_json_close(j, ']');
  sd_json_close(j, '}');
}

sd_status sd_results_write_titled_json(const char *title, const sd_result *const *results, size_t count, FILE *to) {
  sd_json j = {.to = to};
  write_document(&j, title, results, count);
  return fflush(to) || ferror(to) ? SD_IO : SD_OK;
}

sd_status sd_results_write_json(const sd_result *const *results, size_t count, FILE *to) {
  return sd_results_write_titled_json(NULL, results, count, to);
}

sd_status sd_results_json(const sd_result *const *results, size_t count, char **made, size_t *size) {
  sd_text text = {0};
  sd_json j = {.text = &text};
  write_document(&j, NULL, results, count);
  *size = text.length;
  *made = sd_text_take(&text);
  return *made ? SD_OK : SD_NO_MEMORY;
}

/* A stream of its own on the file that is being written. */
static sd_status write_to(const sd_safe_file *file, const sd_result *const *results, size_t count, sd_error *error) {
  int fd = dup(file->fd);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  sd_status status = to ? sd_results_write_json(results, count, to) : SD_IO;
  if (to ? fclose(to) : fd >= 0 && close(fd)) status = SD_IO;
  return status ? sd_fail(error, status, "%s: cannot be written: %s", sd_path_shown(file->path), strerror(errno))
                : SD_OK;
}

sd_status sd_results_save_json(const sd_result *const *results, size_t count, const char *path, char message[512]) {
  sd_safe_file file;
  sd_error error = {0};
  sd_status status = sd_safe_file_open(&file, path, &error);
  if (!status) status = sd_safe_file_close(&file, write_to(&file, results, count, &error), SD_REPLACE, &error);
  memcpy(message, error.message, sizeof error.message);
  return status;
}

void sd_free(void *memory) {
  free(memory);
}

sd_status sd_result_write_json(const sd_result *result, FILE *to) {
  return sd_results_write_json(&result, 1, to);
}

/* ---- the table ---- */

typedef struct {
  char text[24];
} cell;

static cell in_digits(double value, const char *format) {
  cell c = {"-"};
  if (isfinite(value)) sd_format(c.text, sizeof c.text, format, value);
  return c;
}

/* The methods that keep the energy first, then by the size of the slope. */
static int before(const sd_summary *a, const sd_summary *b) {
  if ((a->verdict == SD_BOUNDED) != (b->verdict == SD_BOUNDED)) return a->verdict == SD_BOUNDED;
  if (isfinite(a->drift_slope) != isfinite(b->drift_slope)) return isfinite(a->drift_slope);
  return fabs(a->drift_slope) < fabs(b->drift_slope);
}

/* Columns beside the method and the verdict, and how soon each has to go where there is no room: the highest first. */
enum { CHANGE = SD_STATISTICS, NANOSECONDS, METHOD_AND_VERDICT = 29 };
static const struct {
  int what; /* a statistic, or one of the above */
  int width, goes;
  const char *head; /* NULL: the family's */
  const char *format;
} columns[] = {{SD_STATISTIC_drift_slope, 9, 1, "dE/dt", "%+.2e"},
               {CHANGE, 17, 2, "change/rms     ", NULL},
               {SD_STATISTIC_energy_max_abs_error, 9, 3, "max|E-E0|", "%.2e"},
               {SD_STATISTIC_momentum_max_error, 8, 5, "momentum", "%.1e"},
               {SD_STATISTIC_defect_max, 8, 6, NULL, "%.1e"},
               {SD_STATISTIC_newton_mean, 6, 7, "newton", "%.2f"},
               {NANOSECONDS, 7, 4, "ns/step", "%.2f"}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Where it goes and in what shape; columns that go later than `last` are not there. */
typedef struct {
  FILE *to;
  sd_terminal terminal;
  int last;
  const sd_specification *spec;
} table;

static int width_up_to(int last) {
  int width = METHOD_AND_VERDICT;
  for (int c = 0; c < COLUMNS; c++)
    if (columns[c].goes <= last) width += 1 + columns[c].width;
  return width;
}

static table make_table(FILE *to, const sd_specification *spec) {
  table t = {.to = to, .terminal = sd_terminal_of(to), .last = COLUMNS, .spec = spec};
  while (t.last && width_up_to(t.last) > t.terminal.width) t.last--;
  return t;
}

static void print_head(const table *t) {
  fprintf(t->to, "%-13s %-15s", "method", "verdict");
  for (int c = 0; c < COLUMNS; c++)
    if (columns[c].goes <= t->last)
      fprintf(t->to, " %*s", columns[c].width,
              columns[c].head ? columns[c].head : t->spec->problem->family->defect_head);
  putc('\n', t->to);
}

/* With the limit that `bounded` has earned, in units of the oscillation. */
static cell in_words(const sd_summary *r) {
  cell c;
  if (r->reason == SD_EXCLUDED) sd_format(c.text, sizeof c.text, "bounded <%.2g", r->drift_limit);
  else snprintf(c.text, sizeof c.text, "%s", sd_verdict_text(r->verdict));
  return c;
}

/* A momentum that a force acts on changes, and that says nothing of the method. */
static int keeps_momentum(const sd_specification *spec) {
  const sd_family *family = spec->problem->family;
  return !spec->burns && (!family->keeps_momentum || family->keeps_momentum(spec->parameters));
}

static cell in_column(const table *t, const sd_summary *r, int c) {
  cell both;
  switch (columns[c].what) {
  case CHANGE:
    sd_format(both.text, sizeof both.text, "%8s %-8s", in_digits(r->drift_change, "%+.2g").text,
              in_digits(r->drift_change_reach, "+-%.1g").text);
    return both;
  case NANOSECONDS: return in_digits(r->ns_per_body_step, columns[c].format);
  case SD_STATISTIC_momentum_max_error:
    if (!keeps_momentum(t->spec)) return in_digits(NAN, "");
    break;
  default: break;
  }
  return in_digits(sd_statistic_value(r, columns[c].what), columns[c].format);
}

/* Beside the row where there is room, otherwise below it. */
static void print_failed(const table *t, const sd_summary *r) {
  char text[64];
  int length = snprintf(text, sizeof text, "  %zu of %zu failed", r->failed, r->members);
  if (r->failed) fprintf(t->to, "%s%s", length + width_up_to(t->last) > t->terminal.width ? "\n" : "", text);
}

static void print_row(const table *t, const sd_summary *r) {
  const char *paint = "", *plain = "";
  if (t->terminal.colour && r->verdict != SD_UNDECIDED) {
    paint = r->verdict == SD_BOUNDED ? "\033[32m" : "\033[31m";
    plain = "\033[0m";
  }
  fprintf(t->to, "%-13s %s%-15s%s", r->method, paint, in_words(r).text, plain);
  for (int c = 0; c < COLUMNS; c++)
    if (columns[c].goes <= t->last) fprintf(t->to, " %*s", columns[c].width, in_column(t, r, c).text);
  print_failed(t, r);
  putc('\n', t->to);
}

/* A paragraph of its own, no wider than the table. */
static void print_text(const table *t, int indent, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void print_text(const table *t, int indent, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  sd_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  sd_print_wrapped(t->to, t->terminal.width, indent, text);
}

/* What would decide it, or why nothing would; and what a verdict on one member rests on. */
static void print_reasons(const table *t, const sd_result *result, const size_t *order) {
  int first = 1;
  for (size_t m = 0; m < sd_result_count(result); m++) {
    const sd_summary *r = &result->summaries[order[m]];
    if (r->verdict != SD_UNDECIDED && !sd_rests_on_one(r)) continue;
    if (first) putc('\n', t->to);
    print_text(t, 14, "%-13s %s: %s", r->method, sd_verdict_text(r->verdict), r->because);
    first = 0;
  }
}

/* A paragraph for each method, of those that have something to say. */
static void print_each(const table *t, const sd_result *result, const size_t *order,
                       void (*say)(const sd_result *, size_t, char *, size_t)) {
  char text[2048];
  for (size_t m = 0; m < sd_result_count(result); m++) {
    say(result, order[m], text, sizeof text);
    if (*text && !m) putc('\n', t->to);
    if (*text) sd_print_wrapped(t->to, t->terminal.width, 14, text);
  }
}

/* What the numbers are in. */
static void print_units(const table *t) {
  const char *units = t->spec->problem->family->units;
  putc('\n', t->to);
  const char *before = t->spec->units ? " (" : units ? " (by default " : "";
  if (t->spec->units) units = sd_units_names(t->spec->units);
  print_text(t, 2, "units: the parameters' own%s%s%s; change/rms: over the whole run; ns/step: of one body", before,
             units ? units : "", units ? ")" : "");
}

/* The places of the results in the table; insertion keeps equals in the order asked for. */
static void sort(const sd_result *result, size_t count, size_t order[SD_METHODS_MAX]) {
  for (size_t m = 0; m < count; m++) {
    size_t at = m;
    while (at > 0 && before(&result->summaries[m], &result->summaries[order[at - 1]])) order[at] = order[at - 1], at--;
    order[at] = m;
  }
}

sd_status sd_result_write_table(const sd_result *result, FILE *to) {
  const sd_specification *spec = result->spec;
  size_t order[SD_METHODS_MAX], count = sd_result_count(result);
  table t = make_table(to, spec);
  char each[64] = "", document[33];
  if (spec->topology)
    snprintf(each, sizeof each, " of %zu %s", sd_bodies_each(spec), sd_plural(sd_bodies_each(spec), "body", "bodies"));
  sort(result, count, order);
  print_text(&t, 2, "%s: %zu %s%s, step %g, time %g (%lld steps), seed %llu", spec->problem->id, spec->members,
             sd_member_word(spec, spec->members), each, spec->h, spec->total_time, (long long)spec->total_steps,
             (unsigned long long)spec->seed);
  putc('\n', to);
  print_head(&t);
  for (size_t m = 0; m < count; m++) print_row(&t, &result->summaries[order[m]]);
  if (!sd_is_swept(spec)) print_reasons(&t, result, order);
  print_each(&t, result, order, sd_moments_text);
  print_each(&t, result, order, sd_log_text);
  print_each(&t, result, order, sd_odd_ones_text);
  if (sd_is_swept(spec))
    for (size_t m = 0; m < count; m++) sd_print_points(result, order[m], to, t.terminal.width);
  if (count) print_units(&t);
  if (!sd_result_complete(result))
    fprintf(to, "\nincomplete: %zu of %d methods were done\n", count, spec->method_count);
  putc('\n', to);
  print_text(&t, 2, "digest %s   (%s, %s)", result->digest, result->backend, result->devices);
  if (sd_described_by(spec))
    sd_document_digest(sd_described_by(spec), document), print_text(&t, 2, "system %s", document);
  const sd_source *s;
  for (int i = 0; (s = sd_own_source(spec->problem->family, i)); i++) {
    sd_document_digest(s->document, document);
    print_text(&t, 2, "%s %s %s", sd_source_kind_text(s->kind), s->id, document);
  }
  return fflush(to) || ferror(to) ? SD_IO : SD_OK;
}
