/* backend.h - what integrates: a small struct of functions over a row's kernels. */
#ifndef SD_BACKEND_H
#define SD_BACKEND_H

#include "plan.h"

typedef struct sd_backend sd_backend;
struct sd_backend {
  const char *name, *isa;
  int threads;
  const volatile sig_atomic_t *stop; /* when it is set, a run may return with the work half done */
  /* Run one kernel over the bodies of the job; returns when all are done. */
  sd_status (*run)(sd_backend *self, sd_kernel kernel, const sd_job *job, sd_error *error);
  void (*destroy)(sd_backend *self);
};

sd_status sd_backend_cpu_create(sd_backend **backend, const sd_plan *plan, sd_error *error);

#endif
