#include "event_log.h"

#include "number.h"
#include "quantiles.h"
#include "statistics_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int sd_log_ends(const sd_specification *spec) {
  int ends = 0;
  for (int k = 0; k < spec->events; k++) ends |= spec->event[k].action == SD_EVENT_ENDS;
  return ends;
}

/* ---- rows ---- */

enum { OF_EVENTS = SD_EVENT_NUMBERS - SD_EVENT_COUNT }; /* of each event, in a row */

static const double *numbers_of(const sd_specification *spec, const double *row, int number) {
  return row + (number - SD_EVENT_COUNT) * spec->events;
}
static double count_of(const double *row, int k) {
  return row[k];
}
static int is_unbound(const sd_specification *spec, const double *row, int k) {
  return numbers_of(spec, row, SD_EVENT_UNBOUND)[k] != 0;
}
static const double *entry_of(const sd_specification *spec, const double *row, int number, int entry) {
  int each = number == SD_ENTRY_COORDINATES ? sd_coordinates_of(spec->problem->family).numbers : 1;
  return row + OF_EVENTS * spec->events + number * spec->entries + each * entry;
}

static void forget(const sd_specification *spec, double *row, int entry) {
  int coordinates = sd_coordinates_of(spec->problem->family).numbers;
  for (int number = SD_ENTRY_TIME; number <= SD_ENTRY_COORDINATES; number++) {
    double *x = row + (entry_of(spec, row, number, entry) - row);
    for (int i = 0; i < (number == SD_ENTRY_COORDINATES ? coordinates : 1); i++) x[i] = NAN;
  }
}

void sd_log_fill(const sd_ensemble *e, const sd_specification *spec, const sd_states *to, size_t first) {
  const double *log = e->slots + (e->state_slots + SD_ACCOUNT_SLOTS + (size_t)spec->events) * e->stride;
  for (size_t i = 0; i < e->bodies && spec->events; i++) {
    double *row = sd_state_at(to, 0, first + i);
    for (size_t k = 0; k < to->numbers; k++) row[k] = log[k * e->stride + i];
    for (int k = 0; k < spec->events; k++)
      for (int n = (int)count_of(row, k); n < spec->event[k].times; n++) forget(spec, row, spec->event[k].entry + n);
    *sd_state_status(to, 0, first + i) = (unsigned char)sd_member_status(e, i);
  }
}

/* ---- distributions ---- */

/* A number of the members that have it. */
typedef struct {
  size_t count;
  double *value;
} column;

/* What is shown of all members, gathered in one walk over them: to how many an event came, and did not; of these those
 * that it cannot come to, and those that were lost, of which nobody knows; how near they came, and whether an approach
 * may have been nearer after the last one that there was room for; times and distances of every entry, and how many
 * were lost before it. */
enum { SHOWN = SD_ENTRY_COORDINATES };
typedef struct {
  size_t members[SD_EVENTS_MAX], never[SD_EVENTS_MAX], unbound[SD_EVENTS_MAX], lost[SD_EVENTS_MAX], full[SD_EVENTS_MAX];
  size_t lost_before[SD_EVENT_ENTRIES_MAX];
  column closest[SD_EVENTS_MAX], entry[SHOWN][SD_EVENT_ENTRIES_MAX];
  double *numbers; /* of all columns; NULL without memory */
} gathering;

static void make_columns(gathering *g, const sd_specification *spec, size_t members) {
  double *to = g->numbers = malloc(((size_t)(SHOWN * spec->entries + spec->events) * members + 1) * sizeof *to);
  if (!to) return;
  for (int k = 0; k < spec->events; k++, to += members) g->closest[k].value = to;
  for (int number = 0; number < SHOWN; number++)
    for (int entry = 0; entry < spec->entries; entry++, to += members) g->entry[number][entry].value = to;
}

static void add_to(column *c, double value) {
  if (value == value) c->value[c->count++] = value;
}

static void gather_member(gathering *g, const sd_specification *spec, const double *row, int lost) {
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    int came = count_of(row, k) > 0;
    g->members[k] += (size_t)came;
    g->never[k] += (size_t)!came;
    g->unbound[k] += (size_t)(!came && is_unbound(spec, row, k));
    g->lost[k] += (size_t)(!came && lost);
    g->full[k] += (size_t)(!lost && count_of(row, k) >= e->times && e->action != SD_EVENT_ENDS);
    for (int n = (int)count_of(row, k); n < e->times; n++) g->lost_before[e->entry + n] += (size_t)lost;
    if (g->numbers && !lost) add_to(&g->closest[k], numbers_of(spec, row, SD_EVENT_CLOSEST)[k]);
  }
  for (int number = 0; number < SHOWN && g->numbers; number++)
    for (int entry = 0; entry < spec->entries; entry++)
      add_to(&g->entry[number][entry], *entry_of(spec, row, number, entry));
}

