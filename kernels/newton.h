/* newton.h - Newton's method for three unknowns per body, every lane to its own round-off.
 *
 * An iteration takes the exact Jacobian at x and corrects twice with it (Traub's third-order method: the second
 * correction costs a residual alone).  With corrections d1, d2 what is left is about |d1| |d2| / |x|, so a lane
 * stops when that is below the last bit of |x|.  |x| is taken together with the known side of the equation, whose
 * rounding limits what can be resolved when the solution itself is near zero.  A lane that has stopped is masked,
 * so neither its bits nor its iteration count depend on its neighbours. */
#ifndef SD_NEWTON_H
#define SD_NEWTON_H

#include "solve3.h"

enum { NEWTON_CAP = 40 };

/* What a step reports besides the new state. */
typedef struct {
  mask alive;      /* in: lanes that still integrate */
  mask failed;     /* out: lanes whose Newton iteration reached the cap */
  mask outside;    /* out: lanes that left the method's domain */
  real iterations; /* out: Newton iterations (adaptive methods: substeps) of this step */
} step_log;

typedef struct {
  vec3 residual;
  mat3 jacobian;
} linearised;

/* An equation residual(x) = 0 with its exact Jacobian; `data` is the method's own struct. */
typedef linearised (*equation)(vec3 x, const void *data);

FN vec3 newton_solve(equation system, const void *data, vec3 guess, vec3 known, step_log *log) {
  const real tolerance4 = real_splat(0x1p-106), known2 = vec3_norm2(known);
  vec3 x = guess;
  mask active = log->alive;
  for (int i = 0; i < NEWTON_CAP; i++) {
    linearised at_x = system(x, data);
    inverse3 inverse = invert3(at_x.jacobian);
    vec3 first = inverse3_apply(inverse, at_x.residual), nearer = vec3_sub(x, first);
    vec3 second = inverse3_apply(inverse, system(nearer, data).residual);
    x = vec3_select(active, vec3_sub(nearer, second), x);
    log->iterations = log->iterations + real_select(active, real_splat(1), real_splat(0));
    real size2 = vec3_norm2(x) + known2;
    mask converged = real_at_most(vec3_norm2(first) * vec3_norm2(second), tolerance4 * (size2 * size2));
    active = active & mask_not(converged);
    if (!mask_any(active)) break;
  }
  log->failed = log->failed | active;
  return x;
}

#endif
