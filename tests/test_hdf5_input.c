/* test_hdf5_input.c - what users give in HDF5: starts of members and systems, against the same as text; what is
 * refused, and in which words; files that are cut short or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "directory.h"

#include "../host/input.h"
#include "../host/run.h"
#include "../host/starts_file.h"
#include "../host/system_tables.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>

/* ---- files ---- */

static hid_t begin(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

/* Of any type, in chunks that are packed, or in one piece; NaN in place of a number is written as such. */
typedef struct {
  const char *name;
  int rank;
  hsize_t size[4];
  const double *number;
  hid_t type; /* 0: double */
  int packed;
} dataset;

static hid_t storage_for(const dataset *d) {
  hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
  if (d->packed &&
      (H5Pset_chunk(storage, d->rank, d->size) < 0 || H5Pset_shuffle(storage) < 0 || H5Pset_deflate(storage, 6) < 0))
    fail_msg("no chunks");
  return storage;
}

static void put(hid_t file, dataset d) {
  hid_t groups = H5Pcreate(H5P_LINK_CREATE),
        space = d.rank ? H5Screate_simple(d.rank, d.size, NULL) : H5Screate(H5S_SCALAR), storage = storage_for(&d);
  H5Pset_create_intermediate_group(groups, 1);
  hid_t set = H5Dcreate2(file, d.name, d.type ? d.type : H5T_IEEE_F64LE, space, groups, storage, H5P_DEFAULT);
  if (set < 0 || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.number) < 0) fail_msg("%s", d.name);
  H5Dclose(set);
  H5Pclose(storage);
  H5Sclose(space);
  H5Pclose(groups);
}

static void put_attribute(hid_t file, dataset d) {
  hid_t space = d.rank ? H5Screate_simple(d.rank, d.size, NULL) : H5Screate(H5S_SCALAR),
        attribute = H5Acreate2(file, d.name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Awrite(attribute, H5T_NATIVE_DOUBLE, d.number) < 0) fail_msg("%s", d.name);
  H5Aclose(attribute);
  H5Sclose(space);
}

#define NUMBERS(...) ((const double[]){__VA_ARGS__})
#define PUT(file, called, rank, size, ...) put(file, (dataset){called, rank, {SIZE size}, NUMBERS(__VA_ARGS__), 0, 0})
#define SIZE(...) __VA_ARGS__

/* ---- starts ---- */

enum { ROWS = 6 };

/* Numbers that need all their digits, and one that is not given. */
static void fill(double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) numbers[i] = ldexp((double)(0x9e3779b97f4a7c15u * (i + 1) >> 11), -52);
}

static void write_csv(const char *name, const char *header, const double *numbers, size_t columns) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fprintf(file, "%s\n", header);
  for (size_t i = 0; i < ROWS * columns; i++) {
    if (!isnan(numbers[i])) fprintf(file, "%.17g", numbers[i]);
    putc((i + 1) % columns ? ',' : '\n', file);
  }
  fclose(file);
}

static void digest_of(const char *option, const char *file, char digest[33]) {
  static const char *const settings[][2] = {{"method", "vlv"}, {"steps", "4"}, {"threads", "1"}, {"backend", "cpu"}};
  sd_plan *plan;
  sd_result *result = NULL;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    assert_int_equal(sd_plan_set(plan, settings[i][0], settings[i][1]), SD_OK);
  if (!strcmp(option, "problem")) assert_int_equal(sd_plan_set(plan, "members", "3"), SD_OK);
  if (sd_plan_set(plan, option, file) || sd_run(plan, &result)) fail_msg("%s", sd_plan_message(plan));
  strcpy(digest, sd_result_digest(result));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
}