static void gather(const sd_specification *spec, const sd_states *log, gathering *g) {
  *g = (gathering){.numbers = NULL};
  make_columns(g, spec, log->members);
  for (size_t i = 0; i < log->members; i++) {
    int status = *sd_state_status(log, 0, i);
    gather_member(g, spec, sd_state_at(log, 0, i), status != SD_MEMBER_OK && status != SD_MEMBER_ENDED);
  }
}

/* Of so many members, of which those that have no number stand beyond all that have: NaN where a quantile falls there.
 * The numbers are shuffled. */
static void quantiles_of(const column *c, size_t all, double found[SD_QUANTILES]) {
  sd_ranking ranks = sd_ranking_of(all);
  int beyond[SD_QUANTILES] = {0};
  for (int k = 0; k < 2 * SD_QUANTILES; k++) {
    if (ranks.rank[k] < c->count) continue;
    beyond[k % SD_QUANTILES] |= k < SD_QUANTILES || ranks.part[k - SD_QUANTILES] > 0;
    ranks.rank[k] = c->count - 1;
  }
  if (c->count) sd_quantiles_select(&ranks, c->value, c->count, found);
  for (int q = 0; q < SD_QUANTILES; q++)
    if (!c->count || beyond[q]) found[q] = NAN;
}

typedef struct {
  size_t count;
  double mean, deviation, lowest, highest, quantile[SD_QUANTILES];
} distribution;

/* Over the members that have the number. */
static distribution distribution_of(const column *c) {
  const double *x = c->value;
  double sum = 0, squares = 0;
  distribution d = {c->count, .mean = NAN, .deviation = NAN, .lowest = NAN, .highest = NAN};
  quantiles_of(c, c->count, d.quantile);
  if (!d.count) return d;
  for (size_t i = 0; i < d.count; i++) sum += x[i];
  d.mean = sum / (double)d.count;
  d.lowest = d.highest = x[0];
  for (size_t i = 0; i < d.count; i++) {
    squares += (x[i] - d.mean) * (x[i] - d.mean);
    d.lowest = fmin(d.lowest, x[i]), d.highest = fmax(d.highest, x[i]);
  }
  if (d.count > 1) d.deviation = sqrt(squares / (double)(d.count - 1));
  return d;
}

/* ---- JSON ---- */

static void write_quantiles(sd_json *j, const double *quantile) {
  for (int q = 0; q < SD_QUANTILES; q++) sd_json_real(j, sd_quantile_keys[q], quantile[q]);
}

static void write_numbers(sd_json *j, const column *c) {
  distribution d = distribution_of(c);
  sd_json_real(j, "mean", d.mean);
  sd_json_real(j, "deviation", d.deviation);
  sd_json_real(j, "lowest", d.lowest);
  sd_json_real(j, "highest", d.highest);
  write_quantiles(j, d.quantile);
}

static void write_entry(sd_json *j, const gathering *g, int entry, size_t members) {
  static const char *const keys[SHOWN] = {"time", "distance"};
  const column *time = &g->entry[SD_ENTRY_TIME][entry];
  size_t counted = members - g->lost_before[entry];
  double over_all[SD_QUANTILES];
  sd_json_open(j, NULL, '{');
  sd_json_unsigned(j, "members", time->count);
  for (int number = 0; number < SHOWN; number++) {
    sd_json_open(j, keys[number], '{');
    write_numbers(j, &g->entry[number][entry]);
    sd_json_close(j, '}');
  }
  quantiles_of(time, counted, over_all);
  sd_json_open(j, "time_over_all", '{');
  sd_json_unsigned(j, "members", counted);
  write_quantiles(j, over_all);
  sd_json_close(j, '}');
  sd_json_close(j, '}');
}

static void write_closest(sd_json *j, const gathering *g, int k) {
  sd_json_open(j, "closest", '{');
  sd_json_unsigned(j, "members", g->closest[k].count);
  sd_json_unsigned(j, "full", g->full[k]);
  write_numbers(j, &g->closest[k]);
  sd_json_close(j, '}');
}

