/* field.h - systems whose bodies are side by side: all threads, or a device, take all of them through a step together.
 * The numbers of the bodies are here, body beside body, from load to store; the accounts of the members stay in the
 * ensemble. */
#ifndef SD_FIELD_H
#define SD_FIELD_H

#include "control.h"
#include "ensemble.h"
#include "place.h"

typedef struct sd_bodies_field sd_bodies_field;

sd_status sd_field_create(sd_bodies_field **made, const sd_ensemble *ensemble, sd_sort sort, int threads,
                          sd_error *error);
void sd_field_destroy(sd_bodies_field *field);

/* Lanes that so many have, of whole groups for each member; and how many threads, of those there are, take them. */
size_t sd_field_places(size_t members, size_t bodies);
int sd_field_threads(size_t places, int threads);

/* The job has the ensemble's slots and the rows of samples. */
sd_status sd_field_begin(sd_bodies_field *field, const sd_job *job, sd_error *error);
sd_status sd_field_advance(sd_bodies_field *field, const sd_job *job, const sd_control *control, sd_error *error);
sd_status sd_field_export(sd_bodies_field *field, const sd_job *job, size_t members, sd_error *error);
/* The bodies from the ensemble's slots to their places, and back. */
sd_status sd_field_load(sd_bodies_field *field, sd_error *error);
sd_status sd_field_store(sd_bodies_field *field, sd_error *error);
/* Of looking for neighbours, since it was created. */
sd_neighbour_cost sd_field_cost(const sd_bodies_field *field);

#endif
