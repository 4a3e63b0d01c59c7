/* full-body - two dumbbells that attract each other: each two point masses on its first axis, half of its mass either
 * side of the centre, with the inertia given.  They start apart along x, the second one turned a quarter about z, on a
 * slightly elliptic course about their common centre.
 *
 * T. Lee, M. Leok, N. H. McClamroch, Celest. Mech. Dyn. Astron. 98 (2007) 121-144, doi:10.1007/s10569-007-9073-x. */
#include "../build.h"

static const sd_parameter full_body_parameters[] = {
    {"J", 3, {0.01, 0.13, 0.135}, 1e-12, 1e12, "principal moments of inertia of the first"},
    {"share", 1, {0.4}, 1e-12, 1e12, "moments of inertia of the second over those of the first"},
    {"m", 2, {1, 0.5}, 1e-12, 1e12, "masses"},
    {"length", 2, {0.7, 0.6}, 0, 1e12, "distances between their points"},
    {"apart", 1, {4}, 1e-9, 1e12, "distance between their centres at the start"},
    {"speed", 1, {0.6}, -1e9, 1e9, "of one against the other at the start, along y"},
    {"spin", 3, {0.1, 0.05, 0.3}, -1e9, 1e9, "angular velocity of both at the start, body frame"},
    {"G", 1, {1}, 0, 1e12, "constant of gravity"},
    {0}};
enum { FULL_SHARE = 3, FULL_MASS, FULL_LENGTH = 6, FULL_APART = 8, FULL_SPEED, FULL_SPIN, FULL_G = FULL_SPIN + 3 };

static inline void full_body_measure(const double *p, sd_topology_sizes *sizes) {
  (void)p;
  *sizes = (sd_topology_sizes){.bodies = 2, .species = 2, .points = 2};
}
static inline void full_body_fill(const double *p, sd_topology *t) {
  double all = p[FULL_MASS] + p[FULL_MASS + 1];
  for (uint32_t b = 0; b < 2; b++) {
    double share = (b ? -p[FULL_MASS] : p[FULL_MASS + 1]) / all; /* of what lies between them */
    const double x[3] = {share * p[FULL_APART], 0, 0}, v[3] = {0, share * p[FULL_SPEED], 0};
    double J[3];
    for (int k = 0; k < 3; k++) J[k] = p[PARAM_J + k] * (b ? p[FULL_SHARE] : 1);
    set_species(t, b, p[FULL_MASS + b], 0, J);
    set_body(t, b, b, x, v);
    double *start = t->start + (size_t)b * SD_START_NUMBERS;
    for (int k = 0; k < 3; k++) start[SD_START_RATE + k] = p[FULL_SPIN + k];
    if (b) start[SD_START_ATTITUDE] = start[SD_START_ATTITUDE + 3] = 0.7071067811865476;
    for (uint32_t k = 0; k < 2; k++) {
      double *point = t->points + ((size_t)b * 2 + k) * SD_POINT_NUMBERS;
      point[0] = (k ? -0.5 : 0.5) * p[FULL_LENGTH + b];
      point[1] = point[2] = 0;
      point[3] = 0.5 * p[FULL_MASS + b];
    }
  }
}
static inline void full_body_surroundings(const double *p, double *c) {
  c[ATTRACTION] = p[FULL_G];
}
