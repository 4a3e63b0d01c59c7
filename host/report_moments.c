#include "report_moments.h"

#include "number.h"
#include "text.h"

#include <math.h>
#include <string.h>

const char *sd_component(const sd_family *family, int displaced, int k, char name[SD_COMPONENT_ROOM]) {
  for (const sd_start_array *a = family->start; a->name; a++) {
    int count = a->count - (displaced && a->rotation);
    if (k < count) {
      snprintf(name, SD_COMPONENT_ROOM, "%s.%d", a->name, k + 1);
      return displaced && a->rotation ? "rad" : a->units;
    }
    k -= count;
  }
  return NULL;
}

char *sd_components(const sd_family *family, int displaced, int units) {
  sd_text text = {0};
  char name[SD_COMPONENT_ROOM];
  const char *unit;
  for (int k = 0; (unit = sd_component(family, displaced, k, name)); k++)
    sd_text_add(&text, "%s%s", k ? "," : "", units ? unit : name);
  return sd_text_take(&text);
}

/* ---- JSON ---- */

static void write_names(sd_json *j, const char *key, const sd_family *family, int displaced) {
  char name[SD_COMPONENT_ROOM];
  sd_json_open(j, key, '[');
  for (int k = 0; sd_component(family, displaced, k, name); k++) sd_json_text(j, NULL, name);
  sd_json_close(j, ']');
}

static void write_covariance(sd_json *j, const char *key, const sd_series *s, size_t sample) {
  const sd_coordinates *c = &s->coordinates;
  const double *row = sd_moments_of(s, sample) + c->numbers;
  sd_json_open(j, key, '[');
  for (int i = 0; i < c->tangent; i++, row += c->tangent) sd_json_reals(j, NULL, row, c->tangent);
  sd_json_close(j, ']');
}

static void write_moments_at(sd_json *j, const sd_series *s, size_t sample) {
  sd_json_real(j, "time", s->sample[sample].time);
  sd_json_unsigned(j, "members", s->sample[sample].members);
  sd_json_reals(j, "state_mean", sd_moments_of(s, sample), s->coordinates.numbers);
  write_covariance(j, "state_covariance", s, sample);
}

void sd_write_moments(sd_json *j, const sd_result *result, size_t m) {
  const sd_series *s = &result->series[m];
  const sd_family *family = result->spec->problem->family;
  if (!s->coordinates.numbers || !s->count) return;
  sd_json_open(j, "moments", '{');
  write_names(j, "mean_of", family, 0);
  write_names(j, "covariance_of", family, 1);
  write_moments_at(j, s, s->count - 1);
  if (result->spec->at.count) sd_json_open(j, "at", '[');
  for (int k = 0; k < result->spec->at.count; k++) {
    sd_json_open(j, NULL, '{');
    sd_json_real(j, "asked", result->spec->at.time[k]);
    write_moments_at(j, s, s->room + (size_t)k);
    sd_json_close(j, '}');
  }
  if (result->spec->at.count) sd_json_close(j, ']');
  sd_json_close(j, '}');
}

void sd_write_moment_series(sd_json *j, const sd_result *result, size_t m) {
  const sd_series *s = &result->series[m];
  if (!s->coordinates.numbers) return;
  sd_json_open(j, "state_mean", '[');
  for (size_t i = 0; i < s->count; i++) sd_json_reals(j, NULL, sd_moments_of(s, i), s->coordinates.numbers);
  sd_json_close(j, ']');
  sd_json_open(j, "state_covariance", '[');
  for (size_t i = 0; i < s->count; i++) write_covariance(j, NULL, s, i);
  sd_json_close(j, ']');
}

/* ---- for people ---- */

void sd_moments_text(const sd_result *result, size_t m, char *text, size_t size) {
  const sd_series *s = &result->series[m];
  const sd_coordinates *c = &s->coordinates;
  *text = 0;
  if (!c->numbers || !s->count) return;
  const double *covariance = sd_moments_of(s, s->count - 1) + c->numbers;
  sd_format(text, size, "%-13s deviations at t=%g:", result->summaries[m].method, s->sample[s->count - 1].time);
  int k = 0;
  for (const sd_start_array *a = result->spec->problem->family->start; a->name; a++) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s %s", k ? "," : "", a->name);
    for (int i = 0; i < a->count - a->rotation; i++, k++) {
      used = strlen(text);
      sd_format(text + used, size - used, " %.3g", sqrt(covariance[k * c->tangent + k]));
    }
  }
}
