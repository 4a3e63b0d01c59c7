/* flight.h - the exact motion of a free body: Q' = Q hat(J^-1 P), P' = P x J^-1 P, from (Q, P), for a time h.
 *
 * The momentum moves as (A cn, B sn, C dn)(lambda t + phase) on axes a, b, c with Jb between Ja and Jc.  The phase is
 * never needed: by the addition theorems P(t + s) is rational in P(t) and in sn, cn, dn of lambda s, and the roots in
 * A, B, C, lambda and the modulus go away.  With alpha, beta, gamma = 1/Jb - 1/Jc, 1/Ja - 1/Jc, 1/Ja - 1/Jb, all of one
 * sign, and S = sn/lambda, c = cn, d = dn of lambda s:
 *
 *   P(t +- s) = (c Pa -+ alpha S d Pb Pc, c d Pb +- beta S Pa Pc, d Pc -+ gamma S c Pa Pb) / (1 - alpha gamma S^2 Pb^2)
 *   lambda^2  = alpha (beta Pc^2 + gamma Pb^2),   m lambda^2 = gamma (beta Pa^2 + alpha Pb^2)
 *
 * a and c may change places (then m is above 1), so that neither the separatrix nor an axis is special.
 *
 * Attitude: Q P stays, so Q1 = Q F with F P1 = P, which leaves one angle.  Let n and p(s) be the directions of P in the
 * body in the middle of the step and a time s later.  Against the frame that follows p from n without twisting, the
 * body turns about p at the rate (p + n).J^-1 P/(1 + n.p): that is 2T/G, and the rest integrates to the area on the
 * sphere between the path of p and its chords, of third order in h.  Gauss' rule with nodes +-s taken together reaches
 * round-off with two pairs where lambda h < 0.316; a longer flight is made of equal pieces.  In a body with two equal
 * moments P turns uniformly, and F is the product of two rotations.
 *
 * E. Celledoni, F. Fasso, N. Safstrom, A. Zanna, SIAM J. Sci. Comput. 30 (2008) 2084-2112, doi:10.1137/070704393;
 * R. van Zon, J. Schofield, J. Comput. Phys. 225 (2007) 145-164, doi:10.1016/j.jcp.2006.11.019;
 * for the angle and the area J. Natario, doi:10.48550/arXiv.0909.2109. */
#ifndef SD_FLIGHT_H
#define SD_FLIGHT_H

#include "body.h"
#include "../elliptic.h"

/* ---- axes a, b, c: x, y, z turned so that Jb is between the others and Ja = Jb if two are equal ---- */

typedef struct {
  mask b_is_y, b_is_z;
} flight_axes;

FN flight_axes flight_axes_of(const constants *c) {
  vec3 gap = c->J_gap;
  real zero = real_splat(0);
  flight_axes axes = {(gap.z == 0.0) | real_less(zero, gap.z * gap.x), (gap.x == 0.0) | real_less(zero, gap.x * gap.y)};
  return axes;
}
FN vec3 to_flight_axes(flight_axes axes, vec3 v) {
  vec3 turned = vec3_select(axes.b_is_z, vec3_make(v.y, v.z, v.x), vec3_make(v.z, v.x, v.y));
  return vec3_select(axes.b_is_y, v, turned);
}
FN vec3 from_flight_axes(flight_axes axes, vec3 v) {
  vec3 turned = vec3_select(axes.b_is_z, vec3_make(v.z, v.x, v.y), vec3_make(v.y, v.z, v.x));
  return vec3_select(axes.b_is_y, v, turned);
}

/* ---- three different moments ---- */

typedef struct {
  vec3 rate;             /* t (alpha, beta, gamma) for a flight of time t */
  real inverse2;         /* 1/G^2 */
  real turn;             /* t 2T/G^2 */
  jacobi_series of_half; /* of the time t/2 */
} flight;

