/* neighbours.h - bodies at their places in a field, what is there, and who is near. */
#ifndef SD_ASSEMBLY_NEIGHBOURS_H
#define SD_ASSEMBLY_NEIGHBOURS_H

#include "rows.h"

FN size_t member_of(const sd_job *job, size_t place) {
  return place / job->field.bodies;
}
FN uint32_t body_at(const sd_job *job, size_t place) {
  return (uint32_t)(place % job->field.bodies);
}
/* The numbers by which bodies are known; where they are in memory is another matter. */
FN uint32_t name_of(const sd_job *job, uint32_t body) {
  return job->field.name ? job->field.name[body] : body;
}
FN uint32_t body_named(const sd_job *job, uint32_t name) {
  return job->field.at ? job->field.at[name] : name;
}
FN void names_of(const sd_job *job, const uint32_t *body, uint32_t *name) {
  for (int i = 0; i < SD_LANES; i++) name[i] = body[i];
  for (int i = 0; i < SD_LANES && job->field.name; i++) name[i] = job->field.name[body[i]];
}
/* All lanes but those after a member's last body. */
FN mask bodies_there(const sd_job *job, size_t place) {
  double left = (double)job->topology.size.bodies - (double)body_at(job, place), lane[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) lane[i] = (double)i;
  return real_less(real_load(lane), real_splat(left));
}
FN uint32_t trouble_of(const sd_job *job, size_t place) {
  return flags_now(job->field.trouble + member_of(job, place));
}
FN row kept_row(const sd_job *job, size_t place) {
  row r = {job->field.number + place, job->field.pitch};
  return r;
}
FN row here_row(const sd_job *job, size_t place) {
  row r = {job->field.now + place, job->field.pitch};
  return r;
}
FN row acting_row(const sd_job *job, size_t place) {
  row r = {job->field.acting + (place - job->field.acting_first), job->field.acting_pitch};
  return r;
}
FN row passing_row(const sd_job *job, size_t place) {
  row r = {job->field.passing + place, job->field.pitch};
  return r;
}

/* What is read of a body that is so far ahead, of which many arrays make more streams than a processor foresees. */
enum { AHEAD = 64 };

FN void prefetch_row(row r, int first, int count) {
  for (int k = first; k < first + count; k++) prefetch(r.at + (size_t)k * r.step);
}

/* ---- other bodies, one for each lane ---- */

typedef struct {
  uint32_t body[SD_LANES]; /* in the member; itself: there is none */
  uint32_t first;          /* of those that follow one another, which is soon loaded, in the lanes that have one */
  int in_line, any;
} others;

FN others others_from(const sd_job *job, const uint32_t *list, const uint32_t *self) {
  others o;
  uint32_t gap = 0, broken = 0;
  for (int i = 0; i < SD_LANES; i++) o.body[i] = list[i];
  for (int i = 0; i < SD_LANES; i++) gap |= list[i] - self[i];
  for (int i = 0; i < SD_LANES; i++) broken |= (list[i] != self[i]) & (list[i] - self[i] != gap);
  o.first = self[0] + gap;
  o.in_line = !broken && (size_t)o.first + SD_LANES <= job->field.bodies;
  o.any = gap != 0;
  return o;
}
/* Number k of them, among arrays of this pitch. */
FN real number_of(const double *from, size_t pitch, int k, const others *o) {
  const double *at = from + (size_t)k * pitch;
  return o->in_line ? real_load(at + o->first) : real_gather(at, o->body);
}
FN vec3 vector_of(const double *from, size_t pitch, int k, const others *o) {
  return vec3_make(number_of(from, pitch, k, o), number_of(from, pitch, k + 1, o), number_of(from, pitch, k + 2, o));
}
FN placed placed_of(const sd_job *job, size_t base, const others *o) {
  const double *from = job->field.now + base;
  size_t pitch = job->field.pitch;
  placed p = {vector_of(from, pitch, AT_X, o), {number_of(from, pitch, AT_Q, o), vector_of(from, pitch, AT_Q + 1, o)}};
  return p;
}
FN mask index_is(const uint32_t *a, const uint32_t *b) {
  double differs[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) differs[i] = a[i] != b[i];
  return real_load(differs) == 0.0;
}
/* A row of a table for every lane. */
FN void table_rows(const double *table, int width, const uint32_t *index, real *number) {
  int differ = 0;
  for (int i = 1; i < SD_LANES; i++) differ |= index[i] != index[0];
  const double *first = table + (size_t)index[0] * (size_t)width;
  if (!differ) {
    for (int k = 0; k < width; k++) number[k] = real_splat(first[k]);
    return;
  }
  for (int k = 0; k < width; k++) {
    double lanes[SD_LANES];
    for (int i = 0; i < SD_LANES; i++) lanes[i] = table[(size_t)index[i] * (size_t)width + (size_t)k];
    number[k] = real_load(lanes);
  }
}

