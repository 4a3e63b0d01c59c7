/* campello - Campello's scheme in rescaled Rodrigues parameters, spherical bodies (J = j I), parameter phi.  Order 1.
 *
 *   W1 = W + h/j (phi torque(Q) + (1 - phi) F torque(Q1)),  F = cay(h W1),  Q1 = Q F              [solve]
 *
 * in the body frame of Q, where the increment turns about W1 itself; phi = 1 is rrp-euler.
 *
 * C. Baker, M. Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters (2021),
 * arXiv:2112.01623, map (26), after E. M. B. Campello, A description of rotations for DEM models of particle systems
 * (2015). */
#define SD_KICK_FIRST 1.0 /* of a system's forces: all of the kick comes before its bodies move */
#include "../two_halves.h"

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 known;
  real h, impulse; /* impulse = h (1 - phi)/j */
} campello_equation;

/* W1 - impulse F torque(Q F) = known;  d(F torque) = F (K - hat(torque)) T h dW1, T the tangent of cay */
FN linearised campello_velocity(vec3 W1, const void *data) {
  const campello_equation *e = (const campello_equation *)data;
  vec3 x = vec3_scale(e->h, W1);
  quaternion F = cay(x);
  attitude Q1 = turn(e->Q, F);
  vec3 torque = e->p->torque(Q1, e->c);
  mat3 stiffness = mat3_add(e->p->torque_derivative(Q1, e->c), mat3_hat(vec3_negate(torque)));
  mat3 slope = mat3_multiply(quaternion_matrix(F), mat3_multiply(stiffness, cay_tangent(x)));
  vec3 residual = vec3_sub(vec3_axpy(-e->impulse, quaternion_rotate(F, torque), W1), e->known);
  linearised at = {residual, mat3_axpy(-e->impulse * e->h, slope, mat3_identity())};
  return at;
}

FN state campello_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  real phi = c->parameter[0];
  real impulse = h * c->J_inverse.x;
  vec3 known = vec3_axpy(impulse * phi, s.torque, s.W), guess = vec3_axpy(impulse, s.torque, s.W);
  campello_equation e = {p, c, s.Q, known, h, impulse * (1.0 - phi)};
  s.W = newton_solve(campello_velocity, &e, guess, known, log);
  s.Q = turn_cay(s.Q, vec3_scale(h, s.W));
  s.torque = p->torque(s.Q, c);
  return s;
}

/* With phi = 1 there is nothing to solve, and the method falls into halves: those of rrp-euler. */
EMPTY_FINISH(campello)
FN campello_between campello_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = vec3_axpy(h * c->J_inverse.x, s->torque, s->W);
  s->Q = turn_cay(s->Q, vec3_scale(h, s->W));
  return nothing_between();
}
TWO_HALVES_AS(campello, campello_explicit_step)
