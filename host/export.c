/* export.c - a scene as extended XYZ, one file with all samples; and as VTK's PolyData, a file for each sample and one
 * that lists them with their times.  Where there are some, also its elements over time, as comma-separated values. */
#include "export.h"

#include "safe_file.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const sd_scene *scene;
  const char *base; /* of the names of files */
  sd_error *error;
} exporter;

/* ---- files ---- */

static sd_status write_at(const sd_safe_file *file, sd_text *text, uint64_t offset, sd_error *error) {
  size_t size = text->length;
  char *bytes = sd_text_take(text);
  if (!bytes) return sd_fail(error, SD_NO_MEMORY, "export: out of memory");
  sd_status status = sd_safe_file_write(file, bytes, size, offset, error);
  free(bytes);
  return status;
}

/* A whole file, unless something is there that is not ours. */
static sd_status write_file(const exporter *e, const char *name, const char *magic, sd_text *text) {
  sd_safe_file file;
  sd_status status = sd_file_check_ours(name, "", magic, "a file of ours", e->error);
  if (!status) status = sd_safe_file_open(&file, name, e->error);
  if (status) return free(sd_text_take(text)), status;
  status = write_at(&file, text, 0, e->error);
  return sd_safe_file_close(&file, status, SD_REPLACE, e->error);
}

/* The name with this behind it; to be freed, or NULL. */
static char *name_with(const exporter *e, const char *format, size_t number) {
  sd_text text = {0};
  char ending[32];
  snprintf(ending, sizeof ending, format, number);
  sd_text_add(&text, "%s%s", e->base, ending);
  char *name = sd_text_take(&text);
  if (!name) sd_fail(e->error, SD_NO_MEMORY, "export: out of memory");
  return name;
}

static void add_numbers(sd_text *to, const double *number, int count) {
  for (int k = 0; k < count; k++) sd_text_add(to, " %.17g", number[k]);
}

/* ---- extended XYZ ---- */

static const char xyz_head[] = "Properties=species:S:1:pos:R:3";

static int has_rotation(const sd_scene *s) {
  return sd_scene_has(s, SD_ROLE_ORIENTATION) || sd_scene_has(s, SD_ROLE_ROTATION);
}

/* Quaternions have their real part last, as readers of this format want them. */
static void add_frame(sd_text *to, const sd_scene *s, size_t sample) {
  int moves = sd_scene_has(s, SD_ROLE_SPEED), rotates = has_rotation(s), turns = sd_scene_has(s, SD_ROLE_TURNING);
  const sd_topology *t = sd_scene_topology(s);
  sd_text_add(to, "%zu\n%s%s%s%s%s Time=%.17g\n", sd_scene_bodies(s), xyz_head, moves ? ":velo:R:3" : "",
              rotates ? ":orientation:R:4" : "", turns ? ":angular_velocity:R:3" : "", t ? ":radius:R:1:mass:R:1" : "",
              sd_scene_time(s, sample));
  for (size_t b = 0; b < sd_scene_bodies(s); b++) {
    sd_scene_body body;
    sd_scene_body_at(s, sample, b, &body);
    const double *q = body.orientation, last[4] = {q[1], q[2], q[3], q[0]};
    sd_text_add(to, "%s", sd_scene_species(s, body.species));
    add_numbers(to, body.place, 3);
    if (moves) add_numbers(to, body.velocity, 3);
    if (rotates) add_numbers(to, last, 4);
    if (turns) add_numbers(to, body.turning, 3);
    if (t) add_numbers(to, (double[]){0.5 * body.diameter, body.mass}, 2);
    sd_text_add(to, "\n");
  }
}

/* A file that is there is ours if its second line begins as ours do. */
static sd_status check_xyz(const char *name, sd_error *error) {
  char first[32] = "", second[sizeof xyz_head] = "";
  SD_TRY(sd_file_check_regular(name, error));
  FILE *file = fopen(name, "r");
  if (!file) return SD_OK; /* there is none, or whoever opens it to write will say what is wrong */
  int empty = !fgets(first, sizeof first, file);
  int ours = empty || (fgets(second, sizeof second, file) && !strcmp(second, xyz_head));
  fclose(file);
  if (ours) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s: something else is there, which is not replaced; name another, or remove it",
                 sd_path_shown(name));
}

static sd_status write_frames(const exporter *e, const sd_safe_file *file) {
  uint64_t offset = 0;
  for (size_t k = 0; k < sd_scene_samples(e->scene); k++) {
    sd_text text = {0};
    add_frame(&text, e->scene, k);
    uint64_t size = text.length;
    SD_TRY(write_at(file, &text, offset, e->error));
    offset += size;
  }
  return SD_OK;
}

