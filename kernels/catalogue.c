/* catalogue.c - the lists as tables. */
#include "catalogue.h"

#include "compose.h"
#include "orbit/parameters.h"
#include "so3/problems.h"

/* ---- methods ---- */

#define METHOD(name, id, order, traits, title, doi) {SD_SO3, id, order, traits, title, doi},
#define ORBIT_METHOD(name, id, order, traits, title, doi) {SD_ORBIT, id, order, traits, title, doi},
const sd_method_entry sd_methods[] = {
#include "all_methods.def"
};
#undef METHOD
#undef ORBIT_METHOD
const int sd_method_count = sizeof sd_methods / sizeof *sd_methods;

#define METHOD(name, id, order, traits, title, doi)
#define ORBIT_METHOD(name, id, order, traits, title, doi)
#define METHOD_PARAMETER(method, name, value, low, high, text) {SD_SO3, method, {name, 1, {value}, low, high, text}},
#define ORBIT_METHOD_PARAMETER(method, name, value, low, high, text) \
  {SD_ORBIT, method, {name, 1, {value}, low, high, text}},
const sd_method_parameter sd_method_parameters[] = {
#include "all_methods.def"
    {0, NULL, {NULL, 0, {0}, 0, 0, NULL}}};

/* ---- problems ---- */

ORBIT_PARAMETERS(orbit_circular, 1.386955);
ORBIT_PARAMETERS(orbit_elliptic, 1.550663);

#define PROBLEM(name, id, step, time, title, doi) {SD_SO3, id, step, time, title, doi, name##_parameters},
#define ORBIT_PROBLEM(name, id, step, time, title, doi) {SD_ORBIT, id, step, time, title, doi, name##_parameters},
const sd_problem_entry sd_problems[] = {
#include "all_problems.def"
};
#undef PROBLEM
#undef ORBIT_PROBLEM
const int sd_problem_count = sizeof sd_problems / sizeof *sd_problems;

void sd_constants_of(int problem, const double *parameters, double constants[SD_CONSTANTS]) {
  memset(constants, 0, SD_CONSTANTS * sizeof *constants);
  sd_families[sd_problems[problem].family].constants(problem, parameters, constants);
}

/* ---- rigid bodies ---- */

#define PROBLEM(name, id, step, time, title, doi) name##_load,
static void (*const so3_load[])(constants *, const double *) = {
#include "so3/problems.def"
};
#undef PROBLEM

static void so3_constants(int problem, const double *parameters, double *to) {
  constants c = constants_with_inertia(vec3_splat(parameters));
  so3_load[problem](&c, parameters + SD_OWN); /* this family's problems are the first */
  memcpy(to, &c, SO3_CONSTANTS * sizeof(double));
}
static sd_complaint so3_check(const double *J) {
  for (int i = 0; i < 3; i++)
    if (J[i] > J[(i + 1) % 3] + J[(i + 2) % 3])
      return (sd_complaint){0, "is no body's inertia: each moment is at most the sum of the other two"};
  return (sd_complaint){0, NULL};
}
static int so3_admits(int traits, const double *J) {
  return !(traits & SPHERICAL) || (J[0] == J[1] && J[1] == J[2]);
}

static const sd_quantity so3_quantities[] = {{"Q", "attitude", 0, 9, "1", "rotation matrix Q: body frame to space"},
                                             {"W", "velocity", 9, 3, "1/time", "angular velocity, body frame"},
                                             {0}};

/* ---- point masses ---- */

