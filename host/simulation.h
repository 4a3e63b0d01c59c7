/* simulation.h - one method on its members: begun, advanced chunk by chunk as far as is asked, looked at, concluded. */
#ifndef SD_SIMULATION_H
#define SD_SIMULATION_H

#include "backend.h"
#include "control.h"
#include "points.h"
#include "run.h"
#include "snapshot.h"

struct sd_simulation {
  /* to be there before it is begun */
  const sd_specification *spec; /* the result's */
  sd_watch watch;
  sd_error *error;
  int m;                      /* the method */
  size_t first_point, points; /* of a sweep: the batch; otherwise the one point that there is */
  sd_backend *backend;
  sd_result *result;
  const sd_control *cut;        /* may end a chunk in its middle, after which nothing can be gone on with; or NULL */
  sd_status (*between)(void *); /* called between chunks; a failure ends the advance, which can be gone on with */
  void *data;
  /* its own */
  const sd_family *family;
  const sd_kernels *kernels;
  sd_ensemble ensemble;
  sd_series *series; /* the result's; of a sweep its own, which only says when samples are taken */
  sd_series sampling;
  sd_point_rows seen;    /* of a sweep's points; whoever runs them destroys it after the last batch */
  double *at_end;        /* E - E0 of every member at the last sample, for the table */
  sd_job job;            /* from_step: steps that are done */
  int64_t rows;          /* of samples that the backend has room for */
  double begun, seconds; /* when the clock was set going; what it showed when it was last stopped */
  double chunk;          /* steps that should take as long as a chunk may */
  /* of one that a user has */
  sd_error own_error;
  sd_states shown; /* as they were when they were last asked for */
};

/* At its start, or where the snapshot is; after a failure, too, it is to be ended. */
sd_status sd_simulation_begin(sd_simulation *simulation, const sd_snapshot *from);
/* Until so many steps of the method are done. */
sd_status sd_simulation_go(sd_simulation *simulation, int64_t step);
/* What comes of it when all is done: final states, statistics, digest; the result has one method more. */
sd_status sd_simulation_conclude(sd_simulation *simulation);
void sd_simulation_end(sd_simulation *simulation);

/* Seconds that were spent on it. */
double sd_simulation_seconds(const sd_simulation *simulation);
/* Tells whoever watches how far it is; SD_INTERRUPTED if an end is asked for. */
sd_status sd_simulation_report(const sd_simulation *simulation);

#endif
