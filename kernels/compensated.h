/* compensated.h - Runge-Kutta methods of high order with fixed stages and sums that lose nothing, for any family
 * (dormand_prince.h says what that gives).
 *
 * A step's rounding is smaller than its truncation long before the sum of thousands of them is: what each sum of the
 * state loses is kept, in the method's memory, and added with the next step's change. */
#ifndef SD_COMPENSATED_H
#define SD_COMPENSATED_H

enum { PHASE_NUMBERS = sizeof(phase) / sizeof(real) };

typedef struct {
  phase y, rest; /* y + rest is where it is */
} point;

FN point point_of(state s) {
  point at = {phase_of(s), phase_zero()};
  memcpy(&at.rest, s.memory, sizeof at.rest);
  return at;
}
FN state state_of_point(point at, state s) {
  s = state_of(at.y, s);
  memcpy(s.memory, &at.rest, sizeof at.rest);
  return s;
}
FN point point_select(mask m, point a, point b) {
  point at = {phase_select(m, a.y, b.y), phase_select(m, a.rest, b.rest)};
  return at;
}
FN point point_moved(point at, phase change) { /* by change and what is left of earlier ones */
  real y[PHASE_NUMBERS], rest[PHASE_NUMBERS], by[PHASE_NUMBERS];
  memcpy(y, &at.y, sizeof y);
  memcpy(rest, &at.rest, sizeof rest);
  memcpy(by, &change, sizeof by);
  for (int k = 0; k < PHASE_NUMBERS; k++) {
    real_pair sum = real_two_sum(y[k], by[k] + rest[k]);
    y[k] = sum.high;
    rest[k] = sum.low;
  }
  memcpy(&at.y, y, sizeof y);
  memcpy(&at.rest, rest, sizeof rest);
  return at;
}

/* y + a[0] k[0] + a[1] k[1] + ..., of which many are none */
FN phase weighted_sum(phase y, const phase *k, const double *a, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != 0) y = phase_axpy(real_splat(a[i]), k[i], y);
  return y;
}

#ifndef SD_CHANGE_AT /* where a family does not have it with fewer products */
FN phase change_at(const problem *p, const constants *c, phase y, real time, real h) { /* h times the slope */
  return phase_axpy(h, field_at(p, c, y, time), phase_zero());
}
#endif

/* h times the slopes at the nodes; row i of a has what stage i takes of those before it. */
FN void take_stages(phase *k, int stages, const double *a, const double *node, phase y, const problem *p,
                    const constants *c, real time, real h) {
  for (int i = 0; i < stages; i++) {
    phase at = weighted_sum(y, k, a + i * stages, i);
    k[i] = change_at(p, c, at, real_fma(h, real_splat(node[i]), time), h);
  }
}
FN void compensated_begin(state *s, const constants *c) {
  (void)c;
  for (int k = 0; k < SD_MEMORY; k++) s->memory[k] = real_splat(0); /* nothing is lost yet */
}

#endif
