/* vlv - variational Lie-Verlet.  Order 2, symmetric, symplectic: no energy drift.
 *
 *   W_half = W + h/2 J^-1 [J W_half x W_half - h/2 (W_half.J W_half) W_half + torque(Q)]          [solve]
 *   Q1     = Q cay(h W_half)
 *   W1     = W_half + h/2 J^-1 [J W_half x W_half + h/2 (W_half.J W_half) W_half + torque(Q1)]
 *
 * N. Bou-Rabee, J. E. Marsden, Found. Comput. Math. 9 (2009) 197-219, doi:10.1007/s10208-008-9030-4;
 * eqs. (12) of G. Ortolan, A. Saccon, doi:10.1002/nme.3333. */
#include "../two_halves.h"

typedef struct {
  const constants *c;
  vec3 known; /* J W + h/2 torque(Q) */
  real half;
} vlv_equation;

/* J w - h/2 [J w x w - h/2 (w.J w) w] = known, for w = W_half */
FN linearised vlv_half_velocity(vec3 w, const void *data) {
  const vlv_equation *e = (const vlv_equation *)data;
  vec3 P = momentum_of(e->c, w);
  real half = e->half, quarter_energy = half * half * vec3_dot(w, P);
  vec3 residual = vec3_axpy(-half, gyroscopic(e->c, w), vec3_axpy(quarter_energy, w, vec3_sub(P, e->known)));
  mat3 slope = mat3_scale(-half, gyroscopic_derivative(e->c, w));
  slope = mat3_outer_add(vec3_scale(2.0 * (half * half), w), P, slope);
  vec3 energies = vec3_make(quarter_energy, quarter_energy, quarter_energy);
  linearised at = {residual, mat3_add_diagonal(slope, vec3_add(e->c->J, energies))};
  return at;
}

typedef struct {
  vec3 half_velocity;
} vlv_between;

FN vlv_between vlv_turn(state *s, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  vlv_equation e = {c, vec3_axpy(half, s->torque, momentum_of(c, s->W)), half};
  vec3 w = velocity_about(c, e.known), guess = w; /* then passes of the equation: each adds an order in h */
  for (int pass = 0; pass < 3; pass++) {
    real energy = half * vec3_dot(guess, momentum_of(c, guess));
    guess = kicked(c, half, vec3_axmy(energy, guess, gyroscopic(c, guess)), w);
  }
  vlv_between between = {newton_solve(vlv_half_velocity, &e, guess, w, log)};
  s->Q = turn_cay_of_twice(s->Q, vec3_scale(half, between.half_velocity));
  return between;
}
FN void vlv_finish(state *s, vlv_between between, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  vec3 half_velocity = between.half_velocity;
  real energy = half * vec3_dot(half_velocity, momentum_of(c, half_velocity));
  vec3 force = vec3_axpy(energy, half_velocity, vec3_add(gyroscopic(c, half_velocity), s->torque));
  s->W = kicked(c, half, force, half_velocity);
}
TWO_HALVES(vlv)
