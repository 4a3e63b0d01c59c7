/* map.h - pictures of sweeps. */
#ifndef SD_MAP_H
#define SD_MAP_H

#include "status.h"

/* A statistic over the grid, of every method, as SVG or PNG. */
sd_status sd_map_draw(const sd_result *result, const char *quantity, const char *path, sd_error *error);
/* Whether there is such a thing to draw. */
sd_status sd_map_possible(const sd_result *result, const char *quantity, sd_error *error);

#endif
