/* pendulum.h - a point on the unit circle, with an angular velocity: what methods and problems are written in. */
#ifndef CIRCLE_PENDULUM_H
#define CIRCLE_PENDULUM_H

#include "../../kernels/elementary.h"
#include "../../kernels/job.h"
#include "../../kernels/newton.h"

#define SD_MEMORY 0

typedef struct {
  real x, y, w;
} state;

typedef struct {
  real stiffness; /* g/l */
  real parameter[SD_METHOD_PARAMETERS_MAX];
} constants;

typedef struct {
  real (*potential)(state s, const constants *c);
  real (*force)(state s, const constants *c);
} problem;

typedef state (*step_fn)(state s, const problem *p, const constants *c, real h, step_log *log);

FN state turned(state s, real angle) {
  real sine, cosine;
  real_sincos(angle, &sine, &cosine);
  state to = {real_diff_of_products(cosine, s.x, sine, s.y), real_sum_of_products(sine, s.x, cosine, s.y), s.w};
  return to;
}

#endif
