#include "tracks.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sd_tracks(const sd_result *result) {
  double element[SD_ELEMENTS_SHOWN];
  size_t kept = sd_result_points(result) ? 0 : sd_result_trajectory_count(result);
  if (!kept || !sd_result_elements(result, 0, 0, 0, element)) return 0;
  return kept < SD_TRACKS_MOST ? kept : SD_TRACKS_MOST;
}

size_t sd_tracks_every(const sd_result *result, size_t most) {
  return 1 + (sd_result_trajectory_samples(result) - 1) / most;
}

/* ---- elements ---- */

enum { AXIS, ECCENTRICITY, INCLINATION, NODE, PERICENTRE, ANOMALY };
const sd_element sd_element_list[SD_ELEMENTS_SHOWN] = {{"a", "semi-major axis a"}, {"e", "eccentricity e"},
                                                       {"i", "inclination i [°]"}, {"node", "node [°]"},
                                                       {"peri", "pericentre [°]"}, {"M", "mean anomaly M [°]"}};

size_t sd_track_element(const sd_result *result, size_t method, size_t member, int element, size_t every,
                        double *values) {
  double all[SD_ELEMENTS_SHOWN] = {0};
  int goes_on = element == NODE || element == PERICENTRE;
  size_t count = 0;
  sd_result_elements(result, 0, 0, 0, all); /* what the first angle is near to */
  for (double before = all[element]; sd_result_elements(result, method, count * every, member, all); count++) {
    double turns = goes_on ? round((all[element] - before) / 360) : 0;
    values[count] = isfinite(turns) ? all[element] - 360 * turns : all[element];
    if (isfinite(values[count])) before = values[count];
  }
  return count;
}

int sd_element_breaks(int element, double before, double value) {
  return element == ANOMALY && fabs(value - before) > 180;
}

void sd_element_range(const sd_result *result, int element, size_t every, double *values, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (size_t m = 0; m < sd_result_count(result); m++)
    for (size_t member = 0; member < sd_tracks(result); member++) {
      size_t count = sd_track_element(result, m, member, element, every, values);
      for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) *low = fmin(*low, values[i]), *high = fmax(*high, values[i]);
    }
  if (!(*low <= *high)) *low = 0, *high = 1;
  double size = element == AXIS ? fabs(*low) : element == ECCENTRICITY ? 1 : 360;
  double more = fmax(0.04 * (*high - *low), 1e-7 * size);
  *low -= more, *high += more;
}

/* ---- places ---- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(const double *a, const double *b, double *c) {
  for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static int to_length_one(double *v) {
  double length = sqrt(dot(v, v));
  for (int k = 0; k < 3; k++) v[k] /= length;
  return isfinite(length) && length > 0;
}

/* Outward of a place, and forward across it in the plane that it moves in. */
static int axes_of(const double *q, const double *p, double outward[3], double forward[3]) {
  double normal[3];
  memcpy(outward, q, sizeof(double[3]));
  cross(q, p, normal);
  if (!to_length_one(outward) || !to_length_one(normal)) return 0;
  cross(normal, outward, forward);
  return 1;
}

/* The arrays of a state begin with a place and its momentum. */
static int vector_of(const sd_result *result, size_t method, size_t array, size_t sample, size_t member, double to[3]) {
  sd_view v = {.size = sizeof v};
  if (sd_result_trajectory(result, method, array, &v) || v.rank != 3 || v.shape[2] != 3) return 0;
  if (sample >= v.shape[0] || member >= v.shape[1]) return 0;
  for (size_t k = 0; k < 3; k++) to[k] = v.data[sample * v.stride[0] + member * v.stride[1] + k * v.stride[2]];
  return isfinite(to[0] + to[1] + to[2]);
}

void sd_tracks_plane(const sd_result *result, double axis[2][3]) {
  static const double x_and_y[2][3] = {{1, 0, 0}, {0, 1, 0}};
  double q[3], p[3];
  if (vector_of(result, 0, 0, 0, 0, q) && vector_of(result, 0, 1, 0, 0, p) && axes_of(q, p, axis[0], axis[1])) return;
  memcpy(axis, x_and_y, sizeof x_and_y);
}

