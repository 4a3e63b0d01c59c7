/* split - kick, exact rotations about the body axes, kick (the order of NO_SQUISH).  Order 2, symmetric, explicit,
 * symplectic, momentum-preserving.
 *
 *   kick(h/2)  axis 3 (h/2)  axis 2 (h/2)  axis 1 (h)  axis 2 (h/2)  axis 3 (h/2)  kick(h/2)
 *
 * The flow of P_i^2/(2 J_i) for a time t turns the body about its axis i by the angle t P_i/J_i.
 *
 * T. F. Miller et al., J. Chem. Phys. 116 (2002) 8649-8659, doi:10.1063/1.1473654. */
#include "../two_halves.h"

/* Turns a pair of the momentum's components back by the angle; c and s are of half the angle. */
FN void split_turn_pair(real c, real s, real *first, real *second) {
  real cosine = real_fma(-2.0 * s, s, real_splat(1)), sine = 2.0 * s * c;
  real kept = *first;
  *first = real_sum_of_products(cosine, kept, sine, *second);
  *second = real_diff_of_products(cosine, *second, sine, kept);
}
/* Half the angle of one flow, as the quaternion (c, s e_i). */
FN void split_half_angle(real t, real rate, real *c, real *s) {
  real half_angle = 0.5 * (t * rate);
  rotation_series f = real_rotation_series(half_angle * half_angle);
  *c = f.cosine;
  *s = f.sinc * half_angle;
}
FN void split_axis1(real t, const constants *c, quaternion *q, vec3 *P) {
  real cosine, sine;
  split_half_angle(t, c->J_inverse.x * P->x, &cosine, &sine);
  split_turn_pair(cosine, sine, &P->y, &P->z);
  quaternion r = {real_diff_of_products(cosine, q->w, sine, q->v.x),
                  {real_sum_of_products(cosine, q->v.x, sine, q->w), real_sum_of_products(cosine, q->v.y, sine, q->v.z),
                   real_diff_of_products(cosine, q->v.z, sine, q->v.y)}};
  *q = r;
}
FN void split_axis2(real t, const constants *c, quaternion *q, vec3 *P) {
  real cosine, sine;
  split_half_angle(t, c->J_inverse.y * P->y, &cosine, &sine);
  split_turn_pair(cosine, sine, &P->z, &P->x);
  quaternion r = {real_diff_of_products(cosine, q->w, sine, q->v.y),
                  {real_diff_of_products(cosine, q->v.x, sine, q->v.z),
                   real_sum_of_products(cosine, q->v.y, sine, q->w),
                   real_sum_of_products(cosine, q->v.z, sine, q->v.x)}};
  *q = r;
}
FN void split_axis3(real t, const constants *c, quaternion *q, vec3 *P) {
  real cosine, sine;
  split_half_angle(t, c->J_inverse.z * P->z, &cosine, &sine);
  split_turn_pair(cosine, sine, &P->x, &P->y);
  quaternion r = {real_diff_of_products(cosine, q->w, sine, q->v.z),
                  {real_sum_of_products(cosine, q->v.x, sine, q->v.y),
                   real_diff_of_products(cosine, q->v.y, sine, q->v.x),
                   real_sum_of_products(cosine, q->v.z, sine, q->w)}};
  *q = r;
}

typedef struct {
  vec3 P;
} split_between;

FN split_between split_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  split_between between = {vec3_axpy(half, s->torque, momentum_of(c, s->W))};
  split_axis3(half, c, &s->Q, &between.P);
  split_axis2(half, c, &s->Q, &between.P);
  split_axis1(h, c, &s->Q, &between.P);
  split_axis2(half, c, &s->Q, &between.P);
  split_axis3(half, c, &s->Q, &between.P);
  s->Q = quaternion_renormalise(s->Q);
  return between;
}
FN void split_finish(state *s, split_between between, const constants *c, real h, step_log *log) {
  (void)log;
  s->W = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.P));
}
TWO_HALVES(split)
