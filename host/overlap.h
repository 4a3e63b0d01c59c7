/* overlap.h - bodies of a system that start near one another, or inside. */
#ifndef SD_OVERLAP_H
#define SD_OVERLAP_H

#include "registry.h"

/* Calls for every two whose places are less than `reach` of their mean diameter apart, with the lower number first and
 * the distance in mean diameters, until it returns other than 0, which is then returned; -1: no memory to look. */
typedef int sd_near_pair(void *data, uint32_t low, uint32_t high, double distance);
int sd_near_pairs(const sd_topology *topology, double reach, sd_near_pair *call, void *data);
/* Two whose places are less than half of their mean diameter apart; 0: there are none, -1: no memory to look. */
int sd_overlap_find(const sd_topology *topology, uint32_t pair[2]);

#endif
