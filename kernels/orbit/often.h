/* often.h - functions by themselves that are called in every evaluation of a force: out of line like FN_APART, so that
 * those who do not need them pay nothing, but as fast as they can be made, where FN_APART's are made small. */
#ifndef SD_ORBIT_OFTEN_H
#define SD_ORBIT_OFTEN_H

#include "../real.h"

#if defined(__CUDACC__)
#define FN_OFTEN FN_APART
#else
#define FN_OFTEN static __attribute__((noinline, unused))
#endif

#endif
