/* field_cuda.h - a field of bodies on a device: a thread for each body of all members and a launch for each pass, or a
 * block of threads for each member, which takes it through many steps at a time. */
#ifndef SD_FIELD_CUDA_H
#define SD_FIELD_CUDA_H

#include "field.h"

typedef struct {
  int device;
  unsigned block;     /* threads of a block */
  int member_a_block; /* or else a thread for each body */
  double memory;      /* bytes that it may take */
  sd_sort sort;
} sd_field_place;

sd_status sd_field_create_on(sd_bodies_field **made, const sd_ensemble *ensemble, const sd_field_place *on,
                             sd_error *error);

#endif
