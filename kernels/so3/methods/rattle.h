/* rattle - RATTLE on SO(3) = the Lie group variational integrator of Lee, Leok and McClamroch = discrete
 * Moser-Veselov when free.  Order 2, symmetric, symplectic, momentum-preserving.
 *
 *   P = J W + h/2 torque(Q),  g = h P
 *   g + g x f + (g.f) f - 2 J f = 0                                                               [solve]
 *   F = cay(2 f),  Q1 = Q F,  J W1 = F^T P + h/2 torque(Q1)
 *
 * R. I. McLachlan, C. Scovel, J. Nonlinear Sci. 5 (1995) 233-256, doi:10.1007/BF01212956;
 * T. Lee, M. Leok, N. H. McClamroch, Celest. Mech. Dyn. Astron. 98 (2007) 121-144, doi:10.1007/s10569-007-9073-x. */
#include "../two_halves.h"
#include "../../newton1.h"

/* With m = g.f the equation is linear in f, (2 J - m I - hat(g)) f = g, so that by Cramer's rule, with (a, b, c) the
 * diagonal of 2 J - m I and n = |g|^2,
 *
 *   f = ((b c + n, c a + n, a b + n) * g + 2 J_gap * (g2 g3, g3 g1, g1 g2)) / (a b c + (a, b, c).(g1^2, g2^2, g3^2)),
 *
 * and m is the root near 0 of m^4 - e1 m^3 + (e2 + 2 n) m^2 - (e3 + e1 n) m + sum + n^2, with e1, e2, e3 the elementary
 * symmetric functions of 2 J and sum = 4 (J2 J3 g1^2 + J3 J1 g2^2 + J1 J2 g3^2). */
typedef struct {
  real e1, c2, c1, c0;
} rattle_quartic;

FN slope1 rattle_multiplier(real m, const void *data) {
  const rattle_quartic *e = (const rattle_quartic *)data;
  real inner = e->e1 - m, middle = real_fnma(m, inner, e->c2), outer = real_fnma(m, middle, e->c1);
  slope1 at = {real_fms(m, outer, e->c0), real_fnma(m, real_fnma(m, inner - m, middle + middle), e->c1)};
  return at;
}
FN vec3 rattle_increment(const constants *c, vec3 g, step_log *log) {
  vec3 A = vec3_add(c->J, c->J), pairs = pairs_of(A), squares = vec3_times(g, g);
  real e1 = A.x + A.y + A.z, e2 = pairs.x + pairs.y + pairs.z, e3 = A.x * pairs.x, inverse = 1.0 / e3;
  real n = squares.x + squares.y + squares.z;
  rattle_quartic e = {e1, real_fma(real_splat(2), n, e2), real_fma(e1, n, e3),
                      real_fma(n, n, vec3_dot(pairs, squares))};
  real guess = inverse * e.c0;
  guess = inverse * real_fnma(e1 * n, guess, real_fma(guess * guess, e.c2, e.c0));
  real m = newton_solve1(rattle_multiplier, &e, guess, e3 / e2, log);
  vec3 D = vec3_make(A.x - m, A.y - m, A.z - m), minors = pairs_of(D);
  real det = real_fma(D.x, minors.x, vec3_dot(D, squares)), scale = 1.0 / det;
  vec3 gaps = vec3_add(c->J_gap, c->J_gap);
  vec3 above = vec3_times_add(vec3_make(minors.x + n, minors.y + n, minors.z + n), g, vec3_times(gaps, pairs_of(g)));
  return vec3_scale(scale, above);
}

/* F^T P = P + 2 (P x f + f x (f x P)) / (1 + |f|^2) */
FN vec3 rattle_turned_back(vec3 f, vec3 P) {
  real twice = 2.0 / (1.0 + vec3_norm2(f));
  vec3 Pf = vec3_cross(P, f);
  return vec3_axpy(twice, vec3_cross_add(Pf, f, Pf), P);
}

typedef struct {
  vec3 f, P; /* not F^T P: made before the torque, it costs 2 % more instructions with AVX2 */
} rattle_between;

FN rattle_between rattle_turn(state *s, const constants *c, real h, step_log *log) {
  vec3 P = vec3_axpy(0.5 * h, s->torque, momentum_of(c, s->W));
  rattle_between between = {rattle_increment(c, vec3_scale(h, P), log), P};
  s->Q = turn_cay_of_twice(s->Q, between.f);
  return between;
}
FN void rattle_finish(state *s, rattle_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, rattle_turned_back(between.f, between.P)));
}
TWO_HALVES(rattle)
