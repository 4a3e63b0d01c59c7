/* verdict.h - does the energy drift?  A verdict may be silent, never wrong: `bounded` must be earned, and a run that
 * could not have seen a drift is `undecided` and says what would decide it.
 *
 * All slopes are least squares with the weight W = (x (1 - x))^2, x the place in the window from 0 to 1.  It has double
 * zeros at the ends, so an oscillation that the window cuts off leaks into the slope with the inverse third power of
 * its periods in the window.  There is the slope of each member over the run, b_i, and slopes of the ensemble mean in
 * 17 windows of half the run and 25 of a quarter, which begin at multiples of a 32nd of it, h_j and q_j.  With
 *
 *   b = mean b_i, a = |b|, s = its sign, SE its standard error over members, rms that of members about their own lines,
 *   R2 = max |h_j - b|, R4 = max |q_j - b|, lead = members with the sign s less the others
 *
 * `drifts` if a T > rms/100 and beyond what rounding may do, s h_j < 4 a, s q_j < 8 a, and one of
 *   steady           s h_j > 0, s q_j > a/3, and the members are of one mind (*)
 *   it averages out  R2 < R4/10 (an oscillation falls by 16), s h_j > -a/4, s q_j > -a, and (*)
 *   members agree    8 or more, whose mean oscillates less than they do, with s h_j > -a/4, s q_j > -a, and a beyond
 *                    the 99.9 % point of SE, or lead > 3.3 sqrt(N) of 12 or more
 * where (*) is: up to five members all have the sign s; of more, a is beyond the 95 % point of SE, or their lead is as
 * above.  Not if a T < rms, and there are six or more members, whose means in the two halves differ by rms/20 (in the
 * mean square), and a is below 1.5 deviations of the b_i: members that start together and part look like that.  Where
 * not every step is sampled, witnesses between the samples (witness.h) must have seen the same slope.
 *
 * `bounded` if E stays within rounding, or (a + reach) T < resolve rms with reach = max(min(R4/4, R2), 95 % of SE), the
 * energy comes back to its start (within the range of the second half, widened by itself) and stays in its range (at
 * the ends of the run, where the weights vanish, within that of the rest, widened by itself), and members do not
 * wander: their means in the two halves differ by less than their slopes there would make of a random walk, or by
 * rms/10.
 *
 * Rounding may change E by 2^-53 S (n/8 + 4 sqrt n) in n stages, S = |E0| + the kinetic energy at the start, so that
 * units do not matter. */
#ifndef SD_VERDICT_H
#define SD_VERDICT_H

#include "trend.h"

/* Fills the verdict, its reason and the statistics that it derives; the others must be there.
 * resolve: a change of E over the run of so many rms matters.  stages: how often the base method was stepped, which is
 * what rounding grows with. */
void sd_judge(sd_summary *summary, const sd_trend *trend, double resolve, int64_t stages);

/* The reason in words, from the numbers of the summary, and whether that is what the windows of a single member say. */
void sd_explain(sd_summary *summary);
int sd_rests_on_one(const sd_summary *summary);

/* Two-sided 95 % and 99.9 % points of Student's distribution. */
double sd_student95(double degrees_of_freedom);
double sd_student999(double degrees_of_freedom);

#endif