static sd_status export_xyz(const exporter *e) {
  sd_safe_file file;
  char *name = name_with(e, ".xyz", 0);
  if (!name) return SD_NO_MEMORY;
  sd_status status = check_xyz(name, e->error);
  if (!status) status = sd_safe_file_open(&file, name, e->error);
  free(name);
  if (status) return status;
  return sd_safe_file_close(&file, write_frames(e, &file), SD_REPLACE, e->error);
}

/* ---- VTK ---- */

static const char vtk_magic[] = "<?xml version=\"1.0\"?>\n<VTKFile type=";

static void begin_array(sd_text *to, const char *type, const char *name, int components) {
  sd_text_add(to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type, name,
              components);
}
static void end_array(sd_text *to) {
  sd_text_add(to, "</DataArray>\n");
}

/* One number or several of each body, from where it is in its description. */
static void add_array(sd_text *to, const sd_scene *s, size_t sample, const char *name, size_t offset, int components) {
  begin_array(to, "Float64", name, components);
  for (size_t b = 0; b < sd_scene_bodies(s); b++) {
    sd_scene_body body;
    sd_scene_body_at(s, sample, b, &body);
    add_numbers(to, (const double *)((const char *)&body + offset), components);
    sd_text_add(to, "\n");
  }
  end_array(to);
}

static void add_points(sd_text *to, const sd_scene *s, size_t sample) {
#define BODY(member, name, count) add_array(to, s, sample, name, offsetof(sd_scene_body, member), count)
  sd_text_add(to, "<PointData>\n");
  if (sd_scene_has(s, SD_ROLE_SPEED)) BODY(velocity, "velocity", 3);
  if (has_rotation(s)) BODY(orientation, "orientation", 4);
  if (sd_scene_has(s, SD_ROLE_TURNING)) BODY(turning, "angular_velocity", 3);
  if (sd_scene_topology(s)) BODY(diameter, "diameter", 1);
  if (sd_scene_topology(s)) BODY(mass, "mass", 1);
  begin_array(to, "UInt32", "species", 1);
  for (size_t b = 0; b < sd_scene_bodies(s); b++)
    sd_text_add(to, "%u\n", sd_scene_topology(s) ? sd_scene_topology(s)->species_of[b] : 0);
  end_array(to);
  sd_text_add(to, "</PointData>\n<Points>\n");
  BODY(place, "Points", 3);
  sd_text_add(to, "</Points>\n");
#undef BODY
}

/* Every body is a vertex, every bond a line. */
static void add_cells(sd_text *to, const sd_scene *s) {
  const sd_topology *t = sd_scene_topology(s);
  size_t bodies = sd_scene_bodies(s), bonds = t ? t->size.bonds : 0;
  sd_text_add(to, "<Verts>\n");
  begin_array(to, "Int64", "connectivity", 1);
  for (size_t b = 0; b < bodies; b++) sd_text_add(to, "%zu\n", b);
  end_array(to);
  begin_array(to, "Int64", "offsets", 1);
  for (size_t b = 0; b < bodies; b++) sd_text_add(to, "%zu\n", b + 1);
  end_array(to);
  sd_text_add(to, "</Verts>\n<Lines>\n");
  begin_array(to, "Int64", "connectivity", 1);
  for (size_t k = 0; k < bonds; k++) sd_text_add(to, "%u %u\n", t->low[k], t->high[k]);
  end_array(to);
  begin_array(to, "Int64", "offsets", 1);
  for (size_t k = 0; k < bonds; k++) sd_text_add(to, "%zu\n", 2 * (k + 1));
  end_array(to);
  sd_text_add(to, "</Lines>\n");
}

static void add_polydata(sd_text *to, const sd_scene *s, size_t sample) {
  size_t bodies = sd_scene_bodies(s), bonds = sd_scene_topology(s) ? sd_scene_topology(s)->size.bonds : 0;
  sd_text_add(to, "%s\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n<FieldData>\n", vtk_magic);
  sd_text_add(to,
              "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\n%.17g\n"
              "</DataArray>\n</FieldData>\n",
              sd_scene_time(s, sample));
  sd_text_add(to, "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\">\n", bodies, bodies,
              bonds);
  add_points(to, s, sample);
  add_cells(to, s);
  sd_text_add(to, "</Piece>\n</PolyData>\n</VTKFile>\n");
}

/* In XML. */
static void add_escaped(sd_text *to, const char *text) {
  for (; *text; text++) {
    const char *special = strchr("&<>\"", *text);
    if (special) sd_text_add(to, "&#%d;", *text);
    else sd_text_add(to, "%c", *text);
  }
}

