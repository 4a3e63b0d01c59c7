/* test_h5md.c - result files of systems as a reader of H5MD (1.1) finds its way in them, who knows nothing of us: by
 * /h5md, /particles, /connectivity alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "directory.h"
#include "results.h"

#include <hdf5.h>

enum { MEMBERS = 2, BODIES = 6, NAMES = 16 };

/* ---- a reader ---- */

static void read_attribute(hid_t object, const char *name, hid_t type, int count, void *to) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) fail_msg("there is no attribute %s", name);
  hid_t space = H5Aget_space(attribute);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Aread(attribute, type, to) >= 0);
  H5Sclose(space);
  H5Aclose(attribute);
}

static void assert_text_attribute(hid_t object, const char *name, int count, const char *text) {
  char *found[3];
  hid_t type = H5Tcopy(H5T_C_S1);
  assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
  read_attribute(object, name, type, count, found);
  for (int i = 0; i < count; i++) {
    assert_string_equal(found[i], text);
    H5free_memory(found[i]);
  }
  H5Tclose(type);
}

/* All of a dataset, whose shape is this; to be freed. */
static void *read_dataset(hid_t group, const char *name, hid_t type, int rank, const hsize_t *wanted) {
  hsize_t size[4] = {0};
  size_t count = 1;
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) fail_msg("there is no %s", name);
  hid_t space = H5Dget_space(dataset);
  assert_int_equal(H5Sget_simple_extent_ndims(space), rank);
  H5Sget_simple_extent_dims(space, size, NULL);
  for (int i = 0; i < rank; i++) {
    assert_int_equal(size[i], wanted[i]);
    count *= size[i];
  }
  void *numbers = malloc(count * H5Tget_size(type));
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return numbers;
}

static size_t list(hid_t group, char (*names)[64]) {
  H5G_info_t about;
  assert_true(group >= 0 && H5Gget_info(group, &about) >= 0 && about.nlinks <= NAMES);
  for (size_t i = 0; i < about.nlinks; i++)
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, names[i], 64, H5P_DEFAULT);
  return about.nlinks;
}

static void check_head(hid_t file) {
  int32_t version[2];
  hid_t h5md = H5Gopen2(file, "h5md", H5P_DEFAULT), creator = H5Gopen2(h5md, "creator", H5P_DEFAULT),
        author = H5Gopen2(h5md, "author", H5P_DEFAULT);
  read_attribute(h5md, "version", H5T_NATIVE_INT32, 2, version);
  assert_int_equal(version[0], 1);
  assert_int_equal(version[1], 1);
  assert_text_attribute(creator, "name", 1, "spindrift");
  assert_true(H5Aexists(creator, "version") > 0 && H5Aexists(author, "name") > 0);
  H5Gclose(author);
  H5Gclose(creator);
  H5Gclose(h5md);
}

static void check_box(hid_t particles) {
  int32_t dimension;
  hid_t box = H5Gopen2(particles, "box", H5P_DEFAULT);
  read_attribute(box, "dimension", H5T_NATIVE_INT32, 1, &dimension);
  assert_int_equal(dimension, 3);
  assert_text_attribute(box, "boundary", 3, "none");
  H5Gclose(box);
}

/* step, time, value; and the numbers are those of the member. */
static void check_element(hid_t particles, const char *name, const sd_result *result, size_t m, size_t member,
                          const char *id, size_t width) {
  sd_view view = {.size = sizeof view};
  for (size_t k = 0; !view.id || strcmp(view.id, id); k++)
    assert_int_equal(sd_result_trajectory(result, m, k, &view), SD_OK);
  const hsize_t size[] = {view.shape[0], BODIES, width};
  hid_t element = H5Gopen2(particles, name, H5P_DEFAULT);
  double *time = read_dataset(element, "time", H5T_NATIVE_DOUBLE, 1, size),
         *value = read_dataset(element, "value", H5T_NATIVE_DOUBLE, 3, size);
  int64_t *step = read_dataset(element, "step", H5T_NATIVE_INT64, 1, size);
  for (size_t k = 0; k < size[0]; k++) {
    const double *row = view.data + k * view.stride[0] + member * view.stride[1];
    assert_true(time[k] == sd_result_trajectory_time(result, k));
    assert_int_equal(step[k], 5 * k);
    for (size_t b = 0; b < BODIES; b++)
      for (size_t i = 0; i < width; i++)
        assert_memory_equal(&value[(k * BODIES + b) * width + i], &row[b * view.stride[2] + i * view.stride[3]],
                            sizeof(double));
  }
  free(step);
  free(value);
  free(time);
  H5Gclose(element);
}

