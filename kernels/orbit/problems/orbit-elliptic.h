/* orbit-elliptic - the same place with more momentum; the forces are those of orbit-circular. */
#include "../point.h"

static const sd_parameter orbit_elliptic_parameters[] = ORBIT_PARAMETERS(1.550663);
