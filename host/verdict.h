/* verdict.h - does the energy drift?  The rule, and what it rests on.
 *
 * The plain slope of E - E0 over the bodies has a standard error, but nearby starts share the phase of a bounded
 * oscillation, and a window that cuts the oscillation off gives them all the same small slope: significant, and no
 * drift.  So a second question is put to the ensemble mean along time: the run is cut into windows, each is averaged
 * under a taper (which damps an oscillation by the third power of its periods per window), and the changes from window
 * to window are tested for a mean other than 0.  If energy did a random walk, that test would be wrong once in a
 * thousand; a bounded energy moves back what it moved forth, so its changes cancel and it is wrong far less often.  A
 * drift need not be linear to pass, only steady.  What no run can tell from a drift is an oscillation that is longer
 * than the run.
 *
 * `drifts` needs all of:
 *   - the 95 % interval of the mean slope over bodies excludes 0,
 *   - the slopes of both halves have its sign,
 *   - the mean change from window to window has its sign, and its 99.9 % interval excludes 0,
 *   - the change over the run exceeds what rounding alone may do, an eighth of a last bit of 1 + |E0| per stage.
 * Otherwise `bounded`, with the largest slope that the windows' 95 % interval allows.  `undecided` with fewer than two
 * bodies, no spread between them, or too few samples. */
#ifndef SD_VERDICT_H
#define SD_VERDICT_H

#include "series.h"

enum { SD_WINDOWS = 16, SD_WINDOW_SAMPLES = 8 }; /* windows, and the least samples that each must have */

/* The mean change from one tapered window mean of the ensemble to the next, over time. */
typedef struct {
  int windows; /* 0: too few samples */
  double slope, error;
  double reach95, reach999; /* half widths of its intervals */
} sd_trend;

sd_trend sd_trend_of(const sd_series *series);
/* stages: how often the base method was stepped, which is what rounding grows with. */
sd_verdict sd_judge(const sd_summary *summary, const sd_trend *trend, int64_t stages);

/* Two-sided 95 % and 99.9 % points of Student's distribution. */
double sd_student95(double degrees_of_freedom);
double sd_student999(double degrees_of_freedom);

#endif
