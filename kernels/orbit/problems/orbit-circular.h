/* orbit-circular - a circular orbit, with drag, pressure, thrust and further attractors where they are asked for. */
#include "../point.h"

static const sd_parameter orbit_circular_parameters[] = ORBIT_PARAMETERS(1.386955);
