/* adaptive.h - steps whose size follows an estimate of their error, for each body by itself, for any family.
 *
 * Each call integrates one output interval h by as many substeps as the tolerances ask for, so that samples fall on
 * exact times; the last substep is cut to land there.  A substep is accepted when its error, relative to what is
 * allowed, is at most 1; the next size is 0.9 err^(-1/order) of it, within bounds.  The proposed size is carried from
 * interval to interval, in the last of the method's memory.  iterations counts the substeps, rejected ones included.
 *
 * Who includes this has defined point, what a substep goes on from; point_of and state_of_point, from a state and
 * back; point_select. */
#ifndef SD_ADAPTIVE_H
#define SD_ADAPTIVE_H

enum { ADAPTIVE_CAP = 100000 }; /* substeps in one interval */

/* A substep of h at a time from y to *y1; its error over what is allowed. */
typedef real (*attempt_fn)(point y, point *y1, const problem *p, const constants *c, real time, real h);

typedef struct {
  double power;       /* of the error, in the next size: -1/order */
  double least, most; /* the next size over this one */
} adaptation;

FN void adaptive_begin(state *s, const constants *c) {
  (void)c;
  for (int k = 0; k < SD_MEMORY; k++) s->memory[k] = real_splat(0); /* no proposal yet: the whole interval */
}

/* err^power = exp(power log(err)) */
FN real adaptive_factor(real err, const adaptation *a) {
  real bounded = real_max(err, real_splat(1e-10)); /* NaN becomes the bound; the caller rejects it first */
  real factor = 0.9 * real_exp(real_log(bounded) * a->power);
  return real_min(real_max(factor, real_splat(a->least)), real_splat(a->most));
}

FN state adaptive_step(state s, const problem *p, const constants *c, real h, step_log *log, attempt_fn attempt,
                       const adaptation *a) {
  point y = point_of(s);
  real zero = real_splat(0), done = zero, proposed = s.memory[SD_MEMORY - 1];
  real size = real_select(real_less(zero, proposed), proposed, h);
  mask active = log->alive;
  for (int i = 0; i < ADAPTIVE_CAP; i++) {
    real left = h - done;
    mask last = real_at_most(left, size * 1.0000001); /* do not leave a sliver for one more substep */
    real taken = real_select(last, left, size);
    point y1;
    real err = attempt(y, &y1, p, c, begin_time(&s) + done, taken);
    mask accepted = active & real_at_most(err, real_splat(1));
    real next = taken * adaptive_factor(real_select(real_finite(err), err, real_splat(1e10)), a);
    /* a substep cut short by the end of the interval is no reason to propose a smaller one */
    next = real_select(accepted & last, real_max(next, size), next);
    y = point_select(accepted, y1, y);
    done = real_select(accepted, done + taken, done);
    size = real_select(active, next, size);
    log->iterations = log->iterations + real_select(active, real_splat(1), zero);
    active = active & mask_not(accepted & last);
    if (!mask_any(active)) break;
  }
  log->failed = log->failed | active;
  s = state_of_point(y, s);
  s.memory[SD_MEMORY - 1] = size;
  return s;
}

#endif
