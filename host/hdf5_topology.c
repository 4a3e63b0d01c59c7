#include "hdf5_topology.h"

#include <stdlib.h>
#include <string.h>

/* A dataset of so many rows, from one array of reals or of whole numbers that is filled row by row. */
static void put(sd_hdf5_writer *w, hid_t group, const char *name, hid_t type, size_t rows, size_t width,
                const void *values, const char *units, const char *text) {
  sd_hdf5_shape s = {name, type, width > 1 ? 2 : 1, {rows, width}, {4096, 0}, units, text, 0};
  if (rows && !w->failed) H5Dclose(sd_hdf5_put_dataset(w, group, &s, values));
}

/* Numbers of what each body's species is, or of each bond's kind. */
static void put_looked_up(sd_hdf5_writer *w, hid_t group, const char *name, const uint32_t *kind_of, size_t count,
                          const double *table, size_t pitch, size_t width, const char *units, const char *text) {
  double *column = malloc((count * width + 1) * sizeof *column);
  w->failed |= !column;
  for (size_t i = 0; column && i < count; i++)
    memcpy(column + i * width, table + kind_of[i] * pitch, width * sizeof *column);
  if (column) put(w, group, name, H5T_NATIVE_DOUBLE, count, width, column, units, text);
  free(column);
}

static void put_bodies(sd_hdf5_writer *w, hid_t group, const sd_topology *t) {
#define SPECIES(name, first, width, units, text)                                                                       \
  put_looked_up(w, group, name, t->species_of, t->size.bodies, t->species + (first), SD_SPECIES_NUMBERS, width, units, \
                text)
  put(w, group, "species", H5T_NATIVE_UINT32, t->size.bodies, 1, t->species_of, "1", "bodies of one are alike");
  SPECIES("mass", SD_SPECIES_MASS, 1, "mass", "mass of each body");
  SPECIES("diameter", SD_SPECIES_DIAMETER, 1, "length", "diameter of each body");
  SPECIES("inertia", SD_SPECIES_INERTIA, 3, "mass*length^2", "principal moments of inertia of each body");
#undef SPECIES
}

static void put_bonds(sd_hdf5_writer *w, hid_t group, const sd_topology *t) {
  size_t bonds = t->size.bonds;
  uint32_t *pairs = malloc((2 * bonds + 1) * sizeof *pairs);
  w->failed |= !pairs;
  for (size_t k = 0; pairs && k < bonds; k++) pairs[2 * k] = t->low[k], pairs[2 * k + 1] = t->high[k];
  if (pairs) put(w, group, "bonds", H5T_NATIVE_UINT32, bonds, 2, pairs, "1", "the two bodies of each bond, from 0 on");
  free(pairs);
#define KIND(name, first, width, units, text) \
  put_looked_up(w, group, name, t->kind_of, bonds, t->kind + (first), SD_BOND_NUMBERS, width, units, text)
  KIND("bond_length", SD_BOND_LENGTH, 1, "length", "length of each bond at rest");
  KIND("bond_stiffness", SD_BOND_BENDING, 3, "energy", "of each bond in bending and torsion, in tension, in shear");
#undef KIND
}

void sd_hdf5_put_topology(sd_hdf5_writer *w, hid_t run, const sd_topology *t) {
  hid_t group = sd_hdf5_make_group(w, run, "topology");
  sd_hdf5_put_text(w, group, "description",
                   "the bodies of a member, and what binds them; of the first one, where parameters differ");
  put_bodies(w, group, t);
  put_bonds(w, group, t);
  H5Gclose(group);
}
