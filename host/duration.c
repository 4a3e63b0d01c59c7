#include "duration.h"

#include "number.h"

#include <math.h>

static const struct {
  char name;
  double seconds;
} units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
enum { UNITS = sizeof units / sizeof *units };

int sd_seconds_from(const char *text, double *seconds) {
  int next = 0; /* of the units that may still come */
  *seconds = 0;
  while (*text) {
    char *end;
    if ((*text < '0' || *text > '9') && *text != '.') return 0;
    double count = sd_real_from(text, &end);
    while (next < UNITS && units[next].name != *end) next++;
    if (end == text || next == UNITS) return 0;
    *seconds += count * units[next++].seconds;
    text = end + 1;
  }
  return isfinite(*seconds) && *seconds > 0;
}

const char *sd_duration_text(double seconds, char text[32]) {
  double whole = nearbyint(seconds);
  int unit = 0;
  if (seconds < 10 && whole != seconds) return sd_format(text, 32, "%.2gs", seconds), text;
  if (!(whole < 1e9)) return sd_format(text, 32, "%.1e s", seconds), text;
  while (unit + 1 < UNITS && whole < units[unit].seconds) unit++;
  int count = (int)(whole / units[unit].seconds);
  double rest = whole - count * units[unit].seconds;
  int length = sd_format(text, 32, "%d%c", count, units[unit].name);
  if (unit + 1 < UNITS && rest >= units[unit + 1].seconds)
    sd_format(text + length, 32 - (size_t)length, "%d%c", (int)(rest / units[unit + 1].seconds), units[unit + 1].name);
  return text;
}
