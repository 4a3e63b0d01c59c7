/* grid.h - what a sweep found at the places of its grid, for those who draw it. */
#ifndef SD_GRID_H
#define SD_GRID_H

#include "spindrift.h"

enum { SD_GRID_AXES = 3 };

typedef struct {
  const sd_result *result;
  size_t method;
  int axes;
  sd_axis_info axis[SD_GRID_AXES];
  sd_view value, verdict, failed, reach; /* of one method */
} sd_grid;

void sd_grid_open(sd_grid *g, const sd_result *result);
sd_status sd_grid_take(sd_grid *g, size_t method, const char *quantity);

/* A place has an index on every axis; the last runs fastest. */
void sd_grid_next(const sd_grid *g, size_t place[SD_GRID_AXES]);
double sd_grid_real(const sd_view *v, const size_t place[SD_GRID_AXES]);
size_t sd_grid_whole(const sd_view *v, const size_t place[SD_GRID_AXES]);

/* Of many cells along an axis `most`, evenly: how many, and which. */
size_t sd_grid_shown(const sd_axis_info *a, size_t most);
size_t sd_grid_shown_at(const sd_axis_info *a, size_t most, size_t i);

#endif
