/* akw - Austin-Krishnaprasad-Wang: the midpoint rule on Euler's equation with a Cayley reconstruction.  Order 2,
 * symmetric; keeps energy and momentum of the free body and the energy of the tops to round-off.
 *
 *   P1 = P + h (P_mid x J^-1 P_mid) + h/2 (torque(Q) + torque(Q1)),  P_mid = (P + P1)/2
 *   Q1 = Q cay(h J^-1 P_mid)                                                                      [solve]
 *
 * M. A. Austin, P. S. Krishnaprasad, L. Wang, J. Comput. Phys. 107 (1993) 105-117, doi:10.1006/jcph.1993.1128. */
#include "../body.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 known; /* J W + h/4 torque(Q) */
  real h;
} akw_equation;

/* J w - h/2 J w x w - h/4 torque(Q cay(h w)) = J W + h/4 torque(Q), for w = J^-1 P_mid */
FN linearised akw_mid_velocity(vec3 w, const void *data) {
  const akw_equation *e = (const akw_equation *)data;
  real half = 0.5 * e->h, quarter = 0.25 * e->h;
  vec3 x = vec3_scale(e->h, w);
  attitude Q1 = turn_cay(e->Q, x);
  vec3 residual = vec3_axpy(-half, gyroscopic(e->c, w), vec3_sub(momentum_of(e->c, w), e->known));
  mat3 turning = mat3_multiply(e->p->torque_derivative(Q1, e->c), cay_tangent(x));
  mat3 slope = mat3_scale(-half, mat3_axpy(half, turning, gyroscopic_derivative(e->c, w)));
  linearised at = {vec3_axpy(-quarter, e->p->torque(Q1, e->c), residual), mat3_add_diagonal(slope, e->c->J)};
  return at;
}

FN state akw_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  vec3 P = momentum_of(c, s.W);
  akw_equation e = {p, c, s.Q, vec3_axpy(0.25 * h, s.torque, P), h};
  vec3 guess = vec3_axpy(0.5 * h, acceleration(c, s.W, s.torque), s.W);
  vec3 mid_velocity = newton_solve(akw_mid_velocity, &e, guess, s.W, log);
  s.Q = turn_cay(s.Q, vec3_scale(h, mid_velocity));
  s.torque = p->torque(s.Q, c);
  s.W = vec3_sub(vec3_add(mid_velocity, mid_velocity), s.W);
  return s;
}
