#include "verdict.h"

#include "larger.h"
#include "number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Student's distribution ---- */

/* Exact values up to 20 degrees of freedom; then the Cornish-Fisher expansion about the normal's point z (Abramowitz
 * and Stegun 26.7.5).  Only + - * /, so the same bits everywhere. */
static double student(double nu, const double table[21], double z) {
  if (nu <= 20) return table[(int)nu];
  double z2 = z * z, r = 1 / nu;
  double g1 = z * (z2 + 1) / 4;
  double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + r * (g1 + r * (g2 + r * (g3 + r * g4)));
}

double sd_student95(double nu) {
  static const double table[21] = {
      INFINITY,          12.7062047361747,  4.302652729749464, 3.18244630528371,  2.776445105197794, 2.570581835636316,
      2.44691185114497,  2.364624251592785, 2.306004135204167, 2.262157162798206, 2.228138851986275, 2.20098516009164,
      2.178812829667229, 2.160368656462793, 2.144786687917804, 2.131449545559776, 2.119905299221255, 2.109815577833317,
      2.100922040241038, 2.09302405440831,  2.085963447265865};
  return student(nu, table, 1.959963984540054);
}

double sd_student999(double nu) {
  static const double table[21] = {
      INFINITY,          636.6192487687196, 31.59905457644362, 12.92397863668748, 8.610301581379275, 6.86882662588111,
      5.95881617881876,  5.407882520861725, 5.041305433373367, 4.780912585931139, 4.586893858702636, 4.43697933823445,
      4.317791283606185, 4.220831727707121, 4.140454112738203, 4.072765195903792, 4.014996327184056, 3.965126272119031,
      3.92164582508516,  3.883405852592083, 3.849516274930827};
  return student(nu, table, 3.290526731491895);
}

/* ---- what the verdict is made of ---- */

static double farthest(sd_slopes s, double from) {
  return larger(fabs(s.lowest - from), fabs(s.highest - from));
}

static double alive(const sd_summary *r) {
  return (double)(r->members - r->failed);
}

/* Members whose slope has the sign of the mean, less the others. */
static double lead(const sd_summary *r) {
  double with = r->drift_slope < 0 ? r->drift_falling : r->drift_rising;
  return 2 * nearbyint(with * alive(r)) - alive(r);
}

static double reach_over_members(const sd_summary *r) {
  return alive(r) > 1 ? sd_student95(alive(r) - 1) * r->drift_stderr : 0;
}
static double reach_over_windows(const sd_summary *r) {
  return smaller(r->drift_quarters / 4, r->drift_halves);
}

static void derive(sd_summary *r, const sd_trend *t, int64_t stages) {
  double n = (double)stages, rms = r->oscillation_rms;
  r->energy_rounding = 0x1p-53 * r->energy_scale * (n / 8 + 4 * sqrt(n));
  if (t->samples < SD_SAMPLES_LEAST) return;
  r->drift_halves = farthest(t->halves, r->drift_slope);
  r->drift_quarters = farthest(t->quarters, r->drift_slope);
  r->drift_reach = larger(reach_over_windows(r), reach_over_members(r));
  r->drift_change = r->drift_slope * r->time / rms;
  r->drift_change_reach = r->drift_reach * r->time / rms;
  r->resolved = r->drift_reach * r->time;
  r->oscillation_shared = rms > 0 ? t->variance / (rms * rms) : 1;
  if (!t->witnessed) return;
  r->drift_witness = t->witness;
  r->drift_witness_quarters = farthest(t->witness_quarters, t->witness);
}

/* ---- the rule ---- */

/* Is the slope more than chance, to whoever looks at the members alone? */
static int of_one_mind(const sd_summary *r, double point) {
  double n = alive(r);
  return fabs(r->drift_slope) > point * r->drift_stderr || (n >= 12 && lead(r) > 3.3 * sqrt(n));
}

/* Members that start together part for where they are on the average, each in its own way.  That changes the mean of E
 * by less than its oscillation, and looks like a drift in a run that is not much longer than it takes.  So where they
 * are elsewhere in the end, a change as small as that must be what nearly all of them do. */
static int may_be_parting(const sd_summary *r) {
  double a = fabs(r->drift_slope), deviation = sqrt(alive(r)) * r->drift_stderr, rms = r->oscillation_rms;
  return alive(r) >= 6 && r->wander_rms > 0.05 * rms && !(a * r->time > rms) && !(a > 1.5 * deviation);
}

