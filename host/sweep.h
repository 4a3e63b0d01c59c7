/* sweep.h - what differs from member to member, as it is asked for: grids of parameters, parameters that are drawn, and
 * columns of a table with a row for each member.
 *
 * A run has points, one for each combination of the grids' values, or one alone; each is an ensemble of `each` members.
 * Member r of a point is the member r of a run with the point's parameters: the same draws, the same bits. */
#ifndef SD_SWEEP_H
#define SD_SWEEP_H

#include "registry.h"

enum { SD_AXES_MAX = 3, SD_SCATTERS_MAX = 16, SD_COLUMNS_MAX = 48, SD_TARGET_ROOM = 40 };
#define SD_POINTS_MOST 100000000ULL

/* NAME=LOW:HIGH:COUNT[:log] */
typedef struct {
  char name[SD_TARGET_ROOM];
  double low, high;
  size_t count;
  int is_log;
} sd_axis;

/* NAME=SIGMA */
typedef struct {
  char name[SD_TARGET_ROOM];
  double sigma;
} sd_scatter;

/* A number of a member, by its name: of a parameter of the problem, of some methods, the step, or of its start. */
typedef struct {
  enum { SD_TARGET_PARAMETER, SD_TARGET_METHOD, SD_TARGET_STEP, SD_TARGET_START } of;
  int index;                     /* among the problem's values, or the numbers of a start */
  const sd_parameter *parameter; /* or NULL */
} sd_target;

typedef struct {
  sd_axis axis[SD_AXES_MAX];
  int axes;
  sd_scatter scatter[SD_SCATTERS_MAX];
  int scatters;
  char columns[1024]; /* names of a start's numbers, with commas; "": those of the family */
} sd_sweep;

/* The same, found. */
typedef struct {
  sd_target axis[SD_AXES_MAX], scatter[SD_SCATTERS_MAX], column[SD_COLUMNS_MAX];
  int columns;
} sd_targets;

static inline double sd_axis_value(const sd_axis *a, size_t i) {
  return sd_grid_value(a->low, a->high, !a->is_log, i, a->count);
}
static inline size_t sd_sweep_points(const sd_sweep *s) {
  size_t points = 1;
  for (int k = 0; k < s->axes; k++) points *= s->axis[k].count;
  return points;
}
/* The place of a point along an axis: the last one's runs fastest. */
static inline size_t sd_sweep_place(const sd_sweep *s, size_t point, int axis) {
  for (int k = s->axes - 1; k > axis; k--) point /= s->axis[k].count;
  return point % s->axis[axis].count;
}

/* From text; what is wrong is of the option that it comes from. */
sd_status sd_axis_read(const char *text, sd_axis *axis, sd_error *error);
sd_status sd_scatter_read(const char *text, sd_scatter *scatter, sd_error *error);

#endif
