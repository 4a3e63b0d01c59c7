/* rk45 - Dormand-Prince 5(4), adaptive per body, on the embedding of SO(3) in R^9.  Order 5; not geometric.
 *
 * Each call integrates one output interval h by as many substeps as the tolerances ask for, so that samples fall on
 * exact times; the last substep is cut to land there.  A substep is accepted when the largest component of its error
 * estimate, relative to atol + rtol |y|, is at most 1; the next size is 0.9 err^(-1/5) of it, within [0.2, 5].
 * The proposed size is carried from interval to interval.  iterations counts the substeps, rejected ones included.
 *
 * J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26, doi:10.1016/0771-050X(80)90013-3. */
#define SD_MEMORY 1
#include "../runge_kutta.h"

enum { RK45_CAP = 100000 }; /* substeps in one interval */

FN void rk45_begin(state *s, const body *b) {
  (void)b;
  s->memory[0] = real_splat(0); /* no proposal yet: the whole interval */
}
#define SD_BEGIN rk45_begin

FN phase rk45_combine(phase y, real h, const phase *k, const double *a, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != 0) y = phase_axpy(h * a[i], k[i], y);
  return y;
}
FN real rk45_vec3_error(vec3 e, vec3 y, vec3 y1, real rtol, real atol) {
  real x = real_abs(e.x) / real_fma(rtol, real_worst(real_abs(y.x), real_abs(y1.x)), atol);
  real yy = real_abs(e.y) / real_fma(rtol, real_worst(real_abs(y.y), real_abs(y1.y)), atol);
  real z = real_abs(e.z) / real_fma(rtol, real_worst(real_abs(y.z), real_abs(y1.z)), atol);
  return real_worst(real_worst(x, yy), z);
}
FN real rk45_error(phase e, phase y, phase y1, real rtol, real atol) {
  real Q = real_worst(real_worst(rk45_vec3_error(e.Q.x, y.Q.x, y1.Q.x, rtol, atol),
                             rk45_vec3_error(e.Q.y, y.Q.y, y1.Q.y, rtol, atol)),
                    rk45_vec3_error(e.Q.z, y.Q.z, y1.Q.z, rtol, atol));
  return real_worst(Q, rk45_vec3_error(e.W, y.W, y1.W, rtol, atol));
}

/* The seven stages: y1 is the fifth-order solution, the return value its error estimate. */
FN real rk45_attempt(phase y, phase *y1, const problem *p, const body *b, real h) {
  static const double a[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double error[7] = {71.0 / 57600,      0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
                                  -1.0 / 40};
  phase k[7], zero = {mat3_diagonal(vec3_zero()), vec3_zero()};
  k[0] = field(p, b, y);
  for (int i = 0; i < 6; i++) k[i + 1] = field(p, b, *y1 = rk45_combine(y, h, k, a[i], i + 1));
  phase estimate = rk45_combine(zero, h, k, error, 7);
  return rk45_error(estimate, y, *y1, real_splat(b->parameter[0]), real_splat(b->parameter[1]));
}

/* The next substep over this one: 0.9 err^(-1/5) within [0.2, 5].  err^(-1/5) = exp(-log(err)/5). */
FN real rk45_factor(real err) {
  real bounded = real_max(err, real_splat(1e-10)); /* NaN becomes the bound; the caller rejects it first */
  real factor = 0.9 * real_exp(real_log(bounded) * -0.2);
  return real_min(real_max(factor, real_splat(0.2)), real_splat(5));
}

FN state rk45_step(state s, const problem *p, const body *b, real h, step_log *log) {
  phase y = phase_of(s);
  real zero = real_splat(0), done = zero;
  real size = real_select(real_less(zero, s.memory[0]), s.memory[0], h);
  mask active = log->alive;
  for (int i = 0; i < RK45_CAP; i++) {
    real left = h - done;
    mask last = real_at_most(left, size * 1.0000001); /* do not leave a sliver for one more substep */
    real taken = real_select(last, left, size);
    phase y1;
    real err = rk45_attempt(y, &y1, p, b, taken);
    mask accepted = active & real_at_most(err, real_splat(1));
    real next = taken * rk45_factor(real_select(real_finite(err), err, real_splat(1e10)));
    /* a substep cut short by the end of the interval is no reason to propose a smaller one */
    next = real_select(accepted & last, real_max(next, size), next);
    y.Q = attitude_select(accepted, y1.Q, y.Q);
    y.W = vec3_select(accepted, y1.W, y.W);
    done = real_select(accepted, done + taken, done);
    size = real_select(active, next, size);
    log->iterations = log->iterations + real_select(active, real_splat(1), zero);
    active = active & mask_not(accepted & last);
    if (!mask_any(active)) break;
  }
  log->failed = log->failed | active;
  s.memory[0] = size;
  return state_of(y, s);
}
