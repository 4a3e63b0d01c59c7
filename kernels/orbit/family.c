/* family.c - point masses, as the host knows them. */
#include "family.h"

#include <problems.h>

#include "constants.h"
#include "../declare.h"

static sd_complaint orbit_check(const double *parameters) {
  const double *q = parameters + ORBIT_POSITION;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0) return (sd_complaint){2, "is the centre, where the force has no value"};
  return (sd_complaint){0, NULL};
}

/* The angular momentum about the centre.  What an impulse adds to it is no change: the level that it is held against
 * takes the impulse, too. */
static int orbit_keeps_momentum(const double *parameters) {
  return !orbit_is_forced(parameters) && !orbit_attractors(parameters);
}

/* Forces that are not there are not computed either. */
static int orbit_kind(const double *parameters) {
  return orbit_is_forced(parameters) + 2 * orbit_attractors(parameters);
}

static const char *orbit_check_start(const double *start) {
  double norm2 = 0;
  for (int i = 0; i < 3; i++) norm2 += start[i] * start[i] + 0 * start[3 + i];
  return norm2 > 1e-100 && norm2 < 1e100 ? NULL : "not a position off the centre and a finite momentum";
}

static const sd_array arrays[] = {
    {"q", "position", 1, 3, 1, "length", "position", SD_ROLE_PLACE},
    {"p", "momentum", 1, 3, 1, "momentum", "momentum", SD_NO_ROLE},
    {"energy", "energy", 0, 1, 1, "energy", "H", SD_NO_ROLE},
    {"work", "work", 0, 1, 1, "energy", "work of the forces and impulses so far: energy_error is H - H0 less this",
     SD_NO_ROLE},
    {"position_error", "position_error", 1, 1, 1, "length", "distance from the exact two-body solution", SD_NO_ROLE},
    {"velocity_error", "velocity_error", 1, 1, 1, "length/time", "difference of velocity from it", SD_NO_ROLE},
    {"phase_error", "phase_error", 1, 1, 1, "rad", "angle by which it is ahead of it", SD_NO_ROLE},
    {"period_error", "period_error", 1, 1, 1, "1", "relative difference of the period from it", SD_NO_ROLE},
    {0}};

static const sd_start_array start[] = {{"position", 3, "length", "position", "sigma-position", 1, "100", 0},
                                       {"momentum", 3, "momentum", "momentum", "sigma-momentum", 0.001, "0.1", 0},
                                       {0}};

const sd_family sd_family_orbit = {.id = "orbit",
                                   .title = "point masses in R^3",
                                   .plural = "orbits",
                                   .array = arrays,
                                   .start = start,
                                   .check_start = orbit_check_start,
                                   .defect = "position_error_max",
                                   .defect_head = "|q-exact|",
                                   .defect_units = "length",
                                   .defect_text = "largest distance from the exact two-body solution",
                                   .methods = "midpoint,verlet,rk2,rk4,rk45",
                                   .method_set = "all",
                                   .reference = "rk8",
                                   .order_steps = "24,12,6,3,1.5",
                                   .order_time = 720,
                                   .rounding = 1e-8,
                                   .units = "km, s, kg",
                                   .impulses = 1,
                                   .check = orbit_check,
                                   .kind = orbit_kind,
                                   .mixed = "some have drag, pressure, thrust or attractors that others have not at "
                                            "all: give all of them some, or none",
                                   .fit = "m=1",
                                   .keeps_momentum = orbit_keeps_momentum,
                                   FAMILY_LISTS};