/* Three columns of J, and alpha, which not everyone has. */
static void test_starts_are_those_of_a_text(void **state) {
  (void)state;
  double numbers[ROWS][4], moments[ROWS][3], alpha[ROWS];
  char csv[96], digests[2][33];
  sd_error error = {0};
  sd_table text, found;
  fill(&numbers[0][0], (size_t)ROWS * 4);
  for (size_t i = 0; i < ROWS; i++) {
    for (int k = 0; k < 3; k++) moments[i][k] = numbers[i][k] += 2;
    alpha[i] = numbers[i][3] = i == 2 ? NAN : i == 4 ? 0 : numbers[i][3];
  }
  snprintf(csv, sizeof csv, "%s.csv", path);
  write_csv(csv, "J.1,J.2,J.3,alpha", &numbers[0][0], 4);
  if (sd_table_read(csv, &text, &error)) fail_msg("%s", error.message);
  digest_of("starts", csv, digests[0]);
  alpha[4] = -0.0; /* there is one zero */
  for (int form = 0; form < 4; form++) {
    hid_t file = begin();
    const char *group = form >= 2 ? "starts/" : "";
    char name[16];
    snprintf(name, sizeof name, "%salpha", group);
    put(file, (dataset){name, 1 + form % 2, {ROWS, 1}, alpha, form == 2 ? H5T_IEEE_F64BE : 0, form == 1});
    snprintf(name, sizeof name, "%sJ", group);
    if (form < 3) put(file, (dataset){name, 2, {ROWS, 3}, &moments[0][0], 0, form == 1});
    for (int k = 0; k < 3 && form == 3; k++) { /* column by column */
      double column[ROWS];
      for (size_t i = 0; i < ROWS; i++) column[i] = moments[i][k];
      snprintf(name, sizeof name, "%sJ.%d", group, k + 1);
      put(file, (dataset){name, 1, {ROWS}, column, 0, 0});
    }
    if (*group) PUT(file, "others", 1, (2), 1, 2);
    H5Fclose(file);
    if (sd_table_read(path, &found, &error)) fail_msg("%s", error.message);
    assert_string_equal(found.columns, text.columns);
    assert_true(sd_starts_equal(&found.rows, &text.rows) || isnan(text.rows.number[11]));
    for (size_t i = 0; i < ROWS * 4; i++)
      assert_true(isnan(text.rows.number[i]) ? isnan(found.rows.number[i])
                                             : !memcmp(&found.rows.number[i], &text.rows.number[i], sizeof(double)));
    digest_of("starts", path, digests[1]);
    assert_string_equal(digests[0], digests[1]);
    sd_starts_destroy(&found.rows);
  }
  sd_starts_destroy(&text.rows);
}

static void test_any_type_of_number(void **state) {
  (void)state;
  const hid_t types[] = {H5T_STD_I8LE, H5T_STD_U16BE, H5T_STD_I32LE, H5T_STD_U64LE, H5T_IEEE_F32LE, H5T_IEEE_F32BE};
  sd_error error = {0};
  sd_table found;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    hid_t file = begin();
    put(file, (dataset){"alpha", 1, {3}, NUMBERS(1, 2, 100), types[k], 0});
    H5Fclose(file);
    if (sd_table_read(path, &found, &error)) fail_msg("%s", error.message);
    assert_int_equal(found.rows.count, 3);
    for (size_t i = 0; i < 3; i++) assert_true(found.rows.number[i] == NUMBERS(1, 2, 100)[i]);
    sd_starts_destroy(&found.rows);
  }
}

static void refused_starts(const char *says) {
  sd_error error = {0};
  sd_table found;
  assert_int_equal(sd_table_read(path, &found, &error), SD_BAD_INPUT);
  assert_clear(&error, says);
}

