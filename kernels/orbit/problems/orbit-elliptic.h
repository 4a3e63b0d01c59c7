/* orbit-elliptic - the same place with more momentum; the forces are those of orbit-circular. */
#include "../point.h"

static const sd_parameter orbit_elliptic_parameters[] = ORBIT_PARAMETERS(1.550663);

#define orbit_elliptic_kernels_of , orbit_circular /* the same motion from another start */