static sd_reason drifts_because(const sd_summary *r, const sd_trend *t) {
  double n = alive(r), a = fabs(r->drift_slope);
  sd_slopes h = t->halves, q = t->quarters;
  if (r->drift_slope < 0) h = (sd_slopes){-h.highest, -h.lowest}, q = (sd_slopes){-q.highest, -q.lowest};
  if (!(a * r->time > 0.01 * r->oscillation_rms && a * r->time > r->energy_rounding)) return SD_NO_REASON;
  if (!(h.highest < 4 * a && q.highest < 8 * a) || may_be_parting(r)) return SD_NO_REASON;
  int loose = h.lowest > -a / 4 && q.lowest > -a;
  int members = n < 6 ? lead(r) == n : of_one_mind(r, sd_student95(n - 1));
  if (members && h.lowest > 0 && q.lowest > a / 3) return SD_STEADY;
  if (members && loose && r->drift_halves < r->drift_quarters / 10) return SD_AVERAGES_OUT;
  int many = n >= 8 && loose && r->oscillation_shared < 0.7;
  return many && of_one_mind(r, sd_student999(n - 1)) ? SD_MEMBERS_AGREE : SD_NO_REASON;
}

static int witnessed(const sd_summary *r, const sd_trend *t) {
  double a = fabs(r->drift_slope);
  return !t->witnessed || (fabs(r->drift_witness - r->drift_slope) < a / 2 && a > r->drift_witness_quarters / 4);
}

static int comes_back(const sd_trend *t) {
  double range = t->highest - t->lowest;
  return t->lowest - range <= 0 && t->highest + range >= 0;
}

static int wanders(const sd_summary *r) {
  double change = r->wander_rms * r->wander_rms, walk = r->wander_slopes * r->time / 2, rms = r->oscillation_rms;
  return change >= 0.35 * walk * walk && change >= 0.01 * rms * rms;
}

/* What is left falls by this from doubling to doubling of the length, if it goes on as from a quarter of the run to a
 * half: an oscillation falls to an eighth, noise to 0.7. */
static double fall(const sd_summary *r) {
  return 2 * r->drift_halves / r->drift_quarters;
}

/* How many times the run's length should do; NaN where that is not in sight. */
static double times_the_length(const sd_summary *r, double left, double resolve) {
  for (int doublings = 0; doublings < 10; doublings++, left *= fall(r))
    if (left < resolve) return (double)(1 << doublings);
  return NAN;
}

static double times_the_members(const sd_summary *r, double resolve) {
  double root = reach_over_members(r) * r->time / (resolve * r->oscillation_rms);
  return larger(2, ceil(root * root));
}

static sd_reason undecided_because(sd_summary *r, const sd_trend *t, double resolve) {
  double change = fabs(r->drift_change), left = change + r->drift_change_reach,
         longer = times_the_length(r, left, resolve);
  r->verdict_needs = 2;
  if (change > r->drift_change_reach) return SD_SHORT; /* it looks like a drift, but not all over the run */
  int differ = reach_over_members(r) > reach_over_windows(r);
  r->verdict_needs = ceil(left / resolve * (left / resolve));
  int to_be_had = r->verdict_needs <= (double)t->interval;
  if (left >= resolve && !differ && to_be_had && fall(r) > 0.5) return SD_SAMPLES_SCARCE; /* it is like noise */
  r->verdict_needs = longer;
  if (longer > 1 && !differ) return SD_SHORT;
  r->verdict_needs = NAN;
  if (!comes_back(t)) return SD_LEFT_START;
  if (!t->stays) return SD_LEFT_RANGE;
  if (wanders(r)) return SD_MEMBERS_WANDER;
  if (!differ || change >= resolve) return SD_NO_LENGTH;
  r->verdict_needs = times_the_members(r, resolve - change);
  return SD_MEMBERS_DIFFER;
}

/* The others speak for the method as long as no more than one in a hundred has failed. */
static int too_many_failed(const sd_summary *r) {
  return r->failed == r->members || 100 * (double)r->failed > (double)r->members;
}

