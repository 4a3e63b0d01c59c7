/* top-fast - the fast Lagrangian top, U = mgl e3 . Q e3; a step of 0.1 turns the slow one by 30 degrees.
 *
 * P. Krysl, Explicit momentum-conserving integrator for dynamics of rigid bodies approximating the midpoint Lie
 * algorithm, Int. J. Numer. Meth. Engng 63 (2005) 2171-2193, doi:10.1002/nme.1361. */
#include "../lagrange_top.h"

static const sd_parameter top_fast_parameters[] = {
    {"J", 3, {5, 5, 1}, 1e-9, 1e9, "principal moments of inertia"},
    {"attitude", 3, {0.3, 0, 0}, -100, 100, "rotation vector of the initial attitude"},
    {"velocity", 3, {0, 0, 50}, -1e6, 1e6, "initial angular velocity, body frame"},
    {"mgl", 1, {20}, -1e9, 1e9, "weight times the height of the mass centre on the axis"},
    {0}};

#define top_fast_load top_load
#define top_fast_potential top_potential
#define top_fast_torque top_torque
#define top_fast_torque_derivative top_torque_derivative
#define top_fast_momentum top_momentum

#define top_fast_kernels_of , top_slow /* the same motion from another start */
