/* kicks_and_flights.h - kicks by the torque and exact flights of the free body (flight.h) in turn, each of a length of
 * its own.  Symplectic and momentum-preserving whatever the lengths, as both are flows; what they are of, H = T + U
 * with T quadratic in the momentum, is why the lengths of nystrom.h will do. */
#ifndef SD_KICKS_AND_FLIGHTS_H
#define SD_KICKS_AND_FLIGHTS_H

#include "flight.h"
#include "../nystrom.h"

/* A flight and a kick in turn, each of them so many times. */
FN void flights_and_kicks(quaternion *Q, vec3 *P, vec3 *torque, const problem *p, const constants *c, real h,
                          const double *time, const double *kick, int flights, step_log *log) {
  for (int i = 0; i < flights; i++) {
    fly(h * time[i], c, Q, P, log);
    if (i + 1 == flights) *Q = quaternion_renormalise(*Q);
    *torque = p->torque(*Q, c);
    *P = vec3_axpy(h * kick[i], *torque, *P);
  }
}
/* From where these lead to back to where they come from. */
FN void flights_and_kicks_undone(quaternion *Q, vec3 *P, const problem *p, const constants *c, real h,
                                 const double *time, const double *kick, int flights, step_log *log) {
  for (int i = flights; i-- > 0;) {
    *P = vec3_axmy(h * kick[i], p->torque(*Q, c), *P);
    fly(-h * time[i], c, Q, P, log);
    if (i == 0) *Q = quaternion_renormalise(*Q);
  }
}
/* Flights and kicks with a kick before them. */
FN state kicks_and_flights(state s, const problem *p, const constants *c, real h, const double *kick,
                           const double *time, int flights, step_log *log) {
  vec3 P = vec3_axpy(h * kick[0], s.torque, momentum_of(c, s.W));
  flights_and_kicks(&s.Q, &P, &s.torque, p, c, h, time, kick + 1, flights, log);
  s.W = velocity_of(c, P);
  return s;
}

#endif
