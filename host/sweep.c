#include "sweep.h"

#include "number.h"

#include <math.h>
#include <string.h>

/* NAME= of an option; what follows is left in *rest. */
static sd_status read_name(const char *option, const char *text, const char *form, char name[SD_TARGET_ROOM],
                           const char **rest, sd_error *error) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : 0;
  if (!length) return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s' should read %s", option, text, form);
  if (length >= SD_TARGET_ROOM) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is no parameter", option, text);
  memcpy(name, text, length);
  name[length] = 0;
  *rest = equals + 1;
  return SD_OK;
}

/* A finite number up to the next colon, or to the end; there is one zero. */
static sd_status read_real(const char *option, const char *name, const char **text, double *value, sd_error *error) {
  char *end;
  *value = sd_real_from(*text, &end);
  if (end == *text || (*end && *end != ':') || !isfinite(*value))
    return sd_fail(error, SD_BAD_INPUT, "%s %s: '%.*s' is not a finite number", option, name, (int)strcspn(*text, ":"),
                   *text);
  if (*value == 0) *value = 0;
  *text = end + (*end == ':');
  return SD_OK;
}

static sd_status read_count(const char *name, const char *text, size_t length, size_t *count, sd_error *error) {
  char digits[32] = "";
  uint64_t value = 0;
  if (length < sizeof digits) memcpy(digits, text, length);
  if (sd_whole_from(digits, &value) != SD_WHOLE || value < 2 || value > SD_POINTS_MOST)
    return sd_fail(error, SD_BAD_INPUT, "sweep %s: '%.*s' points; expected 2 to %llu", name,
                   length < 40 ? (int)length : 40, text, (unsigned long long)SD_POINTS_MOST);
  *count = (size_t)value;
  return SD_OK;
}

sd_status sd_axis_read(const char *text, sd_axis *axis, sd_error *error) {
  static const char form[] = "NAME=LOW:HIGH:COUNT or NAME=LOW:HIGH:COUNT:log, as in alpha=0.1:0.5:9";
  const char *rest;
  sd_axis a = {.count = 0};
  SD_TRY(read_name("sweep", text, form, a.name, &rest, error));
  const char *first = strchr(rest, ':'), *second = first ? strchr(first + 1, ':') : NULL;
  if (!second) return sd_fail(error, SD_BAD_INPUT, "sweep: '%.60s' should read %s", text, form);
  SD_TRY(read_real("sweep", a.name, &rest, &a.low, error));
  SD_TRY(read_real("sweep", a.name, &rest, &a.high, error));
  size_t length = strcspn(rest, ":");
  SD_TRY(read_count(a.name, rest, length, &a.count, error));
  a.is_log = !strcmp(rest + length, ":log");
  if (rest[length] && !a.is_log)
    return sd_fail(error, SD_BAD_INPUT, "sweep %s: '%.20s' after the count; expected :log or nothing", a.name,
                   rest + length);
  if (!(a.low < a.high))
    return sd_fail(error, SD_BAD_INPUT, "sweep %s: from %g to %g; expected the lower end first", a.name, a.low, a.high);
  if (a.is_log && !(a.low > 0))
    return sd_fail(error, SD_BAD_INPUT, "sweep %s: equal factors cannot begin at %g; expected more than 0", a.name,
                   a.low);
  *axis = a;
  return SD_OK;
}

sd_status sd_scatter_read(const char *text, sd_scatter *scatter, sd_error *error) {
  const char *rest;
  sd_scatter s = {.sigma = 0};
  SD_TRY(read_name("spread", text, "NAME=SIGMA, as in alpha=0.01", s.name, &rest, error));
  if (strchr(rest, ':')) return sd_fail(error, SD_BAD_INPUT, "spread %s: '%.40s' is not a number", s.name, rest);
  SD_TRY(read_real("spread", s.name, &rest, &s.sigma, error));
  if (s.sigma < 0) return sd_fail(error, SD_BAD_INPUT, "spread %s: a deviation is not negative", s.name);
  *scatter = s;
  return SD_OK;
}
