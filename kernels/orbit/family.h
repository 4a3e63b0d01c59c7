/* family.h - point masses as trajectory.h wants a family: starts, impulses, what is observed, what is exported.
 *
 * Where gravity of the centre is the only force, besides impulses, every body is compared with the solution of its own
 * two-body problem: its start, kept in slots of its own, and started again after every impulse. */
#ifndef SD_ORBIT_FAMILY_H
#define SD_ORBIT_FAMILY_H

#include "../rotation.h"
#include "kepler.h"
#include "point.h"

enum { STATE_NUMBERS = 7 + SD_MEMORY, KEPT_NUMBERS = 6, SHOWN_NUMBERS = 13, COORDINATES = 6 };
#define TIMED 1
#define IMPULSES 1
#define EVENTS 1
#ifndef SD_UNHELD            /* a method says so whose steps need more registers than that */
#define SIMPLE_REGISTERS 128 /* on a device: it is what is observed that takes more, and not the steps */
#endif
#if !SD_MEMORY
#define PLAIN_STATE /* as a method has it that asks for nothing else */
#endif
#include "../draws.h"

#define PROBLEM_FUNCTIONS(name) \
  { gravity_potential, gravity_force, gravity_force_derivative, 0 }
#define PROBLEM_SIMPLE_FUNCTIONS(name) \
  { bare_potential, bare_force, bare_force_derivative, 1 }

typedef void (*begin_fn)(state *s, const constants *c); /* fills a method's memory */

/* Which forces there are is the same for all members. */
FN constants constants_of_group(const sd_job *job, size_t group) {
  constants c;
  real numbers[ORBIT_CONSTANTS];
  numbers_of_problem(job, group, ORBIT_CONSTANTS, numbers);
  memcpy(&c, numbers, sizeof numbers);
  c.forced = orbit_is_forced(job->parameters);
  c.attractors = orbit_attractors(job->parameters);
  c.always_forced = c.forced;
  c.aired = orbit_is_aired(job->parameters) || job->burns;
  c.guided = orbit_is_guided(job->parameters);
  c.degree = orbit_degree(job->parameters);
  c.two_body = !(c.forced || c.attractors || c.degree || job->burns || job->event_kicks);
  c.shaded = mask_any(real_less(real_splat(0), c.shadow));
  c.thrusts = mask_any(mask_not(c.thrust == real_splat(0)));
  burn_on none = {0, SD_FRAME_FIXED, vec3_zero(), real_splat(0), real_splat(0), real_splat(0), real_splat(1)};
  c.burn = none;
  numbers_of_method(job, group, c.parameter);
  return c;
}
FN void state_at_time(state *s, real time) {
  s->time = time;
}
FN void state_recall(state *s, const problem *p, const constants *c) {
  s->force = p->force(s->q, s->time, c);
}

/* ---- the exact solution ---- */

FN kepler_point kept_point(const sd_job *job, size_t group) {
  const int k = STATE_NUMBERS;
  kepler_point at = {vec3_make(get(job, group, k), get(job, group, k + 1), get(job, group, k + 2)),
                     vec3_make(get(job, group, k + 3), get(job, group, k + 4), get(job, group, k + 5))};
  return at;
}
FN void keep_point(const sd_job *job, size_t group, kepler_point at) {
  const real numbers[KEPT_NUMBERS] = {at.q.x, at.q.y, at.q.z, at.v.x, at.v.y, at.v.z};
  for (int k = 0; k < KEPT_NUMBERS; k++) put(job, group, STATE_NUMBERS + k, real_one_nan(numbers[k]));
}
/* At `time`, after the first `impulses` of the job. */
FN kepler_point exact_point(const sd_job *job, size_t group, const constants *c, real time, int impulses) {
  kepler_point from = kept_point(job, group);
  double since = impulses ? job->impulse[impulses - 1].time : 0;
  return kepler_after(from.q, from.v, c->mu, time - since);
}
FN int impulses_before(const sd_job *job, int64_t step) { /* those in steps that are done */
  int k = 0;
  while (k < job->impulses && job->impulse[k].step < step) k++;
  return k;
}

/* ---- starts and impulses ---- */

typedef struct {
  vec3 q, p;
} offset;

/* What six normals come to by the job's correlation, whose rows are of position and velocity. */
FN_RARE offset correlated(const sd_job *job, const real draw[6], real mass) {
  real number[6];
  for (int k = 0; k < 6; k++) {
    number[k] = real_splat(0);
    for (int i = 0; i < 6; i++) number[k] = real_fma(real_splat(job->correlation[6 * k + i]), draw[i], number[k]);
  }
  offset of = {vec3_make(number[0], number[1], number[2]),
               vec3_scale(mass, vec3_make(number[3], number[4], number[5]))};
  return of;
}

/* The problem's start, perturbed: q0 + sigma_q xi, p0 + sigma_p xi', or as a covariance says.  Body 0 stays as it is.
 */
