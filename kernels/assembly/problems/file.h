/* file - bodies and bonds as a text has them (host/system_text.h), one setting for each parameter of this list.
 *
 * When it comes to fill them, the arrays have from the text: of species mass, diameter and the three moments; of bodies
 * species and start; of bonds, each of a kind of its own, the bodies and their stiffnesses, NaN for those that the
 * parameters give.  A bond is at rest at the start: its direction is that between the two in the lower one's frame. */
#include "../build.h"

/* To begin with, and to try everything on. */
static const char file_document[] =
    "# two spheres, bonded, that meet a wall, and a third one that runs into them from behind\n"
    "species bead mass 1 J 0.1 0.1 0.1 diameter 1\n"
    "species ball mass 2 J 0.5 0.5 0.5 diameter 1.5\n"
    "body bead 0.6 0 0  -1 0 0\n"
    "body bead 1.6 0 0  -1 0 0\n"
    "body ball 3 0.2 0  -2 0 0  1 0 0 0  0 0 1\n"
    "bond 0 1  5 100 100   # Km Ka Ks of its own\n"
    "wall 1 0 0  0         # bodies stay where x > 0\n"
    "Kp 2100\n";

#define WALL(name, text) \
  { name, 4, {0, 0, 0, 0}, -1e12, 1e12, text }
static const sd_parameter file_parameters[] = {MATERIAL_PARAMETERS,
                                               {"G", 1, {0}, 0, 1e12, "constant of gravity of the bodies' attraction"},
                                               WALL("wall1", "nx,ny,nz,w: bodies stay where n.x > w; n = 0: no wall"),
                                               WALL("wall2", "another one"),
                                               WALL("wall3", "another one"),
                                               WALL("wall4", "another one"),
                                               WALL("wall5", "another one"),
                                               WALL("wall6", "another one"),
                                               {0}};
#undef WALL
enum { FILE_STIFFNESS, FILE_KP = 3, FILE_DAMPING, FILE_GRAVITY, FILE_G = FILE_GRAVITY + 3, FILE_WALLS };

#define file_measure NULL

static inline void complete_species(sd_topology *t) {
  for (uint32_t k = 0; k < t->size.species; k++) {
    const double *s = t->species + (size_t)k * SD_SPECIES_NUMBERS;
    const double J[3] = {s[SD_SPECIES_INERTIA], s[SD_SPECIES_INERTIA + 1], s[SD_SPECIES_INERTIA + 2]};
    set_species(t, k, s[SD_SPECIES_MASS], s[SD_SPECIES_DIAMETER], J);
  }
}
static inline void complete_bond(sd_topology *t, uint32_t index, const double *otherwise) {
  const double *low = t->start + (size_t)t->low[index] * SD_START_NUMBERS;
  const double *high = t->start + (size_t)t->high[index] * SD_START_NUMBERS, *a = low + SD_START_ATTITUDE;
  const double *own = t->kind + (size_t)index * SD_BOND_NUMBERS + SD_BOND_BENDING;
  double k[3];
  for (int i = 0; i < 3; i++) k[i] = own[i] == own[i] ? own[i] : otherwise[i];
  quaternion q = quaternion_normalise((quaternion){a[0], vec3_splat(a + 1)});
  vec3 r = quaternion_rotate_back(q, vec3_sub(vec3_splat(low), vec3_splat(high)));
  const double r0[3] = {r.x, r.y, r.z};
  set_kind(t, index, r0, (stiffness){k[0], k[1], k[2]});
}
static inline void file_fill(const double *p, sd_topology *t) {
  complete_species(t);
  for (uint32_t k = 0; k < t->size.bonds; k++) complete_bond(t, k, p + FILE_STIFFNESS);
}
static inline void file_surroundings(const double *p, double *c) {
  c[CONTACT_STIFFNESS] = p[FILE_KP];
  c[DASHPOT] = p[FILE_DAMPING];
  set_gravity(c, p + FILE_GRAVITY);
  c[ATTRACTION] = p[FILE_G];
  for (const double *n = p + FILE_WALLS; n < p + FILE_WALLS + 4 * WALLS_MOST; n += 4) {
    double length = real_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > 0) set_wall(c, n[0] / length, n[1] / length, n[2] / length, n[3] / length);
  }
}