static void test_starts_that_are_refused(void **state) {
  (void)state;
  const struct {
    dataset d;
    const char *says;
  } wrong[] = {{{"alpha", 1, {2}, (const double[]){1, INFINITY}, 0, 0}, "dataset alpha: row 1: not a finite number"},
               {{"alpha", 2, {2, 2}, (const double[]){1, 2, -INFINITY, 3}, 0, 0}, "dataset alpha: row 1: not a finite"},
               {{"alpha", 0, {0}, (const double[]){1}, 0, 0}, "dataset alpha: one number; expected a row"},
               {{"alpha", 3, {1, 1, 2}, (const double[]){1, 2}, 0, 0}, "dataset alpha: 1 x 1 x 2; expected a row"},
               {{"alpha", 4, {1, 1, 1, 1}, (const double[]){1}, 0, 0}, "dataset alpha: it has 4 axes"},
               {{"al pha", 1, {2}, (const double[]){1, 2}, 0, 0}, "dataset al pha: no name of a column"},
               {{"zeta", 1, {1}, (const double[]){1}, 0, 0}, "dataset zeta: 1 rows, and dataset m has 2"},
               {{"wide", 2, {1, 49}, (const double[49]){0}, 0, 0}, "dataset wide: more columns than"},
               {{"some/more", 1, {1}, (const double[]){1}, 0, 0}, "some: it is no dataset"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    hid_t file = begin();
    put(file, wrong[i].d);
    if (*wrong[i].d.name == 'z') PUT(file, "m", 1, (2), 1, 2);
    H5Fclose(file);
    refused_starts(wrong[i].says);
  }
  H5Fclose(begin());
  refused_starts("it has no datasets");
}

/* Not even by a way through another file that is in order. */
static void test_no_way_leads_elsewhere(void **state) {
  char other[256];
  (void)state;
  snprintf(other, sizeof other, "%s.other", path);
  hid_t file = begin();
  PUT(file, "alpha", 1, (2), 1, 2);
  H5Fclose(file);
  assert_int_equal(rename(path, other), 0);
  file = begin();
  assert_true(H5Lcreate_external(other, "/", file, "starts", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  refused_starts("starts: it is in another file");
  file = begin();
  assert_true(H5Lcreate_external(other, "/", file, "away", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Gclose(H5Gcreate2(file, "starts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  assert_true(H5Lcreate_soft("/away/alpha", file, "starts/alpha", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  refused_starts("alpha: HDF5");
  remove(other);
}

static void test_what_is_elsewhere_is_refused(void **state) {
  (void)state;
  hid_t file = begin();
  assert_true(H5Lcreate_external("/etc/passwd", "/", file, "alpha", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  refused_starts("alpha: it is in another file");
  file = begin();
  assert_true(H5Lcreate_soft("/nothing", file, "alpha", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  refused_starts("alpha: HDF5");
  file = begin();
  hid_t storage = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, (const hsize_t[]){4}, NULL);
  assert_true(H5Pset_external(storage, "/etc/passwd", 0, 32) >= 0);
  H5Dclose(H5Dcreate2(file, "alpha", H5T_IEEE_F64LE, space, H5P_DEFAULT, storage, H5P_DEFAULT));
  H5Pclose(storage);
  H5Dclose(H5Dcreate2(file, "beta", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  refused_starts("dataset alpha: its numbers are in other files");
  file = begin();
  H5Dclose(H5Dcreate2(file, "beta", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  refused_starts("dataset beta: it has no plain numbers");
}

/* ---- systems ---- */

static const char written[] = "species row0 mass 1 J 0.1 0.2 0.25 diameter 1\n"
                              "species row2 mass 8.000000000000002 J 0.1 0.2 0.25 diameter 2\n"
                              "body row0 0.5 0 0 -1 0 0 1 0 0 0 0 0 0\n"
                              "body row0 1.5 0 0 -1 0 0 1 0 0 0 0 0 0\n"
                              "body row2 4.1 0.3333333333333333 -4.94065645841247e-324 -1 0 0 1 0 0 0 0 0 1e+300\n"
                              "bond 0 1\n"
                              "bond 2 1 5 100 50\n"
                              "Kp 1000\n"
                              "wall 1 0 0 0\n"
                              "wall 0 1 0 -9\n";

static void write_system(void) {
  hid_t file = begin();
  PUT(file, "bodies/position", 2, (3, 3), 0.5, 0, 0, 1.5, 0, 0, 4.1, 1.0 / 3, -4.9406564584124654e-324);
  PUT(file, "bodies/velocity", 1, (3), -1, 0, 0);
  PUT(file, "bodies/omega", 2, (3, 3), 0, 0, 0, 0, 0, -0.0, 0, 0, 1e300);
  PUT(file, "bodies/mass", 1, (3), 1, 1, 8.0000000000000018);
  PUT(file, "bodies/inertia", 1, (3), 0.1, 0.2, 0.25);
  PUT(file, "bodies/diameter", 2, (3, 1), 1, 1, 2);
  put(file, (dataset){"bonds/pair", 2, {2, 2}, NUMBERS(0, 1, 2, 1), H5T_STD_U8LE, 0});
  PUT(file, "bonds/stiffness", 2, (2, 3), NAN, NAN, NAN, 5, 100, 50);
  put_attribute(file, (dataset){"Kp", 0, {0}, NUMBERS(1000), 0, 0});
  put_attribute(file, (dataset){"wall", 2, {2, 4}, NUMBERS(1, 0, 0, 0, 0, 1, 0, -9), 0, 0});
  H5Fclose(file);
}

static void test_a_system_is_its_text(void **state) {
  (void)state;
  sd_document *made;
  sd_error error = {0};
  write_system();
  if (sd_system_read(path, &made, &error)) fail_msg("%s", error.message);
  assert_string_equal(sd_document_bytes(made), written);
  sd_document_let_go(made);
}

/* Dumbbells whose points one of them has less of; as a run, with the name of a file for people. */
static void test_points_and_a_run(void **state) {
  (void)state;
  static const char text[] = "species row0 mass 1 J 0.01 0.13 0.135 point 0.35 0 0 0.5 point -0.35 0 0 0.5\n"
                             "species row1 mass 0.5 J 0.01 0.13 0.135 point 0 0 0 0.5\n"
                             "body row0 0 0 0\n"
                             "body row1 3 0 0\n"
                             "G 1\n";
  char name[96], other[96], digests[2][33];
  hid_t file = begin();
  PUT(file, "bodies/position", 2, (2, 3), 0, 0, 0, 3, 0, 0);
  PUT(file, "bodies/mass", 1, (2), 1, 0.5);
  PUT(file, "bodies/inertia", 1, (3), 0.01, 0.13, 0.135);
  PUT(file, "bodies/points", 3, (2, 2, 4), 0.35, 0, 0, 0.5, -0.35, 0, 0, 0.5, 0, 0, 0, 0.5, 9, 9, 9, 0);
  put_attribute(file, (dataset){"G", 1, {1}, NUMBERS(1), 0, 0});
  H5Fclose(file);
  snprintf(name, sizeof name, "%s.h5", path);
  snprintf(other, sizeof other, "%s.txt", path);
  assert_int_equal(rename(path, name), 0);
  write_content(other, text, strlen(text));
  digest_of("problem", name, digests[0]);
  digest_of("problem", other, digests[1]);
  assert_string_equal(digests[0], digests[1]);
}

static void refused_system(const char *says) {
  sd_document *made;
  sd_error error = {0};
  sd_plan *plan;
  char name[96];
  sd_status status = sd_system_read(path, &made, &error);
  snprintf(name, sizeof name, "%s.h5", path);
  assert_int_equal(rename(path, name), 0);
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  if (!sd_plan_set(plan, "problem", name) && !sd_plan_resolve(plan)) fail_msg("taken, but '%s'", says);
  if (!strstr(sd_plan_message(plan), says) || !strstr(sd_plan_message(plan), "file.h5: "))
    fail_msg("'%s' should say '%s'", sd_plan_message(plan), says);
  if (status) assert_clear(&error, says);
  else sd_document_let_go(made);
  sd_plan_destroy(plan);
}

/* In place of what is there; of size 0: gone. */
static void test_systems_that_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int rank;
    hsize_t size[3];
    double number[12];
    const char *says;
  } wrong[] = {
      {"bodies/position", 0, {0}, {0}, "there is no dataset bodies/position"},
      {"bodies/mass", 0, {0}, {0}, "there is no dataset bodies/mass"},
      {"bodies/inertia", 0, {0}, {0}, "there is no dataset bodies/inertia"},
      {"bonds/pair", 0, {0}, {0}, "there is no dataset bonds/pair"},
      {"bodies/position", 1, {3}, {0, 1, 2}, "dataset bodies/position: 3; expected N x 3"},
      {"bodies/position", 2, {3, 2}, {0, 1, 2, 3, 4, 5}, "dataset bodies/position: 3 x 2; expected N x 3"},
      {"bodies/position", 2, {2, 3}, {0}, "expected 2"},
      {"bodies/mass", 1, {2}, {1, 1}, "dataset bodies/mass: 2; expected 3, or one number for all"},
      {"bodies/mass", 1, {3}, {1, -1, 1}, "row 1 of bodies: mass: -1 is out of range"},
      {"bodies/mass", 1, {3}, {1, NAN, 1}, "dataset bodies/mass: row 1: not a finite number"},
      {"bodies/inertia", 1, {3}, {1, 1, 3}, "row 0 of bodies: J: 1 1 3 is no body's"},
      {"bodies/velocity",
       2,
       {3, 3},
       {0, 0, 0, 0, 0, 0, 0, 0, INFINITY},
       "dataset bodies/velocity: row 2: not a finite"},
      {"bodies/quaternion", 2, {3, 4}, {1, 0, 0, 0, 0, 0, 0, 0, 1}, "row 1 of bodies: its orientation is no rotation"},
      {"bodies/quaternion", 1, {3}, {1, 0, 0}, "dataset bodies/quaternion: 3; expected 3 x 4, or 4 for all"},
      {"bodies/omaga", 1, {3}, {1, 0, 0}, "dataset bodies/omaga: unknown; did you mean 'bodies/omega'?"},
      {"bodies/points", 2, {1, 3}, {1, 0, 0}, "dataset bodies/points: 1 x 3; expected 3 x P x 4, or P x 4 for all"},
      {"bodies/diameter", 1, {3}, {1, 1, 12}, "row 2 of bodies: bodies 1 and 2 start inside one another"},
      {"bonds/pair", 2, {2, 2}, {0, 1, 2, 3}, "dataset bonds/pair: row 1: there is no body 3: there are 3, from 0 on"},
      {"bonds/pair", 2, {2, 2}, {0, 1, -1, 2}, "dataset bonds/pair: row 1: there is no body -1"},
      {"bonds/pair", 2, {2, 2}, {0, 1, 1, 1.5}, "dataset bonds/pair: row 1: there is no body 1.5"},
      {"bonds/pair", 2, {2, 2}, {0, 1, 1, 1}, "row 1 of bonds: body 1 is bonded to itself"},
      {"bonds/pair", 2, {2, 2}, {0, 1, 1, 0}, "row 1 of bonds: bodies 0 and 1 are bonded twice"},
      {"bonds/pair", 2, {3, 2}, {0, 1, 1, 2, 0, 2}, "dataset bonds/stiffness: 2 x 3; expected 3 x 3, or 3 for all"},
      {"bonds/stiffness", 2, {2, 3}, {1, 1, 1, 1, NAN, 1}, "dataset bonds/stiffness: row 1: not a finite number"},
      {"bonds/stiffness", 2, {2, 3}, {1, 1, 1, 1, 1, -1}, "row 1 of bonds: stiffness: -1 is out of range"},
      {"bond/pair", 2, {1, 2}, {0, 1}, "'bond' is unknown; expected the groups bodies and bonds"},
      {"@Kx", 1, {1}, {1}, "unknown word 'Kx'; did you mean"},
      {"@Kp", 1, {2}, {1, 1}, "Kp: 2 numbers, expected 1"},
      {"@Kp", 1, {0}, {1}, "attribute Kp: it is empty"},
      {"@Kp", 1, {1}, {NAN}, "attribute Kp: not a finite number"},
      {"@body", 1, {1}, {1}, "attribute body: no name of a parameter"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *name = wrong[i].name;
    dataset d = {name, wrong[i].rank, {wrong[i].size[0], wrong[i].size[1], 1}, wrong[i].number, 0, 0};
    write_system();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (*name == '@') H5Adelete(file, ++d.name), put_attribute(file, d);
    else H5Ldelete(file, name, H5P_DEFAULT);
    if (*name != '@' && d.rank) put(file, d);
    H5Fclose(file);
    refused_system(wrong[i].says);
  }
}

static void test_no_hdf5_and_none_at_all(void **state) {
  (void)state;
  char name[96];
  sd_error error = {0};
  sd_document *made;
  snprintf(name, sizeof name, "%s.h5", path);
  assert_int_equal(sd_system_read(name, &made, &error), SD_BAD_INPUT);
  assert_clear(&error, "cannot be read: No such file");
  write_content(name, "body\n", 5);
  error = (sd_error){0};
  assert_int_equal(sd_system_read(name, &made, &error), SD_BAD_INPUT);
  assert_clear(&error, "it is no HDF5 file");
}

/* ---- damage ---- */

/* HDF5 that crashes as it opens a file. */
static int crashes;
hid_t __real_H5Fopen(const char *name, unsigned flags, hid_t access);
hid_t __wrap_H5Fopen(const char *name, unsigned flags, hid_t access);
hid_t __wrap_H5Fopen(const char *name, unsigned flags, hid_t access) {
  if (crashes) raise(SIGSEGV);
  return __real_H5Fopen(name, flags, access);
}

static void test_a_crash_is_not_ours(void **state) {
  (void)state;
  sd_input input;
  sd_error error = {0};
  write_system();
  crashes = 1;
  assert_int_equal(sd_input_read(path, SD_INPUT_SYSTEM, &input, &error), SD_BAD_INPUT);
  crashes = 0;
  assert_clear(&error, "HDF5 fails on it (signal 11): damaged");
}

/* A dataset that says it is larger, or in more pieces, than its file can hold. */
static void test_claims(void **state) {
  (void)state;
  const hsize_t many[] = {1 << 24}, one[] = {1};
  for (int chunked = 0; chunked < 2; chunked++) {
    hid_t file = begin(), space = H5Screate_simple(1, many, NULL), storage = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) PUT(file, "J", 1, (3), 1, 2, 3), H5Sset_extent_simple(space, 1, (hsize_t[]){1 << 19}, NULL);
    if (chunked) H5Pset_chunk(storage, 1, one);
    H5Dclose(H5Dcreate2(file, "alpha", H5T_IEEE_F64LE, space, H5P_DEFAULT, storage, H5P_DEFAULT));
    H5Pclose(storage);
    H5Sclose(space);
    H5Fclose(file);
    refused_starts(chunked ? "dataset alpha: more chunks than" : "dataset alpha: more numbers than");
  }
}

/* Read, or refused in one line that names the file. */
static int look(sd_input_kind kind) {
  sd_input input;
  sd_error error = {0};
  if (!sd_input_read(path, kind, &input, &error)) return sd_input_destroy(&input), 0;
  assert_int_equal(error.status, SD_BAD_INPUT);
  assert_clear(&error, ": ");
  return strstr(error.message, "HDF5 fails on it") ? 2 : 1;
}

static void damage(sd_input_kind kind, const char *what, int rounds) {
  content whole = read_content(path);
  unsigned char *copy = malloc(whole.size);
  int found[3] = {0};
  uint64_t random = 1;
  for (size_t size = 0; size < whole.size; size += 1 + whole.size / 100) {
    write_content(path, whole.byte, size);
    assert_int_not_equal(look(kind), 0);
  }
  for (int round = 0; round < rounds; round++) {
    memcpy(copy, whole.byte, whole.size);
    for (int flips = 1 << round % 4; flips; flips--) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      copy[(random >> 33) % whole.size] ^= (unsigned char)(1 << (random >> 29 & 7));
    }
    write_content(path, copy, whole.size);
    found[look(kind)]++;
  }
  print_message("%s, damaged %d times: %d read, %d refused by HDF5 or us, %d crashed HDF5\n", what, rounds, found[0],
                found[1], found[2]);
  free(copy);
  free(whole.byte);
}

static void test_damaged_files(void **state) {
  (void)state;
  const char *rounds = getenv("ROUNDS");
  int count = rounds ? atoi(rounds) : 100;
  double numbers[ROWS * 40];
  write_system();
  damage(SD_INPUT_SYSTEM, "a system", count);
  fill(numbers, ROWS * 40);
  hid_t file = begin();
  put(file, (dataset){"J", 2, {ROWS, 3}, numbers, 0, 1});
  put(file, (dataset){"attitude", 2, {ROWS, 4}, numbers, 0, 1});
  put(file, (dataset){"velocity", 2, {ROWS, 3}, numbers, 0, 0});
  for (int k = 0; k < 20; k++) {
    char name[16];
    snprintf(name, sizeof name, "c%d", k);
    put(file, (dataset){name, 1, {ROWS}, numbers, H5T_IEEE_F32LE, k % 2});
  }
  H5Fclose(file);
  damage(SD_INPUT_STARTS, "starts", count);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
  const struct CMUnitTest tests[] = {
      TEST(test_starts_are_those_of_a_text),
      TEST(test_any_type_of_number),
      TEST(test_starts_that_are_refused),
      TEST(test_what_is_elsewhere_is_refused),
      TEST(test_no_way_leads_elsewhere),
      TEST(test_a_system_is_its_text),
      TEST(test_points_and_a_run),
      TEST(test_systems_that_are_refused),
      TEST(test_no_hdf5_and_none_at_all),
      TEST(test_a_crash_is_not_ours),
      TEST(test_claims),
      TEST(test_damaged_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
