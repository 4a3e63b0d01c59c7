/* family.c - the planar pendulum, as the host knows it. */
#include "family.h"

#include <problems.h>

#define PROBLEM_CONSTANTS(name, parameters, numbers) ((numbers)[0] = (parameters)[CIRCLE_STIFFNESS])

#include "../../kernels/declare.h"

static const char *circle_check_start(const double *start) {
  double norm2 = start[0] * start[0] + start[1] * start[1] + 0 * start[2];
  return norm2 > 1e-100 && norm2 < 1e100 ? NULL : "not a direction and a finite velocity";
}

static const sd_array arrays[] = {{"z", "direction", 1, 2, 1, "1", "point on the unit circle", SD_NO_ROLE},
                                  {"w", "rate", 1, 1, 1, "1/time", "angular velocity", SD_NO_ROLE},
                                  {0}};

static const sd_start_array start[] = {
    {"direction", 2, "1", "point on the unit circle", "sigma-direction", 0.01, "0.3", 0},
    {"rate", 1, "1/time", "angular velocity", "sigma-rate", 0.01, "0.3", 0},
    {0}};

const sd_family sd_family_circle = {.id = "circle",
                                    .title = "points on the circle",
                                    .plural = "points on the circle",
                                    .array = arrays,
                                    .start = start,
                                    .check_start = circle_check_start,
                                    .defect = "radius_error_max",
                                    .defect_head = "||z|^2-1|",
                                    .defect_units = "1",
                                    .defect_text = "largest ||z|^2 - 1|",
                                    .methods = "kick-turn,heun",
                                    .method_set = "both",
                                    .reference = "kick-turn@8",
                                    .order_steps = "2,1,0.5,0.25",
                                    .order_time = 40,
                                    .rounding = 1e-11,
                                    .fit = "g=1",
                                    FAMILY_LISTS};
