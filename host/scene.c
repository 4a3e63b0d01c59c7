/* scene.c - one member of a result, as bodies in space. */
#include "export.h"
#include "number.h"
#include "system_text.h"
#include "variety.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sd_scene {
  const sd_result *result;
  const sd_states *states;
  size_t member, bodies; /* member: among the states */
  const sd_topology *topology;
  sd_shared_topology *shared;      /* which has it */
  const sd_array *array[SD_ROLES]; /* or NULL */
  size_t offset[SD_ROLES];         /* of it, in a state */
  char (*names)[SD_SYSTEM_NAME];   /* of species */
};

/* ---- which states ---- */

static sd_status find_method(const sd_result *result, const char *method, size_t *index, sd_error *error) {
  if (!result->done) return sd_fail(error, SD_BAD_INPUT, "export: none of the run's methods was done");
  for (*index = 0; *index < result->done; ++*index)
    if (!method || !strcmp(method, result->summaries[*index].method)) return SD_OK;
  char list[256] = "";
  for (size_t m = 0; m < result->done; m++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", m ? ", " : "", result->summaries[m].method);
  }
  return sd_fail(error, SD_BAD_INPUT, "method: '%.40s' is none of the run's; it has %s", method, list);
}

static sd_status find_member(sd_scene *s, const char *member, sd_error *error) {
  size_t first = s->result->spec->first_member, count = s->states->members;
  uint64_t asked = first;
  if (member && sd_whole_from(member, &asked) != SD_WHOLE)
    return sd_fail(error, SD_BAD_INPUT, "member: '%.40s' is no member's number", member);
  s->member = (size_t)(asked - first);
  if (asked >= first && s->member < count) return SD_OK;
  return sd_fail(
      error, SD_BAD_INPUT,
      "member: the file has the states of members %zu to %zu, not of %.40s; spindrift rerun with --member and "
      "--trajectory makes one that has",
      first, first + count - 1, member);
}

static sd_status find_states(sd_scene *s, size_t m, sd_error *error) {
  const sd_specification *spec = s->result->spec;
  if (!spec->recorded && !spec->finals)
    return sd_fail(
        error, SD_BAD_INPUT,
        "export: there are no states in the file; spindrift run with --trajectories K or --final K keeps some");
  s->states = spec->recorded ? &s->result->trajectories[m] : &s->result->finals[m];
  return SD_OK;
}

/* ---- what they are made of ---- */

static void find_arrays(sd_scene *s) {
  size_t first = 0;
  for (const sd_array *a = s->result->spec->problem->family->array; a->id; first += sd_array_all(a++, s->bodies)) {
    if (a->role == SD_NO_ROLE) continue;
    s->array[a->role] = a;
    s->offset[a->role] = first;
  }
}

/* Those of the text, or numbers. */
static sd_status name_species(sd_scene *s, sd_error *error) {
  size_t count = s->topology ? s->topology->size.species : 1;
  const sd_document *document = sd_described_by(s->result->spec);
  s->names = calloc(count, sizeof *s->names);
  if (!s->names) return sd_fail(error, SD_NO_MEMORY, "export: out of memory");
  if (document) return sd_system_names(document, s->names, count, error);
  for (size_t k = 0; k < count; k++)
    if (count == 1) strcpy(s->names[k], "body");
    else snprintf(s->names[k], sizeof *s->names, "body%zu", k);
  return SD_OK;
}

static sd_status prepare(sd_scene *s, const char *method, const char *member, sd_error *error) {
  const sd_specification *spec = s->result->spec;
  size_t m;
  SD_TRY(find_method(s->result, method, &m, error));
  SD_TRY(find_states(s, m, error));
  SD_TRY(find_member(s, member, error));
  s->bodies = sd_bodies_of(spec);
  SD_TRY(sd_topology_of_member(spec, s->member, &s->shared, error));
  s->topology = s->shared ? sd_topology_of(s->shared) : NULL;
  find_arrays(s);
  if (!s->array[SD_ROLE_PLACE] && !s->array[SD_ROLE_ROTATION] && !s->array[SD_ROLE_ORIENTATION])
    return sd_fail(error, SD_BAD_INPUT, "export: %s are nowhere in space", spec->problem->family->plural);
  return name_species(s, error);
}

sd_status sd_scene_create(const sd_result *result, const char *method, const char *member, sd_scene **made,
                          sd_error *error) {
  sd_scene *s = *made = calloc(1, sizeof *s);
  if (!s) return sd_fail(error, SD_NO_MEMORY, "export: out of memory");
  s->result = result;
  sd_status status = prepare(s, method, member, error);
  if (status) sd_scene_destroy(s), *made = NULL;
  return status;
}