static void orbit_constants(int problem, const double *parameters, double *c) {
  (void)problem;
  double mass = parameters[ORBIT_MASS];
  *c++ = parameters[ORBIT_MU];
  *c++ = mass;
  *c++ = 1 / mass;
  *c++ = mass * parameters[ORBIT_MU];
  for (int k = ORBIT_DRAG; k < ORBIT_OTHERS; k++) *c++ = parameters[k];
  for (int k = 0; k < ORBIT_ATTRACTORS; k++) {
    const double *other = parameters + ORBIT_OTHERS + k * ORBIT_OTHER, *turn = other + 4;
    double rate = real_sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    *c++ = mass * other[0];
    for (int i = 1; i <= 3; i++) *c++ = other[i];
    for (int i = 0; i < 3; i++) *c++ = rate > 0 ? turn[i] / rate : 0;
    *c++ = rate;
  }
}
static sd_complaint orbit_check(const double *parameters) {
  const double *q = parameters + ORBIT_POSITION;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0) return (sd_complaint){2, "is the centre, where the force has no value"};
  return (sd_complaint){0, NULL};
}
static int orbit_admits(int traits, const double *parameters) {
  (void)traits, (void)parameters;
  return 1;
}

static const sd_quantity orbit_quantities[] = {
    {"q", "position", 0, 3, "length", "position"},
    {"p", "momentum", 9, 3, "momentum", "momentum"},
    {"energy", "energy", 8, 1, "energy", "H"},
    {"work", "work", 3, 1, "energy", "work of the forces and impulses so far: energy_error is H - H0 less this"},
    {"position_error", "position_error", 4, 1, "length", "distance from the exact two-body solution"},
    {"velocity_error", "velocity_error", 5, 1, "length/time", "difference of velocity from it"},
    {"phase_error", "phase_error", 6, 1, "rad", "angle by which it is ahead of it"},
    {"period_error", "period_error", 7, 1, "1", "relative difference of the period from it"},
    {0}};

const sd_family sd_families[SD_FAMILIES] = {
    {.id = "so3",
     .title = "rigid bodies on SO(3)",
     .plural = "rigid bodies",
     .quantity = so3_quantities,
     .sigma = {{"sigma-attitude", 0.01, "0.3", 4, "deviation of the starting attitudes"},
               {"sigma-velocity", 0.01, "0.3", 3, "deviation of the starting velocities"}},
     .start_text = "quaternion w, x, y, z",
     .defect = "orthogonality_max",
     .defect_head = "|QtQ-I|",
     .defect_units = "1",
     .defect_text = "largest |Q^T Q - I|",
     .methods = "eln,tln,prk,mcg,new3,liemid-ea,vlv",
     .reference = "split@8",
     .order_steps = "0.25,0.125,0.0625,0.03125,0.015625",
     .order_time = 5,
     .rounding = 1e-11,
     .check = so3_check,
     .admits = so3_admits,
     .unfit = "is for spherical bodies: it needs three equal moments, as in --param J=2,2,2",
     .fit = "J=2,2,2",
     .constants = so3_constants},
    {.id = "orbit",
     .title = "point masses in R^3",
     .plural = "orbits",
     .quantity = orbit_quantities,
     .sigma = {{"sigma-position", 1, "100", 3, "deviation of the starting positions"},
               {"sigma-momentum", 0.001, "0.1", 3, "deviation of the starting momenta"}},
     .start_text = "position",
     .defect = "position_error_max",
     .defect_head = "|q-exact|",
     .defect_units = "length",
     .defect_text = "largest distance from the exact two-body solution",
     .methods = "midpoint,verlet,rk2,rk4,rk45",
     .reference = "verlet@8",
     .order_steps = "240,120,60,30,15",
     .order_time = 7200,
     .rounding = 1e-8,
     .impulses = 1,
     .check = orbit_check,
     .admits = orbit_admits,
     .unfit = "",
     .fit = "m=1",
     .constants = orbit_constants}};

const double *sd_composition(int order, int *stages) {
#define OFFER(o) \
  case o: *stages = sizeof composition##o / sizeof *composition##o; return composition##o
  switch (order) {
    OFFER(2);
    OFFER(4);
    OFFER(6);
    OFFER(8);
  default: return NULL;
  }
#undef OFFER
}
