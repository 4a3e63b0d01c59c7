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
  return orbit_is_bare(parameters);
}

/* Forces that are not there are not computed either. */
static int orbit_kind(const double *parameters, const double *constants) {
  (void)constants;
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

/* ---- starts ---- */

static vec3 turned_about(vec3 v, vec3 axis, double degrees) {
  double sine, cosine;
  real_sincos(degrees * 0.017453292519943295, &sine, &cosine);
  vec3 along = vec3_scale(vec3_dot(axis, v), axis), arm = vec3_sub(v, along);
  return vec3_add(along, vec3_axpy(sine, vec3_cross(axis, arm), vec3_scale(cosine, arm)));
}

/* From the pericentre on, for the time that the mean anomaly says, about the axes x, y, z: ellipse or hyperbola. */
static const char *orbit_from_elements(const double *element, double *parameters) {
  double a = element[0], e = element[1], mu = parameters[ORBIT_MU], near = a * (1 - e);
  if (!(e >= 0)) return "e is negative";
  if (!(e != 1 && near > 0)) return "expected a > 0 with e < 1, or a < 0 with e > 1";
  double speed = real_sqrt(mu * (1 + e) / near), size = a > 0 ? a : -a;
  double time = element[5] * 0.017453292519943295 * (size * real_sqrt(size / mu));
  kepler_point at = kepler_after(vec3_make(near, 0, 0), vec3_make(0, speed, 0), mu, time);
  const vec3 x = {1, 0, 0}, z = {0, 0, 1};
  vec3 *vectors[] = {&at.q, &at.v};
  for (int k = 0; k < 2; k++)
    *vectors[k] = turned_about(turned_about(turned_about(*vectors[k], z, element[4]), x, element[2]), z, element[3]);
  const double q[] = {at.q.x, at.q.y, at.q.z}, v[] = {at.v.x, at.v.y, at.v.z};
  for (int k = 0; k < 3; k++) {
    parameters[ORBIT_POSITION + k] = q[k];
    parameters[ORBIT_MOMENTUM + k] = parameters[ORBIT_MASS] * v[k];
    if (!(0 * (q[k] + v[k]) == 0)) return "that is no orbit in numbers of this size";
  }
  return NULL;
}

static double in_degrees(double angle) {
  double degrees = angle * 57.29577951308232;
  return degrees < 0 ? degrees + 360 : degrees;
}

/* Of the two-body orbit that q and p are on; what a circle, or an orbit in the plane of x and y, has not is 0. */
static void orbit_to_elements(const double *parameters, const double *state, double *to) {
  double mu = parameters[ORBIT_MU];
  vec3 q = vec3_splat(state), v = vec3_scale(1 / parameters[ORBIT_MASS], vec3_splat(state + 3)), h = vec3_cross(q, v);
  double r = real_sqrt(vec3_norm2(q)), radial = vec3_dot(q, v), a = 1 / inverse_axis(q, v, mu);
  vec3 ecc = vec3_axmy(1 / r, q, vec3_scale(1 / mu, vec3_cross(v, h))), along = vec3_make(-h.y, h.x, 0);
  double flat = real_sqrt(vec3_norm2(along)), size = real_sqrt(vec3_norm2(h)), e = real_sqrt(vec3_norm2(ecc));
  along = flat > 0 ? vec3_scale(1 / flat, along) : vec3_make(1, 0, 0);
  to[0] = a;
  to[1] = e;
  to[2] = in_degrees(real_atan2(flat, h.z));
  to[3] = in_degrees(real_atan2(along.y, along.x));
  to[4] = in_degrees(real_atan2(vec3_dot(vec3_cross(along, ecc), h) / size, vec3_dot(along, ecc)));
  if (a > 0) {
    double sine = radial / real_sqrt(mu * a);
    to[5] = in_degrees(real_atan2(sine, 1 - r / a) - sine);
  } else {
    double sine = radial / real_sqrt(-mu * a) / e, to_sine = sine < 0 ? -sine : sine;
    double angle = real_log(to_sine + real_sqrt(to_sine * to_sine + 1));
    to[5] = 57.29577951308232 * (e * sine - (sine < 0 ? -angle : angle));
  }
}

/* Cholesky's factor; a direction in which nothing spreads is one of zeros. */
static const char *factor_of(const double *covariance, double *factor) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      double c = covariance[6 * i + j], allowed = 1e-9 * real_sqrt(real_abs(covariance[7 * i] * covariance[7 * j]));
      if (!(real_abs(c - covariance[6 * j + i]) <= allowed)) return "the matrix is not symmetric";
      for (int k = 0; k < j; k++) c -= factor[6 * i + k] * factor[6 * j + k];
      if (i == j) {
        if (!(c >= -1e-12 * covariance[7 * i] && covariance[7 * i] >= 0)) return "the matrix is not positive";
        factor[7 * i] = c > 1e-12 * covariance[7 * i] ? real_sqrt(c) : 0;
      } else {
        if (factor[7 * j] == 0 && real_abs(c) > 1e3 * allowed) return "the matrix is not positive";
        factor[6 * i + j] = factor[7 * j] > 0 ? c / factor[7 * j] : 0;
      }
    }
  return NULL;
}