int sd_track_point(const sd_result *result, size_t method, size_t sample, size_t member, const double from[3],
                   double axis[2][3], double to[2]) {
  double q[3];
  if (!vector_of(result, method, 0, sample, member, q)) return 0;
  for (int k = 0; k < 3; k++) q[k] -= from[k];
  for (int k = 0; k < 2; k++) to[k] = dot(q, axis[k]);
  return 1;
}

static double covariance_along(const sd_view *c, size_t sample, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++)
      sum += a[i] * b[k] * c->data[sample * c->stride[0] + i * c->stride[1] + k * c->stride[2]];
  return sum;
}

static int dispersion_at(const sd_result *result, size_t method, size_t sample, sd_dispersion *d) {
  sd_view mean = {.size = sizeof mean}, covariance = mean;
  double state[6];
  if (sd_result_series(result, method, "state_mean", &mean) || mean.shape[1] != 6) return 0;
  if (sd_result_series(result, method, "state_covariance", &covariance) || covariance.shape[1] != 6) return 0;
  for (size_t k = 0; k < 6; k++) state[k] = mean.data[sample * mean.stride[0] + k * mean.stride[1]];
  if (!axes_of(state, state + 3, d->axis[1], d->axis[0])) return 0;
  memcpy(d->middle, state, sizeof d->middle);
  for (int k = 0; k < 3; k++)
    d->covariance[k] = covariance_along(&covariance, sample, d->axis[k / 2], d->axis[(k + 1) / 2]);
  d->time = sd_result_sample(result, method, sample)->time;
  d->members = sd_result_sample(result, method, sample)->members;
  d->sample = sample;
  return isfinite(d->covariance[0] + d->covariance[2]);
}

static size_t sample_nearest_to(const sd_result *result, size_t method, double time) {
  size_t nearest = 0;
#define APART(i) fabs(sd_result_sample(result, method, i)->time - time)
  for (size_t i = 1; i < sd_result_sample_count(result, method); i++)
    if (APART(i) < APART(nearest)) nearest = i;
#undef APART
  return nearest;
}

/* The times of the plan's line `at`, the last ones where they are many. */
static size_t times_asked(const sd_result *result, double times[SD_DISPERSIONS_MOST]) {
  char *text = NULL;
  size_t count = 0;
  if (sd_result_plan(result, &text)) return 0;
  const char *line = strncmp(text, "at ", 3) ? strstr(text, "\nat ") : text;
  for (char *at = line ? strchr(line, ' ') : NULL; at && (*at == ' ' || *at == ',');) {
    if (count == SD_DISPERSIONS_MOST) memmove(times, times + 1, --count * sizeof *times);
    times[count++] = sd_real_from(at + 1, &at);
  }
  sd_free(text);
  return count;
}

size_t sd_dispersions(const sd_result *result, size_t method, sd_dispersion found[SD_DISPERSIONS_MOST]) {
  double times[SD_DISPERSIONS_MOST];
  size_t asked = times_asked(result, times), count = 0;
  if (!asked) times[asked++] = sd_result_summary(result, method)->time;
  for (size_t k = 0; k < asked && sd_result_sample_count(result, method); k++)
    count += (size_t)dispersion_at(result, method, sample_nearest_to(result, method, times[k]), &found[count]);
  return count;
}

/* By Cholesky's factor; a spread that is no more than rounding may have a root that is not a number. */
void sd_dispersion_point(const sd_dispersion *d, double deviations, size_t k, double to[2]) {
  double angle = 2 * 3.14159265358979 * (double)k / (SD_ELLIPSE - 1), forward = sqrt(d->covariance[0]);
  double slant = forward > 0 ? d->covariance[1] / forward : 0;
  double rest = sqrt(fmax(d->covariance[2] - slant * slant, 0));
  to[0] = deviations * forward * cos(angle);
  to[1] = deviations * (slant * cos(angle) + rest * sin(angle));
}
