#include "report_table.h"

#include "number.h"
#include "statistics_list.h"

#include <math.h>
#include <string.h>

/* What a row's member is called; of a sweep, members of all points are counted. */
static size_t number_of(const sd_result *result, size_t row) {
  return sd_first_number(result->spec) + row;
}

/* The first of those that are farthest from 0; 0 where all are NaN. */
static int find_farthest(const sd_states *table, int column, size_t *row) {
  int found = 0;
  double farthest = -1;
  for (size_t i = 0; i < table->members; i++) {
    double x = fabs(sd_state_at(table, 0, i)[column]);
    if (x > farthest) farthest = x, *row = i, found = 1;
  }
  return found;
}

static void write_farthest(sd_json *j, const sd_result *result, const sd_states *table) {
  size_t row;
  sd_json_open(j, "farthest", '{');
  for (int k = 0; k < SD_COLUMNS; k++) {
    if (!find_farthest(table, k, &row)) continue;
    sd_json_open(j, sd_column_of(result->spec->problem->family, k).name, '{');
    sd_json_unsigned(j, "member", number_of(result, row));
    sd_json_real(j, "value", sd_state_at(table, 0, row)[k]);
    sd_json_close(j, '}');
  }
  sd_json_close(j, '}');
}

void sd_write_table_of_members(sd_json *j, const sd_result *result, size_t m) {
  const sd_states *table = &result->tables[m];
  if (!result->spec->table) return;
  sd_json_open(j, "table", '{');
  write_farthest(j, result, table);
  if (table->members <= SD_TABLE_WRITTEN) {
    sd_json_open_row(j, "member");
    for (size_t i = 0; i < table->members; i++) sd_json_row(j, (double)number_of(result, i));
    sd_json_close_row(j);
    sd_json_open(j, "status", '[');
    for (size_t i = 0; i < table->members; i++)
      sd_json_text(j, NULL, sd_member_status_text(*sd_state_status(table, 0, i)));
    sd_json_close(j, ']');
    for (int k = 0; k < SD_COLUMNS; k++) {
      sd_json_open_row(j, sd_column_of(result->spec->problem->family, k).name);
      for (size_t i = 0; i < table->members; i++) sd_json_row(j, sd_state_at(table, 0, i)[k]);
      sd_json_close_row(j);
    }
  }
  sd_json_close(j, '}');
}

/* ---- for people ---- */

void sd_odd_ones_text(const sd_result *result, size_t m, char *text, size_t size) {
  static const struct {
    int column;
    const char *what, *format;
  } shown[] = {{SD_COLUMN_drift_slope, "steepest", "%+.2e"}, {SD_COLUMN_energy_max_abs_error, "farthest", "%.2e"}};
  const sd_states *table = &result->tables[m];
  size_t row, lost = 0, used;
  *text = 0;
  if (!result->spec->table) return;
  snprintf(text, size, "%-13s", result->summaries[m].method);
  for (int k = 0; k < 2; k++) {
    if (!find_farthest(table, shown[k].column, &row)) continue;
    char value[32];
    sd_format(value, sizeof value, shown[k].format, sd_state_at(table, 0, row)[shown[k].column]);
    used = strlen(text);
    snprintf(text + used, size - used, "%s %s: member %zu (%s)", k ? "," : "", shown[k].what, number_of(result, row),
             value);
  }
  for (size_t i = table->members; i-- > 0;)
    if (*sd_state_status(table, 0, i)) lost++, row = i;
  used = strlen(text);
  if (lost)
    snprintf(text + used, size - used, ", lost: member %zu (%s)%s", number_of(result, row),
             sd_member_status_text(*sd_state_status(table, 0, row)), lost > 1 ? " and others" : "");
}