static const char *orbit_correlate(const double *parameters, const double *covariance, int frame, double *to) {
  double factor[36] = {0};
  const char *wrong = factor_of(covariance, factor);
  vec3 q = vec3_splat(parameters + ORBIT_POSITION), v = vec3_splat(parameters + ORBIT_MOMENTUM);
  if (wrong) return wrong;
  if (frame == SD_FRAME_RTN && vec3_norm2(vec3_cross(q, v)) == 0)
    return "the start has no plane that rtn could refer to";
  for (int half = 0; half < 2; half++)
    for (int j = 0; j < 6; j++) {
      const double *column = factor + 18 * half + j;
      vec3 turned = from_frame(frame, vec3_make(column[0], column[6], column[12]), q, v);
      double *out = to + 18 * half + j;
      out[0] = turned.x, out[6] = turned.y, out[12] = turned.z;
    }
  return NULL;
}

/* ---- events ---- */

static const char *check_apsis(const double *parameters, const sd_event *e) {
  vec3 q = vec3_splat(parameters + ORBIT_POSITION);
  vec3 v = vec3_scale(1 / parameters[ORBIT_MASS], vec3_splat(parameters + ORBIT_MOMENTUM));
  if (inverse_axis(q, v, parameters[ORBIT_MU]) > 0) return NULL;
  if (e->condition == SD_AT_APOAPSIS) return "the start is not on an ellipse, and no other orbit has one";
  return vec3_dot(q, v) < 0 ? NULL : "the start is not on an ellipse, and has its only one behind it";
}

/* Where something changes orbits, any may come. */
static const char *orbit_check_event(const double *parameters, const sd_event *e, int changes) {
  changes |= orbit_is_forced(parameters) || orbit_attractors(parameters) || orbit_degree(parameters);
  switch (e->condition) {
  case SD_AT_PERIAPSIS:
  case SD_AT_APOAPSIS: return changes ? NULL : check_apsis(parameters, e);
  case SD_AT_NODE:
  case SD_AT_DESCENDING: return is_zero(parameters + ORBIT_POLE) ? "the pole is no direction" : NULL;
  case SD_AT_HEIGHT:
    return parameters[ORBIT_RADIUS] + e->place[0] > 0 ? NULL : "that is not above the centre: give it a radius";
  case SD_AT_NEAREST_BODY:
    return is_zero(parameters + ORBIT_OTHERS + e->body * ORBIT_OTHER + 1) ? "that body is given no place" : NULL;
  default: return NULL;
  }
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
    {"mass", "mass", 1, 1, 1, "mass", "what burns have left of it; NaN of a body that failed, or has ended",
     SD_NO_ROLE},
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
                                   .mass_at = ORBIT_MASS,
                                   .attraction_at = ORBIT_MU,
                                   .position_at = ORBIT_POSITION,
                                   .momentum_at = ORBIT_MOMENTUM,
                                   .from_elements = orbit_from_elements,
                                   .to_elements = orbit_to_elements,
                                   .correlate = orbit_correlate,
                                   .check_event = orbit_check_event,
                                   .check = orbit_check,
                                   .kind = orbit_kind,
                                   .parameters_always = ORBIT_ALWAYS,
                                   .mixed = "some have drag, pressure, thrust, harmonics or attractors that others "
                                            "have not at all: give all of them some, or none",
                                   .fit = "m=1",
                                   .is_bare = orbit_is_bare,
                                   .keeps_momentum = orbit_keeps_momentum,
                                   FAMILY_LISTS};
