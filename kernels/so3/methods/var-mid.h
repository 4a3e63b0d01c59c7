/* var-mid - variational midpoint.  Order 2, symmetric, symplectic: the step that derives from the discrete Lagrangian
 * h [w.J w/2 - U(Q exp(h w/2))], Q1 = Q exp(h w).
 *
 *   T(h w) J W = J w - h/2 T(h w/2) torque_mid,   torque_mid = torque(Q exp(h w/2))               [solve]
 *   Q1   = Q exp(h w)
 *   J W1 = exp(-h w) J W + h exp(-h w/2) torque_mid
 *
 * with T as in averaged_momentum.h.
 *
 * A. Saccon, Midpoint rule for variational integrators on Lie groups, Int. J. Numer. Meth. Engng 78 (2009) 1345-1364;
 * reference [6] of G. Ortolan, A. Saccon, doi:10.1002/nme.3333. */
#include "../averaged_momentum.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 P; /* J W */
  real h;
} var_mid_equation;

/* J w - T(h w) P - h/2 T(h w/2) torque(Q exp(h w/2)) = 0 */
FN linearised var_mid_velocity(vec3 w, const void *data) {
  const var_mid_equation *e = (const var_mid_equation *)data;
  real half = 0.5 * e->h;
  vec3 x = vec3_scale(half, w);
  attitude Q_mid = turn_exp(e->Q, x);
  averaged momentum = average_of(vec3_add(x, x), e->P), torque = average_of(x, e->p->torque(Q_mid, e->c));
  mat3 turning = mat3_multiply(mat3_multiply(torque.tangent, e->p->torque_derivative(Q_mid, e->c)), torque.tangent);
  mat3 slope =
      mat3_axpy(half, mat3_add(torque.derivative, turning), mat3_add(momentum.derivative, momentum.derivative));
  vec3 residual = vec3_axmy(half, torque.value, vec3_sub(momentum_of(e->c, w), momentum.value));
  linearised at = {residual, mat3_add_diagonal(mat3_scale(-half, slope), e->c->J)};
  return at;
}

FN state var_mid_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real half = 0.5 * h;
  var_mid_equation e = {p, c, s.Q, momentum_of(c, s.W), h};
  vec3 guess = vec3_axpy(half, acceleration(c, s.W, s.torque), s.W);
  vec3 mid_velocity = newton_solve(var_mid_velocity, &e, guess, s.W, log);
  quaternion F = exp_quaternion(vec3_scale(half, mid_velocity));
  attitude Q_mid = turn(s.Q, F);
  vec3 P_mid = vec3_axpy(h, p->torque(Q_mid, c), quaternion_rotate_back(F, e.P));
  s.W = velocity_of(c, quaternion_rotate_back(F, P_mid));
  s.Q = turn(Q_mid, F);
  s.torque = p->torque(s.Q, c); /* serves the next first guess */
  return s;
}
