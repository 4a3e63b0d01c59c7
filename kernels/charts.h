/* charts.h - terms of the mean and the covariance of states (coordinates.h), lane by lane. */
#ifndef SD_CHARTS_H
#define SD_CHARTS_H

#include "rotation.h"
#include "series_job.h"

FN int begins_rotation(const sd_coordinates *c, int k) {
  return (int)(c->rotations >> k & 1);
}

/* Both return how many there are. */
FN int centre_terms(const sd_coordinates *c, const real *x, real *to) {
  int made = 0;
  for (int k = 0; k < c->numbers;) {
    if (begins_rotation(c, k)) {
      for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) to[made++] = x[k + i] * x[k + j];
      k += 4;
    } else to[made++] = x[k++];
  }
  return made;
}

/* The shorter way: both signs of a quaternion are the same rotation. */
FN vec3 rotation_between(const double *centre, const real *x) {
  quaternion from = {real_splat(centre[0]), vec3_splat(centre + 1)}, to = {x[0], vec3_make(x[1], x[2], x[3])};
  quaternion turn = quaternion_multiply(quaternion_conjugate(from), to);
  mask behind = real_less(turn.w, real_splat(0));
  turn.w = real_abs(turn.w);
  turn.v = vec3_select(behind, vec3_negate(turn.v), turn.v);
  return vec3_scale(real_angle_over_sine(vec3_norm2(turn.v), turn.w), turn.v);
}

FN int displacement_terms(const sd_coordinates *c, const double *centre, const real *x, real *to) {
  int made = 0;
  for (int k = 0; k < c->numbers;) {
    if (begins_rotation(c, k)) {
      vec3 turn = rotation_between(centre + k, x + k);
      to[made++] = turn.x, to[made++] = turn.y, to[made++] = turn.z;
      k += 4;
    } else to[made++] = x[k] - centre[k], k++;
  }
  return made;
}

#if !defined(__CUDACC__)
FN void chart_of(int displaced, const sd_coordinates *c, const double *centre, const double *rows, size_t stride,
                 size_t count, double *terms) {
  for (size_t at = 0; at < count; at += SD_LANES) {
    real x[SD_COORDINATES_MAX], to[SD_MOMENT_SUMS_MAX];
    for (int k = 0; k < c->numbers; k++) x[k] = real_load(rows + (size_t)k * stride + at);
    int made = displaced ? displacement_terms(c, centre, x, to) : centre_terms(c, x, to);
    for (int k = 0; k < made; k++) real_store(terms + (size_t)k * SD_REDUCE_BLOCK + at, to[k]);
  }
}
static void centre_chart(const sd_coordinates *c, const double *centre, const double *rows, size_t stride, size_t count,
                         double *terms) {
  chart_of(0, c, centre, rows, stride, count, terms);
}
static void displacement_chart(const sd_coordinates *c, const double *centre, const double *rows, size_t stride,
                               size_t count, double *terms) {
  chart_of(1, c, centre, rows, stride, count, terms);
}
#endif

#endif
