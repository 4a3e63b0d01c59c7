/* field_engine.h - a field of bodies, for those who take it through its passes: the threads of the processor (field.c),
 * or a device (field_cuda.c).  The story is the same for both. */
#ifndef SD_FIELD_ENGINE_H
#define SD_FIELD_ENGINE_H

#include "field.h"
#include "field_order.h"
#include "team.h"

/* Each returns when it is done.  What the story sees of it is in `of`: trouble after recall and step, the ledger after
 * add_up, numbers after fetch; iterations, after step, and rebuilds.  Where it changes trouble or numbers, the next
 * knows of it.
 */
typedef struct {
  sd_status (*make_near)(sd_bodies_field *field, uint32_t most, sd_error *error);
  sd_status (*send)(sd_bodies_field *field, sd_error *error);  /* order and numbers to where the engine has them, */
  sd_status (*fetch)(sd_bodies_field *field, sd_error *error); /* and back */
  /* What is not kept, of the numbers as they are; `starting`: the dashpots' forces and what methods remember, too. */
  sd_status (*recall)(sd_bodies_field *field, const sd_job *job, int starting, sd_error *error);
  /* Some steps, from numbers that it remembers, */
  sd_status (*step)(sd_bodies_field *field, const sd_job *job, int64_t steps, sd_error *error);
  sd_status (*go_back)(sd_bodies_field *field, sd_error *error); /* to which all members go back, without iterations, */
  sd_status (*put_back)(sd_bodies_field *field, size_t member, sd_error *error); /* or one */
  sd_status (*add_up)(sd_bodies_field *field, const sd_job *job, sd_error *error);
  void (*destroy)(sd_bodies_field *field);
} sd_field_engine;

struct sd_bodies_field {
  const sd_field_engine *engine;
  const sd_passes *own, *common; /* the method's passes, the family's */
  const sd_alone *alone;
  const sd_ensemble *ensemble;
  sd_sort sort;
  sd_field_order order;
  sd_topology topology; /* as bodies stand */
  sd_team *team;        /* of the processor, */
  void *device;         /* or what a device has of it */
  sd_field of;
  size_t members, bodies, blocks;        /* blocks of bodies, of one member */
  size_t places;                         /* of all bodies, in whole lane groups */
  double *iterations;                    /* of the last steps: of all, and of the worst, two per member */
  double *kept;                          /* the numbers, as a stretch began */
  double *other;                         /* an array like that of the numbers, for what others see of a body */
  double *acting_here, *iterations_here; /* a worker's own, while bodies are in the cache, and of its bodies */
  uint32_t *cell_memory;
  double seconds;            /* of looking for neighbours, where they are known */
  uint64_t rebuilds_at_load; /* so many there were when bodies were put in their places */
  int recalled;              /* what is not kept is there, of the numbers as they are */
};

enum { SD_NEAR_AT_FIRST = 12 };

/* Cells that a member has room for, each with where it starts, and the end. */
static inline size_t sd_cells_room(size_t bodies) {
  return bodies + 66;
}

/* A field without an engine, with all that its story needs. */
sd_status sd_field_prepare(sd_bodies_field **made, const sd_ensemble *ensemble, sd_sort sort, sd_error *error);

#endif
