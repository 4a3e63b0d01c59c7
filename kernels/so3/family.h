/* family.h - rigid bodies on SO(3) as trajectory.h wants a family: starts, what is observed, what is exported. */
#ifndef SD_SO3_FAMILY_H
#define SD_SO3_FAMILY_H

#include "body.h"

enum {
  STATE_NUMBERS = (int)(sizeof(attitude) / sizeof(real)) + 3 + SD_MEMORY,
  KEPT_NUMBERS = 0,
  SHOWN_NUMBERS = 12,
  COORDINATES = 7
};
#define TIMED 0
#define IMPULSES 0
#define EVENTS 0
#if !SD_MEMORY
#define PLAIN_STATE /* as a method has it that asks for nothing else */
#endif
#include "../draws.h"

#define PROBLEM_FUNCTIONS(name) \
  { name##_potential, name##_torque, name##_torque_derivative, name##_momentum }

typedef void (*begin_fn)(state *s, const constants *c); /* fills a method's memory */

FN constants constants_of_group(const sd_job *job, size_t group) {
  constants c;
  real numbers[SO3_CONSTANTS];
  numbers_of_problem(job, group, SO3_CONSTANTS, numbers);
  memcpy(&c, numbers, sizeof numbers);
  numbers_of_method(job, group, c.parameter);
  return c;
}
FN void state_at_time(state *s, real time) {
  (void)s, (void)time;
}
FN void state_recall(state *s, const problem *p, const constants *c) {
  s->torque = p->torque(s->Q, c);
}

/* The problem's start, perturbed: Q0 exp(sigma_Q xi), W0 + sigma_W xi'.  Body 0 stays as it is. */
FN void draw_start(const sd_job *job, size_t group, quaternion *Q, vec3 *W) {
  normal_pair a = drawn_normals(job, group, 0), b = drawn_normals(job, group, 1), c = drawn_normals(job, group, 2);
  real other = perturbed(job, group);
  real turn_by = job->sigma[0] * other, push_by = job->sigma[1] * other;
  vec3 start = parameters_of(job, group, 6);
  *Q = turn_unit(exp_quaternion(parameters_of(job, group, 3)),
                 vec3_scale(turn_by, vec3_make(a.first, a.second, b.first)));
  *W = vec3_axpy(push_by, vec3_make(b.second, c.first, c.second), start);
}

FN state state_start(const sd_job *job, size_t group, const problem *p, const constants *c) {
  quaternion Q0 = {get(job, group, 0), {get(job, group, 1), get(job, group, 2), get(job, group, 3)}};
  vec3 W0 = vec3_make(get(job, group, 4), get(job, group, 5), get(job, group, 6));
  real norm2 = quaternion_norm2(Q0);
  mask given = real_less(real_splat(0), norm2);
  Q0 = quaternion_scale(real_rsqrt(real_select(given, norm2, real_splat(1))), Q0);
  quaternion drawn_Q;
  vec3 drawn_W;
  draw_start(job, group, &drawn_Q, &drawn_W);
  Q0.w = real_select(given, Q0.w, drawn_Q.w);
  Q0.v = vec3_select(given, Q0.v, drawn_Q.v);
  W0 = vec3_select(given, W0, drawn_W);
  state s = {Q0, W0, {real_splat(0)}, vec3_zero()};
  state_recall(&s, p, c);
  return s;
}

FN real state_energy(const state *s, const problem *p, const constants *c) {
  return energy_of(p, c, s->Q, s->W);
}
FN real state_kinetic(const state *s, const constants *c) {
  return kinetic_energy_of(c, s->W);
}
FN vec3 state_momentum(const state *s, const problem *p, const constants *c) {
  return p->momentum(s->Q, momentum_of(c, s->W), c);
}
FN real state_defect(const sd_job *job, size_t group, const state *s, const constants *c, int64_t step, real time) {
  (void)job, (void)group, (void)c, (void)step, (void)time;
  return attitude_defect(s->Q);
}
FN state state_select(mask m, state a, state b) {
  a.Q = attitude_select(m, a.Q, b.Q);
  a.W = vec3_select(m, a.W, b.W);
  a.torque = vec3_select(m, a.torque, b.torque);
  for (int i = 0; i < SD_MEMORY; i++) a.memory[i] = real_select(m, a.memory[i], b.memory[i]);
  return a;
}
FN void state_export(const sd_job *job, size_t group, const state *s, const problem *p, const constants *c,
                     int64_t step, real time, real *out) {
  (void)job, (void)group, (void)p, (void)c, (void)step, (void)time;
  mat3 Q = attitude_matrix(s->Q);
  const real numbers[SHOWN_NUMBERS] = {Q.x.x, Q.x.y, Q.x.z, Q.y.x,  Q.y.y,  Q.y.z,
                                       Q.z.x, Q.z.y, Q.z.z, s->W.x, s->W.y, s->W.z};
  memcpy(out, numbers, sizeof numbers);
}
FN void state_coordinates(const state *s, real *out) {
  quaternion q = quaternion_normalise(s->Q);
  const real numbers[COORDINATES] = {q.w, q.v.x, q.v.y, q.v.z, s->W.x, s->W.y, s->W.z};
  memcpy(out, numbers, sizeof numbers);
}

#endif
