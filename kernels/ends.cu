/* ends.cu - ends.c for CUDA. */
#include "kernel.cuh"

#include "ends.c"
