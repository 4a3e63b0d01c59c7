/* swing - U = -k x: the pendulum hangs at (1, 0). */
#include "../pendulum.h"

static const sd_parameter swing_parameters[] = {{"g", 1, {1}, 0, 1e6, "stiffness"},
                                                {"angle", 1, {1}, -100, 100, "initial angle"},
                                                {"rate", 1, {0.5}, -1e6, 1e6, "initial angular velocity"},
                                                {0}};

FN real swing_potential(state s, const constants *c) {
  return -(c->stiffness * s.x);
}
FN real swing_force(state s, const constants *c) {
  return -(c->stiffness * s.y);
}
