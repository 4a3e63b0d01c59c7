/* report_points.h - what differs from member to member, and what came of the points of a sweep, for report.c. */
#ifndef SD_REPORT_POINTS_H
#define SD_REPORT_POINTS_H

#include "json.h"
#include "run.h"

/* Of a plan: nothing where nothing differs. */
void sd_write_sweep(sd_json *json, const sd_sweep *sweep);
/* Of a method: counts, and up to SD_POINTS_WRITTEN points in full. */
enum { SD_POINTS_WRITTEN = 4096 };
void sd_write_points(sd_json *json, const sd_result *result, size_t method);
/* For people: how many have which verdict, and where the slopes are extreme. */
void sd_print_points(const sd_result *result, size_t method, FILE *to, int width);

/* What is done to members on their way, and how their starts spread by a covariance. */
void sd_write_maneuvers(sd_json *j, const sd_specification *spec);

#endif
