/* overlap.h - bodies of a system that start inside one another. */
#ifndef SD_OVERLAP_H
#define SD_OVERLAP_H

#include "registry.h"

/* Two whose places are less than half of their mean diameter apart; 0: there are none, -1: no memory to look. */
int sd_overlap_find(const sd_topology *topology, uint32_t pair[2]);

#endif
