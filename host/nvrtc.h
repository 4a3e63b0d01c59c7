/* nvrtc.h - NVRTC, NVIDIA's compiler of CUDA C++ in a library, which is looked for when it is needed.
 *
 * One thread at a time. */
#ifndef SD_NVRTC_H
#define SD_NVRTC_H

#include "compiler.h"

/* For devices of this compute capability, such as 75 for 7.5, and later ones: $SPINDRIFT_NVRTC, or the library of the
 * version that the program was built with, where the system or the toolkit has it. */
sd_status sd_nvrtc_find(sd_compiler *compiler, int capability, sd_error *error);

/* As if it were a program: -o and a file, in which PTX comes to be, are the last of the arguments but one, the source
 * is the last.  It returns when it is done. */
long sd_nvrtc_begin(const sd_compiler *compiler, const char *const *arguments, const char *log);
int sd_nvrtc_end(long process);

#endif
