/* coordinates.h - the numbers of a state that have a mean and a covariance over members, in plain C: those that a start
 * has, in the same order, and what is summed of them.
 *
 * Numbers of a vector space are taken as they are.  A unit quaternion q stands for the same rotation as -q, so that of
 * it the products are summed: the largest eigenvector of the mean of q q^T is the mean rotation, the one whose matrix
 * is nearest to all others' in the mean square (F. L. Markley, Y. Cheng, J. L. Crassidis, Y. Oshman, J. Guid. Control
 * Dyn. 30 (2007) 1193-1197, doi:10.2514/1.28949).  The displacement from it is the rotation vector of conj(centre) q:
 * three numbers, in the body's frame. */
#ifndef SD_COORDINATES_H
#define SD_COORDINATES_H

#include <stddef.h>
#include <stdint.h>

enum { SD_COORDINATES_MAX = 13, SD_TANGENT_MAX = 12, SD_MOMENT_SUMS_MAX = SD_TANGENT_MAX * (SD_TANGENT_MAX + 3) / 2 };

typedef struct {
  int numbers;        /* 0: none are asked for */
  int tangent;        /* of a displacement */
  uint32_t rotations; /* bit k: number k is the first of a quaternion's four, w x y z */
} sd_coordinates;

/* Numbers that are summed to find the centre; and for the spread about it: displacements, then their products by rows
 * of the lower triangle.  A sheet has room for either. */
static inline int sd_centre_sums(const sd_coordinates *c) {
  int sums = c->numbers;
  for (uint32_t rest = c->rotations; rest; rest &= rest - 1) sums += 6;
  return sums;
}
static inline int sd_spread_sums(const sd_coordinates *c) {
  return c->tangent * (c->tangent + 3) / 2;
}
static inline int sd_moment_sums(const sd_coordinates *c) {
  return sd_centre_sums(c) > sd_spread_sums(c) ? sd_centre_sums(c) : sd_spread_sums(c);
}

/* Terms of `count` members, in whole lane groups: number k of member i is rows[k * stride + i], and its term k goes to
 * terms[k * SD_REDUCE_BLOCK + i]. */
typedef void (*sd_chart)(const sd_coordinates *c, const double *centre, const double *rows, size_t stride, size_t count,
                         double *terms);
typedef struct {
  sd_chart centre;       /* what is summed for the centre, */
  sd_chart displacement; /* and displacements from it */
} sd_charts;

#endif