/* ---- the numbers of a member: its own, or those of all ---- */

FN int members_differ(const sd_job *job) {
  return job->differing.table != NULL;
}
/* The function, whose last argument says so: where nothing differs it is done without a thought of it.  A device has
 * one for both. */
#if defined(SD_ON_DEVICE)
#define WHERE_MEMBERS_DIFFER(job, function, ...) function(__VA_ARGS__, members_differ(job))
#else
#define WHERE_MEMBERS_DIFFER(job, function, ...)       \
  do {                                                 \
    if (members_differ(job)) function(__VA_ARGS__, 1); \
    else function(__VA_ARGS__, 0);                     \
  } while (0)
#endif

typedef struct {
  const double *species, *points, *kind, *method;
  surroundings around;
} numbers_here;

FN const double *own_table(const sd_job *job, size_t place) {
  return job->differing.table + job->differing.of[member_of(job, place)] * job->differing.width;
}
FN numbers_here numbers_alike(const sd_job *job) {
  const sd_topology *t = &job->topology;
  numbers_here n = {t->species, t->points, t->kind, job->method, {job->constants, 0}};
  return n;
}
FN numbers_here numbers_at(const sd_job *job, size_t place, int differ) {
  numbers_here n = numbers_alike(job);
  if (!differ) return n;
  const double *own = own_table(job, place);
  n.species = own + SD_OWN_SPECIES;
  n.points = n.species + (size_t)job->topology.size.species * SD_SPECIES_NUMBERS; /* as sd_own_points has it */
  if (job->differing.kind) n.kind = own + job->differing.kind;
  n.method = own + SD_OWN_METHOD;
  n.around.number = own + SD_OWN_CONSTANTS;
  return n;
}

/* Of bodies of these kinds, one for each lane. */
FN species species_seen(const numbers_here *n, const uint32_t *index) {
  real number[SD_SPECIES_NUMBERS], method[SD_METHOD_PARAMETERS_MAX];
  table_rows(n->species, SD_SPECIES_NUMBERS, index, number);
  for (int i = 0; i < SD_METHOD_PARAMETERS_MAX; i++) method[i] = real_splat(n->method[i]);
  return species_of_numbers(number, method);
}
/* Of the first kind, in all lanes, by the numbers of all members. */
FN species species_alike(const sd_job *job) {
  real number[SD_SPECIES_NUMBERS], method[SD_METHOD_PARAMETERS_MAX];
  for (int k = 0; k < SD_SPECIES_NUMBERS; k++) number[k] = real_splat(job->topology.species[k]);
  for (int i = 0; i < SD_METHOD_PARAMETERS_MAX; i++) method[i] = real_splat(job->method[i]);
  return species_of_numbers(number, method);
}
FN species species_of_places(const sd_job *job, size_t place, int differ, const species *alike) {
  if (job->topology.size.species == 1 && !differ) return *alike;
  numbers_here n = numbers_at(job, place, differ);
  return species_seen(&n, job->topology.species_of + body_at(job, place));
}
FN real diameters_of(const sd_job *job, const numbers_here *n, const others *o, const species *s) {
  if (job->topology.size.species == 1) return s->diameter;
  double lanes[SD_LANES];
  for (int i = 0; i < SD_LANES; i++)
    lanes[i] = n->species[job->topology.species_of[o->body[i]] * SD_SPECIES_NUMBERS + SD_SPECIES_DIAMETER];
  return real_load(lanes);
}

#endif