void sd_scene_destroy(sd_scene *s) {
  if (!s) return;
  sd_topology_let_go(s->shared);
  free(s->names);
  free(s);
}

/* ---- bodies in space ---- */

/* Of a rotation matrix by rows: from the largest of the four, which is divided by. */
static void quaternion_of(const double *R, double q[4]) {
  double trace = R[0] + R[4] + R[8];
  int k = R[0] > R[4] ? (R[0] > R[8] ? 0 : 2) : R[4] > R[8] ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
  if (trace > 0) {
    double s = 2 * sqrt(1 + trace);
    q[0] = 0.25 * s;
    for (int a = 0; a < 3; a++) q[1 + a] = (R[(a + 2) % 3 * 3 + (a + 1) % 3] - R[(a + 1) % 3 * 3 + (a + 2) % 3]) / s;
    return;
  }
  double s = 2 * sqrt(1 + R[4 * k] - R[4 * i] - R[4 * j]);
  q[0] = (R[3 * j + i] - R[3 * i + j]) / s;
  q[1 + k] = 0.25 * s;
  q[1 + i] = (R[3 * i + k] + R[3 * k + i]) / s;
  q[1 + j] = (R[3 * j + k] + R[3 * k + j]) / s;
}

static void cross(const double *a, const double *b, double *c) {
  for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* From the body's frame to space: v + 2 w u x v + 2 u x (u x v). */
static void turn(const double q[4], const double *v, double *to) {
  double once[3], twice[3];
  cross(q + 1, v, once);
  cross(q + 1, once, twice);
  for (int k = 0; k < 3; k++) to[k] = v[k] + 2 * (q[0] * once[k] + twice[k]);
}

/* Its numbers, or NULL where its states do not have them. */
static const double *numbers_of(const sd_scene *s, const double *state, size_t body, int role) {
  const sd_array *a = s->array[role];
  return a ? state + s->offset[role] + body * (size_t)sd_array_numbers(a) : NULL;
}

void sd_scene_body_at(const sd_scene *s, size_t sample, size_t b, sd_scene_body *to) {
  const double *state = sd_state_at(s->states, sample, s->member);
  const double *place = numbers_of(s, state, b, SD_ROLE_PLACE), *speed = numbers_of(s, state, b, SD_ROLE_SPEED);
  const double *q = numbers_of(s, state, b, SD_ROLE_ORIENTATION), *R = numbers_of(s, state, b, SD_ROLE_ROTATION);
  const double *turning = numbers_of(s, state, b, SD_ROLE_TURNING);
  *to = (sd_scene_body){.orientation = {1, 0, 0, 0}};
  if (place) memcpy(to->place, place, sizeof to->place);
  if (speed) memcpy(to->velocity, speed, sizeof to->velocity);
  if (q) memcpy(to->orientation, q, sizeof to->orientation);
  else if (R) quaternion_of(R, to->orientation);
  if (turning) turn(to->orientation, turning, to->turning);
  if (!s->topology) return;
  to->species = s->topology->species_of[b];
  const double *species = s->topology->species + to->species * SD_SPECIES_NUMBERS;
  to->diameter = species[SD_SPECIES_DIAMETER];
  to->mass = species[SD_SPECIES_MASS];
}

/* ---- what it is ---- */

int sd_scene_elements(const sd_scene *s, size_t sample, double elements[6]) {
  const sd_specification *spec = s->result->spec;
  if (!spec->problem->family->to_elements) return 0;
  spec->problem->family->to_elements(spec->parameters, sd_state_at(s->states, sample, s->member), elements);
  return 1;
}
int sd_scene_is_trajectory(const sd_scene *s) {
  return s->result->spec->recorded > 0;
}
size_t sd_scene_samples(const sd_scene *s) {
  return s->states->samples;
}
size_t sd_scene_bodies(const sd_scene *s) {
  return s->bodies;
}
double sd_scene_time(const sd_scene *s, size_t sample) {
  return sd_scene_is_trajectory(s) ? sd_result_trajectory_time(s->result, sample) : s->result->spec->total_time;
}
int sd_scene_has(const sd_scene *s, int role) {
  return s->array[role] != NULL;
}
const sd_topology *sd_scene_topology(const sd_scene *s) {
  return s->topology;
}
const char *sd_scene_species(const sd_scene *s, size_t index) {
  return s->names[index];
}
