/* backend.h - what integrates: a small struct of functions over a row's kernels.
 *
 * A backend takes over the bodies of an ensemble (load), shares them out among its parts, runs kernels on them, exports
 * states, and gives the bodies back (store).  Where they are in between is its own affair; its parts tell of the
 * samples.
 */
#ifndef SD_BACKEND_H
#define SD_BACKEND_H

#include "ensemble.h"
#include "part.h"
#include "place.h"

enum { SD_SIDE_BY_SIDE_MOST = 1024 }; /* bodies of a member in a lane */

typedef struct sd_backend sd_backend;
struct sd_backend {
  const char *name;    /* cpu, cuda */
  const char *variant; /* of the kernels: the row to use */
  char devices[160];   /* what runs them, in words */
  const char *way[2];  /* and how, of systems: as members, as bodies */
  int threads;
  sd_lanes lanes;               /* of systems, as the place asks for them */
  double skin;                  /* of their bodies, */
  sd_sort sort;                 /* and how these stand in memory */
  sd_parts parts;               /* from load to unload */
  sd_neighbour_cost neighbours; /* so far, since load */
  int ranks;                    /* processes; 0: this one alone */
  int handed_out;               /* how often members were, */
  uint64_t sent;                /* and the bytes that the rank sent that sent most, but for this one */

  /* Takes over the bodies, with room for `rows` rows of samples. */
  sd_status (*load)(sd_backend *self, sd_ensemble *ensemble, int64_t rows, sd_error *error);
  /* One kernel over all bodies; the backend fills in the job's arrays.  Returns when all is done; given a control that
   * asks to stop meanwhile, it may leave the work half done, and then returns SD_INTERRUPTED. */
  sd_status (*run)(sd_backend *self, sd_kernel kernel, const sd_job *job, const sd_control *control, sd_error *error);
  /* The export kernel over the first `count` members: slot k of member i to exported[k * count + i]; the shown numbers,
   * E - E0, the status. */
  sd_status (*export_states)(sd_backend *self, const sd_kernels *kernels, const sd_job *job, size_t count,
                             double *exported, sd_error *error);
  /* The ensemble's memory holds the bodies as they are now. */
  sd_status (*store)(sd_backend *self, sd_error *error);
  void (*unload)(sd_backend *self);
  /* Of systems no larger than may be side by side: is a body in each lane the quicker way? */
  int (*is_for_bodies)(const sd_backend *self, const sd_specification *spec);
  void (*destroy)(sd_backend *self);
};

/* Whether the lanes of a run's systems are their bodies; and what runs it, and how, in words. */
int sd_lanes_are_bodies(const sd_backend *backend, const sd_specification *spec);
void sd_backend_words(const sd_backend *backend, const sd_specification *spec, char words[160]);

/* The one that the place asks for.  For `auto`, `why` says what was chosen and why. */
sd_status sd_backend_create(sd_backend **backend, const sd_place *place, char why[256], sd_error *error);

/* The same for what is to be run there: `auto` is content with the processor where a device has no kernels. */
sd_status sd_backend_for(sd_backend **backend, const sd_place *place, const sd_specification *spec, char why[256],
                         sd_error *error);

/* What the processes of the place's ranks have, together: rank 0's, who leads them.  The members are handed out to them
 * in ranges, anew when some prove to be slower than others (backend_ranks.c). */
sd_status sd_backend_ranks_create(sd_backend **backend, sd_backend *own, const sd_place *place,
                                  const sd_specification *spec, int doublings, sd_error *error);

/* The run of all ranks ends; what they have to say of it is then known.  Nothing to do where there are none. */
void sd_backend_end_run(sd_backend *backend);

sd_status sd_backend_cpu_create(sd_backend **backend, const sd_place *place, sd_error *error);
#if SPINDRIFT_CUDA
sd_status sd_backend_cuda_create(sd_backend **backend, const sd_place *place, sd_error *error);
#endif

#endif
