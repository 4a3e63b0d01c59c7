/* kicks_and_flights.h - kicks by the torque and exact flights of the free body (flight.h) in turn, each of a length of
 * its own.  Symplectic and momentum-preserving whatever the lengths, as both are flows; what they are of, H = T + U
 * with T quadratic in the momentum, is why the lengths of nystrom.h will do. */
#ifndef SD_KICKS_AND_FLIGHTS_H
#define SD_KICKS_AND_FLIGHTS_H

#include "flight.h"
#include "../nystrom.h"

FN state kicks_and_flights(state s, const problem *p, const constants *c, real h, const double *kick,
                           const double *time, int flights, step_log *log) {
  vec3 P = vec3_axpy(h * kick[0], s.torque, momentum_of(c, s.W));
  for (int i = 0; i < flights; i++) {
    fly(h * time[i], c, &s.Q, &P, log);
    if (i + 1 == flights) s.Q = quaternion_renormalise(s.Q);
    s.torque = p->torque(s.Q, c);
    P = vec3_axpy(h * kick[i + 1], s.torque, P);
  }
  s.W = velocity_of(c, P);
  return s;
}

#endif
