/* instance.cu - one method for CUDA: instance.c with one thread per body. */
#include "kernel.cuh"

#include "instance.c"
