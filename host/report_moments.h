/* report_moments.h - mean and covariance of the state, for whoever writes them: what their numbers are, JSON, people.
 */
#ifndef SD_REPORT_MOMENTS_H
#define SD_REPORT_MOMENTS_H

#include "json.h"
#include "run.h"

/* Number k of a mean, by its name among those of a start, as in position.1; or of a displacement from it, which has a
 * rotation vector where the start has a quaternion.  Returns its units; NULL after the last. */
enum { SD_COMPONENT_ROOM = 48 };
const char *sd_component(const sd_family *family, int displaced, int k, char name[SD_COMPONENT_ROOM]);

/* All names, or all units, with commas; to be freed, or NULL without memory. */
char *sd_components(const sd_family *family, int displaced, int units);

/* Of a method, nothing where there are none: what they are at the end, and as series. */
void sd_write_moments(sd_json *json, const sd_result *result, size_t method);
void sd_write_moment_series(sd_json *json, const sd_result *result, size_t method);
/* For people: standard deviations at the end; "" where there are none. */
void sd_moments_text(const sd_result *result, size_t method, char *text, size_t size);

#endif