FN state state_start(const sd_job *job, size_t group, const problem *p, const constants *c) {
  normal_pair x = drawn_normals(job, group, 0), y = drawn_normals(job, group, 1), z = drawn_normals(job, group, 2);
  real other = perturbed(job, group);
  vec3 q = vec3_make(get(job, group, 0), get(job, group, 1), get(job, group, 2));
  vec3 momentum = vec3_make(get(job, group, 3), get(job, group, 4), get(job, group, 5));
  mask given = real_less(real_splat(0), vec3_norm2(q));
  vec3 drawn_q = vec3_axpy(job->sigma[0] * other, vec3_make(x.first, x.second, y.first),
                           parameters_of(job, group, ORBIT_POSITION));
  vec3 drawn_p = vec3_axpy(job->sigma[1] * other, vec3_make(y.second, z.first, z.second),
                           parameters_of(job, group, ORBIT_MOMENTUM));
  if (job->correlated) {
    const real draw[6] = {x.first, x.second, y.first, y.second, z.first, z.second};
    offset of = correlated(job, draw, c->mass);
    drawn_q = vec3_axpy(other, of.q, parameters_of(job, group, ORBIT_POSITION));
    drawn_p = vec3_axpy(other, of.p, parameters_of(job, group, ORBIT_MOMENTUM));
  }
  state s = {vec3_select(given, q, drawn_q),
             vec3_select(given, momentum, drawn_p),
             real_splat(0),
             {real_splat(0)},
             vec3_zero(),
             real_splat(0)};
  state_recall(&s, p, c);
  kepler_point at = {s.q, velocity_of(c, s.p)};
  keep_point(job, group, at);
  return s;
}

enum { IMPULSE_DRAWS = 16, BURN_DRAWS = 1024, EVENT_DRAWS = 2048 }; /* the starts have the draws before */

typedef struct {
  vec3 vector;
  real part; /* of the size that it should have */
} drawn_vector;

/* A vector of a body's own: its size off by a part, its direction by an angle about an axis across it. */
FN_RARE drawn_vector drawn_about(const sd_job *job, size_t group, int first, const double mean[3], double size_error,
                                 double angle_error) {
  normal_pair a = drawn_normals(job, group, (uint64_t)first), b = drawn_normals(job, group, (uint64_t)(first + 1));
  real other = perturbed(job, group);
  vec3 change = vec3_splat(mean), along = direction_of(change);
  vec3 draw = vec3_make(a.second, b.first, b.second), across = vec3_axmy(vec3_dot(draw, along), along, draw);
  vec3 turned = exp_apply(vec3_scale(angle_error * other, across), change);
  real part = real_fma(size_error * other, a.first, real_splat(1));
  drawn_vector drawn = {vec3_scale(part, turned), part};
  return drawn;
}
FN vec3 drawn_change(const sd_job *job, size_t group, int k) {
  const sd_impulse *i = &job->impulse[k];
  if (i->size_error == 0 && i->angle_error == 0) return vec3_splat(i->change);
  return drawn_about(job, group, IMPULSE_DRAWS + 2 * k, i->change, i->size_error, i->angle_error).vector;
}

/* What is on until impulse k of the job, or its end, and the mass that is gone by then. */
FN_APART void constants_until(constants *c, const sd_job *job, size_t group, int k) {
  int on = k < job->impulses ? job->impulse[k].burning : 0;
  double now = k ? job->impulse[k - 1].time : 0;
  burn_on burn = {on != 0, SD_FRAME_FIXED, vec3_zero(), real_splat(0), real_splat(0), real_splat(0), real_splat(1)};
  for (int b = 0; b < job->burns && job->burn[b].from <= now; b++) {
    const sd_burn *one = &job->burn[b];
    drawn_vector drawn = {vec3_splat(one->force), real_splat(1)};
    if (one->size_error != 0 || one->angle_error != 0)
      drawn = drawn_about(job, group, BURN_DRAWS + 2 * b, one->force, one->size_error, one->angle_error);
    if (b + 1 == on) {
      burn.frame = one->frame;
      burn.force = drawn.vector;
      burn.flow = one->flow * drawn.part;
      burn.since = real_splat(one->from);
    } else if (one->until <= now) {
      burn.gone = real_fma(one->flow * drawn.part, real_splat(one->until - one->from), burn.gone);
    }
  }
  c->burn = burn;
  c->burn.lightness = lightness_at(c, burn.since); /* of a flow it is taken anew at every time */
  c->forced = c->always_forced || burn.on;
}

typedef struct {
  vec3 momentum;
  real energy;
} kick_given;

