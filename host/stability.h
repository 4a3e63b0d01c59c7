/* stability.h - the largest step that a method of second order, explicit in the forces, can take through a system
 * without blowing up its fastest oscillation: an estimate, made before the run. */
#ifndef SD_STABILITY_H
#define SD_STABILITY_H

#include "starts.h"
#include "topology.h"

/* What a run makes of a topology. */
typedef struct {
  sd_surroundings around;
  double place, speed, rate; /* how far the starts of members are from the topology's, at most: position, velocity, */
  double stiffness;          /* angular velocity; and how many times as stiff bonds are */
  double time;               /* that it lasts */
  sd_starts starts;          /* of their own that members have */
} sd_conditions;

/* Not more than the other, and soon found. */
double sd_topology_safe_step(const sd_topology *topology, const sd_conditions *conditions);
double sd_topology_stable_step(const sd_topology *topology, const sd_conditions *conditions);

#endif
