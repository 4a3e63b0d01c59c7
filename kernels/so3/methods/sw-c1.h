/* sw-c1 - Simo-Wong ALGO_C1.  Order 2, symmetric; keeps energy and momentum of the free body.
 *
 *   Theta = h (W + W1)/2
 *   J W1  = exp(-Theta) J W + h exp(-Theta/2) torque(Q exp(Theta/2))                              [solve]
 *   Q1    = Q exp(Theta)
 *
 * J. C. Simo, T. S. Wong, Int. J. Numer. Meth. Engng 31 (1991) 19-52, doi:10.1002/nme.1620310103. */
#include "../body.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 W;
  real h;
} sw_c1_equation;

/* With m = Theta/2:  J W1 = exp(-m) z,  z = exp(-m) J W + h torque(Q exp(m)).  T is the tangent of exp at m. */
FN linearised sw_c1_velocity(vec3 W1, const void *data) {
  const sw_c1_equation *e = (const sw_c1_equation *)data;
  real quarter = 0.25 * e->h;
  vec3 m = vec3_scale(quarter, vec3_add(e->W, W1));
  quaternion F = exp_quaternion(m);
  attitude Q_mid = turn(e->Q, F);
  vec3 turned = quaternion_rotate_back(F, momentum_of(e->c, e->W));
  vec3 z = vec3_axpy(e->h, e->p->torque(Q_mid, e->c), turned), y = quaternion_rotate_back(F, z);
  mat3 dz = mat3_axpy(e->h, e->p->torque_derivative(Q_mid, e->c), mat3_hat(turned));
  mat3 dy = mat3_add(mat3_hat(y), mat3_multiply(mat3_transpose(quaternion_matrix(F)), dz));
  mat3 slope = mat3_scale(-quarter, mat3_multiply(dy, exp_tangent(m)));
  linearised at = {vec3_sub(momentum_of(e->c, W1), y), mat3_add_diagonal(slope, e->c->J)};
  return at;
}

FN state sw_c1_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  sw_c1_equation e = {p, c, s.Q, s.W, h};
  vec3 guess = vec3_axpy(h, acceleration(c, s.W, s.torque), s.W);
  vec3 W1 = newton_solve(sw_c1_velocity, &e, guess, s.W, log);
  s.Q = turn_exp(s.Q, vec3_scale(0.5 * h, vec3_add(s.W, W1)));
  s.W = W1;
  s.torque = p->torque(s.Q, c); /* serves the next first guess */
  return s;
}
