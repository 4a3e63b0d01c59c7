#include "grid.h"

#include "status.h"

void sd_grid_open(sd_grid *g, const sd_result *result) {
  *g = (sd_grid){.result = result};
  for (; g->axes < SD_GRID_AXES; g->axes++) {
    g->axis[g->axes].size = sizeof *g->axis;
    if (!sd_result_axis(result, (size_t)g->axes, &g->axis[g->axes])) return;
  }
}

sd_status sd_grid_take(sd_grid *g, size_t method, const char *quantity) {
  g->method = method;
  g->value.size = g->verdict.size = g->failed.size = g->reach.size = sizeof g->value;
  SD_TRY(sd_result_point(g->result, method, quantity, &g->value));
  SD_TRY(sd_result_point(g->result, method, "verdict", &g->verdict));
  SD_TRY(sd_result_point(g->result, method, "failed", &g->failed));
  return sd_result_point(g->result, method, "drift_reach", &g->reach);
}

void sd_grid_next(const sd_grid *g, size_t place[SD_GRID_AXES]) {
  for (int k = g->axes - 1; k >= 0; k--) {
    if (++place[k] < g->axis[k].count) return;
    place[k] = 0;
  }
}

static size_t offset(const sd_view *v, const size_t place[SD_GRID_AXES]) {
  size_t at = 0;
  for (int k = 0; k < v->rank; k++) at += place[k] * v->stride[k];
  return at;
}
double sd_grid_real(const sd_view *v, const size_t place[SD_GRID_AXES]) {
  return v->data[offset(v, place)];
}
size_t sd_grid_whole(const sd_view *v, const size_t place[SD_GRID_AXES]) {
  return v->whole[offset(v, place)];
}

size_t sd_grid_shown(const sd_axis_info *a, size_t most) {
  return a->count < most ? a->count : most;
}
size_t sd_grid_shown_at(const sd_axis_info *a, size_t most, size_t i) {
  return a->count <= most ? i : (size_t)((double)i * (double)(a->count - 1) / (double)(most - 1));
}
