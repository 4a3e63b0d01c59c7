/* alone.h - see alone.c. */
#ifndef SD_ASSEMBLY_ALONE_H
#define SD_ASSEMBLY_ALONE_H

#include "../job.h"

extern const sd_alone sd_assembly_alone;

#endif
