/* family.c - point masses, as the host knows them. */
#include "family.h"

#include <problems.h>

#include "constants.h"
#include "../declare.h"

static int is_zero(const double *v) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* What harmonics, air and shadow need besides themselves. */
static sd_complaint check_surroundings(const double *parameters) {
  const double *shadow = parameters + ORBIT_SHADOW;
  int harmonics = orbit_degree(parameters) != 0;
  if (harmonics && !(parameters[ORBIT_RADIUS] > 0))
    return (sd_complaint){ORBIT_NAME_OF_RADIUS, "is no radius that zonal harmonics can refer to"};
  if ((harmonics || parameters[ORBIT_SPIN] != 0) && is_zero(parameters + ORBIT_POLE))
    return (sd_complaint){ORBIT_NAME_OF_POLE, "is no direction"};
  if (parameters[ORBIT_DRAG2] != 0 && !(parameters[ORBIT_SCALE_HEIGHT] > 0))
    return (sd_complaint){ORBIT_NAME_OF_SCALE_HEIGHT, "is no height in which the air of drag2 thins out"};
  if (shadow[0] > 0 && (!(shadow[1] > 0) || shadow[1] > shadow[0]))
    return (sd_complaint){ORBIT_NAME_OF_SHADOW,
                          "is no shadow: expected its radius, and the width of its edge, up to the radius"};
  return (sd_complaint){0, NULL};
}

static sd_complaint orbit_check(const double *parameters) {
  if (is_zero(parameters + ORBIT_POSITION))
    return (sd_complaint){ORBIT_NAME_OF_POSITION, "is the centre, where the force has no value"};
  if (parameters[ORBIT_INDIRECT] != 0 && parameters[ORBIT_INDIRECT] != 1)
    return (sd_complaint){ORBIT_NAME_OF_INDIRECT, "is neither 0 nor 1"};
  for (int k = 0; k < ORBIT_ATTRACTORS; k++) {
    const double *other = parameters + ORBIT_OTHERS + k * ORBIT_OTHER, *v = parameters + ORBIT_VELOCITIES + 3 * k;
    if (!is_zero(v) && !is_zero(other + 4))
      return (sd_complaint){ORBIT_NAME_OF_VELOCITY1 + k, "is on a Kepler orbit, and it turns on a circle, too"};
    if ((!is_zero(v) || parameters[ORBIT_INDIRECT] != 0) && other[0] != 0 && is_zero(other + 1))
      return (sd_complaint){ORBIT_NAME_OF_AT1 + 3 * k, "is the centre, about which it should be"};
  }
  return check_surroundings(parameters);
}

/* The angular momentum about the centre.  What an impulse adds to it is no change: the level that it is held against
 * takes the impulse, too. */
static int orbit_keeps_momentum(const double *parameters) {
  return !orbit_is_forced(parameters) && !orbit_attractors(parameters) && !orbit_degree(parameters);
}

/* Forces that are not there are not computed either. */
static int orbit_kind(const double *parameters) {
  int ways = orbit_degree(parameters);
  ways = 2 * ways + orbit_is_guided(parameters);
  ways = 2 * ways + orbit_is_aired(parameters);
  ways = 8 * ways + orbit_attractors(parameters);
  return 2 * ways + orbit_is_forced(parameters);
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
                                   .parameters_always = ORBIT_ALWAYS,
                                   .mixed = "some have drag, pressure, thrust, harmonics or attractors that others "
                                            "have not at all: give all of them some, or none",
                                   .fit = "m=1",
                                   .keeps_momentum = orbit_keeps_momentum,
                                   FAMILY_LISTS};