/* The levels of energy and angular momentum take a change of velocity; what the state is to take. */
FN kick_given give_change(vec3 q, vec3 before, vec3 change, const sd_job *job, size_t group, const constants *c,
                          mask alive) {
  vec3 push = vec3_scale(c->mass, change);
  real gained = c->mass * vec3_dot(change, vec3_axpy(real_splat(0.5), change, before));
  vec3 turned = vec3_cross(q, push);
  const real turn[3] = {turned.x, turned.y, turned.z};
  for (int i = 0; i < 3; i++) {
    real level = get_account(job, group, SD_MOMENTUM0 + i);
    put_account(job, group, SD_MOMENTUM0 + i, real_select(alive, real_one_nan(level + turn[i]), level));
  }
  kick_given given = {push, gained};
  return given;
}
/* And the solution that a state is compared with takes an impulse, too. */
FN_APART kick_given give_kick(vec3 q, vec3 p, const sd_job *job, size_t group, int k, const constants *c, mask alive) {
  vec3 before = velocity_of(c, p), drawn = drawn_change(job, group, k);
  vec3 change = from_frame(job->impulse[k].frame, drawn, q, before);
  kick_given given = give_change(q, before, change, job, group, c, alive);
  kepler_point at = exact_point(job, group, c, real_splat(job->impulse[k].time), k);
  at.v = vec3_add(at.v, from_frame(job->impulse[k].frame, drawn, at.q, at.v));
  keep_point(job, group, at);
  return given;
}
FN state state_kick(state s, const sd_job *job, size_t group, int k, const constants *c, mask alive) {
  kick_given given = give_kick(s.q, s.p, job, group, k, c, alive);
  s.p = vec3_add(s.p, given.momentum);
  s.work = s.work + given.energy;
  return s;
}

/* ---- what is observed and exported ---- */

FN real hamiltonian(const state *s, const problem *p, const constants *c) {
  return real_fma(0.5 * c->inverse_mass, vec3_norm2(s->p), p->potential(s->q, s->time, c));
}
FN real state_energy(const state *s, const problem *p, const constants *c) {
  return hamiltonian(s, p, c) - s->work;
}
FN real state_kinetic(const state *s, const constants *c) {
  return 0.5 * c->inverse_mass * vec3_norm2(s->p);
}
FN vec3 state_momentum(const state *s, const problem *p, const constants *c) {
  (void)p, (void)c;
  return vec3_cross(s->q, s->p);
}
FN real distance_of(vec3 a, vec3 b) {
  return real_sqrt(vec3_norm2(vec3_sub(a, b)));
}
/* The distance from the exact solution; NaN where there is none. */
FN real state_defect(const sd_job *job, size_t group, const state *s, const constants *c, int64_t step, real time) {
  if (!c->two_body) return real_nan();
  return distance_of(s->q, exact_point(job, group, c, time, impulses_before(job, step)).q);
}

FN state state_select(mask m, state a, state b) {
  a.q = vec3_select(m, a.q, b.q);
  a.p = vec3_select(m, a.p, b.p);
  a.work = real_select(m, a.work, b.work);
  a.force = vec3_select(m, a.force, b.force);
  a.time = real_select(m, a.time, b.time);
  for (int i = 0; i < SD_MEMORY; i++) a.memory[i] = real_select(m, a.memory[i], b.memory[i]);
  return a;
}

/* What burns have left of the mass; NaN of a body that did not come so far. */
FN_RARE real mass_left(const sd_job *job, size_t group, const constants *c, int64_t step, real time) {
  constants then = *c;
  if (job->burns) constants_until(&then, job, group, impulses_before(job, step));
  mask there = real_at_most(get_account(job, group, SD_STATUS), real_splat(0));
  return real_select(there, mass_at(&then, time), real_nan());
}

/* q, p, H, work, errors of position, velocity, phase (an angle, positive ahead) and period (relative); the mass. */
FN void state_export(const sd_job *job, size_t group, const state *s, const problem *p, const constants *c,
                     int64_t step, real time, real *out) {
  real position = real_nan(), velocity = position, phase = position, period = position;
  if (c->two_body) {
    kepler_point exact = exact_point(job, group, c, time, impulses_before(job, step));
    vec3 v = velocity_of(c, s->p);
    vec3 normal = direction_of(vec3_cross(exact.q, exact.v));
    real a = inverse_axis(s->q, v, c->mu), ratio = inverse_axis(exact.q, exact.v, c->mu) / a;
    position = distance_of(s->q, exact.q);
    velocity = distance_of(v, exact.v);
    phase = real_atan2(vec3_dot(vec3_cross(exact.q, s->q), normal), vec3_dot(exact.q, s->q));
    period = real_select(real_less(real_splat(0), a), ratio * real_sqrt(ratio) - 1.0, period);
  }
  const real numbers[SHOWN_NUMBERS] = {s->q.x,
                                       s->q.y,
                                       s->q.z,
                                       s->p.x,
                                       s->p.y,
                                       s->p.z,
                                       hamiltonian(s, p, c),
                                       s->work,
                                       position,
                                       velocity,
                                       phase,
                                       period,
                                       mass_left(job, group, c, step, time)};
  memcpy(out, numbers, sizeof numbers);
}
FN void state_coordinates(const state *s, real *out) {
  const real numbers[COORDINATES] = {s->q.x, s->q.y, s->q.z, s->p.x, s->p.y, s->p.z};
  memcpy(out, numbers, sizeof numbers);
}

#include "conditions.h"

#endif
