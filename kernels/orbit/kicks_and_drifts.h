/* kicks_and_drifts.h - kicks by the forces and straight drifts in turn, each of a length of its own (nystrom.h).
 *
 * The time goes with the drifts.  A kick by forces that depend on the velocity is a midpoint rule: symmetric, of order
 * 2, and so is the method then. */
#ifndef SD_KICKS_AND_DRIFTS_H
#define SD_KICKS_AND_DRIFTS_H

#include "kick.h"
#include "../nystrom.h"

FN state kicks_and_drifts(state s, const problem *p, const constants *c, real h, const double *kick, const double *time,
                          int drifts) {
  real now = s.time;
  if (has_others(p, c)) s.force = p->force(s.q, now, c); /* one that moves is not where the last step left it */
  s = kicked(s, s.force, p, c, h * kick[0], now);
  for (int i = 0; i < drifts; i++) {
    real part = h * time[i];
    s.q = vec3_axpy(part, velocity_of(c, s.p), s.q);
    now = now + part;
    s.force = p->force(s.q, now, c);
    s = kicked(s, s.force, p, c, h * kick[i + 1], now);
  }
  return s;
}

#endif
