/* export.h - the states of one member as other programs read them: extended XYZ, and VTK's PolyData. */
#ifndef SD_EXPORT_H
#define SD_EXPORT_H

#include "run.h"

/* What there is to see: one member, at the samples of its trajectory, or at the end where it has none. */
typedef struct sd_scene sd_scene;

typedef struct {
  double place[3], velocity[3], orientation[4], turning[3]; /* w, x, y, z; in space */
  double diameter, mass;
  size_t species;
} sd_scene_body;

sd_status sd_scene_create(const sd_result *result, const char *method, const char *member, sd_scene **scene,
                          sd_error *error);
void sd_scene_destroy(sd_scene *scene);

size_t sd_scene_samples(const sd_scene *scene);
size_t sd_scene_bodies(const sd_scene *scene);
double sd_scene_time(const sd_scene *scene, size_t sample);
void sd_scene_body_at(const sd_scene *scene, size_t sample, size_t body, sd_scene_body *state);
/* a, e, i, node, pericentre and mean anomaly, in degrees; 0 where there are none. */
int sd_scene_elements(const sd_scene *scene, size_t sample, double elements[6]);
int sd_scene_is_trajectory(const sd_scene *scene);
/* Whether its states have it: without a place a body is at the origin, and single ones are of no size. */
int sd_scene_has(const sd_scene *scene, int role);
const sd_topology *sd_scene_topology(const sd_scene *scene);       /* or NULL */
const char *sd_scene_species(const sd_scene *scene, size_t index); /* its name */

#endif
