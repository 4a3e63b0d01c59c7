/* device_method.h - the passes of one method on a device, and its table; passes.cu includes it once for each.
 * SD_METHOD, SD_METHOD_ID and SD_METHOD_HEADER say which. */
#undef SD_MEMORY
#undef SD_BEGIN
#undef SD_KICK_FIRST
#include SD_METHOD_HEADER
#ifndef SD_MEMORY
#define SD_MEMORY 0
#endif
#ifndef SD_KICK_FIRST
#define SD_KICK_FIRST 0.5
#endif

#undef DEVICE_NAME_
#undef DEVICE_NAME__
#undef DEVICE_NAME
#define DEVICE_NAME_(method, kernel) sd_assembly_##method##_##kernel
#define DEVICE_NAME__(method, kernel) DEVICE_NAME_(method, kernel)
#define DEVICE_NAME(kernel) DEVICE_NAME__(SD_METHOD, kernel)
#undef DEVICE_SPACE
#define DEVICE_SPACE DEVICE_NAME(on_device)
#undef DEVICE_TABLE_
#undef DEVICE_TABLE
#define DEVICE_TABLE_(method) sd_kernels_assembly_##method##_cuda
#define DEVICE_TABLE(method) DEVICE_TABLE_(method)

namespace DEVICE_SPACE {

/* What these define is the method's, as far as it goes. */
#undef SD_ASSEMBLY_HALVES_H
#undef SD_ASSEMBLY_PASSES_H
#include "passes.h"

FN_APART void turn_body(const sd_job *job, size_t place, int stage) {
  turn_bodies(job, place, 1, stage);
}
FN_APART void finish_body(const sd_job *job, size_t place, int stage) {
  finish_bodies(job, place, 1, stage);
}

/* All of some steps of a member, by a block of threads. */
FN void step_member(const sd_job *job, size_t member, int steps) {
  size_t base = member * job->field.bodies;
  if (flags_now(job->field.trouble + member) & SD_TROUBLE_LOST) return;
  for (int n = 0; n < steps; n++)
    for (int stage = 0; stage < job->stages; stage++) {
      EACH_BODY(job, base, place) turn_body(job, place, stage);
      __syncthreads();
      if (looks_around(job, member)) {
        look_around(job, member);
        if (!threadIdx.x) job->field.moved[member] = 0;
      }
      EACH_BODY(job, base, place) {
        gather_body(job, place, has_dashpots(job));
        finish_body(job, place, stage); /* what others see of a body it leaves as it is */
      }
      __syncthreads();
    }
  EACH_BODY(job, base, place) check(job, place, 1, 0);
}

PASS(DEVICE_NAME(turn), if (is_body(job, place)) turn_body(job, place, stage))
PASS(DEVICE_NAME(finish), if (is_body(job, place)) finish_body(job, place, stage))
BLOCK_PASS(DEVICE_NAME(stretch), step_member(job, block, number))
#ifdef SD_BEGIN
PASS(DEVICE_NAME(remember), if (is_body(job, place)) begin_bodies(job, place, 1))
#endif

static const sd_passes of_method = {
#ifdef SD_BEGIN
    PASS_HANDLE(DEVICE_NAME(remember)),
#else
    NULL,
#endif
    PASS_HANDLE(DEVICE_NAME(turn)),
    PASS_HANDLE(DEVICE_NAME(finish)),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    0,
    0,
    0,
    PASSING_NUMBERS,
    0,
    NULL,
    NULL,
    NULL,
    NULL,
    PASS_HANDLE(DEVICE_NAME(stretch))};

} // namespace DEVICE_SPACE

/* All problems have the same passes, and there are no kernels but these: a field begins and exports by them, too. */
extern "C" const sd_kernels DEVICE_TABLE(SD_METHOD)[];
#undef PROBLEM
#define PROBLEM(family, name, id, step, time, title, doi)           \
  {"assembly",                                                      \
   SD_METHOD_ID,                                                    \
   id,                                                              \
   "cuda",                                                          \
   1,                                                               \
   MEMBER_NUMBERS,                                                  \
   SHOWN_OF_MEMBER,                                                 \
   BODY_NUMBERS,                                                    \
   SHOWN_OF_BODY,                                                   \
   0,                                                               \
   NULL,                                                            \
   reinterpret_cast<sd_kernel>(DEVICE_SPACE::DEVICE_NAME(stretch)), \
   NULL,                                                            \
   reinterpret_cast<sd_kernel>(DEVICE_SPACE::DEVICE_NAME(stretch)), \
   NULL,                                                            \
   &DEVICE_SPACE::of_method,                                        \
   &sd_assembly_passes_cuda},
const sd_kernels DEVICE_TABLE(SD_METHOD)[] = {
#include <problems.def>
    {NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};

#undef SD_METHOD
#undef SD_METHOD_ID
#undef SD_METHOD_HEADER