/* P a half flight later, as P and a change, whose rounding is smaller. */
FN vec3 flight_half_way(const flight *f, const jacobi_parts *e, vec3 P) {
  vec3 r = vec3_scale(0.5 * e->sine, f->rate);
  real R = e->R, cosine = R - e->versine, delta = R - e->delta, ab = P.x * P.y, bc = P.y * P.z, ca = P.z * P.x;
  real inverse = 1.0 / real_fnma(r.x * P.y, r.z * P.y, R * R);
  vec3 change;
  change.x = real_fma(e->versine * R, P.x, r.x * real_fnma(r.z * ab, P.y, delta * bc));
  change.y =
      real_fms(real_fma(e->versine, R, e->delta * cosine), P.y, real_fma(r.x * r.z, P.y * (P.y * P.y), r.y * R * ca));
  change.z = real_fma(e->delta * R, P.z, r.z * real_fnma(r.x * bc, P.y, cosine * ab));
  return vec3_axmy(inverse, change, P);
}
/* Half the difference of P a half flight after the middle and before it.  Added to P twice it keeps G and T whatever
 * the errors of sn, cn and dn, as alpha - beta + gamma = 0: they are the same in every step and would add up. */
FN vec3 flight_half_change(const flight *f, const jacobi_parts *e, vec3 middle) {
  vec3 r = vec3_scale(0.5 * e->sine, f->rate);
  real R = e->R, inverse = 1.0 / real_fnma(r.x * middle.y, r.z * middle.y, R * R);
  vec3 c = vec3_times(vec3_scale(inverse, r), pairs_of(middle));
  return vec3_make((e->delta - R) * c.x, R * c.y, (e->versine - R) * c.z);
}

/* The rate of the angle less 2T/G, over G, is (above +- odd_above)/(below +- odd_below) at the times +-s, and these are
 * polynomials in v = 1 - cn and w = 1 - dn. */
typedef struct {
  vec3 share; /* of Pa^2, Pb^2, Pc^2 in G^2 */
  real bend;  /* alpha gamma Pb^2 */
  real above_v, above_w, above_vw, odd_above_v, odd_above_w, odd_below_v, odd_below_w;
} flight_integrand;

FN flight_integrand flight_integrand_of(const flight *f, vec3 middle) {
  vec3 squares = vec3_times(middle, middle), q = vec3_scale(f->inverse2, squares), r = f->rate;
  real along_a = -real_fma(r.z, q.y, r.y * q.z), along_c = real_fma(r.y, q.x, r.x * q.y); /* 2T/G^2 - 1/Ja, - 1/Jc */
  real triple = f->inverse2 * middle.x * (middle.y * middle.z);
  flight_integrand i;
  i.share = q;
  i.above_v = along_c * q.z;
  i.above_w = along_a * q.x;
  i.above_vw = q.y * real_fms(r.z, q.x, r.x * q.z);
  i.odd_below_v = triple * r.z;
  i.odd_below_w = triple * r.x;
  i.odd_above_v = along_c * i.odd_below_v;
  i.odd_above_w = along_a * i.odd_below_w;
  i.bend = r.x * r.z * squares.y;
  return i;
}

/* The mean of the two. */
typedef struct {
  real above, below;
} flight_fraction;

FN flight_fraction flight_integrand_at(const flight *f, const flight_integrand *i, double node) {
  jacobi_parts e = jacobi_within(&f->of_half, node);
  real s = (0.5 * node) * e.sine, v = e.versine, w = e.delta, R = e.R, vw = v * w;
  real above = -real_fma(R, real_fma(i->above_v, v, i->above_w * w), i->above_vw * vw);
  real sides = real_fma(i->share.x + i->share.y, v, (i->share.y + i->share.z) * w);
  real below = real_fma(R, real_fma(real_splat(2), R, -sides), real_fnma(i->bend * s, s, i->share.y * vw));
  real odd_above = -s * real_fma(i->odd_above_v, v, i->odd_above_w * w);
  real odd_below = s * real_fma(i->odd_below_v, v, i->odd_below_w * w);
  flight_fraction mean = {real_diff_of_products(above, below, odd_above, odd_below),
                          real_diff_of_products(below, below, odd_below, odd_below)};
  return mean;
}
/* The angle over G, by Gauss' rule with five nodes: the middle one adds nothing. */
FN real flight_angle(const flight *f, vec3 middle) {
  flight_integrand i = flight_integrand_of(f, middle);
  flight_fraction first = flight_integrand_at(f, &i, 0.53846931010568309);
  flight_fraction second = flight_integrand_at(f, &i, 0.90617984593866399);
  real weighted = real_sum_of_products(0.47862867049936647 * first.above, second.below,
                                       0.23692688505618909 * second.above, first.below);
  return f->turn + weighted / (first.below * second.below);
}

