/* body.h - a rigid body on SO(3) in a potential: state, inertia, and what a problem and a method must provide.
 *
 *   Q' = Q hat(W),   J W' = J W x W + torque(Q),   torque(Q).y = -DU(Q).(Q hat(y)),   E = W.J W / 2 + U(Q)
 *
 * Q is the attitude (body to space), W the angular velocity in the body frame, J = diag(J1, J2, J3). */
#ifndef SD_BODY_H
#define SD_BODY_H

#include "attitude.h"
#include "../job.h"
#include "../newton.h"

/* Numbers of its own that a method carries from step to step; a method that has some defines this first. */
#ifndef SD_MEMORY
#define SD_MEMORY 0
#endif

typedef struct {
  attitude Q;
  vec3 W;
  real memory[SD_MEMORY + !SD_MEMORY]; /* the first SD_MEMORY are part of the state */
  vec3 torque;                         /* at Q, kept so that a step's last torque is the next one's first; not stored */
} state;

enum {
  SD_PROBLEM_MAX = 12, /* constants of a problem */
  SO3_CONSTANTS = 12 + SD_PROBLEM_MAX,
  SD_OWN = 9 /* a problem's own parameters come after J, attitude, velocity */
};

/* The first SO3_CONSTANTS numbers are computed once, by the host, and handed over in the job. */
typedef struct {
  vec3 J, J_inverse;
  vec3 J_gap; /* (J2-J3, J3-J1, J1-J2): J W x W = J_gap * (W2 W3, W3 W1, W1 W2) */
  vec3 J_gap_over_J;
  real own[SD_PROBLEM_MAX];                 /* of the problem, as its load() made them */
  real parameter[SD_METHOD_PARAMETERS_MAX]; /* of the method */
} constants;

FN constants constants_with_inertia(vec3 J) {
  constants c;
  real one = real_splat(1);
  memset(&c, 0, sizeof c);
  c.J = J;
  c.J_inverse = vec3_make(one / J.x, one / J.y, one / J.z);
  c.J_gap = vec3_make(J.y - J.z, J.z - J.x, J.x - J.y);
  c.J_gap_over_J = vec3_times(c.J_gap, c.J_inverse);
  return c;
}
/* What a problem is: the functions that a file in problems/ defines. */
typedef struct {
  real (*potential)(attitude Q, const constants *c);
  vec3 (*torque)(attitude Q, const constants *c);
  mat3 (*torque_derivative)(attitude Q, const constants *c); /* K with torque(Q exp(y)) = torque(Q) + K y + ... */
  vec3 (*momentum)(attitude Q, vec3 P, const constants *c);  /* conserved momentum maps, unused components 0 */
} problem;

/* One step of a method: what a file in methods/ defines. */
typedef state (*step_fn)(state s, const problem *p, const constants *c, real h, step_log *log);

FN vec3 kicked(const constants *c, real h, vec3 torque, vec3 W) { /* W + h J^-1 torque */
  return vec3_axpy(h, vec3_times(c->J_inverse, torque), W);
}
FN vec3 momentum_of(const constants *c, vec3 W) { /* J W */
  return vec3_times(c->J, W);
}
FN vec3 velocity_about(const constants *c,
                       vec3 P) { /* J^-1 P, up to the rounding of J^-1: for guesses and small terms */
  return vec3_times(c->J_inverse, P);
}
/* J^-1 P with the rounding of J^-1 taken out: W goes back to J W in the next step, and as 1/J is off by the same amount
 * every time, so would the momentum drift. */
FN vec3 velocity_of(const constants *c, vec3 P) {
  vec3 W = velocity_about(c, P), J = c->J;
  vec3 rest = vec3_make(real_fnma(J.x, W.x, P.x), real_fnma(J.y, W.y, P.y), real_fnma(J.z, W.z, P.z));
  return vec3_times_add(c->J_inverse, rest, W);
}
FN vec3 pairs_of(vec3 W) {
  return vec3_make(W.y * W.z, W.z * W.x, W.x * W.y);
}
FN vec3 gyroscopic(const constants *c, vec3 W) { /* J W x W */
  return vec3_times(c->J_gap, pairs_of(W));
}
FN mat3 gyroscopic_derivative(const constants *c, vec3 W) {
  vec3 g = c->J_gap;
  real zero = real_splat(0);
  return mat3_rows(vec3_make(zero, g.x * W.z, g.x * W.y), vec3_make(g.y * W.z, zero, g.y * W.x),
                   vec3_make(g.z * W.y, g.z * W.x, zero));
}
FN vec3 acceleration(const constants *c, vec3 W, vec3 torque) { /* Euler's equation */
  return vec3_times_add(c->J_gap_over_J, pairs_of(W), velocity_about(c, torque));
}
FN real energy_of(const problem *p, const constants *c, attitude Q, vec3 W) {
  return real_fma(real_splat(0.5), vec3_dot(W, momentum_of(c, W)), p->potential(Q, c));
}
FN real kinetic_energy_of(const constants *c, vec3 W) {
  return 0.5 * vec3_dot(W, momentum_of(c, W));
}

#endif