static sd_reason reason_of(sd_summary *r, const sd_trend *t, double resolve) {
  if (too_many_failed(r)) return SD_MEMBERS_FAILED;
  if (t->samples < SD_SAMPLES_LEAST) return SD_FEW_SAMPLES;
  if (r->energy_max_abs_error <= r->energy_rounding) return SD_ROUNDING;
  sd_reason drifts = drifts_because(r, t);
  if (drifts) return witnessed(r, t) ? drifts : SD_SAMPLES_BEAT;
  int excluded = fabs(r->drift_change) + r->drift_change_reach < resolve;
  return excluded && comes_back(t) && t->stays && !wanders(r) ? SD_EXCLUDED : undecided_because(r, t, resolve);
}

static sd_verdict verdict_of(sd_reason reason, double slope) {
  switch (reason) {
  case SD_STEADY:
  case SD_AVERAGES_OUT:
  case SD_MEMBERS_AGREE: return slope < 0 ? SD_DRIFTS_DOWN : SD_DRIFTS_UP;
  case SD_ROUNDING:
  case SD_EXCLUDED: return SD_BOUNDED;
  default: return SD_UNDECIDED;
  }
}

/* What slope and reach come to was found too small by up to 1.5 (bench/calibration.md), where a slow modulation cancels
 * a drift in the slope; so twice that is claimed, and no more than what was asked for. */
static double limit(const sd_summary *r, double resolve) {
  return smaller(2 * (fabs(r->drift_change) + r->drift_change_reach), resolve);
}

void sd_judge(sd_summary *r, const sd_trend *t, double resolve, int64_t stages) {
  derive(r, t, stages);
  r->reason = reason_of(r, t, resolve);
  if (r->reason == SD_EXCLUDED) r->drift_limit = limit(r, resolve);
  r->verdict = verdict_of(r->reason, r->drift_slope);
  sd_explain(r);
}

/* ---- in words ---- */

int sd_rests_on_one(const sd_summary *r) {
  return r->members == 1 && (r->reason == SD_STEADY || r->reason == SD_AVERAGES_OUT || r->reason == SD_EXCLUDED);
}

void sd_explain(sd_summary *r) {
  char *to = r->because;
  size_t size = sizeof r->because;
  switch (r->reason) {
  case SD_NO_REASON:
  case SD_REASONS: sd_format(to, size, "unknown"); break;
  case SD_STEADY: sd_format(to, size, "every window of the run has its sign"); break;
  case SD_AVERAGES_OUT: sd_format(to, size, "the oscillation averages out, and it does not"); break;
  case SD_MEMBERS_AGREE: sd_format(to, size, "the members agree, which oscillate each for itself"); break;
  case SD_ROUNDING: sd_format(to, size, "rounding: max|E-E0| is not beyond %.2g", r->energy_rounding); break;
  case SD_EXCLUDED: sd_format(to, size, "a change above %.2g rms over the run is excluded", r->drift_limit); break;
  case SD_FEW_SAMPLES: sd_format(to, size, "few samples: a verdict needs %d", SD_SAMPLES_LEAST); break;
  case SD_MEMBERS_FAILED:
    if (r->failed) sd_format(to, size, "%zu of %zu members failed", r->failed, r->members);
    else sd_format(to, size, "too many members ended on the way");
    break;
  case SD_SAMPLES_BEAT:
    sd_format(to, size, "samples beat with the oscillation, or may: a smaller --every tells");
    break;
  case SD_LEFT_START: sd_format(to, size, "energy left its start, and stays away"); break;
  case SD_LEFT_RANGE: sd_format(to, size, "energy leaves its range at an end of the run"); break;
  case SD_MEMBERS_WANDER:
    sd_format(to, size, "members wander: by %.2g rms from half to half", r->wander_rms / r->oscillation_rms);
    break;
  case SD_MEMBERS_DIFFER: sd_format(to, size, "members x %.3g", r->verdict_needs); break;
  case SD_SHORT:
    sd_format(to, size, "time >= %.15g (%g times this run)", r->verdict_needs * r->time, r->verdict_needs);
    break;
  case SD_SAMPLES_SCARCE:
    sd_format(to, size, "samples x %.3g: a smaller --every, or a longer run", r->verdict_needs);
    break;
  case SD_NO_LENGTH: sd_format(to, size, "no length in sight"); break;
  case SD_POINTS_AGREE: sd_format(to, size, "all points of the sweep are"); break;
  case SD_POINTS_DIFFER: sd_format(to, size, "the points of the sweep differ"); break;
  }
  size_t used = strlen(to);
  if (sd_rests_on_one(r)) snprintf(to + used, size - used, "; by one member's windows alone");
}