/* F, of any length, from P = mean - change and P1 = mean + change, whose directions are p and p1:
 * (cos psi/2 (1 + p.p1), cos psi/2 p1 x p + sin psi/2 (p + p1)), psi being the angle plus the area of the triangle
 * p, n, p1, half of which has the tangent odd/even. */
FN quaternion flight_rotation(const flight *f, vec3 middle, vec3 mean, vec3 change) {
  real half_angle = 0.5 * flight_angle(f, middle), inverse2 = f->inverse2; /* over G */
  rotation_series series = real_rotation_series(half_angle * half_angle * vec3_norm2(middle));
  real sine = series.sinc * half_angle, cosine = series.cosine; /* sine over G */
  vec3 cross = vec3_scale(inverse2, vec3_cross(mean, change));
  real spread = real_fnma(inverse2, vec3_norm2(change), real_splat(1));
  real even = real_fma(inverse2, vec3_dot(middle, mean), spread), odd = vec3_dot(middle, cross);
  real c = real_fnma(sine, odd, cosine * even), s = real_fma(sine, even, cosine * (odd * inverse2));
  quaternion F = {c * spread, vec3_axmy(c, cross, vec3_scale(s, mean))};
  return F;
}
FN quaternion flight_piece(const flight *f, vec3 *P) {
  jacobi_parts e = jacobi_whole(&f->of_half);
  vec3 middle = flight_half_way(f, &e, *P), change = flight_half_change(f, &e, middle), mean = vec3_add(*P, change);
  quaternion F = flight_rotation(f, middle, mean, change);
  *P = vec3_axpy(real_splat(2), change, *P);
  return F;
}

/* ---- two equal moments, or three: axis c ---- */

/* P turns about c by 2 eta, and F = exp(t P/Ja) exp(-2 eta c). */
FN quaternion flight_symmetric(real rate, real half_t_over_J, vec3 *P) {
  real eta = 0.5 * (rate * P->z);
  rotation_series about_c = real_rotation_series(eta * eta);
  real sine = about_c.sinc * eta, versine = about_c.cosc * (eta * eta), cosine = about_c.cosine;
  quaternion f = exp_quaternion_of_twice(vec3_scale(half_t_over_J, *P));
  real x = P->x - real_fma(versine, P->x, sine * P->y), y = P->y - real_fms(versine, P->y, sine * P->x); /* half way */
  P->x = real_fnma(2.0 * sine, y, P->x);
  P->y = real_fma(2.0 * sine, x, P->y);
  quaternion F = {real_sum_of_products(f.w, cosine, f.v.z, sine),
                  {real_diff_of_products(f.v.x, cosine, f.v.y, sine), real_sum_of_products(f.v.y, cosine, f.v.x, sine),
                   real_diff_of_products(f.v.z, cosine, f.w, sine)}};
  return F;
}

/* ---- the flow ---- */

/* Cuts a flight into pieces of equal time where the series would not reach round-off; how many. */
enum { FLIGHT_PIECES = 4096 };