/* Every bond of the ring, and the group that they are of. */
static void check_bonds(hid_t file, const char *name) {
  char whose[128], wanted[128];
  const hsize_t size[] = {BODIES, 2};
  hobj_ref_t reference;
  hid_t connectivity = H5Gopen2(file, "connectivity", H5P_DEFAULT), bonds = H5Dopen2(connectivity, name, H5P_DEFAULT);
  uint32_t *pair = read_dataset(connectivity, name, H5T_NATIVE_UINT32, 2, size);
  for (size_t k = 0; k < BODIES; k++) {
    uint32_t distance = (pair[2 * k + 1] + BODIES - pair[2 * k]) % BODIES;
    assert_true(pair[2 * k] < BODIES && (distance == 1 || distance == BODIES - 1));
  }
  read_attribute(bonds, "particles_group", H5T_STD_REF_OBJ, 1, &reference);
  hid_t group = H5Rdereference2(bonds, H5P_DEFAULT, H5R_OBJECT, &reference);
  assert_true(H5Iget_name(group, whose, sizeof whose) > 0);
  snprintf(wanted, sizeof wanted, "/particles/%s", name);
  assert_string_equal(whose, wanted);
  H5Gclose(group);
  H5Dclose(bonds);
  H5Gclose(connectivity);
  free(pair);
}

/* ---- what it finds ---- */

static sd_result *run(const char *extra, const char *value) {
  static const char *const settings[][2] = {
      {"problem", "torus"}, {"param", "n=6"}, {"method", "vlv,rrp"}, {"members", "4"},   {"first-member", "10"},
      {"steps", "20"},      {"every", "5"},   {"threads", "1"},      {"backend", "cpu"}, {"step", "0.001"}};
  sd_plan *plan;
  sd_result *result = NULL;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (sd_plan_set(plan, settings[i][0], settings[i][1])) fail_msg("%s", sd_plan_message(plan));
  if (sd_plan_set(plan, extra, value) || sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  sd_plan_destroy(plan);
  return result;
}

/* Two runs in a file: of systems, and the same once more. */
static void test_trajectories_of_systems(void **state) {
  (void)state;
  char names[NAMES][64];
  sd_error error = {0};
  sd_result *result = run("trajectories", "2");
  const sd_result *const results[] = {result, result};
  if (sd_results_write_hdf5(results, 2, path, &error)) fail_msg("%s", error.message);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), group = H5Gopen2(file, "particles", H5P_DEFAULT);
  check_head(file);
  assert_int_equal(list(group, names), 2 * 2 * MEMBERS);
  for (size_t i = 0; i < 2 * 2 * MEMBERS; i++) {
    char wanted[64];
    const hsize_t size[] = {BODIES};
    size_t member = i % MEMBERS, m = i / MEMBERS % 2; /* by name: rrp before vlv */
    const char *method = m ? "vlv" : "rrp";
    snprintf(wanted, sizeof wanted, "run%zu.%s.member%zu", i / (2 * MEMBERS), method, 10 + member);
    assert_string_equal(names[i], wanted);
    m = strcmp(sd_result_summary(result, 0)->method, method) ? 1 : 0;
    hid_t particles = H5Gopen2(group, names[i], H5P_DEFAULT);
    check_box(particles);
    check_element(particles, "position", result, m, member, "x", 3);
    check_element(particles, "velocity", result, m, member, "v", 3);
    check_element(particles, "orientation", result, m, member, "orientation", 4);
    free(read_dataset(particles, "species", H5T_NATIVE_INT32, 1, size));
    free(read_dataset(particles, "mass", H5T_NATIVE_DOUBLE, 1, size));
    check_bonds(file, names[i]);
    H5Gclose(particles);
  }
  H5Gclose(group);
  H5Fclose(file);
  sd_result_destroy(result);
}

/* Without trajectories there are no particles. */
static void test_what_is_left_out(void **state) {
  (void)state;
  sd_result *result = run("final", "2");
  write_result(result);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(H5Lexists(file, "particles", H5P_DEFAULT) == 0);
  check_head(file);
  H5Fclose(file);
  sd_result_destroy(result);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
  const struct CMUnitTest tests[] = {TEST(test_trajectories_of_systems), TEST(test_what_is_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
