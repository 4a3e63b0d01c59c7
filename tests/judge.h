/* judge.h - traits that a method declares, held against what is measured. */
#ifndef JUDGE_H
#define JUDGE_H

#include "harness.h"

static int failures;

/* A quantity that the trait makes vanish (to round-off), and what is otherwise clearly there. */
static inline void judge(const char *method, const char *what, int declared, double value, double vanishing,
                         double present) {
  int holds = value <= vanishing, lost = !(value < present);
  if (declared ? holds : lost) return;
  print_error("%s: %s is %s, but the defect is %.2e\n", method, what, declared ? "declared" : "not declared", value);
  failures++;
}

static inline int has(const harness *t, int trait) {
  return (t->method.entry->traits & trait) != 0;
}

#endif
