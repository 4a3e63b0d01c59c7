/* tracks.h - what there is to see of members that go about a centre: their paths in a plane, Kepler's elements over
 * time, and how far they have spread, an ellipse about their mean. */
#ifndef SD_TRACKS_H
#define SD_TRACKS_H

#include "spindrift.h"
#include "status.h"

enum { SD_TRACKS_MOST = 16, SD_ELEMENTS_SHOWN = 6, SD_ELLIPSE = 91, SD_DISPERSIONS_MOST = 3 };

/* How many members have paths that are shown; 0 where none are kept, or have elements. */
size_t sd_tracks(const sd_result *result);
/* Every so many samples, so that there are no more than these. */
size_t sd_tracks_every(const sd_result *result, size_t most);

/* ---- elements ---- */

typedef struct {
  const char *name, *label;
} sd_element;
extern const sd_element sd_element_list[SD_ELEMENTS_SHOWN];

/* One element of a member at samples 0, every, 2 every, ...: angles go on beyond a turn, near to the first member's,
 * but for the mean anomaly, which begins anew.  Returns how many. */
size_t sd_track_element(const sd_result *result, size_t method, size_t member, int element, size_t every,
                        double *values);
/* Whether a line ends before this value: an anomaly that has begun anew. */
int sd_element_breaks(int element, double before, double value);
/* From least to most of all that is shown, and no less than can be labelled. */
void sd_element_range(const sd_result *result, int element, size_t every, double *values, double *low, double *high);

/* ---- places ---- */

/* Directions towards where the first member starts, and forward from there, in the plane that it moves in; x and y
 * where it moves in none. */
void sd_tracks_plane(const sd_result *result, double axis[2][3]);
/* Where a member is, less a place, along both axes. */
int sd_track_point(const sd_result *result, size_t method, size_t sample, size_t member, const double from[3],
                   double axis[2][3], double to[2]);

/* How members have spread about their mean, forward and outward. */
typedef struct {
  double time, middle[3], axis[2][3];
  double covariance[3]; /* forward with itself, with outward; outward with itself */
  size_t sample, members;
} sd_dispersion;

/* At the times that the run was asked for (`at`), or at its end; returns how many, 0 where there are no moments. */
size_t sd_dispersions(const sd_result *result, size_t method, sd_dispersion found[SD_DISPERSIONS_MOST]);
/* Point k of SD_ELLIPSE of the ellipse that is so many deviations large. */
void sd_dispersion_point(const sd_dispersion *d, double deviations, size_t k, double to[2]);

/* ---- pictures ---- */

sd_status sd_tracks_draw(const sd_result *result, const char *path, sd_error *error);
sd_status sd_elements_draw(const sd_result *result, const char *path, sd_error *error);

#endif
