#include "hdf5_particles.h"

#include "kept.h"

/* One member under one method. */
typedef struct {
  const sd_result *result;
  size_t run, method, member;
  hid_t particles; /* its group */
} particles;

/* What is in the run's own groups. */
static const char *path_in_run(const particles *p, const char *name, char path[192]) {
  snprintf(path, 192, "/runs/%zu/%s", p->run, name);
  return path;
}

static const char *path_of_array(const particles *p, const char *array, const char *part, char path[192]) {
  char name[160];
  snprintf(name, sizeof name, "methods/%s/trajectories/%s/%s", sd_result_summary(p->result, p->method)->method, array,
           part);
  return path_in_run(p, name, path);
}

/* A dataset whose numbers are those selected of another one. */
static hid_t put_virtual(sd_hdf5_writer *w, hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                         const char *source, hid_t selected) {
  hid_t storage = sd_hdf5_made(w, H5Pcreate(H5P_DATASET_CREATE)),
        space = sd_hdf5_made(w, H5Screate_simple(rank, size, NULL));
  sd_hdf5_done(w, H5Pset_obj_track_times(storage, 0));
  sd_hdf5_done(w, H5Pset_virtual(storage, space, ".", source, selected));
  hid_t dataset = sd_hdf5_made(w, H5Dcreate2(group, name, type, space, H5P_DEFAULT, storage, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(storage);
  return dataset;
}

/* Of samples x members x bodies x numbers those of one member; and the times, which all arrays have in common. */
static void put_array(sd_hdf5_writer *w, const particles *p, const sd_kept *a) {
  char path[192];
  hsize_t all[4], from[4] = {0, p->member}, taken[4], own[3];
  for (int i = 0; i < a->rank; i++) all[i] = taken[i] = a->shape[i];
  taken[1] = 1;
  own[0] = all[0], own[1] = all[2], own[2] = all[3];
  hid_t group = sd_hdf5_make_group(w, p->particles, a->name), space = sd_hdf5_made(w, H5Screate_simple(4, all, NULL));
  sd_hdf5_done(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, taken, NULL));
  hid_t value = put_virtual(w, group, "value", H5T_IEEE_F64LE, 3, own, path_of_array(p, a->name, "value", path), space);
  sd_hdf5_put_text(w, value, "units", a->units);
  sd_hdf5_put_text(w, value, "description", a->text);
  for (int i = 0; i < 2; i++) {
    const char *axis = i ? "time" : "step";
    sd_hdf5_done(
        w, H5Lcreate_hard(p->particles, path_of_array(p, a->name, axis, path), group, axis, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Dclose(value);
  H5Sclose(space);
  H5Gclose(group);
}

static void put_box(sd_hdf5_writer *w, hid_t group) {
  static const char *const boundary[] = {"none", "none", "none"};
  hid_t box = sd_hdf5_make_group(w, group, "box");
  sd_hdf5_put_attribute(w, box, "dimension", H5T_NATIVE_INT32, 1, &(int32_t){3});
  sd_hdf5_put_texts(w, box, "boundary", 3, boundary);
  H5Gclose(box);
}

/* Of bodies that are those of every member. */
static void link_bodies(sd_hdf5_writer *w, const particles *p) {
  static const char *const names[] = {"species", "mass", "diameter", "inertia"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32], path[192];
    snprintf(name, sizeof name, "topology/%s", names[i]);
    sd_hdf5_done(
        w, H5Lcreate_hard(p->particles, path_in_run(p, name, path), p->particles, names[i], H5P_DEFAULT, H5P_DEFAULT));
  }
}

/* Pairs of bodies, and whose they are. */
static void put_bonds(sd_hdf5_writer *w, const particles *p, hid_t connectivity, const char *name, size_t bonds) {
  char path[192];
  const hsize_t size[2] = {bonds, 2};
  hobj_ref_t whose;
  hid_t space = sd_hdf5_made(w, H5Screate_simple(2, size, NULL));
  hid_t dataset =
      put_virtual(w, connectivity, name, H5T_STD_U32LE, 2, size, path_in_run(p, "topology/bonds", path), space);
  sd_hdf5_done(w, H5Rcreate(&whose, p->particles, ".", H5R_OBJECT, -1));
  sd_hdf5_put_attribute(w, dataset, "particles_group", H5T_STD_REF_OBJ, 1, &whose);
  H5Dclose(dataset);
  H5Sclose(space);
}

static void put_member(sd_hdf5_writer *w, particles *p, hid_t file, hid_t connectivity) {
  sd_kept a;
  const sd_specification *spec = p->result->spec;
  const char *method = sd_result_summary(p->result, p->method)->method;
  size_t bonds = sd_topology_of(spec->topology)->size.bonds;
  char name[128], path[160];
  snprintf(name, sizeof name, "run%zu.%s.member%zu", p->run, method, spec->first_member + p->member);
  snprintf(path, sizeof path, "particles/%s", name);
  p->particles = sd_hdf5_make_group(w, file, path);
  sd_hdf5_put_text(w, p->particles, "method", method);
  put_box(w, p->particles);
  for (size_t k = sd_kept_trajectories(p->result); !w->failed && k < sd_kept_points(p->result); k++)
    if (sd_kept_at(p->result, p->method, k, &a) && a.per_body) put_array(w, p, &a);
  if (!sd_is_varied(spec)) link_bodies(w, p);
  if (bonds) put_bonds(w, p, connectivity, name, bonds);
  H5Gclose(p->particles);
}

/* A group of the file's, the first time it is asked for. */
static hid_t open_group(sd_hdf5_writer *w, hid_t file, const char *name) {
  int is_there = H5Lexists(file, name, H5P_DEFAULT) > 0;
  return is_there ? sd_hdf5_made(w, H5Gopen2(file, name, H5P_DEFAULT)) : sd_hdf5_make_group(w, file, name);
}

void sd_hdf5_put_particles(sd_hdf5_writer *w, hid_t file, const sd_result *result, size_t run) {
  size_t members = result->spec->recorded, most = SD_HDF5_PARTICLES_MOST;
  if (!result->spec->topology || !members) return;
  hid_t group = open_group(w, file, "particles"), connectivity = open_group(w, file, "connectivity");
  particles p = {.result = result, .run = run};
  for (; p.method < sd_result_count(result); p.method++)
    for (p.member = 0; p.member < members && p.member < most && !w->failed; p.member++)
      put_member(w, &p, file, connectivity);
  H5Gclose(connectivity);
  H5Gclose(group);
}
