/* family.c - rigid bodies on SO(3), as the host knows them. */
#include "family.h"

#include <problems.h>

#include "constants.h"
#include "../declare.h"

static sd_complaint so3_check(const double *J) {
  for (int i = 0; i < 3; i++)
    if (J[i] > J[(i + 1) % 3] + J[(i + 2) % 3])
      return (sd_complaint){0, "is no body's inertia: each moment is at most the sum of the other two"};
  return (sd_complaint){0, NULL};
}

static int so3_admits(int traits, const double *J, const sd_topology *described) {
  (void)described;
  return !(traits & SPHERICAL) || (J[0] == J[1] && J[1] == J[2]);
}

static const char *so3_check_start(const double *start) {
  double norm2 = 0;
  for (int i = 0; i < 4; i++) norm2 += start[i] * start[i];
  for (int i = 4; i < 7; i++) norm2 += 0 * start[i];
  return norm2 > 1e-100 && norm2 < 1e100 ? NULL : "not a rotation and a finite velocity";
}

static const sd_array arrays[] = {
    {"Q", "attitude", 1, 3, 3, "1", "rotation matrix Q: body frame to space", SD_ROLE_ROTATION},
    {"W", "velocity", 1, 3, 1, "1/time", "angular velocity, body frame", SD_ROLE_TURNING},
    {0}};

static const sd_start_array start[] = {
    {"attitude", 4, "1", "quaternion w, x, y, z", "sigma-attitude", 0.01, "0.3", 1},
    {"velocity", 3, "1/time", "angular velocity, body frame", "sigma-velocity", 0.01, "0.3", 0},
    {0}};

const sd_family sd_family_so3 = {.id = "so3",
                                 .title = "rigid bodies on SO(3)",
                                 .plural = "rigid bodies",
                                 .array = arrays,
                                 .start = start,
                                 .check_start = so3_check_start,
                                 .defect = "orthogonality_max",
                                 .defect_head = "|QtQ-I|",
                                 .defect_units = "1",
                                 .defect_text = "largest |Q^T Q - I|",
                                 .methods = "eln,tln,prk,mcg,new3,liemid-ea,vlv",
                                 .method_set = "seed1",
                                 .reference = "rk8",
                                 .order_steps = "2,1,0.5,0.25,0.125,0.0625",
                                 .order_time = 40,
                                 .rounding = 2e-13,
                                 .check = so3_check,
                                 .admits = so3_admits,
                                 .unfit =
                                     "is for spherical bodies: it needs three equal moments, as in --param J=2,2,2",
                                 .fit = "J=2,2,2",
                                 FAMILY_LISTS};
