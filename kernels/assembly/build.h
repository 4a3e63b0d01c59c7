/* build.h - bodies and bonds of a system, put in their places one by one; for the problems' fill functions, on the
 * host. */
#ifndef SD_ASSEMBLY_BUILD_H
#define SD_ASSEMBLY_BUILD_H

#include "../philox.h"
#include "species.h"

static inline void set_species(sd_topology *t, uint32_t index, double mass, double diameter, const double *J) {
  double *s = t->species + (size_t)index * SD_SPECIES_NUMBERS;
  s[SD_SPECIES_MASS] = mass;
  s[SD_SPECIES_INVERSE] = 1 / mass;
  s[SD_SPECIES_DIAMETER] = diameter;
  constants c = constants_with_inertia(vec3_splat(J));
  const vec3 parts[] = {c.J, c.J_inverse, c.J_gap, c.J_gap_over_J};
  memcpy(s + SD_SPECIES_INERTIA, parts, sizeof parts);
}
/* A body at x with velocity v, unturned and at rest in itself. */
static inline void set_body(sd_topology *t, uint32_t b, uint32_t species, const double *x, const double *v) {
  double *s = t->start + (size_t)b * SD_START_NUMBERS;
  for (int k = 0; k < SD_START_NUMBERS; k++) s[k] = 0;
  for (int k = 0; k < 3; k++) s[SD_START_POSITION + k] = x[k];
  for (int k = 0; k < 3; k++) s[SD_START_VELOCITY + k] = v[k];
  s[SD_START_ATTITUDE] = 1;
  t->species_of[b] = species;
}

typedef struct {
  double bending, axial, shear;
} stiffness;

/* Bonds with the rest vector r0 = x_low - x_high. */
static inline void set_kind(sd_topology *t, uint32_t index, const double *r0, stiffness k) {
  double *kind = t->kind + (size_t)index * SD_BOND_NUMBERS;
  double length = real_sqrt(r0[0] * r0[0] + r0[1] * r0[1] + r0[2] * r0[2]);
  for (int i = 0; i < 3; i++) kind[SD_BOND_DIRECTION + i] = r0[i] / length;
  kind[SD_BOND_LENGTH] = length;
  kind[SD_BOND_INVERSE] = 1 / length;
  kind[SD_BOND_BENDING] = k.bending;
  kind[SD_BOND_AXIAL] = k.axial;
  kind[SD_BOND_SHEAR] = k.shear;
}
static inline void set_bond(sd_topology *t, uint32_t index, uint32_t a, uint32_t b, uint32_t kind) {
  t->low[index] = a < b ? a : b;
  t->high[index] = a < b ? b : a;
  t->kind_of[index] = kind;
}

/* ---- lattices of nx by ny by nz bodies, bonded to their neighbours along the axes ---- */

typedef struct {
  uint32_t n[3];
} lattice;

static inline uint32_t lattice_bodies(const lattice *l) {
  return l->n[0] * l->n[1] * l->n[2];
}
static inline uint32_t lattice_bonds(const lattice *l) {
  uint32_t x = l->n[0], y = l->n[1], z = l->n[2];
  return (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1);
}
static inline void measure_lattice(const lattice *l, sd_topology_sizes *sizes) {
  *sizes = (sd_topology_sizes){.bodies = lattice_bodies(l), .species = 1, .bonds = lattice_bonds(l), .kinds = 3};
}
/* From a corner's place, a spacing apart; from body `first` and bond `bond` on. */
static inline void fill_lattice(sd_topology *t, const lattice *l, const double *corner, double spacing, const double *v,
                                uint32_t first, uint32_t bond) {
  const uint32_t step[3] = {1, l->n[0], l->n[0] * l->n[1]};
  for (uint32_t z = 0; z < l->n[2]; z++)
    for (uint32_t y = 0; y < l->n[1]; y++)
      for (uint32_t x = 0; x < l->n[0]; x++) {
        const uint32_t at[3] = {x, y, z};
        uint32_t b = first + x * step[0] + y * step[1] + z * step[2];
        double place[3];
        for (int k = 0; k < 3; k++) place[k] = corner[k] + spacing * at[k];
        set_body(t, b, 0, place, v);
        for (uint32_t k = 0; k < 3; k++)
          if (at[k] + 1 < l->n[k]) set_bond(t, bond++, b, b + step[k], k);
      }
}
static inline void set_lattice_kinds(sd_topology *t, double spacing, stiffness k) {
  for (uint32_t i = 0; i < 3; i++) {
    double r0[3] = {0, 0, 0};
    r0[i] = -spacing;
    set_kind(t, i, r0, k);
  }
}

/* ---- constants ---- */

static inline void set_wall(double *c, double x, double y, double z, double place) {
  double *wall = c + WALL_FIRST + (int)c[WALLS] * WALL_NUMBERS;
  wall[0] = x, wall[1] = y, wall[2] = z, wall[3] = place;
  c[WALLS] = c[WALLS] + 1;
}
static inline void set_gravity(double *c, const double *g) {
  for (int k = 0; k < 3; k++) c[GRAVITY + k] = g[k];
}

/* What most problems have: J, mass, diameter, stiffnesses, contact, dashpot, gravity, in this order. */
#define BODY_PARAMETERS(J, mass, diameter)                                    \
  {"J", 3, {J, J, J}, 1e-12, 1e12, "principal moments of inertia of a body"}, \
      {"m", 1, {mass}, 1e-12, 1e12, "mass of a body"}, {                      \
    "D", 1, {diameter}, 0, 1e12, "diameter of a body"                         \
  }
#define MATERIAL_PARAMETERS                                                                                       \
  {"Km", 1, {10}, 0, 1e15, "stiffness of a bond in bending and torsion"},                                         \
      {"Ka", 1, {200}, 0, 1e15, "in tension, of the relative elongation"}, {"Ks", 1, {200}, 0, 1e15, "in shear"}, \
      {"Kp", 1, {2100}, 0, 1e15, "stiffness of contacts and walls"},                                              \
      {"damping", 1, {0}, 0, 1e15, "of dashpots in bonds and contacts"}, {                                        \
    "gravity", 3, {0, 0, 0}, -1e12, 1e12, "acceleration of gravity"                                               \
  }
enum {
  PARAM_J,
  PARAM_MASS = 3,
  PARAM_DIAMETER,
  PARAM_KM,
  PARAM_KA,
  PARAM_KS,
  PARAM_KP,
  PARAM_DAMPING,
  PARAM_GRAVITY,
  PARAM_OWN = PARAM_GRAVITY + 3
};

static inline void set_material(const double *p, double *c) {
  c[CONTACT_STIFFNESS] = p[PARAM_KP];
  c[DASHPOT] = p[PARAM_DAMPING];
  set_gravity(c, p + PARAM_GRAVITY);
}
static inline stiffness stiffness_of(const double *p) {
  return (stiffness){p[PARAM_KM], p[PARAM_KA], p[PARAM_KS]};
}

#endif