FN real flight_cut(flight *f, real X, real Y, step_log *log) {
  real pieces = real_splat(1), largest = real_max(X, Y);
  mask far = real_less(real_splat(JACOBI_NEAR), largest);
  if (mask_any(far)) {
    real least = real_sqrt(largest * (1.0 / JACOBI_NEAR));
    mask endless = far & mask_not(real_at_most(least, real_splat(FLIGHT_PIECES)));
    log->outside = log->outside | endless;
    pieces = real_select(far & mask_not(endless), ((least + 0.5) + INTEGER_SHIFT) - INTEGER_SHIFT, pieces);
    real part = 1.0 / pieces;
    f->rate = vec3_scale(part, f->rate);
    f->turn = part * f->turn;
    X = part * part * X;
    Y = part * part * Y;
  }
  f->of_half = jacobi_series_of(X, Y);
  return pieces;
}
FN void flight_triaxial(flight_axes axes, vec3 rate, vec3 rate_of_turn, quaternion *Q, vec3 *P, step_log *log) {
  vec3 squares = vec3_times(*P, *P);
  real G2 = squares.x + squares.y + squares.z;
  mask moving = real_less(real_splat(0x1p-900), G2); /* else it turns by less than any rounding */
  flight f;
  f.rate = rate;
  f.inverse2 = 1.0 / real_select(moving, G2, real_splat(1));
  f.turn = f.inverse2 * vec3_dot(rate_of_turn, squares);
  real X = rate.x * real_sum_of_products(rate.y, squares.z, rate.z, squares.y);
  real Y = rate.z * real_sum_of_products(rate.y, squares.x, rate.x, squares.y);
  real left = flight_cut(&f, 0.0625 * X, 0.0625 * Y, log);
  mask active = mask_all_set();
  do {
    vec3 next = *P;
    quaternion F = flight_piece(&f, &next);
    F.v = from_flight_axes(axes, F.v);
    *Q = attitude_select(active, quaternion_normalise(quaternion_multiply(*Q, F)), *Q);
    *P = vec3_select(active, next, *P);
    left = left - 1.0;
    active = real_less(real_splat(0), left);
  } while (mask_any(active));
}
FN void fly_any(real h, const constants *c, quaternion *Q, vec3 *P, step_log *log) {
  flight_axes axes = flight_axes_of(c);
  vec3 inverse = to_flight_axes(axes, c->J_inverse), gap = to_flight_axes(axes, c->J_gap);
  real alpha = -gap.x * (inverse.y * inverse.z), gamma = -gap.z * (inverse.x * inverse.y);
  vec3 rate = vec3_scale(h, vec3_make(alpha, alpha + gamma, gamma)), momentum = to_flight_axes(axes, *P);
  mask triaxial = gap.z != 0.0; /* in all lanes or in none, unless each has its own J */
  quaternion Q1 = *Q;
  vec3 P1 = momentum;
  if (mask_any(triaxial)) {
    step_log of_these = *log;
    flight_triaxial(axes, rate, vec3_scale(h, inverse), &Q1, &P1, &of_these);
    log->outside = log->outside | (of_these.outside & triaxial);
  }
  if (!mask_every(triaxial)) {
    quaternion F = flight_symmetric(rate.x, 0.5 * h * inverse.x, &momentum);
    F.v = from_flight_axes(axes, F.v);
    Q1 = attitude_select(triaxial, Q1, quaternion_multiply(*Q, F));
    P1 = vec3_select(triaxial, P1, momentum);
  }
  *Q = Q1;
  *P = from_flight_axes(axes, P1);
}
/* The same where all lanes are symmetric about their third axis, as most bodies are that are symmetric: nothing to
 * choose. */
FN void fly_about_third(real h, const constants *c, quaternion *Q, vec3 *P) {
  vec3 inverse = c->J_inverse;
  real alpha = -c->J_gap.x * (inverse.y * inverse.z);
  *Q = quaternion_multiply(*Q, flight_symmetric(h * alpha, 0.5 * h * inverse.x, P));
}
/* Q is left as long as rounding makes it: a step, of one flight or many, renormalises it once. */
FN void fly(real h, const constants *c, quaternion *Q, vec3 *P, step_log *log) {
  if (mask_every(c->J_gap.z == 0.0)) {
    fly_about_third(h, c, Q, P);
  } else {
    fly_any(h, c, Q, P, log);
  }
}

#endif