/* Names are relative to where it is. */
static void add_series(sd_text *to, const exporter *e) {
  const char *slash = strrchr(e->base, '/'), *base = slash ? slash + 1 : e->base;
  sd_text_add(to, "%s\"Collection\" version=\"0.1\">\n<Collection>\n", vtk_magic);
  for (size_t k = 0; k < sd_scene_samples(e->scene); k++) {
    sd_text_add(to, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", sd_scene_time(e->scene, k));
    add_escaped(to, base);
    sd_text_add(to, "-%06zu.vtp\"/>\n", k);
  }
  sd_text_add(to, "</Collection>\n</VTKFile>\n");
}

static sd_status export_vtk(const exporter *e) {
  sd_status status = SD_OK;
  for (size_t k = 0; k <= sd_scene_samples(e->scene) && !status; k++) {
    int last = k == sd_scene_samples(e->scene);
    sd_text text = {0};
    char *name = name_with(e, last ? ".pvd" : "-%06zu.vtp", k);
    if (!name) return SD_NO_MEMORY;
    if (last) add_series(&text, e);
    else add_polydata(&text, e->scene, k);
    status = write_file(e, name, vtk_magic, &text);
    free(name);
  }
  return status;
}

/* ---- elements ---- */

static sd_status export_elements(const exporter *e) {
  static const char head[] = "time,a,e,i,node,peri,M\n";
  sd_text text = {0};
  double element[6];
  if (!sd_scene_elements(e->scene, 0, element))
    return sd_fail(e->error, SD_BAD_INPUT, "format: elements are of point masses, which these are not");
  sd_text_add(&text, "%s", head);
  for (size_t k = 0; k < sd_scene_samples(e->scene); k++) {
    sd_scene_elements(e->scene, k, element);
    sd_text_add(&text, "%.17g", sd_scene_time(e->scene, k));
    for (int i = 0; i < 6; i++) sd_text_add(&text, ",%.17g", element[i]);
    sd_text_add(&text, "\n");
  }
  char *name = name_with(e, ".csv", 0);
  sd_status status = name ? write_file(e, name, head, &text) : SD_NO_MEMORY;
  free(name);
  return status;
}

/* ---- any of them ---- */

static const struct {
  const char *name, *ending;
  sd_status (*write)(const exporter *e);
} formats[] = {{"xyz", ".xyz", export_xyz}, {"vtk", ".pvd", export_vtk}, {"elements", ".csv", export_elements}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* A name without the ending of a result or of what it is exported to; to be freed, or NULL. */
static char *base_of(const char *path) {
  static const char *const endings[] = {".h5", ".hdf5", ".xyz", ".pvd", ".vtp", ".csv"};
  char *base = strdup(path);
  size_t length = strlen(path);
  for (size_t i = 0; base && i < sizeof endings / sizeof *endings; i++) {
    size_t end = strlen(endings[i]);
    if (length > end && !strcmp(path + length - end, endings[i])) return base[length - end] = 0, base;
  }
  return base;
}

static sd_status write_scene(int format, const sd_scene *scene, const char *path, sd_error *error) {
  exporter e = {scene, base_of(path), error};
  if (!e.base) return sd_fail(error, SD_NO_MEMORY, "export: out of memory");
  sd_status status = formats[format].write(&e);
  if (!status) {
    size_t samples = sd_scene_samples(scene), bodies = sd_scene_bodies(scene);
    snprintf(error->message, sizeof error->message, "%s%s: %zu %s at %zu %s%s", sd_path_shown(e.base),
             formats[format].ending, bodies, sd_plural(bodies, "body", "bodies"), samples,
             sd_plural(samples, "time", "times"), sd_scene_is_trajectory(scene) ? "" : ", the final states");
  }
  free((char *)e.base);
  return status;
}

sd_status sd_result_export(const sd_result *result, const char *method, const char *member, const char *format,
                           const char *path, char message[512]) {
  sd_error error = {0};
  sd_scene *scene = NULL;
  int f = 0;
  while (f < FORMATS && strcmp(format, formats[f].name)) f++;
  sd_status status = f < FORMATS
                         ? sd_scene_create(result, method, member, &scene, &error)
                         : sd_fail(&error, SD_BAD_INPUT, "format: '%.40s' should be xyz, vtk or elements", format);
  if (!status) status = write_scene(f, scene, path, &error);
  sd_scene_destroy(scene);
  memcpy(message, error.message, sizeof error.message);
  return status;
}
