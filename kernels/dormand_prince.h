/* dormand_prince.h - Dormand-Prince 5(4), adaptive per body, for any family.  Order 5.
 *
 * Each call integrates one output interval h by as many substeps as the tolerances ask for, so that samples fall on
 * exact times; the last substep is cut to land there.  A substep is accepted when the largest component of its error
 * estimate, relative to atol + rtol |y|, is at most 1; the next size is 0.9 err^(-1/5) of it, within [0.2, 5].
 * The proposed size is carried from interval to interval, in memory[0].  iterations counts the substeps, rejected ones
 * included.
 *
 * A family gives, in its runge_kutta.h: phase, a point of the vector space; phase_of and state_of, from a state and
 * back; phase_zero, phase_axpy, phase_select; field_at, the slope at a time; begin_time of a step; phase_error, the
 * largest component of an error over its tolerance.
 *
 * J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26, doi:10.1016/0771-050X(80)90013-3. */
#ifndef SD_DORMAND_PRINCE_H
#define SD_DORMAND_PRINCE_H

enum { DORMAND_PRINCE_CAP = 100000 }; /* substeps in one interval */

FN void dormand_prince_begin(state *s, const constants *c) {
  (void)c;
  s->memory[0] = real_splat(0); /* no proposal yet: the whole interval */
}

FN phase dormand_prince_combine(phase y, real h, const phase *k, const double *a, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != 0) y = phase_axpy(h * a[i], k[i], y);
  return y;
}

/* The seven stages: y1 is the fifth-order solution, the return value its error estimate. */
FN real dormand_prince_attempt(phase y, phase *y1, const problem *p, const constants *c, real time, real h) {
  static const double a[6][6] = {{1.0 / 5},
                                 {3.0 / 40, 9.0 / 40},
                                 {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                 {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                 {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                 {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double node[6] = {1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  static const double error[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  phase k[7];
  k[0] = field_at(p, c, y, time);
  for (int i = 0; i < 6; i++) {
    *y1 = dormand_prince_combine(y, h, k, a[i], i + 1);
    k[i + 1] = field_at(p, c, *y1, real_fma(h, real_splat(node[i]), time));
  }
  phase estimate = dormand_prince_combine(phase_zero(), h, k, error, 7);
  return phase_error(estimate, y, *y1, c->parameter[0], c->parameter[1]);
}

/* The next substep over this one: 0.9 err^(-1/5) within [0.2, 5].  err^(-1/5) = exp(-log(err)/5). */
FN real dormand_prince_factor(real err) {
  real bounded = real_max(err, real_splat(1e-10)); /* NaN becomes the bound; the caller rejects it first */
  real factor = 0.9 * real_exp(real_log(bounded) * -0.2);
  return real_min(real_max(factor, real_splat(0.2)), real_splat(5));
}

FN state dormand_prince_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  phase y = phase_of(s);
  real zero = real_splat(0), done = zero;
  real size = real_select(real_less(zero, s.memory[0]), s.memory[0], h);
  mask active = log->alive;
  for (int i = 0; i < DORMAND_PRINCE_CAP; i++) {
    real left = h - done;
    mask last = real_at_most(left, size * 1.0000001); /* do not leave a sliver for one more substep */
    real taken = real_select(last, left, size);
    phase y1;
    real err = dormand_prince_attempt(y, &y1, p, c, begin_time(&s) + done, taken);
    mask accepted = active & real_at_most(err, real_splat(1));
    real next = taken * dormand_prince_factor(real_select(real_finite(err), err, real_splat(1e10)));
    /* a substep cut short by the end of the interval is no reason to propose a smaller one */
    next = real_select(accepted & last, real_max(next, size), next);
    y = phase_select(accepted, y1, y);
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

#endif
