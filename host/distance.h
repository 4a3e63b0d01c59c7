/* distance.h - how far the states of two results are from one another. */
#ifndef SD_DISTANCE_H
#define SD_DISTANCE_H

#include "spindrift.h"

/* Of an array of a member's final states, under the first method of each: the root of the sum of squares; NaN if it is
 * not in both. */
double sd_final_distance(const sd_result *a, const sd_result *b, size_t array, size_t member);
/* The median of that over the members, of those that have it. */
double sd_median_distance(const sd_result *a, const sd_result *b, size_t array);

/* The middle one of some numbers, which it sorts. */
double sd_median_of(double *numbers, size_t count);

#endif
