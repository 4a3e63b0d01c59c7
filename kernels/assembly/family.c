/* family.c - systems of many bodies, as the host knows them. */
#include "family.h"

#include "alone.h"

#include <problems.h>

#define PROBLEM_CONSTANTS(name, parameters, numbers) name##_surroundings(parameters, numbers)
#define PROBLEM_TOPOLOGY(name) name##_measure, name##_fill

#include "../declare.h"

static int is_spherical(const double *J) {
  return J[0] == J[1] && J[1] == J[2];
}
static int assembly_admits(int traits, const double *J, const sd_topology *described) {
  if (!(traits & SPHERICAL)) return 1;
  if (!described) return is_spherical(J);
  for (uint32_t k = 0; k < described->size.species; k++)
    if (!is_spherical(described->species + (size_t)k * SD_SPECIES_NUMBERS + SD_SPECIES_INERTIA)) return 0;
  return 1;
}

/* Forces that are not there are not computed either. */
static int assembly_kind(const double *parameters, const double *c) {
  (void)parameters;
  int outside = c[WALLS] > 0 || c[GRAVITY] != 0 || c[GRAVITY + 1] != 0 || c[GRAVITY + 2] != 0;
  int ways = 2 * (int)c[WALLS] + outside;
  return 8 * ways + 4 * (c[ATTRACTION] > 0) + 2 * (c[DASHPOT] > 0) + (c[CONTACT_STIFFNESS] > 0);
}

static void assembly_surroundings(const double *c, sd_surroundings *to) {
  *to = (sd_surroundings){.contact = c[CONTACT_STIFFNESS],
                          .dashpot = c[DASHPOT],
                          .attraction = c[ATTRACTION],
                          .gravity = {c[GRAVITY], c[GRAVITY + 1], c[GRAVITY + 2]},
                          .walls = (int)c[WALLS]};
  memcpy(to->wall, c + WALL_FIRST, sizeof to->wall);
}

static sd_complaint assembly_check(const double *J) {
  for (int i = 0; i < 3; i++)
    if (J[i] > J[(i + 1) % 3] + J[(i + 2) % 3])
      return (sd_complaint){0, "is no body's inertia: each moment is at most the sum of the other two"};
  return (sd_complaint){0, NULL};
}

/* One body of a start after the other. */
static const char *assembly_check_start(const double *start) {
  double norm2 = 0;
  for (int i = SD_START_ATTITUDE; i < SD_START_RATE; i++) norm2 += start[i] * start[i];
  for (int i = 0; i < SD_START_NUMBERS; i++) norm2 += 0 * start[i];
  return norm2 > 1e-100 && norm2 < 1e100 ? NULL : "not finite places and velocities, and a rotation";
}

static const sd_array arrays[] = {
    {"x", "position", 1, 3, 1, "length", "position of the centre", SD_ROLE_PLACE},
    {"v", "velocity", 1, 3, 1, "length/time", "velocity of the centre", SD_ROLE_SPEED},
    {"Q", "attitude", 1, 9, 1, "1", "rotation matrix by rows: body frame to space", SD_ROLE_ROTATION},
    {"W", "rate", 1, 3, 1, "1/time", "angular velocity, body frame", SD_ROLE_TURNING},
    {"orientation", "orientation", 1, 4, 1, "1", "the attitude as a quaternion w, x, y, z", SD_ROLE_ORIENTATION},
    {"lost_at", "lost_at", 0, 1, 1, "time", "when it failed; NaN if it did not", SD_NO_ROLE},
    {0}};

static const sd_start_array start[] = {
    {"position", 3, "length", "position of the centre", "sigma-centre", 0, "0.001", 0},
    {"velocity", 3, "length/time", "velocity of the centre", "sigma-speed", 1e-3, "0.01", 0},
    {"attitude", 4, "1", "quaternion w, x, y, z", "sigma-tilt", 0, "0.001", 1},
    {"rate", 3, "1/time", "angular velocity, body frame", "sigma-spin", 1e-3, "0.01", 0},
    {"bond-stiffness", 0, "1", "factor of each bond's stiffnesses", "sigma-stiffness", 0, "0.05", 0},
    {0}};

static const sd_ledger_entry ledger[] = {
    {"translation", 1, 0, "energy", "kinetic energy of the centres"},
    {"rotation", 1, 0, "energy", "kinetic energy about them"},
    {"bending", 1, 0, "energy", "of bonds in bending and torsion"},
    {"axial", 1, 0, "energy", "of bonds in tension"},
    {"shear", 1, 0, "energy", "of bonds in shear"},
    {"contact", 1, 0, "energy", "of contacts"},
    {"wall", 1, 0, "energy", "of contacts with walls"},
    {"gravity", 1, 0, "energy", "in the field of gravity, and by mutual attraction"},
    {"work", 0, 0, "energy", "done by dashpots so far: the energy that is judged is without it"},
    {"impulse_x", 0, 0, "momentum", "of walls and gravity so far"},
    {"impulse_y", 0, 0, "momentum", "of walls and gravity so far"},
    {"impulse_z", 0, 0, "momentum", "of walls and gravity so far"},
    {"linear", 0, 1, "momentum", "largest change of the linear momentum less the impulse"},
    {"angular", 0, 1, "momentum", "largest change of the angular momentum less the impulse's moment"},
    {"overlap", 0, 1, "1", "largest overlap in contacts, of a diameter"},
    {"strain", 0, 1, "1", "largest relative elongation of a bond"},
    {0}};

const sd_family sd_family_assembly = {
    .id = "assembly",
    .title = "systems of many rigid bodies",
    .plural = "systems of many bodies",
    .array = arrays,
    .start = start,
    .ledger = ledger,
    .document = file_document,
    .alone = &sd_assembly_alone,
    .surroundings = assembly_surroundings,
    .check_start = assembly_check_start,
    .defect = "orthogonality_max",
    .defect_head = "|QtQ-I|",
    .defect_units = "1",
    .defect_text = "largest |Q^T Q - I|",
    .methods = "rattle,vlv,eln",
    .method_set = "usual",
    .reference = "split@8",
    .order_steps = "2,1,0.5,0.25,0.125",
    .order_time = 80,
    .rounding = 1e-11,
    .check = assembly_check,
    .kind = assembly_kind,
    .mixed = "contacts, dashpots, attraction and gravity that some have must not be 0 in others, and walls are as many",
    .admits = assembly_admits,
    .unfit = "is for spherical bodies: it needs three equal moments each, as by --param J=2,2,2, or J 2 2 2 in a text",
    .fit = "J=2,2,2",
    FAMILY_LISTS};
