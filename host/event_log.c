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

static double count_of(const double *row, int k) {
  return row[k];
}
static int is_unbound(const sd_specification *spec, const double *row, int k) {
  return row[spec->events + k] != 0;
}
static const double *entry_of(const sd_specification *spec, const double *row, int number, int entry) {
  int each = number == SD_ENTRY_COORDINATES ? sd_coordinates_of(spec->problem->family).numbers : 1;
  return row + 2 * spec->events + number * spec->entries + each * entry;
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

/* What is shown of all members, gathered in one walk over them: to how many an event came, and did not; of these those
 * that it cannot come to; and times and distances of every entry. */
enum { SHOWN = SD_ENTRY_COORDINATES };
typedef struct {
  size_t members[SD_EVENTS_MAX], never[SD_EVENTS_MAX], unbound[SD_EVENTS_MAX];
  size_t count[SHOWN][SD_EVENT_ENTRIES_MAX];   /* of members that have it */
  double *column[SHOWN][SD_EVENT_ENTRIES_MAX]; /* theirs; NULL without memory */
  double *numbers;
} gathering;

static void gather(const sd_specification *spec, const sd_states *log, gathering *g) {
  *g = (gathering){.numbers = malloc((SHOWN * (size_t)spec->entries * log->members + 1) * sizeof(double))};
  for (int number = 0; number < SHOWN && g->numbers; number++)
    for (int entry = 0; entry < spec->entries; entry++)
      g->column[number][entry] = g->numbers + (size_t)(number * spec->entries + entry) * log->members;
  for (size_t i = 0; i < log->members; i++) {
    const double *row = sd_state_at(log, 0, i);
    for (int k = 0; k < spec->events; k++) {
      int came = count_of(row, k) > 0;
      g->members[k] += (size_t)came;
      g->never[k] += (size_t)!came;
      g->unbound[k] += (size_t)(!came && is_unbound(spec, row, k));
    }
    for (int number = 0; number < SHOWN && g->numbers; number++)
      for (int entry = 0; entry < spec->entries; entry++) {
        double value = *entry_of(spec, row, number, entry);
        if (value == value) g->column[number][entry][g->count[number][entry]++] = value;
      }
  }
}

typedef struct {
  size_t count;
  double mean, deviation, lowest, highest, quantile[SD_QUANTILES];
} distribution;

/* Of one number of an entry, over the members that have it; they are shuffled. */
static distribution distribution_of(const gathering *g, int number, int entry) {
  double *x = g->column[number][entry], sum = 0, squares = 0;
  distribution d = {g->count[number][entry], .mean = NAN, .deviation = NAN, .lowest = NAN, .highest = NAN};
  for (int q = 0; q < SD_QUANTILES; q++) d.quantile[q] = NAN;
  if (!d.count) return d;
  for (size_t i = 0; i < d.count; i++) sum += x[i];
  d.mean = sum / (double)d.count;
  d.lowest = d.highest = x[0];
  for (size_t i = 0; i < d.count; i++) {
    squares += (x[i] - d.mean) * (x[i] - d.mean);
    d.lowest = fmin(d.lowest, x[i]), d.highest = fmax(d.highest, x[i]);
  }
  if (d.count > 1) d.deviation = sqrt(squares / (double)(d.count - 1));
  sd_ranking ranks = sd_ranking_of(d.count);
  sd_quantiles_select(&ranks, x, d.count, d.quantile);
  return d;
}

/* ---- JSON ---- */

static void write_distribution(sd_json *j, const char *key, const distribution *d) {
  sd_json_open(j, key, '{');
  sd_json_real(j, "mean", d->mean);
  sd_json_real(j, "deviation", d->deviation);
  sd_json_real(j, "lowest", d->lowest);
  sd_json_real(j, "highest", d->highest);
  for (int q = 0; q < SD_QUANTILES; q++) sd_json_real(j, sd_quantile_keys[q], d->quantile[q]);
  sd_json_close(j, '}');
}

static void write_entry(sd_json *j, const gathering *g, int entry) {
  distribution time = distribution_of(g, SD_ENTRY_TIME, entry), distance = distribution_of(g, SD_ENTRY_DISTANCE, entry);
  sd_json_open(j, NULL, '{');
  sd_json_unsigned(j, "members", time.count);
  write_distribution(j, "time", &time);
  write_distribution(j, "distance", &distance);
  sd_json_close(j, '}');
}

void sd_write_log(sd_json *j, const sd_result *result, size_t m) {
  const sd_specification *spec = result->spec;
  gathering g;
  if (!spec->events) return;
  gather(spec, &result->logs[m], &g);
  sd_json_open(j, "events", '[');
  for (int k = 0; k < spec->events; k++) {
    const sd_event *e = &spec->event[k];
    char when[SD_CONDITION_ROOM];
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "at", sd_condition_text(e, when));
    sd_json_unsigned(j, "members", g.members[k]);
    sd_json_unsigned(j, "never", g.never[k]);
    sd_json_unsigned(j, "unbound", g.unbound[k]);
    if (!g.numbers) sd_json_text(j, "trouble", "no memory for times and distances");
    sd_json_open(j, "happened", '[');
    for (int n = 0; n < e->times && g.numbers; n++) write_entry(j, &g, e->entry + n);
    sd_json_close(j, ']');
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
  free(g.numbers);
}

void sd_write_member_log(sd_json *j, const sd_result *result, size_t m, size_t member) {
  const sd_specification *spec = result->spec;
  if (!spec->events) return;
  const double *row = sd_state_at(&result->logs[m], 0, member);
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
    char when[SD_CONDITION_ROOM], shown[256] = "", unbound[48] = "";
    if (g.unbound[k]) snprintf(unbound, sizeof unbound, " (%zu unbound)", g.unbound[k]);
    if (!g.numbers) snprintf(shown, sizeof shown, ", no memory for when");
    else if (g.members[k]) {
      distribution first = distribution_of(&g, SD_ENTRY_TIME, e->entry);
      sd_format(shown, sizeof shown, ", first at t=%g to %g, median %g", first.lowest, first.highest,
                first.quantile[SD_QUANTILES / 2]);
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s: %s%zu of %zu%s", k ? "; " : "", sd_condition_text(e, when),
             e->action == SD_EVENT_ENDS ? "ended " : "", g.members[k], log->members, shown);
    used = strlen(text);
    if (g.never[k]) snprintf(text + used, size - used, ", never %zu%s", g.never[k], unbound);
  }
  free(g.numbers);
}
