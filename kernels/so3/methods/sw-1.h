/* sw-1 - Simo-Wong ALGO_1.  Order 2, symmetric; keeps the energy of the free body.
 *
 *   W_mid = (W + W1)/2
 *   J (W1 - W) = h (J W_mid x W_mid + torque(Q exp(h W_mid/2)))                                   [solve]
 *   Q1 = Q exp(h W_mid)
 *
 * J. C. Simo, T. S. Wong, Int. J. Numer. Meth. Engng 31 (1991) 19-52, doi:10.1002/nme.1620310103. */
#include "../body.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 P;
  real half;
} sw_1_equation;

/* J w - h/2 (J w x w + torque(Q exp(h/2 w))) = J W, for w = W_mid */
FN linearised sw_1_mid_velocity(vec3 w, const void *data) {
  const sw_1_equation *e = (const sw_1_equation *)data;
  vec3 x = vec3_scale(e->half, w);
  attitude Q_mid = turn_exp(e->Q, x);
  vec3 force = vec3_add(gyroscopic(e->c, w), e->p->torque(Q_mid, e->c));
  mat3 turning = mat3_multiply(e->p->torque_derivative(Q_mid, e->c), exp_tangent(x));
  mat3 slope = mat3_scale(-e->half, mat3_axpy(e->half, turning, gyroscopic_derivative(e->c, w)));
  linearised at = {vec3_axpy(-e->half, force, vec3_sub(momentum_of(e->c, w), e->P)), mat3_add_diagonal(slope, e->c->J)};
  return at;
}

FN state sw_1_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  sw_1_equation e = {p, c, s.Q, momentum_of(c, s.W), 0.5 * h};
  vec3 guess = vec3_axpy(0.5 * h, acceleration(c, s.W, s.torque), s.W);
  vec3 mid_velocity = newton_solve(sw_1_mid_velocity, &e, guess, s.W, log);
  s.Q = turn_exp(s.Q, vec3_scale(h, mid_velocity));
  s.W = vec3_sub(vec3_add(mid_velocity, mid_velocity), s.W);
  s.torque = p->torque(s.Q, c); /* serves the next first guess */
  return s;
}
