/* vlv-exp - variational Lie-Verlet with exp in place of cay.  Order 2, symmetric, symplectic: no energy drift.
 *
 *   J W + h/2 torque(Q) = a+(w)                                                                   [solve]
 *   Q1 = Q exp(h w),   J W1 = a-(w) + h/2 torque(Q1)
 *   a+-(w) = J w +- h/2 w x J w + c h^2 w x (w x J w),   c = (1 - p/2 cot(p/2))/p^2,   p = h |w|
 *
 * a+ is T(h w)^-1 J w, T as in averaged_momentum.h, and a- is exp(-h w) a+.  So, with P = J W + h/2 torque(Q),
 *
 *   J w = T(h w) P                                                                                [solve]
 *   J W1 = exp(-h w) P + h/2 torque(Q1)
 *
 * N. Bou-Rabee, J. E. Marsden, Found. Comput. Math. 9 (2009) 197-219, doi:10.1007/s10208-008-9030-4. */
#include "../averaged_momentum.h"
#include "../two_halves.h"

typedef struct {
  const constants *c;
  vec3 P;
  real h;
} vlv_exp_equation;

/* J w - T(h w) P = 0 */
FN linearised vlv_exp_velocity(vec3 w, const void *data) {
  const vlv_exp_equation *e = (const vlv_exp_equation *)data;
  averaged mean = average_of(vec3_scale(e->h, w), e->P);
  linearised at = {vec3_sub(momentum_of(e->c, w), mean.value),
                   mat3_add_diagonal(mat3_scale(-e->h, mean.derivative), e->c->J)};
  return at;
}

typedef struct {
  vec3 turned; /* exp(-h w) P */
} vlv_exp_between;

FN vlv_exp_between vlv_exp_turn(state *s, const constants *c, real h, step_log *log) {
  vec3 P = vec3_axpy(0.5 * h, s->torque, momentum_of(c, s->W)), first = velocity_about(c, P), guess = first;
  for (int pass = 0; pass < 3; pass++) { /* of the equation, up to the third order of T: each adds an order in h */
    vec3 x = vec3_scale(h, guess), half_turn = vec3_scale(real_splat(-0.5), vec3_cross(x, P));
    vec3 third = vec3_scale(real_splat(-1.0 / 3), x);
    guess = velocity_about(c, vec3_add(P, vec3_cross_add(third, half_turn, half_turn)));
  }
  vlv_exp_equation e = {c, P, h};
  vec3 half_velocity = newton_solve(vlv_exp_velocity, &e, guess, first, log);
  quaternion F = exp_quaternion(vec3_scale(h, half_velocity));
  vlv_exp_between between = {quaternion_rotate_back(F, P)};
  s->Q = turn(s->Q, F);
  return between;
}
FN void vlv_exp_finish(state *s, vlv_exp_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.turned));
}
TWO_HALVES(vlv_exp)