void sd_write_log(sd_json *j, const sd_result *result, size_t m) {
  const sd_specification *spec = result->spec;
  const sd_states *log = &result->logs[m];
  gathering g;
  if (!spec->events) return;
  gather(spec, log, &g);
  sd_json_open(j, "events", '[');
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    char when[SD_CONDITION_ROOM];
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "at", sd_condition_text(e, when));
    sd_json_unsigned(j, "members", g.members[k]);
    sd_json_unsigned(j, "never", g.never[k]);
    sd_json_unsigned(j, "unbound", g.unbound[k]);
    sd_json_unsigned(j, "lost", g.lost[k]);
    if (!g.numbers) sd_json_text(j, "trouble", "no memory for times and distances");
    sd_json_open(j, "happened", '[');
    for (int n = 0; n < e->times && g.numbers; n++) write_entry(j, &g, e->entry + n, log->members);
    sd_json_close(j, ']');
    if (e->condition >= SD_APPROACHES && g.numbers) write_closest(j, &g, k);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
  free(g.numbers);
}

void sd_write_member_log(sd_json *j, const sd_result *result, size_t m, size_t member) {
  const sd_specification *spec = result->spec;
  if (!spec->events) return;
  const double *row = sd_state_at(&result->logs[m], 0, member);
  int approaches = 0;
  for (int k = 0; k < spec->events; k++) approaches |= spec->event[k].condition >= SD_APPROACHES;
  if (approaches) sd_json_reals(j, "closest", numbers_of(spec, row, SD_EVENT_CLOSEST), spec->events);
  sd_json_open(j, "events", '[');
  for (int k = 0; k < spec->events; k++)
    for (int n = 0; n < (int)count_of(row, k) && n < spec->event[k].times; n++) {
      char when[SD_CONDITION_ROOM];
      int entry = spec->event[k].entry + n;
      sd_json_open(j, NULL, '{');
      sd_json_text(j, "at", sd_condition_text(&spec->event[k], when));
      sd_json_real(j, "time", *entry_of(spec, row, SD_ENTRY_TIME, entry));
      sd_json_real(j, "distance", *entry_of(spec, row, SD_ENTRY_DISTANCE, entry));
      sd_json_reals(j, "state", entry_of(spec, row, SD_ENTRY_COORDINATES, entry),
                    sd_coordinates_of(spec->problem->family).numbers);
      sd_json_close(j, '}');
    }
  sd_json_close(j, ']');
}

/* ---- for people ---- */

/* The least and the highest of those that have it, and the middle one of all. */
static void say_range(char *to, size_t size, const char *what, const column *c, size_t all, const char *of) {
  distribution d = distribution_of(c);
  double over_all[SD_QUANTILES], median;
  quantiles_of(c, all, over_all);
  median = over_all[SD_QUANTILES / 2];
  size_t used = strlen(to);
  sd_format(to + used, size - used, ", %s%g to %g, median%s", what, d.lowest, d.highest, of);
  used = strlen(to);
  if (median == median) sd_format(to + used, size - used, " %g", median);
  else snprintf(to + used, size - used, ": not reached");
}

static void say_event(char *to, size_t size, const gathering *g, const sd_event *e, int k, size_t members) {
  if (!g->numbers) snprintf(to, size, ", no memory for when");
  else if (g->members[k])
    say_range(to, size, "first at t=", &g->entry[SD_ENTRY_TIME][e->entry], members - g->lost_before[e->entry],
              " over all");
  size_t used = strlen(to);
  if (g->never[k]) snprintf(to + used, size - used, ", never %zu", g->never[k]);
  used = strlen(to);
  if (g->unbound[k]) snprintf(to + used, size - used, " (%zu unbound)", g->unbound[k]);
  used = strlen(to);
  if (g->lost[k]) snprintf(to + used, size - used, " (%zu lost)", g->lost[k]);
  if (e->condition < SD_APPROACHES || !g->closest[k].count) return;
  say_range(to, size, "closest approach ", &g->closest[k], g->closest[k].count, "");
  used = strlen(to);
  if (g->full[k]) snprintf(to + used, size - used, " (%zu logs full)", g->full[k]);
}

void sd_log_text(const sd_result *result, size_t m, char *text, size_t size) {
  const sd_specification *spec = result->spec;
  const sd_states *log = &result->logs[m];
  gathering g;
  *text = 0;
  if (!spec->events) return;
  gather(spec, log, &g);
  snprintf(text, size, "%-13s ", result->summaries[m].method);
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    char when[SD_CONDITION_ROOM], shown[512] = "";
    say_event(shown, sizeof shown, &g, e, k, log->members);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s: %s%zu of %zu%s", k ? "; " : "", sd_condition_text(e, when),
             e->action == SD_EVENT_ENDS ? "ended " : "", g.members[k], log->members, shown);
  }
  free(g.numbers);
}
