/* two_halves.h - methods that need the torque once per step, at the new attitude, in two halves:
 *
 *   turn     Q1 from Q, W and s.torque = torque(Q)
 *   finish   W1, when s.torque = torque(Q1)
 *
 * Who evaluates the torque, and of how many bodies at a time, is not the method's concern: a single body asks its
 * problem, a system turns all its bodies, evaluates the torques of all, and finishes all.  What a body carries from
 * one half to the other is a struct of the method's own, METHOD_between.  The file of such a method defines
 *
 *   FN METHOD_between METHOD_turn(state *s, const constants *c, real h, step_log *log)
 *   FN void METHOD_finish(state *s, METHOD_between between, const constants *c, real h, step_log *log)
 *
 * and says so by TWO_HALVES(METHOD), which makes the step of a single body. */
#ifndef SD_TWO_HALVES_H
#define SD_TWO_HALVES_H

#include "body.h"

#define TWO_HALVES(method) TWO_HALVES_AS(method, method##_step)

/* For a method that falls into halves with some of its parameters alone, and has a step of its own for all of them. */
#define TWO_HALVES_AS(method, step)                                                     \
  FN state step(state s, const problem *p, const constants *c, real h, step_log *log) { \
    method##_between between = method##_turn(&s, c, h, log);                            \
    s.torque = p->torque(s.Q, c);                                                       \
    method##_finish(&s, between, c, h, log);                                            \
    return s;                                                                           \
  }

/* For a method whose impulse comes before the turn, with the torque at Q: its turn leaves W1 and carries nothing, for
 * which C has no struct. */
typedef struct {
  char unused;
} nothing;

FN nothing nothing_between(void) {
  nothing none = {0};
  return none;
}
#define EMPTY_FINISH(method)                                                                               \
  typedef nothing method##_between;                                                                        \
  FN void method##_finish(state *s, method##_between between, const constants *c, real h, step_log *log) { \
    (void)s, (void)between, (void)c, (void)h, (void)log;                                                   \
  }

#endif
