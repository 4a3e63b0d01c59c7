/* family.h - a planar pendulum on the circle, as trajectory.h wants a family.  It is there to show that a family is a
 * folder: everything that is tested of families is tested of this one, and nothing but its folder knows it. */
#ifndef CIRCLE_FAMILY_H
#define CIRCLE_FAMILY_H

#include "pendulum.h"

enum { STATE_NUMBERS = 3, KEPT_NUMBERS = 0, SHOWN_NUMBERS = 3, COORDINATES = 3 };
#define TIMED 0
#define IMPULSES 0
#define EVENTS 0
#include "../../kernels/draws.h"

#define PROBLEM_FUNCTIONS(name) \
  { name##_potential, name##_force }

enum { CIRCLE_STIFFNESS, CIRCLE_ANGLE, CIRCLE_VELOCITY }; /* of the problem's parameters */

typedef void (*begin_fn)(state *s, const constants *c);

FN constants constants_of_group(const sd_job *job, size_t group) {
  constants c;
  numbers_of_problem(job, group, 1, &c.stiffness);
  numbers_of_method(job, group, c.parameter);
  return c;
}
FN void state_at_time(state *s, real time) {
  (void)s, (void)time;
}
FN void state_recall(state *s, const problem *p, const constants *c) {
  (void)s, (void)p, (void)c;
}
/* A start of its own is its direction, of any length, and its velocity. */
FN state state_start(const sd_job *job, size_t group, const problem *p, const constants *c) {
  normal_pair draw = drawn_normals(job, group, 0);
  real other = perturbed(job, group), zero = real_splat(0), one = real_splat(1);
  state own = {get(job, group, 0), get(job, group, 1), get(job, group, 2)};
  real norm2 = real_fma(own.x, own.x, own.y * own.y);
  mask given = real_less(zero, norm2);
  real scale = real_rsqrt(real_select(given, norm2, one));
  state east = {one, zero, zero};
  state drawn = turned(east, parameter_of(job, group, CIRCLE_ANGLE) + job->sigma[0] * other * draw.first);
  real w = parameter_of(job, group, CIRCLE_VELOCITY) + job->sigma[1] * other * draw.second;
  state s = {real_select(given, scale * own.x, drawn.x), real_select(given, scale * own.y, drawn.y),
             real_select(given, own.w, w)};
  (void)p, (void)c;
  return s;
}
FN real state_energy(const state *s, const problem *p, const constants *c) {
  return real_fma(0.5 * s->w, s->w, p->potential(*s, c));
}
FN real state_kinetic(const state *s, const constants *c) {
  (void)c;
  return 0.5 * s->w * s->w;
}
FN vec3 state_momentum(const state *s, const problem *p, const constants *c) {
  (void)s, (void)p, (void)c;
  return vec3_zero();
}
FN real state_defect(const sd_job *job, size_t group, const state *s, const constants *c, int64_t step, real time) {
  (void)job, (void)group, (void)c, (void)step, (void)time;
  return real_abs(real_fma(s->x, s->x, s->y * s->y) - 1.0);
}
FN state state_select(mask m, state a, state b) {
  state s = {real_select(m, a.x, b.x), real_select(m, a.y, b.y), real_select(m, a.w, b.w)};
  return s;
}
FN void state_export(const sd_job *job, size_t group, const state *s, const problem *p, const constants *c,
                     int64_t step, real time, real *out) {
  (void)job, (void)group, (void)p, (void)c, (void)step, (void)time;
  out[0] = s->x;
  out[1] = s->y;
  out[2] = s->w;
}
FN void state_coordinates(const state *s, real *out) {
  memcpy(out, s, sizeof *s);
}

#endif
